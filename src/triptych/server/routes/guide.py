"""The guide's addresses. It speaks to who plays with bots alone, of what that player may see, and of nothing else.

What a row can still bring is arithmetic on one's own cards, so that is told at every table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from litestar import Response, get
from litestar.params import FromPath, FromQuery

from triptych.board import ROWS
from triptych.cards import parse_card
from triptych.scoring.possible_royalties import in_reach
from triptych.server.content.guide_texts import board_row, lines, proposal
from triptych.server.endpoint import contract
from triptych.server.schemas.guide import BoardReach, Guide, Reach
from triptych.server.services import AnyRequest, Desk, answer, verify_guest
from triptych.server.wire.errors import Refusal
from triptych.table.guide_access import is_guided
from triptych.table.view import view

if TYPE_CHECKING:
    from triptych.board import RowName
    from triptych.rulesets.model import Ruleset


@get("/api/tables/{table:str}/guide", opt=contract(Guide, scope="play", refused=(400, 409), query=(("hand", int),)))
async def guide(request: AnyRequest, services: Desk, table: FromPath[str], hand: FromQuery[int]) -> Response[bytes]:
    """Return what the guide says to one of the guest's hands now."""
    player = verify_guest(request, services)
    live = await services.tables.enter(table, player)
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


@get(
    "/api/tables/{table:str}/reach",
    opt=contract(BoardReach, scope="play", refused=(400, 409), query=(("hand", int),)),
)
async def reach(request: AnyRequest, services: Desk, table: FromPath[str], hand: FromQuery[int]) -> Response[bytes]:
    """Return the royalties in reach of one of the guest's own boards."""
    player = verify_guest(request, services)
    live = await services.tables.enter(table, player)
    seen = view(live.state, player)
    boards = () if seen.deal is None or seen.you is None else seen.deal.boards
    board = next((one for one in boards if one.hand == hand and one.seat == seen.you), None)
    if board is None:
        raise Refusal("guide.nothing", "this is no board of yours", "$.hand", status=409)
    rules = live.state.config.rules
    return answer(BoardReach(**{row: _reach(rules, row, board_row(board, row)) for row in ROWS}))


def _reach(rules: Ruleset, row: RowName, cards: tuple[str, ...]) -> tuple[Reach, ...]:
    return tuple(Reach(*found) for found in in_reach(rules, row, tuple(map(parse_card, cards))))


HANDLERS: Final = (guide, reach)
