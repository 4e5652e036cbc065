"""What the session has cost or brought each player, and who pays whom. Rule: Rules §6 (stake)."""

from __future__ import annotations

from tests.table.session import FOUL, LOW, PLAIN, Session
from triptych.table import commands as c
from triptych.table.aggregate import transfers
from triptych.table.ledger import balances
from triptych.table.view_types import DebtView


def test_accounts_show_points_won_and_lost() -> None:
    session = Session(boards=[{0: LOW, 1: PLAIN}])
    assert [(account.name, account.brought, account.points) for account in session.see("ann").accounts] == [
        ("Ann", 100, 0),
        ("Bob", 100, 0),
    ]
    assert session.see("ann").debts == ()
    session.play()
    won = session.stacks()[0] - 100
    winner, loser = ("ann", "bob") if won > 0 else ("bob", "ann")
    assert session.see("nobody").debts == (DebtView(loser, winner, abs(won)),)


def test_buying_in_again_and_leaving_change_nothing_that_was_won() -> None:
    session = Session(boards=[{0: LOW, 1: PLAIN}])
    session.play()
    before = {account.player: account.points for account in session.see("ann").accounts}
    session.ask("ann", c.TopUp(20))
    session.ask("bob", c.Leave())
    session.ask("bob", c.Sit(2, 60))
    session.ask("ann", c.Leave())
    after = session.see("nobody")
    assert {account.player: account.points for account in after.accounts} == before
    assert {account.player: account.brought for account in after.accounts} == {"ann": 120, "bob": 160}
    # The ledger says the same: what came back to a player, less what they brought.
    held = balances(transfers(session.log))
    assert held["player:ann"] == before["ann"]
    assert held["player:bob"] == before["bob"] - 60


def test_a_player_who_left_even_is_not_listed() -> None:
    session = Session()
    session.ask("cid", c.Sit(2, 50))
    session.ask("cid", c.Leave())
    assert [account.player for account in session.see("ann").accounts] == ["ann", "bob"]


def test_a_departed_player_is_listed_by_the_name_at_departure() -> None:
    session = Session(boards=[{0: LOW, 1: PLAIN}])
    session.play()
    session.rename("bob", "Bobby")
    assert {account.name for account in session.see("ann").accounts} == {"Ann", "Bobby"}
    session.ask("bob", c.Leave())
    assert {account.name for account in session.see("ann").accounts} == {"Ann", "Bobby"}


def test_a_deal_that_moved_nothing_was_played_all_the_same() -> None:
    """At the end of a session "no deal was played" stood beside the sheet of two fouls."""
    session = Session(boards=[{0: FOUL, 1: "AdKc3h/7h2c4c9h5h/8cTh6cJd4h"}])
    session.play()
    assert session.stacks()[:2] == (100, 100)
    session.ask("ann", c.Leave())
    session.ask("bob", c.Leave())
    assert [(account.name, account.points) for account in session.see("ann").accounts] == [("Ann", 0), ("Bob", 0)]
