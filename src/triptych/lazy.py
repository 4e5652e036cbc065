"""Lazy packages, whose names are loaded on first use.

The names of a package are listed once, in its `__init__.pyi`, as `from triptych.deal.actions import Place as Place`.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def lazy_names(package: str, file: str, extra: str = "") -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package: `lazy_names(__name__, __file__)`.

    `extra`: the extra of this distribution that installs what the modules need; a ModuleNotFoundError names it.
    """

    @cache
    def modules() -> dict[str, str]:
        """Return the module of each name."""
        tree = ast.parse(Path(file).with_suffix(".pyi").read_text("utf-8"))
        return {
            alias.name: node.module
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.module is not None
            for alias in node.names
        }

    def load(name: str) -> Any:  # noqa: ANN401 - its type is in the .pyi
        if name.startswith("__") or name not in modules():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            value = getattr(import_module(modules()[name]), name)
        except ModuleNotFoundError as error:
            if not extra or error.name is None or error.name.startswith("triptych"):
                raise
            message = f"{package}.{name} needs {error.name}: pip install 'triptych[{extra}]'"
            raise ModuleNotFoundError(message, name=error.name) from error
        setattr(import_module(package), name, value)  # the next access does not come here
        return value

    return load, lambda: sorted(modules())
