"""What an installation takes: sizes of the wheels and of environments, and the seconds to make one and to begin.

uv run python -m bench.install
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from bench.report import write
from scripts import wheels

# What is asked for, and what is begun then.
KINDS = (
    ("the library", "", ("python", "-I", "-c", "import triptych; triptych.rank('AsKsQsJsTs')")),
    ("with the weights", "weights", ("python", "-I", "-c", "import triptych; triptych.play_match('fast', 'random')")),
    ("with the command line", "cli", ("triptych", "rules", "pineapple")),
    ("a player's: with the room", "room", ("triptych", "--help")),
)
BEGINNINGS = 5


def megabytes(folder: Path) -> float:
    """Return the size of all files in a folder, but for bytecode, of which there is as much as was imported."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc") / 1e6


def installed(extra: str, begin: tuple[str, ...], others: list[Path], folder: Path) -> tuple[str, ...]:
    """Make an environment with an extra; return its packages, megabytes, seconds to make it, seconds to begin."""
    start = time.monotonic()
    wheels.run("uv", "venv", "-q", "--no-project", "--python", sys.executable, folder, cwd=folder.parent)
    own = wheels.wheel(Path(sys.executable))
    wheels.install(folder, f"{own}[{extra}]" if extra else str(own), *(map(str, others) if extra else ()))
    took = time.monotonic() - start
    (site,) = folder.glob("lib/python*/site-packages")
    program, *arguments = begin
    seconds = []
    for _ in range(1 + BEGINNINGS):  # the first writes bytecode
        start = time.monotonic()
        command: list[str | Path] = [folder / "bin" / program, *arguments]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)  # noqa: S603 - what was just installed
        seconds.append(time.monotonic() - start)
    packages = len(list(site.glob("*.dist-info")))
    return str(packages), f"{megabytes(site):.1f}", f"{took:.1f}", f"{median(seconds[1:]):.2f}"


def main() -> None:
    """Build the wheels, make the environments, and write the two sections."""
    start = time.monotonic()
    others = wheels.build()
    took = time.monotonic() - start
    command = "uv run python -m bench.install"
    files = sorted(file for kind in ("*.whl", "*.tar.gz") for file in wheels.FOLDER.glob(kind))
    sizes = [(file.name, f"{file.stat().st_size / 1e6:.1f}") for file in files]
    note = f"`uv build --all-packages` took {took:.0f} s"
    write("Installation: what is downloaded of this project", command, [("file", "MB"), *sizes], note)
    rows: list[tuple[str, ...]] = [("environment", "packages", "MB", "s to install from a warm cache", "s to begin")]
    with tempfile.TemporaryDirectory() as folder:
        rows += [
            (title, *installed(extra, begin, others, Path(folder) / f"with-{extra or 'nothing'}"))
            for title, extra, begin in KINDS
        ]
    note = (
        "neither Python itself nor bytecode is counted; to begin: Python's start, the imports, and one small answer"
    )
    write("Installation: environments", command, rows, note)


if __name__ == "__main__":
    main()
