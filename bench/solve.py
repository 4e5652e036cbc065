"""The solvers: milliseconds an answer, one call at a time from Python. MEASURES 1.

uv run python -m bench.solve
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from statistics import quantiles
from time import process_time

from bench.report import write
from triptych import _kernel
from triptych.cards import deck
from triptych.rules.compile import compile_rules
from triptych.rules.load import resolve

COMMAND = "uv run python -m bench.solve"
EMPTY = (b"", b"", b"")
REPEAT = 12.0
FOUL = -6.0

Question = Callable[[], object]


def main() -> None:
    """Measure every solver and write the section."""
    table = [("solver", "p50 ms", "p99 ms", "target")]
    rows: list[tuple[str, list[Question], str]] = [
        ("fantasyland, 14 cards, royalties + repeat", _lands("pineapple", 14, 4000), "0.03 / 0.3"),
        ("fantasyland, 17 cards, royalties + repeat", _lands("pineapple", 17, 4000), "0.06 / 0.3"),
        ("fantasyland, 14 cards, against one board", _lands("pineapple", 14, 2000, against=1), "0.5 / 3"),
        ("fantasyland, 14 cards, against two boards", _lands("pineapple", 14, 2000, against=2), "0.5 / 3"),
        ("fantasyland, 17 cards, against two boards", _lands("pineapple", 17, 1000, against=2), "0.5 / 3"),
        ("fantasyland, 17 cards with two jokers", _lands("pineapple_joker", 17, 300, jokers=2), "– / 20"),
        ("fantasyland, 14 cards, 2-7 middle", _lands("pineapple_27", 14, 2000), ""),
        ("street 4, every placement, every draw", _streets("pineapple", 300), "2 / –"),
    ]
    for name, questions, target in rows:
        times = [_milliseconds(question) for question in questions]
        hundredths = quantiles(times, n=100)
        table.append((name, f"{hundredths[49]:.3f}", f"{hundredths[98]:.3f}", target))
    write("Solvers", COMMAND, table)


def _milliseconds(question: Question) -> float:
    began = process_time()
    question()
    return (process_time() - began) * 1e3


def _lands(preset: str, cards: int, count: int, *, against: int = 0, jokers: int = 0) -> list[Question]:
    random = Random(1)
    rules = compile_rules(resolve(preset))
    plain = _kernel.Goal(rules, 13, 1, [0.0] * 18)
    questions: list[Question] = []
    for _ in range(count):
        drawn = random.sample(deck(), cards - jokers + 13 * against)
        goal = _kernel.Goal(rules, cards, 1, [REPEAT] * 18, unknown=0 if against else 1)
        for board in range(against):
            theirs = drawn[cards + 13 * board :][:13]
            goal.add_opponent(b"".join(_kernel.complete(plain, EMPTY, bytes(theirs))[2]))
        pool = bytes([*drawn[: cards - jokers], *range(52, 52 + jokers)])
        questions.append(partial(_kernel.complete, goal, EMPTY, pool))
    return questions


def _streets(preset: str, count: int) -> list[Question]:
    """Return positions of the fourth street, heads-up: 14 cards seen of the own, 11 of the opponent's."""
    random = Random(1)
    rules = compile_rules(resolve(preset))
    goal = _kernel.Goal(rules, 0, 0, [REPEAT] * 18)
    questions: list[Question] = []
    for _ in range(count):
        drawn = random.sample(deck(), 52)
        rows = (bytes(drawn[:2]), bytes(drawn[2:6]), bytes(drawn[6:9]))
        cards, unseen = bytes(drawn[9:12]), bytes(drawn[25:])
        street = partial(_kernel.exact_placements, goal, rows, cards, 2, unseen, FOUL, 3)
        questions.append(partial(street, one_by_one=False))
    return questions


if __name__ == "__main__":
    main()
