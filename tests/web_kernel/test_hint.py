"""A hint is asked of the kernel with what its reader may know, and with nothing else. Issue 14, Shown by 4."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings

from tests.deal.play import steps
from tests.examples import examples
from tests.node import answers
from tests.properties.deals import Deal, deals
from tests.properties.test_deals import known_cards
from triptych.cards import card_text
from triptych.deal.project import view
from triptych.deal.state import acting_hands, finished, phase
from triptych.i18n.messages import plain_text
from triptych.notation.position import Position, position_from_view, position_text
from triptych.rulesets.model import is_closed
from triptych.server.jobs.analysis import setup_for_rules
from triptych.solve.analysis.decision import Decision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Question = dict[str, Any]


@pytest.fixture(scope="module")
def client() -> Iterator[Callable[[Question], Question]]:
    with answers(Path(__file__).with_name("hint.mjs")) as ask:
        yield ask


def test_the_kernel_gets_what_the_seat_knows_and_nothing_else(client: Callable[[Question], Question]) -> None:
    """Of random deals of all open games, every decision of every seat: what the deal itself says each may know."""
    kinds: set[str] = set()

    @settings(max_examples=examples(40))
    @given(deals())
    def check(deal: Deal) -> None:
        rules = deal[0]
        if is_closed(rules):
            return
        form = msgspec.to_builtins(setup_for_rules(rules), enc_hook=plain_text)
        for _, _, state in steps(*deal):
            if finished(state) or phase(state) != "placing":
                continue
            for hand in acting_hands(state):
                seat = state.hands[hand].seat
                deal_view = view(state, seat)
                answer = client(
                    {"form": form, "deal": msgspec.to_builtins(deal_view, enc_hook=plain_text), "hand": hand}
                )
                assert answer["text"] == position_text(Position(position_from_view(deal_view).hands, (hand,)))
                visible_cards = {card_text(card) for card in known_cards(state, seat)}
                if answer["position"] is not None:
                    kinds.add("fantasyland" if state.hands[hand].fantasyland else "street")
                    check_street(answer["position"], form["deck"], visible_cards)
                    orders = [bytes(chain(*hand["laid"])) for hand in answer["position"]["hands"]]
                    decision = Decision.from_position(rules, position_from_view(deal_view), hand, 1)
                    assert tuple(orders) == decision.street_orders
                    kinds.add("order" if any(orders) else "no order")
                elif answer["fantasyland"] is not None:
                    numbers = [*answer["fantasyland"]["cards"], *chain(*answer["fantasyland"]["against"])]
                    assert {form["deck"][number] for number in numbers} <= visible_cards

    check()
    assert kinds == {"street", "fantasyland", "order", "no order"}


def check_street(position: Question, deck: list[str], visible_cards: set[str]) -> None:
    numbers = [*position["cards"], *(card for hand in position["hands"] for row in hand["rows"] for card in row)]
    assert {deck[number] for number in numbers} <= visible_cards
    unseen = int(position["unseen"])
    # What is known is an upper bound: cards dealt and not laid yet may still be hidden. None counts as seen.
    assert set(deck) - visible_cards <= {card for at, card in enumerate(deck) if unseen >> at & 1}
