"""Bots in Python that play in the arena's own process: named by file or module, and what makes them.

They are trusted: such a bot could look at the deck. A bot that is not belongs into a process of its own (program.py).
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Final

from triptych.arena.errors import ArenaError
from triptych.bots.levels import Bot

_DEFAULT_NAME: Final = "bot"


def load_factory(named: str, path: str) -> Callable[[int], Bot]:
    """Return what makes the bots of `mybot.py`, `mybot.py:Name` or `package.module:Name`; the name is `bot` without.

    It is called with a seed, 0 to 2^63 - 1, for each deal. Raises ArenaError (`arena.program`).
    """
    where, _, name = named.partition(":")
    name = name or _DEFAULT_NAME
    try:
        attribute = getattr(_module(where), name, None)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - anybody's code
        raise ArenaError(
            "arena.program", f"{where} cannot be loaded: {type(error).__name__}: {error}", path
        ) from None
    if not callable(attribute):
        message = f"{where} has no {name} that makes a bot from a seed; name another one as py:{where}:NAME"
        raise ArenaError("arena.program", message, path)
    factory: Callable[[int], Bot] = attribute
    return factory


@lru_cache(maxsize=64)
def _module(where: str) -> ModuleType:
    if not where.endswith(".py"):
        return importlib.import_module(where)
    file = Path(where).resolve(strict=True)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise ImportError(where)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
