"""What a tournament's events come to, counted again from the events alone: levels, breaks, places (issue 27.10).

None of the package's own counting is used here, so that both can be compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from triptych.tournament import events as e

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triptych.tournament.events import TournamentEvent


class TournamentCourse(NamedTuple):
    """Levels from 1 in the order in which they held; how many breaks were due and were taken; places at each exit.

    `deals`: for each level the most deals that one table played in it, in matches that began in it.
    """

    levels: list[int]
    deals: dict[int, int]
    breaks_due: int
    breaks_taken: int
    places: list[tuple[str, int]]


def verify_course(events: Sequence[TournamentEvent]) -> TournamentCourse:
    """Return how a tournament went; fails where a break is passed over, or a level is skipped or counts wrongly."""
    opened = events[0]
    assert isinstance(opened, e.TournamentAnnounced)
    config = opened.config
    by_deals = config.level_kind == "deals"
    levels, deals, played = [1], {1: {0: 0}}, dict[int, int]()
    ordered: dict[int, int] = {}  # the level of each table's last match
    playing: set[int] = set()
    due, taken, resting, is_due = 0, 0, False, False
    for event in events:
        if isinstance(event, e.TableOrdered) and event.order.chairs:
            assert not is_due, "a match begins though a break is due"
            assert not resting, "a match begins in a break"
            assert event.order.level.number == levels[-1], "a match has the level that holds"
            assert event.order.level.chips == config.levels[levels[-1] - 1]
            ordered[event.table] = levels[-1]
            playing.add(event.table)
        elif isinstance(event, e.MatchReported):
            playing.discard(event.table)
            count = event.deals - played.get(event.table, 0)
            played[event.table] = event.deals
            level = deals[ordered[event.table]]
            if by_deals and ordered[event.table] == levels[-1] < len(config.levels):
                assert max(level.values()) < config.level_length, "the level was over already"
            level[event.table] = level.get(event.table, 0) + count
        elif isinstance(event, e.LevelBegan):
            assert event.level + 1 == levels[-1] + 1, "a level is skipped"
            if by_deals:
                assert max(deals[levels[-1]].values()) >= config.level_length, (
                    "too few deals were played in the level"
                )
            if config.break_every and levels[-1] % config.break_every == 0:
                assert not is_due, "a break is due, and another one already"
                due, is_due = due + 1, True
            levels.append(event.level + 1)
            deals[levels[-1]] = {0: 0}
        elif isinstance(event, e.BreakBegan):
            assert is_due, "a break that is not due"
            assert not playing, "a break begins though a match is on"
            taken, resting, is_due = taken + 1, True, False
        elif isinstance(event, e.BreakEnded):
            resting = False
    return TournamentCourse(
        levels, {level: max(counts.values()) for level, counts in deals.items()}, due, taken, exits(events)
    )


def exits(events: Iterable[TournamentEvent]) -> list[tuple[str, int]]:
    """Return who went out, with the place in the tournament that they had then."""
    left: set[str] = set()
    placings: list[tuple[str, int]] = []
    for event in events:
        if isinstance(event, e.Registered | e.Reentered):
            left.add(event.player)
        elif isinstance(event, e.Withdrew | e.PlayerRemoved):
            left.discard(event.player)
        elif isinstance(event, e.MatchReported):
            out = sorted((result for result in event.results if result.out), key=lambda result: -result.out)
            for result in out:
                better = [other for other in out if other.out < result.out]
                left -= {result.player}
                placings.append((result.player, len(left - {other.player for other in out}) + len(better) + 1))
    return placings


def final_places(events: Iterable[TournamentEvent]) -> dict[str, int]:
    """Return the places at the end: by the last time that somebody went out, the winner first."""
    groups: list[list[str]] = []
    left: set[str] = set()
    for event in events:
        if isinstance(event, e.Registered | e.Reentered):
            left.add(event.player)
            groups = [[player for player in group if player != event.player] for group in groups]
        elif isinstance(event, e.Withdrew):
            left.discard(event.player)
        elif isinstance(event, e.PlayerRemoved):
            left.discard(event.player)
            groups.append([event.player])
        elif isinstance(event, e.MatchReported):
            for place in sorted({result.out for result in event.results if result.out}, reverse=True):
                groups.append([result.player for result in event.results if result.out == place])
            left -= {result.player for result in event.results if result.out}
    place_of = dict.fromkeys(left, 1)
    for group in reversed(groups):
        place_of |= dict.fromkeys(group, len(place_of) + 1)
    return place_of
