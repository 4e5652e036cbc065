"""Run the long proofs that are not in the gate: `python -m scripts.nightly [NAME …]`, all of them by default.

Seeds rotate by date (`--seed` repeats a night's). What each proof prints goes to a file of its own; the report
build/nightly/report.md lists each proof with its result, time and command, and the end of what a failed one printed.
Exits with 1 when one fails. `--list` prints the names.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "build" / "nightly"
# So many lines of a failed proof stand in the report; all of them are in the proof's own file.
TAIL_LINES: Final = 40


class Proof(NamedTuple):
    """A long proof: its name, its arguments after `python -m`, and what stands before its seed where it takes one."""

    name: str
    arguments: tuple[str, ...]
    before_seed: tuple[str, ...] | None = None


class Outcome(NamedTuple):
    """How a proof ended: its command, exit status, time in seconds and the last lines that it printed."""

    proof: Proof
    command: str
    status: int
    seconds: float
    tail: str


SEED: Final = ("--seed",)
RULES: Final = tuple(
    str(file.relative_to(ROOT))
    for package in ("deal", "room", "score")
    for file in sorted((ROOT / "src" / "triptych" / package).glob("*.py"))
)
PROOFS: Final = (
    # Test by test: browsers and servers wait half of the time.
    Proof("slow-tests", ("pytest", "-m", "slow", "-n", "3", "--dist", "load")),
    Proof("cross-builds", ("scripts.cross",)),
    Proof("web-kernel", ("scripts.web_kernel",)),
    Proof("wheels", ("scripts.wheels",)),
    Proof("fuzz", ("scripts.fuzz", "3600")),
    Proof("fuzz-bindings", ("scripts.fuzz_bindings", "3600"), ()),
    Proof("simulation", ("tests.simulation", "--deals", "20000"), SEED),
    Proof("faults", ("tests.faults", "--kills", "100", "--points", "10", "--stops", "20"), SEED),
    Proof(
        "shared-faults",
        ("tests.faults", "--owners", "10", "--drains", "10", "--postgres", "10", "--nats", "5"),
        SEED,
    ),
    Proof("leaks", ("tests.leaks", "--pairs", "5000"), SEED),
    Proof("mutants", ("scripts.mutants", "--sample", "150", *RULES), SEED),
)


def command(proof: Proof, seed: int) -> tuple[str, ...]:
    """Return the command of a proof with a night's seed."""
    own = () if proof.before_seed is None else (*proof.before_seed, str(seed))
    return (sys.executable, "-m", *proof.arguments, *own)


def run(proof: Proof, seed: int, folder: Path) -> Outcome:
    """Run a proof to its end, what it prints into a file of the folder; return how it ended."""
    arguments = command(proof, seed)
    output = folder / f"{proof.name}.txt"
    began = time.monotonic()
    with output.open("w") as file:
        status = subprocess.run(arguments, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, check=False).returncode
    tail = "\n".join(output.read_text(errors="replace").splitlines()[-TAIL_LINES:])
    return Outcome(proof, shlex.join(("python", *arguments[1:])), status, time.monotonic() - began, tail)


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
        result = f"**failed ({outcome.status})**" if outcome.status else "passed"
        lines.append(f"| {outcome.proof.name} | {result} | {outcome.seconds / 60:.1f} | `{outcome.command}` |")
    for outcome in failed:
        lines += ["", f"## {outcome.proof.name}", "", "```", outcome.tail, "```"]
    return "\n".join(lines) + "\n"


def main(arguments: Iterable[str]) -> int:
    """Run the named proofs, or all of them, one after the other; 0 when every one passed."""
    names = [proof.name for proof in PROOFS]
    today = int(datetime.now(UTC).strftime("%Y%m%d"))
    parser = argparse.ArgumentParser(prog="python -m scripts.nightly", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument("--seed", type=int, default=today, help="the date's, as YYYYMMDD, by default")
    parser.add_argument("--list", action="store_true", help="print the names and stop")
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
    outcomes: list[Outcome] = []
    for proof in PROOFS:
        if options.names and proof.name not in options.names:
            continue
        print(f"── {proof.name} ──", flush=True)
        outcomes.append(run(proof, options.seed, FOLDER))
        print(f"   {'FAILED' if outcomes[-1].status else 'passed'}, {outcomes[-1].seconds:.0f} s", flush=True)
        # After each proof: a night that is cut short has a report too.
        (FOLDER / "report.md").write_text(report(outcomes, commit, options.seed))
    print((FOLDER / "report.md").read_text())
    return 1 if any(outcome.status for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
