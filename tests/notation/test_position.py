"""Position text: what every viewer sees of a random deal survives being written and read."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings

from tests.deal.play import steps
from tests.examples import examples
from tests.properties.deals import Deal, deals
from triptych.deal.project import view
from triptych.notation.errors import NotationError
from triptych.notation.position import (
    Position,
    PositionHand,
    parse_position,
    position_from_view,
    position_link,
    position_text,
)


@settings(max_examples=examples(40))
@given(deals())
def test_round_trip_of_every_view(deal: Deal) -> None:
    for _, _, state in steps(*deal):
        for seat in (None, 0, 1):
            position = position_from_view(view(state, seat))
            assert parse_position(position_text(position)) == position
            link = position_link(position)
            assert parse_position(link) == position
            # RFC 3986: what a query and a fragment may hold; & and + would be read as a form's own.
            assert re.fullmatch(r"[A-Za-z0-9._~!$'()*,;=:@/?-]*", link)
            assert urlsplit(f"https://room.example/analyse?at={link}#{link}").fragment == link
            assert parse_qs(f"at={link}", strict_parsing=True) == {"at": [link]}


def test_the_parts_of_a_position() -> None:
    text = "*Kd/7s7h/AhAd2c +Qc4s9h -2d | As//?? -?? | // =14"
    position = Position(
        (
            PositionHand(("Kd",), ("7s", "7h"), ("Ah", "Ad", "2c"), ("Qc", "4s", "9h"), ("2d",)),
            PositionHand(("As",), (), ("??",), (), ("??",)),
            PositionHand(fantasyland=14),
        ),
        (0,),
    )
    assert parse_position(text) == position
    assert position_text(position) == text
    assert (str(position), repr(position)) == (text, f"<Position {text}>")
    assert repr(position.hands[0]) == "<PositionHand Kd/7s7h/AhAd2c +Qc4s9h -2d>"
    assert position._repr_html_().count("to act") == 1


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("", "position.hand", "$.hands[0]"),
        ("Kd/7s", "position.hand", "$.hands[0]"),
        ("// | // +", "position.hand", "$.hands[1]"),
        ("// =12", "position.hand", "$.hands[0]"),
        ("// -2c +3c", "position.hand", "$.hands[0]"),
        ("KdKsKhKc//", "row.size", "$.hands[0].front"),
        ("// +KdZz", "card.unknown", "$.hands[0].drawn[1]"),
        ("Kd// | /Kd/", "card.duplicate", "$.hands[1].middle[0]"),
        ("Kd// -Kd", "card.duplicate", "$.hands[0].discards[0]"),
    ],
)
def test_bad_text(text: str, code: str, path: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_position(text)
    assert (refused.value.code, refused.value.path) == (code, path)
