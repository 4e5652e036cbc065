"""Whether names and docstrings are in plain words: `problems` lists what is not (`python -m scripts.check words`).

The words here are those that the project gave up: no file, definition or variable is named by them, no
docstring or comment uses them.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# No class, function, constant or module is named by one of these; what to say instead.
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
    **dict.fromkeys(("one", "ones", "these", "those"), "what it is: seat, placement, row"),
    **dict.fromkeys(("counted", "heard", "seen", "shown"), "what it is: total, message, view"),
    **dict.fromkeys(("evening", "evenings"), "session"),
    **dict.fromkeys(("hall", "house", "houses"), "server, cluster, hub"),
    **dict.fromkeys(("land", "lands"), "fantasyland, fantasylands"),
    **dict.fromkeys(("shelf", "shelves"), "directory"),
    **dict.fromkeys(("tongue", "turnstile"), "language, limiter"),
}
# Besides the package, the folders that are checked; their limits are not.
FOLDERS: Final = ("bench", "scripts", "tests")
# Besides NAMES, no file, class or function of these folders is named by one of these.
FOLDER_NAMES: Final = {
    **NAMES,
    "hall": "hub",
    "heard": "received",
    "house": "server, cluster, custom rules",
    "whoever": "who",
}
# In C++, no name is one of these words or contains it; what to name it by instead.
NATIVE_NAMES: Final = {
    **dict.fromkeys(("asked", "heard"), "query, request, on_line"),
    **dict.fromkeys(("foresee", "foreseen"), "look ahead"),
    **dict.fromkeys(("found", "told"), "result, field, visit"),
    **dict.fromkeys(("guests", "hope", "hopes", "invite"), "objective variant, candidate"),
    **dict.fromkeys(("land", "lands"), "fantasyland, fantasylands"),
    **dict.fromkeys(("playout", "playouts"), "rollout"),
    **dict.fromkeys(("question", "questions"), "request, query, case"),
    "slip": "mistake, greedy choice",
}
# Limits begin with max_ or min_.
_NATIVE_LIMITS: Final = re.compile(r"(?:most|least|fewest|largest|longest|deepest)_[a-z_]*[a-z]")
_NATIVE_TEXT: Final = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*')
# House rules and the full house are the game's own words. bench/floor.py measures a lower bound: its results are
# published under that name.
_TERMS: Final = re.compile(r"(?i)house_?rules?|full_?house")
ALLOWED: Final = {"bench/floor.py": {"floor"}}
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
    r"(?i)\b(that|this|what|which) is no (?!(better|less|longer|more|one|worse)\b)": "is not a",
}


_PHRASE: Final = re.compile("|".join(f"(?:{phrase.removeprefix('(?i)')})" for phrase in PHRASES), re.IGNORECASE)
# These name the words themselves.
LISTS: Final = {"scripts/prose.py", "scripts/tests/test_prose.py", "scripts/tests/test_words.py", "scripts/words.py"}
# Of VARIABLES, what no constant, variable or parameter of the client is named by.
CLIENT_VARIABLES: Final = (
    *("asked", "counted", "found", "given", "got", "heard", "kept", "known", "made", "one", "ones", "said", "seen"),
    *("shown", "these", "those", "told"),
)
_CLIENT_WORD: Final = rf"({'|'.join(CLIENT_VARIABLES)})\b"
_CLIENT_VARIABLE: Final = re.compile(
    rf"\b(?:const|let) {_CLIENT_WORD}"
    rf"|\{{#each [^}}]*\bas {_CLIENT_WORD}"
    rf"|\((?:[^(){{}}]*, )?{_CLIENT_WORD}(?:[,:?][^(){{}}]*)?\)(?:: [^=]*)? =>"
)
# What a file without any of the words cannot match: parsing all files takes seconds.
_GIVEN_UP: Final = re.compile(
    rf"(?im)\b(?:{'|'.join(VARIABLES)})\b(?=\s*(?:[,:=)]|in\b))"
    rf"|\b(?:def|class) \w*(?:{'|'.join(FOLDER_NAMES)})|^\w*(?:{'|'.join(FOLDER_NAMES)})\w*\s*[:=]"
)


def problems(root: Path) -> Iterator[str]:
    """Yield what is not in plain words, one line each."""
    for file in sorted((root / "src" / "triptych").rglob("*.py")):
        name = file.relative_to(root).as_posix()
        text = file.read_text("utf-8")
        yield from _bad_parts(name, file.relative_to(root / "src"), NAMES)
        tree = ast.parse(text)
        yield from (f"{name}:{problem}" for problem in (*_bad_names(tree, NAMES), *_bad_limits(tree)))
        yield from (f"{name}:{problem}" for problem in _bad_variables(tree))
        yield from _bad_phrases(name, text)
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.py")):
            name, text = file.relative_to(root).as_posix(), file.read_text("utf-8")
            given_up = {word: advice for word, advice in FOLDER_NAMES.items() if word not in ALLOWED.get(name, ())}
            yield from _bad_parts(name, file.relative_to(root), given_up)
            if _GIVEN_UP.search(text):
                tree = ast.parse(text)
                yield from (f"{name}:{problem}" for problem in (*_bad_names(tree, given_up), *_bad_variables(tree)))
            if name not in LISTS:
                yield from _bad_phrases(name, text)
    for file in sorted((root / "native").rglob("*.[ch]pp")):
        name, text = file.relative_to(root).as_posix(), file.read_text("utf-8")
        yield from _bad_parts(name, file.relative_to(root), NATIVE_NAMES)
        yield from (f"{name}:{problem}" for problem in _bad_native_names(text))
        yield from _bad_phrases(name, text)

    for file in sorted((root / "client" / "src").rglob("*")):
        name = file.relative_to(root).as_posix()
        if file.suffix in (".ts", ".svelte") and not {"generated", "paraglide"} & set(file.parts):
            yield from (f"{name}:{problem}" for problem in _bad_client_variables(file.read_text("utf-8")))


def _bad_client_variables(text: str) -> Iterator[str]:
    """Yield the constants, variables and parameters of arrow functions of a client file that are not plain."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in _CLIENT_VARIABLE.finditer(line):
            word = match[match.lastindex or 0]
            yield f"{number}: a variable is not named {word}: {VARIABLES[word]}"


def _bad_native_names(text: str) -> Iterator[str]:
    """Yield the names in the code of a C++ file, without its texts and comments, that are not plain."""
    for number, line in enumerate(text.splitlines(), 1):
        for name in dict.fromkeys(re.findall(r"[A-Za-z_]\w*", _NATIVE_TEXT.sub("", line))):
            for word in sorted(_words(name) & NATIVE_NAMES.keys()):
                yield f"{number}: {name} is named by {word}: {NATIVE_NAMES[word]}"
            if _NATIVE_LIMITS.fullmatch(name):
                yield f"{number}: the name of the limit {name} begins with max_ or min_"


def _bad_phrases(name: str, text: str) -> Iterator[str]:
    if _PHRASE.search(text):
        for number, line_text in enumerate(text.splitlines(), 1):
            for phrase, better in PHRASES.items():
                if re.search(phrase, line_text):
                    yield f"{name}:{number}: say {better}"


def _bad_parts(name: str, path: Path, better: dict[str, str]) -> Iterator[str]:
    for part in path.with_suffix("").parts:
        yield from (
            f"{name}: a module is not named {word}: {better[word]}"
            for word in _words(_TERMS.sub("", part)) & better.keys()
        )


def _bad_names(tree: ast.Module, better: dict[str, str]) -> Iterator[str]:
    for line, defined in _defined(tree):
        for word in sorted(_words(_TERMS.sub("", defined)) & better.keys()):
            yield f"{line}: {defined} is named by {word}: {better[word]}"


def _bad_limits(tree: ast.Module) -> Iterator[str]:
    for line, defined in _defined(tree):
        if LIMITS.match(defined):
            yield f"{line}: the name of the limit {defined} begins with MAX_ or MIN_"


def _bad_variables(tree: ast.Module) -> Iterator[str]:
    for line, variable in _variables(tree):
        if variable in VARIABLES:
            yield f"{line}: a variable is not named {variable}: {VARIABLES[variable]}"


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
