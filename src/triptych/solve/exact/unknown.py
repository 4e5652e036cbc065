"""The best setting of a fantasyland against unknown boards: the mean over weighted samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from triptych import _kernel
from triptych.cards import Card
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.model import Ruleset, fantasyland_sizes
from triptych.solve.errors import SolveError
from triptych.solve.exact.setting import (
    EMPTY,
    MAX_AGAINST,
    MAX_VALUE,
    Objective,
    Rows,
    Setting,
    canonical_order,
    descending,
    fantasyland_values,
    kernel_objective,
    verify_rows,
    worst_foul_setting,
)

MAX_SAMPLES: Final = 100_000


class OpponentSample(Struct, frozen=True):
    """Boards that the opponents may hold together, front, middle, back; `weight`: relative frequency."""

    boards: tuple[Rows, ...]
    weight: float = 1.0


def verify_samples(rules: Ruleset, cards: Sequence[Card], samples: Sequence[OpponentSample]) -> None:
    """Raise SolveError unless all samples have the same number of possible boards, and some weight is not 0."""
    if not 1 <= len(samples) <= MAX_SAMPLES:
        raise SolveError("against.count", f"1 to {MAX_SAMPLES} samples, not {len(samples)}", "$.distribution")
    for number, sample in enumerate(samples):
        path = f"$.distribution[{number}]"
        count = len(sample.boards)
        if not 1 <= count <= MAX_AGAINST or count != len(samples[0].boards):
            message = f"1 to {MAX_AGAINST} boards, as many in every sample, not {count}"
            raise SolveError("against.count", message, f"{path}.boards")
        if not math.isfinite(sample.weight) or not 0 <= sample.weight <= MAX_VALUE:
            raise SolveError("value.range", f"expected a number from 0 to {MAX_VALUE}", f"{path}.weight")
        used_cards = set(cards)
        for index, rows in enumerate(sample.boards):
            verify_rows(rules, rows, f"{path}.boards[{index}]", used_cards)
    if not any(sample.weight for sample in samples):
        raise SolveError("value.range", "some sample needs a weight above 0", "$.distribution")


def best_against_samples(
    rules: Ruleset, objective: Objective, samples: Sequence[OpponentSample], pool: Sequence[Card]
) -> Setting:
    """Return the best setting of a pool of cards against samples; exact, `value` the mean over them.

    Of equal values: the highest back, then the highest middle, then the highest front. The samples must be verified.
    Raises SolveError (`unknown.rules`, `value.range`) where a board with higher rows could be worth less.
    """
    if not _kernel.solves_unknown(compile_rules(rules)):
        message = (
            "royalties that fall with the rank, offending rows that lose alone, royalties of one row, the deuce of "
            "spades, naturals that rows show or other jokers are not solved against samples"
        )
        raise SolveError("unknown.rules", message, "$.rules")
    values = [
        fantasyland_values(objective)[cards] for cards in sorted({*fantasyland_sizes(rules), objective.fantasyland})
    ]
    if any(later < earlier for earlier, later in pairwise((0.0, *values))):
        message = "expected 0 or more against samples, and no less for more cards"
        raise SolveError("value.range", message, "$.repeat_value")
    compiled = kernel_objective(rules, objective)
    cards = canonical_order(pool)
    boards = b"".join(bytes(row) for sample in samples for rows in sample.boards for row in rows)
    weights = [sample.weight for sample in samples]
    best = _kernel.complete_unknown(compiled, bytes(cards), boards, len(samples[0].boards), weights)
    if not best.legal:
        costs = (
            _kernel.foul_value(kernel_objective(rules, replace(objective, against=sample.boards)))
            for sample in samples
        )
        cost = sum(cost * weight for cost, weight in zip(costs, weights, strict=True))
        return worst_foul_setting(EMPTY, pool, cost / sum(weights))
    front, middle, back = (
        descending(card for index, card in enumerate(cards) if mask >> index & 1) for mask in best.masks
    )
    discards = descending(card for card in cards if card not in {*front, *middle, *back})
    board = _kernel.complete(compiled, (bytes(front), bytes(middle), bytes(back)), b"")
    return Setting(front, middle, back, discards, board.royalties, board.fantasyland > 0, best.value)
