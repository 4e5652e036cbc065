"""The themes of a puzzle, computed from its position and two placements: the best one and the tempting one.

Each theme is one rule; `docs/reference/files.md` describes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Final

from triptych.board import BOARD_CARDS, ROWS
from triptych.cards import parse_card
from triptych.notation.position import Position
from triptych.rulesets.model import Ruleset, streets
from triptych.solve.exact.outs import improving_cards
from triptych.solve.puzzles.model import Choice

Rows = tuple[tuple[str, ...], ...]

_MIN_CHANCE_DIFFERENCE: Final = 0.05  # chances that differ by so much make a theme
_MIN_FOUL_DIFFERENCE: Final = 0.1
_LATE_STREETS: Final = 2  # streets from the end
_FLUSH_DRAW_CARDS: Final = 3  # cards of a suit make a flush draw
_BLOCKED_FROM: Final = 9  # cards on an opponent's board
_MIN_EXTRA_OUTS: Final = 3
_JOKER: Final = "X"


class PuzzlePosition:
    """A position and its two placements, prepared once for all themes."""

    def __init__(self, rules: Ruleset, position: Position, best: Choice, tempting: Choice) -> None:
        me = position.acting[0]
        own_hand = position.hands[me]
        self.rules = rules
        self.choices = (best, tempting)
        rows_before: Rows = (own_hand.front, own_hand.middle, own_hand.back)
        self.after = tuple(_board_after(rows_before, choice) for choice in self.choices)
        self.others = [hand for index, hand in enumerate(position.hands) if index != me]
        self.placed = sum(map(len, self.after[0]))
        placed = {card for rows in self.after for row in rows for card in row}
        visible_cards = [card for hand in self.others for card in (*hand.front, *hand.middle, *hand.back)]
        self.dead = tuple({*visible_cards, *own_hand.discards} - placed)
        self.drawn = own_hand.drawn

    @property
    def streets_left(self) -> int:
        """The number of streets after this one."""
        return sum(count > self.placed for count in accumulate(step.placed for step in streets(self.rules)))


def themes(rules: Ruleset, position: Position, best: Choice, tempting: Choice) -> tuple[str, ...]:
    """Return the names of the themes of a puzzle, in the order of THEMES."""
    puzzle_position = PuzzlePosition(rules, position, best, tempting)
    return tuple(name for name, is_theme in THEMES.items() if is_theme(puzzle_position))


def _board_after(before: Rows, choice: Choice) -> Rows:
    return tuple(old + getattr(choice.layout, row) for old, row in zip(before, ROWS, strict=True))


def _fantasyland_or_safety(puzzle: PuzzlePosition) -> bool:
    """Return whether one placement reaches fantasyland more often and fouls more often."""
    best, tempting = puzzle.choices
    enters, fouls = best.enters - tempting.enters, best.foul - tempting.foul
    return min(abs(enters), abs(fouls)) >= _MIN_CHANCE_DIFFERENCE and (enters > 0) == (fouls > 0)


def _front_pair(puzzle: PuzzlePosition) -> bool:
    """Return whether the placements have different pairs in front."""
    best_rank, tempting_rank = (_paired_rank(rows[0]) for rows in puzzle.after)
    return best_rank != tempting_rank


def _flush_draw(puzzle: PuzzlePosition) -> bool:
    """Return whether the placements have flush draws or flushes of different suits."""
    best_suits, tempting_suits = ({_flush_suit(row) for row in rows[1:]} - {""} for rows in puzzle.after)
    return best_suits != tempting_suits


def _late_foul(puzzle: PuzzlePosition) -> bool:
    """Return whether in the last two streets the chances to foul differ."""
    best, tempting = puzzle.choices
    return puzzle.streets_left < _LATE_STREETS and abs(best.foul - tempting.foul) >= _MIN_FOUL_DIFFERENCE


def _blocking(puzzle: PuzzlePosition) -> bool:
    """Return whether an opponent's board is advanced, and rows and scoops are at least half of the gain."""
    best, tempting = puzzle.choices
    is_late = any(len(hand.front + hand.middle + hand.back) >= _BLOCKED_FROM for hand in puzzle.others)
    return is_late and best.rows - tempting.rows >= (best.value - tempting.value) / 2 > 0


def _outs(puzzle: PuzzlePosition) -> bool:
    """Return whether the best placement has clearly more unseen cards that improve a row at once."""
    if puzzle.placed == BOARD_CARDS:
        return False
    best_count, tempting_count = (_improving_card_count(puzzle, rows) for rows in puzzle.after)
    return best_count - tempting_count >= _MIN_EXTRA_OUTS


THEMES: Final[dict[str, Callable[[PuzzlePosition], bool]]] = {
    "fantasyland_or_safety": _fantasyland_or_safety,
    "front_pair": _front_pair,
    "flush_draw": _flush_draw,
    "late_foul": _late_foul,
    "blocking": _blocking,
    "outs": _outs,
}


def _paired_rank(front: Iterable[str]) -> str:
    """Return the rank that the front has more than once; a joker makes a pair of the highest card."""
    cards = list(front)
    ranks = sorted((card[0] for card in cards if card[0] != _JOKER), key="23456789TJQKA".index, reverse=True)
    if len(ranks) < len(cards):
        return ranks[0] if ranks else _JOKER
    return next((rank for rank in ranks if ranks.count(rank) > 1), "")


def _flush_suit(row: Iterable[str]) -> str:
    """Return the suit of a row that is a flush draw, or a flush."""
    cards = list(row)
    suits = {card[1] for card in cards if card[0] != _JOKER}
    return min(suits) if len(suits) == 1 and len(cards) >= _FLUSH_DRAW_CARDS else ""


def _improving_card_count(puzzle: PuzzlePosition, rows: Rows) -> int:
    """Return how many unseen cards improve at least one row of a board to a higher category at once."""
    own_cards = {card for row in rows for card in row}
    dead = [parse_card(card) for card in {*puzzle.dead, *puzzle.drawn} - own_cards]
    front, middle, back = (tuple(map(parse_card, row)) for row in rows)
    improving = improving_cards((front, middle, back), puzzle.rules, dead=dead)
    return len({card for row in improving for _, cards in row for card in cards})
