"""Bodies of the live scorer. A deal is a line of the scoring contract (Rules §8) as an object."""

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
    """Under which rules the cards on the table are to be scored."""

    rules: RulesSpec


class LocalScoring(Struct, frozen=True):
    """What a browser scores a deal with by itself: rules as its kernel keeps them (base64), and how they count.

    `scoring`: as `scoring.rows`; `banker`: all others play the last hand alone; `naturals`: names, as the kernel
    numbers them.
    """

    rules: str
    scoring: str
    low_middle: bool
    banker: bool
    naturals: tuple[str, ...]


class ScorerSetup(Struct, frozen=True):
    """What a scorer has to ask under these rules.

    `boards` a player sets (criss-cross: two); `fantasyland` holds the numbers of cards that one can have, `in_row`
    tells that it matters how many came in a row; `declare`: royalties count only when they were announced.
    `zero_sum`: points of a deal sum to 0. `own` is null where more than points is counted (a loss limit, or the prize
    of a match), or suits break ties and jokers are in the deck.
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
    """One deal to be scored; `number` stands on its sheet."""

    deal: Deal
    number: Annotated[int, Meta(ge=1, le=100_000)] = 1


class ScoreSessionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """All deals of a session."""

    deals: Annotated[tuple[Deal, ...], Meta(max_length=MAX_DEALS)]


class ScoredDeal(Struct, frozen=True):
    """One deal of a session: its sheet, its points where nothing else is known, or why there is none.

    All are null for a deal that was taken out.
    """

    sheet: ScoreSheet | None
    error: WireError | None
    points: PointsSheet | None = None


class ScoredSession(Struct, frozen=True):
    """A session scored: each deal, and the ledger over those that could be scored."""

    deals: tuple[ScoredDeal, ...]
    tallies: tuple[Ledger, ...]
