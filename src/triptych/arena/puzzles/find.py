"""Puzzles out of self-play: positions in which one placement is clearly best and `fast` takes another."""

from __future__ import annotations

from itertools import islice
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from triptych.arena.moves import moves
from triptych.arena.puzzles.rating import layout_rows, missed, rating, table_rows
from triptych.arena.seeds import bot_seed, shuffled
from triptych.bots.levels import level
from triptych.deal.actions import Place
from triptych.deal.engine import started
from triptych.deal.state import HandStart
from triptych.errors import TriptychError
from triptych.notation.position import Position, position_of, position_text
from triptych.rules.load import resolve
from triptych.rules.model import is_closed
from triptych.solve.analysis.analyse import asked, placement_values
from triptych.solve.analysis.gaps import Gap, gaps
from triptych.solve.puzzles.model import Choice, Puzzle, puzzle_id
from triptych.solve.puzzles.themes import themes
from triptych.solve.value.points import learns
from triptych.solve.value.weights import packaged_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triptych import _kernel
    from triptych.board import Layout
    from triptych.deal.views import DealView, Task
    from triptych.rules.model import Ruleset

PLAYS: Final = "fast"
SURE: Final = 3
"""Standard errors by which the lead must be beyond what is asked."""

_LOOKS: Final = ((8, 500), (16, 8_000))  # width and rollouts: most positions are out after a short look
_KEPT: Final = 8  # placements that a puzzle tells about; the one that tempts is among them
_FIELDS: Final = (3, _KEPT)  # the best is measured against few first: most candidates are out then
_ROUNDS: Final = (1, 2, 4, 8, 16)  # slices after which the lead is judged
_EACH: Final = 20_000  # rollouts for the values that are shown


class Hunt(Struct, frozen=True):
    """What is looked for: a `lead` of so many points, in deals of `players` from a seed.

    `spec` is resolved where it runs.
    """

    spec: dict[str, Any]
    players: int
    seed: int
    lead: float


class _Seen(Struct, frozen=True):
    """A decision of self-play: what its player saw, and what they did."""

    view: DealView
    task: Task
    position: Position
    chosen: Layout


def verify_hunt(hunt: Hunt) -> None:
    """Raise TriptychError where no puzzles of such rules can be made: RulesError, WeightsError, `puzzle.…`."""
    rules = resolve(hunt.spec)
    if is_closed(rules) or not learns(rules):
        message = f"puzzles are made for open games that the levels have learned, and {rules.name} is none"
        raise TriptychError("puzzle.rules", message, "$.preset")
    if packaged_file(rules) is None:
        message = f"nothing has been learned for {rules.name}; train it with triptych train"
        raise TriptychError("value.none", message, "$.preset")
    if not rules.seats.min <= hunt.players <= rules.seats.max:
        message = f"{rules.name} is played by {rules.seats.min} to {rules.seats.max}, not {hunt.players}"
        raise TriptychError("puzzle.players", message, "$.players")


def in_deal(hunt: Hunt, number: int) -> tuple[Puzzle, ...]:
    """Return the puzzles of one deal; the same for the same hunt and number."""
    rules = resolve(hunt.spec)
    found = (_puzzle(hunt, number, rules, seen) for seen in _decisions(hunt, number, rules))
    return tuple(puzzle for puzzle in found if puzzle is not None)


def _decisions(hunt: Hunt, number: int, rules: Ruleset) -> Iterator[_Seen]:
    """Yield the placements of a deal of self-play."""
    seed = str(hunt.seed)
    bots = [level(PLAYS).factory(bot_seed(seed, number, 0, seat)) for seat in range(hunt.players)]
    hands = tuple(HandStart(seat, 0, 0) for seat in range(hunt.players))
    state = started(rules, 1, hands, shuffled(rules.deal.jokers, seed, number, 0)).state
    for move in moves(state, bots):
        if isinstance(move.action, Place):
            place = position_of(move.view)
            yield _Seen(move.view, move.task, Position(place.hands, (move.task.hand,)), move.action.layout)


def _puzzle(hunt: Hunt, number: int, rules: Ruleset, seen: _Seen) -> Puzzle | None:
    decision, search, _ = asked(seen.position, rules, None, shared=False)
    if len(search.table()) == 1:
        return None
    for width, rollouts in _LOOKS:
        search.forget()
        search.run(width, 1 if decision.settled else rollouts, decision.seed)
        if _number(search, seen.chosen) == 0:
            return None
    tempting = _number(search, seen.chosen)
    lead = _lead(search, hunt.lead, decision.seed) if tempting < _KEPT else None
    if lead is None:
        return None
    if not search.exact():
        search.forget()
        search.measure(_KEPT, _EACH, decision.seed + 2, 0)
    best, *others = (Choice.of(value) for value in placement_values(decision, search)[:_KEPT])
    tempts = others[tempting - 1]
    choices = (best, *sorted(others, key=lambda choice: -choice.value))
    misses = missed(rules, seen.view, seen.task, search)
    return Puzzle(
        id=puzzle_id(hunt.spec, seen.position),
        rules=hunt.spec,
        position=position_text(seen.position),
        street=decision.street + 1,
        choices=choices,
        tempting=choices.index(tempts),
        lead=round(lead.points, 2),
        error=round(lead.error, 3),
        missed=misses,
        rating=rating(misses),
        themes=themes(rules, seen.position, best, tempts),
        deal=(hunt.seed, number),
    )


def _number(search: _kernel.Analysis, layout: Layout) -> int:
    """Return the place of a placement in the search's order."""
    wanted = layout_rows(layout)
    return next(at for at, row in enumerate(search.table()) if table_rows(row) == wanted)


def _lead(search: _kernel.Analysis, least: float, seed: int) -> Gap | None:
    """Return by how much the first placement is ahead of the nearest; None where it is not surely `least`.

    Samples that did not choose the first judge it, in a few looks at more and more of them.
    """
    table = search.table()
    if search.exact():
        exact = Gap(table[0][5] - max(row[5] for row in table[1:]), 0.0)
        return exact if exact.points >= least else None
    few, all_ = (range(min(len(table), width)) for width in _FIELDS)
    return None if _surely(search, few, least, seed) is None else _surely(search, all_, least, seed)


def _surely(search: _kernel.Analysis, field: Sequence[int], least: float, seed: int) -> Gap | None:
    """Return by how much the first of a field is ahead of the nearest; None where it is not surely `least`."""
    better = gaps(search, field, seed + 1)
    done = 0
    for rounds in _ROUNDS:
        *_, found = islice(better, rounds - done)
        done = rounds
        if all(gap.points - SURE * gap.error >= least for gap in found):
            return min(found, key=lambda gap: gap.points)
        # What the error will be after the last look: who cannot be sure even then is not waited for.
        last = sqrt(done / _ROUNDS[-1])
        if any(gap.points + gap.error < least + SURE * gap.error * last for gap in found):
            return None
    return None
