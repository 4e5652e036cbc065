"""Where the program `triptych` begins: says which extra is missing where one is."""

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
_ROOM: Final = "room"  # everything else


def main() -> None:
    """Run the command line; without its own libraries say how they are installed, and exit with 1."""
    for name in _COMMANDS:
        if find_spec(name) is None:
            sys.exit(_words(name))
    from triptych.cli.main import main as command_line  # noqa: PLC0415 - only now it is known that it can be imported

    try:
        command_line()
    except ModuleNotFoundError as missing:
        name = (missing.name or "").partition(".")[0]
        if not name or name == "triptych":
            raise
        sys.exit(_words(name))


def _words(name: str) -> str:
    extra = _EXTRAS.get(name, _ROOM)
    return (
        f"error: {name} is not installed; this command comes with the extra {extra}: pip install 'triptych[{extra}]'"
    )
