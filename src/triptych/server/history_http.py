"""The addresses of the replay page."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from triptych.server.desks import replay as history_desk
from triptych.server.desks.lobby import AnyRequest, Desk, answer, read_body
from triptych.server.history_shapes import AskReplay
from triptych.server.web.guests import COOKIE

_REPLAY: Final = msgspec.json.Decoder(AskReplay)


@get("/api/tables/{table:str}/deals/{deal:int}/replay")
async def deal_replay(
    request: AnyRequest, services: Desk, table: FromPath[str], deal: FromPath[int]
) -> Response[bytes]:
    """Return a finished deal, step by step, as the guest knew it."""
    live = await services.tables.find(table)
    events = await services.store.load(live.id)
    player = services.guests.read(request.cookies.get(COOKIE)) or ""
    # In a thread: a long deal is played again in some ten milliseconds, and the tables go on meanwhile.
    return answer(await asyncio.to_thread(history_desk.replay_stored, live.state, events, deal, player))


@get("/api/tables/{table:str}/deals/{deal:int}/history")
async def deal_history(
    request: AnyRequest, services: Desk, table: FromPath[str], deal: FromPath[int]
) -> Response[bytes]:
    """Return a finished deal as history text, as the guest knew it."""
    live = await services.tables.find(table)
    events = await services.store.load(live.id)
    player = services.guests.read(request.cookies.get(COOKIE)) or ""
    text = await asyncio.to_thread(history_desk.text_stored, live.state, events, deal, player)
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="deal-{deal}.toml"'}
    return Response(text.encode(), media_type="text/plain; charset=utf-8", headers=headers)


@post("/api/history/replay", status_code=200)
async def text_replay(request: AnyRequest) -> Response[bytes]:
    """Return a deal's history text, step by step."""
    wanted = await read_body(request, _REPLAY)
    return answer(await asyncio.to_thread(history_desk.replay_text, wanted.text))


HANDLERS: Final = (deal_replay, deal_history, text_replay)
