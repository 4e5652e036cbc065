"""The solvers: milliseconds an answer, one call at a time from Python.

uv run python -m bench solve

Every question is asked once in each run, after a run that warms up; p50 and p99 are those of a run's questions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from statistics import quantiles
from time import thread_time

from bench.report import RUNS, Spread, at_most, write
from triptych import _kernel
from triptych.bots.closed import ClosedBot
from triptych.cards import deck
from triptych.deal.engine import start
from triptych.deal.evolve import evolve
from triptych.deal.project import view
from triptych.deal.state import DealState, HandStart
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import resolve
from triptych.solve.exact.fantasyland import fantasyland
from triptych.solve.value.sampled import sample_opponent_boards

COMMAND = "uv run python -m bench solve"
NOTE = "p50 and p99 in milliseconds, each the median of 5 runs (least – most)"
EMPTY = (b"", b"", b"")
REPEAT = 12.0
FOUL = -6.0
SAMPLES = 1000
HEAD = ("question", "asked", "p50", "p99", "target", "")

Question = Callable[[], object]
Target = tuple[float, float] | None  # p50 and p99, 0 = none


def main() -> None:
    """Measure every solver and write the section."""
    rows: list[tuple[str, list[Question], Target]] = [
        ("fantasyland, 14 cards, royalties + repeat", _fantasylands("pineapple", 14, 4000), (0.03, 0.3)),
        ("fantasyland, 17 cards, royalties + repeat", _fantasylands("pineapple", 17, 4000), (0.06, 0.3)),
        ("fantasyland, 14 cards, against one board", _fantasylands("pineapple", 14, 2000, against=1), (0.5, 3)),
        ("fantasyland, 14 cards, against two boards", _fantasylands("pineapple", 14, 2000, against=2), (0.5, 3)),
        ("fantasyland, 17 cards, against two boards", _fantasylands("pineapple", 17, 1000, against=2), (0.5, 3)),
        ("fantasyland, 17 cards with two jokers", _fantasylands("pineapple_joker", 17, 1000, jokers=2), (0, 20)),
        ("fantasyland, 17 cards with two jokers, one board", _jokers_against(1000), (0, 20)),
        ("fantasyland, 14 cards, 2-7 middle", _fantasylands("pineapple_27", 14, 2000), None),
        (f"fantasyland, 17 cards, against {SAMPLES:,} deals of unknown boards", _unknown(200), None),
        ("closed_1_6, best setting against one board", _closed("closed_1_6", 1, 1000), (0.3, 0)),
        (f"closed_1_6, best setting against {SAMPLES:,} boards", _closed("closed_1_6", SAMPLES, 200), (50, 0)),
        (f"taiwanese, best setting against {SAMPLES:,} times three", _closed("taiwanese", SAMPLES, 100, 3), (50, 0)),
        ("closed_1_6, all 72,072 settings ranked, one board", _ranked("closed_1_6", 1, 20), None),
        (f"closed_1_6, all 72,072 settings ranked, {SAMPLES:,} boards", _ranked("closed_1_6", SAMPLES, 10), None),
        ("closed bot, one decision, two players", _bot("closed_1_6", 2, 200), (0, 50)),
        ("closed bot, one decision, four players of taiwanese", _bot("taiwanese", 4, 100), (0, 50)),
        ("street 4, every placement, every draw", _streets("pineapple", 300), (2, 0)),
    ]
    write("Solvers", COMMAND, [HEAD, *(_row(*row) for row in rows)], NOTE)


def _row(name: str, questions: list[Question], target: Target) -> tuple[str, ...]:
    runs = [[_milliseconds(question) for question in questions] for _ in range(RUNS + 1)][1:]
    hundredths = [quantiles(times, n=100, method="inclusive") for times in runs]
    middle, late = (Spread.of([percentiles[at] for percentiles in hundredths]) for at in (49, 98))
    limits, verdicts = [], []
    for limit, spread in zip(target or (), (middle, late), strict=False):
        limits.append(f"{limit:g}" if limit else "–")
        verdicts += [at_most(spread, limit)] if limit else []
    verdict = next((verdict for verdict in verdicts if verdict != "met"), "met" if verdicts else "")
    cells = (f"{spread.median:.3f} ({spread.least:.3f} – {spread.most:.3f})" for spread in (middle, late))
    return (name, f"{len(questions):,}", *cells, " / ".join(limits), verdict)


def _milliseconds(question: Question) -> float:
    began = thread_time()
    question()
    return (thread_time() - began) * 1e3


def _fantasylands(preset: str, cards: int, count: int, *, against: int = 0, jokers: int = 0) -> list[Question]:
    random = Random(1)
    rules = compile_rules(resolve(preset))
    plain = _kernel.Objective(rules, 13, 1, [0.0] * 18)
    questions: list[Question] = []
    for _ in range(count):
        drawn = random.sample(deck(), cards - jokers + 13 * against)
        goal = _kernel.Objective(rules, cards, 1, [REPEAT] * 18, unknown=0 if against else 1)
        for board in range(against):
            theirs = drawn[cards - jokers + 13 * board :][:13]
            goal.add_opponent(b"".join(_kernel.complete(plain, EMPTY, bytes(theirs)).rows))
        pool = bytes([*drawn[: cards - jokers], *range(52, 52 + jokers)])
        questions.append(partial(_kernel.complete, goal, EMPTY, pool))
    return questions


def _jokers_against(count: int) -> list[Question]:
    return _fantasylands("pineapple_joker", 17, count, against=1, jokers=2)


def _unknown(count: int) -> list[Question]:
    random = Random(1)
    rules = resolve("pineapple")
    questions: list[Question] = []
    for seed in range(count):
        cards = random.sample(deck(), 17)
        samples = sample_opponent_boards(rules, cards, count=SAMPLES, seed=seed)
        questions.append(partial(fantasyland, cards, rules, samples=samples, repeat_value=REPEAT))
    return questions


def _tables(preset: str, samples: int, count: int, seats: int) -> list[tuple[_kernel.OpponentSamples, bytes]]:
    """Return hands with boards that others may hold beside them, set for most royalties."""
    random = Random(1)
    rules = compile_rules(resolve(preset))
    plain = _kernel.Objective(rules, 13, 1, [0.0] * 18)
    tables = []
    for _ in range(count):
        cards = random.sample(deck(), 13)
        rest = [card for card in deck() if card not in cards]
        hands = []
        for _ in range(samples):
            theirs = random.sample(rest, 13 * seats)
            for seat in range(seats):
                board = b"".join(_kernel.complete(plain, EMPTY, bytes(theirs[13 * seat :][:13])).rows)
                hands.append(bytes((0, 7, 0, 0, seat + 1)) + board)
        tables.append((_kernel.OpponentSamples(rules, b"".join(hands), [1.0] * seats), bytes(cards)))
    return tables


def _closed(preset: str, samples: int, count: int, seats: int = 1) -> list[Question]:
    return [partial(table.best, cards) for table, cards in _tables(preset, samples, count, seats)]


def _ranked(preset: str, samples: int, count: int) -> list[Question]:
    return [partial(table.rank, cards, 1) for table, cards in _tables(preset, samples, count, 1)]


def _bot(preset: str, players: int, count: int) -> list[Question]:
    """Return first decisions of deals: setting, with naturals and surrender weighed."""
    bot, rules, random = ClosedBot(), resolve(preset), Random(1)
    questions: list[Question] = []
    for _ in range(count):
        cards = tuple(random.sample(deck(), 52))
        state: DealState | None = None
        for event in start(rules, 1, tuple(HandStart(seat, 0, 0) for seat in range(players)), cards).events:
            state = evolve(state, event)
        assert state is not None  # noqa: S101 - for the type checker
        deal_view = view(state, 0)
        questions.append(partial(bot.choose, rules, deal_view, deal_view.tasks[0]))
    return questions


def _streets(preset: str, count: int) -> list[Question]:
    """Return positions of the fourth street, heads-up: 14 cards seen of the own, 11 of the opponent's."""
    random = Random(1)
    rules = compile_rules(resolve(preset))
    goal = _kernel.Objective(rules, 0, 0, [REPEAT] * 18)
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
