"""The client reads and writes positions as the server does, dots between streets included (docs: notation)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings

from tests.deal.play import steps
from tests.examples import examples
from tests.node import answers
from tests.properties.deals import Deal, deals
from triptych.deal.project import view
from triptych.deal.state import acting_hands, finished
from triptych.errors import TriptychError
from triptych.i18n.messages import plain_text
from triptych.notation.position import Position, parse_position, position_from_view, position_link, position_text
from triptych.rulesets.load import resolve
from triptych.server.jobs.analysis import setup_for_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PINEAPPLE = msgspec.to_builtins(setup_for_rules(resolve("pineapple")), enc_hook=plain_text)


@pytest.fixture(scope="module")
def client() -> Iterator[Callable[..., Any]]:
    with answers(Path(__file__).with_name("notation.mjs")) as ask:
        yield lambda text, **more: ask({"text": text, **more})


def hands_of(position: Position) -> list[dict[str, object]]:
    """Return the hands as the client has them."""
    hands: list[dict[str, object]] = msgspec.json.decode(msgspec.json.encode(position.hands))
    return [{("laid" if key == "row_counts" else key): value for key, value in hand.items()} for hand in hands]


def test_positions_of_deals_are_read_and_written_alike(client: Callable[..., Any]) -> None:
    """Of random deals of all games, with and without their order."""
    orders: set[bool] = set()

    @settings(max_examples=examples(30))
    @given(deals())
    def check(deal: Deal) -> None:
        for _, _, state in steps(*deal):
            if finished(state) or not acting_hands(state):
                continue
            hand = acting_hands(state)[0]
            position = Position(position_from_view(view(state, state.hands[hand].seat)).hands, (hand,))
            text, link = position_text(position), position_link(position)
            for written in (text, link):
                reply = client(written)
                assert (reply["text"], reply["link"]) == (text, link)
                assert reply["setUp"] == {"hands": hands_of(position), "me": hand}
            orders.update(bool(hand.row_counts) for hand in position.hands)

    check()
    assert orders == {True, False}


@pytest.mark.parametrize(
    "text",
    [
        "*Kd/7s7h.3c/AhAd..2c +Qc4s9h | //",
        "*Kd.//.7s7h | //",  # a dot that nothing follows tells of a street too
        "*./Kd/ | //",
        "*Kd/7s7h.3/AhAd | //",
        "*K.d/7s7h3c/AhAd | //",
        "*Kd..Ks.KhKc// | //",
        "*Kd.Kd// | //",
        "*??.Kd/??/ | // =14",
        "*Kd.Ks// =14 | //",
        "*KdK.s.2//c | //",
        "*Kd/7s7h3c/AhAd +Qc.4s9h | //",
        "*Kd/7s7h3c/AhAd -Qc.4s | //",
    ],
)
def test_dots_are_read_alike(client: Callable[..., Any], text: str) -> None:
    reply = client(text)
    try:
        position = parse_position(text)
    except TriptychError:
        assert reply is None
    else:
        assert reply == {
            "setUp": {"hands": hands_of(position), "me": 0},
            "text": position_text(position),
            "link": position_link(position),
        }


@pytest.mark.parametrize(
    "text",
    ["*k♦/7s7h/ahAD +10c4s9H -2d | 10h/8c8d5s/10cJ♣Qd =14", "*X1/7s7h/ +x2 | ??10h//", "*1h// | //", "*♥Q// | //"],
)
def test_cards_as_people_write_them_are_read_alike(client: Callable[..., Any], text: str) -> None:
    """Issue 28.14."""
    test_dots_are_read_alike(client, text)


@pytest.mark.parametrize(
    ("text", "laid"),
    [
        ("*Kd/7s7h.3c/AhAd.2c +Qc4s9h | //", [[1, 2, 2], [1, 3, 3]]),
        ("*Kd/7s7h.3c/AhAd..2c | //", []),  # one card on a street of pineapple
        ("*Kd/7s.7h3c/AhAd.2c | //", []),  # four cards on its first
        ("*Kd/7s7h3c/AhAd2c | //", []),  # not told
        ("*Kd.Ks/7s7h.3c/AhAd =14 | //", []),
        ("*Kd/7s7h.3c/AhAd.2c.5c4d | //", [[1, 2, 2], [1, 3, 3], [1, 3, 5]]),
    ],
)
def test_an_order_that_the_rules_do_not_have_is_not_known(
    client: Callable[..., Any], text: str, laid: list[list[int]]
) -> None:
    """Other rules never make a position unreadable: the order is dropped."""
    assert client(text, form=PINEAPPLE)["laid"][0] == laid


@pytest.mark.parametrize(
    ("text", "laid"),
    [
        ("*Kd/7s7h/AhAd | //", [[1, 2, 2], [2, 2, 3]]),  # of one street the order is plain
        ("*Kd/7s7h.3c/AhAd.2c | //", [[1, 2, 2], [1, 3, 3], [2, 3, 4]]),
        ("*Kd/7s7h3c/AhAd2c | //", []),
        ("*// | //", []),
    ],
)
def test_a_street_that_is_placed_goes_on_from_a_known_order(
    client: Callable[..., Any], text: str, laid: list[list[int]]
) -> None:
    assert client(text, form=PINEAPPLE, added={"front": ["Ks"], "back": ["5c"]})["after"] == laid


def test_a_solo_match_deals_a_position_in_its_order(client: Callable[..., Any]) -> None:
    """The other hand of the position does not tell its order: whatever is dealt, nobody is to believe it."""
    script = client("*Kd/7s7h.3c/AhAd.2c +Qc4s9h -5d | Th/8c8d5s/TcJcQd", form=PINEAPPLE)["script"]
    deck = PINEAPPLE["deck"]
    cards = [None if card is None else deck[card] for card in script["given"]]
    assert (script["seats"], script["orderUnknown"]) == ([0, 1], [False, True])
    assert cards[:5] == ["Kd", "7s", "7h", "Ah", "Ad"]
    assert cards[10:13] == ["3c", "2c", "5d"]
    assert script["placements"][2] == [1, 2, 3]
