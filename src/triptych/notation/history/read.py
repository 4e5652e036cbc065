"""Parse a history file; every error has a code, a message and a path."""

from __future__ import annotations

import re
from typing import Annotated, Final

from msgspec import Meta, Struct

from triptych.deal.state import HandStart
from triptych.fair.record import DeckRecord
from triptych.json_input import JsonInputError, convert_to
from triptych.notation.errors import NotationError
from triptych.notation.history.action_codec import parse_step
from triptych.notation.history.model import History, HistoryResult, Viewer
from triptych.notation.history.text import FORMAT
from triptych.rulesets.errors import RulesError
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset
from triptych.rulesets.toml import TomlError, parse_toml

_MAX_CHARS: Final = 1_000_000
_VIEWER: Final = re.compile(r"all|spectator|seat ([0-3])")
_Cards = Annotated[int, Meta(ge=0, le=17)]
_Hands = Meta(min_length=2, max_length=4)


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a history file."""

    format: str
    deal: Annotated[int, Meta(ge=0)]
    seen_by: str
    players: Annotated[tuple[str, ...], _Hands]
    seats: Annotated[tuple[Annotated[int, Meta(ge=0, le=3)], ...], _Hands]
    fantasyland: Annotated[tuple[_Cards, ...], _Hands]
    in_row: Annotated[tuple[Annotated[int, Meta(ge=0)], ...], _Hands]
    actions: tuple[str, ...]
    rules: dict[str, object]
    result: HistoryResult | None = None
    table: str = ""
    started: str = ""
    stacks: tuple[int, ...] = ()
    stakes: tuple[Annotated[int, Meta(ge=1)], ...] = ()
    fair: DeckRecord | None = None


def parse_history(text: str) -> History:
    """Parse a history without replaying it (see `replay.py`). Raises NotationError."""
    file = _file(text)
    match = _VIEWER.fullmatch(file.seen_by)
    if match is None:
        raise NotationError("history.key", "write all, spectator, or a seat such as 'seat 2'", "$.seen_by")
    count = len(file.players)
    for key in ("seats", "fantasyland", "in_row", *(("stacks",) if file.stacks else ())):
        if len(getattr(file, key)) != count:
            raise NotationError("history.players", f"there are {count} players; give one value each", f"$.{key}")
    if file.stakes and len(file.stakes) != count * (count - 1) // 2:
        raise NotationError("history.players", f"there are {count} players; give one stake a pair", "$.stakes")
    hands = tuple(
        HandStart(seat, cards, in_row)
        for seat, cards, in_row in zip(file.seats, file.fantasyland, file.in_row, strict=True)
    )
    history = History(
        number=file.deal,
        rules=_rules(file.rules),
        hands=hands,
        players=file.players,
        steps=tuple(parse_step(line, f"$.actions[{index}]") for index, line in enumerate(file.actions)),
        result=file.result,
        seen_by=_viewer(file.seen_by, match[1]),
        table=file.table,
        started=file.started,
        stacks=file.stacks,
        stakes=file.stakes,
        fair=file.fair,
    )
    _verify_steps(history)
    return history


def _file(text: str) -> _File:
    if len(text) > _MAX_CHARS:
        raise NotationError("history.toml", f"a history is shorter than {_MAX_CHARS} characters")
    try:
        document = parse_toml(text)
    except TomlError as error:
        raise NotationError("history.toml", f"not TOML: {error}") from None
    if document.get("format") != FORMAT:
        raise NotationError("history.format", f'write format = "{FORMAT}" at the top', "$.format")
    try:
        return convert_to(document, _File)
    except JsonInputError as error:
        raise NotationError("history.key", error.message, error.path) from None


def _rules(document: dict[str, object]) -> Ruleset:
    try:
        return resolve(document)
    except RulesError as error:
        raise NotationError("history.rules", error.message, "$.rules" + error.path.removeprefix("$")) from None


def _viewer(text: str, seat: str | None) -> Viewer:
    if seat is not None:
        return int(seat)
    return "all" if text == "all" else None


def _verify_steps(history: History) -> None:
    """Raise NotationError when a hand is unknown, or a time is earlier than the one before."""
    last_at = 0
    for index, step in enumerate(history.steps):
        if step.hand >= len(history.hands):
            raise NotationError("history.action", f"there are only {len(history.hands)} hands", f"$.actions[{index}]")
        if step.at < last_at:
            raise NotationError("history.time", "earlier than the action before", f"$.actions[{index}]")
        last_at = step.at
