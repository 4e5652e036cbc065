"""Accumulate the records of a match, in the order of its deals."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numpy.typing import NDArray

from triptych.arena.credit import FantasylandValue, add_credit, fit_values, fixed_values, values_by_player
from triptych.arena.records import BotStats, DealBatch, DuplicateDeal
from triptych.stats import estimate

if TYPE_CHECKING:
    from triptych.arena.match import Plan

Kind = Literal["plain", "credited", "played"]

_MIN_DECKS: Final = 100  # the sequence's guarantee is asymptotic: nothing stops before so many decks


class MatchAccumulator:
    """Takes the batches of a match in order and computes the figures so far."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.duplicate_deals: list[DuplicateDeal] = []
        self.bot_stats: list[list[BotStats]] = [[] for _ in plan.entrants]
        self._summed, self._sum, self._squares = 0, 0.0, 0.0
        self.labels: tuple[str, ...] = tuple(entrant.label for entrant in plan.entrants)

    def add(self, batch: DealBatch) -> None:
        """Add the next batch."""
        self.duplicate_deals += batch.duplicate_deals
        for stats, batch_stats in zip(self.bot_stats, batch.bot_stats, strict=True):
            stats.append(batch_stats)

    def values(self) -> tuple[FantasylandValue, ...]:
        """Return the values of fantasylands: as given, else fitted to the played ones."""
        if self.plan.fantasyland_values:
            return fixed_values(self.labels, dict(self.plan.fantasyland_values))
        return fit_values(self.labels, [record for unit in self.duplicate_deals for record in unit.seatings])

    def points(self, kind: Kind) -> NDArray[np.float64]:
        """Return points by unit, seating and player: float64 (units, seatings, players)."""
        records = [unit.seatings for unit in self.duplicate_deals]
        if kind == "plain":
            credit = [[(0.0,) * len(self.labels) for _ in unit] for unit in records]
        elif kind == "played":
            credit = [[tuple(map(float, seating.chain or ())) for seating in unit] for unit in records]
        else:
            sizes = sorted(
                {cards for unit in records for seating in unit for cards in seating.next_fantasylands} - {0}
            )
            values = values_by_player(self.labels, self.values(), sizes)
            credit = [[add_credit(seating.next_fantasylands, values) for seating in unit] for unit in records]
        points = np.array([[seating.points for seating in unit] for unit in records], dtype=np.float64)
        total: NDArray[np.float64] = points + np.array(credit, dtype=np.float64)
        return total

    def fit_error(self, player: int) -> float:
        """Return the standard error that fitted fantasyland values add to a player's credited points a deal."""
        fantasylands = self.counts("next_fantasylands")
        sum_of_squares = 0.0
        for value in self.values():
            owner = self.labels.index(value.bot)
            factor = len(self.labels) - 1 if owner == player else -1
            sum_of_squares += (factor * float((fantasylands[:, :, owner] == value.cards).mean()) * value.error) ** 2
        return sqrt(sum_of_squares)

    def headline(self) -> Kind:
        """Return the main figure of the match, on which it also stops."""
        return "credited" if self.plan.chains == "credited" else "played"

    def is_precise_enough(self) -> bool:
        """Return whether the match may stop: with `until`, every bot's interval must be as narrow."""
        if not self.plan.until or len(self.duplicate_deals) < _MIN_DECKS:
            return False
        points = self.points(self.headline()).mean(axis=1)
        return all(
            estimate(points[:, player], "any_time", self.plan.deals).half <= self.plan.until
            for player in range(len(self.labels))
        )

    def progress(self) -> tuple[str, float, float]:
        """Return the first bot's points a deal so far, cheaply: label, mean, half-width (-1: unknown).

        Fantasylands count where they were played.
        """
        for unit in self.duplicate_deals[self._summed :]:
            points = sum(seating.points[0] + (seating.chain[0] if seating.chain else 0) for seating in unit.seatings)
            mean = points / len(unit.seatings)
            self._sum += mean
            self._squares += mean * mean
        self._summed = n = len(self.duplicate_deals)
        if n < 2:
            return self.labels[0], 0.0, -1.0
        mean = self._sum / n
        return self.labels[0], mean, 1.96 * sqrt(max(0.0, self._squares / n - mean * mean) / (n - 1))

    def counts(self, field: Literal["fouls", "royalties", "next_fantasylands", "seats"]) -> NDArray[np.float64]:
        """Return one field of the deal records: float64 (units, seatings, players)."""
        return np.array(
            [[getattr(seating, field) for seating in unit.seatings] for unit in self.duplicate_deals],
            dtype=np.float64,
        )
