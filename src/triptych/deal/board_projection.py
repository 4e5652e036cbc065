"""A board as its owner and as all others see it: the fields of `BoardView` as a flat tuple, a "face".

Two faces differ in a few fields. A flat tuple makes them comparable without nested rows, and most boards need no
`BoardView` at all. Cards are one text, or the number of unknown ones, and booleans are numbers, as in the parts of a
view that are sent (table/view_paths.py).
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
# The face of a board for the others, and the one for its owner.
Faces = tuple[Face, Face]

# The paths in `BoardView` of a face's values; hand and seat are not among them.
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
    """Return the complete view of a hand from one of its faces."""
    rows, (street, acting, done, face_down, fantasyland, in_row, draws, pending, discards, *rest_values) = face_rows(
        face
    )
    front, middle, back = [RowView(_split(cards), *values) for cards, *values in rows]
    cards = _split(draws), _split(pending), _split(discards)
    flags = bool(acting), bool(done), bool(face_down)
    return BoardView(hand, seat, front, middle, back, street, *flags, fantasyland, in_row, *cards, *rest_values)


@lru_cache(maxsize=8192)
def _split(cards: str | int) -> tuple[str, ...]:
    if isinstance(cards, int):
        return (UNKNOWN_CARD,) * cards
    return tuple([cards[index : index + 2] for index in range(0, len(cards), 2)])


def project_board(state: DealState, index: int, *, acts: bool, score: HandScore | None) -> Faces:
    """Return a hand's board for the others, and for its owner; `acts`: it is the hand's turn."""
    hand = state.hands[index]
    is_covered = is_face_down(state, index)
    pending = hand.pending
    visible_pending = pending if pending is EMPTY or (hand.placing and arranging_is_public(state, index)) else EMPTY
    board = _visible_board(state, index, own=False)
    rows, own_rows = _rows(state.rules, hand.board.merged(pending))
    if board is None:
        rows = _FACE_DOWN_ROWS
    elif board is not hand.board or visible_pending is not pending:
        rows, _ = _rows(state.rules, board.merged(visible_pending))
    if score is not None:
        # A royalty that was not declared, or that another rule cancels, earns nothing in the end.
        own_rows = _with_royalties(own_rows, score)
        rows = rows if board is None else _with_royalties(rows, score)
    is_set = hand.is_set
    common = (
        *(min(hand.street + 1, len(hand.streets)), int(acts), int(is_set), int(is_covered)),
        *(hand.fantasyland, hand.in_row),
    )
    row_counts = () if hand.fantasyland else hand.laid
    status = score.status if score else _status(hand, own=False)
    own_status = status if score or not hand.natural else _status(hand, own=True)
    public_face = (
        *rows,
        *common,
        _visible_draws(state, index, visible_pending, own=False),
        "" if visible_pending is EMPTY else cards_text(visible_pending.cards),
        UNKNOWN_CARD * len(hand.discards),
        _natural(hand, own=False) if hand.natural else "",
        # The row counts of a board that was placed face down stay hidden.
        () if index in state.plan.face_down else row_counts,
        status,
    )
    owner_face = (
        *own_rows,
        *common,
        _visible_draws(state, index, pending, own=True),
        "" if pending is EMPTY else cards_text(pending.cards),
        cards_text(hand.discards),
        _natural(hand, own=True) if hand.natural else "",
        row_counts,
        own_status,
    )
    return public_face, owner_face


def _visible_board(state: DealState, index: int, *, own: bool) -> Board | None:
    """Return the confirmed cards, none of a covered board in progress, and `None` for a covered full board."""
    hand = state.hands[index]
    if own or not is_face_down(state, index):
        return hand.board
    return None if hand.is_set else EMPTY


def _visible_draws(state: DealState, index: int, pending: Board, *, own: bool) -> str | int:
    """Return the cards not in a row, or the number of hidden ones, with those of a face-down board in progress."""
    hand = state.hands[index]
    if own or hand.shown or (hand.placing and draws_are_public(state, index)):
        placed = pending.cards
        return cards_text([card for card in hand.drawn if card not in placed] if placed else hand.drawn)
    if hand.is_set:
        return ""
    hidden_count = len(hand.board.cards) if is_face_down(state, index) else 0
    return hidden_count + len(hand.drawn) - len(pending.cards) or ""


# A full board that lies face down.
_FACE_DOWN_ROWS: Final[Rows] = tuple(
    [value for row in ROWS for value in (UNKNOWN_CARD * ROW_CAPACITY[row], "", 0, "")]
)


# After each action most boards are unchanged.
@lru_cache(maxsize=8192)
def board_status(rules: Ruleset, board: Board) -> BoardStatus:
    """Return the status of a board so far."""
    return row_status(rules, board.front, board.middle, board.back)


@lru_cache(maxsize=8192)
def _rows(rules: Ruleset, board: Board) -> tuple[Rows, Rows]:
    """Return visible rows for the others, and for their owner with warnings; a sure foul earns nothing."""
    status = board_status(rules, board)
    named_rows = (
        (_row(board.front), status.front),
        (_row(board.middle), status.middle),
        (_row(board.back), status.back),
    )
    if not status.fouled:
        same = tuple([value for cards, row in named_rows for value in (cards, row.name, row.royalty, "")])
        return same, same
    public_rows = tuple([value for cards, row in named_rows for value in (cards, row.name, 0, "")])
    return public_rows, tuple([value for cards, row in named_rows for value in (cards, row.name, 0, row.warning)])


# An unchanged row is the same object, so comparing it is cheap.
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
