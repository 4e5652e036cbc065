"""Every error crosses a process boundary whole (issue 28.9)."""

from __future__ import annotations

import copy
import inspect
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import triptych
from tests.case_notes import case
from triptych.errors import TriptychError
from triptych.server.edge.rate_limits import EXPORTS
from triptych.store.leases.interface import ServerId

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE: Final = Path(triptych.__file__).parent
# An argument for each parameter that an error's own `__init__` has.
ARGUMENTS: Final[dict[str, Any]] = {
    "code": "some.code",
    "message": "what is wrong",
    "path": "$.players.Ann[3]",
    "index": 3,
    "hand": 2,
    "name": "faster",
    "seconds": 7,
    "status": 429,
    "limit": EXPORTS,
    "owner": ServerId(4, "http://10.0.0.4:8313"),
}
GOOD: Final = {"Ann": "QhQd7c/KsKc9d8c2c/AcAdTcJc2d", "Bob": "9h6c5d/9s9c8d7h2h/KdKhTdJs3d"}
BAD: Final = {**GOOD, "Bob": "Qh6c5d/9s9c8d7h2h/KdKhTdJs3d"}


def subclasses(of: type[TriptychError]) -> Iterator[type[TriptychError]]:
    yield of
    for each in of.__subclasses__():
        yield from subclasses(each)


def every_class() -> list[type[TriptychError]]:
    """Return all classes, each module that defines one loaded."""
    for file in sorted(SOURCE.rglob("*.py")):
        if any(f"({base})" in file.read_text() for base in ("TriptychError", "JsonInputError", "ApiError")):
            import_module(".".join(("triptych", *file.relative_to(SOURCE).with_suffix("").parts)))
    return [each for each in subclasses(TriptychError) if each.__module__.startswith("triptych.")]


CLASSES: Final = every_class()


def test_an_error_is_pickled_and_copied_whole() -> None:
    for kind in CLASSES:
        with case(kind):
            names = [name for name in inspect.signature(kind.__init__).parameters if name != "self"]
            error = kind(**{name: ARGUMENTS[name] for name in names})
            error.add_note("on line 7")
            copies = [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]  # noqa: S301 - our own
            for twin in (*copies, copy.copy(error), copy.deepcopy(error)):
                assert type(twin) is kind
                assert (str(twin), twin.args, vars(twin)) == (str(error), error.args, vars(error))


def test_there_are_as_many_classes_as_the_source_defines() -> None:
    """A class below another one is found too."""
    names = {each.__name__ for each in CLASSES}
    assert {
        "TriptychError",
        "CardError",
        "RequestError",
        "SolveError",
        "ClientError",
        "ApiError",
        "TournamentError",
    } <= names


def test_a_bad_deal_in_a_pool_of_processes_is_an_error_and_not_the_end_of_the_pool() -> None:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        bad, good = pool.submit(triptych.score, BAD), pool.submit(triptych.score, GOOD)
        with pytest.raises(TriptychError) as error:
            bad.result()
        assert (error.value.code, error.value.path) == ("card.duplicate", "$.players.Bob.front[0]")
        assert good.result().totals == {"Ann": 13, "Bob": -13}
