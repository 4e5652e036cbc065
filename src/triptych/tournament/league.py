"""A duplicate league: all tables play the same decks, and players with the same cards are compared.

The value of the cards is the same for all of them and cancels out in the difference, which is the score. Players
change seats and opponents from round to round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from triptych.stats import t_quantile
from triptych.tournament.state import RoundResult, TournamentState

# With fewer rounds an interval would be meaningless.
MIN_ROUNDS = 3


class LeagueStanding(NamedTuple):
    """A player's standing: rounds, mean points a round above others with the same cards, its interval."""

    player: str
    rounds: int
    mean: float
    low: float | None
    high: float | None
    place: int


def is_league(state: TournamentState) -> bool:
    """Return whether this is a duplicate league."""
    return state.config.rounds > 0


def seating(players: Sequence[str], size: int, number: int) -> tuple[tuple[str, ...], ...]:
    """Return the players by seat for each table in a round (from 1).

    Every round each player moves to the next seat; a player who began in seat s also moves by s tables, so that
    opponents change. The number of players is a multiple of `size`.
    """
    tables = len(players) // size
    lineups = [[""] * size for _ in range(tables)]
    for index, player in enumerate(players):
        table, seat = divmod(index, size)
        lineups[(table + seat * (number - 1)) % tables][(seat + number - 1) % size] = player
    return tuple(tuple(seats) for seats in lineups)


def duplicate_scores(results: Sequence[RoundResult]) -> dict[str, list[float]]:
    """Return, for each player, their points in each complete round minus the others' mean in the same seat."""
    rounds: dict[int, dict[int, list[RoundResult]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        rounds[result.number][result.seat].append(result)
    scores: dict[str, list[float]] = defaultdict(list)
    for seats in rounds.values():
        for same_seat in seats.values():
            total = sum(result.points for result in same_seat)
            for result in same_seat:
                scores[result.player].append(result.points - (total - result.points) / (len(same_seat) - 1))
    return dict(scores)


def interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % confidence interval of a mean by Student's t, None with fewer than three values."""
    if len(values) < MIN_ROUNDS:
        return None
    half = t_quantile(len(values) - 1) * stdev(values) / sqrt(len(values))
    mean = fmean(values)
    return mean - half, mean + half


def complete_round_results(state: TournamentState) -> tuple[RoundResult, ...]:
    """Return the results of the rounds that all tables have ended."""
    players = len(state.entries)
    counts: dict[int, int] = defaultdict(int)
    for result in state.results:
        counts[result.number] += 1
    return tuple(result for result in state.results if counts[result.number] == players)


def standings(state: TournamentState) -> tuple[LeagueStanding, ...]:
    """Return the standings of all players, the best first; equal means share their place."""
    scores = duplicate_scores(complete_round_results(state))
    means = {entry.player: fmean(scores.get(entry.player, [0.0])) for entry in state.entries}
    result = []
    for entry in state.entries:
        values = scores.get(entry.player, [])
        bounds = interval(values)
        place = 1 + sum(mean > means[entry.player] for mean in means.values())
        low, high = bounds if bounds is not None else (None, None)
        result.append(LeagueStanding(entry.player, len(values), means[entry.player], low, high, place))
    return tuple(sorted(result, key=lambda standing: standing.place))
