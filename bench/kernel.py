"""Five-card rows: this kernel beside pkrbot, eval7, phevaluator, treys and pokerkit.

uv run --group bench python -m bench kernel
"""

from __future__ import annotations

import subprocess
import tempfile
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.report import Spread, at_least, seconds, write
from triptych import _kernel
from triptych.cards import Card, card_text

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = 20_000
BATCH = 2_000_000
ROOT = Path(__file__).parents[1]
COMMAND = "uv run --group bench python -m bench kernel"

Row = tuple[int, ...]


def main() -> None:
    """Measure everything in one run and write the section."""
    chance = np.random.default_rng(1)
    batch = np.ascontiguousarray(chance.random((BATCH, 52)).argpartition(5, axis=1)[:, :5].astype(np.uint8))
    rows = [tuple(row) for row in batch[:ROWS].tolist()]
    rates = {
        "triptych, batch": seconds(lambda: _kernel.rank5_batch(batch)).rate(BATCH),
        "triptych, one call": seconds(lambda: [_kernel.rank5(*row) for row in rows]).rate(ROWS),
    }
    for name, peer in PEERS.items():
        rates[f"{name}, one call"] = seconds(peer(rows)).rate(ROWS)
    base = rates["pkrbot, one call"].median
    targets = {"triptych, batch": 40.0, "triptych, one call": 1.0}
    table = [("five-card rows", "M a second, min", "median", "max", "x pkrbot", "target", "")]
    for name, rate in rates.items():
        ratio, target = rate.median / base, targets.get(name)
        verdict = (
            (f"≥ {target:.0f} x", at_least(Spread(*(value / base for value in rate)), target)) if target else ("", "")
        )
        table.append((name, *Spread(*(value / 1e6 for value in rate)).text(".2f"), f"{ratio:.2f}", *verdict))
    rate = _enumeration()
    verdict = ("≥ 500 M", at_least(rate, 500))
    table.append(("triptych, enumeration in C++", *rate.text(".0f"), f"{rate.median * 1e6 / base:.0f}", *verdict))
    write("Five-card rows", COMMAND, table)


def _eval7_like(name: str) -> Callable[[list[Row]], Callable[[], object]]:
    def peer(rows: list[Row]) -> Callable[[], object]:
        module = import_module(name)
        hands = [[module.Card(card_text(Card(card))) for card in row] for row in rows]
        return lambda: [module.evaluate(hand) for hand in hands]

    return peer


def _phevaluator(rows: list[Row]) -> Callable[[], object]:
    evaluate = import_module("phevaluator").evaluate_cards
    return lambda: [evaluate(*row) for row in rows]


def _treys(rows: list[Row]) -> Callable[[], object]:
    treys = import_module("treys")
    evaluate = treys.Evaluator().evaluate
    hands = [[treys.Card.new(card_text(Card(card))) for card in row] for row in rows]
    return lambda: [evaluate(hand[:2], hand[2:]) for hand in hands]


def _pokerkit(rows: list[Row]) -> Callable[[], object]:
    pokerkit = import_module("pokerkit")
    hands = [tuple(pokerkit.Card.parse("".join(card_text(Card(card)) for card in row))) for row in rows]
    return lambda: [pokerkit.StandardHighHand(hand).entry for hand in hands]


PEERS = {
    "pkrbot": _eval7_like("pkrbot"),
    "eval7": _eval7_like("eval7"),
    "phevaluator": _phevaluator,
    "treys": _treys,
    "pokerkit": _pokerkit,
}


def _enumeration() -> Spread:
    """Return M rows a second of the C++ bench, compiled as the kernel is."""
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/rank_bench"
        source = str(ROOT / "native/bench/rank_bench.cpp")
        tables = str(ROOT / "native/src/rank_tables.cpp")
        include = str(ROOT / "native/include")
        build = ["g++", "-std=c++20", "-O3", "-I", include, source, tables, "-o", program]
        subprocess.run(build, check=True)  # noqa: S603 - our own source
        completed = subprocess.run([program], capture_output=True, check=True, text=True)  # noqa: S603 - as above
    return Spread.of([float(rate) for rate in completed.stdout.split()])


if __name__ == "__main__":
    main()
