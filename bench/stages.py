"""What an action costs by stage, without sockets, tasks and disk: the table of bench/results/an-action-by-stage.md.

uv run python -m bench.stages [--tables 100] [--deals 2000]

Tables of three who are sent what changed, as browsers are. What a server spends on an action besides (bench.room)
goes to sockets, the event loop, the commit's thread and what is made from the journal behind.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Final

import msgspec

from bench.report import write
from bench.room_load import RULES, SEATS
from bench.stock import back_first
from triptych.deal.actions import Place
from triptych.rulesets.load import resolve
from triptych.server.clock import deck_secret, shuffled_deck
from triptych.server.tables.event_log import encode_events
from triptych.server.tables.integrity import verify_invariants
from triptych.server.tables.subscribers import Subscribers
from triptych.server.wire.decoding import decode_request
from triptych.server.wire.messages import ClientMessage, ErrorMessage
from triptych.table import commands as c
from triptych.table.aggregate import TableConfig, decide, evolve, open_table
from triptych.table.view import view

if TYPE_CHECKING:
    from triptych.i18n.languages import Language
    from triptych.table.state import TableState

COMMAND: Final = "uv run python -m bench.stages"
STAGES: Final = ("read the message", "decide", "invariants", "events as bytes", "what the viewers are sent")
MOVE, LAST, NEXT = "a move", "the last move of a deal", "the next deal"
_STEP_MS: Final = 700
_WARM: Final = 5
_JSON: Final = msgspec.json.Encoder()
_READ: Final = msgspec.json.Decoder(ClientMessage)


class IdlePage:
    """A page that reads nothing."""

    language: Language = "en"

    def __init__(self, player: str) -> None:
        self.player = player

    def send(self, text: str) -> None:
        """Take a message."""

    def send_message(self, message: ErrorMessage) -> None:
        """Take a message."""


class Table:
    """A table; `spent`: the seconds of each stage, and how often, by what was done."""

    def __init__(self, number: int, spent: dict[str, list[float]]) -> None:
        self.spent = spent
        self.now = 1_000_000
        config = TableConfig(f"t{number}", "Load", "p0", resolve(RULES), pause=0)
        state: TableState | None = None
        for event in open_table(config, self.now):
            state = evolve(state, event)
        assert state is not None  # noqa: S101 - for the type checker
        self.state = state
        self.audience = Subscribers()
        for seat in range(SEATS):
            viewer = IdlePage(f"p{seat}")
            self.audience.add(viewer, whole=False)
            self.audience.full_update(self.state, viewer, None, self.now)
            self.do(viewer.player, c.Sit(seat, 100_000))

    def do(self, player: str, request: c.PlayerRequest | c.SystemRequest) -> None:
        """Apply a request as a live table does, and note what each stage took."""
        self.now += _STEP_MS
        before, clock = self.state, time.thread_time
        sent = {"t": "do", "cmd_id": "b123456", "table": before.config.table, "seen": 1, "action": request}
        text = _JSON.encode(sent).decode()
        times = [clock()]
        if player:
            decode_request(text, _READ)
        times.append(clock())
        draft = decide(before, c.Command(player, request, player), self.now, shuffled_deck, deck_secret)
        times.append(clock())
        verify_invariants(before, draft.state, draft.events)
        times.append(clock())
        encode_events(draft.events, before)
        times.append(clock())
        self.state = draft.state
        self.audience.broadcast(self.state, draft.events, self.now)
        times.append(clock())
        kind = NEXT if not player else LAST if self.state.settled and not before.settled else MOVE
        totals = self.spent[kind]
        for at in range(len(STAGES)):
            totals[at] += times[at + 1] - times[at]
        totals[-1] += 1

    def play(self) -> None:
        """Play a deal, from its beginning to the end."""
        self.do("", c.Tick())
        while not self.state.settled:
            for seat in range(SEATS):
                deal_view = view(self.state, f"p{seat}").deal
                for task in () if deal_view is None else deal_view.tasks:
                    self.do(f"p{seat}", Place(task.hand, back_first(task)))


def main() -> None:
    """Play, and write what the stages took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--deals", type=int, default=2000)
    args = parser.parse_args()
    spent: dict[str, list[float]] = defaultdict(lambda: [0.0] * (len(STAGES) + 1))
    tables = [Table(number, spent) for number in range(args.tables)]
    for _ in range(_WARM):
        for table in tables:
            table.play()
    gc.collect()
    gc.freeze()
    spent.clear()
    for number in range(args.deals):
        tables[number % args.tables].play()
    moves = spent[MOVE][-1] + spent[LAST][-1]
    rows: list[tuple[str, ...]] = [("µs", MOVE, LAST, NEXT, "an action in the mean")]
    for at, stage in enumerate((*STAGES, "all")):
        sums = {kind: sum(totals[:-1]) if stage == "all" else totals[at] for kind, totals in spent.items()}
        each = [sums[kind] / spent[kind][-1] for kind in (MOVE, LAST, NEXT)]
        rows.append((stage, *(f"{seconds * 1e6:,.0f}" for seconds in (*each, sum(sums.values()) / moves))))
    note = f"{args.tables} tables of three, {args.deals:,} deals of {moves / args.deals:.0f} actions"
    write("An action by stage", COMMAND, rows, note)


if __name__ == "__main__":
    main()
