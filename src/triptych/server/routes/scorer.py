"""The live scorer: what to fill in under some rules, a deal's sheet, an evening's ledger.

The bodies, both ways (a deal is a line of the scoring contract, LAW 8, as an object), the work, the addresses.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, post
from msgspec import Meta, Struct

from triptych.cards import card_text, deck
from triptych.json_input import LineError
from triptych.rulesets.compile import natural_entries
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, fantasyland_sizes, is_closed
from triptych.scoring.match_prize import Goal
from triptych.scoring.session import EveningDeal, Tally, evening_deal, tallies
from triptych.scoring.sheet.hand_names import NATURAL_NAMES
from triptych.scoring.sheet.types import ScoreSheet
from triptych.server.endpoint import contract
from triptych.server.services import AnyRequest, Desk, worked_out
from triptych.server.wire.bodies import RulesSpec
from triptych.server.wire.decoding import read
from triptych.server.wire.errors import told
from triptych.server.wire.messages import WireError
from triptych.solve.value.carried import flat_bytes

Deal = dict[str, Any]
MOST_DEALS: Final = 600
LARGEST_EVENING: Final = 1024 * 1024


class AskForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Under which rules the cards on the table are to be scored."""

    rules: RulesSpec


class OwnScoring(Struct, frozen=True):
    """What a browser scores a deal with by itself: rules as its kernel keeps them (base64), and how they count.

    `scoring`: as `scoring.rows`; `banker`: all others play the last hand alone; `naturals`: names, as the kernel
    numbers them.
    """

    rules: str
    scoring: str
    low_middle: bool
    banker: bool
    naturals: tuple[str, ...]


class ScoreForm(Struct, frozen=True):
    """What a scorer has to ask under these rules.

    `boards` a player sets (criss-cross: two); `fantasyland` holds the numbers of cards that one can have, `in_row`
    tells that it matters how many came in a row; `declare`: royalties count only when they were announced. `own` is
    null where more than points is counted (a loss limit, or the prize of a match), or suits break ties and jokers
    are in the deck.
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
    own: OwnScoring | None = None


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


def form(spec: str | dict[str, Any]) -> ScoreForm:
    """Return what a scorer has to ask under these rules. Raises RulesError."""
    rules = resolve(spec)
    crossed = rules.deal.game == "criss_cross"
    return ScoreForm(
        title=rules.title or rules.name,
        deck=tuple(card_text(card) for card in deck(rules.deal.jokers)),
        players_min=2,
        players_max=2 if crossed else 4,
        boards=2 if crossed else 1,
        surrender=rules.surrender.points if is_closed(rules) else 0,
        natural=is_closed(rules) and bool(natural_entries(rules.naturals)),
        declare=rules.royalties.declare == "must",
        fantasyland=_fantasylands(rules),
        in_row=rules.fantasyland.repeat_limit != "none",
        point=rules.stake.point,
        unit=rules.stake.unit,
        own=_own(rules),
    )


def _own(rules: Ruleset) -> OwnScoring | None:
    suited_jokers = rules.rows.tie_break == "suits" and rules.deal.jokers > 0
    if suited_jokers or rules.settlement.loss_limit or Goal.of(rules).prize:
        return None
    return OwnScoring(
        rules=base64.b64encode(flat_bytes(rules)).decode(),
        scoring=rules.scoring.rows,
        low_middle=rules.rows.middle == "deuce_to_seven",
        banker=rules.scoring.pairs != "all",
        naturals=tuple(NATURAL_NAMES[natural.kind] for natural in natural_entries(rules.naturals)),
    )


def _fantasylands(rules: Ruleset) -> tuple[int, ...]:
    return () if is_closed(rules) else fantasyland_sizes(rules)


def scored(deal: dict[str, Any], number: int) -> ScoreSheet:
    """Return the sheet of one deal. Raises LineError with the code and path of the scoring contract."""
    return evening_deal(deal, number).sheet


def evening(deals: Sequence[dict[str, Any]]) -> Evening:
    """Return all deals of an evening scored, and the ledger over them; a bad deal spoils no other."""
    lines: list[ScoredDeal] = []
    good: list[EveningDeal] = []
    for number, deal in enumerate(deals, 1):
        try:
            found = evening_deal(deal, number)
        except LineError as error:
            lines.append(ScoredDeal(None, told(error)))
        else:
            good.append(found)
            lines.append(ScoredDeal(found.sheet, None))
    return Evening(tuple(lines), tallies(good))


_FORM: Final = msgspec.json.Decoder(AskForm)
_SCORE: Final = msgspec.json.Decoder(AskScore)
_EVENING: Final = msgspec.json.Decoder(AskEvening)


def _scored(body: bytes) -> ScoreSheet:
    wanted = read(body, _SCORE)
    return scored(wanted.deal, wanted.number)


# What strangers' bodies come to; worked out in a process of its own.
JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "score/form": lambda body: form(read(body, _FORM).rules),
    "score/deal": _scored,
    "score/evening": lambda body: evening(read(body, _EVENING).deals),
}


@post("/api/score/form", status_code=200, opt=contract(ScoreForm, AskForm, guest=False))
async def score_form(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return what a scorer has to ask under some rules."""
    return await worked_out("score/form", request, services)


@post("/api/score/deal", status_code=200, opt=contract(ScoreSheet, AskScore, guest=False))
async def score_one(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return the sheet of one deal."""
    return await worked_out("score/deal", request, services)


@post(
    "/api/score/evening",
    status_code=200,
    request_max_body_size=LARGEST_EVENING,
    opt=contract(Evening, AskEvening, guest=False),
)
async def score_evening(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return every sheet of an evening and its ledger."""
    return await worked_out("score/evening", request, services)


HANDLERS: Final = (score_form, score_one, score_evening)
