"""Score many deals at once: boards in columns or arrays, points in arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from triptych import _kernel
from triptych.arguments import ArgumentError, describe_value
from triptych.board import BOARD_CARDS, ROW_SIZES, BoardError
from triptych.cards import RANKS, SUITS, Card, card_text, cards_text
from triptych.i18n.messages import Message
from triptych.inputs import rows_from_input
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.model import Ruleset
from triptych.scoring.showdown import ScoredHand, score_deal

_TEXT_LENGTH: Final = 2 * BOARD_CARDS + 2  # of a board as it is stored: two characters a card, two slashes
_FRONT_END, _MIDDLE_END = 2 * ROW_SIZES[0], 2 * ROW_SIZES[0] + 1 + 2 * ROW_SIZES[1]
_MAX_PLAYERS: Final = 4
_INVALID: Final = 255
_JOKER_RANK: Final = len(RANKS)


def _table(characters: str) -> NDArray[np.uint8]:
    table = np.full(256, _INVALID, np.uint8)
    table[np.frombuffer(characters.encode(), np.uint8)] = np.arange(len(characters), dtype=np.uint8)
    return table


_RANK_OF: Final = _table(f"{RANKS}X")
_SUIT_OF: Final = _table(f"{SUITS}12")  # of a joker its number


class Scores(Struct, frozen=True, eq=False):
    """Many scored deals, a row each; players and pairs in the order given, points before stakes and caps.

    `totals` (deals, players) int32, `pairs` (deals, pairs) int32: what the first receives from the second, in the
    order of `pair_names`; `royalties` (deals, players, 3) int32, front to back; `legal` (deals, players) bool;
    `fantasyland` (deals, players) uint8: cards of the next deal.

    >>> import triptych
    >>> boards = {"Ann": ["QhQd7c/KsKc9d8c2c/AcAdTcJc2d"], "Bob": ["9h6c5d/9s9c8d7h2h/KdKhTdJs3d"]}
    >>> scores = triptych.score_many(boards)
    >>> [*scores.columns()][:4], scores.pair_names, scores.pairs[0]
    (['Ann', 'Ann royalties', 'Ann legal', 'Ann fantasyland'], ('Ann-Bob',), array([13], dtype=int32))
    """

    players: tuple[str, ...]
    pair_names: tuple[str, ...]
    totals: NDArray[np.int32]
    pairs: NDArray[np.int32]
    royalties: NDArray[np.int32]
    legal: NDArray[np.bool_]
    fantasyland: NDArray[np.uint8]

    def __len__(self) -> int:
        """Return the number of deals."""
        return len(self.totals)

    def __repr__(self) -> str:
        return f"<Scores of {len(self):,} deals: {', '.join(self.players)}>"

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return one array a column, for a data frame: `pandas.DataFrame(scores.columns())`, or polars'."""
        columns: dict[str, NDArray[Any]] = {}
        for player, name in enumerate(self.players):
            columns[name] = self.totals[:, player]
            columns[f"{name} royalties"] = self.royalties[:, player].sum(axis=1)
            columns[f"{name} legal"] = self.legal[:, player]
            columns[f"{name} fantasyland"] = self.fantasyland[:, player]
        return columns


def score_boards(boards: object, rules: Ruleset, fantasyland: Mapping[str, object] | None) -> Scores:
    """Return the scores of many deals of boards. Raises BoardError, ArgumentError."""
    if rules.deal.game == "criss_cross":
        raise ArgumentError("value.choice", "two boards of one player are scored deal by deal", "$.rules")
    columns = _columns(boards)
    names = tuple(columns)
    cards = [_cards(column, f"$.boards.{name}") for name, column in columns.items()]
    if len({len(column_cards) for column_cards in cards}) > 1:
        message = f"the columns have different lengths: {', '.join(str(len(column_cards)) for column_cards in cards)}"
        raise ArgumentError("value.range", message, "$.boards")
    stacked = np.ascontiguousarray(np.stack(cards, axis=1))
    _verify(stacked, names, 52 + rules.deal.jokers)
    fantasylands = _fantasylands(fantasyland or {}, names, len(stacked))
    pairs, royalties, legal, next_fantasylands = _kernel.score_batch(compile_rules(rules), stacked, fantasylands)
    totals = np.zeros((len(stacked), len(names)), np.int32)
    for pair, (a, b) in enumerate(combinations(range(len(names)), 2)):
        totals[:, a] += pairs[:, pair]
        totals[:, b] -= pairs[:, pair]
    if rules.scoring.rows == "first_to_11":
        totals += _table_points(rules, stacked)
    pair_names = tuple([f"{a}-{b}" for a, b in combinations(names, 2)])
    return Scores(names, pair_names, totals, pairs, royalties, legal, next_fantasylands)


def _columns(boards: object) -> dict[str, object]:
    """Return the boards of each player; for an array without names the players are `p1`, `p2`, …."""
    if isinstance(boards, Mapping):
        columns = dict(boards)
    else:
        try:
            array = np.asarray(boards)
        except ValueError as error:
            raise ArgumentError("value.type", f"expected an array of boards: {error}", "$.boards") from None
        if array.ndim != 3:
            message = (
                f"expected boards by player's name, or an array of (deals, players, 13), not {_describe(boards)}"
            )
            raise ArgumentError("value.type", message, "$.boards")
        columns = {f"p{player + 1}": array[:, player] for player in range(array.shape[1])}
    for name in columns:
        if not isinstance(name, str) or not name:
            raise ArgumentError("value.type", f"expected a player's name, not {describe_value(name)}", "$.boards")
    if not 2 <= len(columns) <= _MAX_PLAYERS:
        raise ArgumentError("value.range", f"a deal has two to four players, not {len(columns)}", "$.boards")
    return columns


def _describe(value: object) -> str:
    shape = getattr(value, "shape", None)
    return describe_value(value) if shape is None else f"one of {shape}"


def _cards(column: object, path: str) -> NDArray[np.uint8]:
    """Return a column of boards as cards, uint8 (deals, 13)."""
    if isinstance(column, str) or not isinstance(column, Iterable):
        raise ArgumentError("value.type", f"expected a column of boards, not {describe_value(column)}", path)
    array = np.asarray(column) if hasattr(column, "dtype") else None
    if array is not None and array.dtype.kind in "iu":
        if array.ndim != 2 or array.shape[1] != BOARD_CARDS:
            raise ArgumentError("value.range", f"expected (deals, 13) cards, not an array of {array.shape}", path)
        if array.size and not 0 <= array.min() <= array.max() <= _INVALID:
            raise ArgumentError("value.range", "expected cards from 0 to 53", path)
        return array.astype(np.uint8)
    boards: list[Any] = list(column) if array is None else array.reshape(-1).tolist()
    if all(type(board) is str and len(board) == _TEXT_LENGTH and board.isascii() for board in boards):
        cards, is_read = _read_texts(boards)
    else:
        cards, is_read = np.zeros((len(boards), BOARD_CARDS), np.uint8), np.zeros(len(boards), np.bool_)
    for deal in np.flatnonzero(~is_read):
        cards[deal] = _board(boards[deal], f"{path}[{deal}]")
    return cards


def _read_texts(boards: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return boards as cards, and a mask of the valid ones; each text has the length of a stored board."""
    text = np.frombuffer("".join(boards).encode(), np.uint8).reshape(len(boards), _TEXT_LENGTH)
    slashes = (text[:, _FRONT_END] == ord("/")) & (text[:, _MIDDLE_END] == ord("/"))
    cards = np.delete(text, (_FRONT_END, _MIDDLE_END), axis=1)
    ranks, suits = _RANK_OF[cards[:, ::2]], _SUIT_OF[cards[:, 1::2]]
    valid = (ranks != _INVALID) & (suits != _INVALID) & ((ranks == _JOKER_RANK) == (suits >= len(SUITS)))
    joker = suits >= len(SUITS)
    cards = np.where(valid, ranks * 4 + suits - joker * np.uint8(len(SUITS)), 0).astype(np.uint8)
    return cards, slashes & valid.all(axis=1)


def _board(value: object, path: str) -> tuple[Card, ...]:
    """Return one whole board as cards. Raises BoardError, ArgumentError."""
    front, middle, back = rows = rows_from_input(value, path)  # type: ignore[arg-type]
    for row, size, name in zip(rows, ROW_SIZES, ("front", "middle", "back"), strict=True):
        if len(row) != size:
            raise BoardError("row.size", Message("error.hand.size", size=size, count=len(row)), f"{path}.{name}")
    return front + middle + back


def _verify(boards: NDArray[np.uint8], names: Sequence[str], end: int) -> None:
    """Raise BoardError at the first card that occurs twice or that the rules do not use."""
    deals = boards.reshape(len(boards), -1)
    bits = np.uint64(1) << np.minimum(deals, 63).astype(np.uint64)
    has_duplicate = np.bitwise_or.reduce(bits, axis=1) != bits.sum(axis=1)
    invalid_deals = np.flatnonzero(has_duplicate | (deals >= end).any(axis=1))
    if not len(invalid_deals):
        return
    deal = int(invalid_deals[0])
    known_cards: set[int] = set()
    for name, board in zip(names, boards[deal].tolist(), strict=True):
        for card in board:
            path = f"$.boards.{name}[{deal}]"
            if card >= end:
                text = card_text(Card(card)) if card < _JOKER_RANK * 4 + 2 else str(card)
                raise BoardError("card.joker", Message("error.hand.joker", card=text), path)
            if card in known_cards:
                raise BoardError(
                    "card.duplicate", Message("error.hand.duplicate", card=cards_text([Card(card)])), path
                )
            known_cards.add(card)


def _fantasylands(sizes: Mapping[str, object], names: Sequence[str], deals: int) -> NDArray[np.uint8] | None:
    """Return the cards of this deal's fantasylands, all the first in a row: uint8 (deals, players, 2)."""
    if not sizes:
        return None
    fantasylands = np.zeros((deals, len(names), 2), np.uint8)
    for name, cards in sizes.items():
        if name not in names:
            raise ArgumentError("value.choice", f"{describe_value(name)} has no boards", "$.fantasyland")
        column = np.asarray(cards)
        if column.dtype.kind not in "iu" or column.shape not in ((), (deals,)) or not _are_fantasylands(column):
            message = "expected cards of fantasylands, 0 or 13 to 17, one number or one a deal"
            raise ArgumentError("value.range", message, f"$.fantasyland.{name}")
        fantasylands[:, names.index(name), 0] = column
        fantasylands[:, names.index(name), 1] = column > 0
    return fantasylands


def _are_fantasylands(cards: NDArray[Any]) -> bool:
    return bool(np.isin(cards, (0, 13, 14, 15, 16, 17)).all())


def _table_points(rules: Ruleset, boards: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return the points of the whole table, which belong to no pair (`first_to_11`)."""
    points = np.zeros(boards.shape[:2], np.int32)
    for deal, hands in enumerate(boards.tolist()):
        score = score_deal(rules, [ScoredHand(tuple(map(Card, cards))) for cards in hands])
        points[deal] = [hand.table_points for hand in score.hands]
    return points
