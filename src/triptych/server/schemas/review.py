"""What a review is asked with, and what a browser that reviews a deal by itself is told. The bodies, both ways."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from triptych.board import Layout
from triptych.server.schemas.analysis import AnalysisSetup
from triptych.server.wire.bodies import RulesSpec

Text = Annotated[str, Meta(max_length=60_000)]
Error = Annotated[float, Meta(ge=0.1, le=5)]
Seed = Annotated[int, Meta(ge=0, lt=2**32)]


class ReviewHand(Struct, frozen=True):
    """A hand of the deal. `result`: what the deal paid it, the next fantasylands counted at their value.

    `player` (base64) stands in place of the form's own for this hand, where its stacks do not reach for a whole
    fantasyland; `result` is null where nothing was learned for the rules.
    """

    name: str
    seat: int
    result: float | None
    player: str | None


class ReviewStreet(Struct, frozen=True):
    """A street as a hand had to place it: the position that its player saw, and what they did.

    `step`: the action's number in the history, from 0; `street` from 1, 0 in fantasyland. `in_row`: how many
    fantasylands in a row the hand's own one makes, 0 outside one.
    """

    step: int
    hand: int
    street: int
    position: str
    layout: Layout
    discards: tuple[str, ...]
    in_row: int


class ReviewSetup(Struct, frozen=True):
    """What a browser reviews a finished deal with: the streets of the hands whose cards the reader knows, no others.

    `rules`: as overrides on a preset, null for rules that are none. `stacks` (base64): what the kernel takes last in
    a position, the bounds of what is paid. `you`,
    `match` and `seen_by` as in a replay. `levels`: points lost a decision by levels of the bots, where they were
    measured by these rules.
    """

    table: str
    title: str
    match: int
    number: int
    you: int | None
    seen_by: Literal["all", "seat"]
    rules: dict[str, Any] | None
    analysis: AnalysisSetup
    stacks: str
    hands: tuple[ReviewHand, ...]
    streets: tuple[ReviewStreet, ...]
    levels: dict[str, float]


class ReviewSetupRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A deal's history as text, to be reviewed by the browser."""

    text: Text


class ReviewRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished deal to be reviewed here: a history as `text`, or a `deal` of a `table` as the asker knew it.

    `error`: standard error in points at which to stop thinking about a placement; the same seed, the same answer.
    """

    text: Text = ""
    table: str = ""
    deal: Annotated[int, Meta(ge=0)] = 0
    error: Error = 0.25
    seed: Seed = 1


class SavedReview(Struct, frozen=True, forbid_unknown_fields=True):
    """A review that an account keeps: `text` is the client's own, which no other program reads; empty without one."""

    text: Annotated[str, Meta(max_length=60_000)] = ""


class AnalysePositionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A position whose placements are to be measured here, as `triptych analyse` takes it.

    `hand`: whose decision it is, from 0, when no star marks it; `top`: so many of the best are measured to `error`.
    `stacks`, `point`, `prizes`: what everybody brought, in chips; the chips of a point; a tournament's prizes.
    """

    position: Annotated[str, Meta(max_length=2_000)]
    rules: RulesSpec = "pineapple"
    hand: int | None = None
    error: Error = 0.25
    top: Annotated[int, Meta(ge=1, le=8)] = 4
    seed: Seed = 1
    stacks: tuple[int, ...] = ()
    point: Annotated[int, Meta(ge=1)] = 1
    prizes: tuple[float, ...] = ()


class DecisionQuery(Struct, frozen=True):
    """A street of a deal to be judged, by its place among those that were asked."""

    text: str
    index: int
    error: float
    seed: int
