"""Whether names and docstrings are in plain words: `problems` lists what is not (`python -m scripts.check words`).

The words here are those that the project gave up: no definition is named by them, no docstring uses them. Of benches,
scripts and tests only the variables are checked.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# No class, function, constant or module of the package is named by one of these; what to say instead.
NAMES: Final = {
    "abroad": "remote",
    "anew": "again, new",
    "company": "cluster",
    "dearest": "worst, costliest",
    "desk": "route",
    "desks": "routes",
    "evening": "session",
    "evenings": "sessions",
    "door": "the class of the protocol",
    "floor": "listener",
    "manners": "rate limit",
    "relay": "proxy",
    "shelf": "directory",
    "thrown": "discarded",
    "tongue": "language",
    "turnstile": "limiter",
    "wishes": "options",
}
# No variable or parameter is named by one of these; what to name it by instead.
VARIABLES: Final = {
    "asked": "request, query, body",
    "found": "result, match, rows, position",
    "given": "value, text, board",
    "got": "result, reply",
    "kept": "stored, remaining, layout",
    "known": "cards, names, sessions",
    "made": "result, rows, postings",
    "said": "text, line, message",
    "told": "events, replies, payload, on_progress",
}
# The same, in the package alone.
PACKAGE_VARIABLES: Final = {
    **VARIABLES,
    **dict.fromkeys(("one", "these", "those"), "what it is: seat, placement, row"),
    **dict.fromkeys(("counted", "heard", "seen", "shown"), "what it is: total, message, view"),
}
_VARIABLE: Final = re.compile(rf"\b(?:{'|'.join(VARIABLES)})\b")
# Besides the package, where variables are checked.
FOLDERS: Final = ("bench", "scripts", "tests")
# Limits begin with MAX_ or MIN_.
LIMITS: Final = re.compile(r"_?(MOST|LEAST|FEWEST|LARGEST|LONGEST|DEEPEST)(_|$)")
# Phrases of docstrings and comments; what to say instead.
PHRASES: Final = {
    r"Tell whether": "Return whether",
    r'"""Hear (that|how|of|what)': "Called when",
    r"\bLAW \d": "Rules §4",
    r"\b[Ss]eeds? 00\d": "source 002",
    # STYLE.md, Names: no metaphors, no archaic words.
    r"(?i)\b(the|a|another|each|every) house\b(?! rule)": "the server, the host",
    r"(?i)\b(anew|for ever|heard|thrown away)\b": "again, forever, received, discarded",
}


def problems(root: Path) -> Iterator[str]:
    """Yield what is not in plain words, one line each."""
    for file in sorted((root / "src" / "triptych").rglob("*.py")):
        name = file.relative_to(root).as_posix()
        text = file.read_text("utf-8")
        for part in file.relative_to(root / "src").with_suffix("").parts:
            yield from (
                f"{name}: a module is not named {word}: {NAMES[word]}" for word in _words(part) & NAMES.keys()
            )
        yield from (f"{name}:{problem}" for problem in _bad_names(ast.parse(text)))
        for number, line_text in enumerate(text.splitlines(), 1):
            for phrase, better in PHRASES.items():
                if re.search(phrase, line_text):
                    yield f"{name}:{number}: say {better}"
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.py")):
            name, text = file.relative_to(root).as_posix(), file.read_text("utf-8")
            if _VARIABLE.search(text):  # parsing all of them takes seconds
                yield from (f"{name}:{problem}" for problem in _bad_variables(ast.parse(text), VARIABLES))


def _bad_names(tree: ast.Module) -> Iterator[str]:
    for line, defined in _defined(tree):
        for word in sorted(_words(defined) & NAMES.keys()):
            yield f"{line}: {defined} is named by {word}: {NAMES[word]}"
        if LIMITS.match(defined):
            yield f"{line}: the name of the limit {defined} begins with MAX_ or MIN_"
    yield from _bad_variables(tree, PACKAGE_VARIABLES)


def _bad_variables(tree: ast.Module, better: dict[str, str]) -> Iterator[str]:
    for line, variable in _variables(tree):
        if variable in better:
            yield f"{line}: a variable is not named {variable}: {better[variable]}"


def _words(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def _variables(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the variables that functions and modules assign, and parameters, each with its line; no attributes."""
    fields = {
        id(statement.target)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for statement in node.body
        if isinstance(statement, ast.AnnAssign)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in fields:
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name is not None:
            yield node.lineno, node.name


def _defined(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the classes and functions of a module and its constants, each with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name
    for statement in tree.body:
        if isinstance(statement, ast.AnnAssign | ast.Assign):
            for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
                if isinstance(target, ast.Name):
                    yield statement.lineno, target.id
