"""Puts the server together: store, clock, cards, bots and services. Tests pass other ones."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from litestar import Litestar

from triptych.cards import Card
from triptych.rulesets.catalog import DEFAULT_PRESET
from triptych.rulesets.load import resolve
from triptych.server.app import web_app
from triptych.server.bots.advice import AdviceCache
from triptych.server.bots.driver import BotDriver, BotEngine
from triptych.server.bots.engine import PooledBotEngine
from triptych.server.bots.strategies import StrategyTrainer
from triptych.server.clock import (
    SERVER_CLOCK,
    DuplicateDecks,
    StallDetector,
    deck_secret,
    now_ms,
    shuffled_deck,
    steady_ms,
)
from triptych.server.clock_check import ClockCheck, Clocks
from triptych.server.content.bot_levels import level_options
from triptych.server.edge.api_tokens import TokenAuthenticator
from triptych.server.edge.connection import ConnectionRegistry
from triptych.server.edge.forwarded_address import ForwardedAddressSigner
from triptych.server.edge.guard import Guard
from triptych.server.edge.guesses import Guesses
from triptych.server.edge.guests import Guests
from triptych.server.edge.hosts import AllowedHosts
from triptych.server.edge.one_time_tokens import OneTimeTokens
from triptych.server.edge.passwords import Passwords
from triptych.server.edge.rate_limits import AddressLimiter
from triptych.server.edge.timeouts import RequestTimeouts
from triptych.server.edge.uvicorn_adapter import UvicornProtocols, uvicorn_protocols
from triptych.server.jobs.pool import SEARCH_SECONDS, JobRunner, WorkerPool, worker_command
from triptych.server.log import RateLimitedLogger, log_unhandled
from triptych.server.maintenance.archiver import Archiver, RetentionPolicy
from triptych.server.readiness import Readiness
from triptych.server.services import Services
from triptych.server.static.client_files import load_client_files
from triptych.server.static.preview import BACKGROUND, PreviewImages
from triptych.server.tables.actor import TableDeps
from triptych.server.tables.directory import TableDirectory
from triptych.server.tables.results_projector import ResultsProjector
from triptych.server.tables.service import TableService
from triptych.server.tables.snapshots import SnapshotWriter
from triptych.server.tournaments.service import TournamentService
from triptych.store.errors import StoreError
from triptych.store.file_permissions import restrict_folder
from triptych.store.interface import EventStore, JournalStore
from triptych.store.leases.interface import ServerInfo

if TYPE_CHECKING:  # a single server loads none of the cluster
    from triptych.server.cluster.bus.protocol import MessageBus
    from triptych.server.cluster.member import ClusterMember


class ServiceUrlError(StoreError):
    """The URL of a database or a bus cannot be used."""


class ServerSettings(NamedTuple):
    """In seconds: `pause` between deals, `bot_delay` before a bot moves, `grace` without a socket.

    Also in seconds: a table without use is evicted after `sleep_after`, and archived `archive_after` its end; its
    archive is deleted after `keep` (None: never).
    `rate`: messages a second from one connection in the long run. `address`: this server's own, for other servers of
    the same database. `max_connections`: None for as many as the process may have files open, less some.
    `trust_proxy`: the address of a trusted proxy. `hosts`: names that requests may use (None: any).
    """

    pause: int = 8
    bot_delay: float = 1.0
    grace: float = 2.0
    rate: float = 40.0
    address: str = ""
    request_timeouts: RequestTimeouts = RequestTimeouts()
    max_connections: int | None = None
    trust_proxy: str = ""
    sleep_after: float = 300.0
    public: str = ""
    archive_after: float = 86_400.0
    keep: float | None = None
    hosts: AllowedHosts | None = None


class ServerHandle(NamedTuple):
    """The application and what runs it. `connections` are closed when it stops; `failures` end the server.

    The protocols are uvicorn's, with this server's limits; `guard` checks requests before the application.
    """

    app: Any
    connections: ConnectionRegistry
    failures: list[Exception]
    protocols: UvicornProtocols
    guard: Guard


def bootstrap(
    store: EventStore,
    settings: ServerSettings = ServerSettings(),  # noqa: B008 - it cannot change
    *,
    now: Callable[[], int] = now_ms,
    shuffle: Callable[[int], tuple[Card, ...]] = shuffled_deck,
    bot_engine: BotEngine | None = None,
    workers: JobRunner | None = None,
    search_workers: JobRunner | None = None,
    bus: MessageBus | None = None,
) -> ServerHandle:
    """Return the whole server over a store; the application opens and closes everything itself.

    With another `shuffle` than the default no decks are committed. `bus`: for servers that share the store.
    """
    engine = bot_engine or PooledBotEngine()
    strategies = StrategyTrainer()
    bots = BotDriver(engine, settings.bot_delay, strategies.request)
    guests = Guests(store)
    error_log = RateLimitedLogger()
    refusal_log = RateLimitedLogger()
    results = ResultsProjector(store, guests.is_deleted, error_log)
    deps = TableDeps(
        store=store,
        now=now,
        shuffle=shuffle,
        grace_seconds=settings.grace,
        stall_detector=StallDetector(now),
        error_log=error_log,
        deck_secret=deck_secret if shuffle is shuffled_deck else None,
        results=results,
        snapshots=SnapshotWriter(store, error_log),
        is_deleted=guests.is_deleted,
    )
    addresses = AddressLimiter()
    connections = ConnectionRegistry(addresses)
    failures: list[Exception] = []
    directory = TableDirectory(deps, settings.sleep_after)
    tables = TableService(deps, directory, failures.append)
    tournaments = TournamentService(store, now, tables, guests.is_deleted)
    bots.prizes = tournaments.prizes_in_play
    directory.on_changed += [bots.on_table_changed, tournaments.on_table_changed]
    directory.on_unloaded.append(bots.on_table_unloaded)
    signer = ForwardedAddressSigner()
    cluster: ClusterMember | None = None
    if bus is not None:
        from triptych.server.cluster.listener import ClusterListener  # noqa: PLC0415 - a single server loads none of it
        from triptych.server.cluster.member import ClusterMember  # noqa: PLC0415 - as above

        listener = ClusterListener(
            leases=store.leases, tables=tables, tournaments=tournaments, connections=connections, guests=guests
        )
        cluster = ClusterMember(store, bus, signer, listener)
        directory.on_changed.append(cluster.on_table_changed)
    client_files = load_client_files()
    background = client_files.file(BACKGROUND)
    services = Services(
        store=store,
        guests=guests,
        authenticator=TokenAuthenticator(store, guests, addresses),
        one_time_tokens=OneTimeTokens(),
        passwords=Passwords(),
        guesses=Guesses(),
        addresses=addresses,
        connections=connections,
        tables=tables,
        tournaments=tournaments,
        results=results,
        workers=workers or WorkerPool(),
        search_workers=search_workers or WorkerPool(1, SEARCH_SECONDS, worker_command("searches")),
        advice=AdviceCache(engine),
        strategies=strategies,
        client_files=client_files,
        preview_images=PreviewImages(None if background is None else background.content),
        readiness=Readiness(store),
        refusal_log=refusal_log,
        now=now,
        pause=settings.pause,
        rate=settings.rate,
        cluster=cluster,
    )
    server_clock = SERVER_CLOCK if now is now_ms else None
    clocks = Clocks(now, now if server_clock is None else steady_ms, server_clock)
    clock = ClockCheck(store, clocks, tables.add_downtime, deletes=settings.keep is not None)
    retention = RetentionPolicy(settings.archive_after, settings.keep)
    archiver = Archiver(store, now, directory.summaries, retention, clock)
    lifecycle = _Lifecycle(services, settings, deps.duplicates, bots, clock, archiver, failures)
    app: Any = web_app(lambda: services, lifecycle.run)
    if cluster is not None:
        from triptych.server.cluster.forwarding import ForwardingMiddleware  # noqa: PLC0415 - as above

        app = ForwardingMiddleware(app, signer, cluster.owners, cluster.owner_of_path)
    return ServerHandle(
        app=app,
        connections=connections,
        failures=failures,
        protocols=uvicorn_protocols(
            addresses,
            settings.request_timeouts,
            max_connections=settings.max_connections,
            trusted=settings.trust_proxy,
            rate=settings.rate,
        ),
        guard=Guard(settings.hosts, settings.trust_proxy, addresses, signer, refusal_log),
    )


class _Lifecycle(NamedTuple):
    """Opens the parts of a server in their order, and closes them."""

    services: Services
    settings: ServerSettings
    duplicates: DuplicateDecks
    bots: BotDriver
    clock: ClockCheck
    archiver: Archiver
    failures: list[Exception]

    @asynccontextmanager
    async def run(self, _app: Litestar) -> AsyncIterator[None]:
        """Open the server's parts, and close them at the end."""
        asyncio.get_running_loop().set_exception_handler(log_unhandled)
        info = ServerInfo(os.getpid(), self.services.now(), self.settings.address, self.settings.public)
        try:
            await self.services.store.open(info)
        except Exception as error:
            self.failures.append(error)
            raise
        try:
            self.bots.prepare(msgspec.Raw(msgspec.json.encode(resolve(DEFAULT_PRESET))))
            try:
                await self._open(info)
            except Exception as error:
                self.failures.append(error)
                raise
            # The levels are loaded before the first request for them; the lobby is open meanwhile.
            loading = asyncio.create_task(level_options())
            yield
            await loading
        finally:
            await self._close()

    async def _open(self, info: ServerInfo) -> None:
        services = self.services
        await services.guests.open()
        await self.duplicates.open(services.store)
        if services.cluster is not None:
            await services.cluster.open(info)
        await self.clock.open()
        await services.tables.open()
        await services.results.open()
        await services.tournaments.open()
        self.archiver.open()

    async def _close(self) -> None:
        services = self.services
        if services.cluster is not None:
            await services.cluster.stop()
        await services.connections.close()
        await self.archiver.close()
        await self.clock.close()
        await services.advice.close()
        await self.bots.close()
        await services.strategies.close()
        await services.workers.close()
        await services.search_workers.close()
        await services.passwords.close()
        await services.tournaments.close()
        await services.tables.close()
        if services.cluster is not None:
            await services.cluster.leave()
        await services.results.close()
        await services.store.close()


def store_from_url(database: str, *, shared: bool = False) -> JournalStore:
    """Return the store that a file's path or a URL names, not opened yet. Raises ServiceUrlError.

    `shared`: by several servers, which only PostgreSQL can be.
    """
    file = sqlite_path(database)
    if file is None:
        return _postgres(database, shared=shared)
    if shared:
        raise ServiceUrlError(
            "several servers share a PostgreSQL only: --database postgresql://user:password@host/name"
        )
    try:
        restrict_folder(file.parent)
    except OSError as error:
        raise ServiceUrlError(f"cannot make the folder {file.parent}: {error.strerror}") from error
    from triptych.store.sqlite.store import sqlite_store  # noqa: PLC0415 - a driver is loaded when it is used

    return sqlite_store(file)


def sqlite_path(database: str) -> Path | None:
    """Return the file of a SQLite database, None for PostgreSQL. Raises ServiceUrlError."""
    scheme, separator, rest = database.partition("://")
    if scheme in ("postgres", "postgresql") and separator:
        return None
    if separator and scheme != "sqlite":
        raise ServiceUrlError(
            f"{scheme}:// is not supported; give a file, sqlite:///file.db or postgresql://host/name"
        )
    return Path(rest.removeprefix("/") if separator else database).expanduser()


def _postgres(url: str, *, shared: bool) -> JournalStore:
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415 - a driver is loaded when it is used

    from triptych.store.postgres.store import postgres_store  # noqa: PLC0415 - as above

    try:
        return postgres_store(url, shared=shared)
    except ModuleNotFoundError as error:
        raise ServiceUrlError("PostgreSQL needs one more package: pip install 'triptych[postgres]'") from error
    except (ArgumentError, ValueError) as error:  # such as a port that is not a number
        raise ServiceUrlError(f"this is not a database URL: {error}") from error


def bus_from_url(url: str) -> MessageBus:
    """Return the bus that a URL names, not opened yet. Raises ServiceUrlError."""
    if url.startswith("hub://"):
        from triptych.server.cluster.bus.hub import HubBus  # noqa: PLC0415 - as it is used

        return HubBus(url)
    if not url.startswith(("nats://", "tls://")):
        raise ServiceUrlError(f"{url} is not a bus; give nats://host:4222")
    try:
        from triptych.server.cluster.bus.nats import NatsBus  # noqa: PLC0415 - a driver is loaded when it is used
    except ModuleNotFoundError as error:
        raise ServiceUrlError("NATS needs one more package: pip install 'triptych[nats]'") from error
    return NatsBus(url)
