"""Analyse the placements of a street or a fantasyland: points, their standard errors, and their parts.

An anytime search in two threads: slices of rollouts, which can be stopped after any of them and are the same for the
same seed. A screening by sequential halving sorts the placements. Then new samples measure all of them: the best ones
longer, and those that this puts clearly before them (measurement.py). The best by this final measurement comes
first; placements that do not differ from it significantly are marked as within the error.

A whole fantasyland is set against the visible boards, which each rollout plays on; where they are finished, or there
are none, the answer is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import hypot, inf
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from triptych import _kernel
from triptych.board import ROWS, Layout
from triptych.board_svg import board_html, table_html
from triptych.cards import Card, card_text, deck, parse_card
from triptych.deal.view_types import Stacks
from triptych.notation.position import Position, parse_position, position_text
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset
from triptych.solve.analysis.decision import Decision
from triptych.solve.analysis.measurement import EXACT_TOLERANCE, SIGNIFICANT_Z, SLICE, Measurement, paired_losses
from triptych.solve.errors import SolveError
from triptych.solve.exact.setting import verify_seed
from triptych.solve.position_hand import hand_to_act
from triptych.solve.value.weights import require_weights

MAX_SAMPLES: Final = 100_000_000  # rollouts of one step, slices, placements
_SHOWN_PLACEMENTS: Final = 8  # in a notebook


class SearchBudget(Struct, frozen=True):
    """When a search stops.

    `max_error`: the largest standard error, in points, of the `top` best placements. `max_slices`: the most
    slices. `screening_rollouts`: rollouts of the screening, on a first street for each opponent; `width`: rollouts
    of every placement in the short measurement. `by_loss`: `max_error` holds for the losses against the best
    placement, not for the values; placements that are certainly worse do not count.
    """

    max_error: float = 0.1
    max_slices: int = 200
    top: int = 4
    screening_rollouts: int = 45_000
    width: int = 200
    two_threads: bool = True
    by_loss: bool = False


class Side(Struct, frozen=True):
    """The points that one side of the table makes: rows that it wins, its royalties, fouls and fantasyland.

    A foul costs its own side, so `fouls` is at most 0 where it holds nothing else.

    >>> Side(rows=3, royalties=9)
    Side(rows=3, royalties=9, fouls=0.0, fantasyland=0.0)
    """

    rows: float = 0.0
    royalties: float = 0.0
    fouls: float = 0.0
    fantasyland: float = 0.0


class PlacementValue(Struct, frozen=True):
    """One placement: cards by row and discards as text, its points and their parts.

    `value` = `rows` (scoop included) + `royalties` + `fouls` + `fantasyland` + `stacks`, points from all opponents;
    `stacks`: the part of the others that the stacks cannot pay, and in a tournament the value of the places;
    `error`: the standard error, 0 when it is exact; `foul` and `enters`: chances of fouling and of fantasyland.
    `behind`: points behind the best placement, with the standard error `behind_error`, which is smaller than those of
    the values, since both get the same cards. `within_error`: `behind` is at most twice its error. `own` and
    `opponents`: the points of each side; each of the first four parts is `own` less `opponents`.
    """

    front: tuple[str, ...]
    middle: tuple[str, ...]
    back: tuple[str, ...]
    discards: tuple[str, ...]
    value: float
    error: float
    rollouts: int
    rows: float
    royalties: float
    fouls: float
    fantasyland: float
    foul: float
    enters: float
    stacks: float = 0.0
    behind: float = 0.0
    behind_error: float = 0.0
    within_error: bool = True
    own: Side = Side()
    opponents: Side = Side()

    def __repr__(self) -> str:
        return f"<{self.text} {self.value:+.2f} ± {self.error:.2f}>"

    @property
    def text(self) -> str:
        """The cards as one word, front/middle/back, and the discards after a minus."""
        rows = "/".join("".join(row) for row in (self.front, self.middle, self.back))
        return f"{rows} -{''.join(self.discards)}" if self.discards else rows


class Analysis(Struct, frozen=True):
    """All placements, those that were measured to the end first, from the best on.

    `within_error`: the number of those measured to the end, with the best, that are within the error of the best.
    `exact`: nothing had to be sampled. `street`: from 1, 0 in fantasyland; there only those settings stand that no
    other one equals or beats in every row.
    """

    position: str
    hand: int
    street: int
    placements: tuple[PlacementValue, ...]
    exact: bool
    seed: int
    within_error: int = 1

    def __repr__(self) -> str:
        subject = f"street {self.street}" if self.street else "a fantasyland"
        tied = f", {self.within_error} within the error" if self.within_error > 1 else ""
        return f"<Analysis of {subject}: best of {len(self.placements)} is {self.placements[0]!r}{tied}>"

    def _repr_html_(self) -> str:
        def row(placement: PlacementValue) -> tuple[str, ...]:
            board = board_html(
                (placement.front, placement.middle, placement.back),
                " ".join(placement.discards) and f"discards {' '.join(placement.discards)}",
            )
            points = (
                f"{placement.value:+.2f}",
                f"{placement.error:.2f}",
                f"{placement.behind:.2f} ± {placement.behind_error:.2f}",
            )
            return board, *points, f"{placement.foul:.0%}", f"{placement.enters:.0%}"

        head = ("placement", "points", "±", "behind", "fouls", "fantasyland")
        position = parse_position(self.position)._repr_html_()
        return position + table_html(head, map(row, self.placements[:_SHOWN_PLACEMENTS]))


def analyse(
    position: Position | str,
    rules: Ruleset | str | Mapping[str, object] = "pineapple",
    budget: SearchBudget = SearchBudget(),  # noqa: B008 - it cannot change
    *,
    hand: int | None = None,
    seed: int = 1,
    stacks: Stacks | None = None,
    also: Layout | None = None,
    in_row: int = 1,
) -> Analysis:
    """Return what every placement of the hand to act is worth. Raises as `iter_analyses`."""
    last: Analysis | None = None
    for better in iter_analyses(
        position, rules, budget, hand=hand, seed=seed, stacks=stacks, also=also, in_row=in_row
    ):
        last = better
    if last is None:
        raise SolveError("position.street", "there is nothing to place here", "$.position")
    return last


def iter_analyses(
    position: Position | str,
    rules: Ruleset | str | Mapping[str, object] = "pineapple",
    budget: SearchBudget = SearchBudget(),  # noqa: B008 - it cannot change
    *,
    hand: int | None = None,
    seed: int = 1,
    stacks: Stacks | None = None,
    also: Layout | None = None,
    in_row: int = 1,
) -> Iterator[Analysis]:
    """Yield better and better answers until the budget is met; stop reading at any time.

    `stacks`: the stacks before the deal, which bound the payments; None: no bounds. `also`: a placement that is
    measured to the end like the best ones, whatever its rank. `in_row`: the number of the hand's own fantasyland in
    a row.
    Raises SolveError: `position.acting` (no hand to act, or several and none named), `position.street`,
    `position.cards`, `value.none` (no weights for these rules), `stacks.count`, `value.range`;
    NotationError; RulesError.
    """
    verify_seed(seed)
    _verify_budget(budget)
    decision, search, parsed = prepare_decision(
        position,
        rules,
        hand,
        shared=budget.two_threads,
        stacks=stacks,
        named=() if also is None else (also,),
        in_row=in_row,
    )
    placements = len(search.table())
    text = position_text(parsed)

    def answer(measurement: Measurement | None) -> Analysis:
        street = 0 if decision.fantasyland else decision.street + 1
        values = _ranked_with_losses(placement_values(decision, search), measurement)
        measured = values if measurement is None else values[: len(measurement.measured)]
        tied = sum(value.within_error for value in measured)
        return Analysis(text, decision.me, street, values, search.exact(), seed, tied)

    # The first street has hundreds of placements, and points vary more against several hands.
    opponents = 1 if decision.fantasyland or decision.street > 0 else len(parsed.hands) - 1
    search.run(placements, budget.screening_rollouts * opponents, seed)
    if search.exact():
        yield answer(None)
        return
    also_index = [] if also is None else [_placement_index(search, also)]
    search.reset_samples()
    measured = [*range(min(budget.top, placements)), *also_index]
    measurement = Measurement(search, measured, seed + 1, budget.width)
    for batch in range(budget.max_slices):
        yield answer(measurement)
        error = measurement.loss_error if budget.by_loss else measurement.error
        if batch > 0 and error <= budget.max_error:
            return
        measurement.extend(SLICE)
    yield answer(measurement)


def _ranked_with_losses(
    values: Sequence[PlacementValue], measurement: Measurement | None
) -> tuple[PlacementValue, ...]:
    """Return the placements with their losses against the best, those that were measured to the end first."""
    indices = range(len(values))
    measured = indices if measurement is None else measurement.measured
    best = max(measured, key=lambda index: values[index].value)

    def with_loss(index: int) -> PlacementValue:
        value = values[index]
        if measurement is None:
            points, error = values[best].value - value.value, 0.0
        elif index in measured:
            gap = measurement.paired_loss(best, index)
            points, error = gap.points, gap.error
        else:
            points, error = values[best].value - value.value, hypot(values[best].error, value.error)
        if index == best:
            points, error = 0.0, 0.0
        close = points <= max(SIGNIFICANT_Z * error, EXACT_TOLERANCE)
        return replace(value, behind=points, behind_error=error, within_error=close)

    return tuple(
        with_loss(index) for index in sorted(indices, key=lambda index: (index not in measured, -values[index].value))
    )


def pairwise_loss(
    position: Position | str,
    rules: Ruleset | str | Mapping[str, object],
    pair: tuple[PlacementValue, PlacementValue],
    budget: SearchBudget,
    *,
    hand: int | None = None,
    seed: int = 1,
    stacks: Stacks | None = None,
    in_row: int = 1,
) -> tuple[float, float]:
    """Return by how many points the second placement is behind the first, and the standard error of that.

    Both get the same cards, but not those of `analyse` with this seed: the samples that chose the first are biased in
    its favour. Raises as `iter_analyses`.
    """
    layouts = [Layout(placement.front, placement.middle, placement.back) for placement in pair]
    _, search, _ = prepare_decision(
        position, rules, hand, shared=budget.two_threads, stacks=stacks, named=layouts, in_row=in_row
    )
    if search.exact():
        return pair[0].value - pair[1].value, 0.0
    indices = [_placement_index(search, layout) for layout in layouts]
    estimates = paired_losses(search, indices, seed + 2)
    (gap,) = next(estimates)
    for _ in range(1, budget.max_slices):
        if gap.error <= budget.max_error:
            break
        (gap,) = next(estimates)
    return gap.points, gap.error


def same_placement(a: Layout | PlacementValue, b: Layout | PlacementValue) -> bool:
    """Return whether two placements put the same cards into the same rows."""
    return all(sorted(getattr(a, row)) == sorted(getattr(b, row)) for row in ROWS)


def _placement_index(search: _kernel.Analysis, layout: Layout) -> int:
    """Return the index of a placement in the search's table. Raises SolveError `position.placement`."""
    for index, row in enumerate(search.table()):
        if same_placement(layout, Layout(_texts(row.front), _texts(row.middle), _texts(row.back))):
            return index
    raise SolveError("position.placement", "this is not a placement of these cards", "$.placement")


def prepare_decision(
    position: Position | str,
    rules: Ruleset | str | Mapping[str, object],
    hand: int | None,
    *,
    shared: bool = True,
    stacks: Stacks | None = None,
    named: Sequence[Layout] = (),
    in_row: int = 1,
) -> tuple[Decision, _kernel.Analysis, Position]:
    """Return the decision that a position asks for, the kernel's search for it, and the parsed position.

    `shared`: in two threads. `named`: settings that a fantasyland's search must include. Raises as `iter_analyses`.
    """
    resolved = rules if isinstance(rules, Ruleset) else resolve(rules)
    parsed = parse_position(position) if isinstance(position, str) else position
    me = hand_to_act(parsed, hand)
    head, learner = require_weights(resolved, advice="; train it with triptych train")
    _verify_jokers(resolved, parsed)
    decision = Decision.from_position(resolved, parsed, me, in_row, stacks)
    if not decision.fantasyland and len(parsed.hands) == 1:
        raise SolveError("position.street", "only a fantasyland is set alone; write the other hands", "$.hands")
    rows = [_row_bytes(layout) for layout in named] if decision.fantasyland else []
    try:
        return decision, decision.analysis(learner, head.fantasyland_values, shared=shared, named=rows), parsed
    except ValueError as error:
        raise SolveError("position.cards", str(error), "$.position") from None


def _row_bytes(layout: Layout) -> tuple[bytes, ...]:
    return tuple(bytes(map(parse_card, getattr(layout, row))) for row in ROWS)


def placement_values(decision: Decision, search: _kernel.Analysis) -> tuple[PlacementValue, ...]:
    """Return the values of every placement of a search, in its order."""
    return tuple(_placement_value(decision, row) for row in search.table())


def _verify_budget(budget: SearchBudget) -> None:
    """Raise SolveError `value.range` for a budget that never ends, or measures nothing."""
    if not 0 <= budget.max_error < inf:
        raise SolveError("value.range", "expected a number from 0 on", "$.error")
    counts = (
        ("slices", budget.max_slices, 0),
        ("best", budget.top, 1),
        ("sorting", budget.screening_rollouts, 0),
        ("wide", budget.width, 2),
    )
    for name, count, minimum in counts:
        if not minimum <= count <= MAX_SAMPLES:
            raise SolveError("value.range", f"expected a whole number from {minimum} to {MAX_SAMPLES}", f"$.{name}")


def _verify_jokers(rules: Ruleset, position: Position) -> None:
    """Raise SolveError where a hand has a joker that the rules do not use."""
    jokers = {card_text(card) for card in deck(2)[52 + rules.deal.jokers :]}
    for index, hand in enumerate(position.hands):
        if wrong := jokers & {*hand.drawn, *hand.discards, *hand.front, *hand.middle, *hand.back}:
            raise SolveError("card.joker", f"these rules are played without {min(wrong)}", f"$.hands[{index}]")


def _placement_value(decision: Decision, row: _kernel.SearchedPlacement) -> PlacementValue:
    placed = {*row.front, *row.middle, *row.back}
    own = Side(row.own_rows, row.own_royalties, row.own_fouls, row.own_fantasyland)
    return PlacementValue(
        _texts(row.front),
        _texts(row.middle),
        _texts(row.back),
        tuple(card_text(card) for card in decision.cards if card not in placed),
        row.value,
        row.error,
        row.rollouts,
        row.rows,
        row.royalties,
        row.fouls,
        row.fantasyland,
        row.foul_chance,
        row.fantasyland_chance,
        row.stacks,
        own=own,
        opponents=Side(
            row.own_rows - row.rows,
            row.own_royalties - row.royalties,
            row.own_fouls - row.fouls,
            row.own_fantasyland - row.fantasyland,
        ),
    )


def _texts(cards: bytes) -> tuple[str, ...]:
    return tuple(card_text(Card(card)) for card in cards)
