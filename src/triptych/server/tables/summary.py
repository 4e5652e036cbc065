"""The summary of a table: what the lobby and the server need of every table, also of an unloaded one."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Raw, Struct

from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import Ruleset
from triptych.rulesets.text import differences
from triptych.table.aggregate import next_wakeup
from triptych.table.clock import acting_seats
from triptych.table.host import acting_host
from triptych.table.state import Phase, TableState, phase

# Raised when the fields change their meaning: earlier summaries are not read then.
_FORMAT_VERSION: Final = 1
_CACHED_RULES: Final = 256


class SeatSummary(Struct, frozen=True, gc=False):
    """The player of a seat.

    `here`: connected; `turn`: the deal waits for them; `program`: a program plays.
    """

    player: str
    name: str
    bot: bool = False
    here: bool = False
    turn: bool = False
    program: bool = False


class TableSummary(Struct, frozen=True, tag_field="form", tag=_FORMAT_VERSION):
    """A table at a version; `opener` opened it, `host` has the host's rights now.

    `locked`: it has a password. `changes`: how many options differ from the preset, None without a preset. `runs`:
    a clock runs; `here`: a person is connected; `due`: when something happens by itself (ms), or None; `to_move`: a
    bot has to move. `dropped`: decks that were committed and never dealt.
    """

    table: str
    version: int
    at: int
    name: str
    opener: str
    host: str
    preset: str
    title: str
    seats: tuple[SeatSummary | None, ...]
    phase: Phase
    changes: int | None = None
    private: bool = False
    locked: bool = False
    again: str = ""
    runs: bool = False
    here: bool = False
    due: int | None = None
    to_move: bool = False
    deals: int = 0
    dropped: int = 0

    def seat_of(self, player: str) -> SeatSummary | None:
        """Return a guest's seat, or None."""
        return next((seat for seat in self.seats if seat is not None and player and seat.player == player), None)

    @property
    def is_idle(self) -> bool:
        """Return whether nobody is connected, no clock runs and no bot is to move: the table stays as it is."""
        return not (self.runs or self.here or self.to_move)


_WRITE: Final = msgspec.msgpack.Encoder()
_READ: Final = msgspec.msgpack.Decoder(TableSummary)
_SEND: Final = msgspec.json.Encoder()
_RECEIVE: Final = msgspec.json.Decoder(TableSummary)


def summarize(state: TableState) -> TableSummary:
    """Return the summary of a table."""
    config = state.config
    turns = acting_seats(state.deal) if state.deal is not None and not state.settled else {}
    people = [seat for seat in state.seats if seat.person]
    return TableSummary(
        table=config.table,
        version=state.version,
        at=state.at,
        name=config.name,
        opener=config.host,
        host=acting_host(state),
        preset=config.rules.name,
        title=config.rules.title,
        seats=tuple(
            SeatSummary(seat.player, seat.name, seat.bot, seat.connected, seat.seat in turns, seat.program)
            if seat.player
            else None
            for seat in state.seats
        ),
        phase=phase(state),
        changes=_changes(config.rules),
        private=config.private,
        locked=bool(state.password),
        again=config.again,
        runs=bool(state.clocks) or state.next_at is not None,
        here=any(seat.connected for seat in people) or (state.host_here and not config.cup),
        due=next_wakeup(state),
        to_move=state.paused is None and any(seat.bot and seat.seat in turns for seat in state.seats),
        deals=state.deals,
        dropped=state.fair.dropped,
    )


def encode(summary: TableSummary) -> bytes:
    """Return a summary as it is stored."""
    return _WRITE.encode(summary)


def decode(payload: bytes) -> TableSummary | None:
    """Return a stored summary; None when there is none, or this code cannot read it."""
    with suppress(msgspec.MsgspecError):
        return _READ.decode(payload)
    return None


def encode_json(summary: TableSummary) -> Raw:
    """Return a summary as it is sent to other servers."""
    return Raw(_SEND.encode(summary))


def decode_json(raw: Raw) -> TableSummary | None:
    """Return a summary that another server has sent; None when this code cannot read it."""
    with suppress(msgspec.MsgspecError):
        return _RECEIVE.decode(raw)
    return None


@lru_cache(_CACHED_RULES)
def _changes(rules: Ruleset) -> int | None:
    """Return how many options differ from the preset of the rules' name, None when no preset has that name."""
    return len(differences(rules, resolve(rules.name))) if rules.name in preset_names() else None
