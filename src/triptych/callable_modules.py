"""`triptych.score` and `triptych.rules` are packages and functions of the front door at once: a call is answered."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


class Door(ModuleType):
    """A package that answers a call with the function of its name in `triptych.api`."""

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Return what the function of this name returns."""
        return getattr(import_module("triptych.api"), self.__name__.rpartition(".")[2])(*args, **kwargs)

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle finds it in another process: `pool.map(triptych.score, deals)`."""
        return import_module, (self.__name__,)


class Front(ModuleType):
    """The top package: a room of the house that bears a function's name is made a Door as it is loaded."""

    def __setattr__(self, name: str, value: object) -> None:
        """Take what the import system puts here."""
        if name in ROOMS and type(value) is ModuleType:
            value.__class__ = Door
        super().__setattr__(name, value)


ROOMS = frozenset({"rules", "score"})
