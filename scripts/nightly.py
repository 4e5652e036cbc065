"""Run the long proofs that are not in the gate: `python -m scripts.nightly [NAME …]`, all of them by default.

Seeds rotate by date (`--seed` repeats a night's). What each proof prints goes to a file of its own; the report
build/nightly/report.md lists each proof with its result, time and command, and the end of what a failed one printed.
Exits with 1 when one fails. `--list` prints the names. `--resume` goes on with a night that was cut short: what
passed on this commit with this seed is not run again, and stands in the report.

`--sample MINUTES` runs short slices of them instead, chosen by date, for so long: slow tests for half of the time,
then other proofs. A slice that has not ended when its time is over is stopped, and has found nothing. A slow test
that fails is run once more alone, as `.ci/run` does with the others (scripts/rerun_failed.py).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from scripts import rerun_failed

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "build" / "nightly"
# So many lines of a failed proof stand in the report; all of them are in the proof's own file.
TAIL_LINES: Final = 40


class Proof(NamedTuple):
    """A long proof: its name, and its arguments after `python -m`, in which SEED stands for the night's."""

    name: str
    arguments: tuple[str, ...]


class Outcome(NamedTuple):
    """How a proof ended: its command, exit status, time in seconds and the last lines that it printed.

    `stopped`: it had not ended when its time was over; its status is 0 then.
    """

    proof: Proof
    command: str
    status: int
    seconds: float
    tail: str
    stopped: bool = False


SEED: Final = "SEED"
RULES: Final = tuple(
    str(file.relative_to(ROOT))
    for package in ("deal", "table", "scoring")
    for file in sorted((ROOT / "src" / "triptych" / package).rglob("*.py"))
)
# Test by test: browsers and servers wait half of the time.
_SLOW: Final = ("pytest", "-m", "slow", "-n", "3", "--dist", "load")
# The folders of tests that take longest are proofs of their own.
_SLOW_FOLDERS: Final = tuple(
    f"tests/{folder}" for folder in ("bots", "browser", "conformance", "server", "simulation", "solve", "web_kernel")
)
PROOFS: Final = (
    *(Proof(f"slow-{folder.removeprefix('tests/').replace('_', '-')}", (*_SLOW, folder)) for folder in _SLOW_FOLDERS),
    Proof("slow-others", (*_SLOW, *(f"--ignore={folder}" for folder in _SLOW_FOLDERS))),
    Proof("cross-builds", ("scripts.cross",)),
    Proof("web-kernel", ("scripts.web_kernel",)),
    Proof("wheels", ("scripts.wheels",)),
    Proof("operator-walk", ("scripts.operator_walk",)),
    Proof("fuzz", ("scripts.fuzz", "600")),
    Proof("fuzz-bindings", ("scripts.fuzz_bindings", "600", SEED)),
    Proof("simulation", ("tests.simulation", "--deals", "20000", "--seed", SEED)),
    Proof("faults", ("tests.faults", "--kills", "100", "--points", "10", "--stops", "20", "--seed", SEED)),
    Proof(
        "shared-faults",
        ("tests.faults", "--owners", "10", "--drains", "10", "--postgres", "10", "--nats", "5", "--seed", SEED),
    ),
    Proof("leaks", ("tests.leaks", "--pairs", "5000", "--seed", SEED)),
    # 150 faults of all files with near tests. 82 % were found before the suite became light (2026-11-28).
    Proof("mutants", ("scripts.mutants", "--sample", "150", "--goal", "0.75", "--seed", SEED)),
    # Every test of hypothesis with all of its examples (tests/examples.py).
    Proof("properties", ("pytest", "-m", "hypothesis", "--hypothesis-profile=nightly", "--hypothesis-seed", SEED)),
)

# One test after the other in an order by date, until one fails or the time is over.
ALONE: Final = ("-n", "0", "-x", "-p", "no:cacheprovider", "--shuffle", SEED)
SLOW_TESTS: Final = Proof("slow-tests", ("pytest", "-m", "slow", *ALONE))
SLICES: Final = (
    Proof("simulation", ("tests.simulation", "--deals", "20000", "--seconds", "15", "--seed", SEED)),
    Proof("faults", ("tests.faults", "--kills", "2", "--points", "1", "--seed", SEED)),
    Proof("leaks", ("tests.leaks", "--pairs", "5000", "--seconds", "15", "--seed", SEED)),
    # Of a few faults one may be known to survive: only that the tests find none at all is a finding.
    Proof("mutants", ("scripts.mutants", "--sample", "5", "--goal", "0.4", "--seed", SEED)),
    Proof("properties", ("pytest", "-m", "hypothesis", "--hypothesis-profile=nightly", *ALONE)),
)
SLICE_SECONDS: Final = 30
# What a proof has to end in when it is asked to.
GRACE_SECONDS: Final = 10


def command(proof: Proof, seed: int) -> tuple[str, ...]:
    """Return the command of a proof with a night's seed."""
    return (sys.executable, "-m", *(str(seed) if part == SEED else part for part in proof.arguments))


def run(proof: Proof, seed: int, folder: Path, seconds: float | None = None) -> Outcome:
    """Run a proof to its end, or for so long; what it prints goes into a file of the folder. Return how it ended."""
    arguments = command(proof, seed)
    output = folder / f"{proof.name}.txt"
    began = time.monotonic()
    stopped = False
    with output.open("w") as file:
        process = subprocess.Popen(
            arguments, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, start_new_session=seconds is not None
        )
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            stopped, status = True, 0
            _stop(process)
    tail = "\n".join(output.read_text(errors="replace").splitlines()[-TAIL_LINES:])
    command_text = shlex.join(("python", *arguments[1:]))
    return Outcome(proof, command_text, status, time.monotonic() - began, tail, stopped)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a proof that leads a session of its own, and whatever it started."""
    process.send_signal(signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GRACE_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def sample(seed: int, minutes: float, folder: Path) -> list[Outcome]:
    """Run slices of proofs in an order by the seed until the time is over; return how each ended."""
    # Where a shell's background ignores it, the proofs would too, and leave behind what they started.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ends = time.monotonic() + 60 * minutes
    outcomes = [_confirmed(_slice(SLOW_TESTS, seed, folder, 30 * minutes), folder)]
    random = Random(seed)  # noqa: S311 - which proofs, not a secret
    for proof in random.sample(SLICES, len(SLICES)):
        left = ends - time.monotonic()
        if left < SLICE_SECONDS / 2:
            break
        files = (random.choice(RULES),) if proof.name == "mutants" else ()
        chosen = Proof(proof.name, (*proof.arguments, *files))
        outcomes.append(_slice(chosen, seed, folder, min(left, SLICE_SECONDS)))
    return outcomes


def _slice(proof: Proof, seed: int, folder: Path, seconds: float) -> Outcome:
    print(f"── {proof.name}, at most {seconds:.0f} s ──", flush=True)
    outcome = run(proof, seed, folder, seconds)
    result = "FAILED" if outcome.status else "stopped, nothing found" if outcome.stopped else "passed"
    print(f"   {result}, {outcome.seconds:.0f} s", flush=True)
    return outcome


def failed_tests(output: str) -> list[str]:
    """Return the tests that failed by what pytest printed."""
    return re.findall(r"^(?:FAILED|ERROR) (\S+?::\w+(?:\[.*\])?)(?: - |$)", output, re.MULTILINE)


def _confirmed(outcome: Outcome, folder: Path) -> Outcome:
    """Return the outcome of slow tests, of which one that failed is run again and may prove to be flaky.

    Reads all that pytest printed: what a browser test says of a page is often longer than the report's tail.
    """
    tests = failed_tests((folder / f"{outcome.proof.name}.txt").read_text(errors="replace"))
    if outcome.status != 1 or not tests:
        return outcome
    status = rerun_failed.rerun(tests, rerun_failed.passes_alone)
    return outcome._replace(status=status, tail="\n".join(("Failed:", *tests, "", outcome.tail)))


def report(outcomes: Sequence[Outcome], commit: str, seed: int) -> str:
    """Return a night's report in Markdown."""
    failed = [outcome for outcome in outcomes if outcome.status]
    lines = [
        f"# Long proofs of {commit}, seed {seed}",
        "",
        f"{len(outcomes) - len(failed)} passed, {len(failed)} failed.",
        "",
        "| proof | result | minutes | command |",
        "|---|---|---:|---|",
    ]
    for outcome in outcomes:
        result = f"**failed ({outcome.status})**" if outcome.status else "stopped" if outcome.stopped else "passed"
        lines.append(f"| {outcome.proof.name} | {result} | {outcome.seconds / 60:.1f} | `{outcome.command}` |")
    for outcome in failed:
        lines += ["", f"## {outcome.proof.name}", "", "```", outcome.tail, "```"]
    return "\n".join(lines) + "\n"


def recorded(folder: Path, commit: str, seed: int) -> list[Outcome]:
    """Return what passed in the folder's last night, when it was of this commit with this seed."""
    file = folder / "night.json"
    night = json.loads(file.read_text()) if file.exists() else {}
    if (night.get("commit"), night.get("seed")) != (commit, seed):
        return []
    outcomes = [Outcome(Proof(*proof), *values) for proof, *values in night["outcomes"]]
    return [outcome for outcome in outcomes if outcome.status == 0]


def record(folder: Path, commit: str, seed: int, outcomes: Sequence[Outcome]) -> None:
    """Write a night's report, and what `recorded` reads."""
    (folder / "night.json").write_text(json.dumps({"commit": commit, "seed": seed, "outcomes": outcomes}))
    (folder / "report.md").write_text(report(outcomes, commit, seed))


def main(arguments: Iterable[str]) -> int:
    """Run the named proofs, or all of them, one after the other; 0 when every one passed."""
    names = [proof.name for proof in PROOFS]
    today = int(datetime.now(UTC).strftime("%Y%m%d"))
    parser = argparse.ArgumentParser(prog="python -m scripts.nightly", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument("--seed", type=int, default=today, help="the date's, as YYYYMMDD, by default")
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--resume", action="store_true", help="run only what has not passed yet")
    how.add_argument("--sample", type=float, metavar="MINUTES", help="run slices of proofs for so long")
    options = parser.parse_args(list(arguments))
    if unknown := [name for name in options.names if name not in names]:
        parser.error(f"no proof is called {unknown[0]!r}; there are: {', '.join(names)}")
    if options.list:
        print("\n".join(names))
        return 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    commit = subprocess.run(
        ("git", "rev-parse", "--short=8", "HEAD"), cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    if options.sample is not None:
        outcomes = sample(options.seed, options.sample, FOLDER)
        (FOLDER / "report.md").write_text(report(outcomes, commit, options.seed))
    else:
        outcomes = recorded(FOLDER, commit, options.seed) if options.resume else []
        passed = {outcome.proof.name for outcome in outcomes}
        for proof in PROOFS:
            if proof.name in passed or (options.names and proof.name not in options.names):
                continue
            print(f"── {proof.name} ──", flush=True)
            outcomes.append(_confirmed(run(proof, options.seed, FOLDER), FOLDER))
            print(f"   {'FAILED' if outcomes[-1].status else 'passed'}, {outcomes[-1].seconds:.0f} s", flush=True)
            # After each proof: a night that is cut short has a report too.
            record(FOLDER, commit, options.seed, outcomes)
    print((FOLDER / "report.md").read_text())
    return 1 if any(outcome.status for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
