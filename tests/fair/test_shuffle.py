"""Every order of a deck is equally likely (issue 12, Shown by 7; Durstenfeld, CACM 7 (1964), algorithm 235)."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial, sqrt

import numpy as np
import pytest

from tests.case_notes import case
from triptych.fair.decks import DECKS, commitment, cut_deck, deck_roots, derive_seeds, draw_deck
from triptych.fair.hashes import SHUFFLE, digest, permutation, stream, uniform_below


def test_of_all_bytes_each_number_takes_as_many() -> None:
    """A byte that would make some numbers likelier is passed over, and the next one is taken."""
    for bound in range(1, 55):
        with case(bound):
            taken = [0] * bound
            for byte in range(256):
                rest = iter([byte, 255, 0])
                number = uniform_below(bound, rest)
                if len(list(rest)) == 2:  # this byte was not rejected
                    taken[number] += 1
            assert set(taken) == {256 // bound}


@pytest.mark.parametrize("size", range(2, 9))
def test_each_choice_of_numbers_gives_another_order(size: int) -> None:
    """All choices that Fisher-Yates can make, each equally likely, lead to all orders, each once."""
    choices = product(*(range(last + 1) for last in range(size - 1, 0, -1)))
    orders = {permutation(size, iter(choice)) for choice in choices}
    assert len(orders) == factorial(size)
    assert orders == set(permutations(range(size)))


def test_a_key_gives_the_same_numbers_again_and_other_ones_for_another_purpose() -> None:
    first, again, other = (stream(bytes(32), purpose) for purpose in (SHUFFLE, SHUFFLE, b"\x03"))
    numbers = [next(first) for _ in range(100)]
    assert numbers == [next(again) for _ in range(100)]
    assert numbers != [next(other) for _ in range(100)]


def chi_square(counts: np.ndarray, degrees: int) -> float:
    """Return how many standard deviations Pearson's statistic is from what chance makes it (Wilson-Hilferty)."""
    expected = counts.sum() / counts.size
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return float(((statistic / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / sqrt(2 / (9 * degrees)))


def decks_counted(many: int) -> tuple[np.ndarray, np.ndarray]:
    """Return how often each card lay at each place of dealt decks, and how often one came after another."""
    places = np.zeros((52, 52), dtype=np.int64)
    after = np.zeros((52, 52), dtype=np.int64)
    spots = np.arange(52)
    for number in range(many):
        seed = digest(b"test", number.to_bytes(4, "big"))
        cards = np.array(cut_deck(seed, draw_deck(digest(b"fixed", seed), 52, [(0, seed)]).cut))
        places[spots, cards] += 1
        after[cards[:-1], cards[1:]] += 1
    return places, after


def verify_even(many: int) -> None:
    places, after = decks_counted(many)
    assert abs(chi_square(places, 51 * 51)) < 5
    pairs = after[~np.eye(52, dtype=bool)]
    assert abs(chi_square(pairs, 52 * 51 - 1)) < 5


def test_cards_lie_everywhere_alike() -> None:
    verify_even(3_000)


@pytest.mark.slow
def test_cards_lie_everywhere_alike_in_a_million_decks() -> None:
    verify_even(1_000_000)


def test_the_statistic_finds_a_shuffle_that_is_not_even() -> None:
    """Exchanging each card with any other, instead of one not placed yet, is the well-known mistake."""
    places = np.zeros((52, 52), dtype=np.int64)
    for number in range(3_000):
        source = stream(digest(b"test", number.to_bytes(4, "big")), SHUFFLE)
        cards = list(range(52))
        for at in range(52):
            other = uniform_below(52, source)
            cards[at], cards[other] = cards[other], cards[at]
        places[np.arange(52), cards] += 1
    assert chi_square(places, 51 * 51) > 5


def test_each_deck_is_chosen_as_often() -> None:
    secret = bytes(32)
    fixed = commitment("t 1", 52, deck_roots(secret, 52))
    chosen = [draw_deck(fixed, 52, [(0, number.to_bytes(32, "big"))]).chosen for number in range(4_000)]
    counts = np.bincount(chosen, minlength=DECKS)
    assert abs(chi_square(counts, DECKS - 1)) < 5
    assert len(set(derive_seeds(secret))) == DECKS
