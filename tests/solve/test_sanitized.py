"""The kernel under AddressSanitizer and UBSan: random questions to every part, and a short run of the fuzzer.

Issue 4, shown by 6. `python -m scripts.fuzz` runs the fuzzer for ten minutes.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from scripts.fuzz import compiler, fuzz
from tests.solve.native_programs import SOURCES, build
from triptych import _kernel
from triptych.cards import parse_cards
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import resolve


@pytest.mark.slow
@pytest.mark.timeout(3600)  # on an idle machine it compiles for half a minute and runs for one
def test_every_part_of_the_kernel_is_clean_under_sanitizers() -> None:
    """Scorer, solvers, closed games, batch environment, learner: native/tests/fuzz_cases."""
    options = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", f"-I{SOURCES}"]
    program = build("kernel_random", *options)
    run = subprocess.run([program, "2000"], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "kernel_random: ok\n", "")


@pytest.mark.slow
@pytest.mark.skipif(
    compiler() is None and "CI" not in os.environ, reason="the fuzzer needs clang-14 and libclang-rt-14-dev"
)
def test_the_fuzzer_finds_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A short run from nothing; .ci/run installs clang."""
    assert fuzz(30, tmp_path) == 0, capfd.readouterr().err[-4000:]
    assert len(list((tmp_path / "corpus").iterdir())) > 100


def test_a_hand_pool_in_which_nobody_does_what_is_known_of_a_seat() -> None:
    """Found by the fuzzer: a pool whose hands all surrender, asked about a seat that plays, divided by zero."""
    rules = compile_rules(resolve("closed_1_6"))
    board = bytes(parse_cards("2c3d5h7s7h4c4h3s6s6h8s8d8h"))
    pool = _kernel.HandPool(rules, b"\x01\x07\x00\x00\x00" + board)
    own = bytes(parse_cards("AhKhQhJhTh9s9d9c5s5d2s2d2h"))
    surrender, _, (count, legal, _) = pool.choose(own, b"", [2], 1)
    assert (surrender, count) == (0, 72072)
    assert 0 < legal < count
