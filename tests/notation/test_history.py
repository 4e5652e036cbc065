"""Deal histories: written and read again by everyone who knows some of the cards. Issue 3, part 7."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.deal.play import steps
from tests.properties.deals import Deal, deals
from tests.properties.test_deals import known_cards
from triptych.cards import card_text
from triptych.deal.events import DealEvent
from triptych.notation.history import Viewer, record
from triptych.notation.history_read import parse_history
from triptych.notation.history_text import history_text

CARD = re.compile(r"[2-9TJQKA][cdhs]|X[12]")
viewers: st.SearchStrategy[Viewer] = st.sampled_from(["all", None, 0, 1])


def timed(deal: Deal) -> list[tuple[int, DealEvent]]:
    return [(index * 1370, event) for index, (_, events, _) in enumerate(steps(*deal)) for event in events]


@settings(max_examples=80, deadline=None)
@given(deals(), viewers)
def test_round_trip(deal: Deal, seen_by: Viewer) -> None:
    history = record(timed(deal), seen_by)
    assert history.result is not None
    assert parse_history(history_text(history)) == history


@settings(max_examples=80, deadline=None)
@given(deals(), st.sampled_from([None, 0, 1]))
def test_a_history_holds_only_cards_that_its_viewer_knew(deal: Deal, seen_by: int | None) -> None:
    """Hidden cards only for those who knew them."""
    *_, (_, _, last) = steps(*deal)
    actions = history_text(record(timed(deal), seen_by)).split("actions = [")[1].split("[result]")[0]
    assert set(CARD.findall(actions)) <= {card_text(card) for card in known_cards(last, seen_by)}
