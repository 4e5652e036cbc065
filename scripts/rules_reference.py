"""Write the rules reference in docs/rules from presets, options and codes; `--check` fails when a page is stale.

Run `python -m scripts.rules_reference`.
"""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scripts.generated import run
from triptych import arguments, json_input
from triptych.arena import errors as arena_errors
from triptych.cards import RANKS
from triptych.deal import errors as deal_errors
from triptych.fair import errors as fair_errors
from triptych.game import errors as game_errors
from triptych.i18n.messages import Message
from triptych.notation import errors as notation_errors
from triptych.rulesets import errors
from triptych.rulesets import validate as check
from triptych.rulesets.catalog import preset_text, table_names
from triptych.rulesets.describe.fantasyland import describe_condition
from triptych.rulesets.describe.phrases import table_text
from triptych.rulesets.describe.sections import sections
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.options import OPTIONS, Option
from triptych.scoring import errors as score_errors
from triptych.server.wire import errors as server_errors
from triptych.solve import errors as solve_errors
from triptych.table import errors as room_errors
from triptych.tournament import errors as tournament_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triptych.rulesets.model import Fantasyland, FantasylandEntry, FantasylandRepeat, FiveRoyalties, LowRoyalties

FOLDER: Final = Path(__file__).parents[1] / "docs" / "rules"
GENERATED: Final = "<!-- Written by scripts/rules_reference.py; do not edit. -->"


def pages() -> dict[str, str]:
    """Return every page of the reference by its file name."""
    return {"presets.md": _presets(), "options.md": _options(), "tables.md": _tables(), "errors.md": _errors()}


def main() -> int:
    """Write the pages, or with `--check` answer 1 when one is stale."""
    return run(FOLDER, pages, "scripts.rules_reference", __doc__)


def _page(title: str, lines: Iterable[str]) -> str:
    return "\n".join([GENERATED, "", f"# {title}", "", *lines]).rstrip() + "\n"


def _row(cells: Iterable[object]) -> str:
    return f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield _row(heads)
    yield _row("---" for _ in heads)
    yield from map(_row, rows)
    yield ""


def _presets() -> str:
    return _page("Presets", _preset_lines())


def _preset_lines() -> Iterator[str]:
    yield (
        "Every preset is one file of [options](options.md). Play one as it is, change single options "
        "(`triptych rules PRESET --set key=value`), or write your own file that `extends` one."
    )
    yield ""
    rows = [(f"[`{name}`](#{name})", resolve(name).title) for name in preset_names()]
    yield from _table(("preset", "game"), rows)
    for name in preset_names():
        yield from (f"## {name}", "", f"**{resolve(name).title}**", "")
        for section in sections(resolve(name)):
            yield from (f"### {section.heading}", "", *(f"- {sentence}" for sentence in section.sentences), "")
        yield from ("### The file", "", "```toml", preset_text(name).rstrip(), "```", "")


def _options() -> str:
    return _page("Options", _option_lines())


def _option_lines() -> Iterator[str]:
    yield (
        'Every key of a rules file. Dotted keys and nested tables are the same thing: `scoring.rows = "two_four"` '
        "is `rows` under `[scoring]`. The default holds in a file that extends no preset."
    )
    yield ""
    yield (
        "Naming a table (`royalties.table`, `naturals.table`, `fantasyland.kind`) starts that table afresh; the keys "
        "beside the name change it. The [tables](tables.md) have a page of their own."
    )
    yield ""
    for group, options in groupby(OPTIONS, key=lambda option: option.group):
        yield from (f"## {group or 'Names'}", "")
        for option in options:
            yield from _option(option)


def _option(option: Option) -> Iterator[str]:
    yield from (f"### `{option.key}`", "", option.description, "")
    yield f"Value: {option.type_text}." + ("" if option.default is None else f" Default: `{_plain(option.default)}`.")
    yield ""
    if option.choices:
        yield from _table(
            ("choice", "meaning"), [(f"`{choice.value}`", choice.description) for choice in option.choices]
        )


def _plain(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case tuple():
            return f"[{', '.join(_plain(item) for item in value)}]"
        case "":
            return '""'
        case _:
            return str(value)


def _tables() -> str:
    return _page("Tables", _table_lines())


def _table_lines() -> Iterator[str]:
    yield from (
        "What strong rows and naturals earn, and how many cards a fantasyland has.",
        "",
    )
    yield from ("## Royalties", "")
    named = {name: resolve({"royalties.table": name}).royalties.table for name in table_names("royalties")}
    names = [name for name in named if name not in {"none", "custom"}]
    yield from (f"In a rules file: {', '.join(f'`{name}`' for name in names)}.", "")
    tables = {_heading(table_text(name)): named[name] for name in names}
    front: list[tuple[str, list[int]]] = [
        (rank * count, [getattr(table.front, place)[index] for table in tables.values()])
        for place, count in (("pair", 2), ("trips", 3))
        for index, rank in enumerate(RANKS)
    ]
    yield from _royalties("Front", tables, front)
    for place, title in (
        ("middle", "Middle"),
        ("low", "Middle in 2-7 games: the lowest hand wins"),
        ("back", "Back"),
    ):
        parts: list[FiveRoyalties | LowRoyalties] = [getattr(table, place) for table in tables.values()]
        fields = [field for field in parts[0].__struct_fields__ if field != "five_of_a_kind"]
        yield from _royalties(
            title, tables, [(_hand(field), [getattr(part, field) for part in parts]) for field in fields]
        )
    yield from ("With jokers, five of a kind earns as much as a royal flush.", "")
    yield from _natural_lines()
    yield from _land_lines()


def _royalties(title: str, tables: Iterable[str], rows: Iterable[tuple[str, list[int]]]) -> Iterator[str]:
    """Yield the royalties of a row, without hands that earn nothing in any table."""
    yield from (f"### {title}", "")
    paid = [(hand, *(points or "–" for points in row)) for hand, row in rows if any(row)]
    yield from _table(("hand", *tables), paid)


def _hand(field: str) -> str:
    lows = {"nine": "nine-low", "eight": "eight-low", "seven": "seven-low", "best": "75432"}
    return lows.get(field, field.replace("_", " "))


def _natural_lines() -> Iterator[str]:
    yield from ("## Naturals", "")
    yield from (
        "Thirteen cards that win without being set. When two players have one, each table says who is paid.",
        "",
    )
    for name in table_names("naturals"):
        table = resolve({"naturals.table": name}).naturals.table
        if table.entries:
            wins = "The difference is paid" if table.rule == "difference" else "Only the higher one is paid"
            yield from (
                f"### {_heading(table_text(name))}",
                "",
                f"In a rules file: `{name}`. {wins}.",
                "",
            )
            named = [
                (Message(f"rules.natural.{entry.kind}"), f"`{entry.kind}`", entry.units) for entry in table.entries
            ]
            yield from _table(("natural", "in a rules file", "units"), named)


def _land_lines() -> Iterator[str]:
    yield from ("## Fantasyland", "", "How many cards a hand brings; *again* is from within a fantasyland.", "")
    kinds = [name for name in table_names("fantasyland") if name not in {"none", "custom"}]
    fantasylands = [resolve({"fantasyland.kind": name}).fantasyland for name in kinds]
    yield from _table(
        ("kind", "in a rules file", "entry: cards", "again: cards", "at most in a row"),
        [
            (
                _heading(table_text(fantasyland.kind)),
                f"`{fantasyland.kind}`",
                _ways(fantasyland.entry),
                _ways(fantasyland.repeat),
                _limit(fantasyland),
            )
            for fantasyland in fantasylands
        ],
    )


def _limit(fantasyland: Fantasyland) -> object:
    return "no limit" if fantasyland.repeat_limit == "none" else fantasyland.repeat_limit


def _heading(name: str) -> str:
    return name[:1].upper() + name[1:]


def _ways(conditions: Sequence[FantasylandEntry | FantasylandRepeat]) -> str:
    return "; ".join(f"{describe_condition(condition)}: {condition.cards}" for condition in conditions) or "–"


def _errors() -> str:
    return _page("Errors and warnings", _error_lines())


def _error_lines() -> Iterator[str]:
    yield "Every error has a code, a message and a path into what was given. This is the only list of codes."
    yield ""
    yield from ("## Files that cannot be read", "")
    yield from _table(("code", "meaning"), [(f"`{code}`", text) for code, text in errors.CODES.items()])
    yield from ("## Rules that contradict themselves", "")
    yield from ("An error makes a table refuse the rules; a warning is shown to whoever edits them.", "")
    yield from _table(("code", "meaning"), [(f"`{code}`", text) for code, text in check.CODES.items()])
    for title, codes in (
        ("Requests that a table refuses", room_errors.CODES),
        ("Moves that a deal refuses", deal_errors.CODES),
        ("What a deal or a match of the library refuses besides", game_errors.CODES),
        ("Requests that a tournament refuses", tournament_errors.CODES),
        ("Requests that the server refuses", server_errors.CODES),
        ("Boards, positions and histories that cannot be read", notation_errors.CODES),
        ("Lines that cannot be scored", score_errors.CODES),
        ("Questions that cannot be solved or analysed", solve_errors.CODES),
        ("Proofs that do not hold", fair_errors.CODES),
        ("Matches between bots", arena_errors.CODES),
        ("Arguments of the library", arguments.CODES),
        ("JSON that cannot be read", json_input.CODES),
    ):
        yield from (f"## {title}", "")
        yield from _table(("code", "meaning"), [(f"`{code}`", text) for code, text in sorted(codes.items())])


if __name__ == "__main__":
    sys.exit(main())
