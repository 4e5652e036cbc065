"""A step as one line, similar to PHH: `d dc p1 Kd7s2c @3.2`, `p1 pl Kd/f 7s/m x2c @9.8`.

`d` is the dealer, `p1` the hand left of the button. Verbs: `dc` deal cards, `ar` arrange, `pl` place, `nt` take a
natural, `an` announce, `de` declare, `dd` forfeited by the clock, `sm` show the board, `sn` show the natural, `hi`
ask for a hint. `Kd/f` is a card in a row (front, middle, back, `?` unknown), `x2c` a discard, `@` the seconds since
the deal began.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, get_args

from msgspec.structs import replace

from triptych.board import ROWS, Layout, RowName
from triptych.cards import UNKNOWN_CARD, CardError, parse_card
from triptych.notation.errors import NotationError
from triptych.notation.history.model import Step, Verb
from triptych.rulesets.model import NaturalKind

_VERBS: Final[dict[str, Verb]] = {
    "dc": "deal",
    "ar": "arrange",
    "pl": "place",
    "nt": "natural",
    "an": "announce",
    "de": "declare",
    "dd": "dead",
    "sm": "show",
    "sn": "show_natural",
    "hi": "hint",
}
_SHORT: Final = {verb: short for short, verb in _VERBS.items()}
_ROW_OF: Final[dict[str, RowName]] = {row[0]: row for row in ROWS}
_UNKNOWN_PLACE: Final = "??/?"
_LINE: Final = re.compile(
    r"(?:d (?P<dealt>dc) p(?P<to>[1-4])|p(?P<hand>[1-4]) (?P<verb>[a-z]{2}))(?P<rest>(?: \S+)*)"
)
_TIME: Final = re.compile(r"@(\d{1,9})(?:\.(\d{1,3}))?")
_NATURALS: Final = get_args(NaturalKind)


def step_text(step: Step) -> str:
    """Return a step as one line."""
    subject = f"d dc p{step.hand + 1}" if step.verb == "deal" else f"p{step.hand + 1} {_SHORT[step.verb]}"
    return " ".join([subject, *_details(step), f"@{step.at // 1000}.{step.at % 1000:03d}"])


def parse_step(text: str, path: str) -> Step:
    """Parse one line. Raises NotationError (`history.action`, `history.time`, `card.unknown`) at `path`."""
    match = _LINE.fullmatch(text)
    verb = _VERBS.get(match["dealt"] or match["verb"]) if match else None
    if match is None or verb is None or (verb == "deal") != bool(match["dealt"]):
        raise NotationError(
            "history.action", "write such as 'd dc p1 Kd7s2c @3.2' or 'p1 pl Kd/f 7s/m x2c @9.8'", path
        )
    *words, time = match["rest"].split() or [""]
    at = _milliseconds(time, path)
    return _step(Step(at, int(match["to"] or match["hand"]) - 1, verb), words, path)


def _step(bare: Step, words: list[str], path: str) -> Step:
    """Return the step with the details that its words give."""
    match bare.verb, words:
        case "arrange" | "place", _:
            layout, covered, discards = _layout(words, path)
            return replace(bare, layout=layout, covered=covered, discards=discards)
        case "deal", [cards]:
            return replace(bare, cards=_cards(cards, path))
        case "show", [board]:
            return replace(bare, layout=_board(board, path))
        case "natural", [kind] if kind in _NATURALS:
            return replace(bare, word=kind)
        case "show_natural", [kind, cards] if kind in _NATURALS:
            return replace(bare, word=kind, cards=_cards(cards, path, unknown=False))
        case "announce", ["play" | "surrender" as word]:
            return replace(bare, word=word)
        case "declare", _ if all(word in ROWS for word in words):
            return replace(bare, rows=tuple(row for word in words for row in ROWS if row == word))
        case "dead" | "hint", []:
            return bare
        case _:
            raise NotationError(
                "history.action", f"the words after {_SHORT[bare.verb]} are not what belongs there", path
            )


def _details(step: Step) -> list[str]:
    cards_in_rows = [f"{card}/{row[0]}" for row in ROWS for card in getattr(step.layout, row)]
    words: dict[Verb, list[str]] = {
        "deal": ["".join(step.cards)],
        "arrange": cards_in_rows,
        "place": [*cards_in_rows, *[_UNKNOWN_PLACE] * step.covered, *[f"x{card}" for card in step.discards]],
        "natural": [step.word],
        "announce": [step.word],
        "declare": list(step.rows),
        "dead": [],
        "hint": [],
        "show": ["/".join("".join(getattr(step.layout, row)) for row in ROWS)],
        "show_natural": [step.word, "".join(step.cards)],
    }
    return words[step.verb]


def _milliseconds(text: str, path: str) -> int:
    match = _TIME.fullmatch(text)
    if match is None:
        raise NotationError("history.time", "end the line with the seconds since the start, such as @12.345", path)
    return int(match[1]) * 1000 + int((match[2] or "0").ljust(3, "0"))


def _cards(text: str, path: str, *, unknown: bool = True) -> tuple[str, ...]:
    cards = tuple(text[start : start + 2] for start in range(0, len(text), 2))
    for card in cards:
        if card == UNKNOWN_CARD and unknown:
            continue
        try:
            parse_card(card)
        except CardError as error:
            raise NotationError(error.code, error.message, path) from None
    return cards


def _board(text: str, path: str) -> Layout:
    rows = text.split("/")
    if len(rows) != len(ROWS):
        raise NotationError("board.rows", "write front/middle/back, such as QhQd7c/QsQc9d8c2c/8c9cTcJc2c", path)
    return Layout(*(_cards(row, path, unknown=False) for row in rows))


def _layout(words: Sequence[str], path: str) -> tuple[Layout, int, tuple[str, ...]]:
    """Return the cards by row, the number of covered cards, and the discards of `Kd/f 7s/m ??/? x2c`."""
    rows: dict[RowName, list[str]] = {row: [] for row in ROWS}
    discards: list[str] = []
    covered = 0
    for word in words:
        card, _, row = word.partition("/")
        if word == _UNKNOWN_PLACE:
            covered += 1
        elif row in _ROW_OF:
            rows[_ROW_OF[row]] += _cards(card, path, unknown=False)
        elif card.startswith("x") and not row:
            discards += _cards(card[1:], path)
        else:
            message = f"{word!r} is neither a card in a row (Kd/f) nor a discard (x2c)"
            raise NotationError("history.action", message, path)
    return Layout(*(tuple(rows[row]) for row in ROWS)), covered, tuple(discards)
