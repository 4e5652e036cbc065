"""The browser that the tests drive: the system's chromium, else the one that npm's @sparticuz/chromium carries."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from scripts.node import NODE, npm_install

CARRIED = Path(__file__).with_name("chromium")
# Without a window of its own the first one does the same with a third less work.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
QUIET = (
    "--no-sandbox",  # CI is root in a container
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # A friend's machine by its name at home: no localhost, so the browser does not call it secure.
    "--host-resolver-rules=MAP triptych.lan 127.0.0.1",
)
LAN = "triptych.lan"


@dataclass(frozen=True)
class Launch:
    """What to start: an executable, its arguments and what to add to its environment."""

    executable: str
    arguments: tuple[str, ...] = QUIET
    environment: dict[str, str] = field(default_factory=dict)


def find_whole() -> Launch | None:
    """Find a browser that could also open a window: only such a one knows of apps. or None."""
    return next((Launch(path) for name in NAMES[1:] if (path := shutil.which(name))), None)


def find() -> Launch:
    """Find a browser; TRIPTYCH_TEST_BROWSER names an executable, or `carried` for the one from npm.

    Raises RuntimeError, saying what to do, when there is none.
    """
    named = os.environ.get("TRIPTYCH_TEST_BROWSER")
    if named == "carried":
        return _carried()
    for name in [named] if named else NAMES:
        if executable := shutil.which(name):
            return Launch(executable)
    if named:
        message = f"TRIPTYCH_TEST_BROWSER={named!r} is not an executable; name one, or say `carried`."
        raise RuntimeError(message)
    return _carried()


def _carried() -> Launch:
    unpacked = CARRIED / "node_modules" / ".unpacked"
    try:
        npm_install(CARRIED)
        unpacked.mkdir(exist_ok=True)
        printed = subprocess.run(
            [NODE, CARRIED / "locate.mjs"],
            env={**os.environ, "TMPDIR": str(unpacked)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
        message = (
            "The browser tests need Chromium: install your system's package "
            "(Debian: `apt-get install chromium-headless-shell`), "
            "or let npm reach its registry, from which the tests take @sparticuz/chromium. "
            f"`uv run pytest --ignore tests/browser` leaves them out. ({error})"
        )
        raise RuntimeError(message) from error
    launch = json.loads(printed)
    return Launch(launch["executable"], tuple(launch["arguments"]), launch["environment"])
