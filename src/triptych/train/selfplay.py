"""Self-play training of any open game: one thread, bit for bit the same from a seed, resumable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from triptych.rulesets.errors import RulesError
from triptych.rulesets.model import Ruleset
from triptych.solve.value.points import STRENGTH_BINS, can_learn, initial_fantasyland_values, new_learner, weights
from triptych.solve.value.weights import TrainingStats, Weights, family_key, pack
from triptych.train.fantasyland import fit_fantasyland_values
from triptych.train.method import METHODS

SLICE_DEALS = 5_000
WARMUP_DEALS = 50_000  # deals before the strengths of finished rows are measured
STRENGTH_SAMPLE_DEALS = 10_000
# Parts of the training after which fantasyland is valued again, and deals for each value.
FIT_FRACTIONS = (0.3, 0.6, 0.9)
FIT_SAMPLE_DEALS = 3_000
EVALUATION_DEALS = 20_000  # of greedy play, for the figures that a file carries


class Progress(msgspec.Struct, frozen=True):
    """How far training is, and what the last slice of self-play did."""

    done: int
    deals: int
    foul: float
    fantasyland: float
    royalties: float
    land_value: tuple[float, ...]


class Training:
    """One run. `run` may be called again after it was stopped; the result does not depend on where."""

    def __init__(
        self,
        rules: Ruleset,
        *,
        players: int = 2,
        deals: int,
        seed: int,
        preset: str,
        spec: dict[str, Any],
        method: str = "draws",
    ) -> None:
        """`method`: a name of train/method.py. Raises RulesError (`train.game`) for games the learner cannot play."""
        if not can_learn(rules):
            raise RulesError(
                "train.game", f"{rules.name}: the learner plays open games in which suits break no tie", "$.deal.game"
            )
        self.rules = rules
        self.method = method
        self._way = METHODS[method]
        self.deals = max(deals, WARMUP_DEALS + STRENGTH_SAMPLE_DEALS)
        self.seed = seed
        self.players = players
        self.preset = preset
        self.spec = spec
        self.done = 0
        self.land_value = initial_fantasyland_values(rules)
        self.strengths: tuple[int, ...] = (0,) * (3 * STRENGTH_BINS)
        self.history: list[Progress] = []
        self.learner = new_learner(rules, players, land_value=self.land_value, seed=seed)

    def run(self, on_progress: Callable[[Progress], None] = lambda _: None) -> None:
        """Play the deals that are left; tells how far it is after every slice."""
        while self.done < self.deals:
            if self.done == WARMUP_DEALS:
                self._measure_strengths()
            else:
                self._play_slice()
            if any(self._just_passed(part) for part in FIT_FRACTIONS):
                self._fit_fantasyland_values()
            on_progress(self.history[-1])

    def result(self) -> bytes:
        """Return the weights file of what has been learned so far."""
        self.learner.set_outcome_weights(weights(self.rules, self.land_value))
        self.learner.pop_stats()
        self.learner.play(EVALUATION_DEALS, learning=False, rate=0, decay=0, noise=0)
        last = self._stats()
        head = Weights(
            preset=self.preset,
            spec=self.spec,
            players=self.players,
            deals=self.done,
            seed=self.seed,
            land_value=self.land_value,
            strengths=self.strengths,
            figures=last,
            family=family_key(self.rules),
        )
        return pack(head, self.learner.table(), weights(self.rules, self.land_value))

    def _play_slice(self) -> None:
        end = min(self.deals, self.done + SLICE_DEALS)
        if self.done < WARMUP_DEALS:
            end = min(end, WARMUP_DEALS)
        if self.done < self._way.shaping_until * self.deals + SLICE_DEALS:
            self._update_weights()
        self._way.play(self.learner, end - self.done, self.done / self.deals)
        self._record_progress(end)

    def _measure_strengths(self) -> None:
        """Find the quintiles of finished rows, by which the strength bins are cut."""
        values: list[int] = []
        for _ in range(STRENGTH_SAMPLE_DEALS):
            self._way.play(self.learner, 1, 0)
            values += self.learner.last_values()
        rows = [sorted(values[row::3]) for row in range(3)]
        self.strengths = tuple(
            row[len(row) * (cut + 1) // (STRENGTH_BINS + 1)] for row in rows for cut in range(STRENGTH_BINS)
        )
        self.learner.set_strengths(list(self.strengths))
        self._record_progress(self.done + STRENGTH_SAMPLE_DEALS)

    def _fit_fantasyland_values(self) -> None:
        if any(self.land_value):
            self.land_value = fit_fantasyland_values(
                self.rules, self.learner, self.land_value, deals=FIT_SAMPLE_DEALS, seed=self.seed + self.done
            )
            self._update_weights()
            self.learner.pop_stats()  # the deals of the fit are not the next slice's

    def _update_weights(self) -> None:
        self.learner.set_outcome_weights(
            self._way.exploration_weights(weights(self.rules, self.land_value), self.done / self.deals)
        )

    def _just_passed(self, part: float) -> bool:
        before = self.history[-2].done if len(self.history) > 1 else 0
        return before < part * self.deals <= self.done

    def _record_progress(self, done: int) -> None:
        self.done = done
        last = self._stats()
        self.history.append(Progress(done, self.deals, last.foul, last.fantasyland, last.royalties, self.land_value))

    def _stats(self) -> TrainingStats:
        played = self.learner.pop_stats()
        boards = played.boards
        return TrainingStats(played.fouls / boards, played.fantasylands / boards, played.royalties / boards)
