"""Train the strategy of a closed game by fictitious play with whole decks, and measure its exploitability.

Every round deals fresh decks, plays each hand as the best response to the hand pool so far, and replaces a part of
the pool, which shrinks from round to round, by the result. The same seed makes the same pool.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from triptych import _kernel
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.model import Ruleset, hands_per_seat

DECK_HANDS = 4
ROUNDS = 36
DECKS = 1250
_HAND_BYTES = 18
_BOARD, _SURRENDER = 0, 1
_MIN_NEW_SHARE = 0.12  # of the hand pool, replaced in every round


class PlayedHands(Struct, frozen=True):
    """Hands of a strategy: kinds (0 board, 1 would surrender, 2 natural), cards front first, points."""

    kinds: NDArray[np.uint8]
    cards: NDArray[np.uint8]
    points: NDArray[np.float64]


def pack_hands(kinds: NDArray[np.uint8], cards: NDArray[np.uint8]) -> bytes:
    """Return hands in the kernel's packed form."""
    hands = np.zeros((len(kinds), _HAND_BYTES), dtype=np.uint8)
    hands[:, 0] = kinds
    hands[:, 1] = 7
    hands[:, 5:] = cards
    return hands.tobytes()


def deal_decks(random: np.random.Generator, decks: int) -> NDArray[np.uint8]:
    """Return the hands of whole decks, shape (4 * decks, 13): every card occurs equally often."""
    cards = random.permuted(np.tile(np.arange(52, dtype=np.uint8), (decks, 1)), axis=1)
    return np.ascontiguousarray(cards.reshape(decks * DECK_HANDS, 13))


def best_response(pool: _kernel.HandPool, hands: NDArray[np.uint8], opponents: int) -> PlayedHands:
    """Return the best response to a hand pool with these hands."""
    return PlayedHands(*pool.play(hands, opponents))


def train(
    rules: Ruleset, opponents: int, seed: int, *, decks: int = DECKS, rounds: int = ROUNDS
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8], float]]:
    """Yield after each round the kinds and cards of the hand pool, and the mean points of its new hands.

    The points are those against the pool before, and go to zero as the pool converges. You may stop at any time; the
    last pool is the best.
    """
    table = compile_rules(rules)
    random = np.random.default_rng(seed)
    hands = deal_decks(random, decks)
    # Against an opponent who surrenders all settings have much the same value: the first pool has the best rows at
    # the back.
    no_opponent = _kernel.HandPool(table, pack_hands(np.array([_SURRENDER], dtype=np.uint8), hands[:1]))
    first_response = best_response(no_opponent, hands, opponents)
    kinds, cards = (
        np.where(first_response.kinds == _SURRENDER, _BOARD, first_response.kinds).astype(np.uint8),
        first_response.cards,
    )
    for number in range(1, rounds + 1):
        pool = _kernel.HandPool(table, pack_hands(kinds, cards))
        new_decks = max(1, round(decks * max(_MIN_NEW_SHARE, 2 / (number + 2))))
        played = best_response(pool, deal_decks(random, new_decks), opponents)
        replaced_decks = random.permutation(decks)[:new_decks]
        indices = (replaced_decks[:, None] * DECK_HANDS + np.arange(DECK_HANDS)).ravel()
        kinds[indices], cards[indices] = played.kinds, played.cards
        yield kinds, cards, float(played.points.mean())


DEALS: Final = 100_000
_FRESH_HANDS_FACTOR: Final = 4  # times the hands of the strategy
_CHUNK_DECKS: Final = 500  # decks


class Exploitability(Struct, frozen=True):
    """Points a deal that a best response gains over the strategy: mean and half of the 95 % interval."""

    mean: float
    half_width: float
    deals: int


def measure(
    rules: Ruleset, pool: _kernel.HandPool, hands: int, players: int, *, deals: int, seed: int
) -> Iterator[Exploitability]:
    """Yield ever better estimates of the gain against a pool of `hands` hands, up to `deals` duplicate deals.

    Every duplicate deal is played twice with the same cards, once with the strategy in all seats and once with the
    best response in one of them; the difference is the gain. The response knows the strategy: it is computed against
    fresh hands of the strategy, four times as many as in its pool. Announcements are made in turn.
    """
    per_deal = players * hands_per_seat(rules)
    random = np.random.default_rng(seed)
    fresh_hands = best_response(
        pool, deal_decks(random, _FRESH_HANDS_FACTOR * hands // DECK_HANDS), per_deal - per_deal // players
    )
    response = _kernel.HandPool(compile_rules(rules), pack_hands(fresh_hands.kinds, fresh_hands.cards))
    groups = DECK_HANDS // per_deal
    means: list[float] = []  # by deck, since deals of one deck are not independent
    while len(means) * groups < deals:
        cards = deal_decks(random, _CHUNK_DECKS).reshape(_CHUNK_DECKS, DECK_HANDS, 13)[:, : groups * per_deal]
        gains = pool.gains(response, np.ascontiguousarray(cards.reshape(-1, 13)), players, per_deal)
        means += gains.reshape(_CHUNK_DECKS, groups).mean(axis=1).tolist()
        yield _exploitability(means, groups)


def _exploitability(means: list[float], groups: int) -> Exploitability:
    return Exploitability(
        float(np.mean(means)), float(1.96 * np.std(means, ddof=1) / len(means) ** 0.5), len(means) * groups
    )
