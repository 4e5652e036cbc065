"""A board as its owner sees it, or as everybody else does, field by field: what `BoardView` holds, laid out flat.

Of two faces a few fields differ; so they are found without looking into rows, and most boards are never made whole.
Cards are one text, or how many unknown ones, and booleans numbers, as in the parts of a view that are sent
(table/view_paths.py).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Literal

from triptych.board import EMPTY, ROW_CAPACITY, ROWS, Board
from triptych.cards import UNKNOWN_CARD, Card, card_text, cards_text
from triptych.deal.state import DealState, HandState, arranging_is_public, draws_are_public, is_face_down
from triptych.deal.view_types import BoardView, RowView
from triptych.rulesets.model import Ruleset
from triptych.scoring.partial import BoardStatus, row_status
from triptych.scoring.sheet.hand_names import natural_name
from triptych.scoring.showdown import HandScore

# The values of three rows: cards, name, royalty, warning; cards, …
Rows = tuple[Any, ...]
# The values of `FACE_PATHS`: those of the rows, and the others.
Face = tuple[Any, ...]
# What everybody else sees of a board, and what its owner sees.
Faces = tuple[Face, Face]

# The paths in `BoardView` of what a face holds, besides whose it is.
FACE_PATHS: Final = (
    *[f"{row}.{field}" for row in ROWS for field in RowView.__struct_fields__],
    *[field for field in BoardView.__struct_fields__ if field not in ("hand", "seat", *ROWS)],
)
_ROW_FIELD_COUNT: Final = len(RowView.__struct_fields__)
_ROYALTY: Final = RowView.__struct_fields__.index("royalty")
_ROW_VALUES: Final = _ROW_FIELD_COUNT * len(ROWS)


def face_rows(face: Face) -> tuple[list[Rows], Face]:
    """Return the values of each row, and all others."""
    rows = [face[first : first + _ROW_FIELD_COUNT] for first in range(0, _ROW_VALUES, _ROW_FIELD_COUNT)]
    return rows, face[_ROW_VALUES:]


def board_view(hand: int, seat: int, face: Face) -> BoardView:
    """Return a face of a hand as it is sent whole."""
    rows, (street, acting, done, face_down, fantasyland, in_row, draws, pending, discards, *others) = face_rows(face)
    front, middle, back = [RowView(_split(cards), *values) for cards, *values in rows]
    cards = _split(draws), _split(pending), _split(discards)
    flags = bool(acting), bool(done), bool(face_down)
    return BoardView(hand, seat, front, middle, back, street, *flags, fantasyland, in_row, *cards, *others)


@lru_cache(maxsize=8192)
def _split(cards: str | int) -> tuple[str, ...]:
    if isinstance(cards, int):
        return (UNKNOWN_CARD,) * cards
    return tuple([cards[at : at + 2] for at in range(0, len(cards), 2)])


def project_board(state: DealState, index: int, *, acts: bool, score: HandScore | None) -> Faces:
    """Return a hand's board for everybody else, and for its owner; `acts`: something is awaited from it."""
    hand = state.hands[index]
    covered = is_face_down(state, index)
    pending = hand.pending
    shown = pending if pending is EMPTY or (hand.placing and arranging_is_public(state, index)) else EMPTY
    board = _visible_board(state, index, own=False)
    rows, own_rows = _rows(state.rules, hand.board.merged(pending))
    if board is None:
        rows = _FACE_DOWN_ROWS
    elif board is not hand.board or shown is not pending:
        rows, _ = _rows(state.rules, board.merged(shown))
    if score is not None:
        # A royalty that was not declared, or that another rule takes back, earns nothing in the end.
        own_rows = _with_royalties(own_rows, score)
        rows = rows if board is None else _with_royalties(rows, score)
    is_set = hand.is_set
    both = (
        *(min(hand.street + 1, len(hand.streets)), int(acts), int(is_set), int(covered)),
        *(hand.fantasyland, hand.in_row),
    )
    laid = () if hand.fantasyland else hand.laid
    status = score.status if score else _status(hand, own=False)
    own_status = status if score or not hand.natural else _status(hand, own=True)
    public = (
        *rows,
        *both,
        _visible_draws(state, index, shown, own=False),
        "" if shown is EMPTY else cards_text(shown.cards),
        UNKNOWN_CARD * len(hand.discards),
        _natural(hand, own=False) if hand.natural else "",
        # Of a board that was laid face down nobody ever learns how it came.
        () if index in state.plan.face_down else laid,
        status,
    )
    own = (
        *own_rows,
        *both,
        _visible_draws(state, index, pending, own=True),
        "" if pending is EMPTY else cards_text(pending.cards),
        cards_text(hand.discards),
        _natural(hand, own=True) if hand.natural else "",
        laid,
        own_status,
    )
    return public, own


def _visible_board(state: DealState, index: int, *, own: bool) -> Board | None:
    """Return the confirmed cards, none of a covered board in progress, and `None` for a covered full board."""
    hand = state.hands[index]
    if own or not is_face_down(state, index):
        return hand.board
    return None if hand.is_set else EMPTY


def _visible_draws(state: DealState, index: int, pending: Board, *, own: bool) -> str | int:
    """Return the cards not in a row; of covered ones how many, with those that a covered board in progress holds."""
    hand = state.hands[index]
    if own or hand.shown or (hand.placing and draws_are_public(state, index)):
        laid = pending.cards
        return cards_text([card for card in hand.drawn if card not in laid] if laid else hand.drawn)
    if hand.is_set:
        return ""
    covered = len(hand.board.cards) if is_face_down(state, index) else 0
    return covered + len(hand.drawn) - len(pending.cards) or ""


# A full board that lies face down.
_FACE_DOWN_ROWS: Final[Rows] = tuple(
    [value for row in ROWS for value in (UNKNOWN_CARD * ROW_CAPACITY[row], "", 0, "")]
)


# After each action most boards are as they were.
@lru_cache(maxsize=8192)
def board_status(rules: Ruleset, board: Board) -> BoardStatus:
    """Return what a board amounts to so far."""
    return row_status(rules, board.front, board.middle, board.back)


@lru_cache(maxsize=8192)
def _rows(rules: Ruleset, board: Board) -> tuple[Rows, Rows]:
    """Return visible rows as others see them, and as their owner does, with warnings; a sure foul earns nothing."""
    status = board_status(rules, board)
    three = (
        (_row(board.front), status.front),
        (_row(board.middle), status.middle),
        (_row(board.back), status.back),
    )
    if not status.fouled:
        same = tuple([value for cards, row in three for value in (cards, row.name, row.royalty, "")])
        return same, same
    others = tuple([value for cards, row in three for value in (cards, row.name, 0, "")])
    return others, tuple([value for cards, row in three for value in (cards, row.name, 0, row.warning)])


# A row that stays as it was is the very same thing, so nobody need compare it.
@lru_cache(maxsize=8192)
def _row(cards: tuple[Card, ...]) -> str:
    return cards_text(cards)


def _with_royalties(rows: Rows, score: HandScore) -> Rows:
    scored = list(rows)
    scored[_ROYALTY::_ROW_FIELD_COUNT] = score.royalties
    return tuple(scored)


def _natural(hand: HandState, *, own: bool) -> str:
    return natural_name(hand.natural) if hand.natural and (own or hand.shown) else ""


def _status(hand: HandState, *, own: bool) -> Literal["playing", "set", "legal", "foul", "surrendered", "natural"]:
    if hand.surrendered:
        return "surrendered"
    if hand.natural and (own or hand.shown):
        return "natural"
    if hand.dead:
        return "foul"
    return "set" if hand.is_set else "playing"


def card_texts(cards: tuple[Card, ...]) -> tuple[str, ...]:
    """Return cards as text, in their order."""
    return tuple(map(card_text, cards))
