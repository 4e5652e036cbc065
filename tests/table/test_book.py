"""On the book: no stacks, points below zero, settled when the evening ends. Rule: Rules §6 (settlement.credit)."""

from __future__ import annotations

import pytest

from tests.table.evening import FOUL, LAND, LOW, PLAIN, Evening
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
    """Sources 000 L300, 001 L10.4: points are written down; who owes whom is settled when the evening is over."""
    evening = Evening(BOOK, buy_in=0, boards=[DEAL] * 5)
    for deal in range(1, 6):
        evening.play()
        assert evening.stacks()[:2] == (13 * deal, -13 * deal)
    assert evening.state().next_at is not None
    assert evening.see("bob").rules.purse == "book"
    assert "top_up" not in evening.see("bob").may
    assert evening.see("bob").accounts == (AccountView("ann", "Ann", 0, 65), AccountView("bob", "Bob", 0, -65))
    assert evening.see("bob").debts == (DebtView("bob", "ann", 65),)


def test_who_leaves_takes_the_debt_along_and_the_ledger_balances() -> None:
    evening = Evening(BOOK, buy_in=0, boards=[DEAL, {0: LOW, 1: PLAIN}])
    evening.play()
    events = evening.ask("bob", c.Leave())
    assert events[0].event == PlayerLeft(evening.now, "t1", 1, "bob", -13)
    assert evening.state().talk[-1].text == "Bob leaves with \N{MINUS SIGN}13 points on the book"
    held = balances(transfers(evening.log))
    assert sum(held.values()) == 0
    assert held[player_account("bob")] == -13
    assert all(entry.points > 0 for entry in transfers(evening.log))
    evening.ask("bob", c.Sit(1))
    evening.play()
    accounts = {one.player: one.points for one in evening.see("ann").accounts}
    assert sum(accounts.values()) == 0
    assert accounts["bob"] == -13 + evening.stacks()[1]


def test_the_table_asks_for_no_buy_in() -> None:
    with pytest.raises(TableError) as refused:
        Evening(BOOK, buy_in=50)
    assert refused.value.code == "points.buy_in"
    evening = Evening(BOOK, buy_in=0)
    with pytest.raises(TableError) as refused:
        evening.ask("ann", c.TopUp(10))
    assert refused.value.code == "points.not_kept"
    assert any(line.startswith("Points are kept on the book") for line in describe(evening.rules))


def test_table_stakes_do_not_bound_the_book() -> None:
    """A book has no stacks, whatever `settlement.cap` and `settlement.after_bust` say (a warning in the editor)."""
    rules = BOOK | {"settlement.cap": "min_current", "settlement.after_bust": "stop"}
    evening = Evening(rules, buy_in=0, boards=[DEAL] * 2)
    evening.play()
    evening.play()
    assert evening.stacks()[:2] == (26, -26)


def test_bots_play_on_the_book_too() -> None:
    evening = Evening(BOOK, people=1, buy_in=0, boards=[DEAL] * 2)
    evening.ask("ann", c.SeatBot(1, "first"))
    evening.play()
    evening.play()
    assert evening.stacks()[:2] == (26, -26)
    assert "ToppedUp" not in evening.kinds()
