"""Outs: what each row can still become, with which cards, and whether the board can stay legal."""

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
"""Draws that `iter_outs` looks at where they are too many to count; it counts what is no more work than that."""

MAX_DRAWS: Final = 1_000_000
_SLICE: Final = 5_000
# As many as take ten milliseconds, by the jokers of the game: none, some, some on the board.
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
"""By category the cards that lift a row into it at once."""


class Chance(Struct, frozen=True):
    """A category, and the share of all draws with which it is the best that the row can become."""

    category: str
    chance: float

    def __str__(self) -> str:
        """Say `two pair 31.4%`."""
        return f"{self.category.replace('_', ' ')} {self.chance:.1%}"


class RowOuts(Struct, frozen=True):
    """One row on its own: the best it becomes when every card to come may go to it.

    `chances`: of each category that it can reach, the best last; they sum to 1. `now`: its category so far. `cards`:
    by category above `now`, the cards that make it at once.
    """

    now: str
    chances: tuple[Chance, ...]
    cards: Improvers


class Outs(Struct, frozen=True):
    """A board's prospects. `come`: cards that it will still be dealt.

    `foul`: share of draws with which no legal board can be made. `fantasyland`: share with which a legal board that
    brings fantasyland can be made. Both let the cards be placed after all have come: no play can do better. `exact`:
    every draw was counted; otherwise `draws` of them were looked at, and `error` is the largest standard error that a
    share can have.
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
        """Say what is shared by the rows in a line."""
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
    """Return what can still become of a board between two streets.

    `rows` = its cards so far (front, middle, back), `dead` = other cards that cannot come. `draws`: how many are
    looked at where to count all is more work; by default what takes about ten milliseconds. Raises SolveError, and
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
    """Yield the exact answer, or better and better ones until `draws` were looked at; stop reading at any time.

    Raises as `outs` does.
    """
    resolved = rules if isinstance(rules, Ruleset) else resolve(rules)
    unseen = _unseen(resolved, rows, dead)
    verify_seed(seed)
    come = _cards_to_come(resolved, sum(map(len, rows)))
    if len(unseen) < come:
        raise SolveError("cards.count", "too many cards are dead to deal the streets that are left", "$.dead")
    return _count(resolved, rows, unseen, come, draws, seed)


def improving_cards(
    rows: Rows, rules: Ruleset, *, dead: Sequence[Card] = ()
) -> tuple[Improvers, Improvers, Improvers]:
    """Return of each row what `RowOuts.cards` holds, without looking at any draw. Raises SolveError."""
    unseen = _unseen(rules, rows, dead)
    front, middle, back = (_Row(rules, index).cards(row, unseen) for index, row in enumerate(rows))
    return front, middle, back


def _unseen(rules: Ruleset, rows: Rows, dead: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards that may still come. Raises SolveError."""
    seen: set[Card] = set()
    verify_rows(rules, rows, "$", seen, whole=False)
    verify_cards(rules, dead, "$.dead", seen)
    return tuple(card for card in deck(rules.deal.jokers) if card not in seen)


def _count(rules: Ruleset, rows: Rows, unseen: tuple[Card, ...], come: int, draws: int, seed: int) -> Iterator[Outs]:
    total = legal = land = 0
    best = [[0] * (len(HIGH) + 1) for _ in rows]
    exact = False
    packed = compile_rules(rules), tuple(map(bytes, rows)), bytes(unseen), come
    while not exact and total < draws:
        slice_seed = seed * MAX_DRAWS + total
        more = _kernel.count_outs(*packed, samples=min(_SLICE, draws - total), effort=draws, seed=slice_seed)
        exact, total = more.exact, total + more.draws
        legal, land = legal + more.legal, land + more.fantasyland
        best = [[a + b for a, b in zip(row, new, strict=True)] for row, new in zip(best, more.classes, strict=True)]
        front, middle, back = (
            _Row(rules, index).outs(row, unseen, best[index], total) for index, row in enumerate(rows)
        )
        error = 0.0 if exact else 0.5 / total**0.5
        yield Outs(front, middle, back, come, 1 - legal / total, land / total, exact, error, total)


def _cards_to_come(rules: Ruleset, placed: int) -> int:
    """Return how many cards are dealt after a street that leaves so many on the board. Raises SolveError."""
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
    """One row under some rules: how to name what it is."""

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
        none = [Chance(NO_LOW, draws[-1] / total)] if draws[-1] else []
        return RowOuts(self.category(row), (*none, *chances), self.cards(row, unseen))

    def cards(self, row: tuple[Card, ...], unseen: Sequence[Card]) -> Improvers:
        """Return by category the cards that lift the row into it at once."""
        if len(row) == self.size:
            return ()
        now = self.order.index(self.category(row))
        lifts: dict[str, list[Card]] = {}
        for card in unseen:
            lifts.setdefault(self.category((*row, card)), []).append(card)
        return tuple((name, tuple(lifts[name])) for name in self.order[now + 1 :] if name in lifts)

    def category(self, row: tuple[Card, ...]) -> str:
        """Return the category of a full row, or what its groups make of a growing one."""
        if len(row) == self.size:
            number = _kernel.full_row_class(compile_rules(self.rules), self.index, bytes(row))
            return NO_LOW if number == len(HIGH) else (LOW if self.low else HIGH)[number]
        ranks = [rank_of(card) for card in row if not is_joker(card)]
        groups = sorted((ranks.count(rank) for rank in {*ranks}), reverse=True)
        if self.low:
            return INCOMPLETE if groups[:1] in ([], [1]) and max(ranks, default=0) <= TEN_RANK else NO_LOW
        most, second = [*groups, 0, 0][:2]
        most += len(row) - len(ranks)
        return {4: "quads", 3: "trips", 2: "two_pair" if second == 2 else "pair"}.get(most, "high_card")
