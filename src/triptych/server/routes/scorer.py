"""The live scorer: what to fill in under some rules, a deal's sheet, a session's ledger.

The bodies, both ways (a deal is a line of the scoring contract, Rules §8, as an object), the work, the addresses.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, post
from msgspec import Meta, Struct

from triptych.cards import card_text, deck
from triptych.json_input import JsonInputError
from triptych.rulesets.compile import natural_entries
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, fantasyland_sizes, is_closed
from triptych.scoring.match_prize import MatchTarget
from triptych.scoring.session import Ledger, SessionDeal, ledgers, session_deal
from triptych.scoring.sheet.hand_names import NATURAL_NAMES
from triptych.scoring.sheet.types import ScoreSheet
from triptych.server.endpoint import endpoint
from triptych.server.services import AnyRequest, ServicesDep, job_response
from triptych.server.wire.bodies import RulesSpec
from triptych.server.wire.decoding import decode_request
from triptych.server.wire.errors import to_wire_error
from triptych.server.wire.messages import WireError
from triptych.solve.value.carried import rules_bytes

Deal = dict[str, Any]
MAX_DEALS: Final = 600
MAX_SESSION: Final = 1024 * 1024


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
    own: LocalScoring | None = None


class ScoreDealRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """One deal to be scored; `number` stands on its sheet."""

    deal: Deal
    number: Annotated[int, Meta(ge=1, le=100_000)] = 1


class ScoreSessionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """All deals of a session."""

    deals: Annotated[tuple[Deal, ...], Meta(max_length=MAX_DEALS)]


class ScoredDeal(Struct, frozen=True):
    """One deal of a session: its sheet, or why there is none."""

    sheet: ScoreSheet | None
    error: WireError | None


class ScoredSession(Struct, frozen=True):
    """A session scored: each deal, and the ledger over those that could be scored."""

    deals: tuple[ScoredDeal, ...]
    tallies: tuple[Ledger, ...]


def scorer_setup(spec: str | dict[str, Any]) -> ScorerSetup:
    """Return what a scorer has to ask under these rules. Raises RulesError."""
    rules = resolve(spec)
    crossed = rules.deal.game == "criss_cross"
    return ScorerSetup(
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


def _own(rules: Ruleset) -> LocalScoring | None:
    suited_jokers = rules.rows.tie_break == "suits" and rules.deal.jokers > 0
    if suited_jokers or rules.settlement.loss_limit or MatchTarget.from_rules(rules).prize:
        return None
    return LocalScoring(
        rules=base64.b64encode(rules_bytes(rules)).decode(),
        scoring=rules.scoring.rows,
        low_middle=rules.rows.middle == "deuce_to_seven",
        banker=rules.scoring.pairs != "all",
        naturals=tuple(NATURAL_NAMES[natural.kind] for natural in natural_entries(rules.naturals)),
    )


def _fantasylands(rules: Ruleset) -> tuple[int, ...]:
    return () if is_closed(rules) else fantasyland_sizes(rules)


def score_deal(deal: dict[str, Any], number: int) -> ScoreSheet:
    """Return the sheet of one deal. Raises JsonInputError with the code and path of the scoring contract."""
    return session_deal(deal, number).sheet


def score_session_deals(deals: Sequence[dict[str, Any]]) -> ScoredSession:
    """Return all deals of a session scored, and the ledger over them; a bad deal spoils no other."""
    lines: list[ScoredDeal] = []
    good: list[SessionDeal] = []
    for number, deal in enumerate(deals, 1):
        try:
            found = session_deal(deal, number)
        except JsonInputError as error:
            lines.append(ScoredDeal(None, to_wire_error(error)))
        else:
            good.append(found)
            lines.append(ScoredDeal(found.sheet, None))
    return ScoredSession(tuple(lines), ledgers(good))


_FORM: Final = msgspec.json.Decoder(ScorerSetupRequest)
_SCORE: Final = msgspec.json.Decoder(ScoreDealRequest)
_SESSION: Final = msgspec.json.Decoder(ScoreSessionRequest)


def _scored(body: bytes) -> ScoreSheet:
    wanted = decode_request(body, _SCORE)
    return score_deal(wanted.deal, wanted.number)


# What strangers' bodies come to; worked out in a process of its own.
JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "score/form": lambda body: scorer_setup(decode_request(body, _FORM).rules),
    "score/deal": _scored,
    "score/evening": lambda body: score_session_deals(decode_request(body, _SESSION).deals),
}


@post("/api/score/form", status_code=200, opt=endpoint(ScorerSetup, ScorerSetupRequest, guest=False))
async def score_form(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return what a scorer has to ask under some rules."""
    return await job_response("score/form", request, services)


@post("/api/score/deal", status_code=200, opt=endpoint(ScoreSheet, ScoreDealRequest, guest=False))
async def score_one(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the sheet of one deal."""
    return await job_response("score/deal", request, services)


@post(
    "/api/score/evening",
    status_code=200,
    request_max_body_size=MAX_SESSION,
    opt=endpoint(ScoredSession, ScoreSessionRequest, guest=False),
)
async def score_session(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return every sheet of a session and its ledger."""
    return await job_response("score/evening", request, services)


HANDLERS: Final = (score_form, score_one, score_session)
