"""What a table refuses: each with its code and path, and nothing changes. Issue 2, part 10."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest

from tests.table.session import Session, layout, placing
from triptych.board import Layout
from triptych.cards import card_text
from triptych.deal.actions import Announce, Arrange, ClaimNatural, Declare, Place
from triptych.table import commands as c
from triptych.table.errors import CODES, TableError, TableErrorCode

if TYPE_CHECKING:
    from collections.abc import Callable

Request = c.PlayerRequest


def waiting() -> Session:
    """Ann (host) and Bob, before the first deal."""
    return Session()


def playing() -> Session:
    """Ann acts; Bob waits."""
    session = Session()
    session.begin()
    return session


def with_bot() -> Session:
    session = Session(people=1)
    session.ask("ann", c.SeatBot(1, "first", 100))
    return session


def leaving() -> Session:
    session = playing()
    session.ask("bob", c.Leave())
    return session


def closing() -> Session:
    session = playing()
    session.ask("ann", c.CloseTable())
    return session


def closed() -> Session:
    session = Session()
    session.ask("ann", c.CloseTable())
    return session


def offered() -> Session:
    session = Session()
    session.ask("ann", c.OfferStake(1, 3))
    return session


def agreed() -> Session:
    session = offered()
    session.ask("bob", c.OfferStake(0, 3))
    return session


def sitting_out() -> Session:
    session = Session()
    session.ask("bob", c.SitOut())
    return session


def ready() -> Session:
    session = Session()
    session.ask("bob", c.Ready())
    return session


def talkative() -> Session:
    session = Session()
    for number in range(5):
        session.ask("dan", c.Say(f"line {number}"))
    return session


def finished_session() -> Session:
    session = Session()
    session.play()
    return session


def people_only() -> Session:
    return Session(people=1, bots=False)


REFUSED: tuple[tuple[Callable[[], Session], str, Request, str, str], ...] = (
    (waiting, "", c.Sit(2, 100), "player.unknown", "$"),
    (waiting, "cid", c.Sit(0, 100), "seat.taken", "$.seat"),
    (waiting, "cid", c.Sit(3, 100), "seat.unknown", "$.seat"),
    (waiting, "ann", c.OfferStake(3, 2), "seat.empty", "$.seat"),
    (waiting, "cid", c.Sit(-1, 100), "seat.unknown", "$.seat"),
    # Source 002 L7.1: a least number of points to sit down with.
    (waiting, "cid", c.Sit(2, 49), "points.buy_in", "$.buy_in"),
    (waiting, "cid", c.Sit(2, 201), "points.buy_in", "$.buy_in"),
    (waiting, "bob", c.Sit(2, 100), "player.already_seated", "$"),
    (closing, "cid", c.Sit(2, 100), "table.closed", "$"),
    (closed, "cid", c.Sit(2, 100), "table.closed", "$"),
    (closed, "ann", c.Say("hello"), "table.closed", "$"),
    (waiting, "cid", c.Leave(), "player.not_seated", "$"),
    (leaving, "bob", c.Leave(), "request.repeated", "$"),
    (waiting, "cid", c.TopUp(10), "player.not_seated", "$"),
    (waiting, "bob", c.TopUp(101), "points.too_many", "$.points"),
    (waiting, "bob", c.TopUp(0), "points.too_many", "$.points"),
    (playing, "bob", c.TopUp(10), "points.not_now", "$"),
    (waiting, "cid", c.SitOut(), "player.not_seated", "$"),
    (sitting_out, "bob", c.SitOut(), "request.repeated", "$"),
    (waiting, "bob", c.SitIn(), "request.repeated", "$"),
    (playing, "bob", c.Ready(), "ready.nothing", "$"),
    (ready, "bob", c.Ready(), "request.repeated", "$"),
    (waiting, "cid", c.Ready(), "player.not_seated", "$"),
    (waiting, "dan", c.Say("   "), "talk.empty", "$.text"),
    (waiting, "dan", c.Say("\x00\x1b"), "talk.empty", "$.text"),
    (waiting, "dan", c.Say("a" * 241), "talk.too_long", "$.text"),
    (talkative, "dan", c.Say("line 6"), "talk.too_fast", "$"),
    (waiting, "bob", c.SeatBot(2, "first", 100), "player.not_host", "$"),
    (waiting, "ann", c.SeatBot(1, "first", 100), "seat.taken", "$.seat"),
    (waiting, "ann", c.SeatBot(2, "first", 10), "points.buy_in", "$.buy_in"),
    (waiting, "ann", c.SeatBot(2, "", 100), "bot.level", "$.level"),
    (people_only, "ann", c.SeatBot(2, "first", 100), "bots.not_allowed", "$"),
    (closing, "ann", c.SeatBot(2, "first", 100), "table.closed", "$"),
    (waiting, "bob", c.Unseat(0), "player.not_host", "$"),
    (waiting, "ann", c.Unseat(2), "seat.empty", "$.seat"),
    (waiting, "ann", c.Unseat(9), "seat.empty", "$.seat"),
    (waiting, "bob", c.CloseTable(), "player.not_host", "$"),
    (closing, "ann", c.CloseTable(), "request.repeated", "$"),
    (waiting, "cid", c.OfferStake(0, 2), "player.not_seated", "$"),
    (waiting, "ann", c.OfferStake(0, 2), "stake.self", "$.seat"),
    (waiting, "ann", c.OfferStake(2, 2), "seat.empty", "$.seat"),
    (waiting, "ann", c.OfferStake(1, 0), "stake.range", "$.stake"),
    (waiting, "ann", c.OfferStake(1, 1), "request.repeated", "$.stake"),
    (with_bot, "ann", c.OfferStake(1, 2), "stake.bot", "$.seat"),
    (offered, "ann", c.OfferStake(1, 3), "request.repeated", "$.stake"),
    (agreed, "bob", c.OfferStake(0, 3), "request.repeated", "$.stake"),
    (waiting, "ann", Place(0, Layout()), "request.no_deal", "$"),
    (finished_session, "ann", Place(0, Layout()), "request.no_deal", "$"),
    (playing, "cid", Place(0, Layout()), "player.not_seated", "$"),
    (playing, "ann", Place(1, Layout()), "hand.not_yours", "$.hand"),
    (playing, "ann", Place(2, Layout()), "hand.unknown", "$.hand"),
    (playing, "ann", Place(-1, Layout()), "hand.unknown", "$.hand"),
    (playing, "bob", Place(1, Layout()), "deal.not_your_turn", "$.hand"),
    (playing, "ann", Place(0, Layout()), "deal.wrong_count", "$.layout"),
    (playing, "ann", Place(0, Layout(front=("Zz",))), "card.unknown", "$.layout.front[0]"),
    (playing, "ann", Arrange(0, layout("Ah/-/-")), "deal.card_not_held", "$.layout.front[0]"),
    (playing, "ann", Announce(0, play=True), "deal.wrong_phase", "$.do"),
    (playing, "ann", Declare(0, ("front",)), "deal.wrong_phase", "$.do"),
    (playing, "ann", ClaimNatural(0), "deal.no_natural", "$.do"),
)


@pytest.mark.parametrize(("scene", "player", "request_", "code", "path"), REFUSED)
def test_a_refusal_names_code_and_path_and_changes_nothing(
    scene: Callable[[], Session], player: str, request_: Request, code: str, path: str
) -> None:
    session = scene()
    before = session.state()
    events = len(session.log)
    with pytest.raises(TableError) as refused:
        session.ask(player, request_)
    assert (refused.value.code, refused.value.path) == (code, path)
    assert refused.value.message
    assert session.state() is before
    assert len(session.log) == events


def test_a_legal_command_works_after_a_refused_one() -> None:
    session = playing()
    with pytest.raises(TableError):
        session.ask("ann", Place(0, Layout()))
    session.ask("ann", placing(session))
    assert session.hands()[0].street == 1


def test_a_card_in_an_error_is_never_named() -> None:
    """Logs show no hidden card; errors get logged."""
    session = playing()
    deal = session.state().deal
    assert deal is not None
    hidden = card_text(deal.deck[0])
    with pytest.raises(TableError) as refused:
        session.ask("ann", Arrange(0, Layout(front=(hidden,))))
    assert hidden not in refused.value.message


def test_talk_is_free_again_after_a_while() -> None:
    session = talkative()
    session.wait(10)
    session.ask("dan", c.Say("line 6"))
    assert session.see("ann").talk[-1].text == "line 6"


def test_talk_is_cleaned_of_what_cannot_be_seen() -> None:
    session = waiting()
    session.ask("dan", c.Say("  a\tb\u202e c \N{ZERO WIDTH JOINER}"))
    assert session.see("ann").talk[-1].text == "a b c \N{ZERO WIDTH JOINER}"


def test_every_code_is_explained() -> None:
    assert set(CODES) == set(get_args(TableErrorCode))
