"""The table's own lines among the talk: what happened, to whom and by whom, as everybody reads it."""

from __future__ import annotations

import pytest

from tests.table.session import LOW, PLAIN, Session
from triptych.table import commands as c


def narrated(session: Session, before: int) -> list[str]:
    return [line.text for line in session.state().talk[before:] if not line.player]


def after(session: Session, *requests: tuple[str, c.PlayerRequest | c.SystemRequest]) -> list[str]:
    """Return the lines of the talk that some requests lead to."""
    before = len(session.state().talk)
    for player, request in requests:
        session.ask(player, request)
    return narrated(session, before)


@pytest.mark.parametrize(("host", "name"), [("ann", "Ann"), ("dan", "The host")])
def test_the_host_is_named_or_called_the_host_without_a_seat(host: str, name: str) -> None:
    session = Session(people=2, host=host)
    assert after(session, (host, c.Pause())) == [f"{name} paused the table. Clocks are stopped."]
    session.now += 61_400
    assert after(session, (host, c.ResumePlay())) == ["The table resumed after 61 seconds"]
    assert after(session, (host, c.AddTime(1, 60))) == [f"{name} gave Bob 60 seconds more"]
    assert after(session, (host, c.Ban(1))) == [f"{name} banned Bob", "Bob left with 100 points"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "1 second"),
        (1, "1 second"),
        (2, "2 seconds"),
        (119, "119 seconds"),
        (120, "2 minutes"),
        (630, "10 minutes"),
    ],
)
def test_how_long_a_pause_was(seconds: int, words: str) -> None:
    session = Session()
    session.ask("ann", c.Pause())
    session.now += seconds * 1000
    assert after(session, ("ann", c.ResumePlay())) == [f"The table resumed after {words}"]


def test_joining_and_leaving_in_words() -> None:
    session = Session(people=0)
    assert after(session, ("ann", c.Sit(0, 100)), ("bob", c.Sit(1, 60))) == [
        "Ann joined with 100 points",
        "Bob joined with 60 points",
    ]
    assert after(session, ("bob", c.TopUp(40))) == ["Bob added 40 points"]
    assert after(session, ("bob", c.SitOut()), ("bob", c.SitIn())) == [
        "Bob is sitting out",
        "Bob is back in the game",
    ]
    assert after(session, ("ann", c.LockSeats(locked=True)), ("ann", c.LockSeats(locked=False))) == [
        "Seats are locked",
        "Seats are unlocked",
    ]
    assert after(session, ("ann", c.TransferHost(1))) == ["Bob is now the host"]
    assert after(session, ("bob", c.Leave())) == ["Bob left with 100 points"]


def test_points_are_not_named_where_no_buy_in_is_needed() -> None:
    """Rules §6: without a prize such a table keeps a count and asks for no buy-in."""
    session = Session({"preset": "first_to_11", "match.prize": 0}, people=0)
    assert after(session, ("ann", c.Sit(0, 0)), ("ann", c.Leave())) == ["Ann joined", "Ann left"]


def test_stakes_between_two() -> None:
    """Rules §4: what is agreed while a deal is on holds from the next one."""
    session = Session()
    assert after(session, ("ann", c.OfferStake(1, 3)), ("bob", c.OfferStake(0, 3))) == [
        "Ann offered Bob a side stake of × 3",
        "Ann and Bob play for × 3 from the next deal",
    ]
    session.begin()
    assert after(session, ("bob", c.OfferStake(0, 5)), ("ann", c.OfferStake(1, 5))) == [
        "Bob offered Ann a side stake of × 5",
        "Ann and Bob play for × 5 from the next deal",
    ]


def test_an_offer_that_is_turned_down_or_taken_back() -> None:
    session = Session()
    assert after(session, ("ann", c.OfferStake(1, 3)), ("bob", c.DeclineStake(0)))[1:] == [
        "Bob declined the side stake that Ann offered"
    ]
    assert after(session, ("ann", c.OfferStake(1, 3)), ("ann", c.WithdrawStake(1)))[1:] == [
        "Ann took back the side stake offered to Bob"
    ]


def test_rules_that_are_chosen() -> None:
    session = Session()
    chosen = c.ChangeRules({"preset": "turbo", "stake.point": 5})
    (now,) = after(session, ("ann", chosen))
    assert now.startswith("Now: Turbo open-face, ")
    session.begin()
    (later,) = after(session, ("ann", c.ChangeRules("pineapple")))
    assert later.startswith("New rules from the next match: Pineapple, ")


def test_a_deal_is_announced_by_what_each_has_won() -> None:
    session = Session(boards=[{0: LOW, 1: PLAIN}])
    session.begin()
    before = len(session.state().talk)
    session.play()
    won = session.stacks()[0] - 100
    assert won < 0
    lines = narrated(session, before)
    assert lines[0] == f"Deal 1: Ann \N{MINUS SIGN}{-won}, Bob +{-won}"
    assert lines[1:] == []  # a match of one deal is not told again


def test_a_minute_more() -> None:
    session = Session()
    session.play()
    assert after(session, ("bob", c.RequestDelay())) == ["Bob asked for one more minute"]


def test_a_table_that_closes() -> None:
    assert after(Session(), ("ann", c.CloseTable()))[-1] == "The table is closed"


def test_a_board_without_a_seat_is_no_longer_shown() -> None:
    """Rules for two after a deal of three: the third board has no seat to lie before."""
    session = Session(people=3)
    session.play()
    session.ask("cid", c.Leave())
    assert session.see("ann").deal is not None
    session.ask("ann", c.ChangeRules({"preset": "pineapple", "seats.max": 2}))
    assert len(session.see("ann").seats) == 2
    assert session.see("ann").deal is None
    two = Session(people=2)
    two.play()
    two.ask("ann", c.ChangeRules({"preset": "pineapple", "seats.max": 2}))
    assert two.see("ann").deal is not None


def test_a_chat_line_of_the_maximum_length_is_accepted() -> None:
    """240 signs; one more is refused (test_illegal_commands.py)."""
    session = Session()
    session.ask("dan", c.Say("a" * 240))
    assert session.state().talk[-1].text == "a" * 240
