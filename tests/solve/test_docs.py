"""The page on exact answers and analysis names every error code, and its example runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from triptych.solve.errors import CODES

PAGE = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text(encoding="utf-8")


def test_every_error_code_is_documented() -> None:
    _, errors = PAGE.split("\n## Errors\n")
    documented = set(re.findall(r"^\| `([a-z_.]+)` \|", errors, re.MULTILINE))
    assert documented == set(CODES)


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(example, {})  # noqa: S102 - the page's own example
    assert "±" in capsys.readouterr().out
