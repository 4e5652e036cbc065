"""A duplicate league: the same decks at all tables, and everybody measured against who held the same cards elsewhere.

What the cards alone are worth is the same for all of them and falls out of the difference, which is what is counted.
Players change seats and opponents from round to round.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from triptych.stats import t_quantile
from triptych.tournament.state import RoundResult, TournamentState

# With fewer rounds an interval would say nothing.
MIN_ROUNDS = 3


class LeagueStanding(NamedTuple):
    """How a player stands: rounds played, points a round better than the same cards elsewhere, and their interval."""

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
    """Return who sits where in a round, from 1: players by seat for each table.

    Every round each player moves on to the next seat; who began in seat s moves on by s tables, so that the company
    changes too. `players` is a multiple of `size`.
    """
    tables = len(players) // size
    lineups = [[""] * size for _ in range(tables)]
    for at, player in enumerate(players):
        table, seat = divmod(at, size)
        lineups[(table + seat * (number - 1)) % tables][(seat + number - 1) % size] = player
    return tuple(tuple(seats) for seats in lineups)


def duplicate_scores(results: Sequence[RoundResult]) -> dict[str, list[float]]:
    """Return, for each player, the points of each complete round less what the others made of the same seat."""
    rounds: dict[int, dict[int, list[RoundResult]]] = defaultdict(lambda: defaultdict(list))
    for one in results:
        rounds[one.number][one.seat].append(one)
    scores: dict[str, list[float]] = defaultdict(list)
    for seats in rounds.values():
        for same in seats.values():
            total = sum(one.points for one in same)
            for one in same:
                scores[one.player].append(one.points - (total - one.points) / (len(same) - 1))
    return dict(scores)


def interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % interval of a mean by Student's t, None with fewer than three values."""
    if len(values) < MIN_ROUNDS:
        return None
    half = t_quantile(len(values) - 1) * stdev(values) / sqrt(len(values))
    mean = fmean(values)
    return mean - half, mean + half


def complete_round_results(state: TournamentState) -> tuple[RoundResult, ...]:
    """Return the results of the rounds that all tables have ended."""
    players = len(state.entries)
    counts: dict[int, int] = defaultdict(int)
    for one in state.results:
        counts[one.number] += 1
    return tuple(one for one in state.results if counts[one.number] == players)


def standings(state: TournamentState) -> tuple[LeagueStanding, ...]:
    """Return how everybody stands, the best first; equal means share their place."""
    scores = duplicate_scores(complete_round_results(state))
    means = {entry.player: fmean(scores.get(entry.player, [0.0])) for entry in state.entries}
    lines = []
    for entry in state.entries:
        values = scores.get(entry.player, [])
        around = interval(values)
        place = 1 + sum(mean > means[entry.player] for mean in means.values())
        low, high = around if around is not None else (None, None)
        lines.append(LeagueStanding(entry.player, len(values), means[entry.player], low, high, place))
    return tuple(sorted(lines, key=lambda line: line.place))
