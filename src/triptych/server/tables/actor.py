"""One table while the server runs. Its task is the only one that changes it (ARCHITECTURE.md).

queue -> table.decide -> store.append -> only after the commit: the new state, the reply, the broadcast.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import count
from typing import Final, NamedTuple

import msgspec
import structlog
from msgspec import Struct, field

from triptych.cards import Card
from triptych.deal.actions import Arrange
from triptych.errors import error_location
from triptych.rulesets.model import Ruleset
from triptych.server.actor import Actor
from triptych.server.backoff import backoff_seconds
from triptych.server.clock import STALL_MS, DuplicateDecks, StallDetector
from triptych.server.log import RateLimitedLogger
from triptych.server.tables.command_limiter import CommandLimiter
from triptych.server.tables.downtime import Downtime, merge
from triptych.server.tables.event_log import decode_events, encode_events, finished_sheets
from triptych.server.tables.integrity import stop_notice, verify_invariants
from triptych.server.tables.results_projector import ResultsProjector
from triptych.server.tables.snapshots import SnapshotWriter
from triptych.server.tables.subscribers import Subscriber, Subscribers
from triptych.server.wire.errors import (
    COMMAND_FAILED,
    OUTCOME_UNKNOWN,
    STORE_UNAVAILABLE,
    TOO_FAST,
    ApiError,
    to_wire_error,
)
from triptych.server.wire.messages import Ack, ErrorMessage, Rejected, WireError
from triptych.store.errors import CorruptRecordError, DuplicateCommandError, VersionConflictError
from triptych.store.interface import EventStore
from triptych.store.sql.error_causes import error_cause
from triptych.store.types import Append, IdempotencyKey, Posting
from triptych.table.access import revokes_access
from triptych.table.aggregate import decide, evolve, next_wakeup, transfers
from triptych.table.commands import Command, Connected, Disconnected, MatchOrder, Tick
from triptych.table.errors import TableError
from triptych.table.events import PlayerLeft, TableClosed, TableEvent
from triptych.table.renaming import rename_table
from triptych.table.state import TableState

log = structlog.get_logger()
_JSON = msgspec.json.Encoder()
# The players are notified only of a failure that lasts.
_NOTIFY_AFTER_FAILURES: Final = 2
REPLY_TIMEOUT_SECONDS: Final = 10.0
# After a restart nobody is connected: how long a player who had asked to leave may take to come back.
RETURN_SECONDS: Final = 30.0
_ACK: Final = msgspec.json.Decoder(Ack)


class TableDeps(Struct, frozen=True, kw_only=True):
    """The dependencies of a table: the event store, the time in ms, shuffled cards and more.

    `grace_seconds`: how long a guest may be without a connection before the table counts them as away; `time_banks`:
    the time bank (ms) that a guest had when they last left a table of this process; `stall_detector`: notices when
    the process stood still; `error_log`: failures, of all tables together.
    `is_deleted`: whether a player's account is deleted. `results` and `snapshots` are written asynchronously, after
    commit. `deck_secret`: 32 random bytes of which a deal's decks are made and committed; None: cards come from
    `shuffle`.
    """

    store: EventStore
    now: Callable[[], int]
    shuffle: Callable[[int], tuple[Card, ...]]
    grace_seconds: float
    stall_detector: StallDetector
    error_log: RateLimitedLogger
    time_banks: dict[str, int] = field(default_factory=dict)
    duplicates: DuplicateDecks = field(default_factory=DuplicateDecks)
    deck_secret: Callable[[], bytes] | None = None
    results: ResultsProjector | None = None
    snapshots: SnapshotWriter | None = None
    is_deleted: Callable[[str], bool] = lambda _player: False


class QueuedCommand(NamedTuple):
    """A queued command; without `reply` nobody waits for a reply, without `cmd_id` it is never sent again."""

    command: Command
    cmd_id: str = ""
    reply: Callable[[Ack | Rejected], None] | None = None


_TICK: Final = QueuedCommand(Command("", Tick()))


@lru_cache(maxsize=256)
def _rules_json(rules: Ruleset) -> msgspec.Raw:
    return msgspec.Raw(_JSON.encode(rules))


class TableActor(Actor[QueuedCommand]):
    """A table, its queue and its subscribers."""

    def __init__(
        self,
        state: TableState,
        deps: TableDeps,
        on_changed: Callable[[TableActor], None],
        names: Mapping[str, str] | None = None,
    ) -> None:
        """`names`: the names to show instead of the names of deleted players."""
        super().__init__(deps.store, deps.now, state.at)
        self.state = self._public_state = state
        self._public_state_source: TableState | None = None
        self.names = names or {}
        self.id = state.config.table
        self.subscribers = Subscribers()
        self._deps = deps
        self._on_changed = on_changed
        self._limiter = CommandLimiter()
        self._presence_checks: dict[str, str] = {}  # queued checks: the name of each guest
        self._downtime: Downtime | None = None
        self._busy = False
        self._stop_cause: CorruptRecordError | None = None

    @property
    def rules(self) -> msgspec.Raw:
        """Return the table's rules as JSON; many tables have the same."""
        return _rules_json(self.state.config.rules)

    @property
    def public_state(self) -> TableState:
        """Return the state without the names of deleted players."""
        if not self.names:
            return self.state
        if self._public_state_source is not self.state:
            self._public_state_source, self._public_state = self.state, rename_table(self.state, self.names)
        return self._public_state

    def rename(self, names: Mapping[str, str]) -> None:
        """Show players under other names from now on, also to connected subscribers."""
        self.names = {**self.names, **names}
        self._public_state_source = None
        self.subscribers.clear_recent()
        self.subscribers.broadcast(self.public_state, (), self.clock.now())

    @property
    def is_stopped(self) -> bool:
        """Return whether the table has stopped for good."""
        return self._stop_cause is not None

    @property
    def has_pending_downtime(self) -> bool:
        """Return whether there was downtime by which the clocks are not moved yet."""
        return self._downtime is not None

    def start(self, history: Sequence[tuple[int, TableEvent]] = (), downtime: Downtime | None = None) -> None:
        """Begin to work through the queue; `history`: the last events, for subscribers that reconnect.

        `downtime`: the time of a stop, by the clock that the server had before it.
        """
        self.subscribers = Subscribers(history)
        if downtime is not None and (self.state.clocks or self.state.next_at is not None):
            self.clock.advance_to(downtime.since)
        self._start(f"table {self.id}")
        self._after_change()
        if downtime is not None:
            self._add_own_downtime(downtime)
        for seat in self.state.seats:
            if seat.person and seat.leaving and not seat.gone:
                asyncio.get_running_loop().call_later(RETURN_SECONDS, self._on_grace_elapsed, seat.player)

    @property
    def idle(self) -> bool:
        """Return whether no command is executed or queued, and nothing has to be retried."""
        return not self._busy and self._queue.empty() and self._downtime is None and not self._failures

    def add_downtime(self, downtime: Downtime) -> None:
        """Move the clocks by downtime, given by the server's clock, before anything else is done."""
        ahead = self.clock.ahead
        until = None if downtime.until is None else downtime.until + ahead
        self._add_own_downtime(Downtime(downtime.since + ahead, until, downtime.cause))

    def _add_own_downtime(self, downtime: Downtime) -> None:
        """Move the clocks by downtime, given by this table's clock."""
        first = self._downtime is None
        self._downtime = merge(self._downtime, downtime)
        if first:
            self.submit(_TICK)

    def submit(self, job: QueuedCommand) -> bool:
        """Put a command into the queue; False, without a reply, when too many of its player's commands wait there."""
        player = job.command.player
        if self._stopping.is_set():
            _reply(job, Rejected(job.cmd_id, self.id, COMMAND_FAILED))
            return True
        now = asyncio.get_running_loop().time()
        if isinstance(job.command.request, Arrange) and not self._limiter.allow_arrange(player, now):
            _reply(job, Rejected(job.cmd_id, self.id, TOO_FAST))
            return True
        if player and not self._limiter.acquire(player):
            return False
        self._queue.put_nowait(job)
        return True

    async def execute(self, command: Command) -> None:
        """Put a command of the server's into the queue and wait until it is done. Raises ApiError."""
        result: asyncio.Future[Ack | Rejected] = asyncio.get_running_loop().create_future()
        # The result is done already when the caller was cancelled.
        job = QueuedCommand(command, reply=lambda reply: None if result.done() else result.set_result(reply))
        if not self.submit(job):
            raise ApiError(TOO_FAST.code, TOO_FAST.message, status=429)
        try:
            async with asyncio.timeout(REPLY_TIMEOUT_SECONDS):
                reply = await result
        except TimeoutError:
            raise ApiError(OUTCOME_UNKNOWN.code, OUTCOME_UNKNOWN.message, status=500) from None
        if isinstance(reply, Rejected):
            raise ApiError(reply.error.code, reply.error.message, reply.error.path)

    def check_presence(self, player: str, name: str = "") -> None:
        """Queue a check whether a guest is connected, with their current name; repeated calls queue one check."""
        if player not in self._presence_checks:
            self._queue.put_nowait(QueuedCommand(Command(player, Connected())))
        self._presence_checks[player] = name or self._presence_checks.get(player, "")

    def _dequeue(self, job: QueuedCommand) -> QueuedCommand:
        """Return the command to execute; a presence check becomes `Connected` or `Disconnected` only here."""
        player = job.command.player
        if not isinstance(job.command.request, Connected):
            self._limiter.release(player)
            return job
        name = self._presence_checks.pop(player, "")
        return QueuedCommand(
            Command(player, Connected() if self.subscribers.is_watching(player) else Disconnected(), name=name)
        )

    def subscribe(self, viewer: Subscriber, name: str, since: int | None, *, whole: bool = True) -> None:
        """Send a connection the table as it is, and from then on whole views or patches."""
        if self.subscribers.add(viewer, whole=whole):
            self.check_presence(viewer.player, name)
        viewer.send(self.subscribers.full_update(self.public_state, viewer, since, self.clock.now()))
        if self._stop_cause is not None:
            viewer.send_message(ErrorMessage(stop_notice(self._stop_cause)))

    def unsubscribe(self, viewer: Subscriber) -> None:
        """Remove a connection; the guest counts as away if they do not reconnect within `grace_seconds`."""
        if self.subscribers.remove(viewer):
            asyncio.get_running_loop().call_later(self._deps.grace_seconds, self._on_grace_elapsed, viewer.player)

    def _on_grace_elapsed(self, player: str) -> None:
        if not self.subscribers.is_watching(player):
            self.check_presence(player)

    async def _process(self, job: QueuedCommand) -> None:
        self._busy = True
        job = self._dequeue(job)
        try:
            if self._stop_cause is None:
                await self._execute(job)
                return
            cause = self._stop_cause
        except CorruptRecordError as damage:
            cause = damage
            self.stop_damaged(damage)
        finally:
            self._busy = False
        _reply(job, Rejected(job.cmd_id, self.id, stop_notice(cause)))

    async def _execute(self, job: QueuedCommand) -> None:
        """Execute a command and reply to it. If the store fails, it is tried once more."""
        self._deps.stall_detector.check()
        for _ in range(2):
            if await self._compensate_downtime() and await self._try_execute(job):
                return
            if self._stopping.is_set():
                return
        # The command may be a repetition: if it was stored before, its first reply is sent.
        stored_reply = await self._resolve_outcome(job, self.state.version) if job.cmd_id else None
        if self._stopping.is_set():
            return
        _reply(job, stored_reply or Rejected(job.cmd_id, self.id, COMMAND_FAILED))
        if isinstance(job.command.request, Connected | Disconnected):
            # Nobody else repeats a presence check.
            delay = backoff_seconds(self._failures)
            asyncio.get_running_loop().call_later(delay, self.check_presence, job.command.player, job.command.name)
        self._after_change()

    def stop_damaged(self, damage: CorruptRecordError) -> None:
        """Stop for good, because the stored record of this table, or the next one, is wrong; notify subscribers."""
        if self._stop_cause is not None:
            return
        log.error("a table has stopped", table=self.id, error=str(damage))
        self._stop_cause = damage
        self._disarm_timers()
        self.subscribers.broadcast_error(stop_notice(damage))

    async def _compensate_downtime(self) -> bool:
        """Move the clocks by the downtime; False when that cannot be stored yet.

        Storing it may take long and add more downtime: no command is executed before that is compensated too.
        """
        while (downtime := self._downtime) is not None:
            if not await self._try_execute(QueuedCommand(Command("", downtime.command()))):
                return False
            if self._downtime is downtime:
                self._downtime = None
                self._deps.store.leases.mark_compensated(self.id)
        return True

    async def _try_execute(self, job: QueuedCommand) -> bool:
        """Execute a command and reply to it; False, without a reply, when it certainly was not stored.

        When the server stops no reply is sent, and clients send the command again.
        """
        before = self.state.version
        try:
            await self._do(job)
        except CorruptRecordError:
            raise
        except Exception as error:  # noqa: BLE001 - one command must not end a table
            self._failures += 1
            self._log_failure(error, type(job.command.request).__name__)
        else:
            self._failures = 0
            return True
        reply = await self._resolve_outcome(job, before)
        if reply is None:
            return False
        _reply(job, reply)
        return True

    def _log_failure(self, error: Exception, request: str) -> None:
        # An exception's text may hold cards: it is not logged.
        self._deps.error_log.error(
            "command failed",
            cause=error_cause(error) or "unknown",
            table=self.id,
            request=request,
            error=error_location(error),
        )
        if self._failures == _NOTIFY_AFTER_FAILURES and self._downtime is not None:
            self.subscribers.broadcast_error(STORE_UNAVAILABLE)

    async def _resolve_outcome(self, job: QueuedCommand, before: int) -> Ack | None:
        """Return the reply to a command that failed after it had been stored; None when it never was stored.

        No reply is sent until the store can be read.
        """

        async def read() -> Ack | None:
            await self._catch_up()
            reply = await self._stored_reply(job)
            if reply is None and not job.cmd_id and self.state.version > before:
                # Nobody else writes this table, so the new events are this command's.
                return Ack("", self.id, self.state.version)
            return reply

        return await self._read_after_failure(read)

    def _on_store_failed(self, error: Exception) -> None:
        self._add_own_downtime(Downtime(self.clock.now(), None, "store"))
        self._log_failure(error, "catch up")

    async def _do(self, job: QueuedCommand) -> None:
        now = self.clock.now()
        before = self.state
        command = msgspec.structs.replace(job.command, bank_ms=self._deps.time_banks.get(job.command.player))
        try:
            draft = decide(before, command, now, self._shuffle(before, command), self._deps.deck_secret)
        except TableError as error:
            await self._reject(job, to_wire_error(error))
            return
        events = draft.events
        ack = Ack(job.cmd_id, self.id, before.version + len(events))
        if events:
            verify_invariants(before, draft.state, events)
            try:
                await self._deps.store.append(self._append(job, events, before, ack))
            except DuplicateCommandError as duplicate:
                _reply(job, _ACK.decode(duplicate.answer))
                return
            except (VersionConflictError, CorruptRecordError):
                raise
            except Exception:
                self._add_own_downtime(Downtime(now, None, "store"))
                raise
            now = self._time_after_commit(now)
            # The draft has evolved its events, so events that do not evolve are never stored; its state counts now.
            self.state = draft.state
            self._note_banks(events, before)
            if self._deps.results is not None:
                self._deps.results.enqueue(self.id, before, events)
            if self._deps.snapshots is not None and self.state.settled and not before.settled:
                self._deps.snapshots.enqueue(self.state)
            if revokes_access(before, self.state):
                self.subscribers.remove_unauthorized(self.state)
        _reply(job, ack)
        if events:
            self.subscribers.broadcast(self.public_state, events, now)
        self._after_change()

    def _shuffle(self, state: TableState, command: Command) -> Callable[[int], tuple[Card, ...]]:
        """Return the source of the next deals' cards: in a league each deal has its own deck."""
        config = state.config
        if not config.duplicate:
            return self._deps.shuffle
        request = command.request
        match = request.number if isinstance(request, MatchOrder) else state.order
        deals = count(1 if state.match is None else state.match.deals + 1)
        return lambda jokers: self._deps.duplicates.deck(config.cup, match, next(deals), jokers)

    def _time_after_commit(self, started_at: int) -> int:
        """Return the time (ms) after a commit; a long commit counts as downtime, since nobody could move."""
        self._deps.stall_detector.check()
        now = self.clock.now()
        if now - started_at > STALL_MS:
            self._add_own_downtime(Downtime(started_at, now, "store"))
        return now

    def _note_banks(self, events: Sequence[TableEvent], before: TableState) -> None:
        for event in events:
            if isinstance(event.event, PlayerLeft):
                self._deps.time_banks[event.event.player] = before.seats[event.event.seat].bank_ms

    async def _reject(self, job: QueuedCommand, error: WireError) -> None:
        """Reject a command, unless it was done before: then it gets its first reply.

        A fenced server has an old state: it rejects nothing, since the new owner may have done the command.
        """
        stored_reply = await self._stored_reply(job)
        if stored_reply is not None:
            _reply(job, stored_reply)
            return
        await self._deps.store.leases.verify_not_fenced()
        _reply(job, Rejected(job.cmd_id, self.id, error))

    async def _stored_reply(self, job: QueuedCommand) -> Ack | None:
        """Return the reply that a command got when it was done; None when it never was or has no id."""
        if not job.cmd_id:
            return None
        reply = await self._deps.store.reply(self.id, IdempotencyKey(job.command.player, job.cmd_id))
        return None if reply is None else _ACK.decode(reply)

    def _append(self, job: QueuedCommand, events: Sequence[TableEvent], before: TableState, ack: Ack) -> Append:
        return Append(
            table=self.id,
            expected_version=before.version,
            events=encode_events(events, before),
            idempotency_key=IdempotencyKey(job.command.player, job.cmd_id) if job.cmd_id else None,
            reply=_JSON.encode(ack) if job.cmd_id else b"",
            postings=tuple(
                Posting(transfer.debit, transfer.credit, transfer.points, transfer.reason)
                for transfer in transfers(events)
            ),
            summaries=finished_sheets(events, before),
            ends_stream=any(isinstance(event.event, TableClosed) for event in events),
        )

    async def _catch_up(self) -> None:
        """Read the events that the store holds beyond this state: the store is authoritative."""
        missing = await self._deps.store.load(self.id, self.state.version)
        if missing:
            before, self.state = self.state, reduce(evolve, decode_events(missing, self.state), self.state)
            self.clock.advance_to(self.state.at)
            if revokes_access(before, self.state):
                self.subscribers.remove_unauthorized(self.state)
            self.subscribers.clear_recent()
            if self._deps.results is not None:
                self._deps.results.reload(self.id)
            self.subscribers.broadcast(self.public_state, (), self.clock.now())
            self._after_change()

    def _after_change(self) -> None:
        now = self.clock.now()
        due = next_wakeup(self.state)
        if self._downtime is not None and self._failures:
            due = now
        if due is not None:
            # A millisecond later than due: the loop's clock may be a little ahead of the server's.
            self._arm_timer(max(0.001, (due - now + 1) / 1000, backoff_seconds(self._failures)))
        else:
            self._disarm_timers()
        self._on_changed(self)

    def _on_timer(self) -> None:
        self.submit(_TICK)


def _reply(job: QueuedCommand, message: Ack | Rejected) -> None:
    if job.reply is not None:
        job.reply(message)
