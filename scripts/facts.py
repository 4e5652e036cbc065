"""Facts about the repository's own files that no other tool checks: `problems` lists what is wrong."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

SECTIONS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
# Put together here so that this file is not found by its own rule.
HOSTS = tuple(
    name.replace("|", "") for name in ("pypi|.org", "python|hosted.org", "registry|.npmjs", "registry|.yarn")
)
PLACES = re.compile(r"(?<![\w.~-])/(?:work|root)/")


def problems(root: Path) -> list[str]:
    """Say what is wrong with the tracked files of a repository, one line each; empty when all is well."""
    files = _tracked(root)
    return [*_changelog(root), *_places(root, files), *_packages(root, files)]


def _tracked(root: Path) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    return [name for name in listed.stdout.splitlines() if (root / name).is_file()]


def _changelog(root: Path) -> Iterator[str]:
    """Keep a Changelog 1.1: releases newest first, dated, the known kinds of change, the current version named."""
    text = (root / "CHANGELOG.md").read_text()
    releases = re.findall(r"^## \[(.+?)\](?: - (\S+))?$", text, re.MULTILINE)
    headings = re.findall(r"^## .*$", text, re.MULTILINE)
    if len(releases) != len(headings):
        yield "CHANGELOG.md: every second-level heading is `## [Unreleased]` or `## [x.y.z] - yyyy-mm-dd`"
    if not releases or releases[0][0] != "Unreleased":
        yield "CHANGELOG.md: the first section is `## [Unreleased]`"
    for name, date in releases[1:]:
        if not re.fullmatch(r"\d+\.\d+\.\d+", name) or not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
            yield f"CHANGELOG.md: `## [{name}] - {date}` is not `## [x.y.z] - yyyy-mm-dd`"
    dates = [date for _, date in releases[1:]]
    if dates != sorted(dates, reverse=True):
        yield "CHANGELOG.md: the newest release comes first"
    project = root / "pyproject.toml"
    if project.is_file() and releases[1:]:
        version = tomllib.loads(project.read_text())["project"]["version"]
        if version != releases[1][0]:
            yield f"CHANGELOG.md: the newest release is {releases[1][0]}, pyproject.toml says {version}"
    for section in re.findall(r"^### (.*)$", text, re.MULTILINE):
        if section not in SECTIONS:
            yield f"CHANGELOG.md: `### {section}` is none of {', '.join(SECTIONS)}"


def _places(root: Path, files: list[str]) -> Iterator[str]:
    """No file names a package registry or a folder of one machine: both differ where the file is read."""
    for name in files:
        try:
            text = (root / name).read_text()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if any(host in line for host in HOSTS):
                yield f"{name}:{number}: names the host of a package registry"
            if PLACES.search(line):
                yield f"{name}:{number}: names a folder of one machine"


_LAZY = ["from triptych.lazy import lazy_names", "__getattr__, __dir__ = "]


def _packages(root: Path, files: list[str]) -> Iterator[str]:
    """A package's `__init__.py` holds its docstring, and loads what its `__init__.pyi` lists."""
    for name in files:
        if re.fullmatch(r"src/triptych/.+/__init__\.py", name):
            body = ast.parse((root / name).read_text()).body
            lazy = [ast.unparse(statement).partition("lazy_names(")[0] for statement in body[1:]]
            if ast.get_docstring(ast.Module(body, [])) is None or lazy not in ([], _LAZY):
                yield f"{name}: holds more than its docstring; import from the file that defines a name"
