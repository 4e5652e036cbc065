"""Every example of the reference runs (issue 15, part 4); that every name has one is the check `docs`."""

from __future__ import annotations

import asyncio
import doctest
import importlib
from pathlib import Path

import pytest

from scripts import docs
from scripts.tests.cached_searches import search_once
from tests.case_notes import case
from tests.memory_store.store import MemoryStore
from tests.server.in_process import run_server

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "reference" / "python").glob("*.md"))


def test_the_examples_of_docstrings_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    search_once(monkeypatch)
    names = docs.documented([page.read_text("utf-8") for page in PAGES])
    modules = sorted({str(getattr(value, "__module__", "triptych.api")) for value in names.values()})
    assert len(modules) > 20
    for name in modules:
        with case(name):
            assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.anyio
async def test_the_examples_of_the_pages_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a thread, since the client's bring a loop of their own; they find a server at `url`."""
    monkeypatch.chdir(ROOT)
    search_once(monkeypatch)
    async with run_server(MemoryStore()) as served:
        for page in PAGES:
            with case(page.stem):
                result = await asyncio.to_thread(
                    doctest.testfile, str(page), module_relative=False, globs={"url": served.url}
                )
                assert result.failed == 0
                assert result.attempted > 0 or page.stem == "index"
