"""Automatic arranging of a whole hand (a closed hand or a fantasyland), if the host allows it.

Its cost is bounded as the guide's: one search for a hand, however often it is requested.
"""

from __future__ import annotations

from typing import Final

from litestar import Response, get
from litestar.params import FromPath, FromQuery

from triptych.board import ROW_CAPACITY
from triptych.deal.actions import ClaimNatural, Place
from triptych.deal.view_types import Task
from triptych.i18n.messages import Message
from triptych.server.endpoint import endpoint
from triptych.server.services import AnyRequest, ServicesDep, json_response, require_guest
from triptych.server.wire.bodies import Arranged
from triptych.server.wire.errors import ApiError
from triptych.table.view import view

_WHOLE: Final = sum(ROW_CAPACITY.values())


@get(
    "/api/tables/{table:str}/arranged",
    opt=endpoint(Arranged, scope="play", error_statuses=(400, 409), query=(("hand", int),)),
)
async def arranged(
    request: AnyRequest, services: ServicesDep, table: FromPath[str], hand: FromQuery[int]
) -> Response[bytes]:
    """Return the best legal board of one of the guest's hands that sets all its cards at once."""
    player = require_guest(request, services)
    actor = await services.tables.authorize(table, player)
    if not actor.state.arranging:
        raise ApiError("arrange.not_allowed", Message("error.arrange.not_allowed"), status=403)
    deal = view(actor.state, player).deal
    tasks = () if deal is None else deal.tasks
    task = next((task for task in tasks if task.hand == hand and is_full_board(task)), None)
    if deal is None or task is None:
        raise ApiError("arrange.nothing", Message("error.arrange.nothing"), "$.hand", status=409)
    best = await services.advice.get(actor, player, deal, task)
    layout = best.layout if isinstance(best, Place) else None
    return json_response(Arranged(hand, layout, isinstance(best, ClaimNatural)))


def is_full_board(task: Task) -> bool:
    """Return whether a task asks for a whole board at once."""
    return task.kind == "place" and task.place == _WHOLE


HANDLERS: Final = (arranged,)
