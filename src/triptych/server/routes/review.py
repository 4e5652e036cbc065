"""The routes of reviews and analyses.

A browser gets the set-up data and searches itself; programs search here.

A worker process searches, one decision at a time, and each address has a limited number of decisions. Players get no
analysis while they play.
"""

from __future__ import annotations

import zlib
from typing import Final

import msgspec
from litestar import Response, get, post, put
from litestar.params import FromPath

from triptych.i18n.messages import Message
from triptych.server.edge.credentials import PASSKEY_PREFIX, PASSWORD_PREFIX
from triptych.server.edge.rate_limits import ANALYSES, REVIEWS
from triptych.server.endpoint import endpoint
from triptych.server.routes.replay import deal_query_from_request
from triptych.server.schemas.review import (
    AnalysePositionRequest,
    DecisionQuery,
    ReviewRequest,
    ReviewSetup,
    ReviewSetupRequest,
    SavedReview,
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
from triptych.server.wire.errors import ApiError
from triptych.solve.analysis.analyse import Analysis
from triptych.solve.analysis.review import Review, ReviewedDecision
from triptych.store.types import StoredReview

_SAVED_PATH: Final = "/api/tables/{table:str}/deals/{deal:int}/saved-review"
MAX_REVIEWS: Final = 500  # of an account, some 5 KB each
_DECISION: Final = msgspec.msgpack.Decoder(ReviewedDecision)


@get(
    "/api/tables/{table:str}/deals/{deal:int}/review",
    opt=endpoint(ReviewSetup, guest=False, error_statuses=(400, 409)),
)
async def deal_review(
    request: AnyRequest, services: ServicesDep, table: FromPath[str], deal: FromPath[int]
) -> Response[bytes]:
    """Return what a browser needs to review a finished deal, as the guest knew it."""
    query = msgspec.msgpack.encode(await deal_query_from_request(request, services, table, deal))
    return json_response(msgspec.Raw(await run_job("deal/review", query, request, services)))


@post("/api/history/review", status_code=200, opt=endpoint(ReviewSetup, ReviewSetupRequest, guest=False))
async def text_review(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return what a browser needs to review a deal's history text."""
    return await job_response("history/review", request, services)


@post("/api/review", status_code=200, opt=endpoint(Review, ReviewRequest, error_statuses=(404, 409, 429)))
async def review(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Compute a finished deal's review, in some seconds; as `triptych review --json`."""
    require_guest(request, services)
    body = await decode_body(request, ReviewRequest)
    text = body.text
    if not text:
        stored = msgspec.msgpack.encode(await deal_query_from_request(request, services, body.table, body.deal))
        text = (await run_job("deal/to_review", stored, request, services)).decode()
    count = msgspec.json.decode(await run_job("history/streets", text.encode(), request, services), type=int)
    requester = requester_of(request, services)
    decisions: list[ReviewedDecision] = []
    for index in range(count):
        services.addresses.acquire(ANALYSES, requester.address)
        query = msgspec.msgpack.encode(DecisionQuery(text, index, body.error, body.seed))
        decisions.append(_DECISION.decode(await services.search_workers.run("decision", query, requester)))
    summary_query = msgspec.msgpack.encode((text, decisions))
    return json_response(msgspec.Raw(await services.search_workers.run("review", summary_query, requester)))


@post("/api/analyse", status_code=200, opt=endpoint(Analysis, AnalysePositionRequest, error_statuses=(409, 429)))
async def analyse_position(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Compute the value of each placement of a position; as `triptych analyse --json`."""
    verify_same_site(request)
    player = require_guest(request, services)
    if any(summary.phase == "playing" for summary in services.tables.seats_of(player)):
        raise ApiError("review.playing", Message("error.review.playing"), status=409)
    services.addresses.acquire(ANALYSES, address_of(request))
    body = await request.body()
    return json_response(
        msgspec.Raw(await services.search_workers.run("position", body, requester_of(request, services)))
    )


@get(_SAVED_PATH, opt=endpoint(SavedReview, scope=None))
async def saved_review(
    request: AnyRequest, services: ServicesDep, table: FromPath[str], deal: FromPath[int]
) -> Response[bytes]:
    """Return the saved review of a deal in the guest's account."""
    saved = await services.store.reviews.get(require_guest(request, services), table, deal)
    return json_response(SavedReview() if saved is None else SavedReview(zlib.decompress(saved.payload).decode()))


@put(_SAVED_PATH, opt=endpoint(SavedReview, SavedReview, scope=None))
async def save_review(
    request: AnyRequest, services: ServicesDep, table: FromPath[str], deal: FromPath[int]
) -> Response[bytes]:
    """Save the review of a deal in the guest's account, the newest 500; without an account nothing is saved."""
    body = await decode_body(request, SavedReview)
    player = require_guest(request, services)
    services.addresses.acquire(REVIEWS, address_of(request))
    results = await services.store.results.session_of(player, table)
    credentials = await services.store.credentials.credentials(player)
    has_account = any(credential.name.startswith((PASSWORD_PREFIX, PASSKEY_PREFIX)) for credential in credentials)
    if results is None or not has_account:
        return json_response(SavedReview())
    payload = zlib.compress(body.text.encode())
    await services.store.reviews.save(StoredReview(player, table, deal, services.now(), payload), MAX_REVIEWS)
    return json_response(body)


HANDLERS: Final = (deal_review, text_review, review, saved_review, save_review, analyse_position)
