"""Who sits at the table, with which points. Rule: Rules §6 (buy-in, match, disconnect); issue 2, part 5."""

from __future__ import annotations

import pytest

from tests.table.evening import FOUL, LAND, LOW, PLAIN, Evening
from triptych.table import commands as c
from triptych.table.errors import TableError
from triptych.table.events import LeaveRequested, PlayerLeft


def test_a_deal_begins_after_the_pause_when_two_players_sit() -> None:
    """Sources 001 L6.1, 002 L21.1: the game begins when enough players, two or more, have sat down."""
    evening = Evening(people=1, pause=5)
    assert evening.state().next_at is None
    evening.ask("bob", c.Sit(1, 100))
    assert evening.state().next_at == evening.now + 5000
    evening.wait(4.9)
    assert evening.state().deals == 0
    evening.wait(0.1)
    assert evening.state().deals == 1
    assert [hand.seat for hand in evening.hands()] == [0, 1]


def test_ready_from_all_people_ends_the_pause_and_bots_are_always_ready() -> None:
    evening = Evening(people=2)
    evening.ask("ann", c.SeatBot(2, "first", 100))
    evening.ask("ann", c.Ready())
    assert evening.state().deals == 0
    evening.ask("bob", c.Ready())
    assert evening.state().deals == 1


def test_who_sits_down_before_a_match_gets_the_whole_pause() -> None:
    evening = Evening(people=2, pause=5)
    evening.wait(4)
    evening.ask("cid", c.Sit(2, 100))
    evening.wait(4)
    assert evening.state().deals == 0
    evening.wait(1)
    assert len(evening.hands()) == 3


def test_nobody_joins_inside_a_match() -> None:
    """Rules §6 (match). The fantasyland deal belongs to the match of the deal that brought it."""
    evening = Evening(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    evening.begin()
    evening.ask("cid", c.Sit(2, 100))
    evening.play()
    evening.begin()
    assert evening.match().deals == 2
    assert evening.match().seats == (0, 1)
    assert not evening.see("cid").seats[2].in_match
    assert evening.see("cid").prompt.startswith("You play from the next match on.")
    evening.play()
    evening.begin()
    assert len(evening.hands()) == 3


def test_points_are_added_between_deals_up_to_the_limit() -> None:
    """Rules §6 (buy-in): top-up only between deals."""
    evening = Evening(buy_in=100)
    evening.ask("ann", c.TopUp(60))
    assert evening.stacks()[0] == 160
    with pytest.raises(TableError) as refused:
        evening.ask("ann", c.TopUp(41))
    assert refused.value.code == "points.too_many"
    evening.begin()
    with pytest.raises(TableError) as refused:
        evening.ask("ann", c.TopUp(10))
    assert refused.value.code == "points.not_now"


def test_a_full_stack_is_offered_no_points() -> None:
    evening = Evening(buy_in=200)
    assert "top_up" not in evening.see("ann").may
    evening = Evening(buy_in=199)
    assert "top_up" in evening.see("ann").may


def test_who_waits_for_the_next_match_may_top_up_during_a_deal() -> None:
    evening = Evening()
    evening.begin()
    evening.ask("cid", c.Sit(2, 100))
    evening.ask("cid", c.TopUp(10))
    assert evening.stacks()[2] == 110


def test_leaving_outside_a_match_is_at_once_and_cancels_the_deal_to_come() -> None:
    evening = Evening()
    events = evening.ask("bob", c.Leave())
    assert events[0].event == PlayerLeft(evening.now, "t1", 1, "bob", 100)
    assert evening.state().next_at is None
    assert evening.see("ann").prompt.startswith("Send the link to a friend: one more player is needed")


def test_leaving_inside_a_match_waits_for_its_end() -> None:
    evening = Evening(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    evening.begin()
    assert isinstance(evening.ask("bob", c.Leave())[0].event, LeaveRequested)
    evening.play()
    assert evening.state().seats[1].player == "bob"  # the fantasyland is still to be played
    evening.play()
    assert evening.state().seats[1].player == ""


def test_leaving_can_be_taken_back_but_not_what_the_host_wants() -> None:
    evening = Evening()
    evening.begin()
    evening.ask("bob", c.Leave())
    evening.ask("bob", c.SitIn())
    assert not evening.state().seats[1].leaving
    evening.ask("ann", c.Unseat(1))
    assert "sit_in" not in evening.see("bob").may
    with pytest.raises(TableError):
        evening.ask("bob", c.SitIn())
    with pytest.raises(TableError, match="you leave as soon as the match is over"):
        evening.ask("bob", c.Leave())
    with pytest.raises(TableError, match="Bob leaves as soon as the match is over"):
        evening.ask("ann", c.Unseat(1))
    evening.play()
    assert evening.state().seats[1].player == ""


def test_sitting_out_keeps_the_seat_and_plays_no_new_match() -> None:
    evening = Evening(people=3)
    evening.ask("cid", c.SitOut())
    evening.begin()
    assert [hand.seat for hand in evening.hands()] == [0, 1]
    evening.ask("cid", c.SitIn())
    evening.play()
    evening.begin()
    assert len(evening.hands()) == 3


def test_a_pending_fantasyland_is_played_before_sitting_out() -> None:
    """Source 002 L31.9: fantasyland belongs to the deal; only after it comes the sit-out."""
    evening = Evening(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    evening.begin()
    evening.ask("bob", c.SitOut())
    evening.play()
    evening.begin()
    assert {hand.seat: hand.fantasyland for hand in evening.hands()} == {0: 14, 1: 0}
    evening.play()
    assert evening.state().match is None
    assert evening.state().next_at is None
    assert evening.see("bob").prompt == "You are sitting out: come back whenever you like"
    assert evening.see("ann").prompt == "Waiting for Bob to come back"


def test_who_is_bust_tops_up_to_play_on() -> None:
    """Every deal costs Bob a scoop and the royalty of the queens: 6 + 7. Source 002 L7.3: no more than he brought."""
    evening = Evening(buy_in=50, boards=[{0: LAND, 1: FOUL}] * 4)
    stacks = []
    for _ in range(4):
        evening.play()
        stacks.append(evening.stacks()[1])
    assert stacks == [37, 24, 11, 0]
    assert evening.state().next_at is None
    assert evening.see("bob").prompt == "You have no points left: top up to play on"
    assert evening.see("bob").yours
    assert evening.see("ann").prompt == "Waiting for Bob to top up"
    evening.ask("bob", c.TopUp(50))
    assert evening.state().next_at is not None


def test_who_is_bust_comes_back_with_the_least_buy_in_and_not_inside_a_match() -> None:
    """Rules §6: with at least the table's minimum, never in the middle of a match. Each deal costs Bob 13."""
    rules = {"preset": "pineapple", "match.kind": "deals:3", "seats.buy_in_min": 10, "fantasyland.kind": "none"}
    evening = Evening(rules, people=2, buy_in=13)
    evening.ask("cid", c.Sit(2, 100))
    evening.boards = [{0: LAND, 1: FOUL, 2: "2d4h5c/9c9d6c7d8c/JcJdTcTd3h"}, *[{0: LAND, 2: PLAIN}] * 2]
    evening.play()
    assert evening.stacks()[1] == 0
    assert evening.see("bob").prompt == "You have no points left: you can top up when the match is over"
    assert "top_up" not in evening.see("bob").may
    with pytest.raises(TableError) as refused:
        evening.ask("bob", c.TopUp(50))
    assert refused.value.code == "points.not_now"
    evening.play()
    assert {hand.seat for hand in evening.hands()} == {0, 2}
    evening.play()
    assert evening.state().match is None
    with pytest.raises(TableError) as refused:
        evening.ask("bob", c.TopUp(9))
    assert refused.value.code == "points.too_few"
    evening.ask("bob", c.TopUp(10))
    evening.begin()
    assert {hand.seat for hand in evening.hands()} == {0, 1, 2}


def test_nobody_tops_up_between_a_deal_and_its_fantasyland() -> None:
    """Source 002 L31.9: fantasy is a continuation of the current hand. Rules §6."""
    evening = Evening(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    evening.play()
    for player in ("ann", "bob"):
        assert "top_up" not in evening.see(player).may
        with pytest.raises(TableError) as refused:
            evening.ask(player, c.TopUp(10))
        assert refused.value.code == "points.not_now"
    evening.play()
    evening.ask("bob", c.TopUp(10))


def test_a_match_is_over_when_only_one_has_points_left() -> None:
    rules = {"preset": "pineapple", "match.kind": "deals:9", "seats.buy_in_min": 10, "fantasyland.kind": "none"}
    evening = Evening(rules, buy_in=13, boards=[{0: LAND, 1: FOUL}] * 2)
    evening.play()
    assert evening.stacks() == (26, 0, 0)
    assert evening.state().match is None
    evening.ask("bob", c.TopUp(10))
    evening.begin()
    assert evening.match().number == 2


def test_a_bust_player_plays_the_pending_fantasyland() -> None:
    """Source 002 L31.9: fantasyland belongs to the deal that brought it."""
    evening = Evening(buy_in=50, boards=[{0: LAND, 1: FOUL}] * 3)
    evening.ask("bob", c.OfferStake(0, 9))
    evening.ask("ann", c.OfferStake(1, 9))
    evening.play()
    assert evening.stacks() == (100, 0, 0)
    evening.play()
    assert evening.state().deals == 2
    assert evening.stacks() == (100, 0, 0)
    assert evening.state().match is None


def test_a_bot_that_is_bust_buys_in_again() -> None:
    evening = Evening(people=1, boards=[{0: LAND, 1: FOUL}] * 4)
    evening.ask("ann", c.SeatBot(1, "first", 50))
    for _ in range(4):
        evening.play()
    assert evening.stacks() == (150, 50, 0)
    assert evening.kinds().count("ToppedUp") == 1
    assert evening.state().next_at is not None


def test_bots_do_not_play_for_nobody() -> None:
    evening = Evening(people=0)
    evening.ask("ann", c.SeatBot(0, "first", 100))
    evening.ask("ann", c.SeatBot(1, "first", 100))
    assert evening.state().next_at is not None  # the host looks on
    evening.ask("ann", c.Disconnected())
    assert evening.state().next_at is None
    assert evening.see("dan").prompt == "Take a free seat to play"
    evening.ask("ann", c.Connected())
    assert evening.state().next_at is not None


def test_closing_waits_for_the_match_and_gives_all_stacks_back() -> None:
    evening = Evening(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    evening.begin()
    evening.ask("ann", c.CloseTable())
    evening.play()
    assert not evening.state().closed
    evening.play()
    assert evening.state().closed
    assert evening.see("ann").phase == "closed"
    assert all(not seat.player for seat in evening.state().seats)
    assert evening.see("ann").may == ()


def test_who_is_away_is_not_dealt_into_a_new_match() -> None:
    evening = Evening()
    evening.ask("bob", c.Disconnected())
    assert evening.state().next_at is None
    assert evening.see("ann").prompt == "Waiting for Bob to come back"
    evening.ask("bob", c.Connected())
    assert evening.state().next_at is not None


def test_a_player_comes_back_to_the_same_seat_with_the_name_of_today() -> None:
    """Rules §6 (disconnect): return to the same seat at any time."""
    evening = Evening()
    evening.begin()
    evening.ask("bob", c.Disconnected())
    assert not evening.see("ann").seats[1].connected
    evening.ask("bobby", c.Connected())  # a spectator leaves no trace
    assert not evening.see("ann").seats[1].connected
    evening.ask("bob", c.Connected())
    assert evening.see("bob").you == 1
    assert evening.ask("bob", c.Connected()) == ()  # a second device


def test_a_board_does_not_lie_before_a_newcomer() -> None:
    evening = Evening(boards=[{0: LOW, 1: PLAIN}])
    evening.play()
    assert evening.see("ann").deal is not None
    evening.ask("bob", c.Leave())
    assert evening.see("ann").deal is not None
    evening.ask("cid", c.Sit(1, 100))
    assert evening.see("ann").deal is None


def test_rules_that_cannot_be_dealt_open_no_table() -> None:
    """Rules §2: four Pineapple players do not fit the deck."""
    with pytest.raises(TableError) as refused:
        Evening({"preset": "pineapple", "seats.max": 4})
    assert (refused.value.code, refused.value.path) == ("table.rules", "$.rules.seats.max")


@pytest.mark.parametrize(("least", "words"), [(50, "buy in with 50 to 200 points"), (200, "buy in with 200 points")])
def test_how_many_points_one_brings(least: int, words: str) -> None:
    """Rules §6 (buy-in): between the table's minimum and maximum, which may be one number."""
    evening = Evening({"preset": "pineapple", "seats.buy_in_min": least}, people=0)
    for points in (least - 1, 201):
        with pytest.raises(TableError, match=f"{words}, not {points}"):
            evening.ask("ann", c.Sit(0, points))
