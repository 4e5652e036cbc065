"""The bodies of reviews: requests, and the set-up data with which a browser reviews a deal itself."""

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
    """A hand of the deal. `result`: its payments in the deal, with the next fantasylands at their value.

    `player` (base64) replaces that of the analysis for this hand, if its stacks do not suffice for a whole
    fantasyland; `result` is null if there are no weights for the rules.
    """

    name: str
    seat: int
    result: float | None
    player: str | None


class ReviewStreet(Struct, frozen=True):
    """A street of a hand: the position that its player saw, and their placement.

    `step`: the action's number in the history, from 0; `street`: from 1, 0 in fantasyland. `in_row`: how many
    fantasylands in a row this is for the hand, 0 outside fantasyland.
    """

    step: int
    hand: int
    street: int
    position: str
    layout: Layout
    discards: tuple[str, ...]
    in_row: int


class ReviewSetup(Struct, frozen=True):
    """The data with which a browser reviews a finished deal: the hands whose cards the reader knows.

    `rules`: as overrides on a preset, or null. `stacks` (base64): the limits of payments, the kernel's last input for
    a position. `you`, `match` and `seen_by` as in a replay. `levels`: points lost per decision by bot level, if
    measured under these rules.
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
    """A deal's history as text, which the browser will review."""

    text: Text


class ReviewRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished deal for the server to review: a history as `text`, or a `deal` of a `table` as you knew it.

    `error`: the standard error in points at which the search of a placement stops; the same seed, the same review.
    """

    text: Text = ""
    table: str = ""
    deal: Annotated[int, Meta(ge=0)] = 0
    error: Error = 0.25
    seed: Seed = 1


class SavedReview(Struct, frozen=True, forbid_unknown_fields=True):
    """A review saved in an account: `text` has the client's own format; empty if there is none."""

    text: Annotated[str, Meta(max_length=60_000)] = ""


class AnalysePositionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A position whose placements the server is to evaluate, as in `triptych analyse`.

    `hand`: the hand to decide, from 0, if no star marks it; `top`: how many of the best placements are measured to
    `error`. `stacks`: in chips; `point`: the chips of a point; `prizes`: of a tournament.
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
    """A query for the review of a street of a deal, by its index among the reviewed streets."""

    text: str
    index: int
    error: float
    seed: int
