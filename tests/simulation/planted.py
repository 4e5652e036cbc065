"""Small faults, each planted into the running code for as long as a test wants: the simulation has to find them.

Each is what a hurried change could leave behind: an order of two steps exchanged, a condition lost, a unit forgotten.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import reduce
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

from msgspec.structs import replace

from tests.simulation import episode, leases
from tests.simulation.disk import Disk
from tests.simulation.leases import SimConnection
from tests.simulation.store import SimStore
from triptych.deal import events as d
from triptych.deal import evolve as deal_evolve
from triptych.server.clock import MonotonicClock, StallDetector
from triptych.server.tables import actor as table_actor
from triptych.server.tables import heartbeat, snapshots, subscribers
from triptych.server.wire.errors import COMMAND_FAILED
from triptych.server.wire.messages import Ack, Rejected
from triptych.store.journal import writer
from triptych.store.journal.backlog import BacklogSlice, ProjectionBacklog
from triptych.store.journal.group_commit import GroupCommit
from triptych.store.journal.rows import PARTITION_SHIFT, JournalRow
from triptych.store.postgres import leases as postgres_leases
from triptych.table import aggregate as table
from triptych.table import clock, seats, settlement
from triptych.table import events as e
from triptych.table.draft import Draft
from triptych.table.evolve import core as evolve
from triptych.table.evolve import play as evolve_play
from triptych.table.state import TableState, with_seat
from triptych.table.view import TableViews
from triptych.table.view_diff import ViewDiff

if TYPE_CHECKING:
    from collections.abc import Callable

Plant = AbstractContextManager[Any]


def _of(module: object, name: str) -> Any:
    """Return what a module has taken from another one."""
    return vars(module)[name]


_APPEND: Final = table_actor.TableActor._append


def _answers_first() -> Plant:
    def append(
        self: table_actor.TableActor, job: table_actor.QueuedCommand, events: Any, before: Any, ack: Ack
    ) -> Any:
        table_actor._reply(job, ack)
        return _APPEND(self, job, events, before, ack)

    return patch.object(table_actor.TableActor, "_append", append)


def _publishes_first() -> Plant:
    def append(
        self: table_actor.TableActor, job: table_actor.QueuedCommand, events: Any, before: Any, ack: Ack
    ) -> Any:
        self.subscribers.broadcast(reduce(evolve.evolve, events, before), events, self._deps.now())
        return _APPEND(self, job, events, before, ack)

    return patch.object(table_actor.TableActor, "_append", append)


def _appends_without_key() -> Plant:
    def append(
        self: table_actor.TableActor, job: table_actor.QueuedCommand, events: Any, before: Any, ack: Ack
    ) -> Any:
        return replace(_APPEND(self, job, events, before, ack), idempotency_key=None)

    return patch.object(table_actor.TableActor, "_append", append)


def _repeats_are_done() -> Plant:
    resolve_batch = _of(writer, "resolve_batch")
    return patch.object(writer, "resolve_batch", lambda batch, heads, _replies: resolve_batch(batch, heads, {}))


def _never_catches_up() -> Plant:
    async def catch_up(_self: table_actor.TableActor) -> None:
        pass

    return patch.object(table_actor.TableActor, "_catch_up", catch_up)


def _failed_is_not_done() -> Plant:
    async def settled(_self: table_actor.TableActor, _job: table_actor.QueuedCommand, _before: int) -> None:
        return None

    return patch.object(table_actor.TableActor, "_resolve_outcome", settled)


def _refuses_what_is_done() -> Plant:
    async def first(_self: table_actor.TableActor, _job: table_actor.QueuedCommand) -> None:
        return None

    return patch.object(table_actor.TableActor, "_stored_reply", first)


def _drops_what_came_meanwhile() -> Plant:
    return patch.object(ProjectionBacklog, "discard", lambda self, _done: self.clear())


def _takes_one_too_few() -> Plant:
    take = ProjectionBacklog.peek

    def fewer(self: ProjectionBacklog) -> BacklogSlice | None:
        backlog = take(self)
        if backlog is None:
            return None
        return BacklogSlice(
            backlog.last, {name: appends[: max(1, len(appends) - 1)] for name, appends in backlog.tables.items()}
        )

    return patch.object(ProjectionBacklog, "peek", fewer)


def _old_epochs_write() -> Plant:
    write = Disk.write
    return patch.object(Disk, "write", lambda self, row: write(self, replace(row, epoch=self.epoch)))


def _no_row_is_refused() -> Plant:
    write = Disk.write

    def written(self: Disk, row: JournalRow) -> bool:
        write(self, row)
        return True

    return patch.object(Disk, "write", written)


def _changed(happened: type, change: Callable[[Any, Any, Any], Any]) -> Plant:
    """Plant a change of what an event of a table leads to: (state before, event, state after) -> state."""
    original = evolve._HANDLERS[happened]
    return patch.dict(evolve._HANDLERS, {happened: lambda state, event: change(state, event, original(state, event))})


def _dealt(happened: type, change: Callable[[Any, Any, Any], Any]) -> Plant:
    """Plant a change of what an event of a deal leads to."""
    original = deal_evolve._CHANGES[happened]
    return patch.dict(
        deal_evolve._CHANGES, {happened: lambda state, event: change(state, event, original(state, event))}
    )


def _hand(state: Any, hand: int, **changes: object) -> Any:
    hands = state.hands
    return replace(state, hands=(*hands[:hand], replace(hands[hand], **changes), *hands[hand + 1 :]))


def _loses_a_point() -> Plant:
    return _changed(
        e.DealSettled,
        lambda _state, event, after: with_seat(
            after, event.points[0].seat, stack=after.seats[event.points[0].seat].stack - 1
        ),
    )


def _forgets_discards() -> Plant:
    return _dealt(
        d.Discarded, lambda state, event, after: _hand(after, event.hand, discards=state.hands[event.hand].discards)
    )


def _shows_early() -> Plant:
    return _dealt(d.Placed, lambda _state, event, after: _hand(after, event.hand, shown=True))


def _leaves_a_card_in_the_deck() -> Plant:
    return _dealt(d.Dealt, lambda state, event, after: replace(after, deck=state.deck[len(event.cards) - 1 :]))


def _clock_goes_on() -> Plant:
    return _changed(e.ClockStopped, lambda state, _event, after: replace(after, clocks=state.clocks))


def _top_up_without_account() -> Plant:
    accounts = _of(evolve, "apply_event")
    return patch.object(
        evolve,
        "apply_event",
        lambda state, event: state.accounts if isinstance(event, e.ToppedUp) else accounts(state, event),
    )


def _bank_left(change: int) -> Plant:
    stop = clock.stop_clock

    def stopped(running: Any, now: int) -> Any:
        event = stop(running, now)
        return replace(event, bank_ms=max(0, event.bank_ms + change))

    return patch.object(clock, "stop_clock", stopped)


def _starts_with_another_bank() -> Plant:
    start = clock.start_clock
    return patch.object(
        clock,
        "start_clock",
        lambda state, seat, hands, now: replace(
            start(state, seat, hands, now), bank_ends=start(state, seat, hands, now).street_ends + 1000
        ),
    )


def _refills_too_much() -> Plant:
    return patch.object(evolve_play, "refilled_bank", lambda _rules, bank_ms: bank_ms + 60_000)


def _stop_is_charged() -> Plant:
    return patch.object(table, "compensate_downtime", lambda _draft, _request: None)


def _moves_clocks_by_half() -> Plant:
    later = evolve_play._shift_clocks
    return patch.object(evolve_play, "_shift_clocks", lambda state, away: later(state, away // 2))


def _forgets_the_earlier_loss() -> Plant:
    return patch.object(table_actor, "merge", lambda _old, new: new)


def _lost_time_is_tried_once() -> Plant:
    made_up = table_actor.TableActor._compensate_downtime

    async def once(self: table_actor.TableActor) -> bool:
        done = await made_up(self)
        self._downtime = None
        return done

    return patch.object(table_actor.TableActor, "_compensate_downtime", once)


def _sees_no_clock() -> Plant:
    return patch.object(table_actor, "next_wakeup", lambda state: None if state.paused is not None else state.next_at)


def _sees_no_next_deal() -> Plant:
    return patch.object(
        table_actor,
        "next_wakeup",
        lambda state: (
            None if state.paused is not None else min((clock.bank_ends for clock in state.clocks), default=None)
        ),
    )


def _pays_twice_in_the_ledger() -> Plant:
    payments = settlement._payments
    return patch.object(
        settlement,
        "_payments",
        lambda state, owners, sheet: tuple(
            replace(payment, points=2 * payment.points) for payment in payments(state, owners, sheet)
        ),
    )


def _leaves_with_a_point_more() -> Plant:
    def stand_up(draft: Draft, seat: Any) -> None:
        config = draft.state.config
        draft.emit(e.PlayerLeft(draft.now, config.table, seat.seat, seat.player, seat.stack + 1, config.cup))

    return patch.object(seats, "vacate_seat", stand_up)


def _counts_one_version_less() -> Plant:
    go_on = Draft.extend

    def fewer(self: Draft, course: Any) -> None:
        go_on(self, course)
        if len(course.events) > 1:
            self.state = replace(self.state, version=self.state.version - 1)

    return patch.object(Draft, "extend", fewer)


def _loses_a_payment() -> Plant:
    transfers = _of(table_actor, "transfers")
    return patch.object(table_actor, "transfers", lambda events: transfers(events)[:-1])


def _loses_a_sheet() -> Plant:
    return patch.object(table_actor, "finished_sheets", lambda _events, _before: ())


def _leaves_a_part_out() -> Plant:
    of = ViewDiff.for_player

    def fewer(self: ViewDiff, player: str) -> Any:
        shared, own = of(self, player)
        return shared, own[:-2]

    return patch.object(ViewDiff, "for_player", fewer)


def _one_text_for_all() -> Plant:
    original = TableViews.__init__

    def nobody_is_known(self: TableViews, state: TableState, before: TableViews | None = None) -> None:
        original(self, state, before)
        self.guests_with_own_view = frozenset()

    return patch.object(TableViews, "__init__", nobody_is_known)


def _shows_the_state_before() -> Plant:
    catch_up = subscribers.Subscribers.full_update
    held: dict[str, Any] = {}

    def older(self: Any, state: Any, viewer: Any, since: Any, now: int) -> str:
        before, held[state.config.table] = held.get(state.config.table, state), state
        return catch_up(self, replace(before, version=state.version), viewer, since, now)

    return patch.object(subscribers.Subscribers, "full_update", older)


def _snapshot_skips_an_event() -> Plant:
    read = snapshots.load_snapshot

    async def ahead(store: Any, table: str) -> Any:
        state = await read(store, table)
        return None if state is None else replace(state, version=state.version + 1)

    return patch.object(snapshots, "load_snapshot", ahead)


def _opens_without_the_last_event() -> Plant:
    fold = _of(snapshots, "replay")
    return patch.object(
        snapshots, "replay", lambda events, state=None: fold(events[:-1] if len(events) > 1 else events, state)
    )


def _stores_another_text() -> Plant:
    stored = _of(table_actor, "encode_events")

    def shorter(events: Any, before: Any) -> Any:
        bodies = (event.event for event in events)
        shortened = [replace(body, text="…") if isinstance(body, e.ChatSent) else body for body in bodies]
        return stored(
            [replace(event, event=shortened_event) for event, shortened_event in zip(events, shortened, strict=True)],
            before,
        )

    return patch.object(table_actor, "encode_events", shorter)


def _answers_the_first_only() -> Plant:
    write = GroupCommit._write

    async def first(self: GroupCommit, batch: list[Any]) -> None:
        try:
            outcomes = await self._commit([append for append, _ in batch])
        except Exception as error:  # noqa: BLE001 - as the real one
            if not batch[0][1].done():
                batch[0][1].set_exception(error)
            return

        async def known(_batch: Any) -> Any:
            return outcomes

        commit, self._commit = self._commit, known
        await write(self, batch)
        self._commit = commit

    return patch.object(GroupCommit, "_write", first)


def _deals_a_card_twice() -> Plant:
    shuffle = episode.Episode._shuffle

    def twice(self: Any, jokers: int) -> Any:
        cards = shuffle(self, jokers)
        return (*cards[:5], cards[4], *cards[6:])

    return patch.object(episode.Episode, "_shuffle", twice)


def _clock_set_back() -> Plant:
    return patch.object(MonotonicClock, "advance_to", lambda _self, _at: None)


def _standstill_unnoticed() -> Plant:
    return patch.object(StallDetector, "check", lambda _self: None)


def _tail_has_no_answers() -> Plant:
    return patch.object(ProjectionBacklog, "reply", lambda _self, _key: None)


def _acks_one_version_early() -> Plant:
    return patch.object(table_actor, "Ack", lambda cmd_id, name, version: Ack(cmd_id, name, version - 1))


def _repeats_wait_for_nothing() -> Plant:
    """As it was before the simulation found it: while lost time cannot be stored, a repeat is refused unseen."""

    async def take(self: table_actor.TableActor, job: table_actor.QueuedCommand) -> None:
        for _ in range(2):
            if await self._compensate_downtime() and await self._try_execute(job):
                return
        table_actor._reply(job, Rejected(job.cmd_id, self.id, COMMAND_FAILED))
        self._after_change()

    return patch.object(table_actor.TableActor, "_execute", take)


def _is_alive_before_it_makes_up() -> Plant:
    """As it was before the simulation found it: the beat after a standstill goes before the standstill's event."""
    return patch.object(table_actor.TableActor, "has_pending_downtime", False)


def _never_asks_whose_it_is() -> Plant:
    """As it was before the simulation found it: a server at which somebody plays only notes that it is alive."""

    async def note(self: heartbeat.Heartbeat) -> None:
        if self._clock_owner.is_compensated():
            await self._deps.store.record_alive(self._deps.now())

    return patch.object(heartbeat.Heartbeat, "_record_alive", note)


def _over_writes() -> Plant:
    write = Disk.write

    def written(self: Disk, row: JournalRow) -> bool:
        server = self.servers.get(row.number >> PARTITION_SHIFT)
        if server is None:
            return write(self, row)
        with patch.object(server, "over", new=False):
            return write(self, row)

    return patch.object(Disk, "write", written)


def _takes_from_the_living() -> Plant:
    def take(self: SimConnection, name: str, lane: int, *_: object) -> int:
        self._disk.leases[name] = lane
        return lane

    return patch.dict(leases._STATEMENTS, {postgres_leases._ACQUIRE: take, postgres_leases._FIND: lambda *_: None})


def _owners_death_is_charged() -> Plant:
    return patch.object(postgres_leases.PostgresLeases, "pop_takeover_downtime", lambda _self, _stream: 0)


def _lost_answer_to_a_lease() -> Plant:
    """As it was before the simulation found it: what a lease had lost was known only to whom it was told at once."""
    return patch.dict(leases._STATEMENTS, {postgres_leases._NOTE_DOWNTIME: lambda *_: None})


def _last_rows_are_not_read() -> Plant:
    async def follow(_self: SimStore, _lane: int) -> None:
        pass

    return patch.object(SimStore, "project_partition", follow)


PLANTED: Final[dict[str, Callable[[], Plant]]] = {
    "a command is answered before it is stored": _answers_first,
    "screens are told before the commit": _publishes_first,
    "commands are stored without their ids": _appends_without_key,
    "a repeated command is done again": _repeats_are_done,
    "after a lost answer nothing is read again": _never_catches_up,
    "what failed is taken for not done": _failed_is_not_done,
    "a repeated command is refused": _refuses_what_is_done,
    "what came while it was projected is forgotten": _drops_what_came_meanwhile,
    "the last append is not projected": _takes_one_too_few,
    "a writer whose epoch is over writes": _old_epochs_write,
    "a row that was not written counts": _no_row_is_refused,
    "a point is lost at the settlement": _loses_a_point,
    "discards are forgotten": _forgets_discards,
    "boards are shown before the end": _shows_early,
    "a dealt card stays in the deck": _leaves_a_card_in_the_deck,
    "a stopped clock goes on": _clock_goes_on,
    "points are added without an account": _top_up_without_account,
    "a stopped clock leaves too much": lambda: _bank_left(1000),
    "a stopped clock leaves too little": lambda: _bank_left(-4000),
    "a clock starts with another bank": _starts_with_another_bank,
    "banks are refilled without a limit": _refills_too_much,
    "the server's stop is charged": _stop_is_charged,
    "clocks move by half of a stop": _moves_clocks_by_half,
    "of two stops the earlier is forgotten": _forgets_the_earlier_loss,
    "lost time is given back only if that is stored at once": _lost_time_is_tried_once,
    "nobody looks when a clock runs out": _sees_no_clock,
    "nobody looks when a deal is due": _sees_no_next_deal,
    "the ledger has each payment twice": _pays_twice_in_the_ledger,
    "who leaves takes a point more": _leaves_with_a_point_more,
    "a version is not counted": _counts_one_version_less,
    "a payment is not in the ledger": _loses_a_payment,
    "a deal's sheet is not kept": _loses_a_sheet,
    "a part of a view is left out": _leaves_a_part_out,
    "all viewers get one text": _one_text_for_all,
    "who comes is shown the state before": _shows_the_state_before,
    "a snapshot stands for one event too many": _snapshot_skips_an_event,
    "a table opens without its last event": _opens_without_the_last_event,
    "talk is stored otherwise than it was said": _stores_another_text,
    "of a batch that fails only the first is told": _answers_the_first_only,
    "a card is in the deck twice": _deals_a_card_twice,
    "a clock that was set back is followed": _clock_set_back,
    "a standstill is not noticed": _standstill_unnoticed,
    "answers are not found until they are projected": _tail_has_no_answers,
    "acknowledgements name the version before": _acks_one_version_early,
    "a repeat is refused while nothing can be stored": _repeats_wait_for_nothing,
    "the server is alive before it has made up": _is_alive_before_it_makes_up,
    "a server that is over writes": _over_writes,
    "a lease is taken from who lives": _takes_from_the_living,
    "the death of an owner is charged": _owners_death_is_charged,
    "what a lease had lost is not kept": _lost_answer_to_a_lease,
    "the last rows of a dead owner are not read": _last_rows_are_not_read,
    "a busy server does not ask whose the database is": _never_asks_whose_it_is,
}

# The seed from which a fault is looked for that hundreds of episodes before do not show.
SINCE: Final[dict[str, int]] = {"the server is alive before it has made up": 463}


def find(name: str, seeds: range, deals: int = 3) -> tuple[int, str] | None:
    """Return the first seed at which a planted fault is found, and what did not hold; None when none finds it."""
    for seed in seeds:
        with PLANTED[name]():
            findings = episode.play(seed, deals).found
        if findings:
            return seed, findings[0]
    return None
