"""One tournament while the server runs. Its task is the only one that changes it, as a table's does.

queue -> tournament.decide -> store.append -> only after the commit: the new state, the reply, the broadcast, and the
orders to the tables (`_sync_tables`). These follow from the states alone, the tournament's and each table's: an order
that a table has not executed is sent, a match that is over and not reported is reported. So nothing is lost or done
twice when the server is killed in between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple

import structlog
from msgspec import Raw

from triptych.errors import TriptychError, error_location
from triptych.server.actor import Actor
from triptych.server.backoff import backoff_seconds
from triptych.server.tables.actor import QueuedCommand, TableActor
from triptych.server.tables.deleted_names import without_deleted_names
from triptych.server.tables.service import TableService
from triptych.server.tables.subscribers import Subscriber
from triptych.server.tournaments.event_log import STREAM_PREFIX, build_append, replay
from triptych.server.wire.errors import OUTCOME_UNKNOWN, ApiError
from triptych.server.wire.localization import encode_json
from triptych.server.wire.messages import Ack, Rejected, TournamentUpdate
from triptych.store.interface import EventStore
from triptych.table import commands as table_commands
from triptych.table.state import TableConfig, in_match
from triptych.table.tournament_orders import match_results
from triptych.tournament.aggregate import decide, next_wakeup
from triptych.tournament.commands import Command, ReportDowntime, ReportMatch, Tick
from triptych.tournament.draft import Draft
from triptych.tournament.places import places_news
from triptych.tournament.state import TournamentState, TournamentTable, entry_of, table_id
from triptych.tournament.view import personal_view, shared_view
from triptych.tournament.view_types import TournamentView

log = structlog.get_logger()
# Many tables end their matches at once: one update covers them.
BROADCAST_DEBOUNCE_SECONDS: Final = 0.1
RETRY_SECONDS: Final = 0.5
REPLY_TIMEOUT_SECONDS: Final = 15.0


class TournamentDeps(NamedTuple):
    """The dependencies of a tournament: the event store, the time in ms, the draw of seats, the tables.

    `is_deleted`: whether a player's account is deleted.
    """

    store: EventStore
    now: Callable[[], int]
    draw: Callable[[int], tuple[int, ...]]
    tables: TableService
    is_deleted: Callable[[str], bool] = lambda _player: False


class _QueuedCommand(NamedTuple):
    command: Command
    result: asyncio.Future[None] | None = None


class TournamentActor(Actor[_QueuedCommand]):
    """A tournament, its queue, its tables and its subscribers."""

    def __init__(self, state: TournamentState, deps: TournamentDeps) -> None:
        super().__init__(deps.store, deps.now, state.at)
        self.state = state
        self.id = state.config.cup
        self._deps = deps
        self._is_tick_queued = False
        self._pending_orders: dict[int, int] = {}  # by table: the number of the order that has no reply yet
        self._pending: set[tuple[str, int]] = set()  # other commands that have no reply yet: what for, and the table
        self._closed: set[int] = set()
        self._viewers: list[Subscriber] = []
        self._publishing: asyncio.TimerHandle | None = None
        self._published = state.version
        self._downtime_since: int | None = None  # since when nobody could play (ms), while that is not stored
        self.finished = False

    def start(self, since: int | None = None) -> None:
        """Begin to work; `since`: when the server was last known to run (ms), for a tournament that was reloaded."""
        self._start(f"cup {self.id}")
        if since is not None:
            if self.state.phase == "running":
                self.clock.advance_to(since)
            self._add_own_downtime(since)
        self.request_tick()

    def _disarm_timers(self) -> None:
        super()._disarm_timers()
        if self._publishing is not None:
            self._publishing.cancel()
            self._publishing = None

    @property
    def public_state(self) -> TournamentState:
        """Return the state without the names of deleted accounts."""
        return without_deleted_names(self.state, self._deps.is_deleted)

    def on_guest_deleted(self, player: str) -> None:
        """Called when a guest was deleted: subscribers get the tournament without their name."""
        if entry_of(self.state, player) is not None and self._publishing is None:
            self._publish()

    @property
    def has_pending_downtime(self) -> bool:
        """Return whether there was downtime by which the levels are not extended yet."""
        return self._downtime_since is not None

    def add_downtime(self, since: int) -> None:
        """Extend the level or break by the downtime since then, by the server's clock."""
        self._add_own_downtime(since + self.clock.ahead)

    def _add_own_downtime(self, since: int) -> None:
        """Extend the level or break by the downtime since then, by this tournament's clock."""
        self._downtime_since = since if self._downtime_since is None else min(self._downtime_since, since)
        self.request_tick()

    async def execute(self, command: Command) -> None:
        """Execute a player's command. Raises TournamentError; ApiError: not known in time whether it was done."""
        result: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_QueuedCommand(command, result))
        try:
            async with asyncio.timeout(REPLY_TIMEOUT_SECONDS):
                await result
        except TimeoutError:
            raise ApiError(OUTCOME_UNKNOWN.code, OUTCOME_UNKNOWN.message, status=500) from None

    def request_tick(self) -> None:
        """Queue one check of the time and the tables; repeated calls queue only one."""
        if not self._is_tick_queued:
            self._is_tick_queued = True
            self._queue.put_nowait(_QueuedCommand(Command("", Tick())))

    def subscribe(self, viewer: Subscriber, _name: str, _since: int | None, *, whole: bool = True) -> None:
        """Send a connection the tournament as it is, and every change; views are small and always sent whole."""
        del whole
        if viewer not in self._viewers:
            self._viewers.append(viewer)
        viewer.send(self._update(shared_view(self.public_state), viewer))

    def unsubscribe(self, viewer: Subscriber) -> None:
        """Remove a connection."""
        if viewer in self._viewers:
            self._viewers.remove(viewer)

    async def _process(self, job: _QueuedCommand) -> None:
        if job.result is None:
            self._is_tick_queued = False
        error = await self._execute(job.command)
        # Only now: a table that subscribers see in the update exists.
        self._publish_soon()
        if job.result is None or job.result.done():
            return
        if error is None:
            job.result.set_result(None)
        else:
            job.result.set_exception(error)

    async def _execute(self, command: Command) -> Exception | None:
        """Execute a command and send the tables their orders; return the error if it was not done."""
        rejection: Exception | None = None
        try:
            try:
                await self._do(command)
            except TriptychError as error:
                rejection = error
            await self._sync_tables()
        except Exception as error:  # noqa: BLE001 - one failure must not end a tournament
            log.error("a tournament could not go on", tournament=self.id, error=error_location(error))  # noqa: TRY400 - no text
            self._failures += 1
            self._retry_in(RETRY_SECONDS + backoff_seconds(self._failures))
            return rejection or ApiError(OUTCOME_UNKNOWN.code, OUTCOME_UNKNOWN.message, status=500)
        self._failures = 0
        # Its tables are loaded and compensate their own downtime.
        self._deps.store.leases.mark_compensated(STREAM_PREFIX + self.id)
        self._set_timer()
        return rejection

    async def _do(self, command: Command) -> None:
        """Execute a command after pending downtime, whose length counts from the last stored event."""
        while (since := self._downtime_since) is not None:
            await self._decide(Command("", ReportDowntime(since)))
            if self._downtime_since == since:
                self._downtime_since = None
        await self._decide(command)

    async def _decide(self, command: Command) -> None:
        draft = decide(self.state, command, self.clock.now(), self._deps.draw)
        if draft.events:
            await self._append(draft)

    async def _append(self, draft: Draft) -> None:
        before = self.state.version
        try:
            await self._deps.store.append(build_append(self.id, before, draft.events))
        except Exception:
            # Only the store knows whether the events were written; nobody else writes this tournament.
            await self._resync()
            if self.state.version == before:
                raise
        else:
            self.state = draft.state

    async def _resync(self) -> None:
        missing = await self._read_after_failure(
            lambda: self._store.load(STREAM_PREFIX + self.id, self.state.version)
        )
        self.state = replay(self.state, missing or ()) or self.state

    def _on_store_failed(self, error: Exception) -> None:
        log.warning("a tournament waits for the store", tournament=self.id, error=error_location(error))

    def _on_timer(self) -> None:
        self.request_tick()

    async def _sync_tables(self) -> None:
        """Send the tables the orders that they have not executed, and take in results not reported yet."""
        if self.finished:
            return
        while (report := await self._next_report()) is not None:
            await self._do(Command("", report))
        is_over = self.state.phase in ("over", "cancelled")
        if is_over and all(table.order is None or table.number in self._closed for table in self.state.tables):
            await self._deps.store.append(build_append(self.id, self.state.version, (), ends=True))
            self.finished = True

    async def _next_report(self) -> ReportMatch | None:
        """Send the orders that are not executed, until a table has a result to report."""
        for table in self.state.tables:
            order = table.order
            if order is None or table.number in self._closed:
                continue
            actor = await self._table(table)
            if not actor.state.closed:
                self._sync_pause(table.number, actor)
                self._remove_disqualified(actor)
                self._send_places(table, actor)
            if actor.state.closed:
                self._closed.add(table.number)
            elif actor.state.order < order.number:
                self._send(table.number, actor, order)
            elif table.playing and (results := match_results(actor.state)):
                return ReportMatch(table.number, actor.state.order, results, actor.state.deals)
        return None

    async def _table(self, table: TournamentTable) -> TableActor:
        config = self.state.config
        return await self._deps.tables.tournament_table(
            TableConfig(
                table_id(self.state, table.number),
                f"{config.name} · {table.number}",
                "",
                config.rules,
                pause=config.pause,
                start="host",
                private=True,
                cup=config.cup,
                duplicate=config.rounds > 0,
            )
        )

    def _send(self, number: int, actor: TableActor, order: table_commands.MatchOrder) -> None:
        if self._pending_orders.get(number) == order.number or actor.is_stopped:
            return
        self._pending_orders[number] = order.number

        def on_reply(reply: Ack | Rejected) -> None:
            self._pending_orders.pop(number, None)
            if isinstance(reply, Rejected):
                log.warning("a table could not follow its tournament yet", table=actor.id)
                self._retry_in(RETRY_SECONDS)

        actor.submit(QueuedCommand(table_commands.Command("", order), "", on_reply))
        for chair in order.chairs:
            if not chair.bot:
                actor.check_presence(chair.player)

    def _sync_pause(self, number: int, actor: TableActor) -> None:
        """Pause or resume a table as the tournament is paused or not."""
        is_paused = self.state.paused is not None
        if is_paused != (actor.state.paused is not None):
            # Ticks after it: the host may have paused or resumed the tournament meanwhile.
            self._submit_once(number, actor, table_commands.SetTournamentPause(is_paused), ticks=True)

    def _remove_disqualified(self, actor: TableActor) -> None:
        """Remove players from a table who were disqualified while they play there."""
        disqualified = {entry.player for entry in self.state.entries if entry.disqualified and not entry.out}
        for seat in actor.state.seats:
            if (
                seat.player in disqualified
                and not seat.unseated
                and in_match(actor.state, seat.seat)
                and not actor.is_stopped
            ):
                actor.submit(QueuedCommand(table_commands.Command(seat.player, table_commands.Remove())))

    def _send_places(self, table: TournamentTable, actor: TableActor) -> None:
        """Send a table the places of the players who were eliminated there last."""
        if actor.state.cup_places_order < table.reported:
            announcement = places_news(self.state, table)
            if announcement is not None:
                self._submit_once(table.number, actor, announcement)

    def _submit_once(
        self, number: int, actor: TableActor, request: table_commands.SystemRequest, *, ticks: bool = False
    ) -> None:
        """Submit a command to a table unless one of its kind has no reply yet; `ticks`: request a tick after it."""
        key = type(request).__name__, number
        if key in self._pending or actor.is_stopped:
            return
        self._pending.add(key)

        def on_reply(reply: Ack | Rejected) -> None:
            self._pending.discard(key)
            if isinstance(reply, Rejected):
                self._retry_in(RETRY_SECONDS)
            elif ticks:
                self.request_tick()

        actor.submit(QueuedCommand(table_commands.Command("", request), "", on_reply))

    def _retry_in(self, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self.request_tick)

    def _set_timer(self) -> None:
        due = next_wakeup(self.state)
        if due is None or self._stopping.is_set():
            super()._disarm_timers()
        else:
            self._arm_timer(max(0.001, (due - self.clock.now() + 1) / 1000))

    def _publish_soon(self) -> None:
        if self._publishing is None and self.state.version != self._published:
            self._publishing = asyncio.get_running_loop().call_later(BROADCAST_DEBOUNCE_SECONDS, self._publish)

    def _publish(self) -> None:
        self._publishing = None
        self._published = self.state.version
        view = shared_view(self.public_state)
        for viewer in tuple(self._viewers):
            viewer.send(self._update(view, viewer))

    def _update(self, view: TournamentView, viewer: Subscriber) -> str:
        own_view = Raw(encode_json(personal_view(self.state, view, viewer.player), viewer.language))
        update = TournamentUpdate(STREAM_PREFIX + self.id, self.state.version, self.clock.now(), own_view)
        return encode_json(update).decode()
