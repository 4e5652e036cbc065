"""The routes of tournaments. Clients subscribe to one over the WebSocket, as `cup:<id>`."""

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
from triptych.server.routes.table_access import verify_shared_password
from triptych.server.schemas.tournaments import NewTournament, TournamentItem, TournamentLink
from triptych.server.services import (
    AnyRequest,
    ServicesDep,
    address_of,
    current_guest,
    decode_body,
    json_response,
    require_guest,
    verify_same_site,
)
from triptych.server.tournaments.actor import TournamentActor
from triptych.server.tournaments.summary import TournamentSummary
from triptych.server.wire.decoding import decode_request, verify_name
from triptych.tournament.commands import AddBots, Command, Register, TournamentRequest
from triptych.tournament.config import normalize_rules
from triptych.tournament.state import TournamentConfig, entry_of
from triptych.tournament.view import view
from triptych.tournament.view_types import TournamentView

_ASK: Final[msgspec.json.Decoder[TournamentRequest]] = msgspec.json.Decoder(TournamentRequest)


@get("/api/cups", opt=endpoint(tuple[TournamentItem, ...], guest=False))
async def cups(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the tournaments: running, open, then recently ended; of private ones only your own."""
    player = current_guest(request, services) or ""
    items = [_line(summary, player) for summary in services.tournaments.listed() if _is_listed(summary, player)]
    return json_response(items)


@post("/api/cups", opt=endpoint(TournamentLink, NewTournament, scope="host", status=201, error_statuses=(409,)))
async def announce(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Announce a tournament; you are its host."""
    body = await decode_body(request, NewTournament)
    host = require_guest(request, services)
    name = verify_name(body.name, "$.name", MAX_TABLE_NAME)
    if body.fill:
        await verify_level(body.fill)
    rules = normalize_rules(await resolve_requested_rules(body.rules, request, services), league=body.rounds > 0)
    services.addresses.acquire(TABLES, address_of(request))
    config = TournamentConfig(
        cup="",
        name=name,
        host=host,
        rules=rules,
        seats=body.seats or rules.seats.max,
        stack=body.stack,
        levels=body.levels,
        level_kind=body.level_kind,
        level_length=body.level_length,
        most=body.most,
        least=body.most if body.rounds else body.least,
        starts_at=body.starts_at,
        bots_allowed=body.bots_allowed,
        fill=body.fill,
        late=body.late,
        reentries=body.reentries,
        break_every=body.break_every,
        break_minutes=body.break_minutes,
        pause=body.pause,
        prize_kind=body.prize_kind,
        prizes=body.prizes,
        fee=body.fee,
        rounds=body.rounds,
        private=body.private or bool(body.password),
        password=await services.passwords.hash(body.password) if body.password else "",
    )
    actor = await services.tournaments.create(config)
    return json_response(TournamentLink(actor.id, f"/cup/{actor.id}"), 201)


@get("/api/cups/{cup:str}", opt=endpoint(TournamentView, guest=False))
async def cup(request: AnyRequest, services: ServicesDep, cup: FromPath[str]) -> Response[bytes]:
    """Return a tournament as the guest may see it."""
    actor = await services.tournaments.find(cup)
    return json_response(view(actor.public_state, current_guest(request, services) or ""))


@post(
    "/api/cups/{cup:str}",
    status_code=200,
    opt=endpoint(TournamentView, TournamentRequest, scope=None, error_statuses=(409,)),
)
async def ask(request: AnyRequest, services: ServicesDep, cup: FromPath[str]) -> Response[bytes]:
    """Send a command to a tournament; the response is the tournament after it."""
    verify_same_site(request)
    command = decode_request(await request.body(), _ASK)
    player = require_guest(request, services)
    actor = await services.tournaments.find(cup)
    if isinstance(command, AddBots):
        await verify_level(command.level)
    if isinstance(command, Register):
        await _verify_password(request, services, actor, player, command.password)
        command = Register()
    await actor.execute(Command(player, command, await services.guests.name(player)))
    return json_response(view(actor.public_state, player))


async def _verify_password(
    request: AnyRequest, services: ServicesDep, actor: TournamentActor, player: str, password: str
) -> None:
    """Raise ApiError `password.wrong` if a player who has not registered before gives a wrong password."""
    stored_hash = actor.state.config.password
    if not stored_hash or player == actor.state.config.host or entry_of(actor.state, player) is not None:
        return
    await verify_shared_password(request, player, f"cup {actor.id}", password, stored_hash, services)


def _is_mine(summary: TournamentSummary, player: str) -> bool:
    return bool(player) and (summary.host == player or player in summary.players)


def _is_listed(summary: TournamentSummary, player: str) -> bool:
    return not summary.private or _is_mine(summary, player)


def _line(summary: TournamentSummary, player: str) -> TournamentItem:
    return TournamentItem(
        cup=summary.cup,
        name=summary.name,
        title=title_text(summary.title),
        phase=summary.phase,
        players=len(summary.players),
        most=summary.most,
        left=summary.left,
        starts_at=summary.starts_at,
        lets_in=summary.lets_in,
        mine=_is_mine(summary, player),
        winner=summary.winner,
        winners=summary.winners,
    )


HANDLERS: Final = (cups, announce, cup, ask)
