"""Proofs that a deal's cards were committed before it began; see docs/explanation/fairness.md."""

from __future__ import annotations

from typing import Final

from litestar import Response, get
from litestar.params import FromPath

from triptych.i18n.messages import Message
from triptych.server.endpoint import endpoint
from triptych.server.services import AnyRequest, ServicesDep, current_guest, json_response
from triptych.server.wire.errors import ApiError
from triptych.table.aggregate import view
from triptych.table.proofs import Proofs, proofs
from triptych.table.state import seat_of


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


HANDLERS: Final = (table_proofs,)
