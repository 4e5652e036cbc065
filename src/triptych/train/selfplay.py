"""Self-play training of any open game: single-threaded, reproducible bit for bit from a seed, resumable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from triptych import _kernel
from triptych.board import BOARD_CARDS
from triptych.cards import Card, deck
from triptych.rulesets.errors import RulesError
from triptych.rulesets.model import Ruleset
from triptych.scoring.showdown import ScoredHand, score_deal
from triptych.solve.exact.fantasyland import fantasyland
from triptych.solve.exact.setting import MAX_CARDS, MIN_CARDS
from triptych.solve.value.points import (
    FANTASYLAND_VALUE_COUNT,
    STRENGTH_BINS,
    can_learn,
    initial_fantasyland_values,
    new_learner,
    weights,
)
from triptych.solve.value.weights import TrainingStats, Weights, family_key, pack
from triptych.train.method import METHODS

SLICE_DEALS = 5_000
WARMUP_DEALS = 50_000  # deals before the strengths of finished rows are measured
STRENGTH_SAMPLE_DEALS = 10_000
# Fractions of the training after which the fantasyland values are fitted again, and deals for each value.
FIT_FRACTIONS = (0.3, 0.6, 0.9)
FIT_SAMPLE_DEALS = 3_000
EVALUATION_DEALS = 20_000  # of greedy play, for the statistics in the weights file


class Progress(msgspec.Struct, frozen=True):
    """The progress of a training, with the statistics of the last slice of self-play."""

    done: int
    deals: int
    foul: float
    fantasyland: float
    royalties: float
    fantasyland_values: tuple[float, ...] = msgspec.field(name="land_value")


class Training:
    """One training. `run` may be called again after an interruption; the result does not depend on where it was."""

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
        self._method = METHODS[method]
        self.deals = max(deals, WARMUP_DEALS + STRENGTH_SAMPLE_DEALS)
        self.seed = seed
        self.players = players
        self.preset = preset
        self.spec = spec
        self.done = 0
        self.fantasyland_values = initial_fantasyland_values(rules)
        self.strengths: tuple[int, ...] = (0,) * (3 * STRENGTH_BINS)
        self.history: list[Progress] = []
        self.learner = new_learner(rules, players, fantasyland_values=self.fantasyland_values, seed=seed)

    def run(self, on_progress: Callable[[Progress], None] = lambda _: None) -> None:
        """Play the remaining deals; `on_progress` is called after every slice."""
        while self.done < self.deals:
            if self.done == WARMUP_DEALS:
                self._measure_strengths()
            else:
                self._play_slice()
            if any(self._just_passed(fraction) for fraction in FIT_FRACTIONS):
                self._fit_fantasyland_values()
            on_progress(self.history[-1])

    def result(self) -> bytes:
        """Return the weights file of the training so far."""
        self.learner.set_outcome_weights(weights(self.rules, self.fantasyland_values))
        self.learner.pop_stats()
        self.learner.play(EVALUATION_DEALS, learning=False, rate=0, decay=0, noise=0)
        stats = self._stats()
        head = Weights(
            preset=self.preset,
            spec=self.spec,
            players=self.players,
            deals=self.done,
            seed=self.seed,
            fantasyland_values=self.fantasyland_values,
            strengths=self.strengths,
            figures=stats,
            family=family_key(self.rules),
        )
        return pack(head, self.learner.table(), weights(self.rules, self.fantasyland_values))

    def _play_slice(self) -> None:
        end = min(self.deals, self.done + SLICE_DEALS)
        if self.done < WARMUP_DEALS:
            end = min(end, WARMUP_DEALS)
        if self.done < self._method.shaping_until * self.deals + SLICE_DEALS:
            self._update_weights()
        self._method.play(self.learner, end - self.done, self.done / self.deals)
        self._record_progress(end)

    def _measure_strengths(self) -> None:
        """Measure the quantiles of finished rows' strengths, which separate the strength bins."""
        values: list[int] = []
        for _ in range(STRENGTH_SAMPLE_DEALS):
            self._method.play(self.learner, 1, 0)
            values += self.learner.last_values()
        rows = [sorted(values[row::3]) for row in range(3)]
        self.strengths = tuple(
            row[len(row) * (cut + 1) // (STRENGTH_BINS + 1)] for row in rows for cut in range(STRENGTH_BINS)
        )
        self.learner.set_strengths(list(self.strengths))
        self._record_progress(self.done + STRENGTH_SAMPLE_DEALS)

    def _fit_fantasyland_values(self) -> None:
        if any(self.fantasyland_values):
            self.fantasyland_values = fit_fantasyland_values(
                self.rules, self.learner, self.fantasyland_values, deals=FIT_SAMPLE_DEALS, seed=self.seed + self.done
            )
            self._update_weights()
            self.learner.pop_stats()  # the fit's deals must not count in the next slice's statistics

    def _update_weights(self) -> None:
        self.learner.set_outcome_weights(
            self._method.exploration_weights(weights(self.rules, self.fantasyland_values), self.done / self.deals)
        )

    def _just_passed(self, fraction: float) -> bool:
        previous = self.history[-2].done if len(self.history) > 1 else 0
        return previous < fraction * self.deals <= self.done

    def _record_progress(self, done: int) -> None:
        self.done = done
        stats = self._stats()
        self.history.append(
            Progress(done, self.deals, stats.foul, stats.fantasyland, stats.royalties, self.fantasyland_values)
        )

    def _stats(self) -> TrainingStats:
        stats = self.learner.pop_stats()
        boards = stats.boards
        return TrainingStats(stats.fouls / boards, stats.fantasylands / boards, stats.royalties / boards)


def fit_fantasyland_values(
    rules: Ruleset, learner: _kernel.Learner, guess: Sequence[float], *, deals: int, seed: int
) -> tuple[float, ...]:
    """Return the value of each fantasyland in points from one opponent, who plays like the learner.

    One step towards the fixed point: `deals` heads-up deals for each size. The fantasyland is set for royalties and
    the guessed repeat value; the opponent's board comes from the learner's self-play. A fantasyland that either side
    reaches counts with the guess. Repeat until the values converge.
    """
    sizes = [size for size, value in enumerate(guess) if value]
    random = Random(seed)
    fitted = [0.0] * FANTASYLAND_VALUE_COUNT
    for size in sizes:
        total = 0.0
        for _ in range(deals):
            learner.play(1, learning=False, rate=0, decay=0, noise=0)
            total += _points(rules, learner.last_boards()[:BOARD_CARDS], size, guess, random)
        fitted[size] = total / deals
    return tuple(fitted)


def _points(rules: Ruleset, opponent: bytes, size: int, guess: Sequence[float], random: Random) -> float:
    remaining = [card for card in deck(rules.deal.jokers) if card not in opponent]
    cards = random.sample(remaining, size)
    best = fantasyland(cards, rules, repeat_value={cards: guess[cards] for cards in range(MIN_CARDS, MAX_CARDS + 1)})
    hands = (
        ScoredHand((*best.front, *best.middle, *best.back), fantasyland=size, in_row=1, owner=0),
        ScoredHand(tuple(Card(card) for card in opponent), owner=1),
    )
    score = score_deal(rules, hands)
    return score.pairs[0].points + guess[score.hands[0].fantasyland] - guess[score.hands[1].fantasyland]
