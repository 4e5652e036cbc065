"""The best board that a set of cards makes: common code of fantasyland, closed deals and last streets."""

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
    """A finished board and its value, cards highest first.

    `royalties`: points of the board itself. `repeat`: it enters or repeats fantasyland. `value`: the maximised
    points. `legal`: False when every setting fouls; then `value` is the cost of the foul, and the rows are any
    setting.
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
    """The quantity to maximise.

    `fantasyland`: cards this board was dealt in fantasyland, 0 = none; `in_row`: its number in a row;
    `fantasyland_value`: the points of the next one, or those of each number of cards. `against`: finished boards to
    beat; without any, royalties alone count. Where all play the banker, they are the bank's alone, or all others' for
    the bank. `stakes`: the stacks that limit the payments of these boards; None = no limit.
    """

    fantasyland: int = 0
    in_row: int = 1
    fantasyland_value: FantasylandValue = 0.0
    against: tuple[Rows, ...] = ()
    stakes: Stakes | None = None


def verify_cards(rules: Ruleset, cards: Sequence[Card], path: str, used_cards: set[Card]) -> None:
    """Raise SolveError for a card in `used_cards` or an unused joker; add the cards to `used_cards`."""
    for index, card in enumerate(cards):
        if not 0 <= card < JOKERS_END:
            raise SolveError("card.unknown", f"{int(card)} is not a card", f"{path}[{index}]")
        if is_joker(card) and card >= 52 + rules.deal.jokers:
            raise SolveError("card.joker", f"these rules are played without {card_text(card)}", f"{path}[{index}]")
        if card in used_cards:
            raise SolveError("card.duplicate", f"{card_text(card)} is given twice", f"{path}[{index}]")
        used_cards.add(card)


def verify_rows(rules: Ruleset, rows: Rows, path: str, used_cards: set[Card], *, whole: bool = True) -> None:
    """Raise SolveError when a board has a card of `used_cards` or is not whole; add its cards to `used_cards`."""
    for name, size, row in zip(ROWS, ROW_SIZES, rows, strict=True):
        if len(row) > size or (whole and len(row) < size):
            prefix = "" if whole else "at most "
            raise SolveError("row.size", f"the {name} has {prefix}{size} cards, not {len(row)}", f"{path}.{name}")
        verify_cards(rules, row, f"{path}.{name}", used_cards)


def verify_number(value: float, path: str) -> None:
    """Raise SolveError (`value.range`) unless a number of points is finite and within bounds."""
    if not -MAX_VALUE <= value <= MAX_VALUE:
        raise SolveError("value.range", f"expected a number from -{MAX_VALUE} to {MAX_VALUE}", path)


def verify_count(value: int, maximum: int, path: str) -> None:
    """Raise SolveError (`value.range`) unless a number is 1 to `maximum`."""
    if not 1 <= value <= maximum:
        raise SolveError("value.range", f"expected 1 to {maximum}", path)


def verify_seed(seed: int) -> None:
    """Raise SolveError (`value.range`) unless a seed has at most 32 bits."""
    if not 0 <= seed < 1 << 32:
        raise SolveError("value.range", f"expected a seed from 0 to {(1 << 32) - 1}", "$.seed")


def verify_objective(
    rules: Ruleset, objective: Objective, used_cards: set[Card], value_path: str = "$.repeat_value"
) -> None:
    """Raise SolveError when the boards to beat are impossible or a value is out of bounds."""
    if len(objective.against) > MAX_AGAINST:
        raise SolveError("against.count", f"at most {MAX_AGAINST} boards, not {len(objective.against)}", "$.against")
    if isinstance(objective.fantasyland_value, Mapping):
        for cards, value in objective.fantasyland_value.items():
            if not MIN_CARDS <= cards <= MAX_CARDS:
                message = f"a fantasyland has {MIN_CARDS} to {MAX_CARDS} cards, not {cards}"
                raise SolveError("cards.count", message, f"{value_path}.{cards}")
            verify_number(value, f"{value_path}.{cards}")
    else:
        verify_number(objective.fantasyland_value, value_path)
    for number, rows in enumerate(objective.against):
        verify_rows(rules, rows, f"$.against[{number}]", used_cards)
    if objective.stakes:
        verify_stakes(objective.stakes, len(objective.against))
        verify_settlement(rules, objective.stakes, len(objective.against))


def fantasyland_values(objective: Objective) -> tuple[float, ...]:
    """Return the points of the next fantasyland by its number of cards, 0 to 17; without an entry 0."""
    value = objective.fantasyland_value
    return tuple(
        value.get(cards, 0.0) if isinstance(value, Mapping) else value for cards in range(FANTASYLAND_VALUE_COUNT)
    )


def kernel_objective(rules: Ruleset, objective: Objective) -> _kernel.Objective:
    """Return the objective as the kernel takes it. Raises SolveError for rules of closed games that it lacks."""
    _verify_rules(rules)
    values = fantasyland_values(objective)
    compiled = _kernel.Objective(
        compile_rules(rules), objective.fantasyland, objective.in_row, values, 0 if objective.against else 1
    )
    for rows in objective.against:
        compiled.add_opponent(b"".join(map(bytes, rows)))
    if objective.stakes:
        set_stakes(compiled, rules, objective.stakes, objective.against)
    return compiled


def _verify_rules(rules: Ruleset) -> None:
    if rules.rows.tie_break == "suits":
        message = "suits break ties under these rules; solve a closed game's thirteen cards as such"
        raise SolveError("rules.suits", message, "$.rules.rows.tie_break")
    if rules.royalties.broken_up == "paid" and is_closed(rules):
        message = "what was broken up earns under these rules; solve a closed game's thirteen cards as such"
        raise SolveError("rules.broken_up", message, "$.rules.royalties.broken_up")


def best_setting(rules: Ruleset, objective: Objective, rows: Rows, pool: Sequence[Card]) -> Setting:
    """Return the best completion of the board `rows` from a pool of verified cards; exact.

    Of equal values: the highest back, then the highest middle, then the highest front.
    """
    compiled = kernel_objective(rules, objective)
    board = _kernel.complete(compiled, tuple(map(bytes, rows)), bytes(canonical_order(pool)))
    if not board.legal:
        return worst_foul_setting(rows, pool, _kernel.foul_value(compiled))
    front, middle, back = (descending((*row, *map(Card, added))) for row, added in zip(rows, board.rows, strict=True))
    discards = descending(map(Card, board.left))
    return Setting(front, middle, back, discards, board.royalties, board.fantasyland > 0, board.value)


def worst_foul_setting(rows: Rows, pool: Sequence[Card], cost: float) -> Setting:
    """Return a setting that fouls: the cards fill back, middle, front from the highest down."""
    cards = list(descending(pool))
    rows_placed = []
    for row, size in reversed(list(zip(rows, ROW_SIZES, strict=True))):
        free = size - len(row)
        rows_placed.append(descending((*row, *cards[:free])))
        del cards[:free]
    back, middle, front = rows_placed
    return Setting(front, middle, back, tuple(cards), 0, repeat=False, value=cost, legal=False)


def canonical_order(cards: Iterable[Card]) -> list[Card]:
    """Return real cards from the highest down, then jokers; the order decides between equal boards."""
    return sorted(cards, key=lambda card: (is_joker(card), -card))


def descending(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards from the highest rank down."""
    return tuple(sorted(cards, key=lambda card: (-rank_of(card), -card)))
