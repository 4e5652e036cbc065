"""The line that tells a viewer what is expected now, and of whom (issue 2, part 8): each of its sentences."""

from __future__ import annotations

import pytest

from tests.table.session import LAND, LOW, PLAIN, THIRD, Session, placing
from triptych.table import commands as c
from triptych.table.state import with_seat


def line(session: Session, player: str) -> tuple[str, bool]:
    view = session.see(player)
    return view.prompt, view.yours


def test_only_the_host_lets_a_paused_table_go_on() -> None:
    session = Session()
    session.begin()
    session.ask("ann", c.Pause())
    assert line(session, "ann") == ("The table is paused. Press Resume to continue.", False)
    assert line(session, "bob") == ("The table is paused.", False)
    assert line(session, "dan") == ("The table is paused.", False)


def test_one_sets_thirteen_cards_or_both_boards() -> None:
    closed = Session("closed_basic")
    closed.begin()
    assert line(closed, "ann") == ("Arrange your 13 cards in three rows and press Ready", True)
    crossed = Session("criss_cross")
    crossed.begin()
    assert line(crossed, "ann") == ("Arrange both of your boards and press Ready", True)
    crossed.ask("ann", placing(crossed))
    assert line(crossed, "ann") == ("Arrange your 13 cards in three rows and press Ready", True)


def test_a_natural_is_offered_by_its_name() -> None:
    """Rules §4: its holder sets nothing."""
    pairs = "AsAh9s/9h8s8h7s7h/5s5h4s4h2d"
    session = Session("closed_1_6", boards=[{0: pairs, 1: "6s6c3c/TcJdQc3d7d/KcKdJc9c2c"}])
    session.begin()
    assert line(session, "ann")[0] == (
        "Arrange your 13 cards in three rows and press Ready, or claim your natural (six pairs)"
    )
    assert line(session, "bob")[0] == "Arrange your 13 cards in three rows and press Ready"


def test_a_fantasyland_of_thirteen_cards_is_named() -> None:
    """Rules §5 (`classic`): thirteen cards at once, nothing to discard; the others play as always."""
    session = Session(
        {"preset": "ofc_american", "deal.first_cards": "at_turn"}, boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}]
    )
    session.play()
    session.begin()
    assert line(session, "ann") == (
        "Fantasyland! Arrange your 13 cards in three rows and press Ready",
        True,
    )
    assert line(session, "bob") == ("Your turn: place five cards", True)
    assert line(session, "dan") == ("Waiting for Bob to place. Ann is setting 13 cards", False)


def test_a_fantasyland_that_comes_last_is_awaited_by_its_player_and_seen_by_all() -> None:
    """Source 002 L37: the others place first."""
    session = Session(people=3, boards=[{0: LAND, 1: PLAIN, 2: LOW}, {0: THIRD, 1: PLAIN, 2: LOW}])
    session.play()
    session.begin()
    assert line(session, "ann") == ("Your 14 cards come when the others have placed", False)
    assert line(session, "dan") == ("Waiting for Bob to place", False)
    while not any(hand.fantasyland and hand.placing for hand in session.hands()):
        session.act()
    assert line(session, "ann")[0].startswith("Fantasyland! Arrange 13 of your 14 cards")
    assert line(session, "bob") == ("Ann is setting 14 cards", False)


def test_several_fantasylands_are_set_at_the_same_time() -> None:
    session = Session(people=3)
    for seat in (0, 1):
        session.set(with_seat(session.state(), seat, fantasyland=14))
    session.begin()
    while not all(hand.placing for hand in session.hands() if hand.fantasyland):
        session.act()
    assert line(session, "cid") == ("Ann and Bob are setting their fantasylands", False)


def test_a_card_at_a_time_is_one_card() -> None:
    session = Session({"preset": "ofc_pokerstars", "deal.first_cards": "at_turn"})
    session.begin()
    session.act()
    session.act()
    assert line(session, "ann") == ("Your turn: place your card", True)
    assert line(session, "dan") == ("Waiting for Ann to place", False)


@pytest.mark.parametrize(("points", "words"), [(1, "1 point"), (2, "2 points"), (3, "3 points")])
def test_the_prompt_names_the_cost_of_a_surrender(points: int, words: str) -> None:
    session = Session({"preset": "closed_1_6", "surrender.points": points}, seed=4)
    session.begin()
    session.act()
    assert line(session, "ann") == (f"Play this board, or surrender and pay each opponent {words}?", True)


def test_rows_are_declared() -> None:
    session = Session({"preset": "closed_1_6", "surrender.points": 0, "royalties.declare": "must"}, seed=4)
    session.begin()
    session.act()
    text = "Choose the rows whose royalties you declare. Undeclared royalties aren’t paid."
    assert line(session, "ann") == (text, True)
    assert line(session, "bob") == ("Waiting for Ann to decide", False)


def test_a_player_who_joins_during_a_match_plays_from_the_next_one() -> None:
    session = Session()
    session.begin()
    session.ask("cid", c.Sit(2, 100))
    assert line(session, "cid") == ("You’ll join the next match. Waiting for Ann to place", False)
    assert line(session, "dan") == ("Waiting for Ann to place", False)


def test_a_closed_table_says_so() -> None:
    session = Session()
    session.ask("ann", c.CloseTable())
    for player in ("ann", "dan"):
        assert line(session, player) == ("This table is closed. Create a new one in the lobby.", False)


def test_a_player_who_sits_out_is_offered_to_come_back() -> None:
    session = Session(people=3)
    session.ask("cid", c.SitOut())
    assert line(session, "cid") == ("You’re sitting out. Come back any time.", True)
    assert line(session, "dan") == ("Next deal starting soon", False)


def test_a_bust_player_is_offered_a_top_up_after_the_match() -> None:
    """Rules §6: top-up only between deals, and never between a deal and its fantasyland."""
    session = Session(buy_in=50, boards=[{0: LAND, 1: PLAIN}])
    session.ask("ann", c.OfferStake(1, 20))
    session.ask("bob", c.OfferStake(0, 20))
    session.play()
    assert session.stacks()[1] == 0
    # Nobody could win a point in Ann's fantasyland: the match is over.
    assert line(session, "bob") == ("You’re out of points. Top up to keep playing.", True)
    assert line(session, "ann") == ("Waiting for Bob to top up", False)


def test_the_table_waits_for_a_disconnected_player() -> None:
    session = Session()
    session.ask("bob", c.Disconnected())
    assert line(session, "ann") == ("Waiting for Bob to come back", False)
    session.ask("ann", c.Disconnected())
    session.ask("bob", c.Connected())
    assert line(session, "bob") == ("Waiting for Ann to come back", False)


@pytest.mark.parametrize(("least", "words"), [(2, "one more player"), (3, "two more players")])
def test_the_prompt_names_who_is_missing(least: int, words: str) -> None:
    session = Session({"preset": "pineapple", "seats.min": least}, people=1)
    assert line(session, "ann")[0] == f"You need {words}. Send the link to a friend. Or add a bot."
    assert line(session, "dan") == ("Take a seat to play", False)
    alone = Session({"preset": "pineapple", "seats.min": least}, people=1, bots=False)
    assert line(alone, "ann")[0] == f"You need {words}. Send the link to a friend."


def test_only_players_who_play_and_are_not_ready_are_asked_for_ready() -> None:
    session = Session()
    assert line(session, "ann")[0] == "Next deal starting soon. Press Ready to start now."
    session.ask("ann", c.Ready())
    assert line(session, "ann") == ("Next deal starting soon", False)
    assert line(session, "dan")[0] == "Next deal starting soon"


def test_a_timed_out_player_is_asked_to_confirm_the_return() -> None:
    """Rules §6 (`timeout.scope = deal`): laid out for until the player is back, also between two deals."""
    rules = {"preset": "ofc_russian", "timeout.after": "none"}
    session = Session(rules, boards=[{0: LOW, 1: PLAIN}])
    session.begin()
    while not session.state().settled:
        if session.see("ann").yours:
            session.act()
        else:
            session.strike()
            laid = line(session, "bob")
    assert laid == ("You ran out of time. Your cards are placed automatically until you return.", True)
    assert line(session, "bob") == ("You ran out of time. Press I’m back to play.", True)
    session.ask("bob", c.SitIn())
    assert line(session, "bob")[0].startswith("Next deal starting soon")
