"""The HTTP interface of tournaments. Following one goes over the live link, as `cup:<id>`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from triptych.server.bots.driver import verify_level
from triptych.server.edge.rate_limits import TABLES
from triptych.server.endpoint import contract
from triptych.server.routes.lobby import LONGEST_TABLE_NAME, wanted_rules
from triptych.server.schemas.tournaments import CupLine, CupLink, NewCup
from triptych.server.services import AnyRequest, Desk, address_of, answer, known_guest, read_body, verify_guest
from triptych.server.wire.decoding import verify_name
from triptych.tournament.commands import AddBots, Command, CupRequest
from triptych.tournament.config import table_rules
from triptych.tournament.state import CupConfig
from triptych.tournament.view import view
from triptych.tournament.view_types import CupView

if TYPE_CHECKING:
    from triptych.server.tournaments.summary import CupGlance

_NEW: Final = msgspec.json.Decoder(NewCup)
_ASK: Final[msgspec.json.Decoder[CupRequest]] = msgspec.json.Decoder(CupRequest)


@get("/api/cups", opt=contract(tuple[CupLine, ...], guest=False))
async def cups(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return the tournaments that are on, then those to come, then those just over."""
    player = known_guest(request, services) or ""
    return answer([_line(glance, player) for glance in services.cups.shown()])


@post("/api/cups", opt=contract(CupLink, NewCup, scope="host", status=201, refused=(409,)))
async def announce(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Announce a tournament; the guest who does is its host."""
    wanted = await read_body(request, _NEW)
    host = verify_guest(request, services)
    name = verify_name(wanted.name, "$.name", LONGEST_TABLE_NAME)
    if wanted.fill:
        await verify_level(wanted.fill)
    rules = table_rules(await wanted_rules(wanted.rules, request, services), league=wanted.rounds > 0)
    services.addresses.spend(TABLES, address_of(request))
    config = CupConfig(
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
    live = await services.cups.create(config)
    return answer(CupLink(live.id, f"/cup/{live.id}"), 201)


@get("/api/cups/{cup:str}", opt=contract(CupView, guest=False))
async def cup(request: AnyRequest, services: Desk, cup: FromPath[str]) -> Response[bytes]:
    """Return a tournament as the guest may see it."""
    live = await services.cups.find(cup)
    return answer(view(live.state, known_guest(request, services) or ""))


@post("/api/cups/{cup:str}", status_code=200, opt=contract(CupView, CupRequest, scope=None, refused=(409,)))
async def ask(request: AnyRequest, services: Desk, cup: FromPath[str]) -> Response[bytes]:
    """Ask something of a tournament; the answer is the tournament after it."""
    wanted = await read_body(request, _ASK)
    player = verify_guest(request, services)
    live = await services.cups.find(cup)
    if isinstance(wanted, AddBots):
        await verify_level(wanted.level)
    await live.ask(Command(player, wanted, await services.guests.name(player)))
    return answer(view(live.state, player))


def _line(glance: CupGlance, player: str) -> CupLine:
    return CupLine(
        cup=glance.cup,
        name=glance.name,
        title=glance.title,
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
