"""Opens tournaments, finds them by their id and reloads them after a restart."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable, Collection
from contextlib import suppress
from random import SystemRandom
from typing import Final

import structlog
from msgspec.structs import replace

from triptych.errors import error_location
from triptych.i18n.messages import Message
from triptych.server.backoff import backoff_seconds
from triptych.server.tables.actor import TableActor
from triptych.server.tables.service import TableService
from triptych.server.tournaments.actor import TournamentActor, TournamentDeps
from triptych.server.tournaments.event_log import STREAM_PREFIX, build_append, replay
from triptych.server.tournaments.summary import TournamentSummary, summarize
from triptych.server.wire.errors import ApiError, RemoteOwnerError
from triptych.store.errors import CorruptRecordError, RecordExpiredError
from triptych.store.interface import EventStore
from triptych.tournament.aggregate import evolve, open_tournament
from triptych.tournament.places import prizes_in_play
from triptych.tournament.state import TournamentConfig, TournamentState

log = structlog.get_logger()
MAX_PER_HOST: Final = 3
LISTED_AFTER_END_MS: Final = 3_600_000
_ID: Final = re.compile(r"[a-z0-9]{8}")
_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"


def random_order(number: int) -> tuple[int, ...]:
    """Return the numbers from 0 on in random order, from the operating system's secure source."""
    return tuple(SystemRandom().sample(range(number), number))


class TournamentService:
    """All tournaments; those of this server are in memory."""

    def __init__(
        self,
        store: EventStore,
        now: Callable[[], int],
        tables: TableService,
        is_deleted: Callable[[str], bool] = lambda _player: False,
    ) -> None:
        self._deps = TournamentDeps(store, now, random_order, tables, is_deleted)
        self._actors: dict[str, TournamentActor] = {}
        self._remote: dict[str, TournamentSummary] = {}
        self._opening = asyncio.Lock()
        self._adoptions: dict[str, asyncio.Task[None]] = {}
        self._opened = False
        tables.tournaments = self

    async def open(self) -> None:
        """Load every tournament that is not over; the tables are open already."""
        for stream in await self._deps.store.tables():
            if stream.startswith(STREAM_PREFIX):
                try:
                    await self._load(stream.removeprefix(STREAM_PREFIX), self._deps.tables.since)
                except RemoteOwnerError:
                    continue
                except Exception as error:  # noqa: BLE001 - one unreadable tournament must not keep the others shut
                    log.error("a damaged tournament stays closed", tournament=stream, error=error_location(error))  # noqa: TRY400 - no text
        self._opened = True

    async def close(self) -> None:
        """Stop all tournaments once their queued commands are done."""
        self._cancel_adoptions()
        await asyncio.gather(*(actor.stop() for actor in self._actors.values()))

    def on_table_changed(self, table: TableActor) -> None:
        """Called when a table has changed; the server with a tournament's table adopts the tournament too."""
        name = table.state.config.cup
        cup = self._actors.get(name)
        if cup is not None and not table.state.begun:
            cup.request_tick()
        elif (
            cup is None
            and name
            and self._opened
            and not table.state.closed
            and not self._deps.store.leases.is_standalone
        ):
            self.adopt_in_background(name)

    def prizes_in_play(self, cup: str, local: Collection[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the prizes still open and the chips of all other players; both empty for a tournament not loaded."""
        actor = self._actors.get(cup)
        return ((), ()) if actor is None else prizes_in_play(actor.state, local)

    def busy(self) -> bool:
        """Return whether time counts for any tournament."""
        return any(actor.state.phase == "running" for actor in self._actors.values())

    def has_pending_downtime(self) -> bool:
        """Return whether there was downtime by which a tournament's levels are not extended yet."""
        return any(actor.has_pending_downtime for actor in self._actors.values())

    def add_downtime(self, since: int) -> None:
        """Extend the levels of all tournaments by the downtime since a time (ms)."""
        for actor in self._actors.values():
            actor.add_downtime(since)

    async def create(self, config: TournamentConfig) -> TournamentActor:
        """Announce a tournament. Raises TournamentError: it cannot be played; ApiError: its host has too many."""
        hosted = sum(
            actor.state.config.host == config.host and actor.state.phase in ("open", "running")
            for actor in self._actors.values()
        )
        if hosted >= MAX_PER_HOST:
            message = Message("error.cup.too_many", hosted=hosted)
            raise ApiError("cup.too_many", message, status=409)
        cup = "".join(secrets.choice(_ALPHABET) for _ in range(8))
        (event,) = open_tournament(replace(config, cup=cup), self._deps.now())
        await self._deps.store.leases.acquire(STREAM_PREFIX + cup, new=True)
        await self._deps.store.append(build_append(cup, 0, (event,)))
        actor = TournamentActor(evolve(None, event), self._deps)
        self._actors[cup] = actor
        actor.start()
        return actor

    async def _load(self, cup: str, since: int | None = None) -> TournamentActor | None:
        """Load a tournament; `since`: when a server last ran (ms), used unless its owner's lease has a later time."""
        async with self._opening:
            loaded = self._actors.get(cup)
            if loaded is not None:
                return loaded
            state = await self._acquire_state(cup)
            if state is None:
                return None
            takeover_ms = self._deps.store.leases.pop_takeover_downtime(STREAM_PREFIX + cup)
            actor = TournamentActor(state, self._deps)
            self._actors[cup] = actor
            actor.start(self._deps.now() - takeover_ms if takeover_ms else since)
            return actor

    async def _acquire_state(self, cup: str) -> TournamentState | None:
        """Acquire a tournament's lease and read it; None when there is none. Raises RemoteOwnerError."""
        while True:
            owner = await self._deps.store.leases.acquire(STREAM_PREFIX + cup)
            if owner is not None:
                raise RemoteOwnerError(owner)
            state = replay(None, await self._deps.store.load(STREAM_PREFIX + cup))
            if state is None or self._deps.store.leases.holds(STREAM_PREFIX + cup):
                return state
            # Another server opened it meanwhile.

    async def adopt(self, cup: str) -> bool:
        """Load a tournament that has lost its owner, unless another server has; False when there is none."""
        with suppress(RemoteOwnerError):
            return _ID.fullmatch(cup) is not None and await self._load(cup) is not None
        return True

    def adopt_in_background(self, cup: str) -> None:
        """Start a task that adopts a tournament, and tries again until the store is available."""
        if cup not in self._adoptions:
            self._adoptions[cup] = asyncio.create_task(self._adopt_with_retries(cup), name=f"orphan {cup}")

    async def _adopt_with_retries(self, cup: str) -> None:
        failures = 0
        try:
            while True:
                try:
                    await self.adopt(cup)
                except (CorruptRecordError, RecordExpiredError) as error:
                    log.error("a damaged tournament stays closed", tournament=cup, error=error_location(error))  # noqa: TRY400 - no text
                    return
                except Exception as error:  # noqa: BLE001 - the store is unavailable: try again
                    failures += 1
                    log.error("a tournament cannot be loaded", tournament=cup, error=error_location(error))  # noqa: TRY400 - no text
                    await asyncio.sleep(backoff_seconds(failures))
                else:
                    return
        finally:
            self._adoptions.pop(cup, None)

    def _cancel_adoptions(self) -> None:
        for task in tuple(self._adoptions.values()):
            task.cancel()

    def drop_all(self) -> None:
        """Drop all tournaments from memory: another server owns them now, and nothing more may be written here."""
        self._cancel_adoptions()
        actors, self._actors = self._actors, {}
        for actor in actors.values():
            actor.cancel()

    async def find(self, cup: str, path: str = "$.cup") -> TournamentActor:
        """Return a tournament, also one that is over. Raises ApiError when there is none."""
        try:
            actor = self._actors.get(cup) or (await self._load(cup) if _ID.fullmatch(cup) else None)
        except RecordExpiredError:
            message = Message("error.cup.expired")
            raise ApiError("cup.expired", message, path, status=410) from None
        if actor is None:
            raise ApiError("cup.unknown", Message("error.cup.unknown"), path, status=404)
        return actor

    def local_summaries(self) -> list[TournamentSummary]:
        """Return the summaries of this server's tournaments."""
        return [summarize(actor.public_state) for actor in self._actors.values()]

    def on_guest_deleted(self, player: str) -> None:
        """Called when a guest was deleted, here or at another server."""
        for actor in self._actors.values():
            actor.on_guest_deleted(player)

    def on_remote_update(self, summary: TournamentSummary) -> None:
        """Called when another server's tournament has changed."""
        if summary.cup not in self._actors:
            self._remote[summary.cup] = summary

    def listed(self) -> list[TournamentSummary]:
        """Return the tournaments that the lobby shows: running, open and just over."""
        now = self._deps.now()
        order = {"running": 0, "open": 1, "over": 2}
        remote = (summary for cup, summary in self._remote.items() if cup not in self._actors)
        items = [item for item in (*self.local_summaries(), *remote) if item.phase in order]
        items = [item for item in items if item.phase != "over" or abs(now - (item.ended or 0)) < LISTED_AFTER_END_MS]
        return sorted(items, key=lambda item: (order[item.phase], -item.at))
