"""Write docs/rules/seeds.md: what the source texts state, what plays it, which tests show it.

Run `python -m scripts.seeds_reference`. `--check` writes nothing: it fails when the page is stale, when a statement
has no test or an option that does not exist, and when a citation names a line without a rule. `--against FOLDER`
compares what is written here of the texts with the texts themselves, where one has them.
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
_FEW: Final = 3  # presets that are named; of more the page says so, or each new one would change it


def page() -> str:
    """Return the page as it should stand."""
    return "\n".join([GENERATED.replace("rules_reference", "seeds_reference"), "", *_lines()]).rstrip() + "\n"


def problems() -> list[str]:
    """Say what is wrong with the page, the statements and the citations, one line each; empty when all is well."""
    texts = sources.texts()
    lines = [*sources.problems(texts, sources.marks()), *sources.false_citations(texts)]
    if not PAGE.is_file() or PAGE.read_text("utf-8") != page():
        lines.append("docs/rules/seeds.md is stale: run python -m scripts.seeds_reference")
    return lines


def differences(folder: Path) -> list[str]:
    """Say where the texts in a folder are not those whose statements stand here."""
    lines = []
    for text in sources.texts():
        path = folder / text.file
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != text.sha256:
            lines.append(f"{text.name}: {text.file} is missing or another text")
        else:
            lines += sources.differences(text, path)
    return lines


def main() -> int:
    """Write the page, or answer 1 when a check finds something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--against", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    if not args.check and args.against is None:
        PAGE.write_text(page(), "utf-8")
        return 0
    wrong = [*(problems() if args.check else []), *(differences(args.against) if args.against else [])]
    sys.stderr.writelines(f"{line}\n" for line in wrong)
    return int(bool(wrong))


def _lines() -> Iterator[str]:
    texts, tests = sources.texts(), sources.marks()
    count = sum(len(text.statements) for text in texts)
    yield "# The source texts, statement by statement"
    yield ""
    yield (
        f"The rules come from {len(texts)} texts. Here is each of their {count} statements in a few words of ours, "
        "the [option](options.md) or [preset](presets.md) that plays it (none: it always holds), and the tests that "
        "show it, as they cite it themselves: `source 002 L31.4` is the fourth statement of line 31 of text 002. "
        "Every "
        "other line is listed as stating no rule."
    )
    for text in texts:
        yield from ("", f"## {text.name}", "", f"`{text.file}`, {text.lines} lines.", "")
        yield from ("| line | statement | played by | shown by |", "| --- | --- | --- | --- |")
        yield from (_row(statement, tests) for statement in text.statements)
        silent = (f"{_span(place)} ({what})" for place, what in text.silent.items())
        yield from ("", f"No rule: {', '.join(silent)}.")


def _row(statement: Statement, tests: Mapping[str, set[Place]]) -> str:
    says = statement.says + (f" *({statement.reading})*" if statement.reading else "")
    cited = [
        f"`{name}`"
        for name, places in tests.items()
        if any(sources.shows(place, statement.place) for place in places)
    ]
    return f"| {statement.where} | {says} | {_played(statement.plays)} | {'<br>'.join(cited)} |"


def _played(plays: Mapping[str, object]) -> str:
    if not plays:
        return "always"
    chosen = [
        f"preset `{value}`" if key == "preset" else f"`{key} = {_plain(value)}`" for key, value in plays.items()
    ]
    if "preset" in plays:
        return ", ".join(chosen)
    try:
        rules = resolve(plays)
    except RulesError:
        return ", ".join(chosen)
    there = [
        f"`{name}`"
        for name in preset_names()
        if all(value_at(resolve(name), key) == value_at(rules, key) for key in plays)
    ]
    if len(there) == len(preset_names()):
        where = "every preset"
    elif len(there) > _FEW:
        where = "several presets"
    else:
        where = ", ".join(there) or "custom rules"
    return f"{', '.join(chosen)}: {where}"


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
