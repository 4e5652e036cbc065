"""Matches of every kind, the button, and fantasyland between deals. Rule: Rules §5, 6."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from tests.table.session import FOUL, LAND, LOW, PLAIN, QUADS, THIRD, Session
from triptych.rulesets.describe.sections import describe
from triptych.scoring.sheet.types import ScoreSheet
from triptych.server.tables.event_log import finished_sheets
from triptych.table import commands as c
from triptych.table.errors import TableError
from triptych.table.events import DealBegan, MatchBegan, MatchEnded, Payment
from triptych.table.history import played_deal
from triptych.table.settlement import prize_payments

# Two players, no fantasyland; and Ann's queens before Bob's plain board.
DULL = {0: LOW, 1: PLAIN}
LANDS = {0: LAND, 1: PLAIN}


def courses(session: Session) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return (match, button, seats from the button's left) of every deal so far."""
    deals = []
    match = 0
    for event in session.log:
        happened = event.event
        if isinstance(happened, MatchBegan):
            match = happened.number
        if isinstance(happened, DealBegan):
            deals.append((match, happened.button, happened.seats))
    return deals


def test_a_deal_group_is_a_deal_and_its_fantasylands() -> None:
    """Source 002 L5.4-5, L37.1: the button moves every deal, a fantasyland's too, which belongs to the match."""
    session = Session(boards=[LANDS, DULL, DULL])
    for _ in range(3):
        session.play()
    assert courses(session) == [(1, 1, (0, 1)), (1, 0, (1, 0)), (2, 1, (0, 1))]
    assert session.kinds().count("MatchEnded") == 2


def test_in_fantasyland_the_button_stays_where_the_rules_say_so() -> None:
    """Sources 000 L78.4, 001 L41.1-2: button and order of acting are those of the deal before."""
    session = Session({"preset": "pineapple", "fantasyland.button": "stay"}, boards=[LANDS, DULL, DULL])
    for _ in range(3):
        session.play()
    assert [(button, seats) for _, button, seats in courses(session)] == [(1, (0, 1)), (1, (0, 1)), (0, (1, 0))]


def test_a_repeated_fantasyland_prolongs_the_match() -> None:
    session = Session(boards=[LANDS, {0: QUADS, 1: PLAIN}, {0: QUADS, 1: PLAIN}, DULL])
    fantasylands = []
    for _ in range(4):
        session.begin()
        fantasylands += [(hand.fantasyland, hand.in_row) for hand in session.hands() if hand.seat == 0]
        session.play()
    assert fantasylands == [(0, 0), (14, 1), (14, 2), (14, 3)]
    assert [match for match, _, _ in courses(session)] == [1, 1, 1, 1]
    assert session.state().match is None


MIDDLE = "2h3d6c/KsKdKhKc4s/AsAdAhAc8h"  # quads in the middle, at a table where they bring fifteen cards
LISTS = {
    "preset": "pineapple",
    "fantasyland.kind": "custom",
    "fantasyland.entry": [{"row": "middle", "least": "quads", "cards": 15}, {"royalties": 40, "cards": 17}],
    "fantasyland.repeat": [
        {"row": "back", "least": "9999", "cards": "same"},
        {"row": "front", "least": "QQ", "cards": 13},
    ],
    "fantasyland.repeat_limit": 2,
}


def test_a_fantasyland_by_lists_of_conditions() -> None:
    """Rules §5: reached by a middle, kept by the back with as many cards, or by the front with thirteen; twice."""
    session = Session(LISTS, boards=[{0: MIDDLE, 1: PLAIN}, {0: MIDDLE, 1: PLAIN}, LANDS, LANDS, DULL])
    fantasylands = []
    for _ in range(5):
        session.begin()
        fantasylands += [(hand.fantasyland, hand.in_row) for hand in session.hands() if hand.seat == 0]
        session.play()
    # Queens in front bring nothing at first; the third fantasyland in a row is the last.
    assert fantasylands == [(0, 0), (15, 1), (15, 2), (13, 3), (0, 0)]
    assert [match for match, _, _ in courses(session)] == [1, 1, 1, 1, 2]


def test_queens_bring_nothing_where_no_condition_names_them() -> None:
    session = Session(LISTS, boards=[LANDS, DULL])
    session.play()
    assert session.state().match is None


def test_an_orbit_is_the_button_once_round() -> None:
    """Sources 001 L8.2, 000 L9.3, L193.2: the button goes on clockwise, everybody has it, and then the match is over.

    Who sits to its left begins, the others follow clockwise: sources 000 L9.1, L193.1, L203.1, L321.1-2,
    001 L8.1, 004 L25.
    """
    session = Session({"preset": "pineapple", "match.kind": "orbit"}, people=3)
    session.boards = [{0: LOW, 1: PLAIN, 2: THIRD}] * 4
    for _ in range(4):
        session.play()
    assert courses(session) == [(1, 2, (0, 1, 2)), (1, 0, (1, 2, 0)), (1, 1, (2, 0, 1)), (2, 2, (0, 1, 2))]


def test_a_fantasyland_in_an_orbit_comes_on_top_when_the_button_stays() -> None:
    """Source 001 L41.3: the game is longer by one deal."""
    rules = {"preset": "pineapple", "match.kind": "orbit", "fantasyland.button": "stay"}
    session = Session(rules, boards=[LANDS, DULL, DULL, DULL])
    for _ in range(4):
        session.play()
    assert [(match, button) for match, button, _ in courses(session)] == [(1, 1), (1, 1), (1, 0), (2, 1)]


def test_the_last_deal_of_an_orbit_still_brings_its_fantasyland() -> None:
    """Rules §5: who earned it plays it even when the match would otherwise be over."""
    rules = {"preset": "pineapple", "match.kind": "orbit"}
    session = Session(rules, boards=[DULL, LANDS, {0: QUADS, 1: PLAIN}, DULL])
    for _ in range(4):
        session.play()
    assert [match for match, _, _ in courses(session)] == [1, 1, 1, 1]
    assert session.state().match is None


def test_a_match_of_deals_counts_them_without_their_fantasylands() -> None:
    rules = {"preset": "pineapple", "match.kind": "deals:2"}
    session = Session(rules, boards=[LANDS, DULL, DULL, DULL])
    for _ in range(4):
        session.play()
    assert [match for match, _, _ in courses(session)] == [1, 1, 1, 2]


def test_a_match_of_points_ends_with_the_first_who_has_them() -> None:
    """A foul costs a scoop and the royalty of the queens: 6 + 7 a deal.

    Points are what is played for, and who has most has won: sources 000 L167, 001 L10.2.
    """
    rules = {"preset": "pineapple", "match.kind": "points:20", "fantasyland.kind": "none"}
    session = Session(rules, boards=[{0: LAND, 1: FOUL}] * 2)
    session.play()
    assert session.match().points == (13, -13)
    match_view = session.see("bob").match
    assert match_view is not None
    assert match_view.text == "first to 20: Ann +13, Bob \N{MINUS SIGN}13"
    session.play()
    assert session.state().match is None
    assert session.state().talk[-1].text == "Match 1 is over: Ann +26, Bob \N{MINUS SIGN}26"


# Four boards without a card in common; the first one has the best front, middle and back.
BEST = "KsKhKd/AsAdAcQsQd/JsJhJdJcTs"
ELEVEN = {
    0: BEST,
    1: "2c3c4c/5c6c7c8c9d/2d3d4d5d7d",
    2: "2h3h5h/4h6h7h8h9h/2s3s4s5s7s",
    3: "6s6d8d/9s9cThTd8s/TcQhQcKcAh",
}


def test_first_to_11_counts_the_points_of_the_table_and_pays_what_the_others_are_short_of_11() -> None:
    """Sources 003 L105.1-2, 004 L150.1-2: the best row at the table is a point, all three with four players 4.

    Rules §6 (match.prize): three deals of 4 points win the match 12 to 0; each of the others pays 11.
    """
    session = Session("first_to_11", people=4, boards=[ELEVEN] * 3)
    for points in (4, 8):
        session.play()
        assert session.state().match is not None
        assert session.match().points[0] == points
        assert session.stacks() == (100, 100, 100, 100)
    session.play()
    assert session.state().match is None
    assert session.stacks() == (133, 89, 89, 89)
    assert session.state().verdict == "Ann wins the match, +12 to 0, 0 and 0, and 33 points"
    assert session.state().talk[-1].text.endswith("Bob pays Ann 11, Cid pays Ann 11, Dan pays Ann 11")


def test_the_sheet_of_a_matchs_last_deal_shows_the_stacks_after_the_matchs_payments() -> None:
    """Issue 27.10: the sheet said 100, 100, 100, 100 where 133 and 89 stood. Also in the records of deals."""
    session = Session("first_to_11", people=4, boards=[ELEVEN] * 3)
    for _ in range(2):
        session.play()
    before = len(session.log)
    state = session.state()
    assert state.sheet is not None
    assert [(stack.after, stack.prize) for stack in state.sheet.stacks] == [(100, 0)] * 4
    session.play()
    sheet = session.state().sheet
    assert sheet is not None
    stacks = {stack.seat: (stack.before, stack.change, stack.prize, stack.after) for stack in sheet.stacks}
    assert stacks == {0: (100, 0, 33, 133), 1: (100, 0, -11, 89), 2: (100, 0, -11, 89), 3: (100, 0, -11, 89)}
    played = played_deal(session.log, 3)
    assert played is not None
    assert played.sheet == sheet
    *_, last = finished_sheets(session.log[before:], state)
    assert msgspec.json.decode(last.payload, type=ScoreSheet) == sheet


def test_the_opponent_with_more_points_is_less_short_of_the_prize() -> None:
    """Three deals of Ann's scoops and one of Dan's: 12 to 4, so that Dan pays 7 and the others 11."""
    dans = {0: ELEVEN[3], 1: ELEVEN[1], 2: ELEVEN[2], 3: BEST}
    session = Session("first_to_11", people=4, boards=[dans, ELEVEN, ELEVEN, ELEVEN])
    for _ in range(4):
        session.play()
    assert session.stacks() == (100 + 7 + 11 + 11, 89, 89, 93)


def test_a_prize_can_be_a_number_and_is_limited_by_the_payers_stack() -> None:
    """Rules §6: a payer pays what is left. A pair's own stake multiplies it as it does every point."""
    rules = {"preset": "first_to_11", "match.prize": 20, "seats.buy_in_min": 30}
    session = Session(rules, people=4, buy_in=30, boards=[ELEVEN] * 3)
    session.ask("bob", c.OfferStake(0, 2))
    session.ask("ann", c.OfferStake(1, 2))
    for _ in range(3):
        session.play()
    assert session.stacks() == (30 + 30 + 20 + 20, 0, 10, 10)


def test_two_winners_share_the_prize_of_each_loser() -> None:
    """Rules §6: a payer pays what is left. Cid has 3 points for the 2 that each of two winners gets."""
    session = Session({"preset": "first_to_11", "match.prize": 5}, people=3, buy_in=50)
    session.begin()
    state = session.state()
    match = replace(session.match(), points=(12, 12, 4))
    seats = tuple(replace(seat, stack=3) if seat.seat == 2 else seat for seat in state.seats)
    assert prize_payments(replace(state, match=match), match) == (Payment("cid", "ann", 2), Payment("cid", "bob", 2))
    poor = replace(state, match=match, seats=seats)
    assert prize_payments(poor, match) == (Payment("cid", "ann", 2), Payment("cid", "bob", 1))


def test_first_to_11_without_a_prize_asks_for_no_buy_in_and_keeps_a_count() -> None:
    """Issue 10, 1.8; Rules §6: such a table keeps a count, asks for no buy-in and says so."""
    session = Session({"preset": "first_to_11", "match.prize": 0}, people=4, buy_in=0, boards=[ELEVEN] * 3)
    assert session.see("ann").rules.purse == "count"
    assert "top_up" not in session.see("ann").may
    for _ in range(3):
        session.play()
    assert session.stacks() == (0, 0, 0, 0)
    assert session.state().verdict == "Ann wins the match, +12 to 0, 0 and 0"
    assert session.state().next_at is not None  # and the next match begins
    assert "Scores only: nobody buys in, and no points change hands." in describe(session.rules)
    with pytest.raises(TableError) as refused:
        Session({"preset": "first_to_11", "match.prize": 0}, buy_in=50)
    assert refused.value.code == "points.buy_in"


def test_an_orbit_is_over_when_the_button_reaches_its_first_seat_although_one_dropped_out() -> None:
    """Source 001 L8.2: until the first round of the button is completed.

    Ann is passed over, and Cid was the first.
    """
    session = Session({"preset": "pineapple", "match.kind": "orbit"}, people=3)
    session.boards = [{0: LOW, 1: PLAIN, 2: THIRD}, {1: LOW, 2: PLAIN}, {0: LOW, 1: PLAIN, 2: THIRD}]
    session.begin()
    session.ask("ann", c.SitOut())
    session.play()
    session.play()
    assert session.state().match is None
    session.ask("ann", c.SitIn())
    session.play()
    assert [(match, button) for match, button, _ in courses(session)] == [(1, 2), (1, 1), (2, 2)]


def test_an_orbit_is_over_when_the_button_would_pass_the_seat_of_a_player_who_dropped_out() -> None:
    """Source 001 L8. Cid, with whom it began, sits out: from Bob the button would go past Cid to Ann."""
    session = Session({"preset": "pineapple", "match.kind": "orbit"}, people=3)
    session.boards = [{0: LOW, 1: PLAIN, 2: THIRD}, DULL, DULL, DULL]
    session.begin()
    session.ask("cid", c.SitOut())
    for _ in range(4):
        session.play()
    assert [(match, button) for match, button, _ in courses(session)] == [(1, 2), (1, 0), (1, 1), (2, 0)]


def test_sitting_out_in_the_pause_can_end_the_orbit() -> None:
    """Source 001 L8.2: after Cid's and Ann's deals Bob would have the button; without Bob it would be Cid again."""
    session = Session({"preset": "pineapple", "match.kind": "orbit"}, people=3)
    session.boards = [{0: LOW, 1: PLAIN, 2: THIRD}] * 2
    session.play()
    session.play()
    assert session.state().match is not None
    session.ask("bob", c.SitOut())
    assert session.state().match is None


def test_a_button_that_moves_in_fantasyland_counts_towards_the_orbit() -> None:
    """Rules §5, 6: it has been once round when it passes its first seat in a fantasyland deal."""
    rules = {"preset": "pineapple", "match.kind": "orbit", "fantasyland.button": "move"}
    session = Session(rules, boards=[DULL, LANDS, {0: QUADS, 1: PLAIN}, DULL, DULL])
    for _ in range(5):
        session.play()
    assert [(match, button) for match, button, _ in courses(session)] == [(1, 1), (1, 0), (1, 1), (1, 0), (2, 1)]


def test_a_button_that_has_passed_its_first_seat_in_a_fantasyland_ends_the_orbit_after_it() -> None:
    """Three players: in the fantasyland of the third deal it comes to Cid again, in its repetition to Ann."""
    rules = {"preset": "pineapple", "match.kind": "orbit", "fantasyland.button": "move"}
    three = {0: LOW, 1: PLAIN, 2: THIRD}
    cid = "2s3s4d/6h6d5c7s9c/TsTcKhKc8s"
    boards = [three, three, {0: LAND, 1: PLAIN, 2: cid}, {0: QUADS, 1: PLAIN, 2: cid}, three, three]
    session = Session(rules, people=3, boards=boards)
    for _ in range(6):
        session.play()
    assert [(match, button) for match, button, _ in courses(session)] == [
        (1, 2),
        (1, 0),
        (1, 1),
        (1, 2),
        (1, 0),
        (2, 1),
    ]


@pytest.mark.parametrize("change", ["leave", "join", "close"])
def test_an_endless_match_ends_when_the_players_change(change: str) -> None:
    session = Session({"preset": "pineapple", "match.kind": "endless"}, boards=[DULL] * 5)
    for _ in range(3):
        session.play()
    assert session.state().match is not None
    session.begin()
    if change == "leave":
        session.ask("bob", c.Leave())
    elif change == "join":
        session.ask("cid", c.Sit(2, 100))
    else:
        session.ask("ann", c.CloseTable())
    session.play()
    assert session.state().match is None
    assert any(isinstance(event.event, MatchEnded) for event in session.log)
    assert session.state().closed == (change == "close")


def test_a_player_who_sits_out_in_an_orbit_is_left_out_and_can_return() -> None:
    """Return to the same seat at any time: the match goes on around a player who sits out."""
    session = Session({"preset": "pineapple", "match.kind": "deals:4"}, people=3)
    session.boards = [{0: LOW, 1: PLAIN, 2: THIRD}, DULL, {0: LOW, 1: PLAIN, 2: THIRD}]
    session.begin()
    session.ask("cid", c.SitOut())
    session.play()
    session.play()
    session.ask("cid", c.SitIn())
    session.play()
    assert [seats for _, _, seats in courses(session)] == [(0, 1, 2), (1, 0), (2, 0, 1)]


def test_a_match_without_two_players_ends_before_its_time() -> None:
    session = Session({"preset": "pineapple", "match.kind": "deals:5"}, boards=[DULL])
    session.begin()
    session.ask("bob", c.SitOut())
    session.play()
    assert session.state().match is not None
    session.strike()
    assert session.state().match is None
    assert session.state().next_at is None


def test_a_match_waits_a_while_for_people_who_are_all_gone() -> None:
    """A restart of the server, or a lost connection, must not end a match against bots."""
    session = Session({"preset": "pineapple", "match.kind": "deals:5"}, people=1, boards=[DULL] * 3)
    session.ask("ann", c.SeatBot(1, "first", 100))
    session.play()
    session.ask("ann", c.Disconnected())
    session.strike()
    session.wait(60)
    assert session.match().deals == 1
    session.ask("ann", c.Connected())
    assert session.state().next_at == session.now + 5000
    session.play()
    assert session.match().deals == 2
    session.ask("ann", c.Disconnected())
    session.strike()
    session.strike()
    assert session.state().match is None
    assert session.state().next_at is None


def test_a_match_does_not_go_on_among_bots_for_people_who_leave() -> None:
    """Bob stays to see, but has asked to leave; when nobody else comes back the match is over and both are out."""
    session = Session("ofc_american")
    session.ask("ann", c.SeatBot(2, "first", 100))
    session.play()
    for player in ("ann", "bob"):
        session.ask(player, c.Leave())
    session.ask("ann", c.Disconnected())
    session.strike()
    assert session.state().settled
    session.strike()
    assert session.state().match is None
    assert session.state().deals == 1
    assert [seat.player for seat in session.state().seats[:2]] == ["", ""]


def test_criss_cross_gives_each_player_two_boards() -> None:
    """Sources 003 L103.1-2, 004 L148.1-2: two players with two boards each."""
    session = Session("criss_cross")
    session.begin()
    assert [hand.seat for hand in session.hands()] == [0, 1, 0, 1]
    session.play()
    sheet = session.see("ann").sheet
    assert sheet is not None
    assert [(pair.a, pair.b) for pair in sheet.pairs] == [(0, 1), (0, 3), (1, 2), (2, 3)]
    assert len(sheet.stacks) == 2
