"""Offers of a pair's own stake, and who may make one. Rule: Rules §4 (per-pair stakes); source 003 L17."""

from __future__ import annotations

import pytest

from tests.table.session import Session
from triptych.table import commands as c
from triptych.table.errors import TableError
from triptych.table.state import Stake
from triptych.table.view_types import StakeView


def stakes(session: Session) -> set[tuple[int, int, int, int | None]]:
    """Return what is agreed and offered: the pair, the stake, and who offers it."""
    return {(stake.a, stake.b, stake.stake, stake.offered_by) for stake in session.state().stakes}


def refused(session: Session, player: str, request: c.PlayerRequest) -> str:
    with pytest.raises(TableError) as caught:
        session.branch().ask(player, request)
    return caught.value.code


def test_a_stake_is_agreed_when_the_other_offers_the_same() -> None:
    session = Session(people=3)
    session.ask("bob", c.OfferStake(0, 3))
    assert stakes(session) == {(0, 1, 3, 1)}
    assert session.see("dan").stakes == (StakeView(0, 1, 3, 1),)
    session.ask("cid", c.OfferStake(1, 3))  # of another pair: no answer to Bob's
    session.ask("ann", c.OfferStake(1, 3))
    assert stakes(session) == {(0, 1, 3, None), (1, 2, 3, 2)}
    assert session.see("dan").stakes == (StakeView(1, 2, 3, 2), StakeView(0, 1, 3, None))


def test_both_can_offer_different_stakes_and_either_can_accept() -> None:
    session = Session()
    session.ask("ann", c.OfferStake(1, 3))
    session.ask("bob", c.OfferStake(0, 5))
    assert stakes(session) == {(0, 1, 3, 0), (0, 1, 5, 1)}
    other = session.branch()
    other.ask("ann", c.OfferStake(1, 5))
    assert stakes(other) == {(0, 1, 5, None)}
    session.ask("bob", c.OfferStake(0, 3))
    assert stakes(session) == {(0, 1, 3, None)}


def test_a_new_offer_replaces_the_players_offer_and_not_the_opponents() -> None:
    session = Session()
    session.ask("ann", c.OfferStake(1, 3))
    session.ask("bob", c.OfferStake(0, 5))
    session.ask("ann", c.OfferStake(1, 4))
    assert stakes(session) == {(0, 1, 5, 1), (0, 1, 4, 0)}
    # Three is offered no more.
    session.ask("bob", c.OfferStake(0, 3))
    assert stakes(session) == {(0, 1, 4, 0), (0, 1, 3, 1)}


def test_the_stake_that_is_played_for_is_offered_only_to_take_back_another_offer() -> None:
    """The table's stake, or what was agreed, is the pair's already, unless the other asks for something else."""
    session = Session()
    assert refused(session, "ann", c.OfferStake(1, 1)) == "request.repeated"
    session.ask("bob", c.OfferStake(0, 4))
    session.ask("ann", c.OfferStake(1, 1))
    assert stakes(session) == {(0, 1, 4, 1), (0, 1, 1, 0)}
    session.ask("ann", c.OfferStake(1, 4))
    assert stakes(session) == {(0, 1, 4, None)}
    assert refused(session, "bob", c.OfferStake(0, 4)) == "request.repeated"
    # Who asks for what is agreed turns the other's offer down; nothing is agreed again.
    down = session.branch()
    down.ask("bob", c.OfferStake(0, 7))
    assert down.kinds(down.ask("ann", c.OfferStake(1, 4))) == ["StakeOffered"]
    assert stakes(down) == {(0, 1, 4, None), (0, 1, 7, 1), (0, 1, 4, 0)}
    session.ask("bob", c.OfferStake(0, 1))
    assert stakes(session) == {(0, 1, 4, None), (0, 1, 1, 1)}
    assert refused(session, "bob", c.OfferStake(0, 1)) == "request.repeated"


def test_an_offer_is_turned_down_or_taken_back() -> None:
    session = Session(people=3)
    session.ask("ann", c.OfferStake(1, 3))
    session.ask("bob", c.OfferStake(0, 5))
    session.ask("cid", c.OfferStake(0, 7))
    assert {"decline_stake", "withdraw_stake"} <= set(session.see("bob").may)
    assert "decline_stake" not in session.see("cid").may
    session.ask("ann", c.DeclineStake(1))
    assert stakes(session) == {(0, 1, 3, 0), (0, 2, 7, 2)}
    session.ask("cid", c.WithdrawStake(0))
    assert stakes(session) == {(0, 1, 3, 0)}
    assert not {"decline_stake", "withdraw_stake"} & set(session.see("cid").may)
    for player, request in (("bob", c.WithdrawStake(0)), ("ann", c.DeclineStake(1)), ("cid", c.DeclineStake(3))):
        assert refused(session, player, request) == "stake.none"
    assert refused(session, "dan", c.DeclineStake(0)) == "player.not_seated"


def test_an_agreed_stake_is_shown_for_the_next_deal_while_another_is_played() -> None:
    session = Session()
    session.ask("ann", c.OfferStake(1, 3))
    session.ask("bob", c.OfferStake(0, 3))
    assert session.see("ann").stakes == (StakeView(0, 1, 3),)
    session.begin()
    assert session.see("ann").stakes == (StakeView(0, 1, 3),)
    session.ask("ann", c.OfferStake(1, 4))
    session.ask("bob", c.OfferStake(0, 4))
    assert session.see("ann").stakes == (StakeView(0, 1, 4, next_deal=True),)
    session.play()
    assert session.see("ann").stakes == (StakeView(0, 1, 4),)


def test_the_largest_stake_and_the_smallest() -> None:
    session = Session(people=3)
    assert refused(session, "ann", c.OfferStake(1, 10_001)) == "stake.range"
    assert refused(session, "ann", c.OfferStake(1, 0)) == "stake.range"
    session.ask("ann", c.OfferStake(1, 10_000))
    assert stakes(session) == {(0, 1, 10_000, 0)}


def test_the_stakes_of_a_leaving_player_end() -> None:
    session = Session(people=3)
    session.ask("ann", c.OfferStake(1, 3))
    session.ask("ann", c.OfferStake(2, 4))
    session.ask("bob", c.OfferStake(2, 5))
    session.ask("cid", c.OfferStake(1, 5))
    session.ask("bob", c.Leave())
    assert stakes(session) == {(0, 2, 4, 0)}


def test_only_what_was_agreed_before_the_deal_is_played_for() -> None:
    session = Session(people=3)
    session.ask("ann", c.OfferStake(1, 3))
    session.ask("bob", c.OfferStake(0, 3))
    session.ask("cid", c.OfferStake(0, 7))
    session.begin()
    assert session.state().deal_stakes == (Stake(0, 1, 3),)
    session.play()
    sheet = session.state().sheet
    assert sheet is not None
    seats = [hand.seat for hand in sheet.hands]
    assert {(seats[pair.a], seats[pair.b]): pair.stake for pair in sheet.pairs if pair.stake != 1} in (
        {(0, 1): 3},
        {(1, 0): 3},
    )


def test_a_stake_is_offered_only_where_another_person_sits() -> None:
    """Bots play for the table's stake."""
    session = Session(people=1)
    assert "offer_stake" not in session.see("ann").may
    session.ask("ann", c.SeatBot(1, "first", 100))
    assert "offer_stake" not in session.see("ann").may
    session.ask("cid", c.Sit(2, 100))
    assert "offer_stake" in session.see("ann").may
    assert "offer_stake" not in session.see("dan").may
