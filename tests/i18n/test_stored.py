"""Messages in the store: read back as they were; text of older versions stays plain English."""

from __future__ import annotations

import copy
import pickle

import msgspec
import pytest

from triptych.i18n.messages import Message, translate
from triptych.i18n.stored import restore_text, stored_text
from triptych.scoring.sheet.hand_names import rank_name
from triptych.scoring.sheet.types import Cell
from triptych.table.state import ChatLine

QUEENS = Message("sheet.row.beats", name="Ann", hand=rank_name(1 << 20 | 11 << 16), other=rank_name(9 << 16))


@pytest.mark.parametrize("message", [QUEENS, Message("sheet.paid.nothing"), Message("stake.points", amount=0.25)])
def test_a_message_is_read_back_with_the_messages_in_it(message: Message) -> None:
    cell = msgspec.json.decode(msgspec.json.encode(Cell(1, message), enc_hook=stored_text), type=Cell)
    assert cell.why == message
    assert translate(cell.why, "ru") == translate(message, "ru") != message
    assert stored_text(cell.why) == stored_text(message)


def test_text_of_older_versions_stays_as_it_is() -> None:
    assert restore_text("Ann's pair of queens beats ten high") == "Ann's pair of queens beats ten high"


@pytest.mark.parametrize(
    "parts", ['["gone.key",{}]', '["sheet.row.beats",{}]', '["sheet.row.beats"]', "{", "7", "[1,[2]]"]
)
def test_a_message_that_is_no_longer_known_stays_english(parts: str) -> None:
    text = restore_text(f"Ann wins\x1f{parts}")
    assert text == translate(text, "ru") == translate(Message("sheet.foul.both", first=text, second=""), "ru")[:8]
    assert stored_text(text) == f"Ann wins\x1f{parts}"


def test_copies_and_pickles_are_messages() -> None:
    text = restore_text(stored_text(QUEENS))
    for again in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):  # noqa: S301 - its own bytes
        assert translate(again, "es") == translate(QUEENS, "es")


def test_a_chat_line_of_a_person_is_never_a_message() -> None:
    text = stored_text(QUEENS)
    assert ChatLine(0, "ann", "Ann", text).text == text
    assert ChatLine(0, "", "", text).text == QUEENS


def test_an_object_that_is_no_message_cannot_be_stored() -> None:
    with pytest.raises(TypeError, match="object cannot be encoded"):
        stored_text(object())
