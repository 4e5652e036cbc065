"""Who sits at the table, with which points. Rule: Rules §6 (buy-in, match, disconnect); issue 2, part 5."""

from __future__ import annotations

import pytest

from tests.table.session import FOUL, LAND, LOW, PLAIN, Session
from triptych.table import commands as c
from triptych.table.errors import TableError
from triptych.table.events import LeaveRequested, PlayerLeft


def test_a_deal_begins_after_the_pause_when_two_players_sit() -> None:
    """Sources 001 L6.1, 002 L21.1: the game begins when enough players, two or more, have sat down."""
    session = Session(people=1, pause=5)
    assert session.state().next_at is None
    session.ask("bob", c.Sit(1, 100))
    assert session.state().next_at == session.now + 5000
    session.wait(4.9)
    assert session.state().deals == 0
    session.wait(0.1)
    assert session.state().deals == 1
    assert [hand.seat for hand in session.hands()] == [0, 1]


def test_ready_from_all_people_ends_the_pause_and_bots_are_always_ready() -> None:
    session = Session(people=2)
    session.ask("ann", c.SeatBot(2, "first", 100))
    session.ask("ann", c.Ready())
    assert session.state().deals == 0
    session.ask("bob", c.Ready())
    assert session.state().deals == 1


def test_a_player_who_joins_before_a_match_gets_the_whole_pause() -> None:
    session = Session(people=2, pause=5)
    session.wait(4)
    session.ask("cid", c.Sit(2, 100))
    session.wait(4)
    assert session.state().deals == 0
    session.wait(1)
    assert len(session.hands()) == 3


def test_nobody_joins_inside_a_match() -> None:
    """Rules §6 (match). The fantasyland deal belongs to the match of the deal that brought it."""
    session = Session(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    session.begin()
    session.ask("cid", c.Sit(2, 100))
    session.play()
    session.begin()
    assert session.match().deals == 2
    assert session.match().seats == (0, 1)
    assert not session.see("cid").seats[2].in_match
    assert session.see("cid").prompt.startswith("You’ll join the next match.")
    session.play()
    session.begin()
    assert len(session.hands()) == 3


def test_points_are_added_between_deals_up_to_the_limit() -> None:
    """Rules §6 (buy-in): top-up only between deals."""
    session = Session(buy_in=100)
    session.ask("ann", c.TopUp(60))
    assert session.stacks()[0] == 160
    with pytest.raises(TableError) as refused:
        session.ask("ann", c.TopUp(41))
    assert refused.value.code == "points.too_many"
    session.begin()
    with pytest.raises(TableError) as refused:
        session.ask("ann", c.TopUp(10))
    assert refused.value.code == "points.not_now"


def test_a_full_stack_is_offered_no_points() -> None:
    session = Session(buy_in=200)
    assert "top_up" not in session.see("ann").may
    session = Session(buy_in=199)
    assert "top_up" in session.see("ann").may


def test_a_player_waiting_for_the_next_match_can_top_up_during_a_deal() -> None:
    session = Session()
    session.begin()
    session.ask("cid", c.Sit(2, 100))
    session.ask("cid", c.TopUp(10))
    assert session.stacks()[2] == 110


def test_leaving_outside_a_match_is_at_once_and_cancels_the_deal_to_come() -> None:
    session = Session()
    events = session.ask("bob", c.Leave())
    assert events[0].event == PlayerLeft(session.now, "t1", 1, "bob", 100)
    assert session.state().next_at is None
    assert session.see("ann").prompt.startswith("You need one more player. Send the link to a friend.")


def test_leaving_inside_a_match_waits_for_its_end() -> None:
    session = Session(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    session.begin()
    assert isinstance(session.ask("bob", c.Leave())[0].event, LeaveRequested)
    session.play()
    assert session.state().seats[1].player == "bob"  # the fantasyland is still to be played
    session.play()
    assert session.state().seats[1].player == ""


def test_leaving_can_be_taken_back_but_not_what_the_host_wants() -> None:
    session = Session()
    session.begin()
    session.ask("bob", c.Leave())
    session.ask("bob", c.SitIn())
    assert not session.state().seats[1].leaving
    session.ask("ann", c.Unseat(1))
    assert "sit_in" not in session.see("bob").may
    with pytest.raises(TableError):
        session.ask("bob", c.SitIn())
    with pytest.raises(TableError, match="You leave as soon as the match is over"):
        session.ask("bob", c.Leave())
    with pytest.raises(TableError, match="Bob leaves as soon as the match is over"):
        session.ask("ann", c.Unseat(1))
    session.play()
    assert session.state().seats[1].player == ""


def test_sitting_out_keeps_the_seat_and_plays_no_new_match() -> None:
    session = Session(people=3)
    session.ask("cid", c.SitOut())
    session.begin()
    assert [hand.seat for hand in session.hands()] == [0, 1]
    session.ask("cid", c.SitIn())
    session.play()
    session.begin()
    assert len(session.hands()) == 3


def test_a_pending_fantasyland_is_played_before_sitting_out() -> None:
    """Source 002 L31.9: fantasyland belongs to the deal; only after it comes the sit-out."""
    session = Session(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    session.begin()
    session.ask("bob", c.SitOut())
    session.play()
    session.begin()
    assert {hand.seat: hand.fantasyland for hand in session.hands()} == {0: 14, 1: 0}
    session.play()
    assert session.state().match is None
    assert session.state().next_at is None
    assert session.see("bob").prompt == "You’re sitting out. Come back any time."
    assert session.see("ann").prompt == "Waiting for Bob to come back"


def test_a_bust_player_tops_up_to_play_on() -> None:
    """Every deal costs Bob a scoop and the royalty of the queens: 6 + 7. Source 002 L7.3: no more than he brought."""
    session = Session(buy_in=50, boards=[{0: LAND, 1: FOUL}] * 4)
    stacks = []
    for _ in range(4):
        session.play()
        stacks.append(session.stacks()[1])
    assert stacks == [37, 24, 11, 0]
    assert session.state().next_at is None
    assert session.see("bob").prompt == "You’re out of points. Top up to keep playing."
    assert session.see("bob").yours
    assert session.see("ann").prompt == "Waiting for Bob to top up"
    session.ask("bob", c.TopUp(50))
    assert session.state().next_at is not None


def test_a_bust_player_returns_with_the_minimum_buy_in_and_not_inside_a_match() -> None:
    """Rules §6: with at least the table's minimum, never in the middle of a match. Each deal costs Bob 13."""
    rules = {"preset": "pineapple", "match.kind": "deals:3", "seats.buy_in_min": 10, "fantasyland.kind": "none"}
    session = Session(rules, people=2, buy_in=13)
    session.ask("cid", c.Sit(2, 100))
    session.boards = [{0: LAND, 1: FOUL, 2: "2d4h5c/9c9d6c7d8c/JcJdTcTd3h"}, *[{0: LAND, 2: PLAIN}] * 2]
    session.play()
    assert session.stacks()[1] == 0
    assert session.see("bob").prompt == "You’re out of points. Buy in again now to play the next match."
    assert session.see("bob").yours
    with pytest.raises(TableError) as refused:
        session.ask("bob", c.TopUp(9))
    assert refused.value.code == "points.too_few"
    session.begin()
    # Asked while the others play too, and what he brings counts from the next match on.
    session.ask("bob", c.TopUp(50))
    with pytest.raises(TableError) as refused:
        session.ask("bob", c.TopUp(50))
    assert refused.value.code == "request.repeated"
    session.ask("bob", c.TopUp(10))
    assert session.see("bob").prompt == "You play the next match with 10 points"
    session.play()
    assert {hand.seat for hand in session.hands()} == {0, 2}
    assert session.stacks()[1] == 0
    session.play()
    assert session.state().match is None
    assert session.stacks()[1] == 10
    assert session.state().seats[1].planned_buy_in == 0
    session.begin()
    assert {hand.seat for hand in session.hands()} == {0, 1, 2}


def test_the_planned_top_up_of_a_leaving_player_is_dropped() -> None:
    rules = {"preset": "pineapple", "match.kind": "deals:2", "fantasyland.kind": "none"}
    session = Session(rules, people=0)
    session.boards = [{0: LAND, 1: FOUL, 2: "2d4h5c/9c9d6c7d8c/JcJdTcTd3h"}, {0: LAND, 2: PLAIN}]
    for seat, (player, points) in enumerate((("ann", 100), ("bob", 50), ("cid", 100))):
        session.ask(player, c.Sit(seat, points))
    for player, other in (("ann", 1), ("bob", 0)):
        session.ask(player, c.OfferStake(other, 9))
    session.play()
    session.ask("bob", c.TopUp(50))
    session.ask("bob", c.Leave())
    session.play()
    assert session.state().seats[1].player == ""
    assert next(account for account in session.state().accounts if account.player == "bob").brought == 50


def test_nobody_tops_up_between_a_deal_and_its_fantasyland() -> None:
    """Source 002 L31.9: fantasy is a continuation of the current hand. Rules §6."""
    session = Session(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    session.play()
    for player in ("ann", "bob"):
        assert "top_up" not in session.see(player).may
        with pytest.raises(TableError) as refused:
            session.ask(player, c.TopUp(10))
        assert refused.value.code == "points.not_now"
    session.play()
    session.ask("bob", c.TopUp(10))


def test_a_match_is_over_when_only_one_has_points_left() -> None:
    rules = {"preset": "pineapple", "match.kind": "deals:9", "seats.buy_in_min": 10, "fantasyland.kind": "none"}
    session = Session(rules, buy_in=13, boards=[{0: LAND, 1: FOUL}] * 2)
    session.play()
    assert session.stacks() == (26, 0, 0)
    assert session.state().match is None
    session.ask("bob", c.TopUp(10))
    session.begin()
    assert session.match().number == 2


def bust_against_a_fantasyland(rules: dict[str, object], boards: list[dict[int, str]], people: int) -> Session:
    """Play a deal that costs Bob all his points and brings Ann a fantasyland."""
    session = Session({"preset": "pineapple", **rules}, people=people, buy_in=50, boards=boards)
    session.ask("bob", c.OfferStake(0, 9))
    session.ask("ann", c.OfferStake(1, 9))
    session.play()
    assert session.stacks()[1] == 0
    return session


def test_a_bust_player_plays_the_pending_fantasyland_where_points_can_be_won() -> None:
    """Source 002 L31.9: fantasyland belongs to the deal that brought it."""
    session = bust_against_a_fantasyland({"settlement.cap": "none"}, [{0: LAND, 1: FOUL}] * 3, 2)
    session.play()
    assert session.state().deals == 2
    assert session.stacks() == (100, 0, 0)
    assert session.state().match is None


def test_nobody_plays_a_fantasyland_for_nothing() -> None:
    """Rules §6 (buy-in); source 002 L7.3: against Bob, who has nothing left, no point could be won."""
    session = bust_against_a_fantasyland({}, [{0: LAND, 1: FOUL}] * 3, 2)
    assert session.state().match is None
    assert session.state().seats[0].fantasyland == 0
    assert session.state().talk[-1].text == (
        "The fantasyland of Ann is not played: there are no points left to play for"
    )
    session.ask("bob", c.TopUp(50))
    session.play()
    assert not any(hand.fantasyland for hand in session.hands())


def test_a_fantasyland_goes_on_without_a_bust_player() -> None:
    session = bust_against_a_fantasyland({}, [{0: LAND, 1: FOUL, 2: "2d4h5c/9c9d6c7d8c/JcJdTcTd3h"}], 3)
    assert session.see("bob").prompt == "You’re out of points. Buy in again now to play the next match."
    session.ask("bob", c.TopUp(50))
    session.begin()
    assert {hand.seat: hand.fantasyland for hand in session.hands()} == {2: 0, 0: 14}
    while session.state().match is not None:
        session.play() if session.state().settled else session.act()
    assert session.stacks()[1] == 50


def test_a_bot_that_is_bust_buys_in_again() -> None:
    session = Session(people=1, boards=[{0: LAND, 1: FOUL}] * 4)
    session.ask("ann", c.SeatBot(1, "first", 50))
    for _ in range(4):
        session.play()
    assert session.stacks() == (150, 50, 0)
    assert session.kinds().count("ToppedUp") == 1
    assert session.state().next_at is not None


def test_bots_do_not_play_for_nobody() -> None:
    session = Session(people=0)
    session.ask("ann", c.SeatBot(0, "first", 100))
    session.ask("ann", c.SeatBot(1, "first", 100))
    assert session.state().next_at is not None  # the host looks on
    session.ask("ann", c.Disconnected())
    assert session.state().next_at is None
    assert session.see("dan").prompt == "Take a seat to play"
    session.ask("ann", c.Connected())
    assert session.state().next_at is not None


def test_closing_waits_for_the_match_and_gives_all_stacks_back() -> None:
    session = Session(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    session.begin()
    session.ask("ann", c.CloseTable())
    session.play()
    assert not session.state().closed
    session.play()
    assert session.state().closed
    assert session.see("ann").phase == "closed"
    assert all(not seat.player for seat in session.state().seats)
    assert session.see("ann").may == ()


def test_an_absent_player_is_not_dealt_into_a_new_match() -> None:
    session = Session()
    session.ask("bob", c.Disconnected())
    assert session.state().next_at is None
    assert session.see("ann").prompt == "Waiting for Bob to come back"
    session.ask("bob", c.Connected())
    assert session.state().next_at is not None


def test_a_player_comes_back_to_the_same_seat_with_the_name_of_today() -> None:
    """Rules §6 (disconnect): return to the same seat at any time."""
    session = Session()
    session.begin()
    session.ask("bob", c.Disconnected())
    assert not session.see("ann").seats[1].connected
    session.ask("bobby", c.Connected())  # a spectator leaves no trace
    assert not session.see("ann").seats[1].connected
    session.ask("bob", c.Connected())
    assert session.see("bob").you == 1
    assert session.ask("bob", c.Connected()) == ()  # a second device


def test_a_board_does_not_lie_before_a_newcomer() -> None:
    session = Session(boards=[{0: LOW, 1: PLAIN}])
    session.play()
    assert session.see("ann").deal is not None
    session.ask("bob", c.Leave())
    assert session.see("ann").deal is not None
    session.ask("cid", c.Sit(1, 100))
    assert session.see("ann").deal is None


def test_rules_that_cannot_be_dealt_open_no_table() -> None:
    """Rules §2: four Pineapple players do not fit the deck."""
    with pytest.raises(TableError) as refused:
        Session({"preset": "pineapple", "seats.max": 4})
    assert (refused.value.code, refused.value.path) == ("table.rules", "$.rules.seats.max")


@pytest.mark.parametrize(
    ("least", "words"), [(50, "Your buy-in must be 50 to 200 points"), (200, "Your buy-in must be 200 points")]
)
def test_how_many_points_one_brings(least: int, words: str) -> None:
    """Rules §6 (buy-in): between the table's minimum and maximum, which may be one number."""
    session = Session({"preset": "pineapple", "seats.buy_in_min": least}, people=0)
    for points in (least - 1, 201):
        with pytest.raises(TableError, match=f"{words}, not {points}"):
            session.ask("ann", c.Sit(0, points))
