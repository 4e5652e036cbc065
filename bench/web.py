"""The kernel in the browser: rollouts and answers a second beside the server's own, and how large the module is.

uv run python -m bench web

Both get the same questions in turn, each in one thread, and give the same answers to the last bit
(tests/web_kernel/test_same_numbers.py); issue 14, part 1. WebAssembly is run by the Node of the build.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from importlib import resources
from random import Random
from time import thread_time

from bench.report import RUNS, Spread, at_least, at_most, write
from tests.web_kernel.host import WebKernel, browser_bundle, cards_of, u32
from tests.web_kernel.positions import open_position
from triptych import _kernel
from triptych.cards import deck
from triptych.rulesets.compile import compile_rules, to_kernel_ints
from triptych.rulesets.load import resolve
from triptych.solve.closed.strategy import nearest_strategy
from triptych.solve.value.weights import packaged

COMMAND = "uv run python -m bench web"
NOTE = "a second of one processor, the median of 5 runs (least – most); the module is squeezed by gzip as it is sent"
SHARE = 0.6
LARGEST = 400
PLACEMENTS = 5  # under rollouts at once
EACH = 1_000  # of each: a run in which the browser's compiler still worked would tell its speed, not the kernel's
POSITIONS = 4  # of each street
OFTEN = 100  # questions that take no time are asked so often, so that asking takes less than answering
EMPTY = (b"", b"", b"")
REPEAT = (12.0,) * 18

# A question to both: how many answers it is, native and in the browser.
Question = tuple[int, Callable[[], object], Callable[[WebKernel], object]]


def main() -> None:
    """Measure everything in one run and write the section."""
    rows = [("what", "native", "", "WebAssembly", "", "share", "target", "")]
    with WebKernel() as web:
        for name, questions, target in (
            ("rollouts, pineapple, street 1", _rollouts(web, "pineapple", 0), SHARE),
            ("rollouts, pineapple, street 2", _rollouts(web, "pineapple", 1), SHARE),
            ("rollouts, pineapple, street 4: draws counted", _rollouts(web, "pineapple", 3), SHARE),
            ("the same, points alone", _rollouts(web, "pineapple", 3, bare=True), SHARE),
            ("rollouts, pineapple, three players, street 2", _rollouts(web, "pineapple", 1, players=3), SHARE),
            ("rollouts, ofc_american, street 3", _rollouts(web, "ofc_american", 2), SHARE),
            ("rollouts, pineapple_joker, street 2", _rollouts(web, "pineapple_joker", 1), SHARE),
            ("fantasylands of 14 cards", _fantasylands(web, 14, 60), 0),
            ("fantasylands of 17 cards", _fantasylands(web, 17, 60), 0),
            ("closed_1_6, best settings against the strategy", _closed(web, 40), 0),
        ):
            native, browser = _timed(web, questions)
            share = browser.median / native.median
            shares = Spread(browser.least / native.most, share, browser.most / native.least)
            verdict = (f"≥ {target:.0%}", at_least(shares, target)) if target else ("", "")
            rows.append((name, *_cells(native), *_cells(browser), f"{share:.0%}", *verdict))
    size = len((resources.files("triptych") / "static" / "kernel.wasm.gz").read_bytes()) / 1000
    verdict = (f"≤ {LARGEST} kB", at_most(Spread.of([size]), LARGEST))
    rows.append(("the module", "", "", f"{size:.0f} kB", "", "", *verdict))
    write("In the browser", COMMAND, rows, NOTE)


def _cells(rate: Spread) -> tuple[str, str]:
    least, middle, most = rate.text(",.0f")
    return middle, f"{least} – {most}"


def _timed(web: WebKernel, questions: list[Question]) -> tuple[Spread, Spread]:
    """Return answers a second of both, measured in turn after a run that warms up."""
    answers = sum(count for count, _, _ in questions)
    native: list[float] = []
    browser: list[float] = []
    for run in range(RUNS + 1):
        begun = thread_time()
        for _, ask, _ in questions:
            ask()
        took = thread_time() - begun
        begun_there = web.seconds()
        for _, _, ask_there in questions:
            ask_there(web)
        took_there = web.seconds() - begun_there
        if run:
            native.append(took)
            browser.append(took_there)
    return Spread.of(native).rate(answers), Spread.of(browser).rate(answers)


def _rollouts(web: WebKernel, preset: str, street: int, players: int = 2, *, bare: bool = False) -> list[Question]:
    """Return questions for rollouts; `bare`: as placements are told apart, without what their points come from."""
    rules, chance = resolve(preset), Random(1)
    package, bytes_of_player = packaged(rules), browser_bundle(rules)
    if package is None or bytes_of_player is None:
        message = f"nothing has been learned for {preset}"
        raise LookupError(message)
    head, learner = package
    player = web.keep("keep_player", bytes_of_player)
    questions: list[Question] = []
    while len(questions) < POSITIONS:
        position = open_position(chance, rules, players)
        if position.street != street or any(hand[4] for hand in position.hands):
            continue
        search = position.analysis(learner, head.fantasyland_values)
        number = web.keep("analysis_begin", u32(player), position.question())
        width = min(PLACEMENTS, len(search.table()))
        request = u32(number, width, *range(width), EACH) + struct.pack("<2Q", 7, 0)

        def ask(search: _kernel.Analysis = search, width: int = width) -> None:
            if bare:
                search.sample_points(list(range(width)), EACH, 7, 0)
            else:
                search.measure(width, EACH, 7, 0)

        def ask_there(web: WebKernel, request: bytes = request) -> None:
            web.ask("analysis_sample" if bare else "analysis_measure", request)

        questions.append((width * EACH, ask, ask_there))
    return questions


def _kept_rules(web: WebKernel, preset: str) -> int:
    numbers = to_kernel_ints(resolve(preset))
    return web.keep("keep_rules", struct.pack(f"<{len(numbers)}i", *numbers))


def _fantasylands(web: WebKernel, size: int, count: int) -> list[Question]:
    chance, rules = Random(1), _kept_rules(web, "pineapple")
    goal = _kernel.Objective(compile_rules(resolve("pineapple")), size, 1, REPEAT)
    questions: list[Question] = []
    for _ in range(count):
        cards = bytes(chance.sample(deck(), size))
        request = u32(rules, size, 1) + struct.pack("<18d", *REPEAT) + bytes(3) + cards_of(cards) + u32(0)

        def ask_there(web: WebKernel, request: bytes = request) -> None:
            web.ask("complete", request, times=OFTEN)

        def ask(cards: bytes = cards) -> None:
            for _ in range(OFTEN):
                _kernel.complete(goal, EMPTY, cards)

        questions.append((OFTEN, ask, ask_there))
    return questions


def _closed(web: WebKernel, count: int) -> list[Question]:
    rules, chance = resolve("closed_1_6"), Random(1)
    strategy = nearest_strategy(rules, 1)
    number = web.keep("keep_field", u32(_kept_rules(web, "closed_1_6"), strategy.size), strategy.hands)
    questions: list[Question] = []
    for _ in range(count):
        cards = bytes(chance.sample(deck(), 13))
        request = u32(number) + cards + bytes(1) + u32(1, 0, 0)

        def ask_there(web: WebKernel, request: bytes = request) -> None:
            web.ask("closed_choose", request, times=OFTEN // 10)

        def ask(cards: bytes = cards) -> None:
            for _ in range(OFTEN // 10):
                strategy.kernel.choose(cards, b"", [0], 0)

        questions.append((OFTEN // 10, ask, ask_there))
    return questions


if __name__ == "__main__":
    main()
