"""The addresses of the live scorer."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from litestar import Response, post

from triptych.server.desks import scorer as score_desk
from triptych.server.desks.lobby import AnyRequest, answer, read_body
from triptych.server.score_shapes import AskEvening, AskForm, AskScore

LARGEST_EVENING: Final = 1024 * 1024
_FORM: Final = msgspec.json.Decoder(AskForm)
_SCORE: Final = msgspec.json.Decoder(AskScore)
_EVENING: Final = msgspec.json.Decoder(AskEvening)


@post("/api/score/form", status_code=200)
async def score_form(request: AnyRequest) -> Response[bytes]:
    """Return what a scorer has to ask under some rules."""
    wanted = await read_body(request, _FORM)
    return answer(score_desk.form(wanted.rules))


@post("/api/score/deal", status_code=200)
async def score_one(request: AnyRequest) -> Response[bytes]:
    """Return the sheet of one deal."""
    wanted = await read_body(request, _SCORE)
    return answer(score_desk.scored(wanted.deal, wanted.number))


@post("/api/score/evening", status_code=200, request_max_body_size=LARGEST_EVENING)
async def score_evening(request: AnyRequest) -> Response[bytes]:
    """Return every sheet of an evening and its ledger."""
    wanted = await read_body(request, _EVENING)
    # In a thread: hundreds of sheets take a few tenths of a second, and the tables go on meanwhile.
    return answer(await asyncio.to_thread(score_desk.evening, wanted.deals))


HANDLERS: Final = (score_form, score_one, score_evening)
