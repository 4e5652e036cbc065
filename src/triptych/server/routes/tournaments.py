"""The HTTP interface of tournaments. Following one goes over the live link, as `cup:<id>`."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from triptych.rulesets.describe.phrases import title_text
from triptych.server.content.bot_levels import verify_level
from triptych.server.edge.rate_limits import TABLES
from triptych.server.endpoint import endpoint
from triptych.server.routes.lobby import MAX_TABLE_NAME, resolve_requested_rules
from triptych.server.schemas.tournaments import NewTournament, TournamentItem, TournamentLink
from triptych.server.services import (
    AnyRequest,
    ServicesDep,
    address_of,
    current_guest,
    decode_body,
    json_response,
    require_guest,
)
from triptych.server.tournaments.summary import TournamentSummary
from triptych.server.wire.decoding import verify_name
from triptych.tournament.commands import AddBots, Command, TournamentRequest
from triptych.tournament.config import normalize_rules
from triptych.tournament.state import TournamentConfig
from triptych.tournament.view import view
from triptych.tournament.view_types import TournamentView

_NEW: Final = msgspec.json.Decoder(NewTournament)
_ASK: Final[msgspec.json.Decoder[TournamentRequest]] = msgspec.json.Decoder(TournamentRequest)


@get("/api/cups", opt=endpoint(tuple[TournamentItem, ...], guest=False))
async def cups(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the tournaments: running ones, then coming ones, then those that ended lately."""
    player = current_guest(request, services) or ""
    return json_response([_line(glance, player) for glance in services.tournaments.listed()])


@post("/api/cups", opt=endpoint(TournamentLink, NewTournament, scope="host", status=201, refused=(409,)))
async def announce(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Announce a tournament; the guest who does is its host."""
    wanted = await decode_body(request, _NEW)
    host = require_guest(request, services)
    name = verify_name(wanted.name, "$.name", MAX_TABLE_NAME)
    if wanted.fill:
        await verify_level(wanted.fill)
    rules = normalize_rules(await resolve_requested_rules(wanted.rules, request, services), league=wanted.rounds > 0)
    services.addresses.acquire(TABLES, address_of(request))
    config = TournamentConfig(
        cup="",
        name=name,
        host=host,
        rules=rules,
        seats=wanted.seats or rules.seats.max,
        stack=wanted.stack,
        levels=wanted.levels,
        level_kind=wanted.level_kind,
        level_length=wanted.level_length,
        most=wanted.most,
        least=wanted.most if wanted.rounds else wanted.least,
        starts_at=wanted.starts_at,
        bots_allowed=wanted.bots_allowed,
        fill=wanted.fill,
        late=wanted.late,
        reentries=wanted.reentries,
        break_every=wanted.break_every,
        break_minutes=wanted.break_minutes,
        pause=wanted.pause,
        prize_kind=wanted.prize_kind,
        prizes=wanted.prizes,
        fee=wanted.fee,
        rounds=wanted.rounds,
    )
    live = await services.tournaments.create(config)
    return json_response(TournamentLink(live.id, f"/cup/{live.id}"), 201)


@get("/api/cups/{cup:str}", opt=endpoint(TournamentView, guest=False))
async def cup(request: AnyRequest, services: ServicesDep, cup: FromPath[str]) -> Response[bytes]:
    """Return a tournament as the guest may see it."""
    live = await services.tournaments.find(cup)
    return json_response(view(live.state, current_guest(request, services) or ""))


@post(
    "/api/cups/{cup:str}",
    status_code=200,
    opt=endpoint(TournamentView, TournamentRequest, scope=None, refused=(409,)),
)
async def ask(request: AnyRequest, services: ServicesDep, cup: FromPath[str]) -> Response[bytes]:
    """Send a command to a tournament; the answer is the tournament after it."""
    wanted = await decode_body(request, _ASK)
    player = require_guest(request, services)
    live = await services.tournaments.find(cup)
    if isinstance(wanted, AddBots):
        await verify_level(wanted.level)
    await live.execute(Command(player, wanted, await services.guests.name(player)))
    return json_response(view(live.state, player))


def _line(glance: TournamentSummary, player: str) -> TournamentItem:
    return TournamentItem(
        cup=glance.cup,
        name=glance.name,
        title=title_text(glance.title),
        phase=glance.phase,
        players=len(glance.players),
        most=glance.most,
        left=glance.left,
        starts_at=glance.starts_at,
        lets_in=glance.lets_in,
        mine=bool(player) and (glance.host == player or player in glance.players),
        winner=glance.winner,
        winners=glance.winners,
    )


HANDLERS: Final = (cups, announce, cup, ask)
