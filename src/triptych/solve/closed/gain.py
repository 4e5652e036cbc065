"""Measure the exploitability of a field: the gain of a best response against it.

Every duplicate deal is played twice with the same cards, once with the strategy in all seats and once with the best
response in one of them; the difference is the gain. The response knows the strategy: it is computed against a pool of
fresh hands of the strategy, four times as many as in its field. Announcements are made in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct

from triptych import _kernel
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.model import Ruleset
from triptych.solve.closed.training import DECK_HANDS, best_response, deal_decks, pack_hands

DEALS: Final = 100_000
_POOL_FACTOR: Final = 4  # times the hands of the field
_CHUNK_DECKS: Final = 500  # decks


class Exploitability(Struct, frozen=True):
    """Points a deal that a best response gains over the strategy: mean and half of the 95 % interval."""

    mean: float
    half_width: float
    deals: int


def measure(
    rules: Ruleset, field: _kernel.ClosedField, hands: int, players: int, *, deals: int, seed: int
) -> Iterator[Exploitability]:
    """Yield ever better estimates of the gain against a field of `hands` hands, up to `deals` duplicate deals."""
    per_deal = players * (2 if rules.deal.game == "criss_cross" else 1)
    random = np.random.default_rng(seed)
    pool = best_response(
        field, deal_decks(random, _POOL_FACTOR * hands // DECK_HANDS), per_deal - per_deal // players
    )
    response = _kernel.ClosedField(compile_rules(rules), pack_hands(pool.kinds, pool.cards))
    groups = DECK_HANDS // per_deal
    means: list[float] = []  # by deck, since deals of one deck are not independent
    while len(means) * groups < deals:
        cards = deal_decks(random, _CHUNK_DECKS).reshape(_CHUNK_DECKS, DECK_HANDS, 13)[:, : groups * per_deal]
        gains = field.gains(response, np.ascontiguousarray(cards.reshape(-1, 13)), players, per_deal)
        means += gains.reshape(_CHUNK_DECKS, groups).mean(axis=1).tolist()
        yield _exploitability(means, groups)


def _exploitability(means: list[float], groups: int) -> Exploitability:
    return Exploitability(
        float(np.mean(means)), float(1.96 * np.std(means, ddof=1) / len(means) ** 0.5), len(means) * groups
    )
