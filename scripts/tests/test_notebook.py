"""The Jupyter tutorial runs, and shows what its file shows (issue 33, part 5)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scripts.notebook import NOTEBOOK, ROOT, run
from scripts.tests.cached_searches import search_once

if TYPE_CHECKING:
    import pytest


def test_the_notebook_is_as_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m scripts.notebook` writes it again."""
    monkeypatch.chdir(ROOT)
    search_once(monkeypatch)
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert run(json.loads(text)) == text
    outputs = [output for cell in json.loads(text)["cells"] for output in cell.get("outputs", ())]
    assert sum("text/html" in output.get("data", {}) for output in outputs) >= 8
