"""The judge: what is committed is folded as it is committed, and everything said or shown is held against it at once.

It knows the journal's rows as they were accepted, and nothing of the server's memory.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

import msgspec

from triptych.i18n.messages import plain_text
from triptych.store.journal.rows import PARTITION_SHIFT, decode_frame
from triptych.table import events as e
from triptych.table.codec import decode_all
from triptych.table.evolve.core import evolve
from triptych.table.invariants import find_violation
from triptych.table.ledger import transfers
from triptych.table.view import TableViews

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from triptych.store.journal.rows import JournalRow
    from triptych.store.types import Append
    from triptych.table.state import TableState

_JSON: Final = msgspec.json.Encoder(enc_hook=plain_text)
Key = tuple[str, str, str]
# A stop of the server that it notices, and what it takes to notice one (ms).
UNNOTICED_MS: Final = 2_700
SLACK_MS: Final = 250
# So late may be what is due, when nothing keeps the server from doing it (ms).
LATE_MS: Final = 20_000
MAX_PROBLEMS: Final = 10
# What a table that has stopped for good answers to everything.
STOPPED: Final = ("table.damaged", "table.wrong")


class Run:
    """A seat's clock from its start: when that was (virtual ms), what it had in all, what was added."""

    def __init__(self, at: float, player: str, total: int) -> None:
        self.at, self.player, self.total = at, player, total


def _within(stops: Iterable[tuple[float, float]], begin: float, end: float) -> list[float]:
    """Return how long each stop (seconds) was within a time (ms); stops that overlap are one."""
    joined: list[tuple[float, float]] = []
    for since, until in sorted(stops):
        if joined and since < joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], until)
        else:
            joined.append((since, until))
    parts = ((max(begin, since * 1000), min(end, until * 1000)) for since, until in joined)
    return [ended - begun for begun, ended in parts if ended > begun]


class Judge:
    """All tables as their committed events say; `now` in virtual seconds, `down` the server's own stops so far."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.ahead: Callable[[str], float] = lambda _table: 0.0  # of a table's clock before the virtual time (ms)
        self.states: dict[str, list[TableState]] = {}  # by version, from 1
        self.commands: dict[Key, bytes] = {}
        self.refused: Counter[Key] = Counter()
        self.asked: Counter[Key] = Counter()
        self.acked: dict[Key, str] = {}
        self.frozen: set[str] = set()
        self.down: list[tuple[float, float]] = []
        self.gaps: dict[str, list[tuple[float, float]]] = {}  # in which a table's owner was gone, and no other come
        self._gone: dict[str, tuple[float, int]] = {}  # tables whose owner has gone: when, and its lane
        self._runs: dict[tuple[str, int], Run] = {}
        self._views: dict[str, TableViews] = {}
        self.found: list[str] = []
        self.deals = 0
        self.empty = 0
        self.looked = 0

    def fail(self, what: str) -> None:
        """Note what does not hold; the first ones say most."""
        if len(self.found) < MAX_PROBLEMS:
            self.found.append(f"{self._now():.3f}: {what}")

    def version(self, table: str) -> int:
        """Return how far a table's committed events go."""
        return len(self.states.get(table, ()))

    def is_closed(self, table: str) -> bool:
        """Return whether a table has come to its end."""
        states = self.states.get(table, ())
        return len(states) > 0 and states[-1].closed

    def deals_of(self, table: str) -> int:
        """Return how many deals a table has begun."""
        states = self.states.get(table, ())
        return states[-1].deals if states else 0

    def overdue(self, table: str) -> None:
        """Look whether something was due at a table long ago."""
        state = self.states[table][-1] if self.states.get(table) else None
        if state is None or state.closed or state.paused is not None or table in self.frozen:
            return
        now = round(self._now() * 1000 + self.ahead(table))
        dues = [clock.bank_ends for clock in state.clocks] + ([] if state.next_at is None else [state.next_at])
        if dues and now > min(dues) + LATE_MS:
            self.fail(f"{table}: what was due {now - min(dues)} ms ago has not happened")
            self.frozen.add(table)

    def committed(self, row: JournalRow) -> None:
        """Called with what is durable from now on."""
        appends = decode_frame(row.frame)
        if appends is None:
            self.fail("a row was written that cannot be read")
            return
        for append in appends:
            self._append(append, row.number >> PARTITION_SHIFT)

    def loses(self, table: str, lane: int) -> None:
        """Called when a table's owner, the server of a lane, can do nothing from now on."""
        self._gone.setdefault(table, (self._now(), lane))

    def goes_on(self, lane: int) -> None:
        """Called when a server that stood still goes on, and owns what it did."""
        still = {since for since, before in self._gone.values() if before == lane}
        self.down += [(since, self._now()) for since in still]
        self._gone = {table: gone for table, gone in self._gone.items() if gone[1] != lane}

    def _comes(self, table: str, lane: int, at: int | None) -> None:
        """Hear who has written of a table, at a time of the server's clock."""
        since, before = self._gone.get(table, (0.0, lane))
        if lane != before:
            del self._gone[table]
            self.gaps.setdefault(table, []).append(
                (since, self._now() if at is None else (at - self.ahead(table)) / 1000)
            )

    def _append(self, append: Append, lane: int) -> None:
        table = append.table
        states = self.states.setdefault(table, [])
        if append.expected_version != len(states):
            self.fail(f"{table} goes on at {append.expected_version}, not at {len(states)}")
            return
        before = states[-1] if states else None
        events = list(decode_all(append.events, before))
        self._comes(table, lane, next((event.event.at for event in events if hasattr(event.event, "at")), None))
        for event in events:
            self._event(table, states, event)
        if before is not None and (wrong := find_violation(before, states[-1], events)):
            self.fail(f"{table} at {len(states)}: {wrong}")
        self._beside(append, events)
        if append.idempotency_key is not None:
            self._done((table, append.idempotency_key.player, append.idempotency_key.cmd_id), append)

    def _event(self, table: str, states: list[TableState], event: e.TableEvent) -> None:
        before = states[-1] if states else None
        state = evolve(before, event)
        states.append(state)
        if state.version != len(states):
            self.fail(f"event {len(states)} of {table} leads to version {state.version}")
        if before is not None:
            self._clock(table, before, event.event)
        self.deals += isinstance(event.event, e.DealSettled)

    def _beside(self, append: Append, events: Sequence[e.TableEvent]) -> None:
        """Hold what is stored beside events against them."""
        paid = [(transfer.debit, transfer.credit, transfer.points, transfer.reason) for transfer in transfers(events)]
        if paid != [(posting.debit, posting.credit, posting.points, posting.reason) for posting in append.postings]:
            self.fail(f"{append.table} at {append.expected_version}: the ledger does not say what the events say")
        sheets = [event.event.sheet.deal for event in events if isinstance(event.event, e.DealSettled)]
        if sheets != [summary.deal for summary in append.summaries]:
            self.fail(f"{append.table} at {append.expected_version}: the sheets are not those of its deals")

    def _done(self, key: Key, append: Append) -> None:
        if key in self.commands:
            self.fail(f"{key} was done twice")
        if self.refused[key] >= self.asked[key] > 0:
            self.fail(f"{key} was done after it had been refused for good")
        self.commands[key] = append.reply
        if msgspec.json.decode(append.reply)["v"] != append.expected_version + len(append.events):
            self.fail(f"{key} is told another version than its own")

    def _clock(self, table: str, before: TableState, event: Any) -> None:
        if isinstance(event, e.ClockStarted):
            now = event.started - self.ahead(table)
            key = table, event.seat
            if not any(clock.seat == event.seat for clock in before.clocks):
                self._runs[key] = Run(now, before.seats[event.seat].player, event.bank_ends - event.started)
                bank = before.seats[event.seat].bank_ms
                if event.bank_ends - event.street_ends != bank:
                    self.fail(f"{table}: a clock starts with another bank than its seat's")
        elif isinstance(event, e.TimeAdded):
            run = self._runs.get((table, event.seat))
            if run is not None:
                run.total += event.ms
        elif isinstance(event, e.ClockStopped):
            run = self._runs.pop((table, event.seat), None)
            if run is not None:
                self._charged(table, run, event.bank_ms + event.deal_ms, event.at - self.ahead(table))

    def _charged(self, table: str, run: Run, left: int, now: float) -> None:
        charged = run.total - left
        if charged < 0:
            self.fail(f"{table}: a clock has more than it began with")
        still = _within(self.down, run.at, now)
        free = sum(pause - UNNOTICED_MS for pause in still if pause > UNNOTICED_MS)
        # A new owner counts from when the old one was last seen alive.
        free = max(free, sum(_within(self.gaps.get(table, ()), run.at, now)))
        if charged > now - run.at - free + SLACK_MS:
            self.fail(f"{table}: a clock is charged {charged} ms of {now - run.at:.0f} with {free:.0f} of standstill")

    def said(self, table: str, player: str, message: dict[str, Any], text: str) -> None:
        """Hear an answer, at the moment at which the server gives it."""
        key = table, player, message["cmd_id"]
        done = self.commands.get(key)
        if message["t"] == "refused":
            self.refused[key] += 1
            if done is not None and message["error"]["code"] not in STOPPED:
                self.fail(f"{key} is done, and refused: {message['error']['code']}")
        else:
            if message["v"] > self.version(table):
                self.fail(f"{key} is acknowledged before it is stored")
            if done is not None and done.decode() != text:
                self.fail(f"{key} is answered otherwise than it was")
            if done is None:
                self.empty += 1
                if self.acked.get(key, text) != text:
                    self.fail(f"{key} has two answers")
            self.acked[key] = text

    def lives(self, state: TableState) -> None:
        """Called with what a server takes for a table's state."""
        table = state.config.table
        if state.version > self.version(table):
            self.fail(f"{table} is at {state.version} before that is stored")
        elif state != self.states[table][state.version - 1]:
            self.fail(f"{table} at {state.version} is not what its events lead to")

    def check_view(self, table: str, player: str, version: int, text: bytes) -> None:
        """Called with the text of what a viewer holds, and its version."""
        if version > self.version(table):
            self.fail(f"{player} is shown {table} at {version}, which is not stored")
            return
        state = self.states[table][version - 1]
        views = self._views.get(table)
        if views is None or views.state is not state:
            views = self._views[table] = TableViews(state)
        self.looked += 1
        if crc32(_JSON.encode(views.of(player))) != crc32(text):
            self.fail(f"{player} is shown {table} at {version} as it was not")

    def ends(self) -> None:
        """Judge what can only be told at the end."""
        for key, text in self.acked.items():
            reply = msgspec.json.decode(text)
            if key not in self.commands and key[0] not in self.frozen and reply["v"] > self.version(key[0]):
                self.fail(f"{key} was acknowledged, and is not there")
