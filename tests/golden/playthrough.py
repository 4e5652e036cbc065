"""A whole playthrough as text: the deck, every action, the state, what may be done next, and each viewer's view.

`python -m tests.golden.playthrough` writes all files again; read the diff before committing it.
"""

from __future__ import annotations

from math import comb
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from tests.deal.moves import after
from tests.deal.play import random_layout, seats_for, shuffled
from triptych.board import ROW_CAPACITY, ROWS, Layout
from triptych.cards import cards_text
from triptych.deal.actions import Announce, Arrange, ClockAction, Declare
from triptych.deal.engine import decide, next_fantasyland, result, start
from triptych.deal.project import view
from triptych.deal.state import DealState, HandStart, acting_hands, finished, phase
from triptych.deal.timeout import best_legal, timeout_action
from triptych.deal.visibility import Private, Public
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import Ruleset, is_closed, max_fantasyland_cards

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triptych.deal.events import DealEvent
    from triptych.deal.state import HandState
    from triptych.deal.view_types import BoardView, DealView

FOLDER = Path(__file__).parent


def playthrough(preset: str) -> str:
    """Return the playthrough of a preset: a deal, and one with a fantasyland where there is any."""
    rules = resolve(preset)
    hands = seats_for(rules, rules.seats.max if is_closed(rules) else min(rules.seats.max, 3))
    lines = [f"# {preset}", *_deal(rules, hands, 1)]
    if max_fantasyland_cards(rules) and not is_closed(rules):
        lines += _deal(rules, (HandStart(hands[0].seat, max_fantasyland_cards(rules), 1), *hands[1:]), 2)
    return "\n".join(lines) + "\n"


def _deal(rules: Ruleset, hands: tuple[HandStart, ...], number: int) -> Iterator[str]:
    deck = shuffled(rules, number)
    yield from ("", f"== deal {number}: seats {[hand.seat for hand in hands]}", f"deck {cards_text(deck)}")
    rng = Random(number)
    views: dict[tuple[int | None, int], str] = {}
    events = start(rules, number, hands, deck).events
    state = after(None, events)
    yield from _moment("start", events, state, views)
    while not finished(state):
        action = _action(state, rng)
        events = decide(state, action).events
        state = after(state, events)
        yield from _moment(_action_text(action), events, state, views)
    yield from _score(state)


def _action(state: DealState, rng: Random) -> ClockAction:
    """Lay sensible boards; now and then show an arrangement, surrender, declare little, or run out of time."""
    hand = acting_hands(state)[-1]
    now = phase(state)
    chance = rng.random()
    if now == "announcing":
        return Announce(hand, chance < 0.7)
    if now == "declaring":
        return Declare(hand, ROWS[:2])
    if chance < 0.15 and not state.hands[hand].pending.cards:
        return Arrange(hand, random_layout(state, hand, rng, count=1))
    return timeout_action(state, hand) if chance > 0.9 else best_legal(state, hand)


def _moment(
    title: str, events: tuple[DealEvent, ...], state: DealState, views: dict[tuple[int | None, int], str]
) -> Iterator[str]:
    yield from ("", f"-- {title}", "events " + ", ".join(_event_text(event) for event in events))
    yield f"state  {phase(state)}, {len(state.deck)} in the deck"
    yield from (f"  {index} {_hand_text(hand)}" for index, hand in enumerate(state.hands))
    yield from (f"may    {_options(state, index)}" for index in acting_hands(state))
    for seat in (None, *sorted({hand.seat for hand in state.hands})):
        yield from _view_text(view(state, seat), seat, views)


def _event_text(event: DealEvent) -> str:
    who = "all" if isinstance(event, Public) else f"seat {event.seat}" if isinstance(event, Private) else "nobody"
    hand = getattr(event.event, "hand", None)
    return f"{event.event.__struct_config__.tag}{'' if hand is None else f' {hand}'} > {who}"


def _action_text(action: ClockAction) -> str:
    layout: Layout | None = getattr(action, "layout", None)
    more = (
        _layout_text(layout)
        if layout
        else " ".join(str(getattr(action, key)) for key in action.__struct_fields__[1:])
    )
    return f"hand {action.hand}: {action.__struct_config__.tag} {more}".rstrip()


def _layout_text(layout: Layout) -> str:
    return "/".join("".join(getattr(layout, row)) or "-" for row in ROWS)


def _hand_text(hand: HandState) -> str:
    rows = "/".join(cards_text(hand.board.row(row)) or "-" for row in ROWS)
    extra = {
        "drawn": cards_text(hand.drawn),
        "pending": cards_text(hand.pending.cards),
        "discards": cards_text(hand.discards),
        "natural": hand.natural,
        "dead": hand.dead,
        "surrendered": hand.surrendered,
        "declared": " ".join(hand.declared or ()),
    }
    return " ".join([rows, *(f"{key} {value}" for key, value in extra.items() if value)])


def _options(state: DealState, index: int) -> str:
    if phase(state) != "placing":
        return f"hand {index} {phase(state)}"
    hand = state.hands[index]
    street = hand.streets[hand.street]
    free = [ROW_CAPACITY[row] - len(hand.board.row(row)) for row in ROWS]
    ways = layouts(len(hand.drawn), street.placed, free)
    return f"hand {index} place {street.placed} of {len(hand.drawn)} in {ways} ways"


def layouts(drawn: int, placed: int, free: list[int]) -> int:
    """Return how many ways there are to lay `placed` of `drawn` cards into rows with free slots."""
    ways = sum(
        comb(placed, front) * comb(placed - front, middle)
        for front in range(min(free[0], placed) + 1)
        for middle in range(min(free[1], placed - front) + 1)
        if placed - front - middle <= free[2]
    )
    return comb(drawn, placed) * ways


def _view_text(seen_view: DealView, seat: int | None, views: dict[tuple[int | None, int], str]) -> Iterator[str]:
    """Yield the boards that changed in a viewer's eyes, and the viewer's tasks."""
    yield f"view   {'spectator' if seat is None else f'seat {seat}'}: {seen_view.phase}, street {seen_view.street}"
    for board in seen_view.boards:
        text = _board_text(board)
        if views.get((seat, board.hand)) != text:
            yield f"  {board.hand} {text}"
        views[seat, board.hand] = text
    for task in seen_view.tasks:
        head = f"task hand {task.hand}: {task.kind} {task.place} of {''.join(task.cards) or '-'}"
        offered = f", natural {task.natural}" if task.natural else ""
        foul = "" if task.legal else ", foul"
        yield f"  {head}, discard {task.discard}, lies {_layout_text(task.layout)}{foul}{offered}"


def _board_text(board: BoardView) -> str:
    rows = (board.front, board.middle, board.back)
    names = "; ".join(
        f"{row.name}{f' +{row.royalty}' if row.royalty else ''}{f' ({row.warning})' if row.warning else ''}" or "-"
        for row in rows
    )
    extra = {
        "acts": board.acting,
        "face down": board.face_down,
        "fantasyland": board.fantasyland,
        "draws": "".join(board.draws),
        "pending": "".join(board.pending),
        "discards": "".join(board.discards),
    }
    notes = [key if value is True else f"{key} {value}" for key, value in extra.items() if value]
    return " | ".join(["/".join("".join(row.cards) or "-" for row in rows), names, board.status, *notes])


def _score(state: DealState) -> Iterator[str]:
    score = result(state)
    yield from ("", "== score")
    for index, hand in enumerate(score.hands):
        yield f"  {index} {hand.status}, royalties {hand.royalties}, total {score.totals()[index]}"
    yield from (f"  {pair.a}-{pair.b} {pair.points}" for pair in score.pairs)
    yield f"  next fantasyland {next_fantasyland(state)}"


if __name__ == "__main__":
    for name in preset_names():
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")
