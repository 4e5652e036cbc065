"""The routes of the daily deal's rankings: players may share the points computed on their devices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

from litestar import Response, delete, get, put
from litestar.params import FromPath

from triptych.i18n.messages import Message
from triptych.server.edge.rate_limits import DAILY_RESULTS
from triptych.server.endpoint import endpoint
from triptych.server.schemas.daily import DailyLine, DailyRanking, DailyRankings, ShareDailyResult
from triptych.server.services import (
    AnyRequest,
    Services,
    ServicesDep,
    address_of,
    current_guest,
    decode_body,
    json_response,
    require_guest,
    verify_same_site,
)
from triptych.server.wire.errors import ApiError
from triptych.store.types import DailyResult

MAX_LINES: Final = 20
_DAY: Final = timedelta(days=1)


@get("/api/daily/{day:str}", opt=endpoint(DailyRankings, guest=False, error_statuses=(400,)))
async def daily_rankings(request: AnyRequest, services: ServicesDep, day: FromPath[str]) -> Response[bytes]:
    """Return the rankings of a day's deal and of its week, and the player's days in a row."""
    return json_response(await _rankings(_read_day(day), current_guest(request, services) or "", services))


@put("/api/daily/{day:str}", opt=endpoint(DailyRankings, ShareDailyResult, scope=None, error_statuses=(409,)))
async def share_daily_result(request: AnyRequest, services: ServicesDep, day: FromPath[str]) -> Response[bytes]:
    """Share the points of today's or yesterday's deal; only the first result of a day counts."""
    verify_same_site(request)
    body = await decode_body(request, ShareDailyResult)
    player, result_day = require_guest(request, services), _read_day(day)
    now = services.now()
    if result_day not in (_today(now), _today(now) - _DAY):
        raise ApiError("daily.closed", Message("error.daily.closed"), "$.day", status=409)
    services.addresses.acquire(DAILY_RESULTS, address_of(request))
    await services.store.daily.save(DailyResult(player, result_day.isoformat(), body.points, now))
    return json_response(await _rankings(result_day, player, services))


@delete("/api/daily", status_code=200, opt=endpoint(DailyRankings, scope=None))
async def withdraw_daily_results(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Delete all results that the player has shared."""
    verify_same_site(request)
    player = require_guest(request, services)
    await services.store.daily.delete(player)
    return json_response(await _rankings(_today(services.now()), player, services))


def _today(now: int) -> date:
    return datetime.fromtimestamp(now / 1000, UTC).date()


def _read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ApiError("request.invalid", Message("error.daily.day"), "$.day") from None


async def _rankings(day: date, player: str, services: Services) -> DailyRankings:
    monday = day - day.weekday() * _DAY
    results = await services.store.daily.between(monday.isoformat(), (monday + 6 * _DAY).isoformat())
    days = [date.fromisoformat(text) for text in await services.store.daily.days_of(player)] if player else []
    return DailyRankings(
        await _ranking([result for result in results if result.day == day.isoformat()], player, services),
        await _ranking(results, player, services),
        streak_until(day, days),
        max((streak_until(shared_day, days) for shared_day in days), default=0),
    )


def streak_until(day: date, days: Iterable[date]) -> int:
    """Return how many days in a row end with a day, or with the day before if it has no result yet."""
    shared_days = set(days)
    last = day if day in shared_days else day - _DAY
    count = 0
    while last - count * _DAY in shared_days:
        count += 1
    return count


async def _ranking(results: Sequence[DailyResult], player: str, services: Services) -> DailyRanking:
    points: defaultdict[str, list[int]] = defaultdict(list)
    for result in results:
        points[result.player].append(result.points)
    totals = sorted(((sum(own), guest) for guest, own in points.items()), key=lambda row: (-row[0], row[1]))
    places = {guest: 1 + sum(better > total for better, _ in totals) for total, guest in totals}
    listed = [(total, guest) for index, (total, guest) in enumerate(totals) if index < MAX_LINES or guest == player]
    lines = [
        DailyLine(places[guest], await services.guests.name(guest), total, len(points[guest]), guest == player)
        for total, guest in listed
    ]
    return DailyRanking(tuple(lines), len(totals), places.get(player))


HANDLERS: Final = (daily_rankings, share_daily_result, withdraw_daily_results)
