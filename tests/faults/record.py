"""What a database holds, read without the server's code: the journal's rows, and what was projected from them."""

from __future__ import annotations

import sqlite3
import zlib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from triptych.store.postgres.store import postgres_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ROWS: Final = "SELECT number, epoch, frame FROM journal ORDER BY epoch, number"
_EVENTS: Final = "SELECT table_id, version, payload FROM events ORDER BY table_id, version"
_ANSWERS: Final = "SELECT table_id, player, cmd_id, answer FROM commands"
_POSTINGS: Final = "SELECT table_id, debit, credit, points, reason FROM postings ORDER BY table_id, id"
_DEALS: Final = "SELECT table_id, deal, match, payload FROM deals ORDER BY table_id, deal"
LANE_BITS: Final = 36


class Event(NamedTuple):
    """An event as it lies in the journal; `body`: its JSON, decoded, with texts as clients are told them."""

    visibility: str
    seat: int | None
    payload: bytes
    body: dict[str, Any]


class Append(NamedTuple):
    """What one command led to; `cmd`: the player and the command's id."""

    table: str
    expected: int
    events: tuple[Event, ...]
    cmd: tuple[str, str] | None
    answer: bytes
    postings: tuple[tuple[str, str, int, str], ...]
    deals: tuple[tuple[int, int, bytes], ...]


class Row(NamedTuple):
    """A row of the journal."""

    number: int
    epoch: int
    appends: tuple[Append, ...]

    @property
    def lane(self) -> int:
        """Return whose lane it lies in."""
        return self.number >> LANE_BITS


class Record(NamedTuple):
    """The journal in the order of its epochs, and the projections: events, answers, ledger and sheets."""

    rows: tuple[Row, ...]
    events: dict[str, list[tuple[int, str, int | None, bytes]]]
    answers: dict[tuple[str, str, str], bytes]
    postings: dict[str, list[tuple[str, str, int, str]]]
    deals: dict[str, list[tuple[int, int, bytes]]]


def of_file(file: Path) -> Record:
    """Read a file of SQLite; what is not projected yet has to be before (see `settled`)."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return _record(*(connection.execute(wanted).fetchall() for wanted in _WANTED))
    finally:
        connection.close()


async def of_postgres(url: str) -> Record:
    """Read a PostgreSQL."""
    reader = postgres_store(url)
    async with reader._reading.driver() as connection:  # type: ignore[attr-defined]
        results = [[tuple(row) for row in await connection.fetch(query)] for query in _WANTED]
    await reader.close()
    return _record(*results)


_WANTED: Final = (_ROWS, _EVENTS, _ANSWERS, _POSTINGS, _DEALS)


def _record(
    rows: list[tuple[Any, ...]],
    events: list[tuple[Any, ...]],
    answers: list[tuple[Any, ...]],
    postings: list[tuple[Any, ...]],
    deals: list[tuple[Any, ...]],
) -> Record:
    return Record(
        tuple(
            Row(number, epoch, tuple(map(_append, msgspec.msgpack.decode(_whole(frame)))))
            for number, epoch, frame in rows
        ),
        {table: list(_events(rows)) for table, rows in _by_table(events).items()},
        {(table, player, cmd): bytes(answer) for table, player, cmd, answer in answers},
        _by_table(postings),
        _by_table(deals),
    )


def _by_table(rows: list[tuple[Any, ...]]) -> dict[str, list[Any]]:
    by_table: dict[str, list[Any]] = {}
    for table, *row in rows:
        by_table.setdefault(table, []).append(tuple(row))
    return by_table


def _events(rows: list[tuple[int, bytes]]) -> Iterator[tuple[int, str, int | None, bytes]]:
    """Take the events out of a table's rows: each has those of an append, and the last one's version."""
    for last, payload in rows:
        events = msgspec.msgpack.decode(payload)
        for version, (visibility, seat, body) in enumerate(events, last - len(events) + 1):
            yield version, visibility, seat, body


def text_for_clients(value: Any) -> Any:
    """Return JSON with the English alone of each message; key and arguments stand behind a mark (i18n/stored.py)."""
    match value:
        case str():
            return value.partition("\x1f")[0]
        case list():
            return [text_for_clients(each) for each in value]
        case dict():
            return {name: text_for_clients(each) for name, each in value.items()}
    return value


def _whole(frame: bytes) -> bytes:
    """Return a row's appends, which zlib has made shorter where they are long."""
    return zlib.decompress(frame) if frame[:1] == b"x" else frame


def _append(stored: list[Any]) -> Append:
    """Read an append as the journal keeps it: a list, whose fields are documented in store/interface.py."""
    table, expected, events, cmd, answer, postings, deals, _ends = stored
    return Append(
        table,
        expected,
        tuple(
            Event(kind, seat, payload, text_for_clients(msgspec.json.decode(payload)))
            for kind, seat, payload in events
        ),
        None if cmd is None else (cmd[0], cmd[1]),
        answer,
        tuple(tuple(posting) for posting in postings),
        tuple(tuple(deal) for deal in deals),
    )
