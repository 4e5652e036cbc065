"""Table stakes, stakes between two players, and the double-entry ledger. Rule: Rules §4, 6; source 002 L7, L53."""

from __future__ import annotations

from tests.table.session import FOUL, LAND, LOW, PLAIN, THIRD, Session
from triptych.table import commands as c
from triptych.table.aggregate import transfers
from triptych.table.ledger import Transfer, balances


def test_every_point_has_an_account_it_came_from() -> None:
    """Source 000 L176: what is owed is paid, and the next deal begins."""
    session = Session(buy_in=50, boards=[{0: LAND, 1: FOUL}] * 2)
    session.ask("bob", c.TopUp(10))
    session.play()
    session.play()
    session.ask("bob", c.Leave())
    assert transfers(session.log) == (
        Transfer("player:ann", "table:t1:ann", 50, "buy_in"),
        Transfer("player:bob", "table:t1:bob", 50, "buy_in"),
        Transfer("player:bob", "table:t1:bob", 10, "top_up"),
        Transfer("table:t1:bob", "table:t1:ann", 13, "deal"),
        Transfer("table:t1:bob", "table:t1:ann", 13, "deal"),
        Transfer("table:t1:bob", "player:bob", 34, "cash_out"),
    )
    assert balances(transfers(session.log)) == {
        "player:ann": -50,
        "table:t1:ann": 76,
        "player:bob": -26,
        "table:t1:bob": 0,
    }


def test_nobody_loses_more_than_the_opponent_brought() -> None:
    """Source 002 L7.3: nobody wins or loses more than the opponent has brought."""
    session = Session(buy_in=50, boards=[{0: LAND, 1: FOUL}])
    session.ask("ann", c.OfferStake(1, 10))
    session.ask("bob", c.OfferStake(0, 10))
    session.play()
    sheet = session.see("ann").sheet
    assert sheet is not None
    assert (sheet.pairs[0].points, sheet.pairs[0].stake, sheet.pairs[0].moved.points) == (13, 10, 50)
    assert [(stack.before, stack.change, stack.after) for stack in sheet.stacks] == [(50, 50, 100), (50, -50, 0)]


def test_two_players_agree_on_their_own_stake() -> None:
    """Rules §4 (per-pair stakes): two play for 5 a point, the others for 1. Sources 003 L17.6, 004 L67.6."""
    boards = {0: LOW, 1: PLAIN, 2: THIRD}
    session = Session(people=3, buy_in=200, boards=[boards, boards])
    session.ask("cid", c.OfferStake(0, 5))
    view = session.see("ann")
    assert [(stake.a, stake.b, stake.stake, stake.offered_by) for stake in view.stakes] == [(0, 2, 5, 2)]
    session.ask("ann", c.OfferStake(2, 4))
    session.ask("ann", c.OfferStake(2, 5))
    view = session.see("bob")
    assert [(stake.a, stake.b, stake.stake, stake.offered_by) for stake in view.stakes] == [(0, 2, 5, None)]
    session.play()
    sheet = session.see("ann").sheet
    assert sheet is not None
    seats = [hand.seat for hand in sheet.hands]
    stakes = {frozenset((seats[pair.a], seats[pair.b])): pair.stake for pair in sheet.pairs}
    assert stakes == {frozenset((0, 1)): 1, frozenset((0, 2)): 5, frozenset((1, 2)): 1}
    for pair in sheet.pairs:
        assert pair.moved.points == pair.points * pair.stake


def test_a_stake_goes_with_the_player_who_agreed_to_it() -> None:
    session = Session(people=3)
    session.ask("cid", c.OfferStake(0, 5))
    session.ask("ann", c.OfferStake(2, 5))
    session.ask("cid", c.Leave())
    assert session.see("ann").stakes == ()


def test_money_is_only_shown() -> None:
    """Rules §6 (stake): the price of a point, part of the rules before play; the stacks stay points.

    Sources 000 L15.2, L192, L343.1; 001 L10.3; 003 L17.1; 004 L67.1.
    """
    session = Session(
        {"preset": "pineapple", "stake.point": 0.5, "stake.unit": "EUR"}, buy_in=50, boards=[{0: LAND, 1: FOUL}]
    )
    session.play()
    assert session.stacks() == (63, 37, 0)
    rules = session.see("ann").rules
    assert (rules.stake_point, rules.stake_unit) == (0.5, "EUR")


def test_pairs_are_paid_in_position_order() -> None:
    """Source 002 L53.3: first and second after the button, first and button, second and button."""
    session = Session(people=3, boards=[{0: LOW, 1: PLAIN, 2: THIRD}])
    session.play()
    deal = [transfer for transfer in transfers(session.log) if transfer.reason == "deal"]
    pairs = [{transfer.debit[-3:], transfer.credit[-3:]} for transfer in deal]
    order = [{"ann", "bob"}, {"ann", "cid"}, {"bob", "cid"}]
    assert pairs == [pair for pair in order if pair in pairs]
    assert len(pairs) >= 2
