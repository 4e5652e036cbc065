"""Rank values of every row against the slow scorer. Rules §3 (category counts)."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from tests.oracle.rank import all_strengths, exceeds, is_ten_low, low_weakness, strength
from triptych import _kernel

CATEGORIES = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36]
ROYALS = 4
ROYAL = 8 << 20 | 13 << 16
WHEELS = [4 << 20 | 4 << 16, 8 << 20 | 4 << 16]


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    """All 2,598,960 five-card rows."""
    return np.fromiter(combinations(range(52), 5), dtype=np.dtype((np.uint8, 5)), count=2_598_960)


@pytest.fixture(scope="module")
def fronts() -> np.ndarray:
    return np.fromiter(combinations(range(52), 3), dtype=np.dtype((np.uint8, 3)), count=22_100)


def test_every_five_card_row_has_the_order_of_the_oracle(rows: np.ndarray) -> None:
    """Hands rank as in other poker (source 000 L141.2), cards from ace to two (source 004 L26)."""
    values = _kernel.rank5_batch(rows)
    strengths = all_strengths(rows)
    assert 0 <= strengths.min() <= strengths.max() < 1 << 32
    pairs = np.unique(values.astype(np.int64) << 32 | strengths)  # in one number: much sooner than in two rows
    both = np.stack([pairs >> 32, pairs & 0xFFFFFFFF])
    assert both.shape[1] == 7462  # classes of five-card poker
    assert (np.diff(both) > 0).all()


def test_category_counts(rows: np.ndarray) -> None:
    values = _kernel.rank5_batch(rows)
    counts = np.bincount(values >> 20, minlength=10)
    assert (values == ROYAL).sum() == ROYALS
    counts[8] -= ROYALS
    assert counts.tolist() == [*CATEGORIES, 0]


def test_every_front_has_the_order_of_the_oracle(fronts: np.ndarray) -> None:
    """High card, pair and trips only: sources 002 L11.2, 003 L12.4, 004 L62.4."""
    values = _kernel.rank3_batch(fronts).tolist()
    pairs = {(value, strength(tuple(row))) for value, row in zip(values, fronts.tolist(), strict=True)}
    assert [key for _, key in sorted(pairs)] == sorted({key for _, key in pairs})
    assert len(pairs) == 455  # 286 high cards, 156 pairs, 13 trips
    assert np.bincount(_kernel.rank3_batch(fronts) >> 20).tolist() == [18304, 3744, 0, 52]


def test_single_calls_agree_with_batches_in_any_order(rows: np.ndarray, fronts: np.ndarray) -> None:
    chance = random.Random(3)
    for row in rows[:: len(rows) // 500].tolist():
        value = _kernel.rank5_batch(np.array([row], dtype=np.uint8))[0]
        assert _kernel.rank5(*chance.sample(row, 5)) == value
    for row in fronts[::50].tolist():
        assert _kernel.rank3(*chance.sample(row, 3)) == _kernel.rank3(*row)


def test_a_wheel_that_ranks_second_stands_between_king_and_ace_high(rows: np.ndarray) -> None:
    """Sources 003 L104, 004 L149: A2345 above 9TJQK, below TJQKA, in straights and in straight flushes."""
    values = np.unique(_kernel.rank5_batch(rows)).tolist()
    for wheel, category in zip(WHEELS, (4, 8), strict=True):
        king, ace = category << 20 | 12 << 16, category << 20 | 13 << 16
        assert king < _kernel.wheel_second(wheel) < ace
        assert min(value for value in values if value >> 20 == category) == wheel
    assert all(_kernel.wheel_second(value) == value for value in values if value not in WHEELS)


def test_every_row_as_a_deuce_to_seven_low(rows: np.ndarray) -> None:
    """Rules §3: aces high only, so A-2-3-4-5 is ace high; ten-low without pair, straight or flush is a low."""
    values, first = np.unique(_kernel.rank5_batch(rows), return_index=True)
    classes = dict(zip(values.tolist(), map(tuple, rows[first].tolist()), strict=True))
    orders = {_kernel.low_order(value): row for value, row in classes.items()}
    weakest_last = sorted(classes.values(), key=low_weakness)
    assert [orders[order] for order in sorted(orders, reverse=True)] == weakest_last
    for order, row in orders.items():
        assert _kernel.is_low(order) == is_ten_low(row)
    lows = np.array([_kernel.is_low(_kernel.low_order(int(value))) for value in classes])
    assert lows.sum() == 126 - 5  # five of the nine ranks 2..T, less the straights 6 to T high


def test_fronts_compare_with_five_card_rows_slot_by_slot(rows: np.ndarray, fronts: np.ndarray) -> None:
    """Rules §3: QQ7 over QQ654 fouls, QQ7 under QQ982 does not, AK9 over AK875 fouls; equal slots: legal."""
    chance = np.random.default_rng(7)
    some = rows[chance.integers(len(rows), size=4000)]
    upper = fronts[chance.integers(len(fronts), size=4000)]
    above = _kernel.rank3_batch(np.ascontiguousarray(upper)) > _kernel.rank5_batch(np.ascontiguousarray(some))
    for front, row, outranks in zip(upper.tolist(), some.tolist(), above.tolist(), strict=True):
        assert outranks == exceeds(strength(tuple(front)), strength(tuple(row)))


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="0 to 51"):
        _kernel.rank5(0, 1, 2, 3, 52)
    with pytest.raises(ValueError, match="0 to 51"):
        _kernel.rank5_batch(np.array([[0, 1, 2, 3, 60]], dtype=np.uint8))
    with pytest.raises(TypeError):
        _kernel.rank5_batch(np.zeros((4, 4), dtype=np.uint8))
    with pytest.raises(TypeError):
        _kernel.rank5_batch(np.zeros((4, 5), dtype=np.int64))
    assert _kernel.rank5_batch(np.zeros((0, 5), dtype=np.uint8)).shape == (0,)
