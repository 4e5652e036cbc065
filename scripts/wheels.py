"""Build the wheels and try them where nothing else is: `python -m scripts.wheels [PYTHON …]`, else 3.11 to 3.14.

PYTHON is a version or an interpreter; one that this machine does not have is left out, none is fetched. The wheels
are made of the sdist, as a release's are (docs: releasing), and stay in build/wheels. In an environment of its own,
from a folder where nothing of the repository is seen, the library plays without weights, then with everything runs
the examples of all pages and what scripts/installed.py tries, and dependencies are checked. A wheel holds every file
of src/triptych that the repository has. For the first Python mypy --strict also reads docs/examples/session.py.
Exits with 1 when one of these fails.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zipfile import ZipFile

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "build" / "wheels"
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
STABLE: Final = (3, 12)  # from here on one wheel serves every Python
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())
# Nothing of this environment, of Python's own settings, or of the repository.
CLEAN: Final = {
    name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "UV_PROJECT"))
}
CLIENT: Final = (
    "from importlib.resources import files; assert (files('triptych') / 'static' / 'index.html').is_file()"
)
HEADERS: Final = "import sysconfig; print(sysconfig.get_path('include'))"
# Its examples ask a server: scripts/installed.py.
WITH_SERVER: Final = Path("docs") / "reference" / "python" / "client.md"
ALONE: Final = PROJECT["tool"]["cibuildwheel"]["test-command"]


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a command to its end; raise CalledProcessError when it fails."""
    print("$", shlex.join(str(part).replace(str(ROOT), ".") for part in command), flush=True)
    subprocess.run(command, cwd=cwd, env=CLEAN, check=True)


def interpreter(name: str) -> Path | None:
    """Return the interpreter of a version or path, None where this machine has none, or none with its C headers."""
    # pyenv's own starters start the chosen versions alone.
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin")
    completed = subprocess.run(
        ["uv", "python", "find", "--no-project", "--no-python-downloads", "--system", name],
        env={**CLEAN, "PATH": os.pathsep.join(map(str, (*sorted(pyenv), CLEAN["PATH"])))},
        capture_output=True,
        text=True,
        check=False,
    )
    if completed.returncode:
        return None
    python = Path(completed.stdout.strip())
    include = subprocess.run([python, "-Ic", HEADERS], capture_output=True, text=True, check=True).stdout.strip()
    return python if Path(include, "Python.h").is_file() else None


def version(python: Path) -> tuple[int, int]:
    """Return the major and minor version of an interpreter."""
    output = subprocess.run([python, "-IV"], capture_output=True, text=True, check=True).stdout
    match = re.match(r"Python (\d+)\.(\d+)", output)
    if match is None:
        raise ValueError(output)
    return int(match[1]), int(match[2])


def wheel(python: Path) -> Path:
    """Return this project's wheel for an interpreter, built from the sdist where it is not there yet."""
    (sdist,) = FOLDER.glob("triptych-*.tar.gz")
    major, minor = version(python)
    tag = "cp312-abi3" if (major, minor) >= STABLE else f"cp{major}{minor}-cp{major}{minor}"
    if not list(FOLDER.glob(f"triptych-*-{tag}-*.whl")):
        run("uv", "build", "-q", "--wheel", "--python", python, "--out-dir", FOLDER, sdist)
    (path,) = FOLDER.glob(f"triptych-*-{tag}-*.whl")
    return path


def build() -> list[Path]:
    """Build the sdists again, and the wheels of the other packages; return those wheels."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    run("uv", "build", "-q", "--all-packages", "--python", sys.executable, "--out-dir", FOLDER)
    return [file for file in FOLDER.glob("*.whl") if not file.name.startswith("triptych-")]


def install(environment: Path, *what: str) -> None:
    """Install into an environment, what is not ours as of the date that the project keeps to."""
    date = PROJECT["tool"]["uv"]["exclude-newer"]
    run("uv", "pip", "install", "-q", "--python", environment, "--exclude-newer", date, *what, cwd=environment)


def missing(wheel: Path, files: Iterable[str]) -> list[str]:
    """Return which of the repository's files of the package a wheel does not hold."""
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    return [file for file in files if file.removeprefix("src/") not in names]


def committed() -> list[str]:
    """Return the files of the package that the repository has."""
    listed = subprocess.run(["git", "ls-files", "src/triptych"], cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()


def attempt(python: Path, others: list[Path], folder: Path) -> Path:
    """Do with an interpreter's wheel what a user does, in an empty folder.

    Returns the interpreter of the environment that was made. Raises CalledProcessError at a failure,
    FileNotFoundError when files of the package are missing.
    """
    environment, here = folder / "environment", folder / "here"
    own = wheel(python)
    if left_out := missing(own, committed()):
        raise FileNotFoundError(f"{own.name} lacks {', '.join(left_out)}")
    shutil.copytree(ROOT / "docs", here / "docs", ignore=shutil.ignore_patterns("pictures"))
    run("uv", "venv", "-q", "--no-project", "--python", python, environment, cwd=here)
    inside = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install(environment, str(own))
    run(inside, "-I", *shlex.split(ALONE)[1:], cwd=here)
    run(inside, "-I", "-c", CLIENT, cwd=here)
    install(environment, f"{own}[room,envs,openspiel]", *map(str, others))
    run("uv", "pip", "check", "-q", "--python", environment, cwd=here)
    pages = [page for page in sorted(here.glob("docs/**/*.md")) if ">>>" in page.read_text("utf-8")]
    pages.remove(here / WITH_SERVER)
    run(inside, "-I", "-m", "doctest", *(page.relative_to(here) for page in pages), cwd=here)
    run(inside, "-I", ROOT / "scripts" / "installed.py", cwd=here)
    return inside


def read(inside: Path, folder: Path) -> None:
    """Read a program that uses the client with mypy, as its author would; raise CalledProcessError at a fault."""
    mypy = (sys.executable, "-m", "mypy", "--strict", "--python-executable", inside, "--cache-dir", folder / "types")
    run(*mypy, Path("docs") / "examples" / "session.py", cwd=folder / "here")


def main(names: tuple[str, ...]) -> int:
    """Build the wheels and try each interpreter; 0 when every one passed."""
    pythons = {name: interpreter(name) for name in names}
    try:
        others = build()
    except subprocess.CalledProcessError:
        print("Failed: the build.")
        return 1
    tried: list[str] = []
    failed: list[str] = []
    for name, python in pythons.items():
        if python is None:
            print(f"No Python {name} with its headers here: left out.")
            continue
        print(f"── {name}: {python} ──", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            try:
                inside = attempt(python, others, Path(folder))
                if not tried:
                    read(inside, Path(folder))
            except (subprocess.CalledProcessError, FileNotFoundError) as error:
                print(error)
                failed.append(name)
        tried.append(name)
    if not tried:
        print("Failed: none of these Pythons is here.")
        return 1
    sizes = ", ".join(f"{file.name} {file.stat().st_size / 1e6:.1f} MB" for file in sorted(FOLDER.glob("*.whl")))
    print(f"Failed: {', '.join(failed)}." if failed else f"Every wheel does what it should: {sizes}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:]) or PYTHONS))
