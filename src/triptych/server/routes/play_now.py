"""Play now: opens a table for the guest against one bot, without a clock, and seats the guest."""

from __future__ import annotations

from typing import Final

from litestar import Response, post

from triptych.i18n.languages import LANGUAGES
from triptych.i18n.messages import Message, translate
from triptych.rulesets.catalog import DEFAULT_PRESET
from triptych.rulesets.load import resolve
from triptych.server.edge.rate_limits import TABLES
from triptych.server.endpoint import endpoint
from triptych.server.services import (
    AnyRequest,
    Services,
    ServicesDep,
    address_of,
    json_response,
    require_guest,
    verify_same_site,
)
from triptych.server.tables.actor import TableActor
from triptych.server.tables.seating import FirstPlayers, seat_first_players
from triptych.server.wire.bodies import TableLink
from triptych.server.wire.localization import REQUEST_LANGUAGE
from triptych.table.buy_in import is_bust, usual_buy_in
from triptych.table.permissions import can_use_guide
from triptych.table.state import TableConfig, seat_of

LEVEL: Final = "novice"
# In all languages, so that an earlier table is found even if the guest's language has changed.
NAMES: Final = frozenset(translate(Message("table_name.first_deals"), language) for language in LANGUAGES)
_SPEC: Final = {"preset": DEFAULT_PRESET, "clock.kind": "none", "seats.max": 2}


@post("/api/play", opt=endpoint(TableLink, scope=None, status=201, error_statuses=(409,)))
async def play_now(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Seat the guest at a table against a bot, or return their earlier table while they still sit there."""
    verify_same_site(request)
    player = require_guest(request, services)
    # Of two requests at once, the second finds the table of the first.
    async with services.guests.lock(player):
        table = await _find_earlier(services, player)
        if table is None:
            services.addresses.acquire(TABLES, address_of(request))
            table = (await _open_new(services, player)).id
    return json_response(TableLink(table, f"/t/{table}"), 201)


async def _find_earlier(services: Services, player: str) -> str | None:
    """Return the guest's earlier table of this kind if they can play on there: with points, and not leaving."""
    for summary in services.tables.seats_of(player):
        if summary.opener != player or summary.name not in NAMES:
            continue
        state = (await services.tables.find(summary.table)).state
        seat = seat_of(state, player)
        if seat is None or seat.leaving or seat.sitting_out or is_bust(state, seat):
            continue
        if can_use_guide(state, player):
            return summary.table
    return None


async def _open_new(services: Services, player: str) -> TableActor:
    rules = resolve(_SPEC)
    name = translate(Message("table_name.first_deals"), REQUEST_LANGUAGE.get())
    config = TableConfig("", name, player, rules, pause=services.pause, start="host", private=True)
    actor = await services.tables.create(config)
    first = FirstPlayers(sits=True, bots=(LEVEL,), points=usual_buy_in(rules))
    await seat_first_players(actor, player, await services.guests.name(player), first)
    return actor


HANDLERS: Final = (play_now,)
