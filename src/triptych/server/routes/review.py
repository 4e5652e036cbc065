"""The addresses of reviews and analyses. A browser is told what to review and thinks for itself; a program asks here.

What is thought here is thought by a process of its own, a decision at a time, and an address has a budget of them. No
deal is reviewed while it is played at any table that has its cards, and nobody who plays is told what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from triptych.deal.stacks import Stacks
from triptych.notation.history.model import History
from triptych.notation.history.read import parse_history
from triptych.notation.history.replay import check_history
from triptych.rulesets.load import resolve
from triptych.server.edge.rate_limits import ANALYSES
from triptych.server.endpoint import endpoint
from triptych.server.routes.replay import DealQuery, deal_query_from_request, deal_text, load_deal, seat_of_player
from triptych.server.routes.review_setup import review_setup
from triptych.server.schemas.review import (
    AnalysePositionRequest,
    DecisionQuery,
    ReviewRequest,
    ReviewSetup,
    ReviewSetupRequest,
)
from triptych.server.services import (
    AnyRequest,
    ServicesDep,
    address_of,
    decode_body,
    job_response,
    json_response,
    requester_of,
    require_guest,
    run_job,
    verify_same_site,
)
from triptych.server.wire.decoding import decode_request
from triptych.server.wire.errors import ApiError
from triptych.solve.analysis.analyse import Analysis, SearchBudget, analyse
from triptych.solve.analysis.review import (
    Review,
    ReviewedDecision,
    build_review,
    played_decisions,
    review_decision,
    verify_reviewable,
)
from triptych.solve.value.weights import packaged

_MAX_SLICES: Final = 60  # of a search; what is not known well enough then says so by its error
_MAX_TABLES: Final = 2  # of learned weights that the process keeps
_REVIEW: Final = msgspec.json.Decoder(ReviewRequest)
_FORM: Final = msgspec.json.Decoder(ReviewSetupRequest)
_POSITION: Final = msgspec.json.Decoder(AnalysePositionRequest)
_STORED: Final = msgspec.msgpack.Decoder(DealQuery)
_ONE: Final = msgspec.msgpack.Decoder(DecisionQuery)
_TOGETHER: Final = msgspec.msgpack.Decoder(tuple[str, tuple[ReviewedDecision, ...]])
_DECISION: Final = msgspec.msgpack.Decoder(ReviewedDecision)


def _form_stored(asked: DealQuery) -> ReviewSetup:
    history, played = load_deal(asked)
    _verify_league_over(asked)
    return review_setup(history, seat_of_player(played, asked.player), played.match)


def _text_to_review(asked: DealQuery) -> str:
    text = deal_text(asked)
    _verify_league_over(asked)
    return text


def _verify_league_over(asked: DealQuery) -> None:
    if asked.sealed:
        message = "other tables of this league play the same cards; it is reviewed when the league is over"
        raise ApiError("review.held", message, "$.deal", status=409)


def _form_text(text: str) -> ReviewSetup:
    history = _read(text)
    return review_setup(history, history.seen_by if isinstance(history.seen_by, int) else None)


def _read(text: str) -> History:
    history = parse_history(text)
    check_history(history)
    return history


def _count(text: str) -> int:
    history = _read(text)
    verify_reviewable(history)
    return len(played_decisions(history))


def _one(asked: DecisionQuery) -> ReviewedDecision:
    _forget_tables()
    history = parse_history(asked.text)
    budget = SearchBudget(asked.error, _MAX_SLICES, two_threads=False)
    return review_decision(history, played_decisions(history)[asked.index], budget, asked.seed)


def _position(asked: AnalysePositionRequest) -> Analysis:
    _forget_tables()
    stacks = Stacks(asked.stacks, asked.point, prizes=asked.prizes) if asked.stacks else None
    budget = SearchBudget(asked.error, _MAX_SLICES, asked.top, two_threads=False)
    return analyse(asked.position, resolve(asked.rules), budget, hand=asked.hand, seed=asked.seed, stacks=stacks)


def _forget_tables() -> None:
    if packaged.cache_info().currsize > _MAX_TABLES:
        packaged.cache_clear()


# What is only read and played again.
JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "deal/review": lambda body: _form_stored(_STORED.decode(body)),
    "deal/to_review": lambda body: _text_to_review(_STORED.decode(body)).encode(),
    "history/review": lambda body: _form_text(decode_request(body, _FORM).text),
    "history/streets": lambda body: _count(body.decode()),
}
# What is searched, which takes seconds.
SEARCH_JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "decision": lambda body: msgspec.msgpack.encode(_one(_ONE.decode(body))),
    "position": lambda body: _position(decode_request(body, _POSITION)),
    "review": lambda body: _assemble(*_TOGETHER.decode(body)),
}


def _assemble(text: str, decisions: tuple[ReviewedDecision, ...]) -> Review:
    return build_review(parse_history(text), decisions)


@get("/api/tables/{table:str}/deals/{deal:int}/review", opt=endpoint(ReviewSetup, guest=False, refused=(400, 409)))
async def deal_review(
    request: AnyRequest, services: ServicesDep, table: FromPath[str], deal: FromPath[int]
) -> Response[bytes]:
    """Return what a browser reviews a finished deal with, as the guest knew it."""
    asked = msgspec.msgpack.encode(await deal_query_from_request(request, services, table, deal))
    return json_response(msgspec.Raw(await run_job("deal/review", asked, request, services)))


@post("/api/history/review", status_code=200, opt=endpoint(ReviewSetup, ReviewSetupRequest, guest=False))
async def text_review(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return what a browser reviews a deal's history text with."""
    return await job_response("history/review", request, services)


@post("/api/review", status_code=200, opt=endpoint(Review, ReviewRequest, refused=(404, 409, 429)))
async def review(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return a finished deal's review, as `triptych review --json` gives it: worked out here, which takes seconds."""
    require_guest(request, services)
    asked = await decode_body(request, _REVIEW)
    text = asked.text
    if not text:
        stored = msgspec.msgpack.encode(await deal_query_from_request(request, services, asked.table, asked.deal))
        text = (await run_job("deal/to_review", stored, request, services)).decode()
    count = msgspec.json.decode(await run_job("history/streets", text.encode(), request, services), type=int)
    asker = requester_of(request, services)
    decisions: list[ReviewedDecision] = []
    for index in range(count):
        services.addresses.acquire(ANALYSES, asker.address)
        one = msgspec.msgpack.encode(DecisionQuery(text, index, asked.error, asked.seed))
        decisions.append(_DECISION.decode(await services.search_workers.run("decision", one, asker)))
    together = msgspec.msgpack.encode((text, decisions))
    return json_response(msgspec.Raw(await services.search_workers.run("review", together, asker)))


@post("/api/analyse", status_code=200, opt=endpoint(Analysis, AnalysePositionRequest, refused=(409, 429)))
async def analyse_position(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return what each placement of a position is worth, as `triptych analyse --json` gives it: worked out here."""
    verify_same_site(request)
    player = require_guest(request, services)
    if any(one.phase == "playing" for one in services.tables.seats_of(player)):
        raise ApiError("review.playing", "you are playing; ask again when the deal is over", status=409)
    services.addresses.acquire(ANALYSES, address_of(request))
    body = await request.body()
    return json_response(
        msgspec.Raw(await services.search_workers.run("position", body, requester_of(request, services)))
    )


HANDLERS: Final = (deal_review, text_review, review, analyse_position)
