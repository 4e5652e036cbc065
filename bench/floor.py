"""What an action costs this server beside a floor: the least that a durable server in plain Python does for the game.

uv run --group bench python -m bench.floor [--tables 300] [--rates 200 400 800] [--seconds 20]

The floor plays Pineapple without fantasyland at tables of three: it checks each placement, notes it in SQLite (all of
5 ms in one commit, written through to the disk), answers when it is there, sends everybody a view of their own, and
scores the deal by rows. It knows no clocks, no reconnection, no money, no rules but these. Both servers are loaded by
the same players, in turns at each rate.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack, ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from bench.report import write
from bench.room_load import SEATS, Load, drive, seated, spread
from bench.servers import BEHIND_SECONDS, Process, ServerGroup, over_sqlite
from triptych import _kernel
from triptych.cards import Card, card_text, deck, parse_card

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND = "uv run --group bench python -m bench.floor"
COMMIT_SECONDS = 0.005
SIZES = {"front": 3, "middle": 5, "back": 5}
STREETS = 5
HEAD = ("actions a second", "server", "CPU an action", "to the floor", "p50", "p99", "bytes an update")


class Seat:
    """A player's cards; `line` is the connection."""

    def __init__(self, line: Any) -> None:  # noqa: ANN401 - picows is not typed here
        self.line = line
        self.board: dict[str, list[Card]] = {row: [] for row in SIZES}
        self.hand: list[Card] = []
        self.discards: list[Card] = []
        self.points = 0


class Request(msgspec.Struct):
    """What a player sends: `watch`, or `do` with an action."""

    t: str
    table: str
    cmd_id: str = ""
    action: dict[str, Any] = {}


class FloorTable:
    """One table, with nothing but what the game needs."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seats: list[Seat] = []
        self.deck: list[Card] = []
        self.turn = self.street = self.version = 0

    def sit(self, line: Any) -> None:  # noqa: ANN401 - as above
        """Let a player sit down; the third one begins the play."""
        self.seats.append(Seat(line))
        if len(self.seats) == SEATS:
            self._deal()

    def place(self, number: int, layout: dict[str, list[str]]) -> None:
        """Place cards of a hand, or raise ValueError."""
        seat = self.seats[number]
        placed = {row: [parse_card(card) for card in cards] for row, cards in layout.items()}
        cards = [card for row in placed.values() for card in row]
        if number != self.turn or len(cards) != (5 if self.street == 1 else 2) or len({*cards}) != len(cards):
            raise ValueError(layout)
        if not {*cards} <= {*seat.hand} or any(
            len(seat.board[row]) + len(placed[row]) > SIZES[row] for row in placed
        ):
            raise ValueError(layout)
        for row, added in placed.items():
            seat.board[row] += added
        seat.discards += [card for card in seat.hand if card not in cards]
        seat.hand = []
        self.version += 1
        self.turn = (self.turn + 1) % SEATS
        if self.turn == 0 and self.street == STREETS:
            self._score()
            self._deal()
        else:
            self.street += self.turn == 0
            self._draw()

    def _deal(self) -> None:
        self.deck = random.sample(deck(), 52)
        self.street, self.turn = 1, 0
        for seat in self.seats:
            seat.board = {row: [] for row in SIZES}
            seat.discards = []
        self._draw()

    def _draw(self) -> None:
        count = 5 if self.street == 1 else 3
        self.seats[self.turn].hand, self.deck = self.deck[:count], self.deck[count:]

    def _score(self) -> None:
        ranks = []
        for seat in self.seats:
            rows = (_kernel.rank3(*seat.board["front"]), *(_kernel.rank5(*seat.board[r]) for r in ("middle", "back")))
            ranks.append(rows if rows[0] <= rows[1] <= rows[2] else (0, 0, 0))
        for first, other in itertools.combinations(range(SEATS), 2):
            won = sum((a > b) - (a < b) for a, b in zip(ranks[first], ranks[other], strict=True))
            points = won * 2 if abs(won) == len(SIZES) else won
            self.seats[first].points += points
            self.seats[other].points -= points

    def view(self, viewer: int) -> dict[str, Any]:
        """Return what one player may see."""
        tasks = []
        if viewer == self.turn:
            seat = self.seats[viewer]
            tasks.append(
                {
                    "hand": viewer,
                    "cards": [card_text(card) for card in seat.hand],
                    "place": 5 if self.street == 1 else 2,
                    "open": {row: SIZES[row] - len(seat.board[row]) for row in SIZES},
                }
            )
        hands = [
            {
                "board": {row: "".join(map(card_text, cards)) for row, cards in seat.board.items()},
                "discards": "".join(map(card_text, seat.discards)) if number == viewer else len(seat.discards),
                "points": seat.points,
            }
            for number, seat in enumerate(self.seats)
        ]
        return {"deal": {"street": self.street, "turn": self.turn, "hands": hands, "tasks": tasks}}


class Floor:
    """All tables, and the actions that wait for the next commit."""

    def __init__(self, file: str) -> None:
        self.tables: dict[str, FloorTable] = {}
        self.waiting: list[tuple[FloorTable, Any, str, bytes]] = []
        self.database = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            self.database.execute(f"PRAGMA {pragma}")
        self.database.execute("CREATE TABLE events (stream TEXT, version INTEGER, payload BLOB)")
        self.encoder = msgspec.json.Encoder()
        self.decoder = msgspec.json.Decoder(Request)
        self.numbers: dict[Any, tuple[FloorTable, int]] = {}

    def on_message(self, line: Any, text: bytes) -> None:  # noqa: ANN401 - as above
        """Take a message of a player."""
        request = self.decoder.decode(text)
        if request.t != "do":
            return
        table = self.tables.setdefault(request.table, FloorTable(request.table))
        if request.action["do"] == "sit":
            self.numbers[line] = table, len(table.seats)
            table.sit(line)
        else:
            table.place(self.numbers[line][1], request.action["layout"])
        if not self.waiting:
            asyncio.get_running_loop().call_later(COMMIT_SECONDS, self._begin_commit)
        self.waiting.append((table, line, request.cmd_id, text))

    def _begin_commit(self) -> None:
        batch, self.waiting = self.waiting, []
        written = asyncio.get_running_loop().run_in_executor(
            None, self._write, [(table.name, table.version, text) for table, _, _, text in batch]
        )
        written.add_done_callback(lambda _: self._send_results(batch))

    def _write(self, rows: list[tuple[str, int, bytes]]) -> None:
        self.database.execute("BEGIN")
        self.database.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
        self.database.execute("COMMIT")

    def _send_results(self, batch: list[tuple[FloorTable, Any, str, bytes]]) -> None:
        text = import_module("picows").WSMsgType.TEXT
        for table, line, cmd_id, _ in batch:
            line.send(text, self.encoder.encode({"t": "ack", "cmd_id": cmd_id}))
            if len(table.seats) < SEATS:
                continue
            for number, seat in enumerate(table.seats):
                update = {"t": "update", "table": table.name, "v": table.version, "view": table.view(number)}
                seat.line.send(text, self.encoder.encode(update))


async def serve(file: str) -> None:
    """Serve until the process is ended; print the address first."""
    picows = import_module("picows")
    floor = Floor(file)

    class Listener(picows.WSListener):  # type: ignore[misc, name-defined]
        def on_ws_frame(self, transport: Any, frame: Any) -> None:  # noqa: ANN401 - as above
            if frame.msg_type == picows.WSMsgType.TEXT:
                floor.on_message(transport, frame.get_payload_as_bytes())

    server = await picows.ws_create_server(lambda _request: Listener(), "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


@contextmanager
def floor_over_sqlite(folder: Path) -> Iterator[ServerGroup]:
    """Start the floor over a file."""
    log, file = folder / "floor.txt", str(folder / "floor.db")
    with log.open("w") as output:
        process = subprocess.Popen(  # noqa: S603 - our own
            [sys.executable, "-m", "bench.floor", "--serve", file], stdout=output, stderr=output
        )
    floor = Process(process, log)
    try:
        yield ServerGroup((floor.wait_for_output("\n").strip(),), file, (floor,))
    finally:
        floor.stop()


class Cost(NamedTuple):
    """What an action cost: microseconds of CPU; seconds to the other screens at p50 and p99; bytes of an update."""

    cpu: float
    median: float
    late: float
    bytes: float


async def at_rate(group: ServerGroup, load: Load, rate: float, seconds: float) -> Cost:
    """Load one server at a rate."""
    load.delays.clear()
    load.updates = load.bytes = 0
    acks, cpu = load.acks, group.cpu()
    await drive(load, rate, seconds)
    await asyncio.sleep(BEHIND_SECONDS)
    done = load.acks - acks
    return Cost((group.cpu() - cpu) / done * 1e6, load.delay_at(0.5), load.delay_at(0.99), load.bytes / load.updates)


async def measure(
    groups: list[ServerGroup], tables: int, rates: list[float], seconds: float
) -> list[tuple[str, ...]]:
    """Seat players at both servers and load them in turns; return a row for each server and rate."""
    numbers = itertools.count()
    loads = [Load(), Load()]
    rows: list[tuple[str, ...]] = []
    async with AsyncExitStack() as stack:
        places = [
            await stack.enter_async_context(seated(groups[0].urls, loads[0], tables)),
            await stack.enter_async_context(
                seated(groups[1].urls, loads[1], tables, lambda *_: (f"t{next(numbers)}", [""] * SEATS))
            ),
        ]
        for load, played in zip(loads, places, strict=True):
            await spread(load, played, rates[0])
        await asyncio.sleep(BEHIND_SECONDS)
        for rate in rates:
            ours, least = [
                await at_rate(group, load, rate, seconds) for group, load in zip(groups, loads, strict=True)
            ]
            for name, cost in (("triptych", ours), ("floor", least)):
                row = (f"{rate:g}", name, f"{cost.cpu:,.0f} µs", f"{cost.cpu / least.cpu:.2f}")
                rows.append((*row, f"{cost.median * 1e3:.1f} ms", f"{cost.late * 1e3:.1f} ms", f"{cost.bytes:,.0f}"))
                print(" | ".join(rows[-1]), flush=True)
    if any(load.refused for load in loads):
        raise SystemExit("actions were refused")
    return rows


def main() -> None:
    """Start both servers, load them, and write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--rates", type=float, nargs="+", default=[200, 400, 800])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--serve", metavar="FILE", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        asyncio.run(serve(args.serve))
        return
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        groups = [stack.enter_context(server(Path(place))) for server in (over_sqlite, floor_over_sqlite)]
        rows = asyncio.run(measure(groups, args.tables, args.rates, args.seconds))
    note = f"{args.tables} tables of three; {args.seconds:g} s at each rate, in turns"
    rates = " ".join(f"{rate:g}" for rate in args.rates)
    command = f"{COMMAND} --tables {args.tables} --rates {rates} --seconds {args.seconds:g}"
    write("Server beside a floor", command, [HEAD, *rows], note)


if __name__ == "__main__":
    main()
