"""The routes of finished deals for the replay page and as text, and of proofs (docs/explanation/fairness.md)."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from triptych.i18n.messages import Message
from triptych.server.endpoint import endpoint
from triptych.server.jobs.replay import deal_query, no_deal_error
from triptych.server.schemas.replay import DealQuery, Replay, ReplayRequest
from triptych.server.services import (
    AnyRequest,
    Services,
    ServicesDep,
    current_guest,
    job_response,
    json_response,
    requester_of,
    run_job,
)
from triptych.server.tables.deleted_names import deleted_names
from triptych.server.wire.errors import ApiError
from triptych.table.aggregate import view
from triptych.table.proofs import Proofs, proofs
from triptych.table.state import is_sealed, seat_of

MAX_DEALS: Final = 2**31


async def deal_query_from_request(request: AnyRequest, services: Services, table: str, deal: int) -> DealQuery:
    """Return the query for a deal of a table, as the requesting guest may see it. Raises ApiError."""
    actor = await services.tables.find(table)
    if not is_sealed(actor.state):  # in a league, players may see their own deals wherever they sit now
        actor = await services.tables.authorize(table, current_guest(request, services) or "")
    if deal > MAX_DEALS:  # so that nothing is loaded for it
        raise no_deal_error(deal)
    requester = requester_of(request, services)
    services.workers.verify_capacity(requester)
    events = await services.store.load(actor.id)
    names = deleted_names(events, services.guests.is_deleted)
    return deal_query(actor.state, events, deal, requester.guest, names)


@get("/api/tables/{table:str}/deals/{deal:int}/replay", opt=endpoint(Replay, guest=False))
async def deal_replay(
    request: AnyRequest, services: ServicesDep, table: FromPath[str], deal: FromPath[int]
) -> Response[bytes]:
    """Return a finished deal, step by step, as the guest knew it."""
    query = msgspec.msgpack.encode(await deal_query_from_request(request, services, table, deal))
    return json_response(msgspec.Raw(await run_job("deal/replay", query, request, services)))


@get("/api/tables/{table:str}/deals/{deal:int}/history", opt=endpoint("text/plain", guest=False))
async def deal_history(
    request: AnyRequest, services: ServicesDep, table: FromPath[str], deal: FromPath[int]
) -> Response[bytes]:
    """Return a finished deal as history text, as the guest knew it."""
    query = msgspec.msgpack.encode(await deal_query_from_request(request, services, table, deal))
    text = await run_job("deal/text", query, request, services)
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="deal-{deal}.toml"'}
    return Response(text, media_type="text/plain", headers=headers)


@post("/api/history/replay", status_code=200, opt=endpoint(Replay, ReplayRequest, guest=False))
async def text_replay(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return a deal's history text, step by step."""
    return await job_response("history/replay", request, services)


@get("/api/tables/{table:str}/proofs", opt=endpoint(Proofs, guest=False))
async def table_proofs(request: AnyRequest, services: ServicesDep, table: FromPath[str]) -> Response[bytes]:
    """Return proofs of the cards that the guest sees now; 404 if no deck was committed."""
    player = current_guest(request, services) or ""
    state = (await services.tables.authorize(table, player)).state
    deal_view, dealt = view(state, player).deal, state.fair.dealt
    if deal_view is None or dealt is None or state.deal is None:
        raise ApiError("table.no_proofs", Message("error.table.no_proofs"), status=404)
    seat = seat_of(state, player)
    return json_response(proofs(dealt, state.deal, deal_view, None if seat is None else seat.seat))


HANDLERS: Final = (deal_replay, deal_history, text_replay, table_proofs)
