"""What each viewer of a table sees and may do: issue 2, parts 5 and 8 (no hidden card anywhere)."""

from __future__ import annotations

import msgspec
import pytest

from tests.table.session import LAND, LOW, PLAIN, SEATS, Session, placing
from triptych.deal.actions import Announce
from triptych.deal.view_types import BoardView
from triptych.deal.visibility import Private, Public, Sealed
from triptych.i18n.messages import plain_text
from triptych.table import commands as c
from triptych.table.access import visible_event
from triptych.table.view_types import TableView


def _boards(session: Session, player: str) -> tuple[BoardView, ...]:
    deal = session.see(player).deal
    assert deal is not None
    return deal.boards


def test_a_view_counts_the_events_of_the_table() -> None:
    session = Session()
    assert session.see("ann").v == len(session.log)


def test_prompts_of_an_open_deal() -> None:
    session = Session(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    assert session.see("ann").prompt == "Next deal starting soon. Press Ready to start now."
    session.begin()
    assert (session.see("ann").prompt, session.see("ann").yours) == ("Your turn: place five cards", True)
    assert (session.see("bob").prompt, session.see("bob").yours) == ("Waiting for Ann to place", False)
    assert session.see("dan").prompt == "Waiting for Ann to place"
    session.act()
    session.act()
    assert session.see("ann").prompt == "Your turn: place two, discard one"
    session.play()
    assert session.see("bob").phase == "showdown"
    assert session.see("bob").prompt == "Next: fantasyland for Ann. Press Ready to start now."
    session.begin()
    while not session.see("ann").yours:
        session.act()
    assert session.see("ann").prompt == ("Fantasyland! Arrange 13 of your 14 cards in three rows and press Ready")


def test_prompts_of_a_closed_deal() -> None:
    session = Session("closed_1_6", people=3, seed=4)
    session.begin()
    assert session.see("ann").prompt.startswith("Arrange your 13 cards in three rows and press Ready")
    assert session.see("dan").prompt == "Waiting for Ann, Bob and Cid to arrange cards"
    session.act()
    assert session.see("ann").prompt == "Play this board, or surrender and pay each opponent 3 points?"
    assert session.see("bob").prompt == "Waiting for Ann to decide"
    session.ask("ann", Announce(0, play=False))
    assert session.see("bob").yours


def test_prompts_of_a_table_that_waits() -> None:
    session = Session(people=0)
    assert session.see("bob").prompt == "Take a seat to play"
    session.ask("ann", c.Sit(0, 100))
    assert session.see("ann").prompt == ("You need one more player. Send the link to a friend. Or add a bot.")
    session = Session({"preset": "pineapple", "seats.min": 3}, people=1, host="dan")
    assert session.see("ann").prompt == "You need two more players. Send the link to a friend."


HOST = {
    "seat_bot",
    "unseat",
    "close_table",
    "pause",
    "lock",
    "change_rules",
    "change_details",
    "let_arrange",
    "let_hint",
    "hand_over",
    "mute_viewer",
    "remove_viewer",
    "ban",
    "add_time",
}


@pytest.mark.parametrize(
    ("player", "allowed"),
    [
        ("ann", {"say", "sit_out", "leave", "top_up", "ready", "offer_stake", "wait", *HOST}),
        ("bob", {"say", "sit_out", "leave", "top_up", "ready", "offer_stake", "wait"}),
        ("dan", {"say", "sit"}),
        ("", set()),
    ],
)
def test_the_permissions_of_a_viewer_before_a_deal(player: str, allowed: set[str]) -> None:
    assert set(Session().see(player).may) == allowed


def test_nobody_joins_a_table_that_is_about_to_close() -> None:
    session = Session()
    session.begin()
    assert set(session.see("dan").may) == {"say", "sit"}
    assert {"seat_bot", "close_table"} < set(session.see("ann").may)
    session.ask("ann", c.CloseTable())
    assert session.see("dan").may == ("say",)
    assert "unseat" in session.see("ann").may
    assert not {"sit", "seat_bot", "close_table"} & set(session.see("ann").may)


def test_the_permissions_of_a_viewer_are_granted_by_the_table() -> None:
    """Every request that `may` names is granted, in every state that this session goes through."""
    requests: dict[str, c.PlayerRequest] = {
        "sit": c.Sit(2, 100),
        "leave": c.Leave(),
        "top_up": c.TopUp(1),
        "sit_out": c.SitOut(),
        "sit_in": c.SitIn(),
        "ready": c.Ready(),
        "seat_bot": c.SeatBot(2, "first", 100),
        "close_table": c.CloseTable(),
        "say": c.Say("hello"),
    }
    session = Session(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    tried = set()
    for step in range(30):
        for player in SEATS:
            for name in set(session.see(player).may) & set(requests):
                branch = session.branch()
                assert branch.ask(player, requests[name]), (step, player, name)
                tried.add(name)
        if step == 3:
            session.ask("bob", c.SitOut())
        if session.state().settled:
            if session.state().next_at is None:
                break
            session.strike()
        else:
            session.act()
    assert tried == set(requests)


def test_a_settled_deal_shows_caps_and_stacks() -> None:
    session = Session(boards=[{0: LOW, 1: PLAIN}])
    session.play()
    sheet = session.see("dan").sheet
    assert sheet is not None
    assert [(stack.player, stack.after) for stack in sheet.stacks] == [
        ("Ann", session.stacks()[0]),
        ("Bob", session.stacks()[1]),
    ]
    assert sheet.hands[0].front is not None
    assert sheet.hands[0].front.cards == ("2d", "3d", "6h")


@pytest.mark.parametrize("show_all", [True, False])
def test_discards_are_shown_after_the_match_only_where_the_rules_say_so(show_all: bool) -> None:  # noqa: FBT001
    """Option match.show_all: hidden cards are shown to all when the match is over, not before."""
    rules = {"preset": "pineapple", "match.show_all": show_all}
    session = Session(rules, boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    session.play()
    assert {card for board in _boards(session, "dan") for card in board.discards} == {"??"}
    session.play()
    discards = [card for board in _boards(session, "dan") for card in board.discards]
    assert len(discards) == 4 + 1
    assert ("??" in discards) == (not show_all)


def test_seats_show_a_coming_fantasyland() -> None:
    session = Session(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    session.play()
    assert [seat.fantasyland for seat in session.see("bob").seats] == [14, 0, 0]
    session.ask("bob", c.Ready())
    assert [seat.ready for seat in session.see("ann").seats] == [False, True, False]
    session.begin()
    assert [seat.fantasyland for seat in session.see("bob").seats] == [0, 0, 0]
    match = session.see("bob").match
    assert match is not None
    assert (match.number, match.deal, match.text) == (1, 2, "a deal and its fantasylands")


def test_a_reload_in_mid_street_shows_the_arrangement_again() -> None:
    session = Session()
    session.begin()
    move = session.arranging()
    session.ask("ann", move)
    deal = session.see("ann").deal
    assert deal is not None
    assert deal.tasks[0].layout == move.layout
    session.ask("ann", placing(session))


def test_a_newcomer_does_not_see_the_earlier_private_events_of_the_seat() -> None:
    """Rules §2: discards are the owner's alone forever, also when the events are asked for again."""
    session = Session()
    session.play()
    before = session.log
    visible = [event for at, event in enumerate(before, 1) if visible_event(session.state(), "bob", at, event)]
    assert any(isinstance(event, Private) and event.seat == 1 for event in visible)
    assert not any(isinstance(event, Private) and event.seat == 0 for event in visible)
    assert not any(isinstance(event, Sealed) for event in visible)
    session.ask("bob", c.Leave())
    session.ask("cid", c.Sit(1, 100))
    for player in ("bob", "cid", "dan"):
        visible = [event for at, event in enumerate(before, 1) if visible_event(session.state(), player, at, event)]
        assert visible == [event for event in before if isinstance(event, Public)]
        bodies = [
            visible_event(session.state(), player, at, event)
            for at, event in enumerate(before, 1)
            if event in visible
        ]
        assert bodies == [event.event for event in visible]
    events = len(session.log)
    session.play()
    later = enumerate(session.log[events:], events + 1)
    assert any(isinstance(event, Private) and visible_event(session.state(), "cid", at, event) for at, event in later)


def test_a_covered_board_in_progress_shows_how_many_cards_it_has() -> None:
    """Source 002 L37 (all except for one): Bob alone plays face down; his cards are counted."""
    session = Session(boards=[{0: LAND, 1: PLAIN}, {0: LOW, 1: PLAIN}])
    session.play()
    session.begin()
    held = {}
    while session.see("bob").yours:
        (hand,) = [hand for hand in session.hands() if hand.seat == 1]
        held[hand.street] = len(hand.board.cards) + len(hand.drawn)
        for player in ("ann", "dan"):
            board = next(board for board in _boards(session, player) if board.seat == 1)
            assert board.draws == ("??",) * held[hand.street]
            assert board.back.cards + board.middle.cards + board.front.cards == ()
        session.act()
    assert held == {0: 5, 1: 8, 2: 10, 3: 12, 4: 14}
    board = next(board for board in _boards(session, "ann") if board.seat == 1)
    assert (board.draws, board.front.cards) == ((), ("??",) * 3)


def test_the_view_is_whole_json() -> None:
    session = Session()
    session.play()
    for player in (*SEATS, ""):
        view = session.see(player)
        assert msgspec.json.decode(msgspec.json.encode(view, enc_hook=plain_text), type=TableView) == view
