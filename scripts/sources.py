"""What the source texts state, and which tests cite what: the data of `seeds_reference`.

Statements stand in tests/rulesets/statements, one file a text. A test cites them in its docstring, a comment or a
case of its parameters, a worked case in its `source`: `source 002 L31.4` is the fourth statement of line 31, `source
000 L17.1, L212` two, `source 002 L62-96` a table; a line with several statements is shown only by naming which.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from triptych.rulesets.diff import value_at
from triptych.rulesets.errors import RulesError
from triptych.rulesets.load import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

ROOT: Final = Path(__file__).parents[1]
STATEMENTS: Final = ROOT / "tests" / "rulesets" / "statements"

_PLACE: Final = r"L\d+(?:\.\d+)?(?:-\d+)?"
_CITED: Final = re.compile(rf"\b(00\d) ({_PLACE}(?:(?:, | and ){_PLACE})*)")
_KEY: Final = re.compile(r"L?(\d+)(?:\.(\d+))?(?:-(\d+))?")
_WHERE_CITED: Final = ("src/triptych", "native", "client/src", "tests", "docs")
_TEXTS: Final = frozenset({".py", ".toml", ".jsonl", ".json", ".md", ".hpp", ".cpp", ".ts", ".svelte", ".txt"})
# That two readings are rules which a table can play shows neither of them.
_NOT_SHOWING: Final = frozenset({"rulesets/test_seeds.py"})
_MANY_WORDS: Final = 6  # as many in a row are a sentence of the text, not ours


class Place(NamedTuple):
    """Lines of a text, or one statement of a line that has several (`number` to `until`; 0: the line itself)."""

    text: str
    first: int
    last: int
    number: int = 0
    until: int = 0


class Statement(NamedTuple):
    """What a text says at a place, in our words.

    `plays`: the rules under which it holds, empty where it always does. `reading`: how it is understood where the
    text leaves a doubt.
    """

    place: Place
    says: str
    plays: Mapping[str, object]
    reading: str

    @property
    def where(self) -> str:
        """The line or lines, as a citation names them."""
        lines = f"L{self.place.first}" + (f"-{self.place.last}" if self.place.last > self.place.first else "")
        return lines + (f".{self.place.number}" if self.place.number else "")


class Text(NamedTuple):
    """A source text: its statements in order, and the lines that state no rule with what they are instead."""

    name: str
    file: str
    sha256: str
    lines: int
    blank: frozenset[int]
    statements: tuple[Statement, ...]
    silent: Mapping[Place, str]


def texts(folder: Path = STATEMENTS) -> tuple[Text, ...]:
    """Return what every text states, by the names of the texts."""
    return tuple(read(path.stem, tomllib.loads(path.read_text("utf-8"))) for path in sorted(folder.glob("*.toml")))


def read(name: str, document: dict[str, Any]) -> Text:
    """Return what a text states from its file in tests/rulesets/statements. Raises KeyError, ValueError."""
    blank = (_place(name, part) for part in document["blank"].split())
    return Text(
        name=name,
        file=document["file"],
        sha256=document["sha256"],
        lines=document["lines"],
        blank=frozenset(line for part in blank for line in range(part.first, part.last + 1)),
        statements=tuple(_statement(name, key, value) for key, value in document["says"].items()),
        silent={_place(name, key): what for key, what in document["none"].items()},
    )


def cited(text: str) -> set[Place]:
    """Return what a piece of prose cites, also over the ends of lines."""
    plain = re.sub(r"\s*\n\s*(?:#|//|\*)?\s*", " ", text)
    return {_place(match[1], place) for match in _CITED.finditer(plain) for place in re.findall(_PLACE, match[2])}


def marks(folder: Path = ROOT / "tests") -> dict[str, set[Place]]:
    """Return what each test and each worked case below a folder cites, by its name there."""
    by_test: dict[str, set[Place]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        name = path.relative_to(folder).as_posix()
        if name in _NOT_SHOWING:
            continue
        by_test |= {
            f"{name}::{test}": places for test, places in _of_tests(path.read_text("utf-8")).items() if places
        }
    for path in sorted(folder.rglob("*.jsonl")):
        name = path.relative_to(folder).as_posix()
        for line in path.read_text("utf-8").splitlines():
            case = json.loads(line)
            places = cited(str(case.get("source", "")))
            if places:
                by_test[f"{name} {case['in']['id']}"] = places
    return by_test


def shows(cite: Place, statement: Place) -> bool:
    """Return whether who cites a place shows a statement: all its lines, and its number where there are several."""
    if cite.text != statement.text or not cite.first <= statement.first <= statement.last <= cite.last:
        return False
    return cite.number <= statement.number <= cite.until


def problems(sources: Iterable[Text], tests: Mapping[str, set[Place]]) -> Iterator[str]:
    """Say what is wrong: lines left out, statements that no test shows, options that do not exist."""
    everywhere = {place for places in tests.values() for place in places}
    for text in sources:
        yield from _uncovered(text)
        for statement in text.statements:
            where = f"{text.name} {statement.where}"
            unknown = _unknown(statement.plays)
            if unknown:
                yield f"{where}: {unknown}"
            if not any(shows(place, statement.place) for place in everywhere):
                yield f"{where}: no test cites it: {statement.says}"


def false_citations(sources: Iterable[Text], root: Path = ROOT) -> Iterator[str]:
    """Name every citation in the repository's files of a place where the texts state no rule."""
    all_texts = tuple(sources)
    for path in sorted(path for part in _WHERE_CITED for path in (root / part).rglob("*")):
        if path.suffix in _TEXTS and path.is_file():
            for place in sorted(cited(path.read_text("utf-8"))):
                if not any(_meets(place, statement.place) for text in all_texts for statement in text.statements):
                    yield f"{path.relative_to(root)}: {_cite(place)} states no rule"


def differences(text: Text, path: Path) -> Iterator[str]:
    """Say where a text itself is not what we wrote down of it: its lines, the blank ones, sentences taken from it."""
    lines = path.read_text("utf-8").splitlines()
    blank = {number for number, line in enumerate(lines, 1) if not line.strip()}
    if len(lines) != text.lines or blank != text.blank:
        yield f"{text.name}: {path.name} has other lines"
    theirs = _words(" ".join(lines))
    runs = {tuple(theirs[start : start + _MANY_WORDS]) for start in range(len(theirs))}
    for statement in text.statements:
        ours = _words(f"{statement.says} ; {statement.reading}")
        for start in range(len(ours) - _MANY_WORDS + 1):
            if tuple(ours[start : start + _MANY_WORDS]) in runs:
                yield f"{text.name} {statement.where}: in the words of the text"
                break


def _statement(name: str, key: str, value: str | dict[str, Any]) -> Statement:
    fields: dict[str, Any] = {"says": value} if isinstance(value, str) else value
    return Statement(
        place=_place(name, key),
        says=fields["says"],
        plays=fields.get("plays", {}),
        reading=fields.get("reading", ""),
    )


def _place(text: str, key: str) -> Place:
    match = _KEY.fullmatch(key)
    if match is None:
        raise ValueError(f"{text}: {key!r} names no line")
    first, number, last = int(match[1]), int(match[2] or 0), int(match[3] or 0)
    if number:
        return Place(text, first, first, number, last or number)
    return Place(text, first, last or first)


def _cite(place: Place) -> str:
    number = f".{place.number}" if place.number else ""
    last = place.until if place.until > place.number else place.last if place.last > place.first else 0
    return f"{place.text} L{place.first}{number}" + (f"-{last}" if last else "")


def _meets(cite: Place, statement: Place) -> bool:
    if cite.text != statement.text or cite.last < statement.first or statement.last < cite.first:
        return False
    return not cite.number or cite.number <= statement.number <= cite.until


def _uncovered(text: Text) -> Iterator[str]:
    ruled = {line for statement in text.statements for line in range(statement.place.first, statement.place.last + 1)}
    silent = [line for place in text.silent for line in range(place.first, place.last + 1)]
    for line in range(1, text.lines + 1):
        if (line in ruled) + silent.count(line) + (line in text.blank) != 1:
            yield f"{text.name} L{line}: stands in none or in several of says, none and blank"
    numbers: dict[int, list[int]] = {}
    for statement in text.statements:
        numbers.setdefault(statement.place.first, []).append(statement.place.number)
    for line, ordinals in numbers.items():
        if ordinals not in ([0], list(range(1, len(ordinals) + 1))) or ordinals == [1]:
            yield f"{text.name} L{line}: its statements are numbered {ordinals}"


def _unknown(plays: Mapping[str, object]) -> str:
    if not plays:
        return ""
    try:
        rules = resolve(plays)
        for key in plays.keys() - {"preset"}:
            value_at(rules, key)
    except RulesError as error:
        return f"{error.path}: {error.message}"
    return ""


def _of_tests(source: str) -> dict[str, set[Place]]:
    """Return what each test of a file cites, with the tables that its parameters or its loops' cases come from."""
    lines = source.splitlines()
    tree = ast.parse(source)
    values = {
        target.id: node
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    by_test = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            loops = [part.iter for part in ast.walk(node) if isinstance(part, ast.For)]
            tables = _named([*node.decorator_list, *loops], values)
            by_test[node.name] = set().union(*(cited(_written(lines, part)) for part in (node, *tables)))
    return by_test


def _named(nodes: Iterable[ast.AST], values: Mapping[str, ast.stmt]) -> list[ast.stmt]:
    """Return the assignments whose names occur in some nodes, and in those assignments in turn."""
    statements: dict[str, ast.stmt] = {}
    left = list(nodes)
    while left:
        for part in ast.walk(left.pop()):
            if isinstance(part, ast.Name) and part.id in values and part.id not in statements:
                statements[part.id] = values[part.id]
                left.append(values[part.id])
    return list(statements.values())


def _written(lines: list[str], node: ast.stmt) -> str:
    """Return the lines of a statement with its decorators and the comment above it."""
    first = node.lineno - 1
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        first = min([node.lineno, *(part.lineno for part in node.decorator_list)]) - 1
    while first and lines[first - 1].startswith("#"):
        first -= 1
    return "\n".join(lines[first : node.end_lineno])


def _words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower())
