"""What a best response gains against a field: the first thing to ask of a strategy.

Duplicate deals: every deal is played twice with the same cards, once with the strategy in all seats and once with its
best response in one of them; the difference is the gain. The response knows the strategy: it answers a pool of fresh
hands as the strategy plays them, four times as many as the strategy's own field. Announcements go round in turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from triptych import _kernel
from triptych.rulesets.compile import compile_rules
from triptych.solve.closed.training import DECK_HANDS, deal, packed, play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triptych.rulesets.model import Ruleset

DEALS: Final = 100_000
_POOL: Final = 4  # times the hands of the field
_CHUNK: Final = 500  # decks


class Gain(Struct, frozen=True):
    """Points a deal that a best response wins above the strategy: mean and half of the 95 % interval."""

    mean: float
    half: float
    deals: int


def measured(
    rules: Ruleset, field: _kernel.ClosedField, hands: int, players: int, *, deals: int, seed: int
) -> Iterator[Gain]:
    """Yield what a best response gains against a field of so many hands, until on so many duplicate deals or more."""
    per_deal = players * (2 if rules.deal.game == "criss_cross" else 1)
    random = np.random.default_rng(seed)
    pool = play(field, deal(random, _POOL * hands // DECK_HANDS), per_deal - per_deal // players)
    rival = _kernel.ClosedField(compile_rules(rules), packed(pool.kinds, pool.cards))
    groups = DECK_HANDS // per_deal
    found: list[float] = []  # by deck: deals of one deck are not independent
    while len(found) * groups < deals:
        cards = deal(random, _CHUNK).reshape(_CHUNK, DECK_HANDS, 13)[:, : groups * per_deal]
        gains = field.gains(rival, np.ascontiguousarray(cards.reshape(-1, 13)), players, per_deal)
        found += gains.reshape(_CHUNK, groups).mean(axis=1).tolist()
        yield _gain(found, groups)


def _gain(found: list[float], groups: int) -> Gain:
    return Gain(float(np.mean(found)), float(1.96 * np.std(found, ddof=1) / len(found) ** 0.5), len(found) * groups)
