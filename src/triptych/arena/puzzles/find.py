"""Find puzzles in self-play: positions in which one placement is clearly best and `fast` chooses another."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from math import sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from triptych import _kernel
from triptych.arena.moves import play_out
from triptych.arena.puzzles.rating import layout_rows, miss_rates, rating, table_rows
from triptych.arena.seeds import bot_seed, deck_for
from triptych.board import Layout
from triptych.bots.levels import get_level
from triptych.deal.actions import Place
from triptych.deal.engine import start
from triptych.deal.state import HandStart
from triptych.deal.view_types import DealView, Task
from triptych.errors import TriptychError
from triptych.notation.position import Position, parse_position, position_from_view, position_text
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, is_closed
from triptych.solve.analysis.analyse import placement_values, prepare_decision
from triptych.solve.analysis.decision import Decision
from triptych.solve.analysis.measurement import PairedLoss, paired_loss
from triptych.solve.puzzles.model import Choice, Puzzle, puzzle_id
from triptych.solve.puzzles.themes import themes
from triptych.solve.value.points import can_learn
from triptych.solve.value.weights import packaged_file

POLICY: Final = "fast"
_SCREENING_PASSES: Final = ((8, 250), (12, 1_200))  # width and rollouts: a short search rules most positions out
_STORED_CHOICES: Final = 8  # placements that a puzzle stores, the tempting one among them
_SLICE: Final = 1_000  # rollouts of each placement between two checks of the error of the stored values
_SLICES: Final = 20
_ERROR: Final = 0.2  # points: the standard error of the best value as stored
_ENGINE: Final = 1  # increased when the kernel measures differently: then puzzles are measured again
_ENGINE_DIGITS: Final = 12


class PuzzleSearch(Struct, frozen=True):
    """The parameters of a search for puzzles: rules, players of a deal, seed, and the margin of the best placement.

    `spec` is resolved in the process that runs the search.
    """

    spec: dict[str, Any]
    players: int
    seed: int
    min_margin: float


class _SelfPlayDecision(Struct, frozen=True):
    """A decision of self-play: the player's view and task, the position, and the chosen placement."""

    view: DealView
    task: Task
    position: Position
    chosen: Layout


def verify_puzzle_search(puzzle_search: PuzzleSearch) -> None:
    """Raise TriptychError where no puzzles of such rules can be made: RulesError, WeightsError, `puzzle.…`."""
    rules = resolve(puzzle_search.spec)
    if is_closed(rules) or not can_learn(rules):
        message = f"puzzles are made for open games that the levels have learned, and {rules.name} is none"
        raise TriptychError("puzzle.rules", message, "$.preset")
    if packaged_file(rules) is None:
        message = f"nothing has been learned for {rules.name}; train it with triptych train"
        raise TriptychError("value.none", message, "$.preset")
    if not rules.seats.min <= puzzle_search.players <= rules.seats.max:
        message = f"{rules.name} is played by {rules.seats.min} to {rules.seats.max}, not {puzzle_search.players}"
        raise TriptychError("puzzle.players", message, "$.players")


def puzzles_in_deal(puzzle_search: PuzzleSearch, number: int) -> tuple[Puzzle, ...]:
    """Return the puzzles of one deal; the same ones for the same parameters and number."""
    rules = resolve(puzzle_search.spec)
    puzzles = (
        _make_puzzle(puzzle_search, number, rules, decision)
        for decision in _self_play_decisions(puzzle_search, number, rules)
    )
    return tuple(puzzle for puzzle in puzzles if puzzle is not None)


def _self_play_decisions(puzzle_search: PuzzleSearch, number: int, rules: Ruleset) -> Iterator[_SelfPlayDecision]:
    """Yield the placements of a deal of self-play."""
    seed = str(puzzle_search.seed)
    bots = [get_level(POLICY).factory(bot_seed(seed, number, 0, seat)) for seat in range(puzzle_search.players)]
    hands = tuple(HandStart(seat, 0, 0) for seat in range(puzzle_search.players))
    state = start(rules, 1, hands, deck_for(rules.deal.jokers, seed, number, 0)).state
    for move in play_out(state, bots):
        if isinstance(move.action, Place):
            position = position_from_view(move.view)
            yield _SelfPlayDecision(
                move.view, move.task, Position(position.hands, (move.task.hand,)), move.action.layout
            )


def _make_puzzle(
    puzzle_search: PuzzleSearch, number: int, rules: Ruleset, played: _SelfPlayDecision
) -> Puzzle | None:
    measured = _measured(rules, played.position, played.chosen, puzzle_search.min_margin)
    if measured is None:
        return None
    decision, search, margin, choices, tempting = measured
    misses = miss_rates(rules, played.view, played.task, search)
    return Puzzle(
        id=puzzle_id(puzzle_search.spec, played.position),
        rules=puzzle_search.spec,
        position=position_text(played.position),
        street=decision.street + 1,
        choices=choices,
        tempting=tempting,
        lead=round(margin.points, 2),
        error=round(margin.error, 3),
        missed=misses,
        rating=rating(misses),
        themes=themes(rules, played.position, choices[0], choices[tempting]),
        deal=(puzzle_search.seed, number),
        engine=engine_version(rules),
    )


def remeasure(puzzle: Puzzle, min_margin: float) -> Puzzle | None:
    """Return a puzzle with new values; None where its best placement no longer leads for certain.

    Its miss rates, and so its rating, stay unchanged.
    """
    rules = resolve(puzzle.rules)
    position = parse_position(puzzle.position)
    measured = _measured(rules, position, puzzle.choices[puzzle.tempting].layout, min_margin)
    if measured is None:
        return None
    _, _, margin, choices, tempting = measured
    return replace(
        puzzle,
        choices=choices,
        tempting=tempting,
        lead=round(margin.points, 2),
        error=round(margin.error, 3),
        themes=themes(rules, position, choices[0], choices[tempting]),
        engine=engine_version(rules),
    )


def engine_version(rules: Ruleset) -> str:
    """Return the version of the engine that measures puzzles of these rules: this code and the rules' weights."""
    file = packaged_file(rules) or b""
    return f"{_ENGINE}-{hashlib.sha256(file).hexdigest()[:_ENGINE_DIGITS]}"


class _Measured(NamedTuple):
    """A decision whose best placement leads for certain; `tempting`: the index of the tempting choice."""

    decision: Decision
    search: _kernel.Analysis
    lead: PairedLoss
    choices: tuple[Choice, ...]
    tempting: int


def _measured(rules: Ruleset, position: Position, tempting: Layout, min_margin: float) -> _Measured | None:
    decision, search, _ = prepare_decision(position, rules, None, shared=False)
    if len(search.table()) == 1:
        return None
    for width, rollouts in _SCREENING_PASSES:
        search.reset_samples()
        search.run(width, 1 if decision.is_deterministic else rollouts, decision.seed)
        if _placement_index(search, tempting) == 0:
            return None
    index = _placement_index(search, tempting)
    if index >= _STORED_CHOICES:
        return None
    margin = certain_margin(search, _STORED_CHOICES, min_margin, decision.seed + 1)
    if margin is None:
        return None
    _measure(search, decision.seed + 2)
    best, *others = (Choice.from_value(value) for value in placement_values(decision, search)[:_STORED_CHOICES])
    choices = (best, *sorted(others, key=lambda choice: -choice.value))
    return _Measured(decision, search, margin, choices, choices.index(others[index - 1]))


def _placement_index(search: _kernel.Analysis, layout: Layout) -> int:
    rows = layout_rows(layout)
    return next(index for index, row in enumerate(search.table()) if table_rows(row) == rows)


def _measure(search: _kernel.Analysis, seed: int) -> None:
    """Measure the stored placements with new samples: those that chose the best are biased in its favour."""
    if search.exact():
        return
    search.reset_samples()
    for number in range(_SLICES):
        search.measure(_STORED_CHOICES, _SLICE, seed, number * _SLICE)
        if search.table()[0].error <= _ERROR:
            return


MIN_Z: Final = 3
"""Standard errors by which a margin must exceed the required one."""

_ROLLOUTS_AT_CHECKS: Final = (250, 500, 1_000, 2_000, 4_000, 8_000)  # rollouts of each placement at the checks
_MIN_ROLLOUTS: Final = 2_000  # before a placement can be behind for certain: an error needs samples too


def certain_margin(search: _kernel.Analysis, width: int, minimum: float, seed: int) -> PairedLoss | None:
    """Return the margin of the first placement over the nearest of `width`; None unless it is surely `minimum`.

    Racing (Maron and Moore 1994): all placements get the same cards. One that is far enough behind for certain is not
    sampled any more; the race ends as soon as a placement is unlikely to get there.

    `seed` must not be that of the samples that chose the first: they are biased in its favour.
    """
    table = search.table()
    if search.exact():
        exact = PairedLoss(table[0].value - max(row.value for row in table[1:]), 0.0)
        return exact if exact.points >= minimum else None
    candidates = np.arange(1, min(len(table), width))
    totals, squares = np.zeros(len(table)), np.zeros(len(table))
    behind: list[PairedLoss] = []
    done = 0
    for rollouts in _ROLLOUTS_AT_CHECKS:
        points = search.sample_points([0, *candidates.tolist()], rollouts - done, seed, done).astype(float)
        done = rollouts
        differences = points[:, :1] - points[:, 1:]
        totals[candidates] += differences.sum(axis=0)
        squares[candidates] += (differences * differences).sum(axis=0)
        losses = {int(other): paired_loss(done, float(totals[other]), float(squares[other])) for other in candidates}
        # The ratio of the error at the last check to that now: a placement that is unlikely to be behind for certain
        # even then ends the race.
        error_ratio = sqrt(done / _ROLLOUTS_AT_CHECKS[-1])
        if any(gap.points + gap.error < minimum + MIN_Z * gap.error * error_ratio for gap in losses.values()):
            return None
        clearly_behind = {
            other: gap
            for other, gap in losses.items()
            if done >= _MIN_ROLLOUTS and gap.points - MIN_Z * gap.error >= minimum
        }
        behind += clearly_behind.values()
        candidates = np.array([other for other in losses if other not in clearly_behind], dtype=int)
        if len(candidates) == 0:
            return min(behind, key=lambda gap: gap.points)
    return None
