"""What every deal has in common: deck, seats, rows, streets, what is seen and when it is over."""

from __future__ import annotations

from typing import get_args

import pytest

from tests.deal.moves import arrange, begun, layout, place, played, stacked
from tests.deal.play import seats_for, shuffled, steps
from triptych.board import ROWS
from triptych.cards import card_text, deck
from triptych.deal.actions import Action, Place
from triptych.deal.engine import decide, finished, result
from triptych.deal.errors import DealError
from triptych.deal.events import Arranged, Dealt, Discarded, Placed
from triptych.deal.project import view
from triptych.deal.visibility import Private, Public
from triptych.rulesets.load import resolve
from triptych.scoring.showdown import ScoreError

PINEAPPLE = resolve("pineapple")


@pytest.mark.parametrize(("preset", "jokers"), [("closed_1_6", 0), ("ofc_american", 0), ("pineapple_joker", 2)])
def test_the_deck(preset: str, jokers: int) -> None:
    """Four suits of thirteen ranks; two jokers more at a joker table.

    Sources 000 L191.2; 001 L5.1; 002 L5.1-2; 003 L12.1; 004 L23, L24, L26, L62.1.
    """
    cards = [card_text(card) for card in deck(resolve(preset).deal.jokers)]
    assert len(cards) == len(set(cards)) == 52 + jokers
    assert set(cards) == {rank + suit for rank in "AKQJT98765432" for suit in "cdhs"} | {"X1", "X2"} & set(cards)


@pytest.mark.parametrize(
    ("preset", "most"),
    [("closed_1_6", 4), ("ofc_american", 4), ("ofc_pokerstars", 4), ("pineapple", 3), ("pineapple_27", 3)],
)
def test_the_number_of_players_of_each_preset(preset: str, most: int) -> None:
    """Two to four, three in Pineapple; where the rules allow a player, the deck has the cards.

    Sources 000 L101.1, L123, L191.1, L311, L376.3; 001 L3, L6.1-3; 003 L8; 004 L22, L56.
    """
    rules = resolve(preset)
    assert (rules.seats.min, rules.seats.max) == (2, most)
    for seats in range(2, most + 1):
        *_, (_, _, last) = steps(rules, seats_for(rules, seats), 3)
        assert len(last.hands) == seats
        assert finished(last)


@pytest.mark.parametrize(
    ("rows", "more", "full"),
    [
        ("AhKdQc//7s2c", "9s//", "front"),
        ("/AhKdQc7s2c/", "/9s/", "middle"),
        ("//AhKdQc7s2c", "//9s", "back"),
    ],
)
def test_three_rows_of_three_five_and_five(rows: str, more: str, full: str) -> None:
    """A full row takes no card more, and two cards never lie in one place.

    Sources 000 L7.2, L125, L127.1-2, L196.2, L197-199, L315; 001 L12.1-2, L14-16; 002 L9, L11.1, L13, L15.
    """
    rules = resolve("ofc_american")
    state = begun(rules, seats_for(rules, 2), stacked("AhKdQc7s2c3c4c5c6c8d9s"))
    state = played(state, place(0, rows), place(1, "//3c4c5c6c8d"))
    with pytest.raises(DealError) as refused:
        decide(state, place(0, more))
    assert (refused.value.code, refused.value.path) == ("deal.row_full", f"$.layout.{full}")


def test_the_first_street_is_laid_out_before_everybody_and_the_next_is_not() -> None:
    """Everybody sees each card moved on the first street; of a later one only the owner does, until it is confirmed.

    With the discard the two placed cards are shown, the discard never: sources 000 L7.1, L101.4, L202.2, L378;
    002 L21.3, L21.5-6, L29.3; 003 L98.2; 004 L143.2.
    """
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked("AhKdQc7s2c3c4c5c6c8d9sTsJs"))
    for moved in ("Ah//", "Ah//Kd", "/Ah/Kd"):
        (event,) = decide(state, arrange(0, moved)).events
        assert isinstance(event, Public)
        assert event.event == Arranged(0, layout(moved))
    state = played(state, place(0, "AhKdQc//7s2c"), place(1, "//3c4c5c6c8d"))
    for viewer in (0, 1, None):
        assert view(state, viewer).boards[0].front.cards == ("Ah", "Kd", "Qc")
    (hidden,) = decide(state, arrange(0, "/9s/")).events
    assert isinstance(hidden, Private)
    assert hidden.seat == 0
    events = decide(state, place(0, "/9s/Ts")).events
    assert Placed(0, 2, layout("/9s/Ts")) in [event.event for event in events if isinstance(event, Public)]
    discards = [event for event in events if isinstance(event.event, Discarded)]
    assert [(type(event), event.event.cards) for event in discards] == [(Private, ("Js",))]  # type: ignore[union-attr]
    assert "Js" not in repr(view(played(state, place(0, "/9s/Ts")), 1))


def test_ready_is_final_and_until_then_every_card_can_be_moved() -> None:
    """Source 002 L21.4, L25.1-3: all five are placed, in any order of trying; after Ready there is no way back."""
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked("AhKdQc7s2c3c4c5c6c8d9sTsJs"))
    state = played(state, arrange(0, "AhKdQc/7s2c/"), arrange(0, "//AhKdQc7s"))
    with pytest.raises(DealError) as refused:
        decide(state, place(0, "//AhKdQc7s"))
    assert refused.value.code == "deal.wrong_count"
    state = played(state, place(0, "7s/2c/AhKdQc"))
    for again in (arrange(0, "/7s/"), place(0, "2c/7s/AhKdQc")):
        with pytest.raises(DealError) as refused:
            decide(state, again)
        assert refused.value.code == "deal.not_your_turn"
    assert view(state, 1).boards[0].front.cards == ("7s",)


@pytest.mark.parametrize("seats", [2, 3])
def test_pineapple_places_two_of_three_cards_and_discards_one(seats: int) -> None:
    """Sources 000 L101.2-3, L102, L133.1, L376.1-2; 002 L29.1-2: 5, 2, 2, 2 and 2 cards are placed."""
    placed: dict[int, list[int]] = {hand: [] for hand in range(seats)}
    dropped: dict[int, list[int]] = {hand: [] for hand in range(seats)}
    for _, events, _ in steps(PINEAPPLE, seats_for(PINEAPPLE, seats), 9):
        for event in (emitted.event for emitted in events):
            if isinstance(event, Placed):
                placed[event.hand].append(sum(len(getattr(event.layout, row)) for row in ROWS))
            if isinstance(event, Discarded):
                dropped[event.hand].append(len(event.cards))
    assert set(map(tuple, placed.values())) == {(5, 2, 2, 2, 2)}
    assert set(map(tuple, dropped.values())) == {(1, 1, 1, 1)}


@pytest.mark.parametrize("preset", ["ofc_american", "turbo", "pineapple", "closed_basic", "criss_cross"])
def test_points_are_counted_when_every_place_is_taken(preset: str) -> None:
    """Thirteen cards of their own in everybody's rows, shown to all; then, and not before, the boards are compared.

    Sources 000 L11.1, L133.3, L204, L205, L327.2, L331; 001 L18.1-2; 002 L5.3, L7.2, L29.5, L51.1.
    """
    rules = resolve(preset)
    by_hand: dict[int, set[str]] = {}
    for _, events, state in steps(rules, seats_for(rules, 2), 4):
        for event in (emitted.event for emitted in events):
            if isinstance(event, Dealt):
                by_hand.setdefault(event.hand, set()).update(event.cards)
        full = all(
            len(hand.board.row(row)) == size
            for hand in state.hands
            for row, size in zip(ROWS, (3, 5, 5), strict=True)
        )
        assert finished(state) == full
        if not finished(state):
            with pytest.raises(ScoreError):
                result(state)
    assert len(result(state).hands) == len(state.hands)
    for hand, board in enumerate(view(state, None).boards):
        cards = {card for row in ROWS for card in getattr(board, row).cards}
        assert len(cards) == 13
        assert cards <= by_hand[hand]


def test_there_is_no_betting() -> None:
    """All that a player may do is to lay out cards, and in closed games to say what becomes of a set board.

    Sources 000 L15.1, L135.1-2, L307, L339; 001 L10.1; 002 L5.3.
    """
    assert {action.__name__ for action in get_args(Action)} == {
        "Arrange",
        "Place",
        "Announce",
        "ClaimNatural",
        "Declare",
    }
    for rules in (PINEAPPLE, resolve("ofc_american"), resolve("turbo")):
        actions = {type(action) for action, _, _ in steps(rules, seats_for(rules, 2), 2) if action is not None}
        assert Place in actions
        assert {action.__name__ for action in actions} <= {"Arrange", "Place"}


def test_no_card_goes_from_one_hand_of_criss_cross_to_the_other() -> None:
    """Sources 003 L103.3, 004 L148.3."""
    rules = resolve("criss_cross")
    state = begun(rules, seats_for(rules, 2), shuffled(rules, 4))
    own, other = ([card_text(card) for card in state.hands[hand].drawn] for hand in (0, 2))
    mixed = [*own[:12], other[0]]
    with pytest.raises(DealError) as refused:
        decide(state, place(0, f"{''.join(mixed[:3])}/{''.join(mixed[3:8])}/{''.join(mixed[8:])}"))
    assert (refused.value.code, refused.value.path) == ("deal.card_not_held", "$.layout.back[4]")


def test_cards_placed_one_by_one_can_make_an_illegal_board() -> None:
    """Sources 003 L98.5, 004 L143.5: nobody is kept from a foul; source 002 L17.3: it loses to everybody."""
    rules = resolve("ofc_pokerstars")
    own = "KsKhKd2c7d3h9s5cJdQh4s8c6d"  # kings go to the front
    other = "AsAhAd4h5h2s3s6c7c8dTdJcQc"
    cards = own[:10] + other[:10] + "".join(own[at : at + 2] + other[at : at + 2] for at in range(10, 26, 2))
    state = begun(rules, seats_for(rules, 2), stacked(cards))
    state = played(state, place(0, "KsKhKd/2c/7d"), place(1, "//AsAhAd4h5h"))
    for at in range(10, 26, 2):
        mine = f"/{own[at : at + 2]}/" if at < 18 else f"//{own[at : at + 2]}"
        theirs = f"{other[at : at + 2]}//" if at < 16 else f"/{other[at : at + 2]}/"
        state = played(state, place(0, mine), place(1, theirs))
    assert finished(state)
    score = result(state)
    assert [hand.status for hand in score.hands] == ["foul", "legal"]
    assert score.pairs[0].points == -6
