"""The judge finds what it is there for: each lie about a session without faults is told apart from the truth."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.faults.campaigns import settled
from tests.faults.clocks import Outage, charged
from tests.faults.history import Connection, History
from tests.faults.judge import Stored, Verdict, judge
from tests.faults.players import session
from tests.faults.record import Append, Event, Record, of_file
from tests.server.in_process import run_server
from triptych.store.sqlite.store import sqlite_store

pytestmark = pytest.mark.anyio
RunHistory = tuple[Record, list[History]]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def truth(tmp_path_factory: pytest.TempPathFactory) -> RunHistory:
    """Play some deals without any fault."""
    file: Path = tmp_path_factory.mktemp("judge") / "room.db"
    async with run_server(sqlite_store(file)) as played, session(played.url) as table:
        for _ in range(15):
            await table.played_on()
        await table.stop()
    await settled(sqlite_store(file))
    return of_file(file), table.histories


async def test_a_session_without_faults_is_judged_faultless(truth: RunHistory) -> None:
    verdict = judge(*truth)
    assert verdict.found == []
    wanted = ("acknowledged", "clocks", "deals", "events told", "views")
    assert all(verdict.counts[name] > 3 for name in wanted), verdict.counts


def rows_with(record: Record, at: int, change: Callable[[Append], Append]) -> Record:
    """Return a record in which an append of the journal, and nothing else, is another one."""
    rows = list(record.rows)
    rows[at] = rows[at]._replace(appends=tuple(map(change, rows[at].appends)))
    return record._replace(rows=tuple(rows))


def of_kind(record: Record, kind: str, *, nth: int = 3) -> tuple[int, int]:
    """Return in which row, and where in its append, the n-th event of a kind is."""
    positions = [
        (at, place)
        for at, row in enumerate(record.rows)
        for append in row.appends
        for place, event in enumerate(append.events)
        if event.body["e"] == kind
    ]
    return positions[nth]


def with_body(record: Record, kind: str, **changes: Any) -> Record:
    """Return a record in which an event says something else, in the journal and in what is projected."""
    at, place = of_kind(record, kind)

    def changed(append: Append) -> Append:
        events = list(append.events)
        body = {**events[place].body, **changes}
        events[place] = events[place]._replace(body=body, payload=json.dumps(body).encode())
        return append._replace(events=tuple(events))

    altered = rows_with(record, at, changed)
    table = altered.rows[at].appends[0].table
    events = [event for row in altered.rows for append in row.appends for event in append.events]
    lines = [(number, event.visibility, event.seat, event.payload) for number, event in enumerate(events, 1)]
    return altered._replace(events={**record.events, table: lines})


def _some_command(record: Record) -> tuple[int, Append]:
    mine = [
        (at, append)
        for at, row in enumerate(record.rows)
        for append in row.appends
        if append.cmd is not None and append.cmd[1].startswith("k")
    ]
    return mine[3]


def lose_an_action(record: Record, histories: list[History]) -> RunHistory:
    """As if a command had been acknowledged that the database never got."""
    history = histories[0]
    history.sent("k999")
    history.answered({"t": "ack", "cmd_id": "k999", "table": history.table, "v": 30})
    return record, histories


def lose_the_end(record: Record, histories: list[History]) -> RunHistory:
    """As if the last rows of the journal, from the last command on, had not been on the disk."""
    last = max(n for n, row in enumerate(record.rows) if any(append.cmd is not None for append in row.appends))
    return record._replace(rows=record.rows[:last]), histories


def lose_a_row(record: Record, histories: list[History]) -> RunHistory:
    at, _ = _some_command(record)
    return record._replace(rows=record.rows[:at] + record.rows[at + 1 :]), histories


def double_an_action(record: Record, histories: list[History]) -> RunHistory:
    """As if a command that was sent again had been done again."""
    _, append = _some_command(record)
    last = record.rows[-1]
    row = last._replace(number=last.number + 1, appends=(append._replace(expected=_end(record)),))
    return record._replace(rows=(*record.rows, row)), histories


def _end(record: Record) -> int:
    return sum(len(append.events) for row in record.rows for append in row.appends)


def write_stale(record: Record, histories: list[History]) -> RunHistory:
    """As if an owner that was paused had written behind what it knew, in its own lane."""
    at, append = _some_command(record)
    number = (7 << 36) + 1
    row = record.rows[at]._replace(number=number, appends=(append._replace(cmd=("other", "k1")),))
    return record._replace(rows=(*record.rows[: at + 5], row, *record.rows[at + 5 :])), histories


def change_the_epoch_back(record: Record, histories: list[History]) -> RunHistory:
    rows = [*record.rows[:-1], record.rows[-1]._replace(epoch=0)]
    return record._replace(rows=tuple(rows)), histories


def answer_otherwise(record: Record, histories: list[History]) -> RunHistory:
    """As if a repeated command had got another answer than the first time."""
    history = histories[0]
    cmd_id = next(iter(history.answers))
    history.answered({**history.answers[cmd_id], "v": 3})
    return record, histories


def refuse_what_is_done(record: Record, histories: list[History]) -> RunHistory:
    history = histories[0]
    cmd_id = next(iter(history.answers))
    history.answers[cmd_id] = {"t": "refused", "cmd_id": cmd_id, "error": {"code": "server.failed"}}
    history.refused[cmd_id] = history.asked[cmd_id]
    return record, histories


def change_the_past(record: Record, histories: list[History]) -> RunHistory:
    """As if other cards lay there after a crash than before."""
    view: dict[str, Any] = {"v": 30, "deal": None, "seats": [], "phase": "playing"}
    for history in histories:
        Connection(history).hear({"t": "update", "table": history.table, "v": 30, "events": [], "view": view})
        history.views.setdefault(30, next(iter(history.views.values())))
        history.showed({**view, "phase": "waiting"})
    return record, histories


def show_another_card(record: Record, histories: list[History]) -> RunHistory:
    history = histories[0]
    version, digest = next(
        (version, digest) for version, digest in history.views.items() if any(digest.tasks.values())
    )
    hand, cards = next(iter(digest.tasks.items()))
    history.views[version] = digest._replace(tasks={hand: ("2c", *cards[1:]) if cards[0] != "2c" else cards[:-1]})
    return record, histories


def show_another_stack(record: Record, histories: list[History]) -> RunHistory:
    history = histories[0]
    version, digest = next((version, digest) for version, digest in history.views.items() if not digest.playing)
    stacks = {seat: (who, stack + 1) for seat, (who, stack) in digest.stacks.items()}
    history.views[version] = digest._replace(stacks=stacks)
    return record, histories


def tell_another_event(record: Record, histories: list[History]) -> RunHistory:
    history = histories[0]
    version = next(version for version, event in history.events.items() if event is not None)
    history.events[version] = {"e": "said", "text": "hello"}
    return record, histories


def tell_a_hidden_event(record: Record, histories: list[History]) -> RunHistory:
    """As if cards of somebody else had been told."""
    history = histories[0]
    version = next(version for version, event in history.events.items() if event is None)
    history.events[version] = record.events[history.table][version - 1]
    return record, histories


def deal_from_elsewhere(record: Record, histories: list[History]) -> RunHistory:
    return with_body(record, "dealt", cards=["2c", "2d", "2h"]), histories


def place_what_is_not_held(record: Record, histories: list[History]) -> RunHistory:
    layout = {"front": ["2c"], "middle": ["2d"], "back": ["2h"]}
    return with_body(record, "placed", layout=layout), histories


def play_by_itself(record: Record, histories: list[History]) -> RunHistory:
    """As if the clock of somebody had played for them."""
    at, _ = _some_command(record)
    return rows_with(record, at, lambda append: append._replace(cmd=None)), histories


def project_less(record: Record, histories: list[History]) -> RunHistory:
    table = histories[0].table
    return record._replace(events={**record.events, table: record.events[table][:-1]}), histories


def project_an_answer_less(record: Record, histories: list[History]) -> RunHistory:
    return record._replace(answers=dict(list(record.answers.items())[1:])), histories


def pay_twice(record: Record, histories: list[History]) -> RunHistory:
    table = histories[0].table
    return record._replace(postings={**record.postings, table: record.postings[table] * 2}), histories


# What each is found by.
LIES: dict[Callable[[Record, list[History]], RunHistory], str] = {
    lose_an_action: "lost: k999",
    lose_the_end: "of a table that ends at",
    lose_a_row: "lost: ",
    double_an_action: "doubled: ",
    write_stale: "stale: ",
    change_the_epoch_back: "stale: row",
    answer_otherwise: "and then",
    refuse_what_is_done: "refused as often",
    change_the_past: "shown otherwise than before",
    show_another_card: "were dealt",
    show_another_stack: "was shown a stack",
    tell_another_event: "told another event",
    tell_a_hidden_event: "told another event",
    deal_from_elsewhere: "other cards than the deck has",
    place_what_is_not_held: "which it does not hold",
    play_by_itself: "nobody asked to place",
    project_less: "the events of",
    project_an_answer_less: "the answers of",
    pay_twice: "the ledger of",
}


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
async def test_a_false_record_is_found(truth: RunHistory, lie: Callable[[Record, list[History]], RunHistory]) -> None:
    record, histories = copy.deepcopy(truth)
    problems = judge(*lie(record, histories)).found
    assert any(LIES[lie] in what for what in problems), problems


def clock(left: int, *, later_epoch: bool = True) -> list[Stored]:
    """Return a clock of 60 s from 10 s to 30 s with so much left (ms); another process goes on at 25 s."""
    bodies = [
        {"e": "clock_started", "at": 10_000, "seat": 0, "started": 10_000, "bank_ends": 70_000},
        {"e": "table_resumed", "at": 25_000, "downtime": 10_000},
        {"e": "clock_stopped", "at": 30_000, "seat": 0, "bank_ms": left, "deal_ms": 0},
    ]
    return [
        Stored(at, 1 + (at > 1 and later_epoch), 0, Event("public", None, b"", body), "")
        for at, body in enumerate(bodies, 1)
    ]


def test_downtime_is_charged_to_no_clock() -> None:
    """Down from 12 s until the next process writes at 25 s: seven seconds of 20 are the player's."""
    for left, outages, wrong in (
        (53_000, [Outage(12_000)], False),
        (50_000, [Outage(12_000)], True),
        (40_000, [], False),
        (61_000, [], True),
        # Twice the same time is nobody's once.
        (53_000, [Outage(12_000), Outage(13_000)], False),
        (52_000, [Outage(12_000), Outage(13_000)], True),
        # Who had the table at 10 s died at 28 s, when another one had taken it already: nobody lost time by it.
        (50_000, [Outage(28_000, owned=10_000)], False),
        (53_000, [Outage(12_000, owned=10_000)], False),
        (50_000, [Outage(12_000, owned=10_000)], True),
        # A server that goes on may take some time to notice that it stood still.
        (44_000, [Outage(12_000, 22_000)], True),
        (45_500, [Outage(12_000, 22_000)], False),
    ):
        verdict = Verdict()
        charged(clock(left), outages, verdict)
        assert bool(verdict.found) == wrong, (left, outages)
