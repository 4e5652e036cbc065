"""The kernel's roots of decks are those of the reference in Python, bit for bit. Issue 35, part 3."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from triptych import _kernel
from triptych.fair.decks import deck_root, deck_roots, derive_seeds


@given(st.lists(st.binary(min_size=32, max_size=32), max_size=9), st.integers(1, 256))
@example([bytes(32)], 1)
@example([bytes(32), b"\xff" * 32], 54)
@example([bytes(32)], 256)
def test_it_is_the_reference(seeds: list[bytes], size: int) -> None:
    assert _kernel.deck_roots(b"".join(seeds), size) == b"".join(deck_root(seed, size) for seed in seeds)


@pytest.mark.parametrize("size", [52, 53, 54])
def test_a_deals_roots_are_those_of_its_decks(size: int) -> None:
    secret = bytes(range(32))
    assert deck_roots(secret, size) == tuple(deck_root(seed, size) for seed in derive_seeds(secret))


@pytest.mark.parametrize(("seeds", "size"), [(31, 52), (33, 52), (32, 0), (32, 257), (32, -1)])
def test_a_bad_deck_is_refused(seeds: int, size: int) -> None:
    with pytest.raises((ValueError, TypeError)):
        _kernel.deck_roots(bytes(seeds), size)
