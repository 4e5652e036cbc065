"""Bots in Python that play in the arena's own process, loaded from a file or a module.

They are trusted: such a bot could look at the deck. An untrusted bot needs a process of its own (program.py).
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


def load_factory(source: str, path: str) -> Callable[[int], Bot]:
    """Return the bot factory of `mybot.py`, `mybot.py:Name` or `package.module:Name`; the default name is `bot`.

    It is called with a seed, 0 to 2^63 - 1, for each deal. Raises ArenaError (`arena.program`).
    """
    module, _, name = source.partition(":")
    name = name or _DEFAULT_NAME
    try:
        attribute = getattr(_module(module), name, None)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - foreign code
        raise ArenaError(
            "arena.program", f"{module} cannot be loaded: {type(error).__name__}: {error}", path
        ) from None
    if not callable(attribute):
        message = f"{module} has no {name} that makes a bot from a seed; name another one as py:{module}:NAME"
        raise ArenaError("arena.program", message, path)
    factory: Callable[[int], Bot] = attribute
    return factory


@lru_cache(maxsize=64)
def _module(name: str) -> ModuleType:
    if not name.endswith(".py"):
        return importlib.import_module(name)
    file = Path(name).resolve(strict=True)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
