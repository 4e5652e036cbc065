"""Who follows a table and what each of them is sent, without a connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.patched_view import apply_patch, expand_paths, proof
from tests.table.session import Session, placing
from triptych.deal.visibility import Private
from triptych.i18n.languages import Language
from triptych.i18n.messages import plain_text
from triptych.server.tables.subscribers import CHECKSUM_EVERY, RECENT_EVENTS, Subscribers
from triptych.server.wire.localization import localize
from triptych.server.wire.messages import ErrorMessage, WireError
from triptych.table import commands as c
from triptych.table.evolve.core import MAX_CHAT_LINES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.table.events import TableEvent


class RecordingSubscriber:
    """A connection that keeps what it is sent."""

    def __init__(self, player: str, language: Language = "en") -> None:
        self.player = player
        self.language = language
        self.said: list[dict[str, Any]] = []
        self.view: dict[str, Any] = {}
        self.paths: list[Any] = []
        self.proofs = 0
        self.sizes: list[int] = []

    def send(self, text: str) -> None:
        self.said.append(message := msgspec.json.decode(text))
        self.sizes.append(len(text.encode()))
        if message["t"] == "update":
            self.view = message["view"]
            self.paths = message.get("paths", [])
        if message["t"] == "parts":
            assert self.view["v"] == message["after"]
            message["parts"] = expand_paths(message, self.paths)
            self.view = apply_patch(self.view, message["parts"])
            assert self.view["v"] == message["v"]
            if "proof" in message:
                assert proof(self.view) == message["proof"]
                self.proofs += 1

    def send_message(self, message: ErrorMessage) -> None:
        self.send(msgspec.json.encode(localize(message, self.language), enc_hook=plain_text).decode())


def numbered(log: Sequence[TableEvent]) -> list[tuple[int, TableEvent]]:
    return list(enumerate(log, 1))


def versions(update: dict[str, Any]) -> list[int]:
    return [event["v"] for event in update["events"]]


def caught_up(audience: Subscribers, session: Session, player: str, since: int | None) -> dict[str, Any]:
    update: dict[str, Any] = msgspec.json.decode(
        audience.full_update(session.state(), RecordingSubscriber(player), since, session.now)
    )
    assert (update["table"], update["v"], update["now"]) == ("t1", len(session.log), session.now)
    return update


def test_a_returning_viewer_gets_missed_events_while_they_are_in_memory() -> None:
    """The screens of who was away draw each missed event; with a gap among them only the table as it is."""
    session = Session()
    session.play()
    last = len(session.log)
    audience = Subscribers(numbered(session.log)[10:])
    everything = list(range(11, last + 1))
    assert versions(caught_up(audience, session, "dan", 10)) == everything
    assert versions(caught_up(audience, session, "dan", 11)) == everything[1:]
    assert versions(caught_up(audience, session, "dan", last - 1)) == [last]
    for since in (None, 0, 9, last, last + 1):
        assert versions(caught_up(audience, session, "dan", since)) == []


def test_a_table_without_events_at_hand_is_shown_as_it_is() -> None:
    session = Session()
    assert versions(caught_up(Subscribers(), session, "ann", len(session.log))) == []
    assert versions(caught_up(Subscribers(), session, "ann", 0)) == []


def test_no_more_than_the_last_events_are_kept() -> None:
    session = Session()
    while len(session.log) <= RECENT_EVENTS:
        session.play()
    audience = Subscribers(numbered(session.log))
    last = len(session.log)
    assert versions(caught_up(audience, session, "ann", last - RECENT_EVENTS)) == list(
        range(last - RECENT_EVENTS + 1, last + 1)
    )
    assert versions(caught_up(audience, session, "ann", last - RECENT_EVENTS - 1)) == []


def test_events_from_before_the_store_was_read_again_are_not_sent() -> None:
    """Events that were sent may never have been stored: who was away gets the table as it is."""
    session = Session()
    audience = Subscribers(numbered(session.log))
    audience.clear_recent()
    assert versions(caught_up(audience, session, "ann", 1)) == []
    before = len(session.log)
    news = session.ask("ann", c.Say("hello"))
    audience.broadcast(session.state(), news, session.now)
    assert versions(caught_up(audience, session, "ann", before)) == [before + 1]
    assert versions(caught_up(audience, session, "ann", before - 1)) == []


def test_every_viewer_gets_each_change_once_in_their_own_view() -> None:
    session = Session()
    audience = Subscribers()
    screens = [
        RecordingSubscriber("ann"),
        RecordingSubscriber("ann"),
        RecordingSubscriber("bob"),
        RecordingSubscriber("dan"),
    ]
    assert [audience.add(screen) for screen in screens] == [True, False, True, True]
    assert audience.watchers() == ["ann", "bob", "dan"]
    session.begin()
    session.act()
    first = len(session.log)
    # Both have laid their first five: Ann gets three more, face down.
    news = session.ask("bob", placing(session))
    audience.broadcast(session.state(), news, session.now)
    for screen in screens:
        (update,) = screen.said
        assert versions(update) == list(range(first + 1, len(session.log) + 1))
        expected = msgspec.json.decode(msgspec.json.encode(session.see(screen.player), enc_hook=plain_text))
        assert update["view"] == expected
    own = [at for at, event in enumerate(news) if isinstance(event, Private) and event.seat == 0]
    assert own
    for screen in screens:
        included = [screen.said[0]["events"][at].get("e") is not None for at in own]
        assert included == [screen.player == "ann"] * len(own)


def test_a_host_without_a_seat_has_the_hosts_permissions() -> None:
    session = Session(host="dan")
    audience = Subscribers()
    guest, host, other = RecordingSubscriber("eve"), RecordingSubscriber("dan"), RecordingSubscriber("fay")
    for screen in (guest, host, other):
        audience.add(screen)
    audience.broadcast(session.state(), (), session.now)
    assert [screen.said[0]["view"]["may"] for screen in (guest, host, other)] == [
        list(session.see("eve").may),
        list(session.see("dan").may),
        list(session.see("eve").may),
    ]
    assert "close_table" in host.said[0]["view"]["may"]


@pytest.mark.parametrize("first", ["bob", "eve"])
def test_a_banned_guest_is_offered_no_seat_and_other_guests_are(first: str) -> None:
    """Issue 11, 1.5: among those who look on, one is not welcome; the others hear nothing of it."""
    session = Session()
    session.ask("ann", c.Ban(1))
    audience = Subscribers()
    screens = {player: RecordingSubscriber(player) for player in (first, "bob", "eve")}
    for screen in screens.values():
        audience.add(screen)
    audience.broadcast(session.state(), (), session.now)
    assert {player: screen.said[0]["view"]["may"] for player, screen in screens.items()} == {
        "bob": [],
        "eve": ["say", "sit"],
    }


def test_a_new_host_has_the_hosts_permissions_without_a_seat() -> None:
    session = Session(people=3)
    session.ask("ann", c.TransferHost(1))
    for player in ("ann", "bob"):
        session.ask(player, c.Leave())
    audience = Subscribers()
    guest, old, new = RecordingSubscriber("eve"), RecordingSubscriber("ann"), RecordingSubscriber("bob")
    for screen in (guest, old, new):
        audience.add(screen)
    audience.broadcast(session.state(), (), session.now)
    for screen in (guest, old, new):
        assert screen.said[0]["view"]["may"] == list(session.see(screen.player).may)
    assert ["close_table" in screen.said[0]["view"]["may"] for screen in (guest, old, new)] == [False, False, True]


@pytest.mark.parametrize("times", [1, 2])
def test_a_connection_that_follows_twice_is_one_viewer(times: int) -> None:
    session = Session()
    audience = Subscribers()
    screen, other = RecordingSubscriber("ann"), RecordingSubscriber("ann")
    for _ in range(times):
        assert audience.add(screen)
    audience.broadcast(session.state(), (), session.now)
    audience.broadcast_error(WireError("x", "y"))
    assert len(screen.said) == 2
    assert not audience.add(other)
    assert not audience.remove(screen)
    assert not audience.remove(screen)
    assert audience.is_watching("ann")
    assert audience.remove(other)
    assert not audience.is_watching("ann")
    assert not audience.remove(other)
    assert audience.watchers() == []


def test_talk_and_sheet_are_sent_again_when_they_change() -> None:
    """Both are written once and sent to everybody until there is another one."""
    session = Session()
    audience = Subscribers()
    screen = RecordingSubscriber("dan")
    audience.add(screen)
    for text in ("one", "two"):
        news = session.ask("ann", c.Say(text))
        audience.broadcast(session.state(), news, session.now)
        assert screen.said[-1]["view"]["talk"][-1]["text"] == text
    for number in (1, 2):
        session.play()
        audience.broadcast(session.state(), (), session.now)
        assert screen.said[-1]["view"]["sheet"]["deal"] == number


def test_viewers_who_need_the_password_are_unsubscribed() -> None:
    """Issue 11, part 3: the host, and who has played here, see the table on; the others are told why they do not."""
    session = Session()
    audience = Subscribers()
    screens = [
        RecordingSubscriber("ann"),
        RecordingSubscriber("bob"),
        RecordingSubscriber("eve"),
        RecordingSubscriber("eve"),
    ]
    for screen in screens:
        audience.add(screen)
    session.ask("ann", c.SetPassword("hash"))
    audience.remove_unauthorized(session.state())
    assert [[message["t"] for message in screen.said] for screen in screens] == [[], [], ["problem"], ["problem"]]
    assert screens[2].said[0]["error"]["code"] == "table.password"
    assert audience.watchers() == ["ann", "bob"]
    audience.broadcast(session.state(), (), session.now)
    assert [len(screen.said) for screen in screens] == [1, 1, 1, 1]


@pytest.mark.parametrize("language", ["en", "fi"])
def test_the_parts_that_changed_make_the_view(language: Language) -> None:
    """Issue 12, 1c: after every change, everybody who is sent parts holds what the others are sent whole."""
    session = Session()
    audience = Subscribers()
    players = ("ann", "bob", "dan", "eve")
    keeping = [RecordingSubscriber(player, language) for player in players]
    whole = [RecordingSubscriber(player, language) for player in players]

    def tell(news: Sequence[TableEvent]) -> None:
        audience.broadcast(session.state(), news, session.now)
        for mine, other in zip(keeping, whole, strict=True):
            assert mine.said[-1]["t"] == "parts"
            assert mine.view == other.view

    for screens, wants in ((keeping, False), (whole, True)):
        for screen in screens:
            audience.add(screen, whole=wants)
            screen.send(audience.full_update(session.state(), screen, None, session.now))
    # Who looks on sits down, is somebody else to the table from then on, and leaves again.
    tell(session.ask("eve", c.Say("may I?")))
    tell(session.ask("eve", c.Sit(2, 100)))
    tell(session.ask("ann", c.TransferHost(1)))
    for _ in range(3):
        session.begin()
        tell(())
        while not session.state().settled:
            session.act()
            tell(())
    tell(session.ask("bob", c.Ban(2)))
    tell(session.ask("dan", c.Say("well")))
    assert session.state().banned == ("eve",)
    assert all(screen.proofs >= len(keeping[0].said) // CHECKSUM_EVERY > 0 for screen in keeping)
    # What changed is a small part of the whole.
    assert sum(keeping[2].sizes) < sum(whole[2].sizes) / 4


def test_a_subscriber_that_asks_for_patches_again_gets_the_whole_view_first() -> None:
    session = Session()
    audience = Subscribers()
    screen = RecordingSubscriber("dan")
    audience.add(screen, whole=False)
    # Nothing was sent yet: there is nothing that parts could be put into.
    audience.broadcast(session.state(), (), session.now)
    assert screen.said[-1]["t"] == "update"
    audience.broadcast(session.state(), session.ask("ann", c.Say("one")), session.now)
    audience.broadcast(session.state(), session.ask("ann", c.Say("two")), session.now)
    assert [message["t"] for message in screen.said[1:]] == ["parts", "parts"]
    assert set(screen.said[-1]["parts"]) == {"v", "talk.+"}
    audience.add(screen)
    audience.broadcast(session.state(), session.ask("ann", c.Say("three")), session.now)
    assert screen.said[-1]["t"] == "update"


def test_of_the_talk_only_new_lines_are_sent() -> None:
    session = Session()
    audience = Subscribers()
    screen = RecordingSubscriber("dan")
    audience.add(screen, whole=False)
    screen.send(audience.full_update(session.state(), screen, None, session.now))
    texts: list[str] = []
    for number in range(MAX_CHAT_LINES + 1):
        session.now += 10_000
        before = len(screen.view["talk"])
        news = session.ask("ann", c.Say(f"line {number}"))
        audience.broadcast(session.state(), news, session.now)
        parts = screen.said[-1]["parts"]
        (line,) = parts["talk.+"]
        _, dropped = parts.get("talk.~", (0, 0))
        texts.append(line["text"])
        assert dropped == (before == MAX_CHAT_LINES) == (before == len(screen.view["talk"]))
        assert [line["text"] for line in screen.view["talk"]][-len(texts) :] == texts[-MAX_CHAT_LINES:]
    assert screen.proofs


def test_only_what_changed_is_sent() -> None:
    """Issue 12, 1c: the cards that are laid out, not the board; nobody's rules, seats or talk."""
    session = Session()
    audience = Subscribers()
    screen = RecordingSubscriber("dan")
    session.begin()
    session.act()
    audience.add(screen, whole=False)
    screen.send(audience.full_update(session.state(), screen, None, session.now))
    news = session.ask("bob", placing(session))
    audience.broadcast(session.state(), news, session.now)
    parts = screen.said[-1]["parts"]
    assert {"v", "deal.boards.1."} <= set(parts)
    assert {"back.cards", "acting"} <= set(parts["deal.boards.1."])
    assert not {"in_row", "fantasyland"} & set(parts["deal.boards.1."])
    assert not {"deal", "deal.boards", "seats", "talk", "rules", "sheet"} & set(parts)
