"""The places of a tournament, by order of elimination. Rule: Rules §6 (tournament).

A place is never stored: late entries and re-entries move down the players who are out already. Places are final when
nobody can enter any more.
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
    remaining = [entry.player for entry in state.entries if not entry.out]
    result: dict[str, int] = {remaining[0]: 1} if len(remaining) == 1 and state.eliminated else {}
    better = len(remaining)
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
