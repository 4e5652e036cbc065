"""Boards as self-contained HTML for notebooks, readable on light and dark pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

_SUITS: Final = {"c": ("♣", "#1a7f37"), "d": ("♦", "#0a5cc2"), "h": ("♥", "#c0202c"), "s": ("♠", "#1b1f24")}
_ROW_SIZES: Final = (3, 5, 5)
_CARD_STYLE: Final = (
    "display:inline-block;box-sizing:border-box;width:2.5em;padding:.15em 0;margin:1px;border:1px solid #8c959f;"
    "white-space:nowrap;border-radius:4px;background:#fff;text-align:center;font:600 1em/1.2 system-ui,sans-serif"
)


class Html(str):
    """Text that is HTML already, so that a table does not escape it."""

    __slots__ = ()


def card_html(card: str) -> Html:
    """Return one card, `Ah`, `X1` or the unknown `??`, as HTML; an empty text is an empty slot."""
    if not card:
        return Html(f'<span style="{_CARD_STYLE};background:none;border-style:dashed;opacity:.5">&nbsp;</span>')
    if card == "??":
        return Html(f'<span style="{_CARD_STYLE};background:#57606a;color:#57606a">?</span>')
    sign, colour = _SUITS.get(card[1:], ("", "#6e40c9"))
    name = f"{card[0].replace('T', '10')}{sign}" if sign else escape(card)
    return Html(f'<span style="{_CARD_STYLE};color:{colour}">{name}</span>')


def board_html(rows: Sequence[Sequence[str]], caption: str = "", below: str = "") -> Html:
    """Return a board as HTML, from front to back with empty slots, with a caption below.

    `below`: more HTML under the caption.
    """
    padded = [[*row, *[""] * (size - len(row))] for row, size in zip(rows, _ROW_SIZES, strict=True)]
    lines = "".join(f'<div style="text-align:center">{"".join(map(card_html, row))}</div>' for row in padded)
    text = f'<div style="text-align:center;font:.9em system-ui,sans-serif">{escape(caption)}</div>' if caption else ""
    inside = f"{lines}{text}{below}"
    return Html(f'<div style="display:inline-block;margin:.4em .8em .4em 0;vertical-align:top">{inside}</div>')


def table_html(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    """Return a plain table of texts; cells that are Html are not escaped."""
    cells = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(text)}</td>' for text in row)}</tr>" for row in rows)
    return Html(f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>")


def _cell(text: str) -> str:
    return text if isinstance(text, Html) else escape(text)
