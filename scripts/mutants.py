"""Plant small faults and see whether the tests nearest to them find them: `python -m scripts.mutants [FILE…]`.

    python -m scripts.mutants --sample 150 --seed 1 src/triptych/table/*.py

Each fault of a sample (all of them without `--sample`) in these files, or in all that tests/mutants.toml names, is
planted in a process of its own, forked from one that has everything imported: the function's code is exchanged in
place, then the tests that run through its line are run, quickest first, until one fails. Which tests are near a file,
and survivors that are no fault, each with its reason, stand in tests/mutants.toml. Prints every other survivor and
the score; exits with 1 when the score is below 90 %.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import signal
import sys
import time
import tomllib
from collections import defaultdict
from math import sqrt
from pathlib import Path
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
from hypothesis import settings

from scripts.mutations import Mutant, mutants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ROOT: Final = Path(__file__).parents[1]
NOTES: Final = ROOT / "tests" / "mutants.toml"
GOAL: Final = 0.9
# A test that takes longer, in seconds of the processor and traced, is not near: faults should be found without it.
QUICK: Final = 0.4
# A fault may make a loop endless: seconds of the processor above what the tests take. Or it waits for what never is:
# seconds in which it uses no processor.
CPU_LIMIT, IDLE_LIMIT = 3, 15
_FOUND, _SURVIVED = 1, 0
Lines = defaultdict[tuple[str, int], list[tuple[float, int]]]


class Verdict(NamedTuple):
    """What became of a fault; `reason`: why nobody can find it, empty when somebody should."""

    mutant: Mutant
    killed: bool
    reason: str


class Notes(NamedTuple):
    """tests/mutants.toml: the tests near each file or folder, and the reasons of survivors by file and change."""

    near: dict[str, list[str]]
    survivors: dict[tuple[str, str], str]

    def files(self) -> list[Path]:
        """Return every file of Python to which near tests are named."""
        every = {file for path in self.near for file in [ROOT / path, *(ROOT / path).rglob("*.py")]}
        return sorted(file for file in every if file.suffix == ".py")

    def tests(self, file: Path) -> list[str]:
        """Return the tests near a file: those of the longest path that it begins with."""
        name = file.relative_to(ROOT).as_posix()
        return self.near[max((path for path in self.near if name.startswith(path)), key=len)]


def notes() -> Notes:
    """Return what is written down about faults."""
    read = tomllib.loads(NOTES.read_text())
    survivors = {(file, change): why for file, each in read["survivors"].items() for change, why in each.items()}
    return Notes(read["near"], survivors)


class MutantPlugin:
    """The course of the tests, as a plugin of pytest: once as they are, then again for each fault."""

    def __init__(self, chosen: Sequence[Mutant], written: Notes) -> None:
        self.verdicts: list[Verdict] = []
        self._chosen = chosen
        self._notes = written
        self._failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that a test has failed."""
        self._failed = self._failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests in processes of their own; they are not run here, so that nothing is kept from them."""
        files = {str(mutant.file): mutant.file for mutant in self._chosen}
        lines = self._lines(session.items, files)
        live = _live(files)
        for mutant in self._chosen:
            run = lines[str(mutant.file), mutant.line]
            near = [at for _, at in run]
            limit = CPU_LIMIT + int(sum(seconds for seconds, _ in run))
            began = time.monotonic()
            code = compile(mutant.source(), str(mutant.file), "exec")
            killed = _forked(lambda code=code, near=near: self._finds(session, code, near, live), limit)  # type: ignore[misc]
            name = mutant.file.relative_to(ROOT).as_posix()
            reason = "" if killed else self._notes.survivors.get((name, mutant.change()), "")
            self.verdicts.append(Verdict(mutant, killed, reason))
            if not killed and not reason:
                seconds = time.monotonic() - began
                print(f"{name}:{mutant.line}: {mutant.change()}  [{len(near)} tests, {seconds:.1f} s]", flush=True)
        return True

    def _lines(self, items: Sequence[pytest.Item], files: dict[str, Path]) -> Lines:
        """Return which tests run through each line, the quickest first."""
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.close(reading)
            _silence()
            with os.fdopen(writing, "w") as pipe:
                signal.signal(signal.SIGPROF, _too_slow)
                for at, item in enumerate(items):
                    traced: set[tuple[str, int]] = set()
                    began = time.process_time()
                    signal.setitimer(signal.ITIMER_PROF, QUICK)
                    sys.settrace(_tracer(files, traced))
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=(*items, None)[at + 1])
                    sys.settrace(None)
                    signal.setitimer(signal.ITIMER_PROF, 0)
                    taken = time.process_time() - began
                    pipe.write(f"{at}\t{taken}\t{self._failed}\t{sorted(traced)!r}\n")
                    self._failed = False
            os._exit(0)
        os.close(writing)
        rows = []
        with os.fdopen(reading) as results:
            for row in results:
                number, seconds, failed, run_through = row.split("\t")
                if failed == "True":
                    print(f"left out, for it fails or takes too long as it is: {items[int(number)].nodeid}")
                    continue
                rows.append((float(seconds), int(number), run_through))
        os.wait()
        through: Lines = defaultdict(list)
        near = {name: tuple(str(ROOT / path) for path in self._notes.tests(file)) for name, file in files.items()}
        for seconds_taken, at, run_through in sorted(row for row in rows if row[0] < QUICK):
            for name, line in eval(run_through):  # noqa: S307 - written by our own child, above
                if str(items[at].path).startswith(near[name]):
                    through[name, line].append((seconds_taken, at))
        return through

    def _finds(
        self, session: pytest.Session, code: CodeType, near: Sequence[int], live: dict[str, list[FunctionType]]
    ) -> bool:
        """Plant a fault in this process and tell whether a test fails."""
        if not near:
            return False
        for changed in _codes(code):
            for function in live.get(f"{code.co_filename}:{changed.co_qualname}", ()):
                if function.__code__ != changed and function.__code__.co_firstlineno == changed.co_firstlineno:
                    function.__code__ = changed
        items = [session.items[at] for at in near]
        for item, after in zip(items, (*items[1:], None), strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if self._failed:
                return True
        return False


def _too_slow(_number: int, _frame: FrameType | None) -> None:
    pytest.skip("not near: too slow")


def _tracer(files: Iterable[str], traced: set[tuple[str, int]]) -> Callable[[FrameType, str, Any], Any]:
    def line(frame: FrameType, _event: str, _value: object) -> Any:  # noqa: ANN401 - as sys.settrace wants it
        traced.add((frame.f_code.co_filename, frame.f_lineno))
        return line

    def call(frame: FrameType, _event: str, _value: object) -> Any:  # noqa: ANN401 - as sys.settrace wants it
        return line if frame.f_code.co_filename in files else None

    return call


def _live(files: Iterable[str]) -> dict[str, list[FunctionType]]:
    """Return the functions of some files as they are in this process, by file and qualified name."""
    functions: dict[str, list[FunctionType]] = {}
    gc.unfreeze()  # tests/conftest.py freezes what was imported, and `get_objects` leaves that out
    for thing in gc.get_objects():
        if type(thing) is FunctionType and thing.__code__.co_filename in files:
            functions.setdefault(f"{thing.__code__.co_filename}:{thing.__code__.co_qualname}", []).append(thing)
    return functions


def _codes(code: CodeType) -> Iterable[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes(const)


def _silence() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)


def _forked(finds: Callable[[], bool], limit: int) -> bool:
    """Ask in a process of its own; one that does not end, or ends in another way than by an answer, has found it."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        _silence()
        status = _FOUND
        try:
            status = _FOUND if finds() else _SURVIVED
        finally:
            os._exit(status)
    spent, since = "", time.monotonic()
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status != _SURVIVED
        if (now := _spent(child)) != spent:
            spent, since = now, time.monotonic()
        elif time.monotonic() > since + IDLE_LIMIT:
            os.killpg(child, signal.SIGKILL)
            since = float("inf")
        time.sleep(0.005)


def _spent(child: int) -> str:
    """Return how much of the processor a process has used, in whatever unit; changing where nobody tells."""
    try:
        return " ".join(Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[11:13])
    except OSError:
        return str(time.monotonic())


def interval(killed: int, of: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    z = 1.96
    middle = (killed + z * z / 2) / (of + z * z)
    half = z / (of + z * z) * sqrt(killed * (of - killed) / of + z * z / 4)
    return middle - half, middle + half


def report(verdicts: Sequence[Verdict], goal: float = GOAL) -> bool:
    """Print the score of each file and of all; tell whether it is high enough."""
    for file in dict.fromkeys(verdict.mutant.file for verdict in verdicts):
        mine = [verdict for verdict in verdicts if verdict.mutant.file == file]
        killed, none = sum(verdict.killed for verdict in mine), sum(bool(verdict.reason) for verdict in mine)
        print(f"{killed:5} of {len(mine):4} found, {none:3} are no fault   {file.relative_to(ROOT)}")
    killed, none = sum(verdict.killed for verdict in verdicts), sum(bool(verdict.reason) for verdict in verdicts)
    faults = max(1, len(verdicts) - none)
    low, high = interval(killed, faults)
    print(f"{none} of {len(verdicts)} are no fault (tests/mutants.toml)")
    print(f"score: {killed} of {faults} found, {killed / faults:.1%} (95 %: {low:.1%} to {high:.1%})")
    return killed >= goal * faults


def main(arguments: Sequence[str]) -> int:
    """Plant the faults that the arguments ask for; return the exit status."""
    parser = argparse.ArgumentParser(prog="scripts.mutants", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help="all that tests/mutants.toml names without"
    )
    parser.add_argument("--sample", type=int, help="so many faults of all files, drawn by --seed; all without it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--goal", type=float, default=GOAL, help="the least score, 0.9 by default")
    args = parser.parse_args(arguments)
    written = notes()
    files = [file.resolve() for file in args.files] or written.files()
    every = [mutant for file in files for mutant in mutants(file)]
    count = len(every) if args.sample is None else min(args.sample, len(every))
    chosen = sorted(Random(args.seed).sample(every, count))  # noqa: S311 - which faults, not a secret
    if not chosen:
        print("no function, no fault")
        return 0
    # The same examples each time, and none that is found wrong for being late.
    settings.register_profile("mutants", deadline=None, derandomize=True)
    settings.load_profile("mutants")
    course = MutantPlugin(chosen, written)
    tests = sorted({test for mutant in chosen for test in written.tests(mutant.file)})
    early = "ignore::pytest.PytestAssertRewriteWarning"  # hypothesis is imported before pytest begins, see above
    options = ["-q", "-s", "-p", "no:cacheprovider", "--no-header", "-W", early]
    for variable in [name for name in os.environ if name.startswith("PYTEST_")]:
        del os.environ[variable]  # what was asked of the pytest outside, as workers (-n), is not asked of this one
    status = pytest.main([*options, *tests], plugins=[course])
    if not course.verdicts:
        return int(status)
    return 0 if report(course.verdicts, args.goal) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
