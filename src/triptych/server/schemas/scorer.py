"""The bodies of the live scorer. A deal is a line of the scoring contract (Rules §8) as an object."""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from triptych.scoring.session import Ledger, PointsSheet
from triptych.scoring.sheet.types import ScoreSheet
from triptych.server.wire.bodies import RulesSpec
from triptych.server.wire.messages import WireError

Deal = dict[str, Any]
MAX_DEALS: Final = 600


class ScorerSetupRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules under which to score deals."""

    rules: RulesSpec


class LocalScoring(Struct, frozen=True):
    """The data with which a browser scores a deal itself.

    `rules`: the kernel's form (base64); `scoring`: as `scoring.rows`; `banker`: all others play only against the last
    hand; `naturals`: names by the kernel's numbers.
    """

    rules: str
    scoring: str
    low_middle: bool
    banker: bool
    naturals: tuple[str, ...]


class ScorerSetup(Struct, frozen=True):
    """The set-up data of the scorer: what it has to ask under these rules.

    `boards`: of each player (criss-cross: two); `fantasyland`: the possible numbers of cards; `in_row`: the number of
    fantasylands in a row matters; `declare`: royalties count only if they were announced. `zero_sum`: the points of a
    deal sum to 0. `own` is null if the score needs more than points (a loss limit, or the prize of a match), or if
    suits break ties and the deck has jokers.
    """

    title: str
    deck: tuple[str, ...]
    players_min: int
    players_max: int
    boards: int
    surrender: int
    natural: bool
    declare: bool
    fantasyland: tuple[int, ...]
    in_row: bool
    point: float
    unit: str
    zero_sum: bool
    own: LocalScoring | None = None


class ScoreDealRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A deal to score; `number`: for its sheet."""

    deal: Deal
    number: Annotated[int, Meta(ge=1, le=100_000)] = 1


class ScoreSessionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """All deals of a session."""

    deals: Annotated[tuple[Deal, ...], Meta(max_length=MAX_DEALS)]


class ScoredDeal(Struct, frozen=True):
    """A deal of a session: its sheet, its points if only those are known, or the error.

    All are null for a deal that was removed.
    """

    sheet: ScoreSheet | None
    error: WireError | None
    points: PointsSheet | None = None


class ScoredSession(Struct, frozen=True):
    """A scored session: each deal, and the ledger of the deals that could be scored."""

    deals: tuple[ScoredDeal, ...]
    tallies: tuple[Ledger, ...]
