"""Whole deals: who is dealt what, when and how. Rule: Rules §2; source 002 L21-L37."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from tests.deal.moves import begun, place, played, stacked
from tests.deal.play import seats_for, shuffled, steps
from triptych.board import Layout
from triptych.cards import card_text
from triptych.deal.actions import Arrange
from triptych.deal.engine import decide, finished, next_fantasyland, result, start, timeout_action
from triptych.deal.errors import DealError
from triptych.deal.events import (
    Announced,
    BoardShown,
    DealEnded,
    Dealt,
    DealtFaceDown,
    Declared,
    Discarded,
    Placed,
    PlacedFaceDown,
)
from triptych.deal.state import HandStart, acting_hands
from triptych.deal.visibility import Public, Sealed
from triptych.rulesets.load import resolve

if TYPE_CHECKING:
    from triptych.deal.events import DealEvent
    from triptych.rulesets.model import Ruleset


def public_events(rules: Ruleset, hands: tuple[HandStart, ...], seed: int) -> list[DealEvent]:
    return [event for _, events, _ in steps(rules, hands, seed) for event in events]


def dealt(events: list[DealEvent]) -> list[tuple[int, int, int, bool]]:
    """Return hand, street, number of cards, and whether everyone saw them."""
    return [
        (event.event.hand, event.event.street, len(event.event.cards), isinstance(event, Public))
        for event in events
        if isinstance(event.event, Dealt)
    ]


def test_pineapple_streets_come_at_the_turn_and_only_the_first_is_open() -> None:
    """Five open cards, then three face down, to one player after the other.

    Sources 000 L3.2-3, L101.2, L127.3, L163, L202.1, L313.2, L376.1; 002 L21.2-3, L21.5, L25.4, L29.1.
    """
    rules = resolve("pineapple")
    events = public_events(rules, seats_for(rules, 3), 7)
    first = [(hand, 1, 5, True) for hand in range(3)]
    later = [(hand, street, 3, False) for street in range(2, 6) for hand in range(3)]
    assert dealt(events) == first + later
    assert sum(isinstance(event.event, DealtFaceDown) for event in events) == 12


@pytest.mark.parametrize(("first_cards", "face_up"), [("at_turn", True), ("all", False)])
def test_classic_goes_five_and_eight_times_one(first_cards: str, face_up: bool) -> None:  # noqa: FBT001 - of a table
    """Five cards and then eight single ones, open; the first five too, unless everybody has them before the turn.

    Sources 000 L9.2, L203.2, L204, L307, L321.3, L323; 003 L98.1, L98.4; 004 L143.1, L143.4.
    """
    rules = resolve({"preset": "ofc_american", "deal.first_cards": first_cards})
    events = public_events(rules, seats_for(rules, 4), 7)
    first = [(hand, 1, 5, face_up) for hand in range(4)]
    assert dealt(events) == first + [(hand, street, 1, True) for street in range(2, 10) for hand in range(4)]


def test_turbo_goes_five_four_four() -> None:
    """Source 000 L107: three streets of 5, 4 and 4."""
    rules = resolve("turbo")
    events = public_events(rules, seats_for(rules, 2), 7)
    streets = ((1, 5, False), (2, 4, True), (3, 4, True))
    assert dealt(events) == [
        (hand, street, cards, is_public) for street, cards, is_public in streets for hand in (0, 1)
    ]


def test_first_street_on_confirm_is_dealt_face_down() -> None:
    """Rules §2: `deal.first_street = on_confirm`; the others see five cards when they are placed."""
    rules = resolve({"preset": "pineapple", "deal.first_street": "on_confirm"})
    events = public_events(rules, seats_for(rules, 2), 7)
    assert not any(is_public for _, _, _, is_public in dealt(events))


def test_only_the_hand_in_turn_holds_cards() -> None:
    """Rules §2: each player receives the cards of a street only when it is their turn."""
    rules = resolve("pineapple")
    for _, _, state in steps(rules, seats_for(rules, 3), 11):
        holding = tuple(i for i, hand in enumerate(state.hands) if hand.drawn)
        assert holding == acting_hands(state)
        assert len(holding) <= 1


def test_fantasyland_after_others_is_dealt_last() -> None:
    """Source 002 L37.2-3, L37.5: the opponents lay out openly first, then the player has all cards at once."""
    rules = resolve("pineapple")
    events = public_events(rules, (HandStart(0, 14, 1), HandStart(1), HandStart(2)), 5)
    open_streets = [(hand, 1, 5, True) for hand in (1, 2)]
    open_streets += [(hand, street, 3, False) for street in range(2, 6) for hand in (1, 2)]
    assert dealt(events) == [*open_streets, (0, 1, 14, False)]
    assert [event.event.hand for event in events if isinstance(event.event, PlacedFaceDown)] == [0]


def test_all_but_one_in_fantasyland_that_one_plays_face_down_first() -> None:
    """Source 002 L37.6-7, L39.1-3: all but one in fantasyland; that one plays by streets, then the others at once."""
    rules = resolve("pineapple")
    events = public_events(rules, (HandStart(0, 14, 1), HandStart(1), HandStart(2, 14, 1)), 5)
    own = [(1, 1, 5, False)] + [(1, street, 3, False) for street in range(2, 6)]
    assert dealt(events) == [*own, (0, 1, 14, False), (2, 1, 14, False)]
    assert sorted(event.event.hand for event in events if isinstance(event.event, BoardShown)) == [0, 1, 2]


def test_fantasyland_at_start_is_dealt_before_the_others_play() -> None:
    """Thirteen cards, face down, when the deal begins; the opponents play as always, and the set hand is one action.

    Sources 000 L78.2-3, L184.2, L287.1-2; 001 L39.1, L39.3-5.
    """
    rules = resolve("ofc_american")
    hands = (HandStart(0), HandStart(1, 13, 1), HandStart(2))
    events = public_events(rules, hands, 5)
    assert dealt(events)[:3] == [(1, 1, 13, False), (0, 1, 5, False), (2, 1, 5, False)]
    assert acting_hands(begun(rules, hands, shuffled(rules, 5))) == (0, 1)
    assert [event.event.hand for event in events if isinstance(event.event, PlacedFaceDown)] == [1]


def test_all_in_fantasyland_set_at_once() -> None:
    """Rules §2: all in fantasyland, all set at once, hidden; three times 17 cards fit the deck. Source 002 L37.6."""
    rules = resolve("pineapple_progressive")
    hands = tuple(HandStart(seat, 17, 1) for seat in range(3))
    state = begun(rules, hands, shuffled(rules, 1))
    assert acting_hands(state) == (0, 1, 2)
    assert len(state.deck) == 1


def test_closed_hands_are_set_at_once_and_shown_together() -> None:
    """Sources 000 L327.1-2, 003 L12.1, L12.5, 004 L62.1, L62.5: thirteen each, face down until all have set."""
    rules = resolve("closed_basic")
    events = public_events(rules, seats_for(rules, 4), 3)
    assert dealt(events) == [(hand, 1, 13, False) for hand in range(4)]
    shown_at = [index for index, event in enumerate(events) if isinstance(event.event, BoardShown)]
    assert len(shown_at) == 4
    assert max(i for i, event in enumerate(events) if isinstance(event.event, PlacedFaceDown)) < min(shown_at)


def test_criss_cross_gives_each_player_two_hands() -> None:
    """Sources 003 L103.1-2, 004 L148.1-2: two hands of 13 each, against both of the other's and not one's own."""
    rules = resolve("criss_cross")
    hands = seats_for(rules, 2)
    state = begun(rules, hands, shuffled(rules, 4))
    assert [hand.seat for hand in state.hands] == [0, 1, 0, 1]
    assert acting_hands(state) == (0, 1, 2, 3)
    while not finished(state):
        state = played(state, timeout_action(state, acting_hands(state)[0]))
    paying = {(pair.a, pair.b) for pair in result(state).pairs if pair.points}
    assert paying
    assert paying <= {(0, 1), (0, 3), (1, 2), (2, 3)}


def test_the_deck_is_sealed_and_a_crash_brings_back_the_same_cards() -> None:
    """CONTRACTS: one sealed event at the start; Rules §2: nobody holds cards ahead of the turn."""
    rules = resolve("pineapple")
    events = start(rules, 1, seats_for(rules, 2), shuffled(rules, 2)).events
    assert [type(event) for event in events] == [Public, Sealed, Public]


def test_entering_fantasyland() -> None:
    """Sources 001 L37.3, 002 L35.1-2, L41.1: queens in front of a legal board bring 14 cards, a foul none."""
    rules = resolve("pineapple")
    streets = [
        "QhQd7c9d9s",
        "AhAd2c3c4c",
        "QcJcTc",
        "2d2h5h",
        "9h5s5d",
        "3d4h6s",
        "JdJh8d",
        "KsKd4s",
        "AsAc6c",
        "8h8s4d",
    ]
    state = begun(rules, seats_for(rules, 2), stacked("".join(streets)))
    state = played(
        state,
        place(0, "QhQd7c/9d9s/"),
        place(1, "AhAd/2c3c/4c"),
        place(0, "/Qc/Jc"),
        place(1, "/2d/5h"),
        place(0, "/9h/5s"),
        place(1, "/4h/3d"),
        place(0, "//JdJh"),
        place(1, "Ks/Kd/"),
        place(0, "/6c/Ac"),
        place(1, "//8h8s"),
    )
    assert finished(state)
    assert [hand.status for hand in result(state).hands] == ["legal", "foul"]
    assert next_fantasyland(state) == {0: (14, 1)}


def test_staying_in_fantasyland_counts_on() -> None:
    """Source 002 L37.4, L41.2: of 14 cards 13 are placed; quads in the back repeat, the second in a row."""
    rules = resolve("pineapple")
    hands = (HandStart(3, 14, 1), HandStart(5, 14, 1))
    state = begun(rules, hands, stacked("AhAdAcAs2d3h3d4c4h7s8d9cTd2cKhQdJs9h8c5s6d7h2s2h4dTcJhQs"))
    state = played(state, place(0, "7s8d9c/3h3d4c4hTd/AhAdAcAs2d"), place(1, "6d7h8c/2s2h9hTcQs/QdKhJsJh4d"))
    assert next_fantasyland(state) == {3: (14, 2)}


def test_a_deck_must_be_enough() -> None:
    """Rules §2: three fantasylands of 17 fit in 52 cards, four Pineapple players do not."""
    rules = resolve("pineapple")
    with pytest.raises(DealError) as refused:
        start(rules, 1, tuple(HandStart(seat) for seat in range(4)), shuffled(rules, 1))
    assert (refused.value.code, refused.value.path) == ("deal.deck", "$.deck")


def test_forfeit_makes_a_board_dead_whatever_lies_there() -> None:
    """Rules §6: `timeout.layout = foul`; a dead board pays as a foul does."""
    rules = resolve({"preset": "closed_basic", "timeout.layout": "foul"})
    state = begun(rules, seats_for(rules, 2), stacked("AhAdAcAs2d3h3d4c4h7s8d9cTdKhQdJs9h8c5s6d7h2s2h4dTcJh"))
    state = played(state, timeout_action(state, 0), place(1, "6d7h8c/2s2h9hTcJs/QdKhJh5s4d"))
    assert result(state).hands[0].status == "foul"


def test_nothing_changes_when_an_action_is_refused() -> None:
    """A typed error, state unchanged."""
    rules = resolve("pineapple")
    state = begun(rules, seats_for(rules, 2), shuffled(rules, 1))
    before = repr(state), state.hands, state.deck
    with pytest.raises(DealError):
        decide(state, place(1, "//"))
    assert (repr(state), state.hands, state.deck) == before


@pytest.mark.parametrize(("in_row", "following"), [(1, {0: (14, 2)}), (2, {})])
def test_at_most_one_repeat_in_a_row(in_row: int, following: dict[int, tuple[int, int]]) -> None:
    """Source 000 L90, L103, L370.2, L380: of 14 cards 13 are placed; one repeat in a row (`classic_once`)."""
    rules = resolve("pineapple_russian")
    hands = (HandStart(0, 14, in_row), HandStart(1, 14, in_row))
    state = begun(rules, hands, stacked("AhAdAcAs2d3h3d4c4h7s8d9cTd2cKhQdJs9h8c5s6d7h2s2h4dTcJhQs"))
    state = played(state, place(0, "7s8d9c/3h3d4c4hTd/AhAdAcAs2d"), place(1, "6d7h8c/2s2h9hTcQs/QdKhJsJh4d"))
    assert next_fantasyland(state) == following


def test_every_event_names_its_street() -> None:
    """Rules §2: five streets of Pineapple, each dealt, from the second on with a discard, and placed."""
    rules = resolve("pineapple")
    for hands in (seats_for(rules, 2), (HandStart(0), HandStart(1, 14, 1))):
        events = [event.event for event in public_events(rules, hands, 3)]
        for kind, first in ((Discarded, 2), (Placed, 1)):
            streets = [event.street for event in events if isinstance(event, kind) and event.hand == 0]
            assert streets == list(range(first, 6))
        covered = [event.street for event in events if isinstance(event, PlacedFaceDown) and event.hand == 0]
        assert covered == ([1, 2, 3, 4, 5] if hands[1].fantasyland else [])


@pytest.mark.parametrize("fantasyland", [0, 14])
def test_only_what_lay_face_down_is_shown_at_the_end(fantasyland: int) -> None:
    """Rules §2: of three players one in fantasyland lays face down; an open board has been seen all along."""
    events = public_events(
        resolve("pineapple"), (HandStart(0, fantasyland, int(fantasyland > 0)), HandStart(1), HandStart(2)), 5
    )
    shown_at = [event.event.hand for event in events if isinstance(event.event, BoardShown)]
    assert shown_at == ([0] if fantasyland else [])


def test_nobody_surrenders_or_declares_in_an_open_game() -> None:
    """Rules §2, 4: surrender and declared royalties are of the closed games, whatever else the rules say."""
    rules = resolve("pineapple")
    odd = replace(
        rules, surrender=replace(rules.surrender, points=3), royalties=replace(rules.royalties, declare="must")
    )
    events = [event.event for event in public_events(odd, seats_for(odd, 2), 3)]
    assert isinstance(events[-1], DealEnded)
    assert not any(isinstance(event, Announced | Declared) for event in events)


def test_moves_are_open_in_the_first_street_alone() -> None:
    """Rules §2 (`deal.first_street = live`): opponents see the first five being arranged, later cards when laid."""
    rules = resolve("turbo")
    state = begun(rules, seats_for(rules, 2), shuffled(rules, 7))
    is_public = []
    while state.hands[0].street < 2:
        hand = acting_hands(state)[0]
        card = card_text(state.hands[hand].drawn[0])
        (event,) = decide(state, Arrange(hand, Layout(middle=(card,)))).events
        is_public.append((state.hands[hand].street, isinstance(event, Public)))
        state = played(state, timeout_action(state, hand))
    assert is_public == [(0, True), (0, True), (1, False)]
