"""Self-play training of any open game: one thread, bit for bit the same from a seed, resumable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from triptych.rulesets.errors import RulesError
from triptych.solve.value.points import BINS, first_land_values, learner, learns, weights
from triptych.solve.value.weights import Figures, Weights, family, pack
from triptych.train.fantasyland import fit
from triptych.train.method import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from triptych.rulesets.model import Ruleset

SLICE = 5_000
LEARNS_FIRST = 50_000  # deals before the strengths of finished rows are measured
STRENGTH_DEALS = 10_000
# Parts of the training after which fantasyland is valued again, and deals for each value.
FITS = (0.3, 0.6, 0.9)
FIT_DEALS = 3_000
FIGURE_DEALS = 20_000  # of greedy play, for the figures that a file carries


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
        if not learns(rules):
            raise RulesError(
                "train.game", f"{rules.name}: the learner plays open games in which suits break no tie", "$.deal.game"
            )
        self.rules = rules
        self.method = method
        self._way = METHODS[method]
        self.deals = max(deals, LEARNS_FIRST + STRENGTH_DEALS)
        self.seed = seed
        self.players = players
        self.preset = preset
        self.spec = spec
        self.done = 0
        self.land_value = first_land_values(rules)
        self.strengths: tuple[int, ...] = (0,) * (3 * BINS)
        self.history: list[Progress] = []
        self.learner = learner(rules, players, land_value=self.land_value, seed=seed)

    def run(self, told: Callable[[Progress], None] = lambda _: None) -> None:
        """Play the deals that are left; tells how far it is after every slice."""
        while self.done < self.deals:
            if self.done == LEARNS_FIRST:
                self._measure_strengths()
            else:
                self._slice()
            if any(self._crosses(part) for part in FITS):
                self._value_fantasyland()
            told(self.history[-1])

    def result(self) -> bytes:
        """Return the weights file of what has been learned so far."""
        self.learner.weigh(weights(self.rules, self.land_value))
        self.learner.take_stats()
        self.learner.play(FIGURE_DEALS, learning=False, rate=0, decay=0, noise=0)
        last = self._figures()
        head = Weights(
            preset=self.preset,
            spec=self.spec,
            players=self.players,
            deals=self.done,
            seed=self.seed,
            land_value=self.land_value,
            strengths=self.strengths,
            figures=last,
            family=family(self.rules),
        )
        return pack(head, self.learner.table(), weights(self.rules, self.land_value))

    def _slice(self) -> None:
        end = min(self.deals, self.done + SLICE)
        if self.done < LEARNS_FIRST:
            end = min(end, LEARNS_FIRST)
        if self.done < self._way.eager_until * self.deals + SLICE:
            self._weigh()
        self._way.play(self.learner, end - self.done, self.done / self.deals)
        self._note(end)

    def _measure_strengths(self) -> None:
        """Find the quintiles of finished rows, by which the strength bins are cut."""
        values: list[int] = []
        for _ in range(STRENGTH_DEALS):
            self._way.play(self.learner, 1, 0)
            values += self.learner.last_values()
        rows = [sorted(values[row::3]) for row in range(3)]
        self.strengths = tuple(row[len(row) * (cut + 1) // (BINS + 1)] for row in rows for cut in range(BINS))
        self.learner.set_strengths(list(self.strengths))
        self._note(self.done + STRENGTH_DEALS)

    def _value_fantasyland(self) -> None:
        if any(self.land_value):
            self.land_value = fit(
                self.rules, self.learner, self.land_value, deals=FIT_DEALS, seed=self.seed + self.done
            )
            self._weigh()
            self.learner.take_stats()  # the deals of the fit are not the next slice's

    def _weigh(self) -> None:
        self.learner.weigh(self._way.tempted(weights(self.rules, self.land_value), self.done / self.deals))

    def _crosses(self, part: float) -> bool:
        before = self.history[-2].done if len(self.history) > 1 else 0
        return before < part * self.deals <= self.done

    def _note(self, done: int) -> None:
        self.done = done
        last = self._figures()
        self.history.append(Progress(done, self.deals, last.foul, last.fantasyland, last.royalties, self.land_value))

    def _figures(self) -> Figures:
        _, boards, fouls, lands, _, royalties = self.learner.take_stats()
        return Figures(fouls / boards, lands / boards, royalties / boards)
