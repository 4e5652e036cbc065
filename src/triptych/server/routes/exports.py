"""Exports of all deals as text files, and of all results as CSV, made table by table while they are sent."""

from __future__ import annotations

import asyncio
import csv
import io
import zipfile
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

import msgspec
from litestar import get
from litestar.response import Stream

from triptych.errors import TriptychError
from triptych.i18n.stored import stored_text
from triptych.scoring.money import PointPrice, plain_text
from triptych.server.edge.rate_limits import EXPORTS
from triptych.server.endpoint import endpoint
from triptych.server.jobs.pool import Requester
from triptych.server.routes.results import DEALS, PAGE
from triptych.server.schemas.replay import DealsQuery, HistoryTexts, TableSoFar
from triptych.server.services import AnyRequest, Services, ServicesDep, requester_of, require_guest, spend
from triptych.server.tables.deleted_names import deleted_names
from triptych.server.tables.results_projector import DecodedSession, read_deal, read_session
from triptych.store.errors import StoreError
from triptych.store.types import StoredEvent
from triptych.table.results import DealResult

DEALS_PER_JOB: Final = 1_500  # events of a table, about thirty deals, in one job of a worker
MAX_RETRIES: Final = 40  # while the workers have no capacity
WAIT_SECONDS: Final = 0.25
HEAD: Final = (
    "table",
    "name",
    "deal",
    "match",
    "ended",
    "preset",
    "game",
    "points",
    "prize",
    "scored",
    "money",
    "unit",
    "fantasyland",
    "fouls",
)
_TEXTS: Final = msgspec.msgpack.Decoder(HistoryTexts)


@get("/api/me/results.csv", opt=endpoint("text/csv"))
async def results_csv(request: AnyRequest, services: ServicesDep) -> Stream:
    """Return all of the guest's deals as a table of comma-separated values, in UTF-8, times in ISO 8601 (UTC).

    It begins with a byte-order mark: without one Excel assumes another encoding.
    """
    player = _verify_export(request, services)
    return _file(_rows(player, services), "text/csv", "triptych-results.csv")


@get("/api/me/deals.zip", opt=endpoint("application/zip"))
async def deals_zip(request: AnyRequest, services: ServicesDep) -> Stream:
    """Return all of the guest's deals as histories, a file each, as the guest knew them."""
    player = _verify_export(request, services)
    return _file(_zipped(player, requester_of(request, services), services), "application/zip", "triptych-deals.zip")


def _verify_export(request: AnyRequest, services: Services) -> str:
    player = require_guest(request, services)
    spend(EXPORTS, request, player, services)
    return player


def _file(content: AsyncIterator[bytes], kind: str, name: str) -> Stream:
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return Stream(content, media_type=kind, headers=headers)


async def _sessions(player: str, services: Services) -> AsyncIterator[DecodedSession]:
    before: tuple[int, str] | None = None
    while True:
        page = [read_session(session) for session in await services.store.results.sessions_of(player, PAGE, before)]
        for session in page:
            yield session
        if len(page) < PAGE:
            return
        before = page[-1].at, page[-1].table


async def _deals(
    player: str, session: DecodedSession, services: Services, page_size: int
) -> AsyncIterator[list[DealResult]]:
    after = 0
    while page := await services.store.results.deals_of(player, session.table, page_size, after):
        yield [read_deal(deal) for deal in page]
        after = page[-1].deal


async def _rows(player: str, services: Services) -> AsyncIterator[bytes]:
    buffer = io.StringIO()
    buffer.write("\ufeff")
    rows = csv.writer(buffer)
    rows.writerow(HEAD)
    async for session in _sessions(player, services):
        async for page in _deals(player, session, services, DEALS):
            rows.writerows(_row(session, deal) for deal in page)
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()


def _row(session: DecodedSession, deal: DealResult) -> tuple[object, ...]:
    ended = datetime.fromtimestamp(deal.at / 1000, UTC).isoformat(timespec="seconds")
    money = plain_text(PointPrice(deal.worth, deal.unit).money(deal.points + deal.prize)) if deal.worth else ""
    return (
        session.table,
        escape_csv_formula(session.result.name),
        deal.deal,
        deal.match,
        ended,
        deal.preset,
        escape_csv_formula(deal.title),
        deal.points,
        deal.prize,
        deal.scored,
        money,
        escape_csv_formula(deal.unit) if deal.worth else "",
        deal.fantasyland,
        deal.fouls,
    )


def escape_csv_formula(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: other players may have chosen it."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


async def _zipped(player: str, requester: Requester, services: Services) -> AsyncIterator[bytes]:
    buffer = StreamBuffer()
    missing: list[str] = []
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        async for session in _sessions(player, services):
            day = datetime.fromtimestamp(session.result.began / 1000, UTC).strftime("%Y-%m-%d")
            folder = f"{day}-{session.table}"
            last = 0
            try:
                async for texts in _texts_of(session.table, player, requester, services):
                    # Compressing takes long, so it is done in a thread.
                    await asyncio.to_thread(_add, archive, folder, texts)
                    last = max(texts, default=last)
                    yield buffer.take()
            except StoreError:
                missing.append(f"{folder}: its record cannot be read")
            except TriptychError as error:
                missing.append(f"{folder}, deals after {last}: {error.message}")
        if missing:
            archive.writestr("NOT-THERE.txt", "\n".join(missing) + "\n")
    yield buffer.take()


def _add(archive: zipfile.ZipFile, folder: str, texts: Mapping[int, str]) -> None:
    for number, text in texts.items():
        archive.writestr(f"{folder}/deal-{number:04}.toml", text)


async def _texts_of(
    table: str, player: str, requester: Requester, services: Services
) -> AsyncIterator[dict[int, str]]:
    """Yield a table's deals as histories by their numbers, some at a time.

    Raises StoreError, TriptychError.
    """
    before: TableSoFar | None = None
    events: list[StoredEvent] = []
    names: dict[str, str] = {}
    async for page in services.store.pages(table):
        events += page
        names |= deleted_names(page, services.guests.is_deleted)
        if len(events) >= DEALS_PER_JOB:
            read = await _texts(
                DealsQuery(before, tuple(events), player, last=False, names=names), requester, services
            )
            before = read.after
            reached = 0 if before is None else before.state.version
            events = [event for event in events if event.version > reached]
            yield read.texts
    query = DealsQuery(before, tuple(events), player, last=True, names=names)
    yield (await _texts(query, requester, services)).texts


async def _texts(query: DealsQuery, requester: Requester, services: Services) -> HistoryTexts:
    """Return a worker's result; while the workers have no capacity it waits, since an export may take long."""
    body = msgspec.msgpack.encode(query, enc_hook=stored_text)
    for _ in range(MAX_RETRIES):
        with suppress(TriptychError):
            services.workers.verify_capacity(requester)
            break
        await asyncio.sleep(WAIT_SECONDS)
    return _TEXTS.decode(await services.workers.run("deals/texts", body, requester))


class StreamBuffer(io.RawIOBase):
    """A write-only file whose content can be taken piece by piece."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: bytes | bytearray | memoryview, /) -> int:  # type: ignore[override]
        """Append bytes."""
        self._buffer += data
        return len(data)

    def take(self) -> bytes:
        """Return the bytes written since the last call."""
        content, self._buffer = bytes(self._buffer), bytearray()
        return content


HANDLERS: Final = (results_csv, deals_zip)
