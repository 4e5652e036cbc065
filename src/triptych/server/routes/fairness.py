"""Proofs that the cards of the deal on a table were fixed before it began; docs/fair.md."""

from __future__ import annotations

from typing import Final

from litestar import Response, get
from litestar.params import FromPath

from triptych.server.endpoint import contract
from triptych.server.services import AnyRequest, Desk, answer, known_guest
from triptych.server.wire.errors import Refusal
from triptych.table.aggregate import view
from triptych.table.proofs import Proofs, proofs
from triptych.table.state import seat_of


@get("/api/tables/{table:str}/proofs", opt=contract(Proofs, guest=False))
async def table_proofs(request: AnyRequest, services: Desk, table: FromPath[str]) -> Response[bytes]:
    """Return proofs of the cards that the guest is shown now; 404 where no deck was committed."""
    player = known_guest(request, services) or ""
    state = (await services.tables.enter(table, player)).state
    seen, dealt = view(state, player).deal, state.fair.dealt
    if seen is None or dealt is None or state.deal is None:
        raise Refusal("table.no_proofs", "the deck on this table was not committed before it was dealt", status=404)
    seat = seat_of(state, player)
    return answer(proofs(dealt, state.deal, seen, None if seat is None else seat.seat))


HANDLERS: Final = (table_proofs,)
