"""One table while the server runs. Its task is the only one that changes it (ARCHITECTURE.md).

queue -> table.decide -> store.append -> only after the commit: the new state, the answer, the other screens.
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
from triptych.server.tables.frozen import stop_notice, verify_invariants
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
# A failure that passes at once is not worth a word.
_NOTIFY_AFTER_FAILURES: Final = 2
REPLY_TIMEOUT_SECONDS: Final = 10.0
# After a restart nobody is connected: how long the others wait for somebody who had asked to leave.
RETURN_SECONDS: Final = 30.0
_ACK: Final = msgspec.json.Decoder(Ack)


class TableDeps(Struct, frozen=True, kw_only=True):
    """What a table is given besides its state: where events are kept, the time in ms, shuffled cards.

    `grace_seconds`: how long a guest may be without a connection before the table hears of it; `time_banks`: the time
    bank (ms) that a guest had when they last left a table of this process; `stall_detector` tells when the process
    stood still; `error_log`: what fails, all tables together.
    `is_deleted` tells whose account is gone. `results` and `snapshots` are written asynchronously, after commit.
    `deck_secret`: 32 random bytes of which a deal's decks are made and committed; None: cards come from `shuffle`.
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
    """A command on its way; without `reply` nobody waits for an answer, without `cmd_id` it is not sent again."""

    command: Command
    cmd_id: str = ""
    reply: Callable[[Ack | Rejected], None] | None = None


_TICK: Final = QueuedCommand(Command("", Tick()))


@lru_cache(maxsize=256)
def _rules_json(rules: Ruleset) -> msgspec.Raw:
    return msgspec.Raw(_JSON.encode(rules))


class TableActor(Actor[QueuedCommand]):
    """A table, its queue and its viewers."""

    def __init__(
        self,
        state: TableState,
        deps: TableDeps,
        changed: Callable[[TableActor], None],
        names: Mapping[str, str] | None = None,
    ) -> None:
        """`names`: by the names of deleted players those that are shown instead."""
        super().__init__(deps.store, deps.now, state.at)
        self.state = self._shown = state
        self._shown_from: TableState | None = None
        self.names = names or {}
        self.id = state.config.table
        self.audience = Subscribers()
        self._deps = deps
        self._changed = changed
        self._turnstile = CommandLimiter()
        self._seen: dict[str, str] = {}  # guests to be looked for, and how they are called
        self._lost: Downtime | None = None
        self._busy = False
        self._why: CorruptRecordError | None = None

    @property
    def rules(self) -> msgspec.Raw:
        """Return the table's rules as JSON; many tables have the same."""
        return _rules_json(self.state.config.rules)

    @property
    def shown(self) -> TableState:
        """Return the table as people may see it: without the names of deleted players."""
        if not self.names:
            return self.state
        if self._shown_from is not self.state:
            self._shown_from, self._shown = self.state, rename_table(self.state, self.names)
        return self._shown

    def rename(self, names: Mapping[str, str]) -> None:
        """Show players under other names from now on, to those who watch too."""
        self.names = {**self.names, **names}
        self._shown_from = None
        self.audience.clear_recent()
        self.audience.broadcast(self.shown, (), self.clock.now())

    @property
    def is_stopped(self) -> bool:
        """Return whether the table has stopped for good."""
        return self._why is not None

    @property
    def has_pending_downtime(self) -> bool:
        """Return whether time was lost by which the clocks are not moved yet."""
        return self._lost is not None

    def start(self, history: Sequence[tuple[int, TableEvent]] = (), lost: Downtime | None = None) -> None:
        """Begin to work through the queue; `history` is what a viewer who was away may ask for.

        `lost`: the time of a stop, by the clock that the server had before it.
        """
        self.audience = Subscribers(history)
        if lost is not None and (self.state.clocks or self.state.next_at is not None):
            self.clock.advance_to(lost.since)
        self._start(f"table {self.id}")
        self._after_change()
        if lost is not None:
            self._lose(lost)
        for seat in self.state.seats:
            if seat.person and seat.leaving and not seat.gone:
                asyncio.get_running_loop().call_later(RETURN_SECONDS, self._on_grace_elapsed, seat.player)

    @property
    def idle(self) -> bool:
        """Return whether nothing is to be done."""
        return not self._busy and self._queue.empty() and self._lost is None and not self._failures

    def add_downtime(self, lost: Downtime) -> None:
        """Move the clocks by a time (of the server's) in which nobody could move, before anything else is done."""
        ahead = self.clock.ahead
        self._lose(Downtime(lost.since + ahead, None if lost.until is None else lost.until + ahead, lost.why))

    def _lose(self, lost: Downtime) -> None:
        """Move the clocks by a time of this table's own."""
        first = self._lost is None
        self._lost = merge(self._lost, lost)
        if first:
            self.submit(_TICK)

    def submit(self, job: QueuedCommand) -> bool:
        """Put a command into the queue; False when enough of its player's wait there, and nobody was answered."""
        player = job.command.player
        if self._stopping.is_set():
            _reply(job, Rejected(job.cmd_id, self.id, COMMAND_FAILED))
            return True
        now = asyncio.get_running_loop().time()
        if isinstance(job.command.request, Arrange) and not self._turnstile.allow_arrange(player, now):
            _reply(job, Rejected(job.cmd_id, self.id, TOO_FAST))
            return True
        if player and not self._turnstile.acquire(player):
            return False
        self._queue.put_nowait(job)
        return True

    async def execute(self, command: Command) -> None:
        """Put a command of the server's into the queue and wait until it is done. Raises ApiError."""
        answered: asyncio.Future[Ack | Rejected] = asyncio.get_running_loop().create_future()
        # Whoever asked may have given up waiting.
        job = QueuedCommand(command, reply=lambda reply: None if answered.done() else answered.set_result(reply))
        if not self.submit(job):
            raise ApiError(TOO_FAST.code, TOO_FAST.message, status=429)
        try:
            async with asyncio.timeout(REPLY_TIMEOUT_SECONDS):
                answer = await answered
        except TimeoutError:
            raise ApiError(OUTCOME_UNKNOWN.code, OUTCOME_UNKNOWN.message, status=500) from None
        if isinstance(answer, Rejected):
            raise ApiError(answer.error.code, answer.error.message, answer.error.path)

    def check_presence(self, player: str, name: str = "") -> None:
        """Let the table see whether a guest is there, and how they are called now; asked often, it looks once."""
        if player not in self._seen:
            self._queue.put_nowait(QueuedCommand(Command(player, Connected())))
        self._seen[player] = name or self._seen.get(player, "")

    def _dequeue(self, job: QueuedCommand) -> QueuedCommand:
        """Return what is to be done, now that its turn has come."""
        player = job.command.player
        if not isinstance(job.command.request, Connected):
            self._turnstile.release(player)
            return job
        name = self._seen.pop(player, "")
        return QueuedCommand(
            Command(player, Connected() if self.audience.is_watching(player) else Disconnected(), name=name)
        )

    def subscribe(self, viewer: Subscriber, name: str, since: int | None, *, whole: bool = True) -> None:
        """Let a connection follow, beginning with the table as it is; then come whole views, or what changed."""
        if self.audience.add(viewer, whole=whole):
            self.check_presence(viewer.player, name)
        viewer.send(self.audience.full_update(self.shown, viewer, since, self.clock.now()))
        if self._why is not None:
            viewer.send_message(ErrorMessage(stop_notice(self._why)))

    def unsubscribe(self, viewer: Subscriber) -> None:
        """Forget a connection; the table hears of it when the guest does not come back at once."""
        if self.audience.remove(viewer):
            asyncio.get_running_loop().call_later(self._deps.grace_seconds, self._on_grace_elapsed, viewer.player)

    def _on_grace_elapsed(self, player: str) -> None:
        if not self.audience.is_watching(player):
            self.check_presence(player)

    async def _process(self, job: QueuedCommand) -> None:
        self._busy = True
        job = self._dequeue(job)
        try:
            if self._why is None:
                await self._execute(job)
                return
            why = self._why
        except CorruptRecordError as damage:
            why = damage
            self.stop_damaged(damage)
        finally:
            self._busy = False
        _reply(job, Rejected(job.cmd_id, self.id, stop_notice(why)))

    async def _execute(self, job: QueuedCommand) -> None:
        """Do a command and answer it. A store that was away for a moment is tried once more."""
        self._deps.stall_detector.check()
        for _ in range(2):
            if await self._compensate_downtime() and await self._try_execute(job):
                return
            if self._stopping.is_set():
                return
        # It may be asked once more: when it was done before, that is what is told.
        first = await self._resolve_outcome(job, self.state.version) if job.cmd_id else None
        if self._stopping.is_set():
            return
        _reply(job, first or Rejected(job.cmd_id, self.id, COMMAND_FAILED))
        if isinstance(job.command.request, Connected | Disconnected):
            # Nobody would say again that a player has come or gone.
            later = backoff_seconds(self._failures)
            asyncio.get_running_loop().call_later(later, self.check_presence, job.command.player, job.command.name)
        self._after_change()

    def stop_damaged(self, damage: CorruptRecordError) -> None:
        """Do nothing more: what is stored of this table, or would be, is wrong. Whoever follows it is told."""
        if self._why is not None:
            return
        log.error("a table has stopped", table=self.id, error=str(damage))
        self._why = damage
        self._disarm_timers()
        self.audience.broadcast_error(stop_notice(damage))

    async def _compensate_downtime(self) -> bool:
        """Move the clocks by the time that was lost; False when that cannot be stored yet.

        More may be lost while that is stored: no command comes before that, too, is made up.
        """
        while (lost := self._lost) is not None:
            if not await self._try_execute(QueuedCommand(Command("", lost.command()))):
                return False
            if self._lost is lost:
                self._lost = None
                self._deps.store.leases.mark_compensated(self.id)
        return True

    async def _try_execute(self, job: QueuedCommand) -> bool:
        """Do a command and answer it; False when it was not done, for certain, and nobody was answered.

        Who hears nothing, because the server stops, asks again.
        """
        before = self.state.version
        try:
            await self._do(job)
        except CorruptRecordError:
            raise
        except Exception as error:  # noqa: BLE001 - one command must not end a table
            self._failures += 1
            self._log_failure(error, _kind(job))
        else:
            self._failures = 0
            return True
        answer = await self._resolve_outcome(job, before)
        if answer is None:
            return False
        _reply(job, answer)
        return True

    def _log_failure(self, error: Exception, what: str) -> None:
        # An exception's text may hold cards: it is not logged.
        self._deps.error_log.error(
            "command failed",
            cause=error_cause(error) or "unknown",
            table=self.id,
            request=what,
            error=error_location(error),
        )
        if self._failures == _NOTIFY_AFTER_FAILURES and self._lost is not None:
            self.audience.broadcast_error(STORE_UNAVAILABLE)

    async def _resolve_outcome(self, job: QueuedCommand, before: int) -> Ack | None:
        """Return the answer to a command that failed after it had been stored; None when it never was.

        Until the store can be asked no reply is sent.
        """

        async def read() -> Ack | None:
            await self._catch_up()
            reply = await self._stored_reply(job)
            if reply is None and not job.cmd_id and self.state.version > before:
                # Nobody else writes this table, so what is new there is this command's.
                return Ack("", self.id, self.state.version)
            return reply

        return await self._read_after_failure(read)

    def _on_store_failed(self, error: Exception) -> None:
        self._lose(Downtime(self.clock.now(), None, "store"))
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
            except DuplicateCommandError as repeated:
                _reply(job, _ACK.decode(repeated.answer))
                return
            except (VersionConflictError, CorruptRecordError):
                raise
            except Exception:
                self._lose(Downtime(now, None, "store"))
                raise
            now = self._stored_by(now)
            # The draft has followed its events, so those that do not fold are never stored; it counts only now.
            self.state = draft.state
            self._note_banks(events, before)
            if self._deps.results is not None:
                self._deps.results.enqueue(self.id, before, events)
            if self._deps.snapshots is not None and self.state.settled and not before.settled:
                self._deps.snapshots.enqueue(self.state)
            if revokes_access(before, self.state):
                self.audience.remove_unauthorized(self.state)
        _reply(job, ack)
        if events:
            self.audience.broadcast(self.shown, events, now)
        self._after_change()

    def _shuffle(self, state: TableState, command: Command) -> Callable[[int], tuple[Card, ...]]:
        """Return where the cards of the next deals come from: in a league each has its deck."""
        config = state.config
        if not config.duplicate:
            return self._deps.shuffle
        request = command.request
        match = request.number if isinstance(request, MatchOrder) else state.order
        deals = count(1 if state.match is None else state.match.deals + 1)
        return lambda jokers: self._deps.duplicates.deck(config.cup, match, next(deals), jokers)

    def _stored_by(self, began: int) -> int:
        """Return the time now that a command is stored; nobody could move while that took long."""
        self._deps.stall_detector.check()
        now = self.clock.now()
        if now - began > STALL_MS:
            self._lose(Downtime(began, now, "store"))
        return now

    def _note_banks(self, events: Sequence[TableEvent], before: TableState) -> None:
        for event in events:
            if isinstance(event.event, PlayerLeft):
                self._deps.time_banks[event.event.player] = before.seats[event.event.seat].bank_ms

    async def _reject(self, job: QueuedCommand, error: WireError) -> None:
        """Refuse, unless this very command was done before: then it gets its first answer.

        A server that others hold for dead knows only what the table was: it refuses nothing that they may have done.
        """
        first = await self._stored_reply(job)
        if first is not None:
            _reply(job, first)
            return
        await self._deps.store.leases.verify_not_fenced()
        _reply(job, Rejected(job.cmd_id, self.id, error))

    async def _stored_reply(self, job: QueuedCommand) -> Ack | None:
        """Return what a command was answered when it was done, None when it never was or has no id."""
        if not job.cmd_id:
            return None
        first = await self._deps.store.reply(self.id, IdempotencyKey(job.command.player, job.cmd_id))
        return None if first is None else _ACK.decode(first)

    def _append(self, job: QueuedCommand, events: Sequence[TableEvent], before: TableState, ack: Ack) -> Append:
        return Append(
            table=self.id,
            expected_version=before.version,
            events=encode_events(events, before),
            idempotency_key=IdempotencyKey(job.command.player, job.cmd_id) if job.cmd_id else None,
            reply=_JSON.encode(ack) if job.cmd_id else b"",
            postings=tuple(Posting(each.debit, each.credit, each.points, each.reason) for each in transfers(events)),
            summaries=finished_sheets(events, before),
            ends_stream=any(isinstance(event.event, TableClosed) for event in events),
        )

    async def _catch_up(self) -> None:
        """Read what the store holds beyond this state: it is the truth."""
        missing = await self._deps.store.load(self.id, self.state.version)
        if missing:
            before, self.state = self.state, reduce(evolve, decode_events(missing, self.state), self.state)
            self.clock.advance_to(self.state.at)
            if revokes_access(before, self.state):
                self.audience.remove_unauthorized(self.state)
            self.audience.clear_recent()
            if self._deps.results is not None:
                self._deps.results.reload(self.id)
            self.audience.broadcast(self.shown, (), self.clock.now())
            self._after_change()

    def _after_change(self) -> None:
        now = self.clock.now()
        due = next_wakeup(self.state)
        if self._lost is not None and self._failures:
            due = now
        if due is not None:
            # A millisecond later than due: the loop's clock may be a little ahead of the house's.
            self._arm_timer(max(0.001, (due - now + 1) / 1000, backoff_seconds(self._failures)))
        else:
            self._disarm_timers()
        self._changed(self)

    def _on_timer(self) -> None:
        self.submit(_TICK)


def _kind(job: QueuedCommand) -> str:
    return type(job.command.request).__name__


def _reply(job: QueuedCommand, message: Ack | Rejected) -> None:
    if job.reply is not None:
        job.reply(message)
