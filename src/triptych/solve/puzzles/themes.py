"""What a puzzle is about, worked out from its position and two placements: the best, and the one that tempts.

Each theme is one rule; `docs/reference/files.md` states them in words.
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

_MIN_CHANCE_DIFFERENCE: Final = 0.05  # chances that differ by so much speak of a decision between them
_MIN_FOUL_DIFFERENCE: Final = 0.1
_LATE_STREETS: Final = 2  # streets from the end
_FLUSH_DRAW_CARDS: Final = 3  # cards of a suit make a flush draw
_BLOCKED_FROM: Final = 9  # cards on a rival's board
_MIN_EXTRA_OUTS: Final = 3
_JOKER: Final = "X"


class PuzzlePosition:
    """A position and its two placements, read once for all the rules."""

    def __init__(self, rules: Ruleset, position: Position, best: Choice, tempting: Choice) -> None:
        me = position.acting[0]
        own = position.hands[me]
        self.rules = rules
        self.choices = (best, tempting)
        before: Rows = (own.front, own.middle, own.back)
        self.after = tuple(_board_after(before, choice) for choice in self.choices)
        self.others = [hand for index, hand in enumerate(position.hands) if index != me]
        self.placed = sum(map(len, self.after[0]))
        placed = {card for rows in self.after for row in rows for card in row}
        seen = [card for hand in self.others for card in (*hand.front, *hand.middle, *hand.back)]
        self.dead = tuple({*seen, *own.discards} - placed)
        self.drawn = own.drawn

    @property
    def streets_left(self) -> int:
        """How many streets come after this one."""
        return sum(count > self.placed for count in accumulate(step.placed for step in streets(self.rules)))


def themes(rules: Ruleset, position: Position, best: Choice, tempting: Choice) -> tuple[str, ...]:
    """Return the names of the themes of a puzzle, in the order of THEMES."""
    scene = PuzzlePosition(rules, position, best, tempting)
    return tuple(name for name, holds in THEMES.items() if holds(scene))


def _board_after(before: Rows, choice: Choice) -> Rows:
    return tuple(old + getattr(choice.layout, row) for old, row in zip(before, ROWS, strict=True))


def _fantasyland_or_safety(scene: PuzzlePosition) -> bool:
    """One of the two reaches fantasyland more often and pays for it in fouls."""
    best, tempting = scene.choices
    enters, fouls = best.enters - tempting.enters, best.foul - tempting.foul
    return min(abs(enters), abs(fouls)) >= _MIN_CHANCE_DIFFERENCE and (enters > 0) == (fouls > 0)


def _front_pair(scene: PuzzlePosition) -> bool:
    """The two do not have the same pair in front."""
    one, two = (_paired_rank(rows[0]) for rows in scene.after)
    return one != two


def _flush_draw(scene: PuzzlePosition) -> bool:
    """One of the two makes, keeps or completes a flush draw of a suit that the other has not, or breaks."""
    one, two = ({_flush_suit(row) for row in rows[1:]} - {""} for rows in scene.after)
    return one != two


def _late_foul(scene: PuzzlePosition) -> bool:
    """In the last two streets the two differ in how often they foul."""
    best, tempting = scene.choices
    return scene.streets_left < _LATE_STREETS and abs(best.foul - tempting.foul) >= _MIN_FOUL_DIFFERENCE


def _blocking(scene: PuzzlePosition) -> bool:
    """A rival's board is far, and half of what is gained or more are rows won or a scoop kept off."""
    best, tempting = scene.choices
    far = any(len(hand.front + hand.middle + hand.back) >= _BLOCKED_FROM for hand in scene.others)
    return far and best.rows - tempting.rows >= (best.value - tempting.value) / 2 > 0


def _outs(scene: PuzzlePosition) -> bool:
    """The number of unseen cards that lift a row at once is clearly larger for the best."""
    if scene.placed == BOARD_CARDS:
        return False
    one, two = (_improving_card_count(scene, rows) for rows in scene.after)
    return one - two >= _MIN_EXTRA_OUTS


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


def _improving_card_count(scene: PuzzlePosition, rows: Rows) -> int:
    """Return how many unseen cards lift at least one row of a board into a higher category at once."""
    own = {card for row in rows for card in row}
    dead = [parse_card(card) for card in {*scene.dead, *scene.drawn} - own]
    front, middle, back = (tuple(map(parse_card, row)) for row in rows)
    improving = improving_cards((front, middle, back), scene.rules, dead=dead)
    return len({card for row in improving for _, cards in row for card in cards})
