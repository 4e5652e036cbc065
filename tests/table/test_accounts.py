"""What the evening has cost or brought each player, and who pays whom. Rule: Rules §6 (stake)."""

from __future__ import annotations

from tests.table.evening import FOUL, LOW, PLAIN, Evening
from triptych.table import commands as c
from triptych.table.aggregate import transfers
from triptych.table.ledger import balances
from triptych.table.view_types import DebtView


def test_the_evening_is_told_in_points_won_and_lost() -> None:
    evening = Evening(boards=[{0: LOW, 1: PLAIN}])
    assert [(one.name, one.brought, one.points) for one in evening.see("ann").accounts] == [
        ("Ann", 100, 0),
        ("Bob", 100, 0),
    ]
    assert evening.see("ann").debts == ()
    evening.play()
    won = evening.stacks()[0] - 100
    winner, loser = ("ann", "bob") if won > 0 else ("bob", "ann")
    assert evening.see("nobody").debts == (DebtView(loser, winner, abs(won)),)


def test_buying_in_again_and_leaving_change_nothing_that_was_won() -> None:
    evening = Evening(boards=[{0: LOW, 1: PLAIN}])
    evening.play()
    before = {one.player: one.points for one in evening.see("ann").accounts}
    evening.ask("ann", c.TopUp(20))
    evening.ask("bob", c.Leave())
    evening.ask("bob", c.Sit(2, 60))
    evening.ask("ann", c.Leave())
    after = evening.see("nobody")
    assert {one.player: one.points for one in after.accounts} == before
    assert {one.player: one.brought for one in after.accounts} == {"ann": 120, "bob": 160}
    # The ledger says the same: what came back to a player, less what they brought.
    held = balances(transfers(evening.log))
    assert held["player:ann"] == before["ann"]
    assert held["player:bob"] == before["bob"] - 60


def test_who_came_and_left_even_is_not_listed() -> None:
    evening = Evening()
    evening.ask("cid", c.Sit(2, 50))
    evening.ask("cid", c.Leave())
    assert [one.player for one in evening.see("ann").accounts] == ["ann", "bob"]


def test_who_has_left_is_listed_by_the_name_they_left_with() -> None:
    evening = Evening(boards=[{0: LOW, 1: PLAIN}])
    evening.play()
    evening.rename("bob", "Bobby")
    assert {one.name for one in evening.see("ann").accounts} == {"Ann", "Bobby"}
    evening.ask("bob", c.Leave())
    assert {one.name for one in evening.see("ann").accounts} == {"Ann", "Bobby"}


def test_a_deal_that_moved_nothing_was_played_all_the_same() -> None:
    """At the end of an evening "no deal was played" stood beside the sheet of two fouls."""
    evening = Evening(boards=[{0: FOUL, 1: "AdKc3h/7h2c4c9h5h/8cTh6cJd4h"}])
    evening.play()
    assert evening.stacks()[:2] == (100, 100)
    evening.ask("ann", c.Leave())
    evening.ask("bob", c.Leave())
    assert [(one.name, one.points) for one in evening.see("ann").accounts] == [("Ann", 0), ("Bob", 0)]
