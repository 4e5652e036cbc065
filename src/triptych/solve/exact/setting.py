"""The best board that a set of cards makes: what fantasyland, closed deals and last streets have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from triptych import _kernel
from triptych.board import ROW_SIZES, ROWS
from triptych.board_svg import board_html
from triptych.cards import Card, card_text, cards_text, is_joker, rank_of
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.model import Ruleset, is_closed
from triptych.solve.errors import SolveError
from triptych.solve.exact.stakes import Stakes, set_stakes, verify_settlement, verify_stakes

Rows = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]

EMPTY: Rows = ((), (), ())
MIN_CARDS, MAX_CARDS = 13, 17  # cards of a fantasyland
FANTASYLAND_VALUE_COUNT = MAX_CARDS + 1
MAX_AGAINST = 3
MAX_VALUE = 1_000_000
MAX_IN_ROW = 1_000
JOKERS_END = 54


FantasylandValue: TypeAlias = float | Mapping[int, float]


class Setting(Struct, frozen=True):
    """A finished board and what it is worth, cards highest first.

    `royalties`: points of the board itself. `repeat`: it brings a fantasyland, or the next one. `value`: the points
    that were made as large as they can be. `legal`: False when every way to set the cards fouls; the value then is
    what the foul costs, and the rows are no more than one way to lay the cards.
    """

    front: tuple[Card, ...]
    middle: tuple[Card, ...]
    back: tuple[Card, ...]
    discards: tuple[Card, ...]
    royalties: int
    repeat: bool
    value: float
    legal: bool = True

    def __repr__(self) -> str:
        """Say the board and what it is worth in a line."""
        return f"<Setting {'/'.join(map(cards_text, self._rows()))}, {self._worth()}>"

    def _repr_html_(self) -> str:
        return board_html([[card_text(card) for card in row] for row in self._rows()], self._worth())

    def _rows(self) -> Rows:
        return self.front, self.middle, self.back

    def _worth(self) -> str:
        if not self.legal:
            return f"every setting fouls: {self.value:+g} points"
        repeats = ", brings a fantasyland" if self.repeat else ""
        return f"{self.value:+g} points, royalties {self.royalties}{repeats}"


class Objective(Struct, frozen=True):
    """What to make as large as it can be.

    `fantasyland`: cards this board was dealt in fantasyland, 0 = none; `in_row`: how many in a row; `land_value`:
    the points of the next one, or those of each number of cards. `against`: finished boards to beat; without any,
    royalties alone count. Where everybody plays only the banker, they are the bank's alone, or all others' for the
    bank. `stakes`: the stacks that limit what these boards pay and win; None = no limit.
    """

    fantasyland: int = 0
    in_row: int = 1
    fantasyland_value: FantasylandValue = 0.0
    against: tuple[Rows, ...] = ()
    stakes: Stakes | None = None


def verify_cards(rules: Ruleset, cards: Sequence[Card], path: str, seen: set[Card]) -> None:
    """Raise SolveError when a card is in `seen` or a joker that the rules do not have; add the cards to `seen`."""
    for index, card in enumerate(cards):
        if not 0 <= card < JOKERS_END:
            raise SolveError("card.unknown", f"{int(card)} is not a card", f"{path}[{index}]")
        if is_joker(card) and card >= 52 + rules.deal.jokers:
            raise SolveError("card.joker", f"these rules are played without {card_text(card)}", f"{path}[{index}]")
        if card in seen:
            raise SolveError("card.duplicate", f"{card_text(card)} is given twice", f"{path}[{index}]")
        seen.add(card)


def verify_rows(rules: Ruleset, rows: Rows, path: str, seen: set[Card], *, whole: bool = True) -> None:
    """Raise SolveError when a board is impossible beside the cards in `seen`, or not whole; add its cards to them."""
    for name, size, row in zip(ROWS, ROW_SIZES, rows, strict=True):
        if len(row) > size or (whole and len(row) < size):
            least = "" if whole else "at most "
            raise SolveError("row.size", f"the {name} has {least}{size} cards, not {len(row)}", f"{path}.{name}")
        verify_cards(rules, row, f"{path}.{name}", seen)


def verify_number(value: float, path: str) -> None:
    """Raise SolveError (`value.range`) unless a number of points is finite and not absurd."""
    if not -MAX_VALUE <= value <= MAX_VALUE:
        raise SolveError("value.range", f"expected a number from -{MAX_VALUE} to {MAX_VALUE}", path)


def verify_count(value: int, most: int, path: str) -> None:
    """Raise SolveError (`value.range`) unless a number is 1 to `most`."""
    if not 1 <= value <= most:
        raise SolveError("value.range", f"expected 1 to {most}", path)


def verify_seed(seed: int) -> None:
    """Raise SolveError (`value.range`) unless a seed is one that every generator takes."""
    if not 0 <= seed < 1 << 32:
        raise SolveError("value.range", f"expected a seed from 0 to {(1 << 32) - 1}", "$.seed")


def verify_objective(rules: Ruleset, aim: Objective, seen: set[Card], value_path: str = "$.repeat_value") -> None:
    """Raise SolveError when the boards to beat are impossible or a value is out of bounds."""
    if len(aim.against) > MAX_AGAINST:
        raise SolveError("against.count", f"at most {MAX_AGAINST} boards, not {len(aim.against)}", "$.against")
    if isinstance(aim.fantasyland_value, Mapping):
        for cards, value in aim.fantasyland_value.items():
            if not MIN_CARDS <= cards <= MAX_CARDS:
                message = f"a fantasyland has {MIN_CARDS} to {MAX_CARDS} cards, not {cards}"
                raise SolveError("cards.count", message, f"{value_path}.{cards}")
            verify_number(value, f"{value_path}.{cards}")
    else:
        verify_number(aim.fantasyland_value, value_path)
    for number, rows in enumerate(aim.against):
        verify_rows(rules, rows, f"$.against[{number}]", seen)
    if aim.stakes:
        verify_stakes(aim.stakes, len(aim.against))
        verify_settlement(rules, aim.stakes, len(aim.against))


def fantasyland_values(aim: Objective) -> tuple[float, ...]:
    """Return the points of the next fantasyland by its number of cards, 0 to 17; one that is not named brings 0."""
    value = aim.fantasyland_value
    return tuple(
        value.get(cards, 0.0) if isinstance(value, Mapping) else value for cards in range(FANTASYLAND_VALUE_COUNT)
    )


def kernel_goal(rules: Ruleset, aim: Objective) -> _kernel.Goal:
    """Return the aim as the kernel takes it. Raises SolveError for rules of closed games that it does not count."""
    _verify_rules(rules)
    values = fantasyland_values(aim)
    goal = _kernel.Goal(compile_rules(rules), aim.fantasyland, aim.in_row, values, 0 if aim.against else 1)
    for rows in aim.against:
        goal.add_opponent(b"".join(map(bytes, rows)))
    if aim.stakes:
        set_stakes(goal, rules, aim.stakes, aim.against)
    return goal


def _verify_rules(rules: Ruleset) -> None:
    if rules.rows.tie_break == "suits":
        message = "suits break ties under these rules; solve a closed game's thirteen cards as such"
        raise SolveError("rules.suits", message, "$.rules.rows.tie_break")
    if rules.royalties.broken_up == "paid" and is_closed(rules):
        message = "what was broken up earns under these rules; solve a closed game's thirteen cards as such"
        raise SolveError("rules.broken_up", message, "$.rules.royalties.broken_up")


def best_setting(rules: Ruleset, aim: Objective, rows: Rows, pool: Sequence[Card]) -> Setting:
    """Return the best way to finish a board that holds `rows` from a pool of cards; exact.

    Of equal values: the highest back, then the highest middle, then the highest front. The cards were verified.
    """
    goal = kernel_goal(rules, aim)
    board = _kernel.complete(goal, tuple(map(bytes, rows)), bytes(canonical_order(pool)))
    if not board.legal:
        return worst_foul_setting(rows, pool, _kernel.foul_value(goal))
    front, middle, back = (descending((*row, *map(Card, more))) for row, more in zip(rows, board.rows, strict=True))
    left = descending(map(Card, board.left))
    return Setting(front, middle, back, left, board.royalties, board.fantasyland > 0, board.value)


def worst_foul_setting(rows: Rows, pool: Sequence[Card], cost: float) -> Setting:
    """Return the cards laid back, middle, front from the highest down: a setting that fouls."""
    cards = list(descending(pool))
    laid = []
    for row, size in reversed(list(zip(rows, ROW_SIZES, strict=True))):
        free = size - len(row)
        laid.append(descending((*row, *cards[:free])))
        del cards[:free]
    back, middle, front = laid
    return Setting(front, middle, back, tuple(cards), 0, repeat=False, value=cost, legal=False)


def canonical_order(cards: Iterable[Card]) -> list[Card]:
    """Return real cards from the highest down, then jokers: which of equal boards is found depends on it."""
    return sorted(cards, key=lambda card: (is_joker(card), -card))


def descending(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards from the highest rank down."""
    return tuple(sorted(cards, key=lambda card: (-rank_of(card), -card)))
