"""The bodies of the replay page, both ways."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from triptych.deal.views import DealView
from triptych.score.sheet.shapes import ScoreSheet


class AskReplay(Struct, frozen=True, forbid_unknown_fields=True):
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
