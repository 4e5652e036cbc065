"""Outs: the categories that each row can still reach, with which cards, and the chance to stay legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from triptych import _kernel
from triptych.board import BOARD_CARDS, ROW_SIZES
from triptych.board_svg import table_html
from triptych.cards import Card, deck, is_joker, rank_of
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, is_closed, streets
from triptych.solve.errors import SolveError
from triptych.solve.exact.setting import Rows, verify_cards, verify_count, verify_rows, verify_seed

SAMPLES: Final = 100_000
"""Draws that `iter_outs` samples where there are too many to count; it counts all when that is no more work."""

MAX_DRAWS: Final = 1_000_000
_SLICE: Final = 5_000
# Draws that take ten milliseconds, by the jokers of the game: none, some, some on the board.
_DRAWS: Final = 2_000
_DRAWS_OF_JOKERS: Final = 500
_DRAWS_WITH_JOKERS: Final = 250

HIGH: Final = (
    "high_card",
    "pair",
    "two_pair",
    "trips",
    "straight",
    "flush",
    "full_house",
    "quads",
    "straight_flush",
    "royal_flush",
    "five_of_a_kind",
)
LOW: Final = ("ten_low", "nine_low", "eight_low", "seven_low", "best_low")
NO_LOW: Final = "no_low"
INCOMPLETE: Final = "growing"
TEN_RANK: Final = 8
_NAMES: Final = ("front", "middle", "back")

Improvers = tuple[tuple[str, tuple[Card, ...]], ...]
"""By category the cards that improve a row to it at once."""


class Chance(Struct, frozen=True):
    """A category, and the share of draws with which it is the best that the row can reach."""

    category: str
    chance: float

    def __str__(self) -> str:
        return f"{self.category.replace('_', ' ')} {self.chance:.1%}"


class RowOuts(Struct, frozen=True):
    """One row by itself: the best category when every card to come may go to it.

    `chances`: of each category that it can reach, the best last; they sum to 1. `now`: its category so far. `cards`:
    by category above `now`, the cards that make it at once.
    """

    now: str
    chances: tuple[Chance, ...]
    cards: Improvers


class Outs(Struct, frozen=True):
    """A board's prospects. `cards_to_come`: the number of cards that it will still be dealt.

    `foul`: share of draws with which no legal board is possible. `fantasyland`: share with which a legal board that
    enters fantasyland is possible. Both place the cards after all have come: no play can do better. `exact`: every
    draw was counted; otherwise `draws` of them were sampled, and `error` is the largest standard error that a share
    can have.
    """

    front: RowOuts
    middle: RowOuts
    back: RowOuts
    cards_to_come: int
    foul: float
    fantasyland: float
    exact: bool
    error: float
    draws: int

    def __repr__(self) -> str:
        shares = f"foul for certain {self.foul:.1%}, fantasyland {self.fantasyland:.1%}"
        error = "" if self.exact else f", ± {self.error:.1%}"
        return f"<Outs {self.cards_to_come} cards to come, {shares}{error}>"

    def _repr_html_(self) -> str:
        rows = [
            (name, row.now.replace("_", " "), ", ".join(map(str, row.chances)))
            for name, row in zip(_NAMES, (self.front, self.middle, self.back), strict=True)
        ]
        return table_html(("row", "now", "can become"), rows)


def outs(
    rows: Rows,
    rules: Ruleset | str | Mapping[str, object] = "pineapple",
    *,
    dead: Sequence[Card] = (),
    draws: int | None = None,
    seed: int = 0,
) -> Outs:
    """Return the outs of a board between two streets.

    `rows` = its cards so far (front, middle, back), `dead` = other cards that cannot come. `draws`: how many are
    sampled where counting all is more work; by default about ten milliseconds of them. Raises SolveError, and
    RulesError for rules that cannot be resolved. Rule: Rules §2 to 5.
    """
    resolved = rules if isinstance(rules, Ruleset) else resolve(rules)
    if draws is None:
        draws = _usual_draws(resolved, rows)
    verify_count(draws, MAX_DRAWS, "$.draws")
    *_, last = iter_outs(rows, resolved, dead=dead, draws=draws, seed=seed)
    return last


def _usual_draws(rules: Ruleset, rows: Rows) -> int:
    if any(is_joker(card) for row in rows for card in row):
        return _DRAWS_WITH_JOKERS
    return _DRAWS_OF_JOKERS if rules.deal.jokers else _DRAWS


def iter_outs(
    rows: Rows,
    rules: Ruleset | str | Mapping[str, object] = "pineapple",
    *,
    dead: Sequence[Card] = (),
    draws: int = SAMPLES,
    seed: int = 0,
) -> Iterator[Outs]:
    """Yield the exact result, or ever better estimates until `draws` are sampled; stop reading at any time.

    Raises as `outs` does.
    """
    resolved = rules if isinstance(rules, Ruleset) else resolve(rules)
    unseen = _unseen(resolved, rows, dead)
    verify_seed(seed)
    cards_to_come = _cards_to_come(resolved, sum(map(len, rows)))
    if len(unseen) < cards_to_come:
        raise SolveError("cards.count", "too many cards are dead to deal the streets that are left", "$.dead")
    return _count(resolved, rows, unseen, cards_to_come, draws, seed)


def improving_cards(
    rows: Rows, rules: Ruleset, *, dead: Sequence[Card] = ()
) -> tuple[Improvers, Improvers, Improvers]:
    """Return the `RowOuts.cards` of each row, without sampling draws. Raises SolveError."""
    unseen = _unseen(rules, rows, dead)
    front, middle, back = (_Row(rules, index).cards(row, unseen) for index, row in enumerate(rows))
    return front, middle, back


def _unseen(rules: Ruleset, rows: Rows, dead: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards that may still come. Raises SolveError."""
    used_cards: set[Card] = set()
    verify_rows(rules, rows, "$", used_cards, whole=False)
    verify_cards(rules, dead, "$.dead", used_cards)
    return tuple(card for card in deck(rules.deal.jokers) if card not in used_cards)


def _count(
    rules: Ruleset, rows: Rows, unseen: tuple[Card, ...], cards_to_come: int, draws: int, seed: int
) -> Iterator[Outs]:
    total = legal = fantasylands = 0
    best = [[0] * (len(HIGH) + 1) for _ in rows]
    exact = False
    packed = compile_rules(rules), tuple(map(bytes, rows)), bytes(unseen), cards_to_come
    while not exact and total < draws:
        slice_seed = seed * MAX_DRAWS + total
        counts = _kernel.count_outs(*packed, samples=min(_SLICE, draws - total), effort=draws, seed=slice_seed)
        exact, total = counts.exact, total + counts.draws
        legal, fantasylands = legal + counts.legal, fantasylands + counts.fantasyland
        best = [[a + b for a, b in zip(row, new, strict=True)] for row, new in zip(best, counts.classes, strict=True)]
        front, middle, back = (
            _Row(rules, index).outs(row, unseen, best[index], total) for index, row in enumerate(rows)
        )
        error = 0.0 if exact else 0.5 / total**0.5
        yield Outs(front, middle, back, cards_to_come, 1 - legal / total, fantasylands / total, exact, error, total)


def _cards_to_come(rules: Ruleset, placed: int) -> int:
    """Return how many cards are dealt after a street that leaves `placed` cards on the board. Raises SolveError."""
    if is_closed(rules):
        raise SolveError("street.closed", "a closed game has no streets", "$.rules")
    if rules.rows.middle == "deuce_to_seven" and rules.rows.low_limit == "none":
        raise SolveError("rules.low_limit", "any low is legal under these rules", "$.rules.rows.low_limit")
    on_board = 0
    for number, step in enumerate(streets(rules)):
        on_board += step.placed
        if on_board == placed and placed < BOARD_CARDS:
            return sum(later.dealt for later in streets(rules)[number + 1 :])
    raise SolveError("cards.count", f"no street ends with {placed} cards on the board", "$")


class _Row(Struct, frozen=True):
    """One row under some rules, with its categories."""

    rules: Ruleset
    index: int

    @property
    def low(self) -> bool:
        return self.index == 1 and self.rules.rows.middle == "deuce_to_seven"

    @property
    def size(self) -> int:
        return ROW_SIZES[self.index]

    @property
    def order(self) -> tuple[str, ...]:
        return (NO_LOW, INCOMPLETE, *LOW) if self.low else HIGH

    def outs(self, row: tuple[Card, ...], unseen: Sequence[Card], draws: Sequence[int], total: int) -> RowOuts:
        names = LOW if self.low else HIGH
        chances = [Chance(name, count / total) for name, count in zip(names, draws, strict=False) if count]
        no_low = [Chance(NO_LOW, draws[-1] / total)] if draws[-1] else []
        return RowOuts(self.category(row), (*no_low, *chances), self.cards(row, unseen))

    def cards(self, row: tuple[Card, ...], unseen: Sequence[Card]) -> Improvers:
        """Return by category the cards that improve the row to it at once."""
        if len(row) == self.size:
            return ()
        current = self.order.index(self.category(row))
        improvers: dict[str, list[Card]] = {}
        for card in unseen:
            improvers.setdefault(self.category((*row, card)), []).append(card)
        return tuple((name, tuple(improvers[name])) for name in self.order[current + 1 :] if name in improvers)

    def category(self, row: tuple[Card, ...]) -> str:
        """Return the category of a full row, or that of the groups in an unfinished one."""
        if len(row) == self.size:
            number = _kernel.full_row_class(compile_rules(self.rules), self.index, bytes(row))
            return NO_LOW if number == len(HIGH) else (LOW if self.low else HIGH)[number]
        ranks = [rank_of(card) for card in row if not is_joker(card)]
        groups = sorted((ranks.count(rank) for rank in {*ranks}), reverse=True)
        if self.low:
            return INCOMPLETE if groups[:1] in ([], [1]) and max(ranks, default=0) <= TEN_RANK else NO_LOW
        largest, second = [*groups, 0, 0][:2]
        largest += len(row) - len(ranks)
        return {4: "quads", 3: "trips", 2: "two_pair" if second == 2 else "pair"}.get(largest, "high_card")
