"""The guide's texts, made from the rules and from the cards on the viewer's own board."""

from __future__ import annotations

from collections.abc import Iterator

from triptych.board import ROWS, Layout, RowName
from triptych.cards import RANKS, parse_card
from triptych.deal.actions import Action, Announce, ClaimNatural, Declare, Place
from triptych.deal.view_types import BoardView, Task
from triptych.i18n.messages import Message, join_with_and
from triptych.rulesets.describe.fantasyland import describe_condition
from triptych.rulesets.model import FantasylandEntry, Ruleset, is_closed
from triptych.scoring.partial import OrderViolation, order_violations
from triptych.server.schemas.guide import GuideLine


def guide_lines(rules: Ruleset, board: BoardView, task: Task, advice: Action) -> tuple[GuideLine, ...]:
    """Return the guide's lines on a task, the most urgent first; `advice` is the action that it would choose."""
    if task.kind != "place":
        return (GuideLine("next", _answer(task, advice)),)
    violations = order_violations(rules, *(tuple(map(parse_card, row_cards(board, row))) for row in ROWS))
    certain = [GuideLine("foul", _foul(violation)) for violation in violations if violation.certain]
    possible = [GuideLine("care", _warning(violation)) for violation in violations if not violation.certain]
    points = [GuideLine("points", text) for text in _points(rules, board, fouled=bool(certain))]
    order = [GuideLine("order", _order(rules))]
    first = order if task.street == 1 and task.layout == Layout() else []
    last = order if not first else []
    return (*certain, *first, GuideLine("next", _next(task, advice)), *possible, *points, *last)


def row_cards(board: BoardView, row: RowName) -> tuple[str, ...]:
    """Return the cards in a row, including this street's."""
    cards: tuple[str, ...] = getattr(board, row).cards
    return cards


def _order(rules: Ruleset) -> str:
    order = rules.rows.order
    if rules.rows.middle != "deuce_to_seven":
        return Message(f"guide.order.{order}")
    return Message(f"guide.order.low_{order}", low=Message(f"guide.low.{rules.rows.low_limit}"))


def _foul(violation: OrderViolation) -> str:
    if violation.upper == violation.lower:
        return Message("guide.foul.ten_low", hand=violation.upper_name)
    return Message(
        "guide.foul.beats_best" if violation.best else "guide.foul.beats",
        upper=Message(f"row.{violation.upper}"),
        hand=violation.upper_name,
        lower=Message(f"row.{violation.lower}"),
        other=violation.best or violation.lower_name,
    )


def _warning(violation: OrderViolation) -> str:
    rows = {"lower": Message(f"row.{violation.lower}"), "upper": Message(f"row.{violation.upper}")}
    if not violation.lower_name:
        return Message("guide.care.row", **rows, other=violation.upper_name)
    return Message("guide.care.hand", **rows, other=violation.upper_name, hand=violation.lower_name)


def _next(task: Task, advice: Action) -> str:
    if task.natural or isinstance(advice, ClaimNatural):
        return Message("guide.natural", natural=task.natural)
    placed_count = sum(len(getattr(task.layout, row)) for row in ROWS)
    if placed_count == task.place:
        return Message("guide.all_placed")
    remaining = task.place - placed_count
    if task.discard > 1:
        return Message("guide.place.discard", count=remaining, discards=task.discard)
    return Message("guide.place.discard_one" if task.discard else "guide.place.all", count=remaining)


def _answer(task: Task, advice: Action) -> str:
    if isinstance(advice, Announce):
        choice = "play" if advice.play else "surrender"
        return Message(f"guide.announce.{choice}", points=task.surrender)
    if isinstance(advice, Declare):
        if not advice.rows:
            return Message("guide.declare_nothing")
        return Message("guide.declare", rows=join_with_and([Message(f"row.{row}") for row in advice.rows]))
    return ""


def _points(rules: Ruleset, board: BoardView, *, fouled: bool) -> Iterator[str]:
    if not fouled:
        for row in ROWS:
            view = getattr(board, row)
            if view.royalty:
                yield Message(f"guide.royalty.{row}", hand=view.name, points=view.royalty)
    if not is_closed(rules) and not board.fantasyland and rules.fantasyland.entry:
        yield _fantasyland_entry(rules, rules.fantasyland.entry[0])


def _fantasyland_entry(rules: Ruleset, entry: FantasylandEntry) -> str:
    condition, cards = describe_condition(entry), entry.cards
    rank = entry.least[:1]
    if entry.row == "front" and entry.least == rank * 2:
        points = rules.royalties.table.front.pair[RANKS.index(rank)]
        if points:
            return Message("guide.fantasyland.earns_royalties", condition=condition, cards=cards, points=points)
    return Message("guide.fantasyland.earns", condition=condition, cards=cards)


def proposal(advice: Action) -> Layout | None:
    """Return the layout of a placement, None for any other action."""
    return advice.layout if isinstance(advice, Place) else None
