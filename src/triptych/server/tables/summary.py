"""A table at a glance: what the lobby and the house ask of every table, also of one that is not in memory."""

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

# Another number when the fields mean something else: what was written before is not read then.
_FORMAT_VERSION: Final = 1
_NOTES: Final = 256


class SeatSummary(Struct, frozen=True, gc=False):
    """Who has a seat; `here`: they are connected; `turn`: the deal waits for them; `program`: one plays for them."""

    player: str
    name: str
    bot: bool = False
    here: bool = False
    turn: bool = False
    program: bool = False


class TableSummary(Struct, frozen=True, tag_field="form", tag=_FORMAT_VERSION):
    """A table at a version; `opener` opened it, `host` has a host's rights now.

    `locked`: it has a password. `changes`: how many options are not the preset's, None without one. `runs`: time
    counts at it; `here`: somebody is there; `due`: when something happens by itself (ms), None: nothing will;
    `to_move`: a bot has to move.
    `dropped`: decks that were committed and never dealt.
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
        """Return a guest's seat, None when they have none."""
        return next((seat for seat in self.seats if seat is not None and player and seat.player == player), None)

    @property
    def is_idle(self) -> bool:
        """Return whether nobody is there, no time counts and no bot is to move: the table stays as it is."""
        return not (self.runs or self.here or self.to_move)


_WRITE: Final = msgspec.msgpack.Encoder()
_READ: Final = msgspec.msgpack.Decoder(TableSummary)
_SEND: Final = msgspec.json.Encoder()
_RECEIVE: Final = msgspec.json.Decoder(TableSummary)


def summarize(state: TableState) -> TableSummary:
    """Return a table at a glance."""
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


def encode(glance: TableSummary) -> bytes:
    """Return what a store keeps of it."""
    return _WRITE.encode(glance)


def decode(note: bytes) -> TableSummary | None:
    """Return what was kept; None when there is nothing, or this code cannot read it."""
    with suppress(msgspec.MsgspecError):
        return _READ.decode(note)
    return None


def encode_json(glance: TableSummary) -> Raw:
    """Return what other servers of the house are told of it."""
    return Raw(_SEND.encode(glance))


def decode_json(raw: Raw) -> TableSummary | None:
    """Return what another server has told; None when this code cannot read it."""
    with suppress(msgspec.MsgspecError):
        return _RECEIVE.decode(raw)
    return None


@lru_cache(_NOTES)
def _changes(rules: Ruleset) -> int | None:
    """Return how many options differ from the preset of the rules' name, None when no preset has that name."""
    return len(differences(rules, resolve(rules.name))) if rules.name in preset_names() else None
