"""A history as a TOML file similar to PHH: facts, one action per line, the result, and the complete rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

from triptych.fair.record import DeckRecord
from triptych.notation.history.action_codec import step_text
from triptych.notation.history.model import History, HistoryResult, Viewer
from triptych.rulesets.text import to_toml

FORMAT: Final = "triptych 1"
_HEADING: Final = re.compile(r"^\[([a-z_.]+)\]$", re.MULTILINE)


def history_text(history: History) -> str:
    """Return a history as a file's text, which `parse_history` parses into the same history."""
    return "\n".join(_lines(history)) + "\n"


def _lines(history: History) -> Iterator[str]:
    yield "# A deal of Triptych. p1 sits left of the button, the last one on it; ?? is a card that was not seen."
    yield f"format = {_text(FORMAT)}"
    yield f"deal = {history.number}"
    yield from (f"{key} = {_text(value)}" for key, value in _facts(history) if value)
    yield f"seen_by = {_text(viewer_text(history.seen_by))}"
    yield f"players = {_list(history.players)}"
    yield f"seats = {_list([hand.seat for hand in history.hands])}"
    yield f"fantasyland = {_list([hand.fantasyland for hand in history.hands])}"
    yield f"in_row = {_list([hand.in_row for hand in history.hands])}"
    if history.stacks:
        yield f"stacks = {_list(history.stacks)}"
    if history.stakes:
        yield f"stakes = {_list(history.stakes)}"
    yield from ("actions = [", *(f"  {_text(step_text(step))}," for step in history.steps), "]")
    if history.result is not None:
        yield from ("", "[result]", *_result_lines(history.result))
    if history.fair is not None:
        yield from ("", "[fair]", *_fair_lines(history.fair))
    yield from ("", "[rules]", _HEADING.sub(r"[rules.\1]", to_toml(history.rules)).rstrip("\n"))


def _facts(history: History) -> Iterator[tuple[str, str]]:
    yield "table", history.table
    yield "started", history.started


def _result_lines(result: HistoryResult) -> Iterator[str]:
    for key in result.__struct_fields__:
        values = getattr(result, key)
        if values:
            yield f"{key} = {_list(values)}"


def _fair_lines(fair: DeckRecord) -> Iterator[str]:
    """Yield the record of the deck; docs/explanation/fairness.md explains its keys."""
    yield f"table = {_text(fair.table)}"
    yield from (f"number = {fair.number}", f"size = {fair.size}")
    yield from (f"roots = {_list(fair.roots)}", f"seeds = {_list(fair.seeds)}")
    links = (f'{{seat = {link.seat}, head = "{link.head}", link = "{link.link}"}}' for link in fair.links)
    yield f"links = [{', '.join(links)}]"
    yield "openings = ["
    for proof in fair.openings:
        yield f'  {{at = {proof.at}, card = "{proof.card}", salt = "{proof.salt}", path = {_list(proof.path)}}},'
    yield "]"


def viewer_text(seen_by: Viewer) -> str:
    """Return `all`, `spectator` or `seat 2`."""
    if isinstance(seen_by, int):
        return f"seat {seen_by}"
    return seen_by or "spectator"


def _list(values: Sequence[int | str]) -> str:
    return f"[{', '.join(_text(value) if isinstance(value, str) else str(value) for value in values)}]"


def _text(value: str) -> str:
    """Return a TOML basic string: as in JSON, except that TOML also needs DEL escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
