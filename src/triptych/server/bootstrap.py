"""The only wiring: which store, which clock, which cards, which bots. Tests pass other ones."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from triptych.rulesets.catalog import DEFAULT_PRESET
from triptych.rulesets.load import resolve
from triptych.server.app import web_app
from triptych.server.bots.advice import Advice
from triptych.server.bots.driver import BotHost, level_lines
from triptych.server.bots.engine_process import bot_pool
from triptych.server.bots.strategies import Strategies
from triptych.server.clock import HOUSE_CLOCK, Duplicates, Pulse, deck_secret, now_ms, shuffled, steady_ms
from triptych.server.clock_check import ClockCheck, Clocks
from triptych.server.cluster.member import Company
from triptych.server.cluster.signing import Hops
from triptych.server.cluster_listener import HouseFloor
from triptych.server.edge.api_tokens import Shown
from triptych.server.edge.connection import Connections
from triptych.server.edge.guard import Guard
from triptych.server.edge.guesses import Guesses
from triptych.server.edge.guest_locks import Turns
from triptych.server.edge.guests import Guests
from triptych.server.edge.http_protocol import Door, Patience, door
from triptych.server.edge.one_time_tokens import Tickets
from triptych.server.edge.passwords import Passwords
from triptych.server.edge.rate_limits import Addresses
from triptych.server.edge.websocket_protocol import Frames, frames
from triptych.server.jobs.pool import THINK, THINKING_SECONDS, WorkerPool
from triptych.server.log import Seldom, log_lost
from triptych.server.maintenance.archiver import Archivist, Times
from triptych.server.readiness import Readiness
from triptych.server.services import Services
from triptych.server.static.client_files import built_page
from triptych.server.static.preview import GROUND
from triptych.server.static.preview_image import Pictures
from triptych.server.tables.actor import Outside
from triptych.server.tables.directory import Shelf
from triptych.server.tables.results_projector import Recorder
from triptych.server.tables.service import Tables
from triptych.server.tables.snapshots import Snapshots
from triptych.server.tournaments.service import Cups
from triptych.store.file_permissions import make_private_folder
from triptych.store.interface import StoreError
from triptych.store.leases.interface import Serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from litestar import Litestar

    from triptych.cards import Card
    from triptych.server.bots.driver import Thinker
    from triptych.server.cluster.bus.protocol import Bus
    from triptych.server.cluster.forwarding import Passing
    from triptych.server.edge.hosts import AllowedHosts
    from triptych.server.jobs.pool import Workers
    from triptych.server.tables.actor import LiveTable
    from triptych.store.interface import EventStore, JournaledStore


class BadDatabase(StoreError):  # noqa: N818 - named by what is wrong
    """`--database` names nothing that can be opened."""


class Settings(NamedTuple):
    """In seconds: `pause` between deals, `bot_delay` before a bot moves, `grace` without a socket.

    `rate`: messages a second that one connection may send for long. `address`: where this server is found, for
    another one that would serve the same database. `patience` with what comes in; `most_connections` at once (None:
    as many as the process may have files open, less some); `trust_proxy`: the address of a proxy that is believed.
    `sleep_after`: without use, a table leaves memory. `archive_after` its end a table is put away, and its record is
    kept for `keep` (None: for ever). `hosts`: under which names it may be asked (None: under any).
    """

    pause: int = 8
    bot_delay: float = 1.0
    grace: float = 2.0
    rate: float = 40.0
    address: str = ""
    patience: Patience = Patience()
    most_connections: int | None = None
    trust_proxy: str = ""
    sleep_after: float = 300.0
    public: str = ""
    archive_after: float = 86_400.0
    keep: float | None = None
    hosts: AllowedHosts | None = None


class Server(NamedTuple):
    """The application, the connections to tell when it stops, and what kept it from starting, or from going on.

    `door` and `frames` are its connections, `guard` is asked before the application.
    """

    app: Any
    connections: Connections
    failures: list[Exception]
    door: type[Door]
    frames: type[Frames]
    guard: Guard


def bootstrap(  # noqa: PLR0915 - the wiring is one list
    store: EventStore,
    settings: Settings = Settings(),  # noqa: B008 - it cannot change
    *,
    now: Callable[[], int] = now_ms,
    shuffle: Callable[[int], tuple[Card, ...]] = shuffled,
    thinker: Thinker | None = None,
    workers: Workers | None = None,
    thinkers: Workers | None = None,
    bus: Bus | None = None,
) -> Server:
    """Return the whole server over a store; the application opens and closes everything itself.

    A `shuffle` of somebody's own stands for decks that are made and committed by the house. `bus`: how servers that
    share the store hear of each other.
    """
    thinking = thinker or bot_pool()
    strategies = Strategies()
    bots = BotHost(thinking, settings.bot_delay, strategies.want)
    advice = Advice(thinking)
    working = workers or WorkerPool()
    searching = thinkers or WorkerPool(1, THINKING_SECONDS, THINK)
    guests = Guests(store)
    passwords = Passwords()
    trouble = Seldom()
    refused = Seldom()
    recorder = Recorder(store, guests.is_gone, trouble)
    outside = Outside(
        store,
        now,
        shuffle,
        settings.grace,
        {},
        Pulse(now),
        trouble,
        recorder,
        Duplicates(),
        deck_secret if shuffle is shuffled else None,
        Snapshots(store, trouble),
    )
    addresses = Addresses()
    connections = Connections(addresses)
    failures: list[Exception] = []

    def changed(table: LiveTable) -> None:
        bots.look(table)
        cups.changed(table)
        if company is not None:
            company.changed(table)

    shelf = Shelf(outside, changed, bots.forget, settings.sleep_after)
    tables = Tables(outside, shelf, failures.append)
    cups = Cups(store, now, tables)
    bots.prizes = cups.played_for
    house = HOUSE_CLOCK if now is now_ms else None
    clocks = Clocks(now, now if house is None else steady_ms, house)
    clock = ClockCheck(store, clocks, tables.stood_still, deletes=settings.keep is not None)
    archivist = Archivist(store, now, tables.glances, Times(settings.archive_after, settings.keep), clock)
    floor = HouseFloor(store.leases, shelf, tables, cups, connections, guests)
    hops = Hops()
    company = None if bus is None else Company(store, bus, hops, floor)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(log_lost)
        try:
            serving = Serving(os.getpid(), now(), settings.address, settings.public)
            await store.open(serving)
        except Exception as error:
            failures.append(error)
            raise
        try:
            bots.prepare(msgspec.Raw(msgspec.json.encode(resolve(DEFAULT_PRESET))))
            try:
                await guests.open()
                await outside.duplicates.open(store)
                if company is not None:
                    await company.open(serving)
                await clock.open()
                await tables.open()
                await recorder.open()
                await cups.open()
                archivist.open()
            except Exception as error:
                failures.append(error)
                raise
            # The levels are loaded before somebody asks for them; the lobby is open meanwhile.
            warming = asyncio.create_task(level_lines())
            yield
            await warming
        finally:
            if company is not None:
                await company.stop()
            await connections.close()
            await archivist.close()
            await clock.close()
            await advice.close()
            await bots.close()
            await strategies.close()
            await working.close()
            await searching.close()
            await passwords.close()
            await cups.close()
            await tables.close()
            if company is not None:
                await company.leave()
            if forward is not None:
                await forward.close()
            await recorder.close()
            await store.close()

    page = built_page()
    ground = page.file(GROUND)
    services = Services(
        store,
        guests,
        tables,
        cups,
        connections,
        page,
        working,
        searching,
        addresses,
        advice,
        strategies,
        now,
        settings.pause,
        settings.rate,
        passwords,
        Tickets(),
        recorder,
        Pictures(None if ground is None else ground.content),
        Turns(),
        Shown(store, guests, addresses),
        Readiness(store),
        refused,
        Guesses(),
        company,
    )
    house_door = door(addresses, settings.patience, settings.most_connections, settings.trust_proxy)
    is_proxied = bool(settings.trust_proxy)
    house_frames = frames(settings.rate, settings.patience.head, addresses, is_proxied=is_proxied)
    guard = Guard(settings.hosts, settings.trust_proxy, addresses, hops, refused)
    app = web_app(lambda: services, lifespan)
    forward = None if company is None else _passing(app, hops, company)
    return Server(forward or app, connections, failures, house_door, house_frames, guard)


def _passing(app: Litestar, hops: Hops, company: Company) -> Passing:
    """Return an application that passes on what other servers own."""
    from triptych.server.cluster.forwarding import Passing  # noqa: PLC0415 - a house of one server needs no HTTP client

    return Passing(app, hops, company.owners, company.home)


def store_at(database: str, *, shared: bool = False) -> JournaledStore:
    """Return the store that a file's path or a URL names, not opened yet. Raises BadDatabase.

    `shared`: by several servers, which only PostgreSQL can be.
    """
    file = file_at(database)
    if file is None:
        return _postgres(database, shared=shared)
    if shared:
        raise BadDatabase("several servers share a PostgreSQL only: --database postgresql://user:password@host/name")
    try:
        make_private_folder(file.parent)
    except OSError as error:
        raise BadDatabase(f"cannot make the folder {file.parent}: {error.strerror}") from error
    from triptych.store.sqlite.store import sqlite_store  # noqa: PLC0415 - a driver is loaded when it is used

    return sqlite_store(file)


def file_at(database: str) -> Path | None:
    """Return the file that a database lies in, None for a PostgreSQL. Raises BadDatabase."""
    scheme, separator, rest = database.partition("://")
    if scheme in ("postgres", "postgresql") and separator:
        return None
    if separator and scheme != "sqlite":
        raise BadDatabase(f"{scheme}:// is not supported; give a file, sqlite:///file.db or postgresql://host/name")
    return Path(rest.removeprefix("/") if separator else database).expanduser()


def _postgres(url: str, *, shared: bool) -> JournaledStore:
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415 - a driver is loaded when it is used

    from triptych.store.postgres.store import postgres_store  # noqa: PLC0415 - as above

    try:
        return postgres_store(url, shared=shared)
    except ModuleNotFoundError as error:
        raise BadDatabase("PostgreSQL needs one more package: pip install 'triptych[postgres]'") from error
    except (ArgumentError, ValueError) as error:  # such as a port that is no number
        raise BadDatabase(f"this is no database URL: {error}") from error


def bus_at(url: str) -> Bus:
    """Return the bus that a URL names, not opened yet. Raises BadDatabase."""
    if url.startswith("hub://"):
        from triptych.server.cluster.bus.hub import HubBus  # noqa: PLC0415 - as it is used

        return HubBus(url)
    if not url.startswith(("nats://", "tls://")):
        raise BadDatabase(f"{url} is no bus; give nats://host:4222")
    try:
        from triptych.server.cluster.bus.nats import NatsBus  # noqa: PLC0415 - a driver is loaded when it is used
    except ModuleNotFoundError as error:
        raise BadDatabase("NATS needs one more package: pip install 'triptych[nats]'") from error
    return NatsBus(url)
