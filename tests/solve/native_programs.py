"""Programs of native/tests, compiled once and kept until their sources change."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = ROOT / "native" / "tests"
CACHE: Final = ROOT / "build" / "native-tests"
# What checks.cpp calls of native/src; all of it would take four times as long to compile.
CHECKED: Final = ("completion", "joker_rows", "jokers", "naturals", "rank_tables", "showdown")


def build_checks() -> Path:
    """Return the program that asks the kernel and plain loops the same."""
    return build("checks", kernel=CHECKED)


def build(name: str, *options: str, kernel: Sequence[str] = ("*",)) -> Path:
    """Return the program made of native/tests/NAME.cpp; -O1 unless the options say another level.

    `kernel`: the files of native/src that it needs, as patterns without `.cpp`. A name always has the same options
    and files: building it deletes what an earlier command built under that name.
    """
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    assert compiler, "a C++ compiler is needed to build the kernel too"
    files = sorted(str(file) for pattern in kernel for file in (ROOT / "native" / "src").glob(f"{pattern}.cpp"))
    include = f"-I{ROOT / 'native' / 'include'}"
    command = [compiler, "-std=c++20", "-O1", *options, include, f"{SOURCES / name}.cpp", *files]
    program = CACHE / f"{name}-{_digest(command)}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with _alone(CACHE / f"{name}.lock"):
        if not program.exists():
            for old in CACHE.glob(f"{name}-*"):
                old.unlink()
            unfinished = program.with_suffix(".unfinished")
            subprocess.run([*command, "-o", str(unfinished)], check=True)
            unfinished.rename(program)
    return program


def _digest(command: list[str]) -> str:
    """Return a digest of a command and of all sources that it may read."""
    digest = hashlib.sha256("\0".join(command).encode())
    folders = (SOURCES, ROOT / "native" / "include", ROOT / "native" / "src")
    for file in sorted(file for folder in folders for file in folder.rglob("*.?pp")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Wait until no other worker compiles the same program."""
    import fcntl  # noqa: PLC0415 - Windows has none, and no test that compiles

    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
