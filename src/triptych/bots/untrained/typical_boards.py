"""Typical boards of an open game: the values of rows against unknown opponents.

They are measured by self-play: boards are played with a first guess of the rows' values, and their actual values
against each other are the next guess; the value of a fantasyland likewise.

The boards of the presets are packaged: `python -m triptych.bots.untrained.typical_boards` measures them and prints
the file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from triptych import _kernel
from triptych.bots.untrained.lookahead import best_placement
from triptych.cards import deck
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import Ruleset, fantasyland_sizes, is_closed, streets
from triptych.solve.value.points import row_points

PACKAGED: Final = "typical.json"
FRONT_CLASSES = 27
FIVE_CLASSES = 11
FANTASYLAND_VALUE_COUNT = 18

_ROUNDS = 2
_BOARDS = 120
_FANTASYLAND_SAMPLES = 60
_EFFORT = 150
_INITIAL_FANTASYLAND_VALUE = 10.0

_PAIR, _TRIPS, _FIVE_CATEGORY = 1, 3, 9
_ROYAL, _FIVE_OF_A_KIND, _BEST_LOW = 9, 10, 4
_ROYAL_VALUE = 8 << 20 | 13 << 16
_BEST_LOW_VALUE = 0x64321
_TEN_LOW_TOP = 9


class TypicalBoards(Struct, frozen=True):
    """Typical boards and the values that follow from them, in points against one opponent.

    `front`, `middle`, `back`: by class of row, as the kernel's Goal takes them. `fantasyland_values`: by cards of
    the next fantasyland. `foul`: of a foul. `boards`: complete legal boards, front first.
    """

    front: tuple[float, ...]
    middle: tuple[float, ...]
    back: tuple[float, ...]
    fantasyland_values: tuple[float, ...]
    foul: float
    boards: tuple[bytes, ...]


def typical_objective(
    rules: Ruleset, typical: TypicalBoards, fantasyland: int = 0, in_row: int = 0, unknown: int = 1, players: int = 2
) -> _kernel.Objective:
    """Return the kernel's objective of a board against `unknown` typical boards."""
    objective = _kernel.Objective(
        compile_rules(rules),
        fantasyland,
        in_row,
        [value * (players - 1) for value in typical.fantasyland_values],
        unknown,
    )
    objective.set_worth(typical.front, typical.middle, typical.back)
    return objective


def typical_boards(rules: Ruleset) -> TypicalBoards:
    """Return the typical boards of these rules, always the same.

    Those of presets are packaged, others are measured in a few seconds.
    """
    return _typical_boards(_play_relevant_rules(rules))


def measure_typical_boards(rules: Ruleset) -> TypicalBoards:
    """Measure the typical boards of these rules; the result is always the same."""
    relevant_rules = _play_relevant_rules(rules)
    random = Random(0)
    scoop = float(row_points(relevant_rules, (1, 1, 1)))
    typical = _first_guess(scoop)
    for _ in range(_ROUNDS):
        boards = [_play(relevant_rules, typical, random) for _ in range(_BOARDS)]
        typical = _measure_boards(relevant_rules, boards, scoop, typical, random)
    return typical


def key_of(rules: Ruleset) -> str:
    """Return the key of these rules' packaged boards: a hash of the options that affect play."""
    return blake2b(msgspec.json.encode(_play_relevant_rules(rules), order="sorted"), digest_size=8).hexdigest()


@lru_cache(maxsize=1)
def packaged_typical_boards() -> dict[str, TypicalBoards]:
    """Return the packaged typical boards by `key_of` their rules."""
    content = files(__package__).joinpath(PACKAGED).read_bytes()
    return msgspec.json.decode(content, type=dict[str, TypicalBoards])


def _play_relevant_rules(rules: Ruleset) -> Ruleset:
    """Return the rules without options that do not affect play: names, seats, stakes, clocks."""
    return Ruleset(
        name="",
        deal=rules.deal,
        rows=rules.rows,
        foul=rules.foul,
        scoring=rules.scoring,
        royalties=rules.royalties,
        naturals=rules.naturals,
        surrender=rules.surrender,
        fantasyland=rules.fantasyland,
    )


_Board = tuple[tuple[bytes, ...], tuple[int, int, int]]


@lru_cache(maxsize=64)
def _typical_boards(rules: Ruleset) -> TypicalBoards:
    return packaged_typical_boards().get(key_of(rules)) or measure_typical_boards(rules)


def _first_guess(scoop: float) -> TypicalBoards:
    def ramp(classes: int) -> tuple[float, ...]:
        return tuple(2 * index / (classes - 1) - 1 for index in range(classes))

    fantasyland_values = (0.0,) + (_INITIAL_FANTASYLAND_VALUE,) * (FANTASYLAND_VALUE_COUNT - 1)
    return TypicalBoards(ramp(FRONT_CLASSES), ramp(FIVE_CLASSES), ramp(FIVE_CLASSES), fantasyland_values, -scoop, ())


def _play(rules: Ruleset, typical: TypicalBoards, random: Random) -> _Board | None:
    """Play one board street by street against the typical ones; `None` when it fouls."""
    objective = typical_objective(rules, typical)
    cards = list(deck(rules.deal.jokers))
    random.shuffle(cards)
    plan = streets(rules)
    rows = [b"", b"", b""]
    used = 0
    for number, street in enumerate(plan):
        drawn = bytes(cards[used : used + street.dealt])
        used += street.dealt
        if number == len(plan) - 1:
            return _finish(objective, rows, drawn)
        unseen = bytes(cards[used:])
        later, foul = plan[number + 1 :], typical.foul
        best = best_placement(objective, rows, drawn, street.placed, unseen, later, foul, effort=_EFFORT, seed=number)
        for card, row in zip(drawn, best, strict=True):
            if row < len(rows):
                rows[row] += bytes((card,))
    return None


def _finish(objective: _kernel.Objective, rows: Sequence[bytes], pool: bytes) -> _Board | None:
    board = _kernel.complete(objective, rows, pool)
    if not board.legal:
        return None
    return tuple(row + added for row, added in zip(rows, board.rows, strict=True)), board.row_values


def _measure_boards(
    rules: Ruleset, all_boards: Sequence[_Board | None], scoop: float, previous: TypicalBoards, random: Random
) -> TypicalBoards:
    boards = [board for board in all_boards if board is not None]
    if not boards:
        return previous
    fouls = 1 - len(boards) / len(all_boards)
    price = (1 + scoop / 3) / 2  # a row counts for itself and for its share of the scoop
    middle_class = _low_class if rules.rows.middle == "deuce_to_seven" else _five_class
    typical = TypicalBoards(
        front=_values_by_class([values[0] for _, values in boards], _front_class, FRONT_CLASSES, price),
        middle=_values_by_class([values[1] for _, values in boards], middle_class, FIVE_CLASSES, price),
        back=_values_by_class([values[2] for _, values in boards], _five_class, FIVE_CLASSES, price),
        fantasyland_values=previous.fantasyland_values,
        foul=-scoop if rules.foul.points == "scoop" else -float(rules.foul.points),
        boards=tuple(b"".join(rows) for rows, _ in boards),
    )
    royalty_objective = _kernel.Objective(compile_rules(rules), 0, 0, (0.0,) * FANTASYLAND_VALUE_COUNT)
    royalties = sum(_kernel.complete(royalty_objective, rows, b"").value for rows, _ in boards) / len(all_boards)
    return _with_fantasyland_values(rules, typical, scoop * fouls - royalties, random)


def _with_fantasyland_values(
    rules: Ruleset, typical: TypicalBoards, conceded: float, random: Random
) -> TypicalBoards:
    """Return `typical` with the value of each fantasyland against it; `conceded`: the mean loss of its boards."""
    values = list(typical.fantasyland_values)
    for _ in range(_ROUNDS):
        for size in fantasyland_sizes(rules):
            objective = _kernel.Objective(compile_rules(rules), size, 1, values)
            objective.set_worth(typical.front, typical.middle, typical.back)
            total = 0.0
            for _ in range(_FANTASYLAND_SAMPLES):
                cards = random.sample(deck(rules.deal.jokers), size)
                best = _kernel.complete(objective, (b"", b"", b""), bytes(cards))
                total += best.value if best.legal else typical.foul
            values[size] = max(0.0, total / _FANTASYLAND_SAMPLES + conceded)
    return TypicalBoards(typical.front, typical.middle, typical.back, tuple(values), typical.foul, typical.boards)


def _values_by_class(
    rows: Sequence[int], class_of: Callable[[int], int], classes: int, price: float
) -> tuple[float, ...]:
    """Return rows won less rows lost by class against these rows; smoothed with three pseudo-rows in all."""
    counts = [1.0 / classes * 3] * classes
    for value in rows:
        counts[class_of(value)] += 1
    total = sum(counts)
    return tuple(price * (sum(counts[:index]) - sum(counts[index + 1 :])) / total for index in range(classes))


def _five_class(value: int) -> int:
    """Return the kernel's class of a five-card row: the category, then royal flush, then five of a kind."""
    category = value >> 20
    return _FIVE_OF_A_KIND if category == _FIVE_CATEGORY else _ROYAL if value == _ROYAL_VALUE else category


def _low_class(order: int) -> int:
    """Return 0 ten-low to 3 seven-low, 4 for 75432."""
    value = _kernel.from_low_order(order)
    return _BEST_LOW if value == _BEST_LOW_VALUE else _TEN_LOW_TOP - (value >> 16 & 15)


def _front_class(value: int) -> int:
    """Return 0 high card, 1 to 13 pairs, 14 to 26 trips."""
    category, rank = value >> 20, value >> 16 & 15
    return 13 + rank if category == _TRIPS else rank if category == _PAIR else 0


def _main() -> None:
    rules = [resolve(preset) for preset in preset_names()]
    typical_by_key = {
        key_of(ruleset): msgspec.json.encode(measure_typical_boards(ruleset)).decode()
        for ruleset in rules
        if not is_closed(ruleset)
    }
    lines = ",\n".join(f'"{key}": {typical}' for key, typical in typical_by_key.items())
    sys.stdout.write(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    _main()
