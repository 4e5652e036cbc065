"""scripts/wheels.py takes the Pythons that are here, and fetches none (issue 15, part 3). CI runs the rest of it."""

from __future__ import annotations

import sys

import pytest

from scripts import wheels


def test_an_interpreter_is_found_by_its_path() -> None:
    found = wheels.interpreter(sys.executable)
    assert found is not None
    assert wheels.version(found) == sys.version_info[:2]


def test_a_python_that_is_not_here_is_none() -> None:
    assert wheels.interpreter("3.99") is None


def test_without_any_of_the_pythons_nothing_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wheels, "build", list)
    assert wheels.main(("3.99",)) == 1
    assert "No Python 3.99 with its headers here: left out." in capsys.readouterr().out
