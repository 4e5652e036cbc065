"""Five-card rows: this kernel beside pkrbot, eval7 and phevaluator. MEASURES 1.

uv run --with pkrbot --with eval7 --with phevaluator python -m bench.kernel
"""

from __future__ import annotations

import subprocess
import tempfile
from importlib import import_module
from pathlib import Path

import numpy as np

from bench.report import seconds, write
from triptych import _kernel
from triptych.cards import Card, card_text

ROWS = 20_000
BATCH = 2_000_000
ROOT = Path(__file__).parents[1]
COMMAND = "uv run --with pkrbot --with eval7 --with phevaluator python -m bench.kernel"


def main() -> None:
    """Measure everything in one run and write the section."""
    chance = np.random.default_rng(1)
    batch = np.ascontiguousarray(chance.random((BATCH, 52)).argpartition(5, axis=1)[:, :5].astype(np.uint8))
    rows = [tuple(row) for row in batch[:ROWS].tolist()]
    ours = {
        "triptych, batch": BATCH / seconds(lambda: _kernel.rank5_batch(batch)),
        "triptych, one call": ROWS / seconds(lambda: [_kernel.rank5(*row) for row in rows]),
    }
    peers = {f"{name}, one call": ROWS / _peer(name, rows) for name in ("pkrbot", "eval7")}
    peers["phevaluator, one call"] = ROWS / _phevaluator(rows)
    base = peers["pkrbot, one call"]
    table = [("five-card rows", "M a second", "x pkrbot")]
    table += [(name, f"{rate / 1e6:.2f}", f"{rate / base:.1f}") for name, rate in (ours | peers).items()]
    rate = _enumeration()
    table.append(("triptych, enumeration in C++", f"{rate:.0f}", ""))
    write("Five-card rows", COMMAND, table)


def _peer(name: str, rows: list[tuple[int, ...]]) -> float:
    module = import_module(name)
    hands = [[module.Card(card_text(Card(card))) for card in row] for row in rows]
    return seconds(lambda: [module.evaluate(hand) for hand in hands])


def _phevaluator(rows: list[tuple[int, ...]]) -> float:
    evaluate = import_module("phevaluator").evaluate_cards
    return seconds(lambda: [evaluate(*row) for row in rows])


def _enumeration() -> float:
    """Return M rows a second of the C++ bench, compiled as the kernel is."""
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/rank_bench"
        source = str(ROOT / "native/bench/rank_bench.cpp")
        include = str(ROOT / "native/include")
        build = ["g++", "-std=c++20", "-O3", "-I", include, source, "-o", program]
        subprocess.run(build, check=True)  # noqa: S603 - our own source
        found = subprocess.run([program], capture_output=True, check=True, text=True)  # noqa: S603 - as above
    return float(found.stdout.split()[0])


if __name__ == "__main__":
    main()
