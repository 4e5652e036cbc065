"""Every wrong action gets its code and path, and the state stays as it was. Issue 2, part 10."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, get_args

import pytest

from tests.deal.moves import arrange, begun, place, played, stacked
from tests.deal.play import seats_for, shuffled
from triptych.cards import Card, card_text, deck
from triptych.deal.actions import Announce, ClaimNatural, ClockAction, Declare, Forfeit, Place
from triptych.deal.closed_actions import verify_announce, verify_claim, verify_declare
from triptych.deal.engine import decide, start
from triptych.deal.errors import CODES, DealError, DealErrorCode
from triptych.deal.events import Announced
from triptych.deal.evolve import evolve
from triptych.deal.place import place as confirmed
from triptych.deal.place import verify_place
from triptych.deal.state import DealState, HandStart
from triptych.deal.visibility import Public
from triptych.rulesets.load import resolve

A = TypeVar("A")
PINEAPPLE = resolve("pineapple")
CLOSED = resolve("closed_1_6")
MUST = resolve({"preset": "closed_1_6", "royalties.declare": "must", "surrender.points": 0})
TOP = "AhKdQc7s2c3c4c5c6c8d9sTsJs2h3h4h"


def second_street() -> DealState:
    """Hand 0 holds 9s Ts Js; in front lie Ah Kd Qc, in the middle 7s, in the back 2c."""
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked(TOP))
    return played(state, place(0, "AhKdQc/7s/2c"), place(1, "/3c4c5c/6c8d"))


def third_street() -> DealState:
    """Hand 0 has discarded Js."""
    state = played(second_street(), place(0, "/9s/Ts"))
    assert state.hands[1].drawn
    return played(state, place(1, "/2h/3h"))


def closed(first: str = "") -> DealState:
    return begun(CLOSED, seats_for(CLOSED, 2), stacked(first) if first else shuffled(CLOSED, 1))


def announcing() -> DealState:
    state = closed()
    for hand in (0, 1):
        cards = [str(card) for card in _texts(state, hand)]
        text = f"{''.join(cards[:3])}/{''.join(cards[3:8])}/{''.join(cards[8:])}"
        state = played(state, place(hand, text))
    return state


def declaring() -> DealState:
    state = begun(MUST, seats_for(MUST, 2), shuffled(MUST, 1))
    for hand in (0, 1):
        cards = _texts(state, hand)
        state = played(state, place(hand, f"{''.join(cards[:3])}/{''.join(cards[3:8])}/{''.join(cards[8:])}"))
    return state


def finished_deal() -> DealState:
    return played(announcing(), Announce(0, play=True), Announce(1, play=False))


def _texts(state: DealState, hand: int) -> list[str]:
    return [card_text(card) for card in state.hands[hand].drawn]


BAD: list[tuple[str, DealState, ClockAction, str, str]] = [
    ("no such card", second_street(), place(0, "/9s/Zz"), "card.unknown", "$.layout.back[0]"),
    ("half a card", second_street(), place(0, "/9s/T"), "card.unknown", "$.layout.back[0]"),
    ("hidden card", second_street(), place(0, "/9s/??"), "card.unknown", "$.layout.back[0]"),
    ("small letter", second_street(), place(0, "/9s/ts"), "card.unknown", "$.layout.back[0]"),
    ("card twice in a row", second_street(), place(0, "/9s9s/"), "card.duplicate", "$.layout.middle[1]"),
    ("card in two rows", second_street(), place(0, "/9s/9s"), "card.duplicate", "$.layout.back[0]"),
    ("card not held", second_street(), place(0, "/9s/5d"), "deal.card_not_held", "$.layout.back[0]"),
    ("card of the other", second_street(), place(0, "/9s/3c"), "deal.card_not_held", "$.layout.back[0]"),
    ("joker that is not in play", second_street(), place(0, "/9s/X1"), "deal.card_not_held", "$.layout.back[0]"),
    # Sources 000 L7.4, L131.3, L201.2, L319.4, 002 L29.4, 003 L98.3, 004 L143.3.
    ("old card moved", second_street(), place(0, "/9sAh/"), "deal.card_placed", "$.layout.middle[1]"),
    ("discard taken back", third_street(), place(0, "/Js/2s"), "deal.card_placed", "$.layout.middle[0]"),
    ("full row", second_street(), place(0, "9s//Ts"), "deal.row_full", "$.layout.front"),
    # Source 002 L29.1-2: two of three.
    ("too few placed", second_street(), place(0, "/9s/"), "deal.wrong_count", "$.layout"),
    ("none placed", second_street(), place(0, "//"), "deal.wrong_count", "$.layout"),
    ("no discard", second_street(), place(0, "/9sTs/Js"), "deal.wrong_count", "$.layout"),
    ("too many arranged", second_street(), arrange(0, "/9sTs/Js"), "deal.wrong_count", "$.layout"),
    ("arranged a foreign card", second_street(), arrange(0, "//5d"), "deal.card_not_held", "$.layout.back[0]"),
    ("arranged into a full row", second_street(), arrange(0, "9s//"), "deal.row_full", "$.layout.front"),
    ("not one's turn", second_street(), place(1, "//"), "deal.not_your_turn", "$.hand"),
    ("arranged out of turn", second_street(), arrange(1, "//"), "deal.not_your_turn", "$.hand"),
    ("forfeit out of turn", second_street(), Forfeit(1), "deal.not_your_turn", "$.hand"),
    ("no such hand", second_street(), place(2, "//"), "deal.unknown_hand", "$.hand"),
    ("hand below zero", second_street(), place(-1, "//"), "deal.unknown_hand", "$.hand"),
    ("natural in an open game", second_street(), ClaimNatural(0), "deal.no_natural", "$.do"),
    ("surrender in an open game", second_street(), Announce(0, play=False), "deal.wrong_phase", "$.do"),
    ("declared too early", closed(), Declare(0, ()), "deal.wrong_phase", "$.do"),
    ("announced while setting", closed(), Announce(0, play=True), "deal.wrong_phase", "$.do"),
    ("no natural held", closed("AhAd2c2d4h4s7d8d9cTcJhQsKd"), ClaimNatural(0), "deal.no_natural", "$.do"),
    ("placed while announcing", announcing(), place(0, "//"), "deal.wrong_phase", "$.do"),
    ("announced out of turn", announcing(), Announce(1, play=True), "deal.not_your_turn", "$.hand"),
    ("a row declared twice", declaring(), Declare(0, ("back", "back")), "deal.row_twice", "$.rows[1]"),
    ("declared out of turn", declaring(), Declare(1, ()), "deal.not_your_turn", "$.hand"),
    ("the deal is over", finished_deal(), place(0, "//"), "deal.over", "$"),
]


@pytest.mark.parametrize(("state", "action", "code", "path"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_refused(state: DealState, action: ClockAction, code: str, path: str) -> None:
    with pytest.raises(DealError) as refused:
        decide(state, action)
    assert (refused.value.code, refused.value.path) == (code, path)
    assert " " in refused.value.message
    assert not any(card in refused.value.message for card in ("9s", "Ts", "Js", "5d", "3c"))


@pytest.mark.parametrize(
    ("hands", "cards", "code", "path"),
    [
        ((HandStart(0),), deck(), "deal.hands", "$.hands"),
        (tuple(HandStart(seat) for seat in range(5)), deck(), "deal.hands", "$.hands"),
        ((HandStart(0), HandStart(1, 12, 1)), deck(), "deal.hands", "$.hands[1].fantasyland"),
        ((HandStart(0, 18, 1), HandStart(1)), deck(), "deal.hands", "$.hands[0].fantasyland"),
        ((HandStart(0), HandStart(1)), deck()[:30], "deal.deck", "$.deck"),
        ((HandStart(0), HandStart(1)), (*deck(), Card(0)), "deal.deck", "$.deck"),
        ((HandStart(0), HandStart(1)), deck(1), "deal.deck", "$.deck"),
    ],
)
def test_no_deal(hands: tuple[HandStart, ...], cards: tuple[Card, ...], code: str, path: str) -> None:
    with pytest.raises(DealError) as refused:
        start(PINEAPPLE, 1, hands, cards)
    assert (refused.value.code, refused.value.path) == (code, path)
    assert " " in refused.value.message


@pytest.mark.parametrize(
    ("state", "action", "message"),
    [
        (second_street(), place(0, "/9s/"), "Place 2 of the 3 cards and leave 1; 1 lie in a row."),
        (closed(), place(0, "//"), "Place 13 of the 13 cards; 0 lie in a row."),
        (second_street(), place(0, "9s//Ts"), r"the front is full; 1 were put there \(it holds 3\)"),
        (closed(), place(0, "".join(_texts(closed(), 0)[:4]) + "//"), "the front has room for 3 more; 4 were put"),
    ],
)
def test_an_error_of_an_illegal_action_gives_the_numbers(state: DealState, action: Place, message: str) -> None:
    with pytest.raises(DealError, match=message):
        decide(state, action)


def test_nobody_places_cards_out_of_turn() -> None:
    """Whoever asks, the clock too."""
    with pytest.raises(DealError):
        confirmed(second_street(), place(1, "//"))


def test_a_deal_begins_with_its_start() -> None:
    with pytest.raises(ValueError, match="begins with DealStarted, not Announced"):
        evolve(None, Public(Announced(0, play=True)))


def allowed(verify: Callable[[DealState, A], object], state: DealState, action: A) -> bool:
    try:
        verify(state, action)
    except DealError:
        return False
    return True


def test_verification_agrees_with_the_rules_before_an_action() -> None:
    state = second_street()
    assert allowed(verify_place, state, place(0, "/9s/Ts"))
    assert not allowed(verify_place, state, place(0, "9s//Ts"))
    assert allowed(verify_place, state, arrange(0, "/9s/"))
    assert not allowed(verify_place, state, arrange(1, "//"))
    assert not allowed(verify_claim, state, ClaimNatural(0))
    assert allowed(verify_announce, announcing(), Announce(0, play=False))
    assert not allowed(verify_announce, announcing(), Announce(1, play=False))
    assert allowed(verify_declare, declaring(), Declare(0, ("front",)))
    assert not allowed(verify_declare, declaring(), Declare(0, ("front", "front")))


def test_every_code_is_explained() -> None:
    assert set(CODES) == set(get_args(DealErrorCode))
    assert {code for _, _, _, code, _ in BAD} <= set(CODES)
