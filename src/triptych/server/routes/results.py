"""A guest's results: totals, pages of sessions, and the deals of a session."""

from __future__ import annotations

from typing import Final

from litestar import Response, get
from litestar.params import FromPath
from msgspec.structs import replace

from triptych.i18n.messages import Message
from triptych.rulesets.describe.phrases import title_text
from triptych.server.endpoint import endpoint
from triptych.server.schemas.results import MyResults, SessionDeals, SessionItem, Sessions, TotalStep
from triptych.server.services import AnyRequest, Services, ServicesDep, json_response, require_guest
from triptych.server.tables.results_projector import DecodedSession, read_deal, read_session
from triptych.server.wire.errors import ApiError
from triptych.table.results import RulesetTotal, totals

PAGE: Final = 20
DEALS: Final = 100
MAX_SESSIONS: Final = 5_000  # in the totals
MAX_STEPS: Final = 400  # in the graph
_LATEST: Final = 2**53


@get("/api/me/results", opt=endpoint(MyResults))
async def my_results(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the guest's totals over all sessions."""
    player = require_guest(request, services)
    sessions = [read_session(stored) for stored in await services.store.results.sessions_of(player, MAX_SESSIONS)]
    by_rules = totals(session.result for session in sessions)
    numbers = {(total.preset, total.title, total.worth, total.unit): number for number, total in enumerate(by_rules)}
    steps = [
        TotalStep(
            session.at,
            session.result.name,
            numbers[total.preset, total.title, total.worth, total.unit],
            total.points,
            total.deals,
        )
        for session in reversed(sessions)
        for total in session.result.parts
    ]
    return json_response(MyResults(len(sessions), _with_titles(by_rules), tuple(steps[-MAX_STEPS:])))


@get("/api/me/evenings", opt=endpoint(Sessions, error_statuses=(400,), query=(("before?", str),)))
async def my_sessions(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return a page of the guest's sessions, newest first; `?before=`: the `before` of the previous page."""
    player = require_guest(request, services)
    before = _before(request.query_params.get("before", ""))
    sessions = [read_session(stored) for stored in await services.store.results.sessions_of(player, PAGE + 1, before)]
    page = sessions[:PAGE]
    more = f"{page[-1].at}-{page[-1].table}" if len(sessions) > PAGE else ""
    return json_response(Sessions(tuple(_line(session, services) for session in page), more))


@get("/api/me/evenings/{table:str}", opt=endpoint(SessionDeals, error_statuses=(400,), query=(("after?", int),)))
async def my_session(request: AnyRequest, services: ServicesDep, table: FromPath[str]) -> Response[bytes]:
    """Return a page of the guest's deals at a table, after the deal with the number `?after=`."""
    player = require_guest(request, services)
    session = await _session(player, table, services)
    after = _number(request.query_params.get("after", "0"), "$.after")
    lines = await services.store.results.deals_of(player, table, DEALS + 1, after)
    deals = tuple(read_deal(line) for line in lines[:DEALS])
    more = deals[-1].deal if len(lines) > DEALS else 0
    return json_response(SessionDeals(_line(session, services), deals, more))


async def _session(player: str, table: str, services: Services) -> DecodedSession:
    stored = await services.store.results.session_of(player, table) if services.tables.is_id(table) else None
    if stored is None:
        raise ApiError("evening.unknown", Message("error.evening.unknown"), "$.table", status=404)
    return read_session(stored)


def _before(text: str) -> tuple[int, str] | None:
    if not text:
        return None
    at, _, table = text.partition("-")
    if not table.isascii() or not table.isprintable():
        raise ApiError("request.invalid", "this is not a page of your results", "$.before")
    return _number(at, "$.before"), table


def _number(text: str, path: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 16 or int(text) > _LATEST:
        raise ApiError("request.invalid", "expected a number", path)
    return int(text)


def _with_titles(totals: tuple[RulesetTotal, ...]) -> tuple[RulesetTotal, ...]:
    return tuple([replace(total, title=title_text(total.title)) for total in totals])


def _line(session: DecodedSession, services: Services) -> SessionItem:
    result = session.result
    return SessionItem(
        session.table,
        result.name,
        result.began,
        result.ended,
        result.company,
        _with_titles(result.parts),
        open=services.tables.directory.is_open(session.table),
    )


HANDLERS: Final = (my_results, my_sessions, my_session)
