"""What the clock does for a player. RULEBOOK 6 (time out); seed 002 L31."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.deal.moves import after, begun, layout, place, played, stacked
from tests.deal.play import seats_for, shuffled
from triptych.deal.actions import Announce, Arrange, ClaimNatural, Declare, Forfeit, Place
from triptych.deal.automatic import automatic
from triptych.deal.best_legal import best_legal
from triptych.deal.engine import decide, finished, result
from triptych.deal.events import WentDead
from triptych.deal.state import HandStart, acting
from triptych.deal.view import view
from triptych.rules.load import resolve
from triptych.score.partial import row_status

PINEAPPLE = resolve("pineapple")


def test_received_back_first() -> None:
    """Seed 002 L31: in the order received, first on the bottom line, then middle and top; the third is discarded."""
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked("AhKdQc7s2c3c4c5c6c8d9sTsJs2h3h4h"))
    assert automatic(state, 0) == place(0, "//AhKdQc7s2c")
    state = played(state, place(0, "AhKd//Qc7s2c"), place(1, "/3c4c5c6c8d/"))
    assert automatic(state, 0) == place(0, "//9sTs")
    state = played(state, automatic(state, 0))
    assert automatic(state, 1) == place(1, "//2h3h")


def test_a_row_that_is_full_passes_cards_on() -> None:
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked("AhKdQc7s2c3c4c5c6c8d9sTsJs"))
    state = played(state, place(0, "/Ah/KdQc7s2c"), place(1, "/3c4c5c6c8d/"))
    assert automatic(state, 0) == place(0, "/Ts/9s")


def test_fantasyland_fills_back_middle_front_and_discards_the_rest() -> None:
    """RULEBOOK 6: FL: back, middle, front, rest discarded."""
    hands = (HandStart(0, 15, 1), HandStart(1, 14, 1))
    state = begun(PINEAPPLE, hands, stacked("AhKdQc7s2c3c4c5c6c8d9sTsJs2h3h"))
    assert automatic(state, 0) == place(0, "9sTsJs/3c4c5c6c8d/AhKdQc7s2c")


def test_what_was_arranged_does_not_count() -> None:
    """The layout is what the rule says, whatever was shown before."""
    state = begun(PINEAPPLE, seats_for(PINEAPPLE, 2), stacked("AhKdQc7s2c"))
    state = played(state, Arrange(0, layout("AhKd//")))
    assert automatic(state, 0) == place(0, "//AhKdQc7s2c")


def test_closed_games_are_played_and_nothing_is_declared() -> None:
    rules = resolve({"preset": "closed_1_6", "royalties.declare": "must"})
    state = begun(rules, seats_for(rules, 2), shuffled(rules, 3))
    told = []
    while not finished(state):
        told.append(automatic(state, acting(state)[0]))
        state = played(state, told[-1])
    assert [type(action) for action in told] == [Place, Place, Announce, Announce, Declare, Declare]
    assert told[2:] == [Announce(0, play=True), Announce(1, play=True), Declare(0, ()), Declare(1, ())]


def test_foul_kills_the_board_once_and_everybody_sees_it() -> None:
    """RULEBOOK 6: `timeout.layout = foul`."""
    rules = resolve({"preset": "pineapple", "timeout.layout": "foul"})
    state = begun(rules, seats_for(rules, 2), shuffled(rules, 3))
    deaths = 0
    while not finished(state):
        hand = acting(state)[0]
        action = automatic(state, hand) if hand == 0 else best_legal(state, hand)
        assert isinstance(action, Forfeit) == (hand == 0)
        events = decide(state, action)
        deaths += sum(isinstance(event.event, WentDead) for event in events)
        state = after(state, events)
        assert view(state, None).boards[0].status == "foul"
    assert deaths == 1
    assert result(state).hands[0].status == "foul"


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(
        ["pineapple", "pineapple_joker", "pineapple_27", "closed_low_middle", "closed_basic", "taiwanese"]
    ),
    st.sampled_from(["ge", "gt"]),
    st.integers(13, 17),
    st.integers(0, 2**32),
)
def test_best_legal_never_fouls_a_whole_board(preset: str, order: str, cards: int, seed: int) -> None:
    """RULEBOOK 3: back as high as possible, then the middle, then the front; with a low middle where there is one."""
    rules = resolve({"preset": preset, "rows.order": order, "timeout.layout": "best_legal"})
    land = 0 if rules.deal.game == "closed" else cards
    state = begun(
        rules, (HandStart(0, land, int(land > 0)), HandStart(1, land, int(land > 0))), shuffled(rules, seed)
    )
    action = automatic(state, 0)
    if isinstance(action, ClaimNatural):
        return
    assert isinstance(action, Place)
    board = played(state, action).hands[0].board
    status = row_status(rules, board.front, board.middle, board.back)
    low = rules.rows.middle == "deuce_to_seven"
    assert not status.fouled or (low and status.middle.name.startswith("No low"))


@pytest.mark.parametrize(("layout_rule", "status"), [("best_legal", "legal"), ("received_back_first", "foul")])
def test_best_legal_finds_the_card_that_saves_the_board(layout_rule: str, status: str) -> None:
    """Kings and eights in the middle: of Ts 6d As only the ace keeps the back above them."""
    rules = resolve({"preset": "pineapple", "timeout.layout": layout_rule})
    other = ("2d2h3h4c5d", "6c6h7c", "7h9c9s", "TcThJc", "JdJhQd")
    own = ("2c3dKhAhAd", "5c9dKd", "7s9hKc", "8s8c4h", "Ts6dAs")
    state = begun(rules, seats_for(rules, 2), stacked("".join(a + b for a, b in zip(own, other, strict=True))))
    for mine, theirs in (
        ("2c/Kh3d/AhAd", "2d/2h3h4c/5d"),
        ("/Kd/5c", "/6c/6h"),
        ("7s//9h", "/7h/9c"),
        ("/8s8c/", "//TcTh"),
    ):
        state = played(state, place(0, mine), place(1, theirs))
    state = played(state, automatic(state, 0), place(1, "JdJh//"))
    assert result(state).hands[0].status == status
