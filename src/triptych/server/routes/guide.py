"""The routes of the guide, which advises players at tables with bots only, from their own view.

The royalties that a row can still earn are arithmetic on a player's own cards, so they are available at every table.
A whole hand (a closed hand or a fantasyland) is arranged where the host allows it, by the guide's search too: one for
a hand, however often it is requested.
"""

from __future__ import annotations

from typing import Final

from litestar import Response, get
from litestar.params import FromPath, FromQuery

from triptych.board import ROW_CAPACITY, ROWS, RowName
from triptych.cards import parse_card
from triptych.deal.actions import ClaimNatural
from triptych.deal.view_types import Task
from triptych.i18n.messages import Message
from triptych.rulesets.model import Ruleset
from triptych.scoring.possible_royalties import possible_royalties
from triptych.server.content.guide_texts import guide_lines, proposal, row_cards
from triptych.server.endpoint import endpoint
from triptych.server.schemas.guide import BoardReach, Guide, ReachableRoyalty
from triptych.server.services import AnyRequest, ServicesDep, json_response, require_guest
from triptych.server.wire.bodies import Arranged
from triptych.server.wire.errors import ApiError
from triptych.table.permissions import can_use_guide
from triptych.table.view import view

_WHOLE: Final = sum(ROW_CAPACITY.values())


@get(
    "/api/tables/{table:str}/guide",
    opt=endpoint(Guide, scope="play", error_statuses=(400, 409), query=(("hand", int),)),
)
async def guide(
    request: AnyRequest, services: ServicesDep, table: FromPath[str], hand: FromQuery[int]
) -> Response[bytes]:
    """Return the guide's advice for one of the guest's hands."""
    player = require_guest(request, services)
    actor = await services.tables.authorize(table, player)
    if not can_use_guide(actor.state, player):
        raise ApiError("guide.people", Message("error.guide.people"), status=403)
    deal = view(actor.state, player).deal
    tasks = () if deal is None else deal.tasks
    task = next((task for task in tasks if task.hand == hand), None)
    if deal is None or task is None:
        raise ApiError("guide.nothing", Message("error.guide.nothing"), "$.hand", status=409)
    advice = await services.advice.get(actor, player, deal, task)
    lines = guide_lines(actor.state.config.rules, deal.boards[hand], task, advice)
    return json_response(Guide(hand, task.street, lines, proposal(advice)))


@get(
    "/api/tables/{table:str}/reach",
    opt=endpoint(BoardReach, scope="play", error_statuses=(400, 409), query=(("hand", int),)),
)
async def reach(
    request: AnyRequest, services: ServicesDep, table: FromPath[str], hand: FromQuery[int]
) -> Response[bytes]:
    """Return the royalties in reach of one of the guest's own boards."""
    player = require_guest(request, services)
    actor = await services.tables.authorize(table, player)
    own_view = view(actor.state, player)
    boards = () if own_view.deal is None or own_view.you is None else own_view.deal.boards
    board = next((board for board in boards if board.hand == hand and board.seat == own_view.you), None)
    if board is None:
        raise ApiError("guide.nothing", "this is not your board", "$.hand", status=409)
    rules = actor.state.config.rules
    return json_response(BoardReach(**{row: _reach(rules, row, row_cards(board, row)) for row in ROWS}))


def _reach(rules: Ruleset, row: RowName, cards: tuple[str, ...]) -> tuple[ReachableRoyalty, ...]:
    return tuple(
        ReachableRoyalty(*royalty) for royalty in possible_royalties(rules, row, tuple(map(parse_card, cards)))
    )


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
    return json_response(Arranged(hand, proposal(best), isinstance(best, ClaimNatural)))


def is_full_board(task: Task) -> bool:
    """Return whether a task asks for a whole board at once."""
    return task.kind == "place" and task.place == _WHOLE


HANDLERS: Final = (guide, reach, arranged)
