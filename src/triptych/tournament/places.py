"""The places of a tournament, by order of elimination, and its prizes. Rule: Rules §6 (tournament).

A place is never stored: late entries and re-entries move down the players who are out already. Places are final when
nobody can enter any more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from triptych.table.commands import TellPlaces
from triptych.table.state import Place
from triptych.tournament.league import complete_round_results, is_league, standings
from triptych.tournament.levels import anybody_may_return, is_late_entry_open
from triptych.tournament.state import Prize, TournamentState, TournamentTable, remaining

if TYPE_CHECKING:
    from triptych.table.tournament_orders import MatchResult


def elimination_groups(results: Iterable[MatchResult]) -> tuple[tuple[str, ...], ...]:
    """Return the players eliminated in a match in order; players who share a place form a group."""
    by_place: dict[int, list[str]] = {}
    for result in results:
        if result.out:
            by_place.setdefault(result.out, []).append(result.player)
    return tuple(tuple(by_place[place]) for place in sorted(by_place, reverse=True))


def places(state: TournamentState) -> dict[str, int]:
    """Return the places of the eliminated players and the winner; players of one group share the better place.

    In a league: the places of all players by their standing.
    """
    if is_league(state):
        has_results = bool(complete_round_results(state))
        return {standing.player: standing.place for standing in standings(state)} if has_results else {}
    entries = remaining(state)
    result: dict[str, int] = {entries[0].player: 1} if len(entries) == 1 and state.eliminated else {}
    better = len(entries)
    for group in reversed(state.eliminated):
        result |= dict.fromkeys(group, better + 1)
        better += len(group)
    return result


def places_news(state: TournamentState, table: TournamentTable) -> TellPlaces | None:
    """Return the places of the players eliminated in a table's last match, for the table; None without any.

    The places are those of the whole tournament. Players who have entered again since have none.
    """
    if is_league(state) or not table.outs:
        return None
    ranking = places(state)
    names = {entry.player: entry.name for entry in state.entries}
    new_places = tuple(Place(player, names[player], ranking[player]) for player in table.outs if player in ranking)
    return TellPlaces(table.reported, new_places) if new_places else None


def remove_player(outs: tuple[tuple[str, ...], ...], player: str) -> tuple[tuple[str, ...], ...]:
    """Return the eliminated players without a player who has entered again."""
    groups = (tuple(name for name in group if name != player) for group in outs)
    return tuple(group for group in groups if group)


def prize_pool(state: TournamentState) -> int:
    """Return the sum of the entries' fees; 0 without a fee."""
    return state.config.fee * sum(entry.entries for entry in state.entries)


def payouts(state: TournamentState) -> tuple[int, ...]:
    """Return the payout of each place when nobody shares one, the first place first."""
    config = state.config
    paid = config.prizes[: len(state.entries)]
    if config.prize_kind == "points":
        return paid
    return split(prize_pool(state), paid) if config.prize_kind == "shares" and paid else ()


def prizes_in_play(state: TournamentState, local: Collection[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the payouts of the open places, the first first, and the chips of players not in `local`.

    Both are empty while players may enter, since the number of places and their payouts are not known before.
    """
    if state.phase != "running" or is_late_entry_open(state) or anybody_may_return(state):
        return (), ()
    entries = remaining(state)
    other_chips = tuple([entry.chips for entry in entries if entry.player not in local])
    return payouts(state)[: len(entries)], other_chips


def split(whole: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Divide a whole number by weights: the shares add up to it, and the largest remainders are rounded up."""
    total = sum(weights)
    shares = [whole * weight // total for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda index: (-(whole * weights[index] % total), index))
    for index in by_remainder[: whole - sum(shares)]:
        shares[index] += 1
    return tuple(shares)


def prizes(state: TournamentState) -> tuple[Prize, ...]:
    """Return everybody's prize, the best place first; a shared place divides the payouts of its places."""
    by_place = payouts(state)
    ranked = sorted(places(state).items(), key=itemgetter(1))
    result: list[Prize] = []
    for place, group in groupby(ranked, key=itemgetter(1)):
        players = [player for player, _ in group]
        payout = sum(by_place[place - 1 : place - 1 + len(players)])
        shares = split(payout, [1] * len(players))
        result += [Prize(player, share) for player, share in zip(players, shares, strict=True) if share]
    return tuple(result)
