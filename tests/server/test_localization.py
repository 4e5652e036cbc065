"""What goes out is said in the language of whoever reads it (ARCHITECTURE, "Languages")."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.table.session import Session
from triptych.i18n.languages import LANGUAGES, Language
from triptych.i18n.messages import Message, plain_text
from triptych.server.tables.subscribers import Subscribers
from triptych.server.wire.localization import localize
from triptych.server.wire.messages import ErrorMessage, Pong, Rejected, WireError


class RecordingSubscriber:
    """A connection that keeps what it is sent."""

    def __init__(self, player: str, language: Language) -> None:
        self.player = player
        self.language = language
        self.said: list[dict[str, Any]] = []

    def send(self, text: str) -> None:
        self.said.append(msgspec.json.decode(text))

    def send_message(self, message: ErrorMessage) -> None:
        self.send(msgspec.json.encode(localize(message, self.language), enc_hook=plain_text).decode())


def test_two_at_one_table_read_it_in_their_own_languages() -> None:
    session = Session(people=2)
    audience = Subscribers()
    ann, bob, friend = (
        RecordingSubscriber("ann", "ru"),
        RecordingSubscriber("bob", "zh"),
        RecordingSubscriber("x", "en"),
    )
    for screen in (ann, bob, friend):
        audience.add(screen)
    session.begin()
    audience.broadcast(session.state(), (), session.now)
    lines = [screen.said[-1]["view"]["talk"][0]["text"] for screen in (ann, bob, friend)]
    assert lines == ["Ann садится, 100 очков", "Ann带 100 分入座", "Ann joined with 100 points"]
    assert [screen.said[-1]["view"]["rules"]["title"] for screen in (ann, bob, friend)] == [
        "Ананас",
        "大菠萝",
        "Pineapple",
    ]
    # What people gave stays theirs, and nothing else differs.
    assert {screen.said[-1]["view"]["name"] for screen in (ann, bob, friend)} == {"Our table"}
    assert ann.said[-1]["view"]["seats"] == friend.said[-1]["view"]["seats"]


def test_english_is_sent_as_it_is() -> None:
    view = Session().see("ann")
    assert localize(view, "en") is view
    refused = Rejected("1", "t", WireError("ready.nothing", Message("error.ready.nothing")))
    assert localize(refused, "en") is refused


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_an_error_is_in_the_language_of_the_client(language: Language) -> None:
    error = WireError("ready.nothing", Message("error.ready.nothing"))
    reply = localize(Rejected("1", "t", error), language)
    assert reply.error.message != "No deal is about to start."
    assert (reply.error.code, reply.cmd_id) == ("ready.nothing", "1")
    assert localize(pong := Pong(1), language) is pong
