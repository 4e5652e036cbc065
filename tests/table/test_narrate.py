"""The table's own lines among the talk: what happened, to whom and by whom, as everybody reads it."""

from __future__ import annotations

import pytest

from tests.table.evening import LOW, PLAIN, Evening
from triptych.table import commands as c


def told(evening: Evening, before: int) -> list[str]:
    return [line.text for line in evening.state().talk[before:] if not line.player]


def after(evening: Evening, *asked: tuple[str, c.PlayerRequest | c.SystemRequest]) -> list[str]:
    """Return what the table has said to some requests."""
    before = len(evening.state().talk)
    for player, request in asked:
        evening.ask(player, request)
    return told(evening, before)


@pytest.mark.parametrize(("host", "name"), [("ann", "Ann"), ("dan", "The host")])
def test_who_rules_is_named_or_is_the_host_who_has_no_seat(host: str, name: str) -> None:
    evening = Evening(people=2, host=host)
    assert after(evening, (host, c.Pause())) == [f"{name} pauses the table; no clock runs"]
    evening.now += 61_400
    assert after(evening, (host, c.ResumePlay())) == ["The table goes on after 61 seconds"]
    assert after(evening, (host, c.AddTime(1, 60))) == [f"{name} gives Bob 60 seconds more"]
    assert after(evening, (host, c.Ban(1))) == [f"{name} sends Bob away", "Bob leaves with 100 points"]


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
    evening = Evening()
    evening.ask("ann", c.Pause())
    evening.now += seconds * 1000
    assert after(evening, ("ann", c.ResumePlay())) == [f"The table goes on after {words}"]


def test_who_comes_and_goes() -> None:
    evening = Evening(people=0)
    assert after(evening, ("ann", c.Sit(0, 100)), ("bob", c.Sit(1, 60))) == [
        "Ann sits down with 100 points",
        "Bob sits down with 60 points",
    ]
    assert after(evening, ("bob", c.TopUp(40))) == ["Bob adds 40 points"]
    assert after(evening, ("bob", c.SitOut()), ("bob", c.SitIn())) == ["Bob sits out", "Bob is back in the game"]
    assert after(evening, ("ann", c.LockSeats(locked=True)), ("ann", c.LockSeats(locked=False))) == [
        "Nobody else can sit down now",
        "The free seats are open again",
    ]
    assert after(evening, ("ann", c.TransferHost(1))) == ["Bob is the host now"]
    assert after(evening, ("bob", c.Leave())) == ["Bob leaves with 100 points"]


def test_where_no_points_are_brought_none_are_named() -> None:
    """Rules §6: without a prize such a table keeps a count and asks for no buy-in."""
    evening = Evening({"preset": "first_to_11", "match.prize": 0}, people=0)
    assert after(evening, ("ann", c.Sit(0, 0)), ("ann", c.Leave())) == ["Ann sits down", "Ann leaves"]


def test_stakes_between_two() -> None:
    """Rules §4: what is agreed while a deal is on holds from the next one."""
    evening = Evening()
    assert after(evening, ("ann", c.OfferStake(1, 3)), ("bob", c.OfferStake(0, 3))) == [
        "Ann offers Bob a stake of 3 a point",
        "Ann and Bob play for 3 a point between them",
    ]
    evening.begin()
    assert after(evening, ("bob", c.OfferStake(0, 5)), ("ann", c.OfferStake(1, 5))) == [
        "Bob offers Ann a stake of 5 a point",
        "Ann and Bob play for 5 a point between them, from the next deal on",
    ]


def test_rules_that_are_chosen() -> None:
    evening = Evening()
    chosen = c.ChangeRules({"preset": "turbo", "stake.point": 5})
    (now,) = after(evening, ("ann", chosen))
    assert now.startswith("Now: Turbo open-face, ")
    evening.begin()
    (later,) = after(evening, ("ann", c.ChangeRules("pineapple")))
    assert later.startswith("From the next match on: Pineapple, ")


def test_a_deal_is_told_in_what_each_has_won() -> None:
    evening = Evening(boards=[{0: LOW, 1: PLAIN}])
    evening.begin()
    before = len(evening.state().talk)
    evening.play()
    won = evening.stacks()[0] - 100
    assert won < 0
    lines = told(evening, before)
    assert lines[0] == f"Deal 1: Ann \N{MINUS SIGN}{-won}, Bob +{-won}"
    assert lines[1:] == []  # a match of one deal is not told again


def test_a_minute_more() -> None:
    evening = Evening()
    evening.play()
    assert after(evening, ("bob", c.RequestDelay())) == ["Bob asks for a minute more"]


def test_a_table_that_closes() -> None:
    assert after(Evening(), ("ann", c.CloseTable()))[-1] == "The table is closed"


def test_a_board_whose_seat_is_gone_is_shown_no_more() -> None:
    """Rules for two after a deal of three: the third board has no seat to lie before."""
    evening = Evening(people=3)
    evening.play()
    evening.ask("cid", c.Leave())
    assert evening.see("ann").deal is not None
    evening.ask("ann", c.ChangeRules({"preset": "pineapple", "seats.max": 2}))
    assert len(evening.see("ann").seats) == 2
    assert evening.see("ann").deal is None
    two = Evening(people=2)
    two.play()
    two.ask("ann", c.ChangeRules({"preset": "pineapple", "seats.max": 2}))
    assert two.see("ann").deal is not None


def test_a_line_may_be_as_long_as_it_is_said_to_be() -> None:
    """DESIGN 5: 240 signs; one more is refused (test_refusals.py)."""
    evening = Evening()
    evening.ask("dan", c.Say("a" * 240))
    assert evening.state().talk[-1].text == "a" * 240
