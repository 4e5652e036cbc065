"""The bodies of the replay page, and the queries of its jobs."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from triptych.deal.view_types import DealView
from triptych.rulesets.model import Ruleset
from triptych.scoring.sheet.types import ScoreSheet
from triptych.store.types import StoredEvent
from triptych.table.state import TableState


class ReplayRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A deal's history as text, to replay."""

    text: Annotated[str, Meta(max_length=60_000)]


class ReplayFrame(Struct, frozen=True):
    """The deal after an action, `at` milliseconds after its start; `hand` acted (None: the dealer)."""

    at: int
    text: str
    hand: int | None
    view: DealView


class Replay(Struct, frozen=True):
    """A finished deal, step by step, with the cards that `seen_by` knew and no others.

    `names` and `stacks` (points before the deal, may be empty) are by hand; `you`: the seat of the requesting player.
    `match` is 0 and `table` empty if unknown; `started` in ISO 8601.
    """

    table: str
    title: str
    match: int
    number: int
    started: str
    names: tuple[str, ...]
    stacks: tuple[int, ...]
    you: int | None
    seen_by: Literal["all", "seat", "spectator"]
    frames: tuple[ReplayFrame, ...]
    sheet: ScoreSheet | None


class DealQuery(Struct, frozen=True):
    """A query for a deal of a table by a player (id; an unknown id is a spectator).

    `match`: the match in progress, None between matches; `show_all`: every card is shown after it. `sealed`: others
    may still play these cards, so only the deal's players may read it. `names`: by the name of a deleted player, the
    name to show instead.
    """

    events: tuple[StoredEvent, ...]
    number: int
    player: str
    match: int | None
    show_all: bool
    sealed: bool = False
    names: dict[str, str] = {}


class TableSoFar(Struct, frozen=True):
    """A table after some of its events, and the rules of its last deal, for decoding the next events."""

    state: TableState
    rules: Ruleset | None


class DealsQuery(Struct, frozen=True):
    """A query for a player's deals in a table's `events` that follow `before` (None: from the first event on).

    `last`: no more events follow. `names`: by the name of a deleted player, the name to show instead.
    """

    before: TableSoFar | None
    events: tuple[StoredEvent, ...]
    player: str
    last: bool
    names: dict[str, str] = {}


class HistoryTexts(Struct, frozen=True):
    """Histories by the number of the deal; the events after `after` have to be sent again with the next ones."""

    texts: dict[int, str]
    after: TableSoFar | None
