"""`triptych rules`: list the presets, show rules as text or TOML, check a rules file."""

from __future__ import annotations

import sys

import msgspec
from cyclopts import App
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table

from triptych.cli.errors import report_error
from triptych.cli.options import File, SetRules, Switch
from triptych.cli.solve_arguments import read_rules
from triptych.errors import TriptychError
from triptych.rulesets.catalog import DEFAULT_PRESET
from triptych.rulesets.describe.sections import sections
from triptych.rulesets.diagnostics import Diagnostic
from triptych.rulesets.load import preset_names, read_toml, resolve
from triptych.rulesets.model import Ruleset
from triptych.rulesets.text import to_toml
from triptych.rulesets.validate import check
from triptych.text_files import read_text

app = App(name="rules", help="List the presets, read their rules, check your own.")

_COLOURS = {"error": "red", "warning": "yellow"}


@app.default
def show(
    preset: str | None = None,
    /,
    *,
    set_: SetRules = None,
    toml: Switch = False,
    words: Switch = False,
    json: Switch = False,
) -> int:
    """List the presets, or show the rules of one: in words and as TOML.

    Parameters
    ----------
    preset
        A preset; without it the list of all is printed.
    set_
        Change one option: key=value, such as scoring.rows=two_four. May be given many times.
    toml
        Only the TOML, in full.
    words
        Only the words.
    json
        The resolved rules as JSON.
    """
    console = Console(highlight=False)
    if preset is None and not set_:
        _list(console)
        return 0
    try:
        rules = read_rules(DEFAULT_PRESET if preset is None else preset, set_)
    except TriptychError as error:
        return report_error(error)
    if json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(rules), indent=2).decode() + "\n")
        return 0
    if words or not toml:
        _print_text(console, rules)
    if toml or not words:
        _print_toml(console, rules)
    return _report(check(rules))


@app.command(name="check")
def check_file(file: File, /) -> int:
    """Explain what is wrong with a rules file of your own; exit status 1 when a table would refuse it.

    Parameters
    ----------
    file
        A TOML file, which may extend a preset; - is standard input.
    """
    try:
        rules = read_toml(read_text(file))
    except TriptychError as error:
        return report_error(error)
    status = _report(check(rules))
    if status == 0:
        Console(highlight=False).print(f"{escape(rules.title or rules.name)}: these rules can be played.")
    return status


def _list(console: Console) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    for name in preset_names():
        rules = resolve(name)
        low, high = rules.seats.min, rules.seats.max
        players = f"{low} players" if low == high else f"{low} to {high} players"
        table.add_row(f"[bold]{name}[/]", rules.title, f"[dim]{players}[/]")
    console.print(table)


def _print_text(console: Console, rules: Ruleset) -> None:
    console.print(f"[bold]{escape(rules.title or rules.name)}[/]")
    for section in sections(rules):
        console.print(f"\n[bold cyan]{section.heading}[/]")
        for sentence in section.sentences:
            if console.is_terminal:
                console.print(Padding(escape(sentence), (0, 0, 0, 2)))
            else:
                console.print(f"  {escape(sentence)}", soft_wrap=True)


def _print_toml(console: Console, rules: Ruleset) -> None:
    if console.is_terminal:
        console.print()
        console.print(Syntax(to_toml(rules), "toml", background_color="default"))
    else:
        sys.stdout.write(to_toml(rules))


def _report(diagnostics: tuple[Diagnostic, ...]) -> int:
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    for diagnostic in diagnostics:
        label = f"[{_COLOURS[diagnostic.severity]}]{diagnostic.severity}[/]"
        console.print(f"{label}: {escape(diagnostic.path)}: {escape(diagnostic.message)} ({diagnostic.code})")
    return int(any(diagnostic.severity == "error" for diagnostic in diagnostics))
