"""The entry point of the program `triptych`; it names the missing extra when a library is not installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Final

_COMMANDS: Final = ("cyclopts", "joblib", "platformdirs", "rich")
_EXTRAS: Final = {
    **dict.fromkeys(_COMMANDS, "cli"),
    "asyncpg": "postgres",
    "gymnasium": "envs",
    "nats": "nats",
    "pettingzoo": "envs",
    "pyspiel": "openspiel",
    "ray": "ray",
}
_SERVER_EXTRA: Final = "room"  # for all other libraries


def main() -> None:
    """Run the command line; if a library is missing, print how to install it and exit with status 1."""
    for name in _COMMANDS:
        if find_spec(name) is None:
            sys.exit(_missing_text(name))
    from triptych.cli.main import main as command_line  # noqa: PLC0415 - its libraries are installed, as was just checked

    try:
        command_line()
    except ModuleNotFoundError as missing:
        name = (missing.name or "").partition(".")[0]
        if not name or name == "triptych":
            raise
        sys.exit(_missing_text(name))


def _missing_text(name: str) -> str:
    extra = _EXTRAS.get(name, _SERVER_EXTRA)
    return (
        f"error: {name} is not installed; this command comes with the extra {extra}: pip install 'triptych[{extra}]'"
    )
