"""A deal as text for a terminal and as HTML for a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from msgspec.structs import replace

from triptych.deal.project import DealViews
from triptych.deal.state import DealState
from triptych.deal.view_types import DealView
from triptych.notation.position import position_from_view, position_text
from triptych.rulesets.model import Ruleset


def open_view(state: DealState) -> DealView:
    """Return a deal with every card: each board as its owner sees it."""
    views = DealViews(state)
    return replace(views.bare, boards=tuple([views.board(index, own=True) for index in range(len(state.hands))]))


def deal_line(rules: Ruleset, view: DealView, status: str) -> str:
    """Return a deal in one line: rules, status and position."""
    return f"{rules.name}, {status}: {position_text(position_from_view(view))}"


def deal_text(rules: Ruleset, view: DealView, hands: Sequence[str], status: str) -> str:
    """Return a deal one hand a line, below a line with its status; `hands`: their names."""
    names = _with_button(hands)
    width = max(map(len, names))
    lines = [f"{name:<{width}}  {board}" for name, board in zip(names, view.boards, strict=True)]
    return "\n".join([f"{rules.title or rules.name}, {status}", *lines])


def deal_html(rules: Ruleset, view: DealView, hands: Sequence[str], status: str) -> str:
    """Return a deal as HTML: boards side by side, the cards of the street in progress below each."""
    boards = [board.html(name) for name, board in zip(_with_button(hands), view.boards, strict=True)]
    title = escape(f"{rules.title or rules.name}, {status}")
    return f'<div style="font:.9em system-ui,sans-serif">{title}</div>{"".join(boards)}'


def _with_button(hands: Sequence[str]) -> list[str]:
    return [*hands[:-1], f"{hands[-1]} (button)"]
