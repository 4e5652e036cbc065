"""Every name of the reference has an example, and every example runs (issue 15, part 4)."""

from __future__ import annotations

import asyncio
import doctest
import importlib
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import triptych.api
from tests.server.room import room
from triptych.store.memory import MemoryStore

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "reference").glob("*.md"))
_DIRECTIVE = re.compile(r"^\.\. auto(module|class|function):: (\S+)\n((?:   .*\n)*)", re.MULTILINE)


def documented() -> dict[str, object]:
    """Return every class and function of the reference by its full name."""
    found: dict[str, object] = {}
    for kind, name, options in (match for page in PAGES for match in _DIRECTIVE.findall(page.read_text("utf-8"))):
        if kind != "module":
            module, _, own = name.rpartition(".")
            found[name] = getattr(importlib.import_module(module), own)
            continue
        module = importlib.import_module(name)
        chosen, left_out = (re.search(rf":{key}: (.+)", options) for key in ("members", "exclude-members"))
        names = chosen[1].split(", ") if chosen else _public(module)
        found |= {f"{name}.{own}": getattr(module, own) for own in names if not left_out or own not in left_out[1]}
    return found


def _public(module: ModuleType) -> list[str]:
    """Return what Sphinx takes of a module: its `__all__`, or what is defined in it and has a docstring."""
    named = getattr(module, "__all__", None)
    if named is not None:
        return list(named)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module.__name__
    ]


NAMES = documented()
MODULES = sorted({str(getattr(value, "__module__", "triptych.api")) for value in NAMES.values()})
EXAMPLES = "\n".join(
    example.source + example.want
    for page in PAGES
    for example in doctest.DocTestParser().get_examples(page.read_text("utf-8"))
)


def test_the_reference_has_all_that_the_front_door_offers() -> None:
    assert {*triptych.api.__all__} <= {name.rpartition(".")[2] for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_name_has_an_example(name: str) -> None:
    """In its docstring, or in those of the reference's pages."""
    own = name.rpartition(".")[2]
    assert ">>> " in (NAMES[name].__doc__ or "") or re.search(rf"\b{own}\b", EXAMPLES)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_docstrings_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.anyio
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
async def test_the_examples_of_a_page_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a thread, since the client's bring a loop of their own; they find a room at `url`."""
    monkeypatch.chdir(ROOT)
    async with room(MemoryStore()) as served:
        found = await asyncio.to_thread(doctest.testfile, str(page), module_relative=False, globs={"url": served.url})
    assert found.failed == 0
    assert found.attempted > 0 or page.stem == "index"
