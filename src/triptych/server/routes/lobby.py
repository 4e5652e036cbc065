"""The routes of the guest's identity, of the lobby, and of a table's page.

Bodies are in wire/bodies.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

import msgspec
from litestar import Response, get, post, put
from litestar.params import FromPath

from triptych.i18n.messages import Message
from triptych.rulesets.describe.phrases import title_text
from triptych.rulesets.model import Ruleset
from triptych.scoring.sheet.types import ScoreSheet
from triptych.server.bots.strategies import strategy_info
from triptych.server.content.bot_levels import level_options
from triptych.server.content.presets import rules_page as rules_in_words
from triptych.server.content.presets import validated_rules
from triptych.server.edge.rate_limits import GUESTS, NAMES, TABLES
from triptych.server.endpoint import endpoint
from triptych.server.routes.browsers import browser_of, note_session
from triptych.server.services import (
    AnyRequest,
    Services,
    ServicesDep,
    address_of,
    bearer_of,
    current_guest,
    decode_body,
    guest_response,
    json_response,
    require_guest,
    run_job,
    session_of,
    spend,
)
from triptych.server.tables.actor import TableActor
from triptych.server.tables.results_projector import DecodedSession
from triptych.server.tables.seating import (
    seat_first_players,
    seat_rematch_bots,
    seat_rematch_player,
    verify_first_players,
)
from triptych.server.tables.summary import TableSummary
from triptych.server.wire.bodies import (
    DealRecord,
    LevelItem,
    LobbySeat,
    LobbyTable,
    Me,
    NewTable,
    Rename,
    StrategyInfo,
    TableLink,
    TableRules,
)
from triptych.server.wire.decoding import verify_name
from triptych.server.wire.errors import ApiError, RemoteOwnerError
from triptych.table.renaming import rename_sheet
from triptych.table.state import TableConfig, TableState
from triptych.table.view import view
from triptych.table.view_types import TableView

MAX_TABLE_NAME: Final = 40
ABANDONED_MS: Final = 3_600_000
MAX_CLOSED_LISTED: Final = 10
_RULES: Final = msgspec.json.Decoder(Ruleset)
_SHEET: Final = msgspec.json.Decoder(ScoreSheet)


@get("/api/me", opt=endpoint(Me, guest=False))
async def who_am_i(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the guest; a browser that has none becomes a new one."""
    player = current_guest(request, services)
    if player is not None and bearer_of(request) is not None:  # no cookie for a token, since a cookie has more rights
        return json_response(Me(player, await services.guests.name(player)))
    signed_in = session_of(request, services)
    if signed_in is None:
        services.addresses.acquire(GUESTS, address_of(request))
        return await guest_response(request, services.guests.new_id(), services)
    signed_in = services.guests.with_session(signed_in, "/".join(browser_of(request)))
    await note_session(request, signed_in, services)
    return await guest_response(request, signed_in, services)


@put("/api/me", opt=endpoint(Me, Rename, scope=None))
async def rename(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Change the guest's name."""
    body = await decode_body(request, Rename)
    player = require_guest(request, services)
    name = verify_name(body.name, "$.name")
    spend(NAMES, request, player, services)  # each is written to the disk
    await services.guests.rename(player, name)
    services.tables.on_guest_renamed(player, name)
    if services.cluster is not None:
        services.cluster.publish_rename(player, name)
    return json_response(Me(player, name))


@get("/api/levels", opt=endpoint(tuple[LevelItem, ...], guest=False))
async def levels() -> Response[bytes]:
    """Return the levels that a host can seat, weakest first."""
    return json_response(await level_options())


@get("/api/tables", opt=endpoint(tuple[LobbyTable, ...], guest=False))
async def tables(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the open tables, the guest's own first, then the newest; abandoned ones are left out."""
    player = current_guest(request, services) or ""
    lines = [
        _lobby_line(summary, services.tables.directory.watchers(summary.table), player)
        for summary in services.tables.directory.summaries()[::-1]
        if _is_active(summary, services)
    ]
    lines = [line for line in lines if line.mine or not line.private]
    if player:
        lines += [
            _closed_line(session) for session in await services.results.closed_sessions(player, MAX_CLOSED_LISTED)
        ]
    return json_response(sorted(lines, key=lambda line: (line.phase == "closed", not line.turn, not line.mine)))


@post("/api/tables", opt=endpoint(TableLink, NewTable, scope="host", status=201, error_statuses=(404, 409, 410)))
async def open_table(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Open a table; the guest who opens it is its host."""
    body = await decode_body(request, NewTable)
    opener = require_guest(request, services)
    name = verify_name(body.name, "$.name", MAX_TABLE_NAME)
    if body.like:
        old = await _closed(body.like, opener, services)
        async with services.tables.rematch_lock(old.id):
            opened = services.tables.find_rematch(old.id)
            is_new = opened is None
            if opened is None:
                services.addresses.acquire(TABLES, address_of(request))
                opened = await services.tables.rematch(opener, name, old.state)
            if body.sit:
                await _seat_at_rematch(opened, opener, old.state, services, with_bots=is_new)
        return _link(opened)
    rules = await resolve_requested_rules(body.rules, request, services)
    config = TableConfig(
        "",
        name,
        opener,
        rules,
        body.bots_allowed,
        services.pause if body.pause is None else body.pause,
        start=body.start,
        private=body.private or bool(body.password),
        arranging=body.arranging,
        hints=body.hints,
    )
    first = await verify_first_players(body.sit, body.bots, body.buy_in, rules, bots_allowed=body.bots_allowed)
    services.addresses.acquire(TABLES, address_of(request))
    password = await services.passwords.hash(body.password) if body.password else ""
    opened_table = await services.tables.create(config, password)
    await seat_first_players(opened_table, opener, await services.guests.name(opener), first)
    return _link(opened_table.id)


def _link(table: str) -> Response[bytes]:
    return json_response(TableLink(table, f"/t/{table}"), 201)


async def _seat_at_rematch(table: str, player: str, old: TableState, services: Services, *, with_bots: bool) -> None:
    """Seat a player at a rematch, after the bots; at another server's table the client does it there."""
    with suppress(RemoteOwnerError):
        actor = await services.tables.find(table)
        if with_bots:
            await seat_rematch_bots(actor, old)
        await seat_rematch_player(actor, player, await services.guests.name(player), old)


async def _closed(table: str, player: str, services: Services) -> TableActor:
    """Return the closed table of a rematch. Raises ApiError when it is still open."""
    old = await services.tables.authorize(table, player, "$.like")
    if not old.state.closed:
        raise ApiError("table.open", Message("error.table.open"), "$.like")
    return old


async def resolve_requested_rules(spec: str | dict[str, Any], request: AnyRequest, services: Services) -> Ruleset:
    """Return the rules for a new table; custom rules are untrusted input, so a worker process resolves them."""
    if isinstance(spec, str):
        return validated_rules(spec)
    return _intern(_RULES.decode(await run_job("rules/verify", msgspec.json.encode(spec), request, services)))


@lru_cache(maxsize=256)
def _intern(rules: Ruleset) -> Ruleset:
    """Return an equal Ruleset that exists already: many tables have the same rules, of 3 KB."""
    return rules


@get("/api/tables/{table:str}", opt=endpoint(TableView, guest=False))
async def table(request: AnyRequest, services: ServicesDep, table: FromPath[str]) -> Response[bytes]:
    """Return a table as the guest may see it."""
    player = current_guest(request, services) or ""
    actor = await services.tables.authorize(table, player)
    return json_response(view(actor.public_state, player))


@get("/api/tables/{table:str}/rules", opt=endpoint(TableRules, guest=False))
async def table_rules(request: AnyRequest, services: ServicesDep, table: FromPath[str]) -> Response[bytes]:
    """Return a table's rules in words and as TOML."""
    actor = await services.tables.authorize(table, current_guest(request, services) or "")
    coming = actor.state.next_rules
    return json_response(rules_in_words(actor.state.config.rules, None if coming is None else coming.rules))


@get("/api/tables/{table:str}/strategy", opt=endpoint(StrategyInfo, guest=False))
async def strategy(request: AnyRequest, services: ServicesDep, table: FromPath[str]) -> Response[bytes]:
    """Return the bots' strategy for a table's rules; a missing strategy is computed later."""
    actor = await services.tables.authorize(table, current_guest(request, services) or "")
    services.strategies.request(actor)
    return json_response(await strategy_info(actor.state.config.rules))


@get("/api/tables/{table:str}/deals", opt=endpoint(tuple[DealRecord, ...], guest=False))
async def deals(request: AnyRequest, services: ServicesDep, table: FromPath[str]) -> Response[bytes]:
    """Return a table's finished deals, newest first."""
    actor = await services.tables.authorize(table, current_guest(request, services) or "")
    records = await services.store.deals(actor.id)
    sheets = ((deal.match, rename_sheet(_SHEET.decode(deal.payload), actor.names)) for deal in records)
    return json_response([DealRecord(match, sheet) for match, sheet in sheets])


def _is_active(summary: TableSummary, services: Services) -> bool:
    is_recent = abs(services.now() - summary.at) < ABANDONED_MS  # a wrong clock may have been ahead then
    return is_recent or any(summary.seats) or bool(services.tables.directory.watchers(summary.table))


def _closed_line(session: DecodedSession) -> LobbyTable:
    """Return the lobby's item of a closed table, from a player's stored session."""
    last = session.result.parts[-1]
    return LobbyTable(
        table=session.table,
        name=session.result.name,
        preset=last.preset,
        title=title_text(last.title),
        seats=tuple(LobbySeat(number, name, bot=False) for number, name in enumerate(session.result.company)),
        phase="closed",
        watching=0,
        mine=True,
        private=False,
        turn=False,
        changes=0,
    )


def _lobby_line(summary: TableSummary, watchers: Sequence[str], player: str) -> LobbyTable:
    own = summary.seat_of(player)
    seated = {seat.player for seat in summary.seats if seat is not None}
    return LobbyTable(
        table=summary.table,
        name=summary.name,
        preset=summary.preset,
        title=title_text(summary.title),
        seats=tuple(
            None if seat is None else LobbySeat(number, seat.name, seat.bot or seat.program)
            for number, seat in enumerate(summary.seats)
        ),
        phase=summary.phase,
        watching=sum(watcher not in seated for watcher in watchers),
        mine=own is not None or (player != "" and summary.host == player),
        private=summary.private or summary.locked,
        turn=own is not None and own.turn,
        changes=summary.changes,
    )


HANDLERS: Final = (who_am_i, rename, levels, strategy, tables, open_table, table, table_rules, deals)
