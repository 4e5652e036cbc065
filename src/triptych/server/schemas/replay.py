"""Bodies of the replay page, and what its jobs are asked."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from triptych.deal.view_types import DealView
from triptych.rulesets.model import Ruleset
from triptych.scoring.sheet.types import ScoreSheet
from triptych.store.types import StoredEvent
from triptych.table.state import TableState


class ReplayRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A deal's history as text, to be played again."""

    text: Annotated[str, Meta(max_length=60_000)]


class ReplayFrame(Struct, frozen=True):
    """The deal after an action, `at` milliseconds after its start; `hand` acted (None: the dealer)."""

    at: int
    text: str
    hand: int | None
    view: DealView


class Replay(Struct, frozen=True):
    """A finished deal, step by step, with the cards that `seen_by` knew and no others.

    `names` and `stacks` (points before the deal, may be empty) are by hand; `you` is the seat of the one who asks.
    `match` is 0 and `table` may be empty where they are not known; `started` in ISO 8601.
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
    """Which deal of a table is asked for, and by whom: a player's id, or one that is unknown for a spectator.

    `match` is the one under way, None between matches; `show_all`: every card is shown after it. `sealed`: others may
    still play these cards, so that only who played the deal reads it. `names`: by the name of a deleted player the
    one that is shown instead.
    """

    events: tuple[StoredEvent, ...]
    number: int
    player: str
    match: int | None
    show_all: bool
    sealed: bool = False
    names: dict[str, str] = {}


class TableSoFar(Struct, frozen=True):
    """A table after some of its events, and the rules of its last deal, by which the next events are read."""

    state: TableState
    rules: Ruleset | None


class DealsQuery(Struct, frozen=True):
    """Asks for the deals that a player has played, in a table's `events` that follow `before` (None: the first ones).

    `last`: no more events come. `names`: by the name of a deleted player the one that is shown instead.
    """

    before: TableSoFar | None
    events: tuple[StoredEvent, ...]
    player: str
    last: bool
    names: dict[str, str] = {}


class HistoryTexts(Struct, frozen=True):
    """Histories by the number of the deal; the events behind `after` are sent again with those that come next."""

    texts: dict[int, str]
    after: TableSoFar | None
