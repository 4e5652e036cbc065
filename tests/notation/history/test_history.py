"""Deal histories: written and read again by everyone who knows some of the cards. Issue 3, part 7."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.deal.moves import after, arrange, begun, place, stacked
from tests.deal.play import steps
from tests.examples import examples
from tests.properties.deals import Deal, deals
from tests.properties.test_deals import known_cards
from triptych.cards import card_text
from triptych.deal.engine import decide, start
from triptych.deal.events import DealEvent
from triptych.deal.project import view
from triptych.deal.state import HandStart
from triptych.notation.errors import NotationError
from triptych.notation.history.model import Viewer, record
from triptych.notation.history.read import parse_history
from triptych.notation.history.replay import check_history, frames
from triptych.notation.history.text import history_text
from triptych.rulesets.load import resolve

CARD = re.compile(r"[2-9TJQKA][cdhs]|X[12]")
viewers: st.SearchStrategy[Viewer] = st.sampled_from(["all", None, 0, 1])


def timed(deal: Deal) -> list[tuple[int, DealEvent]]:
    return [(index * 1370, event) for index, (_, events, _) in enumerate(steps(*deal)) for event in events]


@settings(max_examples=examples(80))
@given(deals(), viewers)
def test_round_trip(deal: Deal, seen_by: Viewer) -> None:
    history = record(timed(deal), seen_by)
    assert history.result is not None
    assert parse_history(history_text(history)) == history


@settings(max_examples=examples(80))
@given(deals(), st.sampled_from([None, 0, 1]))
def test_a_history_holds_only_cards_that_its_viewer_knew(deal: Deal, seen_by: int | None) -> None:
    """Hidden cards only for those who knew them."""
    *_, (_, _, last) = steps(*deal)
    actions = history_text(record(timed(deal), seen_by)).split("actions = [")[1].split("[result]")[0]
    assert set(CARD.findall(actions)) <= {card_text(card) for card in known_cards(last, seen_by)}


@settings(max_examples=examples(150))
@given(deals(), viewers)
def test_a_true_history_passes_its_check(deal: Deal, seen_by: Viewer) -> None:
    check_history(parse_history(history_text(record(timed(deal), seen_by))))


@settings(max_examples=examples(60))
@given(deals(), st.sampled_from([None, 0, 1]))
def test_a_replay_shows_what_the_viewer_saw(deal: Deal, seat: int | None) -> None:
    """Also of a history that knows no more than that viewer."""
    live_views = [view(state, seat) for action, _, state in steps(*deal)]
    assert [frame.view for frame in frames(record(timed(deal), "all"), seat)] == live_views
    views = [frame.view for frame in frames(record(timed(deal), seat), seat)]
    assert [replayed for replayed in views if replayed not in live_views] == []
    assert views[-1] == live_views[-1]


@pytest.mark.parametrize("seen_by", [None, 0, 1, "all"])
def test_a_deal_that_is_not_over_is_replayed_too(seen_by: Viewer) -> None:
    """Also when cards dealt face down were laid before all, and taken up again (deal.first_cards = all)."""
    rules = resolve("ofc_russian")
    state = begun(rules, (HandStart(0), HandStart(1)), stacked("AhKdQc7s2c3c4c5c6c8d"))
    log = list(start(rules, 1, (HandStart(0), HandStart(1)), stacked("AhKdQc7s2c3c4c5c6c8d")).events)
    for action in (
        arrange(0, "Ah//"),
        arrange(0, "/Kd/"),
        place(0, "Ah/Kd/Qc7s2c"),
        arrange(1, "3c//"),
        arrange(1, "//4c"),
    ):
        check_history(record([(0, event) for event in log], seen_by))
        events = decide(state, action).events
        log += events
        state = after(state, events)
    history = record([(0, event) for event in log], seen_by)
    check_history(parse_history(history_text(history)))
    if seen_by != "all":
        assert frames(history, seen_by)[-1].view == view(state, seen_by)


GOOD = history_text(record(timed((resolve("pineapple"), (HandStart(0), HandStart(1)), 5)), "all"))


def with_line(number: int, line: str) -> str:
    """Return the good history with another line among its actions."""
    head, rest = GOOD.split("actions = [\n")
    lines = rest.split("\n")
    lines[number] = f'  "{line}",'
    return head + "actions = [\n" + "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("", "history.format", "$.format"),
        ("format = ", "history.toml", "$"),
        (GOOD.replace("triptych 1", "triptych 9"), "history.format", "$.format"),
        (GOOD.replace("deal = 1", "deal = -1", 1), "history.key", "$.deal"),
        (GOOD.replace("deal = 1", "deals = 1", 1), "history.key", "$.deals"),
        (GOOD.replace('seen_by = "all"', 'seen_by = "me"'), "history.key", "$.seen_by"),
        (GOOD.replace('players = ["p1", "p2"]', 'players = ["p1"]'), "history.key", "$.players"),
        (GOOD.replace('["p1", "p2"]', '["p1", "p2", "p3"]'), "history.players", "$.seats"),
        (GOOD.replace("seats = [0, 1]", "seats = [0, 7]"), "history.key", "$.seats[1]"),
        (GOOD.replace("fantasyland = [0, 0]", "fantasyland = [0, 18]", 1), "history.key", "$.fantasyland[1]"),
        (GOOD.replace("fantasyland = [0, 0]", "fantasyland = [0]", 1), "history.key", "$.fantasyland"),
        (GOOD.replace('order = "ge"', 'order = "le"'), "history.rules", "$.rules.rows.order"),
        (with_line(1, "p1 xx Kd/f @1.0"), "history.action", "$.actions[1]"),
        (with_line(1, "p5 pl Kd/f @1.0"), "history.action", "$.actions[1]"),
        (with_line(1, "p3 pl Kd/f @1.0"), "history.action", "$.actions[1]"),
        (with_line(1, "p1 pl Kd/z @1.0"), "history.action", "$.actions[1]"),
        (with_line(1, "p1 pl Zz/f @1.0"), "card.unknown", "$.actions[1]"),
        (with_line(1, "p1 pl xKz @1.0"), "card.unknown", "$.actions[1]"),
        (with_line(1, "d dc p1 AhK @1.0"), "card.unknown", "$.actions[1]"),
        (with_line(1, "p1 an perhaps @1.0"), "history.action", "$.actions[1]"),
        (with_line(1, "p1 de upper @1.0"), "history.action", "$.actions[1]"),
        (with_line(1, "p1 nt twelve @1.0"), "history.action", "$.actions[1]"),
        (with_line(1, "p1 sm AhKh/ @1.0"), "board.rows", "$.actions[1]"),
        (with_line(1, "p1 pl Kd/f"), "history.time", "$.actions[1]"),
        (with_line(1, "p1 pl Kd/f @soon"), "history.time", "$.actions[1]"),
        (with_line(3, "p2 pl Kd/f @0.0"), "history.time", "$.actions[3]"),
    ],
)
def test_bad_files(text: str, code: str, path: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_history(text)
    assert (refused.value.code, refused.value.path) == (code, path)


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        (
            GOOD.replace("points = [", "points = [7, ", 1).replace(", 0]\nfant", "]\nfant"),
            "history.result",
            "$.result.points",
        ),
        (with_line(1, "p1 pl Jh/f Qs/f 4d/f 6h/m @1.37"), "history.replay", "$.actions[1]"),
        (with_line(1, "p2 pl Jh/f Qs/f 4d/f 6h/m 4s/m @1.37"), "card.duplicate", "$.actions[1]"),
        (with_line(0, "d dc p1 4s6h4dJhTd @0.0"), "history.replay", "$.actions[1]"),
        (with_line(0, "d dc p1 X1KhQhJhTh @0.0"), "history.replay", "$.actions[0]"),
        (GOOD.replace('game = "pineapple"', 'game = "turbo"'), "history.replay", "$.actions[7]"),
    ],
)
def test_false_histories(text: str, code: str, path: str) -> None:
    """What can be read and is not what the rules make of it."""
    with pytest.raises(NotationError) as refused:
        check_history(parse_history(text))
    assert (refused.value.code, refused.value.path) == (code, path)


def test_a_history_for_one_seat_is_not_replayed_for_another() -> None:
    history = record(timed((resolve("pineapple"), (HandStart(0), HandStart(1)), 5)), 0)
    with pytest.raises(ValueError, match="another viewer"):
        frames(history, 1)


def test_stakes_of_pairs_are_written_and_read_again() -> None:
    """Rules §4: any two may have a stake of their own; a review counts with it."""
    history = replace(parse_history(GOOD), stacks=(40, 25), stakes=(5,))
    assert parse_history(history_text(history)) == history
    with pytest.raises(NotationError) as refused:
        parse_history(history_text(replace(history, stakes=(5, 1))))
    assert (refused.value.code, refused.value.path) == ("history.players", "$.stakes")
