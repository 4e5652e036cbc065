"""One reader for all card texts (issue 28.14)."""

from __future__ import annotations

import msgspec
import pytest

import triptych
from triptych.board import parse_board
from triptych.cards import CardError, cards_text, deck, parse_card, parse_cards
from triptych.notation.position import parse_position
from triptych.scoring.jsonl.answer import process_line
from triptych.solve.jsonl.cards import read_cards

SIGNS = ("♣♦♥♠", "♧♢♡♤")


def test_every_card_is_read_in_every_form() -> None:
    for card in deck(2):
        text = cards_text([card])
        forms = {text, text.lower(), text.upper(), f" {text},", f"\ufeff{text}\r\n"}
        if card < 52:
            ranks = {text[0], text[0].lower(), *(("10",) if text[0] == "T" else ())}
            suits = {
                text[1],
                text[1].upper(),
                *(signs["cdhs".index(text[1])] for signs in SIGNS),
                f"{SIGNS[0]['cdhs'.index(text[1])]}\ufe0f",
            }
            forms |= {rank + suit for rank in ranks for suit in suits}
        for form in forms:
            assert parse_cards(form) == (card,), form
            assert parse_cards(f"{form}Z"[:-1] + f" {form}", unique=False) == (card, card), form


@pytest.mark.parametrize("text", ["10h", "qh", "QH", "Q♥", " Qh"])
def test_stored_cards_have_one_form(text: str) -> None:
    """Histories and moves over the wire are read by `parse_card`."""
    with pytest.raises(CardError):
        parse_card(text)


@pytest.mark.parametrize(
    ("text", "index", "piece"),
    [
        ("10", 0, "10"),
        ("1h", 0, "1h"),
        ("Ah 1Oh", 1, "1O"),
        ("AhK", 1, "K"),
        ("Zh9c", 0, "Zh"),
        ("Ah?9", 1, "?9"),
        ("ſhAh", 0, "ſh"),
    ],
)
def test_the_refusal_says_which_card_and_how_it_is_written(text: str, index: int, piece: str) -> None:
    with pytest.raises(CardError) as error:
        parse_cards(text)
    assert (error.value.code, error.value.index) == ("card.unknown", index)
    assert error.value.message.startswith(f"{piece!r} is not a card; ")
    assert all(form in error.value.message for form in ("Ah", "10d", "Td", "Q♥", "X1"))


def test_a_card_in_two_forms_is_one_card() -> None:
    with pytest.raises(CardError) as error:
        parse_cards("10h Th")
    assert (error.value.code, error.value.index) == ("card.duplicate", 1)


def test_all_functions_read_the_same_forms() -> None:
    ann, bob = "q♥ QD 7c/Ks Kc 9d 8c 2c/Ac AD 10c Jc 2d", "9h6c5d/9s9c8d7h2h/KdKh10dJs3d"
    assert parse_board(ann) == parse_board("QhQd7c/KsKc9d8c2c/AcAdTcJc2d")
    assert triptych.score({"Ann": ann, "Bob": bob}).totals == {"Ann": 13, "Bob": -13}
    rows = [dict(zip(("front", "middle", "back"), board.split("/"), strict=True)) for board in (ann, bob)]
    line = msgspec.json.encode({"rules": "pineapple", "players": dict(zip(("Ann", "Bob"), rows, strict=True))})
    assert process_line(line)[0]["totals"] == {"Ann": 13, "Bob": -13}
    assert triptych.rank("10s 9s 8s 7s 6s").name == triptych.rank("Ts9s8s7s6s").name
    assert read_cards("10h q♦", "$.cards") == parse_cards("ThQd")
    assert parse_position("*K♦/7s7h3c2c/AhAd2d9s +qc4s9H -10h8d | 8h/6c6d5h9c/JsJd10s8c") == parse_position(
        "*Kd/7s7h3c2c/AhAd2d9s +Qc4s9h -Th8d | 8h/6c6d5h9c/JsJdTs8c"
    )
