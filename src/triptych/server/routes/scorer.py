"""The routes of the live scorer."""

from __future__ import annotations

from typing import Final

from litestar import Response, post

from triptych.scoring.sheet.types import ScoreSheet
from triptych.server.endpoint import endpoint
from triptych.server.schemas.scorer import (
    ScoreDealRequest,
    ScoredSession,
    ScorerSetup,
    ScorerSetupRequest,
    ScoreSessionRequest,
)
from triptych.server.services import AnyRequest, ServicesDep, job_response

MAX_SESSION: Final = 1024 * 1024


@post("/api/score/form", status_code=200, opt=endpoint(ScorerSetup, ScorerSetupRequest, guest=False))
async def score_form(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the set-up data of the scorer for some rules."""
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
