"""scripts/wheels.py takes the Pythons that are here, and fetches none (issue 15, part 3). CI runs the rest of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pathspec
import pytest

from scripts import wheels

if TYPE_CHECKING:
    from pathlib import Path


def test_an_interpreter_is_found_by_its_path() -> None:
    python = wheels.interpreter(sys.executable)
    assert python is not None
    assert wheels.version(python) == sys.version_info[:2]


def test_a_missing_python_is_none() -> None:
    assert wheels.interpreter("3.99") is None


def test_without_any_of_the_pythons_nothing_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wheels, "build", list)
    assert wheels.main(("3.99",)) == 1
    assert "No Python 3.99 with its headers here: left out." in capsys.readouterr().out


def test_the_sdist_leaves_out_no_part_of_the_package() -> None:
    """Issue 28.8: "docs" was also src/triptych/server/docs."""
    files = wheels.committed()
    assert "src/triptych/server/docs/index.html" in files
    left_out = pathspec.GitIgnoreSpec.from_lines(wheels.PROJECT["tool"]["scikit-build"]["sdist"]["exclude"])
    assert [*left_out.match_files(files)] == []
    assert left_out.match_file("docs/index.md")


def test_files_that_a_wheel_lacks_are_named(tmp_path: Path) -> None:
    files = wheels.committed()
    wheel = tmp_path / "triptych-1-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        for file in files[1:]:
            archive.writestr(file.removeprefix("src/"), "")
    assert wheels.missing(wheel, files) == files[:1]
    assert wheels.missing(wheel, files[1:]) == []
