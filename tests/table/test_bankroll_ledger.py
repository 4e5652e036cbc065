"""On the book: no stacks, points below zero, settled when the session ends. Rule: Rules §6 (settlement.credit)."""

from __future__ import annotations

import pytest

from tests.table.session import FOUL, LAND, LOW, PLAIN, Session
from triptych.rulesets.describe.sections import describe
from triptych.table import commands as c
from triptych.table.aggregate import transfers
from triptych.table.errors import TableError
from triptych.table.events import PlayerLeft
from triptych.table.ledger import balances, player_account
from triptych.table.view_types import AccountView, DebtView

BOOK = {"preset": "pineapple", "settlement.credit": True, "settlement.cap": "none", "fantasyland.kind": "none"}
# Ann's queens and Bob's foul: 6 for the scoop and 7 for the royalty of the queens.
DEAL = {0: LAND, 1: FOUL}


def test_points_run_below_zero_and_nobody_is_bust() -> None:
    """Sources 000 L300, 001 L10.4: points are written down; who owes whom is settled when the session is over."""
    session = Session(BOOK, buy_in=0, boards=[DEAL] * 5)
    for deal in range(1, 6):
        session.play()
        assert session.stacks()[:2] == (13 * deal, -13 * deal)
    assert session.state().next_at is not None
    assert session.see("bob").rules.purse == "book"
    assert "top_up" not in session.see("bob").may
    assert session.see("bob").accounts == (AccountView("ann", "Ann", 0, 65), AccountView("bob", "Bob", 0, -65))
    assert session.see("bob").debts == (DebtView("bob", "ann", 65),)


def test_a_leaving_player_keeps_the_debt_and_the_ledger_balances() -> None:
    session = Session(BOOK, buy_in=0, boards=[DEAL, {0: LOW, 1: PLAIN}])
    session.play()
    events = session.ask("bob", c.Leave())
    assert events[0].event == PlayerLeft(session.now, "t1", 1, "bob", -13)
    assert session.state().talk[-1].text == "Bob left with a balance of \N{MINUS SIGN}13"
    held = balances(transfers(session.log))
    assert sum(held.values()) == 0
    assert held[player_account("bob")] == -13
    assert all(entry.points > 0 for entry in transfers(session.log))
    session.ask("bob", c.Sit(1))
    session.play()
    accounts = {account.player: account.points for account in session.see("ann").accounts}
    assert sum(accounts.values()) == 0
    assert accounts["bob"] == -13 + session.stacks()[1]


def test_the_table_asks_for_no_buy_in() -> None:
    with pytest.raises(TableError) as refused:
        Session(BOOK, buy_in=50)
    assert refused.value.code == "points.buy_in"
    session = Session(BOOK, buy_in=0)
    with pytest.raises(TableError) as refused:
        session.ask("ann", c.TopUp(10))
    assert refused.value.code == "points.not_kept"
    assert any(line.startswith("Points are a running balance") for line in describe(session.rules))


def test_table_stakes_do_not_bound_the_book() -> None:
    """A book has no stacks, whatever `settlement.cap` and `settlement.after_bust` say (a warning in the editor)."""
    rules = BOOK | {"settlement.cap": "min_current", "settlement.after_bust": "stop"}
    session = Session(rules, buy_in=0, boards=[DEAL] * 2)
    session.play()
    session.play()
    assert session.stacks()[:2] == (26, -26)


def test_bots_play_on_the_book_too() -> None:
    session = Session(BOOK, people=1, buy_in=0, boards=[DEAL] * 2)
    session.ask("ann", c.SeatBot(1, "first"))
    session.play()
    session.play()
    assert session.stacks()[:2] == (26, -26)
    assert "ToppedUp" not in session.kinds()
