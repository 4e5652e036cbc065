"""The value of every placement of one of the last streets, exact over all cards that may still come."""

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
    kernel_objective,
    verify_cards,
    verify_number,
    verify_objective,
    verify_rows,
)

MAX_SLOTS = 2


class Placement(Struct, frozen=True):
    """One way to play a street: the cards that go into each row, those discarded.

    `value`: expected points with the best play from there, of equal plays the one that fouls less. `foul`: the chance
    to foul.
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
    may be free. `dead`: other cards that cannot come: own discards and the cards of unfinished boards. `against`:
    finished boards to beat; without any, royalties alone count. `land_value`: points of entering fantasyland, one
    number or one for each number of cards. `foul`: points of a foul; by default its cost against those boards.

    Raises SolveError, and RulesError for rules that cannot be resolved. Rule: Rules §2 to 5.
    """
    resolved = rules if isinstance(rules, Ruleset) else resolve(rules)
    used_cards: set[Card] = set()
    number = _verify_street(resolved, rows, cards, used_cards)
    verify_cards(resolved, dead, "$.dead", used_cards)
    objective = Objective(0, 0, land_value, tuple(against))
    verify_objective(resolved, objective, used_cards, "$.land_value")
    if foul is not None:
        verify_number(foul, "$.foul")
    unseen = bytes(card for card in deck(resolved.deal.jokers) if card not in used_cards)
    remaining_streets = streets(resolved)[number + 1 :]
    if len(unseen) < sum(later.dealt for later in remaining_streets):
        raise SolveError("cards.count", "too many cards are dead to deal the streets that are left", "$.dead")
    compiled = kernel_objective(resolved, objective)
    estimates = _kernel.exact_placements(
        compiled,
        tuple(map(bytes, rows)),
        bytes(cards),
        streets(resolved)[number].placed,
        unseen,
        _kernel.foul_value(compiled) if foul is None else foul,
        remaining_streets[0].dealt if remaining_streets else 0,
        all(later.dealt == 1 for later in remaining_streets),
    )
    return tuple(_placement(cards, estimate.rows, estimate.value, estimate.fouls) for estimate in estimates)


def _verify_street(rules: Ruleset, rows: Rows, cards: Sequence[Card], used_cards: set[Card]) -> int:
    """Return the street, from 0, with these numbers of cards. Raises SolveError."""
    if is_closed(rules):
        raise SolveError("street.closed", "a closed game has no streets; ask for a setting", "$.rules")
    verify_rows(rules, rows, "$", used_cards, whole=False)
    verify_cards(rules, cards, "$.cards", used_cards)
    on_board = 0
    for number, step in enumerate(streets(rules)):
        if on_board == sum(map(len, rows)):
            if len(cards) != step.dealt:
                raise SolveError("cards.count", f"this street deals {step.dealt} cards, not {len(cards)}", "$.cards")
            if BOARD_CARDS - on_board - step.placed > MAX_SLOTS or not _is_solvable(rules, number):
                raise SolveError("street.early", "only the last streets can be solved exactly", "$.cards")
            return number
        on_board += step.placed
    raise SolveError("cards.count", f"no street begins with {sum(map(len, rows))} cards on the board", "$")


def _is_solvable(rules: Ruleset, number: int) -> bool:
    remaining_streets = streets(rules)[number + 1 :]
    return len(remaining_streets) <= 1 or all(later.dealt == 1 for later in remaining_streets)


def _placement(cards: Sequence[Card], row_by_card: tuple[int, ...], value: float, foul: float) -> Placement:
    front, middle, back, discards = (
        tuple(card for card, row in zip(cards, row_by_card, strict=True) if row == index)
        for index in range(len(EMPTY) + 1)
    )
    return Placement(front, middle, back, discards, value, foul)
