"""Tournaments: levels that raise what a point is worth, equal chips, places. Rule: Rules §6 (tournament)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.examples import examples
from tests.table.session import FOUL, LAND, LOW, PLAIN, Session
from triptych.deal.engine import acting_hands
from triptych.table import commands as c
from triptych.table.aggregate import next_wakeup, transfers
from triptych.table.errors import TableError
from triptych.table.events import PlaceTaken
from triptych.table.ledger import balances
from triptych.table.view_types import LevelView, PlaceView

DULL = {0: LOW, 1: PLAIN}
BY_DEALS = {"preset": "pineapple", "tournament.levels": "deals:2", "tournament.chips_per_point": [1, 3, 10]} | {
    "seats.buy_in_min": 200
}
BY_MINUTES = {**BY_DEALS, "tournament.levels": "minutes:30"}
MINUTE = 60_000


def _won(session: Session) -> int:
    """Play a deal and return what Ann's stack gained; points are the same in each."""
    before = session.state().seats[0].stack
    session.play()
    return session.state().seats[0].stack - before


def test_levels_by_deals_raise_what_a_point_is_worth() -> None:
    """Source 000 L301.1: points are worth chips, settled after each deal."""
    session = Session(BY_DEALS, buy_in=200, boards=[DULL] * 5)
    first = _won(session)
    assert first
    assert [_won(session) for _ in range(4)] == [first, 3 * first, 3 * first, 10 * first]
    sheet = session.state().sheet
    assert sheet is not None
    assert [pair.stake for pair in sheet.pairs] == [10]


def test_the_view_shows_the_level_and_the_next() -> None:
    session = Session(BY_DEALS, buy_in=200, boards=[DULL] * 5)
    levels = []
    for _ in range(5):
        session.play()
        levels.append(session.see("ann").level)
    assert levels[0] == LevelView(number=1, chips=1, next_chips=3, next_deal=3)
    assert levels[2] == LevelView(number=2, chips=3, next_chips=10, next_deal=5)
    assert levels[4] == LevelView(number=3, chips=10)
    assert Session().see("ann").level is None


def test_levels_by_minutes_begin_with_the_next_deal_and_stand_still_while_the_server_is_away() -> None:
    """Source 000 L301.2: every half an hour a point is worth more."""
    session = Session(BY_MINUTES, buy_in=200, boards=[DULL] * 4)
    assert session.see("ann").level == LevelView(
        number=1, chips=1, next_chips=3
    )  # nothing runs before the first deal
    first = _won(session)
    begun = session.state().started
    assert begun is not None
    assert session.see("ann").level == LevelView(number=1, chips=1, next_chips=3, next_at=begun + 30 * MINUTE)
    away = session.state().at
    session.now = away + 25 * MINUTE
    session.ask("", c.ReportDowntime(away))
    for player in ("ann", "bob"):
        session.ask(player, c.Connected())
    assert _won(session) == first
    session.now += 31 * MINUTE
    assert _won(session) == 3 * first


def test_a_pairs_own_stake_counts_in_every_level() -> None:
    session = Session(BY_DEALS, buy_in=200, boards=[DULL] * 3)
    first = _won(session)
    session.ask("ann", c.OfferStake(1, 2))
    session.ask("bob", c.OfferStake(0, 2))
    assert _won(session) == 2 * first
    assert _won(session) == 6 * first


# Ann's queens, Bob's foul, and a board of Cid's that both of them leave room for: without royalties, below Ann's.
CIDS = "2d4h5c/9c9d6c7d8c/JcJdTcTd3h"
EQUAL = {
    "preset": "pineapple",
    "fantasyland.kind": "none",
    "tournament.levels": "deals:9",
    "tournament.chips_per_point": [1],
    "seats.buy_in_min": 20,
    "seats.buy_in_max": 20,
    "settlement.cap": "none",
}


def places(session: Session) -> list[tuple[str, int]]:
    """Return who has taken which place so far."""
    return [
        (emitted.event.player, emitted.event.place)
        for emitted in session.log
        if isinstance(emitted.event, PlaceTaken)
    ]


def test_one_buy_in_for_all_no_top_up_nobody_joins_later() -> None:
    session = Session(EQUAL, buy_in=20, boards=[{0: LAND, 1: FOUL}])
    with pytest.raises(TableError) as refused:
        session.ask("cid", c.Sit(2, 21))
    assert refused.value.code == "points.buy_in"
    with pytest.raises(TableError) as refused:
        session.ask("ann", c.TopUp(1))
    assert refused.value.code == "points.tournament"
    session.play()
    assert "sit" not in session.see("cid").may
    assert "seat_bot" not in session.see("ann").may
    with pytest.raises(TableError) as refused:
        session.ask("cid", c.Sit(2, 20))
    assert refused.value.code == "table.tournament"


def test_a_player_without_chips_is_out_and_the_last_player_wins() -> None:
    """A deal pays Ann 13 from Bob. After two Bob's 20 chips are gone: second of two."""
    session = Session(EQUAL, buy_in=20, boards=[{0: LAND, 1: FOUL}] * 2)
    session.play()
    assert places(session) == []
    session.play()
    assert session.stacks()[:2] == (40, 0)
    assert places(session) == [("bob", 2), ("ann", 1)]
    assert session.see("ann").places == (PlaceView("ann", "Ann", 1), PlaceView("bob", "Bob", 2))
    assert session.see("ann").prompt == "You won the tournament!"
    assert session.see("bob").prompt == "You finished the tournament in place 2"
    assert session.see("dan").prompt == "Ann won the tournament!"
    assert session.state().next_at is None
    assert [line.text for line in session.state().talk[-2:]] == ["Bob finished in place 2", "Ann won the tournament"]


def test_two_out_in_one_deal_are_placed_by_what_they_had_before_it() -> None:
    """Rules §6. Bob and Cid pay Ann 13 each, and Bob pays Cid 6: 46, 1 and 13 chips.

    The second deal is the same at five chips a point: all chips are Ann's; Bob began it with fewer than Cid.
    """
    levels = {"tournament.levels": "deals:1", "tournament.chips_per_point": [1, 5]}
    session = Session(EQUAL | levels, people=3, buy_in=20, boards=[{0: LAND, 1: FOUL, 2: CIDS}] * 2)
    session.play()
    assert session.stacks() == (46, 1, 13)
    session.play()
    assert session.stacks() == (60, 0, 0)
    assert places(session) == [("bob", 3), ("cid", 2), ("ann", 1)]


def test_two_out_with_equal_chips_share_the_place() -> None:
    levels = {"tournament.levels": "deals:1", "tournament.chips_per_point": [9]}
    session = Session(EQUAL | levels, people=3, buy_in=20, boards=[{0: LAND, 1: FOUL, 2: CIDS}])
    session.play()
    assert session.stacks() == (60, 0, 0)
    assert sorted(places(session)) == [("ann", 1), ("bob", 2), ("cid", 2)]


def test_nobody_is_out_before_the_pending_fantasyland_is_played() -> None:
    """Rules §6: fantasylands pending when a player busts are played first. Here Bob wins chips back in it."""
    rules = EQUAL | {"fantasyland.kind": "unlimited", "tournament.chips_per_point": [2]}
    won_back = {0: "2h3c4d/7c5d9sKs6d/8dQs6c2s4s", 1: PLAIN}
    session = Session(rules, buy_in=20, boards=[{0: LAND, 1: FOUL}, won_back])
    session.play()
    assert session.stacks()[:2] == (40, 0)
    assert places(session) == []
    session.play()
    assert session.state().deals == 2
    assert session.stacks()[1] > 0
    assert places(session) == []
    assert session.state().next_at is not None


def test_two_out_in_one_hand_are_placed_by_what_they_had_before_its_first_deal() -> None:
    """Bob and Cid are bust before Ann's fantasyland, and win nothing in it: what they had before the deal decides."""
    rules = EQUAL | {"fantasyland.kind": "tournament", "tournament.chips_per_point": [9]}
    rules |= {"settlement.cap": "min_stack_at_start"}
    session = Session(rules, people=3, buy_in=20, boards=[{0: LAND, 1: FOUL, 2: CIDS}])
    stacks = (30, 10, 20)
    seats = tuple(replace(seat, stack=stacks[seat.seat]) for seat in session.state().seats)
    session.set(replace(session.state(), seats=seats))
    session.play()
    assert session.stacks() == (60, 0, 0)
    assert places(session) == []
    session.play()
    assert session.state().deals == 2
    assert places(session) == [("bob", 3), ("cid", 2), ("ann", 1)]


def test_a_leaving_player_is_placed_behind_all_who_have_chips() -> None:
    session = Session(EQUAL, people=3, buy_in=20, boards=[{0: LAND, 1: FOUL, 2: CIDS}] * 2)
    session.play()
    session.ask("cid", c.Leave())
    assert places(session) == [("cid", 3)]
    session.ask("bob", c.Leave())
    assert places(session) == [("cid", 3), ("bob", 2), ("ann", 1)]
    assert sum(balances(transfers(session.log)).values()) == 0


def test_an_absent_player_is_dealt_in_and_waited_for_once() -> None:
    """Nobody keeps chips by staying away: Bob costs one clock and one bank, and is out all the same."""
    clock = {"clock.seconds": 30, "clock.bank": 60, "clock.bank_refill": 0}
    session = Session(EQUAL | clock, buy_in=20, boards=[{0: LAND, 1: FOUL}] * 2)
    session.begin()
    session.ask("bob", c.SitOut())
    session.ask("bob", c.Disconnected())
    for _ in range(60):
        deal = session.state().deal
        if session.state().settled and next_wakeup(session.state()) is None:
            break
        ann = deal is not None and not session.state().settled and deal.hands[acting_hands(deal)[0]].seat == 0
        session.act() if ann else session.strike()
    assert places(session) == [("bob", 2), ("ann", 1)]
    assert session.state().deals == 2
    assert session.waited(1) == 90


def test_two_go_on_where_three_were_needed_to_begin() -> None:
    """Who is out takes no place of those who are needed: the tournament goes on to its winner."""
    boards = [{0: LAND, 1: FOUL, 2: CIDS}] * 2
    session = Session(EQUAL | {"seats.min": 3}, people=3, buy_in=20, boards=boards)
    session.play()
    assert session.stacks() == (46, 1, 13)
    session.play()
    assert session.stacks() == (59, 0, 1)  # the button has moved: Bob's last chip goes to Cid, 13 of Cid's to Ann
    assert places(session) == [("bob", 3)]
    session.begin()
    assert {hand.seat for hand in session.hands()} == {0, 2}


def test_bots_do_not_buy_in_again() -> None:
    session = Session(EQUAL, people=1, buy_in=20, boards=[{0: LAND, 1: FOUL}] * 2)
    session.ask("ann", c.SeatBot(1, "first", 20))
    session.play()
    session.play()
    assert "ToppedUp" not in session.kinds()
    assert [place for _, place in places(session)] == [2, 1]


@settings(max_examples=examples(60))
@given(
    st.sampled_from(["pineapple", "pineapple_ultimate", "ofc_american", "closed_1_6", "taiwanese"]),
    st.sampled_from(["none", "min_stack_at_start", "min_current"]),
    st.integers(0, 2**32),
)
def test_every_tournament_comes_to_a_winner_and_keeps_its_chips(preset: str, cap: str, seed: int) -> None:
    """Rules §6: the chips of the table stay the same, each player has one place, and only the winner has chips."""
    levels = {"tournament.levels": "deals:1", "tournament.chips_per_point": [2, 5, 20]}
    changes = {"preset": preset, "settlement.cap": cap, "timeout.layout": "best_legal", "match.kind": "deal_group"}
    session = Session(EQUAL | levels | changes | {"fantasyland.kind": "none"}, people=3, buy_in=20, seed=seed)
    for _ in range(150):
        session.play()
        assert sum(session.stacks()) == 60
        out = dict(places(session))
        assert len(out) == len(places(session))
        assert all(session.state().seats["abc".index(player[0])].stack == 0 for player in out if out[player] > 1)
        if 1 in out.values():
            break
    assert sorted(out.values()) in ([1, 2, 3], [1, 2, 2])
    assert session.state().next_at is None
