"""The guide's address. It speaks to who plays with bots alone, of what that player may see, and of nothing else."""

from __future__ import annotations

from typing import Final

from litestar import Response, get
from litestar.params import FromPath, FromQuery

from triptych.room.guided import is_guided
from triptych.room.view import view
from triptych.server.desks.guide.shapes import Guide
from triptych.server.desks.guide.words import lines, proposal
from triptych.server.web.services import AnyRequest, Desk, answer, verify_guest
from triptych.server.wire.errors import Refusal


@get("/api/tables/{table:str}/guide")
async def guide(request: AnyRequest, services: Desk, table: FromPath[str], hand: FromQuery[int]) -> Response[bytes]:
    """Return what the guide says to one of the guest's hands now."""
    player = verify_guest(request, services)
    live = await services.tables.find(table)
    if not is_guided(live.state, player):
        raise Refusal("guide.people", "the guide speaks only where everybody else is a bot", status=403)
    deal = view(live.state, player).deal
    tasks = () if deal is None else deal.tasks
    task = next((one for one in tasks if one.hand == hand), None)
    if deal is None or task is None:
        raise Refusal("guide.nothing", "nothing is asked of this hand now", "$.hand", status=409)
    advice = await services.advice.on(live, player, deal, task)
    said = lines(live.state.config.rules, deal.boards[hand], task, advice)
    return answer(Guide(hand, task.street, said, proposal(advice)))


HANDLERS: Final = (guide,)
