"""The places of a tournament, told by who went out when. Rule: Rules §6 (tournament).

A place is never stored: who comes late, or comes back, pushes those down who are out already. Places are final when
nobody comes in any more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from triptych.table.commands import TellPlaces
from triptych.table.state import Place
from triptych.tournament.league import complete_round_results, is_league, standings
from triptych.tournament.state import TournamentState, TournamentTable

if TYPE_CHECKING:
    from triptych.table.tournament_orders import MatchResult


def elimination_groups(results: Iterable[MatchResult]) -> tuple[tuple[str, ...], ...]:
    """Return who went out in a match, the first ones first; those who share a place are together."""
    out: dict[int, list[str]] = {}
    for one in results:
        if one.out:
            out.setdefault(one.out, []).append(one.player)
    return tuple(tuple(out[place]) for place in sorted(out, reverse=True))


def places(state: TournamentState) -> dict[str, int]:
    """Return the place of everybody who is out, and of the winner; players of one group share the better one.

    In a league of everybody, by what they made of the same cards as the others.
    """
    if is_league(state):
        return {line.player: line.place for line in standings(state)} if complete_round_results(state) else {}
    left = [entry.player for entry in state.entries if not entry.out]
    result: dict[str, int] = {left[0]: 1} if len(left) == 1 and state.eliminated else {}
    better = len(left)
    for group in reversed(state.eliminated):
        result |= dict.fromkeys(group, better + 1)
        better += len(group)
    return result


def places_news(state: TournamentState, table: TournamentTable) -> TellPlaces | None:
    """Return what a table is told of the players who went out in its last match, None when there is nothing to say.

    Their places are those of the whole tournament. Who has come in again since has none.
    """
    if is_league(state) or not table.outs:
        return None
    ranking = places(state)
    names = {entry.player: entry.name for entry in state.entries}
    news = tuple(Place(player, names[player], ranking[player]) for player in table.outs if player in ranking)
    return TellPlaces(table.reported, news) if news else None


def remove_player(outs: tuple[tuple[str, ...], ...], player: str) -> tuple[tuple[str, ...], ...]:
    """Return who is out when one player has come back."""
    groups = (tuple(one for one in group if one != player) for group in outs)
    return tuple(group for group in groups if group)
