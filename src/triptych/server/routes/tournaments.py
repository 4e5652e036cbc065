"""The HTTP interface of tournaments. Following one goes over the live link, as `cup:<id>`."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from triptych.i18n.messages import Message
from triptych.rulesets.describe.phrases import title_text
from triptych.server.content.bot_levels import verify_level
from triptych.server.edge.guesses import TABLE
from triptych.server.edge.rate_limits import TABLES
from triptych.server.endpoint import endpoint
from triptych.server.routes.lobby import MAX_TABLE_NAME, resolve_requested_rules
from triptych.server.routes.table_access import limit_password_attempts
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
from triptych.server.tournaments.actor import TournamentActor
from triptych.server.tournaments.summary import TournamentSummary
from triptych.server.wire.decoding import verify_name
from triptych.server.wire.errors import ApiError
from triptych.tournament.commands import AddBots, Command, Register, TournamentRequest
from triptych.tournament.config import normalize_rules
from triptych.tournament.state import TournamentConfig, entry_of
from triptych.tournament.view import view
from triptych.tournament.view_types import TournamentView

_NEW: Final = msgspec.json.Decoder(NewTournament)
_ASK: Final[msgspec.json.Decoder[TournamentRequest]] = msgspec.json.Decoder(TournamentRequest)


@get("/api/cups", opt=endpoint(tuple[TournamentItem, ...], guest=False))
async def cups(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the tournaments: running ones, coming ones, then those that ended lately; of private ones your own."""
    player = current_guest(request, services) or ""
    shown = [_line(glance, player) for glance in services.tournaments.listed() if _is_shown(glance, player)]
    return json_response(shown)


@post("/api/cups", opt=endpoint(TournamentLink, NewTournament, scope="host", status=201, error_statuses=(409,)))
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
        private=wanted.private or bool(wanted.password),
        password=await services.passwords.hash(wanted.password) if wanted.password else "",
    )
    live = await services.tournaments.create(config)
    return json_response(TournamentLink(live.id, f"/cup/{live.id}"), 201)


@get("/api/cups/{cup:str}", opt=endpoint(TournamentView, guest=False))
async def cup(request: AnyRequest, services: ServicesDep, cup: FromPath[str]) -> Response[bytes]:
    """Return a tournament as the guest may see it."""
    live = await services.tournaments.find(cup)
    return json_response(view(live.public_state, current_guest(request, services) or ""))


@post(
    "/api/cups/{cup:str}",
    status_code=200,
    opt=endpoint(TournamentView, TournamentRequest, scope=None, error_statuses=(409,)),
)
async def ask(request: AnyRequest, services: ServicesDep, cup: FromPath[str]) -> Response[bytes]:
    """Send a command to a tournament; the answer is the tournament after it."""
    wanted = await decode_body(request, _ASK)
    player = require_guest(request, services)
    live = await services.tournaments.find(cup)
    if isinstance(wanted, AddBots):
        await verify_level(wanted.level)
    if isinstance(wanted, Register):
        await _verify_password(request, services, live, player, wanted.password)
        wanted = Register()
    await live.execute(Command(player, wanted, await services.guests.name(player)))
    return json_response(view(live.public_state, player))


async def _verify_password(
    request: AnyRequest, services: ServicesDep, live: TournamentActor, player: str, password: str
) -> None:
    """Raise ApiError `password.wrong` unless a player who is new in a tournament knows its password."""
    stored_hash = live.state.config.password
    if not stored_hash or player == live.state.config.host or entry_of(live.state, player) is not None:
        return
    limit_password_attempts(request, player, services)
    tries = f"cup {live.id}"
    services.guesses.spend(tries, TABLE)
    if not await services.passwords.verify(password, stored_hash):
        raise ApiError("password.wrong", Message("error.password.wrong"), "$.password", status=403)
    services.guesses.refund(tries)


def _is_mine(glance: TournamentSummary, player: str) -> bool:
    return bool(player) and (glance.host == player or player in glance.players)


def _is_shown(glance: TournamentSummary, player: str) -> bool:
    return not glance.private or _is_mine(glance, player)


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
        mine=_is_mine(glance, player),
        winner=glance.winner,
        winners=glance.winners,
    )


HANDLERS: Final = (cups, announce, cup, ask)
