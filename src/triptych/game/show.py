"""A deal in words and as a picture, with every card: for a terminal and for a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from msgspec.structs import replace

from triptych.board import ROWS, Board
from triptych.board_svg import board_html, card_html
from triptych.deal.board_projection import card_texts
from triptych.deal.project import DealViews
from triptych.deal.state import DealState, HandState
from triptych.notation.position import position_from_view, position_text


def deal_line(state: DealState, question: str) -> str:
    """Return a deal in one line: its rules, what is asked, and the position with every card."""
    views = DealViews(state)
    boards = tuple([views.board(index, own=True) for index in range(len(state.hands))])
    position = position_text(position_from_view(replace(views.bare, boards=boards)))
    return f"{state.rules.name}, {question}: {position}"


def deal_text(state: DealState, hands: Sequence[str], question: str) -> str:
    """Return a deal a hand a line, under a line that says what is asked; `hands`: their names."""
    names = _with_button(hands)
    width = max(map(len, names))
    lines = [f"{name:<{width}}  {_hand_text(hand)}" for name, hand in zip(names, state.hands, strict=True)]
    return "\n".join([f"{state.rules.title or state.rules.name}, {question}", *lines])


def deal_html(state: DealState, hands: Sequence[str], question: str) -> str:
    """Return a deal as boards side by side, the cards of a street in progress below each."""
    boards = [_hand_html(name, hand) for name, hand in zip(_with_button(hands), state.hands, strict=True)]
    title = escape(f"{state.rules.title or state.rules.name}, {question}")
    return f'<div style="font:.9em system-ui,sans-serif">{title}</div>{"".join(boards)}'


def _with_button(hands: Sequence[str]) -> list[str]:
    return [*hands[:-1], f"{hands[-1]} (button)"]


def _hand_text(hand: HandState) -> str:
    rows = " / ".join(" ".join(row) or "-" for row in _rows(hand.board))
    parts = [rows]
    if hand.drawn:
        parts.append(f"+ {' '.join(card_texts(hand.drawn))}")
    if hand.discards:
        parts.append(f"discarded {' '.join(card_texts(hand.discards))}")
    if hand.surrendered:
        parts.append("surrendered")
    return "  ".join(parts)


def _hand_html(name: str, hand: HandState) -> str:
    drawn = "".join(map(card_html, card_texts(hand.drawn)))
    below = (
        f'<div style="text-align:center;border-top:1px solid #8c959f;margin-top:.3em">{drawn}</div>' if drawn else ""
    )
    left = f"discarded {' '.join(card_texts(hand.discards))}" if hand.discards else ""
    return board_html(_rows(hand.board), f"{name} {left}".rstrip(), below)


def _rows(board: Board) -> tuple[tuple[str, ...], ...]:
    return tuple([card_texts(board.row(row)) for row in ROWS])
