"""The check `facts` of the repository's own files (scripts/facts.py) finds what it promises to find."""

import subprocess
from pathlib import Path

import pytest

from scripts import facts

CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-01\n\n### Added\n\n## [0.1.0] - 2026-01-01\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    return tmp_path


def test_nothing_is_wrong_in_a_good_repository(repository: Path) -> None:
    assert facts.problems(repository) == []


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("## [Unreleased]", "## Unreleased"),
        ("## [Unreleased]\n\n", ""),
        ("2026-02-01", "soon"),
        ("2026-02-01", "2025-02-01"),
        ("### Added", "### New"),
    ],
)
def test_a_changelog_of_another_form_is_found(repository: Path, good: str, bad: str) -> None:
    """Keep a Changelog 1.1.0, "How do I make a good changelog?"."""
    (repository / "CHANGELOG.md").write_text(CHANGELOG.replace(good, bad))
    lines = facts.problems(repository)
    assert lines
    assert all(line.startswith("CHANGELOG.md: ") for line in lines)


def test_a_changelog_of_another_version_than_the_projects_is_found(repository: Path) -> None:
    (repository / "pyproject.toml").write_text('[project]\nversion = "0.2.0"\n')
    assert facts.problems(repository) == []
    (repository / "pyproject.toml").write_text('[project]\nversion = "0.3.0"\n')
    assert facts.problems(repository) == ["CHANGELOG.md: the newest release is 0.2.0, pyproject.toml says 0.3.0"]


# In pieces, so that this file is not found itself.
@pytest.mark.parametrize("text", ["see https://{}.org/simple".format("pypi"), "open('/{}/x')".format("work")])
def test_a_place_of_one_machine_is_found(repository: Path, text: str) -> None:
    (repository / "notes.md").write_text(f"\n{text}\n")
    assert [line.partition(": ")[0] for line in facts.problems(repository)] == ["notes.md:2"]


def test_code_in_a_package_file_is_found(repository: Path) -> None:
    package = repository / "src" / "triptych" / "rulesets"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('"""Rules."""\n\nfrom triptych.rulesets.model import Ruleset\n')
    assert [line.partition(": ")[0] for line in facts.problems(repository)] == ["src/triptych/rulesets/__init__.py"]
