"""The bodies of the live scorer, both ways. A deal is a line of the scoring contract (RULEBOOK 8) as an object."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from triptych.score.evening import Tally
from triptych.score.sheet.shapes import ScoreSheet
from triptych.server.wire.bodies import RulesSpec
from triptych.server.wire.messages import WireError

Deal = dict[str, Any]
MOST_DEALS = 600


class AskForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Under which rules the cards on the table are to be scored."""

    rules: RulesSpec


class ScoreForm(Struct, frozen=True):
    """What a scorer has to ask under these rules.

    `boards` a player sets (criss-cross: two); `fantasyland` holds the numbers of cards that one can have, `in_row`
    tells that it matters how many came in a row; `declare`: royalties count only when they were announced.
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


class AskScore(Struct, frozen=True, forbid_unknown_fields=True):
    """One deal to be scored; `number` stands on its sheet."""

    deal: Deal
    number: Annotated[int, Meta(ge=1, le=100_000)] = 1


class AskEvening(Struct, frozen=True, forbid_unknown_fields=True):
    """All deals of an evening."""

    deals: Annotated[tuple[Deal, ...], Meta(max_length=MOST_DEALS)]


class ScoredDeal(Struct, frozen=True):
    """One deal of an evening: its sheet, or why there is none."""

    sheet: ScoreSheet | None
    error: WireError | None


class Evening(Struct, frozen=True):
    """An evening scored: each deal, and the ledger over those that could be scored."""

    deals: tuple[ScoredDeal, ...]
    tallies: tuple[Tally, ...]
