"""Cards come from the system's secure source by an unbiased shuffle (issue 2, part 5)."""

from __future__ import annotations

import secrets
from collections import Counter

import pytest

from tests.memory_store.store import MemoryStore
from triptych.cards import Card, deck
from triptych.server import clock as outside
from triptych.server.clock import DuplicateDecks, shuffled_deck


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_every_card_is_there_once(jokers: int) -> None:
    assert sorted(shuffled_deck(jokers)) == list(deck(jokers))


def test_every_order_comes_from_exactly_one_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fisher-Yates over all choices of a small deck gives each of the 24 orders once: no order is likelier."""
    monkeypatch.setattr(outside, "deck", lambda _: tuple(Card(n) for n in range(4)))
    orders: Counter[tuple[Card, ...]] = Counter()
    for first in range(4):
        for second in range(3):
            for third in range(2):
                choices = iter((first, second, third))
                monkeypatch.setattr(secrets, "randbelow", lambda _, left=choices: next(left))
                orders[shuffled_deck(0)] += 1
    assert len(orders) == 24
    assert set(orders.values()) == {1}


def test_first_cards_are_even() -> None:
    """A coarse look at the real source: chi-square of the top card over 1040 decks, 51 degrees of freedom."""
    counts = Counter(shuffled_deck(0)[0] for _ in range(1040))
    chi_square = sum((counts[card] - 20) ** 2 / 20 for card in deck())
    assert chi_square < 120  # p about 1e-7


@pytest.mark.anyio
async def test_a_leagues_decks_are_the_same_again_and_each_deal_has_its_own() -> None:
    """Issue 11, part 5: the same decks at all tables, also after a crash; another server deals other ones."""
    store = MemoryStore()
    dealt = []
    for event_store in (store, store, MemoryStore()):
        duplicate_decks = DuplicateDecks()
        await duplicate_decks.open(event_store)
        dealt.append([duplicate_decks.deck("cup", match, deal, 2) for match in range(1, 6) for deal in (1, 2)])
    assert dealt[0] == dealt[1]
    assert not set(dealt[0]) & set(dealt[2])
    assert len(set(dealt[0])) == 10
    assert all(sorted(cards) == list(deck(2)) for cards in dealt[0])
    first = DuplicateDecks()
    await first.open(store)
    first_cards = Counter(first.deck("cup", 1, deal, 0)[0] for deal in range(1040))
    assert sum((first_cards[card] - 20) ** 2 / 20 for card in deck()) < 120  # p about 1e-7, as above
