"""The statements of the source texts and the tests that cite them: the data of `seeds_reference`.

The statements are in tests/rulesets/statements, one file for each text. A test cites them in its docstring, a comment
or a case of its parameters; a worked case cites them in its `source`. `source 002 L31.4` is the fourth statement of
line 31, `source 000 L17.1, L212` cites two, `source 002 L62-96` a table. A line with several statements is cited by
number.
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
_CITING_FOLDERS: Final = ("src/triptych", "native", "client/src", "tests", "docs")
_CITING_SUFFIXES: Final = frozenset(
    {".py", ".toml", ".jsonl", ".json", ".md", ".hpp", ".cpp", ".ts", ".svelte", ".txt"}
)
# A test that two readings of a text can both be played proves neither of them.
_NOT_COUNTED: Final = frozenset({"rulesets/test_source_readings.py"})
_MANY_WORDS: Final = 6  # so many in a row count as copied from the text


class Place(NamedTuple):
    """Lines of a text, or one statement of a line that has several (`number` to `until`; 0: the line itself)."""

    text: str
    first: int
    last: int
    number: int = 0
    until: int = 0


class Statement(NamedTuple):
    """A statement of a text at a place, summarised in our own words.

    `options`: the options or the preset under which it holds, empty where it always does. `interpretation`: how it is
    understood where the text is ambiguous.
    """

    place: Place
    summary: str
    options: Mapping[str, object]
    interpretation: str

    @property
    def line_reference(self) -> str:
        """The line or lines, as a citation names them."""
        span = f"L{self.place.first}" + (f"-{self.place.last}" if self.place.last > self.place.first else "")
        return span + (f".{self.place.number}" if self.place.number else "")


class Text(NamedTuple):
    """A source text: its statements in order, and its other lines, with what they contain instead of a rule."""

    name: str
    file: str
    sha256: str
    lines: int
    blank: frozenset[int]
    statements: tuple[Statement, ...]
    other_lines: Mapping[Place, str]


def texts(folder: Path = STATEMENTS) -> tuple[Text, ...]:
    """Return all source texts with their statements, ordered by name."""
    return tuple(read(path.stem, tomllib.loads(path.read_text("utf-8"))) for path in sorted(folder.glob("*.toml")))


def read(name: str, document: dict[str, Any]) -> Text:
    """Return a text with its statements from its file in tests/rulesets/statements. Raises KeyError, ValueError."""
    blank = (_place(name, part) for part in document["blank"].split())
    return Text(
        name=name,
        file=document["file"],
        sha256=document["sha256"],
        lines=document["lines"],
        blank=frozenset(line for part in blank for line in range(part.first, part.last + 1)),
        statements=tuple(_statement(name, key, value) for key, value in document["says"].items()),
        other_lines={_place(name, key): content for key, content in document["none"].items()},
    )


def find_citations(text: str) -> set[Place]:
    """Return the places that a piece of prose cites; a citation may continue on the next line."""
    plain = re.sub(r"\s*\n\s*(?:#|//|\*)?\s*", " ", text)
    return {_place(match[1], place) for match in _CITED.finditer(plain) for place in re.findall(_PLACE, match[2])}


def citations(folder: Path = ROOT / "tests") -> dict[str, set[Place]]:
    """Return the places cited by each test and each worked case below a folder, by its path and name."""
    by_test: dict[str, set[Place]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        name = path.relative_to(folder).as_posix()
        if name in _NOT_COUNTED:
            continue
        by_test |= {
            f"{name}::{test}": places
            for test, places in _citations_by_test(path.read_text("utf-8")).items()
            if places
        }
    for path in sorted(folder.rglob("*.jsonl")):
        name = path.relative_to(folder).as_posix()
        for line in path.read_text("utf-8").splitlines():
            case = json.loads(line)
            places = find_citations(str(case.get("source", "")))
            if places:
                by_test[f"{name} {case['in']['id']}"] = places
    return by_test


def covers(cite: Place, statement: Place) -> bool:
    """Return whether a citation covers a statement: all its lines, and its number where a line has several."""
    if cite.text != statement.text or not cite.first <= statement.first <= statement.last <= cite.last:
        return False
    return cite.number <= statement.number <= cite.until


def problems(sources: Iterable[Text], tests: Mapping[str, set[Place]]) -> Iterator[str]:
    """Yield each problem: lines left out, statements that no test cites, options that do not exist."""
    all_places = {place for places in tests.values() for place in places}
    for text in sources:
        yield from _line_problems(text)
        for statement in text.statements:
            prefix = f"{text.name} {statement.line_reference}"
            option_problem = _option_problem(statement.options)
            if option_problem:
                yield f"{prefix}: {option_problem}"
            if not any(covers(place, statement.place) for place in all_places):
                yield f"{prefix}: no test cites it: {statement.summary}"


def false_citations(sources: Iterable[Text], root: Path = ROOT) -> Iterator[str]:
    """Yield each citation in the repository's files of a place without a rule."""
    all_texts = tuple(sources)
    for path in sorted(path for part in _CITING_FOLDERS for path in (root / part).rglob("*")):
        if path.suffix in _CITING_SUFFIXES and path.is_file():
            for place in sorted(find_citations(path.read_text("utf-8"))):
                if not any(_overlaps(place, statement.place) for text in all_texts for statement in text.statements):
                    yield f"{path.relative_to(root)}: {_cite(place)} states no rule"


def differences(text: Text, path: Path) -> Iterator[str]:
    """Yield each difference between a text and its file here: lines, blank lines, and copied sentences."""
    lines = path.read_text("utf-8").splitlines()
    blank = {number for number, line in enumerate(lines, 1) if not line.strip()}
    if len(lines) != text.lines or blank != text.blank:
        yield f"{text.name}: {path.name} has other lines"
    text_words = _words(" ".join(lines))
    runs = {tuple(text_words[start : start + _MANY_WORDS]) for start in range(len(text_words))}
    for statement in text.statements:
        our_words = _words(f"{statement.summary} ; {statement.interpretation}")
        for start in range(len(our_words) - _MANY_WORDS + 1):
            if tuple(our_words[start : start + _MANY_WORDS]) in runs:
                yield f"{text.name} {statement.line_reference}: in the words of the text"
                break


def _statement(name: str, key: str, value: str | dict[str, Any]) -> Statement:
    fields: dict[str, Any] = {"says": value} if isinstance(value, str) else value
    return Statement(
        place=_place(name, key),
        summary=fields["says"],
        options=fields.get("plays", {}),
        interpretation=fields.get("reading", ""),
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


def _overlaps(cite: Place, statement: Place) -> bool:
    if cite.text != statement.text or cite.last < statement.first or statement.last < cite.first:
        return False
    return not cite.number or cite.number <= statement.number <= cite.until


def _line_problems(text: Text) -> Iterator[str]:
    with_rule = {
        line for statement in text.statements for line in range(statement.place.first, statement.place.last + 1)
    }
    others = [line for place in text.other_lines for line in range(place.first, place.last + 1)]
    for line in range(1, text.lines + 1):
        if (line in with_rule) + others.count(line) + (line in text.blank) != 1:
            yield f"{text.name} L{line}: is in none or in several of says, none and blank"
    numbers: dict[int, list[int]] = {}
    for statement in text.statements:
        numbers.setdefault(statement.place.first, []).append(statement.place.number)
    for line, ordinals in numbers.items():
        if ordinals not in ([0], list(range(1, len(ordinals) + 1))) or ordinals == [1]:
            yield f"{text.name} L{line}: its statements are numbered {ordinals}"


def _option_problem(options: Mapping[str, object]) -> str:
    if not options:
        return ""
    try:
        rules = resolve(options)
        for key in options.keys() - {"preset"}:
            value_at(rules, key)
    except RulesError as error:
        return f"{error.path}: {error.message}"
    return ""


def _citations_by_test(source: str) -> dict[str, set[Place]]:
    """Return the places cited by each test of a file and by the tables of its parameters and loops."""
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
            tables = _assignments_named_in([*node.decorator_list, *loops], values)
            by_test[node.name] = set().union(*(find_citations(_source_of(lines, part)) for part in (node, *tables)))
    return by_test


def _assignments_named_in(nodes: Iterable[ast.AST], values: Mapping[str, ast.stmt]) -> list[ast.stmt]:
    """Return the assignments whose names occur in some nodes, and in those assignments in turn."""
    statements: dict[str, ast.stmt] = {}
    remaining = list(nodes)
    while remaining:
        for part in ast.walk(remaining.pop()):
            if isinstance(part, ast.Name) and part.id in values and part.id not in statements:
                statements[part.id] = values[part.id]
                remaining.append(values[part.id])
    return list(statements.values())


def _source_of(lines: list[str], node: ast.stmt) -> str:
    """Return the lines of a statement with its decorators and the comment above it."""
    first = node.lineno - 1
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        first = min([node.lineno, *(part.lineno for part in node.decorator_list)]) - 1
    while first and lines[first - 1].startswith("#"):
        first -= 1
    return "\n".join(lines[first : node.end_lineno])


def _words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower())
