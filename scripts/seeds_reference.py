"""Write docs/rules/seeds.md: the statements of the source texts with their options or presets and their tests.

Run `python -m scripts.seeds_reference`. `--check` writes nothing: it fails when the page is stale, when a statement
has no test or an option that does not exist, and when a citation names a line without a rule. `--against FOLDER`
compares the statements with the texts themselves, for those who have them.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scripts import sources
from scripts.rules_reference import GENERATED
from triptych.rulesets.diff import value_at
from triptych.rulesets.errors import RulesError
from triptych.rulesets.load import preset_names, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scripts.sources import Place, Statement

PAGE: Final = sources.ROOT / "docs" / "rules" / "seeds.md"
_MAX_NAMED_PRESETS: Final = 3  # more are called "several presets", or each new preset would change the page


def page() -> str:
    """Return the text of the page."""
    return "\n".join([GENERATED.replace("rules_reference", "seeds_reference"), "", *_lines()]).rstrip() + "\n"


def problems() -> list[str]:
    """Return the problems of the page, the statements and the citations, one line each."""
    texts = sources.texts()
    lines = [*sources.problems(texts, sources.citations()), *sources.false_citations(texts)]
    if not PAGE.is_file() or PAGE.read_text("utf-8") != page():
        lines.append("docs/rules/seeds.md is stale: run python -m scripts.seeds_reference")
    return lines


def differences(folder: Path) -> list[str]:
    """Return the differences between the texts in a folder and the statements here, one line each."""
    lines = []
    for text in sources.texts():
        path = folder / text.file
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != text.sha256:
            lines.append(f"{text.name}: {text.file} is missing or differs")
        else:
            lines += sources.differences(text, path)
    return lines


def main() -> int:
    """Write the page, or return 1 when a check finds a problem."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--against", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    if not args.check and args.against is None:
        PAGE.write_text(page(), "utf-8")
        return 0
    found_problems = [*(problems() if args.check else []), *(differences(args.against) if args.against else [])]
    sys.stderr.writelines(f"{line}\n" for line in found_problems)
    return int(bool(found_problems))


def _lines() -> Iterator[str]:
    texts, citations = sources.texts(), sources.citations()
    count = sum(len(text.statements) for text in texts)
    yield "# Source texts"
    yield ""
    yield (
        f"For maintainers: the {count} statements of the {len(texts)} texts that the rules come from, summarised in "
        "our own words. Each has the [option](options.md) or [preset](presets.md) under which it holds, and the "
        "tests that cite it. A test cites a statement by text, line and number: `source 002 L31.4` is the fourth "
        "statement of line 31 of text 002."
    )
    for text in texts:
        yield from ("", f"## Text {text.name}", "", f"`{text.file}`, {text.lines} lines.", "")
        yield from ("| Line | Statement | Option or preset | Tests |", "| --- | --- | --- | --- |")
        yield from (_row(statement, citations) for statement in text.statements)
        other_lines = (f"{_span(place)} ({content})" for place, content in text.other_lines.items())
        yield from ("", f"Lines without a rule: {', '.join(other_lines)}.")


def _row(statement: Statement, citations: Mapping[str, set[Place]]) -> str:
    summary = statement.summary + (f" *({statement.interpretation})*" if statement.interpretation else "")
    tests = [
        f"`{name}`"
        for name, places in citations.items()
        if any(sources.covers(place, statement.place) for place in places)
    ]
    return f"| {statement.line_reference} | {summary} | {_options_text(statement.options)} | {'<br>'.join(tests)} |"


def _options_text(options: Mapping[str, object]) -> str:
    if not options:
        return "always"
    settings = [
        f"preset `{value}`" if key == "preset" else f"`{key} = {_plain(value)}`" for key, value in options.items()
    ]
    if "preset" in options:
        return ", ".join(settings)
    try:
        rules = resolve(options)
    except RulesError:
        return ", ".join(settings)
    presets = [
        f"`{name}`"
        for name in preset_names()
        if all(value_at(resolve(name), key) == value_at(rules, key) for key in options)
    ]
    if len(presets) == len(preset_names()):
        scope = "every preset"
    elif len(presets) > _MAX_NAMED_PRESETS:
        scope = "several presets"
    else:
        scope = ", ".join(presets) or "custom rules"
    return f"{', '.join(settings)}: {scope}"


def _plain(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(_plain, value))}]"
        case _:
            return str(value)


def _span(place: Place) -> str:
    return f"L{place.first}" + (f"-{place.last}" if place.last > place.first else "")


if __name__ == "__main__":
    sys.exit(main())
