"""Fills a database with tables that were played, as a server would have left them behind."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from triptych.board import Layout
from triptych.deal.actions import Place
from triptych.i18n.stored import stored_text
from triptych.rulesets.load import resolve
from triptych.server.clock import deck_secret, shuffled_deck
from triptych.server.tables.event_log import encode_events
from triptych.server.tables.snapshots import SNAPSHOT_VERSION
from triptych.server.tables.summary import encode, summarize
from triptych.store.leases.interface import ServerInfo
from triptych.store.sqlite.store import sqlite_store
from triptych.store.types import Append, NewEvent, ResultsUpdate, Snapshot
from triptych.table import commands as c
from triptych.table.aggregate import TableConfig, decide, evolve, open_table, view

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from triptych.deal.view_types import Task
    from triptych.rulesets.model import Ruleset
    from triptych.store.interface import EventStore
    from triptych.table.state import TableState

PLAYERS: Final = ("ann", "bob", "cid")
_RULES: Final = {"preset": "pineapple", "settlement.cap": "none", "seats.buy_in_max": 1_000_000}
_NAME: Final = "tableAAA"
_TOGETHER: Final = 200
_COMMANDS: Final = 20  # in one append: the journal's rows are no part of what is measured
_MIDDLE: Final = 2
_STEP_MS: Final = 100
_EVERYTHING: Final = 1_000_000  # results are recorded behind the deals
_STEPS: Final = 30  # more than a deal has
_WRITE: Final = msgspec.msgpack.Encoder(enc_hook=stored_text)


class StoredTable(NamedTuple):
    """A table: its events, command by command, and what a snapshot is made of; `over`: it was closed."""

    batches: tuple[tuple[NewEvent, ...], ...]
    snapshot_state: TableState
    over: bool = False


class _Session:
    """A table of three people that is played the simplest way, without a clock of its own."""

    def __init__(self, rules: Ruleset, began: int) -> None:
        events = open_table(TableConfig(_NAME, "A table", "ann", rules, pause=0), began)
        state: TableState | None = None
        for event in events:
            state = evolve(state, event)
        assert state is not None  # noqa: S101 - for the type checker
        self.state = self.snapshot_state = state
        self.batches = [encode_events(events)]
        self._now = began
        for seat, player in enumerate(PLAYERS):
            self.ask(player, c.Sit(seat, 1_000_000))

    def ask(self, player: str, request: c.PlayerRequest | c.SystemRequest) -> None:
        """Apply a request; the state at a deal's end is what the snapshot is made of."""
        self._now += _STEP_MS
        before = self.state
        draft = decide(before, c.Command(player, request, player.title()), self._now, shuffled_deck, deck_secret)
        if draft.events:
            self.batches.append(encode_events(draft.events, before))
            self.state = draft.state
            if self.state.settled and not before.settled:
                self.snapshot_state = self.state

    def play(self, deals: int) -> None:
        """Play so many deals and into the middle of the next one."""
        while not self._play_on(deals):
            pass

    def close(self) -> None:
        """Play the deal to its end and close the table."""
        self.ask(PLAYERS[0], c.CloseTable())
        while not self.state.closed:
            self._play_on(_EVERYTHING)
        self.snapshot_state = self.state

    def _play_on(self, deals: int) -> bool:
        self.ask("", c.Tick())
        for player in PLAYERS:
            deal_view = view(self.state, player).deal
            for task in () if deal_view is None else deal_view.tasks[:1]:
                if self.state.deals > deals and task.street > _MIDDLE:
                    return True
                self.ask(player, Place(task.hand, back_first(task)))
        return False


def play_table(deals: int, *, under_way: bool = False, over: bool = False) -> StoredTable:
    """Play so many deals; then the next one is `under_way`, or is played and all is `over`, or all have gone from it.

    Under way the last snapshot is of the last deal's end, as a crash finds it; else the server has stored all of it.
    """
    began = time.time_ns() // 1_000_000 - _STEP_MS * _STEPS * (deals + 1)
    rules = resolve({**_RULES, "clock.seconds": 3_000} if under_way else {**_RULES, "clock.kind": "none"})
    session = _Session(rules, began)
    session.play(deals)
    if over:
        session.close()
    elif not under_way:
        for player in PLAYERS:
            session.ask(player, c.Disconnected())
        session.snapshot_state = session.state
    return StoredTable(tuple(session.batches), session.snapshot_state, over)


def back_first(task: Task) -> Layout:
    """Lay a street's cards from the back to the front."""
    cards, rows = task.cards[: task.place], []
    for free in (task.open.back, task.open.middle, task.open.front):
        rows.append(cards[:free])
        cards = cards[free:]
    back, middle, front = rows
    return Layout(front, middle, back)


async def fill(file: Path, tables: int, templates: Sequence[StoredTable]) -> list[str]:
    """Write so many tables that were played alike into a new database, what is over put away; return their names."""
    names = [f"t{number:07d}" for number in range(tables)]
    store = sqlite_store(file)
    await store.open(ServerInfo(os.getpid(), 1))
    try:
        for first in range(0, tables, _TOGETHER):
            some = names[first : first + _TOGETHER]
            await asyncio.gather(
                *(_write(store, name, templates[number % len(templates)]) for number, name in enumerate(some, first))
            )
            await store.results.save([ResultsUpdate(name, _EVERYTHING) for name in some])
            await store.snapshots.save(
                [_snapshot(name, templates[number % len(templates)]) for number, name in enumerate(some, first)]
            )
            await store.tables()
            for number, name in enumerate(some, first):
                table = templates[number % len(templates)]
                if table.over:
                    await store.archive.archive(name, table.snapshot_state.version, table.snapshot_state.at)
        await store.archive.compact()
        await store.record_alive(time.time_ns() // 1_000_000)
        await store.tables()
    finally:
        await store.close()
    return names


async def _write(store: EventStore, name: str, table: StoredTable) -> None:
    version = 0
    for first in range(0, len(table.batches), _COMMANDS):
        events = tuple(
            NewEvent(event.visibility, event.seat, event.payload.replace(_NAME.encode(), name.encode()))
            for batch in table.batches[first : first + _COMMANDS]
            for event in batch
        )
        ends = table.over and first + _COMMANDS >= len(table.batches)
        await store.append(Append(table=name, expected_version=version, events=events, ends_stream=ends))
        version += len(events)


def _snapshot(name: str, table: StoredTable) -> Snapshot:
    state = msgspec.structs.replace(
        table.snapshot_state, config=msgspec.structs.replace(table.snapshot_state.config, table=name)
    )
    return Snapshot(name, state.version, SNAPSHOT_VERSION, _WRITE.encode(state), encode(summarize(state)))
