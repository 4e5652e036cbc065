"""What every placement of one of the last streets is worth, exact over all cards that may still come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from triptych import _kernel
from triptych.board import BOARD_CARDS
from triptych.cards import Card, deck
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, is_closed, streets
from triptych.solve.errors import SolveError
from triptych.solve.exact.setting import (
    EMPTY,
    FantasylandValue,
    Objective,
    Rows,
    kernel_goal,
    verify_cards,
    verify_number,
    verify_objective,
    verify_rows,
)

MAX_SLOTS = 2


class Placement(Struct, frozen=True):
    """One way to play a street: the cards that go into each row, those discarded.

    `value`: points expected with the best play from there, of equal plays the one that fouls less. `foul`: the chance
    to foul on the way.
    """

    front: tuple[Card, ...]
    middle: tuple[Card, ...]
    back: tuple[Card, ...]
    discards: tuple[Card, ...]
    value: float
    foul: float


def solve_street(
    rows: Rows,
    cards: Sequence[Card],
    rules: Ruleset | str | Mapping[str, object] = "pineapple",
    *,
    dead: Sequence[Card] = (),
    against: Sequence[Rows] = (),
    land_value: FantasylandValue = 0.0,
    foul: float | None = None,
) -> tuple[Placement, ...]:
    """Return every placement of the street's cards, the best first; exact.

    `rows` = the board's cards so far (front, middle, back), `cards` = those of this street; then at most two slots
    may be free. `dead`: other cards that cannot come: own discards and what lies on unfinished boards. `against`:
    finished boards to beat; without any, royalties alone count. `land_value`: points of a fantasyland that the board
    brings, one number or one for each number of cards. `foul`: points of a foul; by default what it costs against
    those boards.

    Raises SolveError, and RulesError for rules that cannot be resolved. Rule: Rules §2 to 5.
    """
    resolved = rules if isinstance(rules, Ruleset) else resolve(rules)
    seen: set[Card] = set()
    number = _verify_street(resolved, rows, cards, seen)
    verify_cards(resolved, dead, "$.dead", seen)
    aim = Objective(0, 0, land_value, tuple(against))
    verify_objective(resolved, aim, seen, "$.land_value")
    if foul is not None:
        verify_number(foul, "$.foul")
    unseen = bytes(card for card in deck(resolved.deal.jokers) if card not in seen)
    left = streets(resolved)[number + 1 :]
    if len(unseen) < sum(later.dealt for later in left):
        raise SolveError("cards.count", "too many cards are dead to deal the streets that are left", "$.dead")
    goal = kernel_goal(resolved, aim)
    estimates = _kernel.exact_placements(
        goal,
        tuple(map(bytes, rows)),
        bytes(cards),
        streets(resolved)[number].placed,
        unseen,
        _kernel.foul_value(goal) if foul is None else foul,
        left[0].dealt if left else 0,
        all(later.dealt == 1 for later in left),
    )
    return tuple(_placement(cards, one.rows, one.value, one.fouls) for one in estimates)


def _verify_street(rules: Ruleset, rows: Rows, cards: Sequence[Card], seen: set[Card]) -> int:
    """Return the street, from 0, that the numbers of cards belong to. Raises SolveError."""
    if is_closed(rules):
        raise SolveError("street.closed", "a closed game has no streets; ask for a setting", "$.rules")
    verify_rows(rules, rows, "$", seen, whole=False)
    verify_cards(rules, cards, "$.cards", seen)
    on_board = 0
    for number, step in enumerate(streets(rules)):
        if on_board == sum(map(len, rows)):
            if len(cards) != step.dealt:
                message = f"this street deals {step.dealt} cards, not {len(cards)}"
                raise SolveError("cards.count", message, "$.cards")
            if BOARD_CARDS - on_board - step.placed > MAX_SLOTS or not _is_solvable(rules, number):
                raise SolveError("street.early", "only the last streets can be solved exactly", "$.cards")
            return number
        on_board += step.placed
    raise SolveError("cards.count", f"no street begins with {sum(map(len, rows))} cards on the board", "$")


def _is_solvable(rules: Ruleset, number: int) -> bool:
    left = streets(rules)[number + 1 :]
    return len(left) <= 1 or all(later.dealt == 1 for later in left)


def _placement(cards: Sequence[Card], laid: tuple[int, ...], value: float, foul: float) -> Placement:
    front, middle, back, discards = (
        tuple(card for card, row in zip(cards, laid, strict=True) if row == index) for index in range(len(EMPTY) + 1)
    )
    return Placement(front, middle, back, discards, value, foul)
