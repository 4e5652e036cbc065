"""The events of a tournament: past tense, plain data, everything public. JSON tag: `e`; `at` in ms."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from triptych.table.commands import MatchOrder
from triptych.table.tournament_orders import MatchResult
from triptych.tournament.state import Prize, TournamentConfig


class _Event(Struct, frozen=True, gc=False, tag_field="e"):
    """An event; `at`: its time (ms)."""

    at: int


class TournamentAnnounced(_Event, frozen=True, gc=False, tag="cup_opened"):
    """A tournament was announced; its rules never change."""

    config: TournamentConfig


class Registered(_Event, frozen=True, gc=False, tag="registered"):
    """A player, or a bot of a level, registered."""

    player: str
    name: str
    level: str = ""


class Withdrew(_Event, frozen=True, gc=False, tag="withdrew"):
    """The registration of a player or a bot was withdrawn."""

    player: str


class Reentered(_Event, frozen=True, gc=False, tag="reentered"):
    """An eliminated player entered again with new chips."""

    player: str


class TournamentStarted(_Event, frozen=True, gc=False, tag="cup_started"):
    """Play begins; `draw`: the players in the order in which they get seats."""

    draw: tuple[str, ...]


class TableLineup(Struct, frozen=True, gc=False):
    """A table's players by seat, empty for a free one."""

    table: int
    seats: tuple[str, ...]


class SeatsAssigned(_Event, frozen=True, gc=False, tag="seats_given"):
    """The players of new tables and of tables between two matches were assigned.

    `broken` tables were broken up.

    A player of these tables who has no seat now waits for one.
    """

    lineups: tuple[TableLineup, ...]
    broken: tuple[int, ...] = ()


class TableOrdered(_Event, frozen=True, gc=False, tag="table_ordered"):
    """A table was ordered to play a match or, without chairs, to close."""

    table: int
    order: MatchOrder


class MatchReported(_Event, frozen=True, gc=False, tag="match_reported"):
    """A table's match is over; `deals`: how many the table has played in all."""

    table: int
    order: int
    results: tuple[MatchResult, ...]
    deals: int


class LevelBegan(_Event, frozen=True, gc=False, tag="level_began"):
    """The next level began; it applies from each table's next match on. `rest`: a break comes first."""

    level: int
    rest: bool = False


class BreakBegan(_Event, frozen=True, gc=False, tag="break_began"):
    """All tables take a break until `ends` (ms)."""

    ends: int


class BreakEnded(_Event, frozen=True, gc=False, tag="break_ended"):
    """Play goes on; the level's time begins now."""


class ReentryClosed(_Event, frozen=True, gc=False, tag="reentry_closed"):
    """The time in which these players could enter again after their match has ended."""

    players: tuple[str, ...]


class DowntimeCompensated(_Event, frozen=True, gc=False, tag="cup_resumed"):
    """The server was stopped for `downtime` ms, which does not count for a level or a break."""

    downtime: int


class PauseStarted(_Event, frozen=True, gc=False, tag="cup_paused"):
    """The tournament is paused: all its clocks stand still."""


class PauseEnded(_Event, frozen=True, gc=False, tag="cup_went_on"):
    """A pause of `lasted` ms is over, which does not count for a level or a break."""

    lasted: int


class PlayerDisqualified(_Event, frozen=True, gc=False, tag="player_barred"):
    """The host removed a player; their match in progress is played to its end."""

    player: str


class PlayerRemoved(_Event, frozen=True, gc=False, tag="player_removed"):
    """A player whom the host removed is out; their chips are out of play."""

    player: str


class TournamentEnded(_Event, frozen=True, gc=False, tag="cup_ended"):
    """The tournament is won."""

    prizes: tuple[Prize, ...] = ()


class TournamentCancelled(_Event, frozen=True, gc=False, tag="cup_cancelled"):
    """The tournament was cancelled before its start, or ended without a winner."""


TournamentEvent = (
    TournamentAnnounced
    | Registered
    | Withdrew
    | Reentered
    | TournamentStarted
    | SeatsAssigned
    | TableOrdered
    | MatchReported
    | LevelBegan
    | BreakBegan
    | BreakEnded
    | ReentryClosed
    | DowntimeCompensated
    | PauseStarted
    | PauseEnded
    | PlayerDisqualified
    | PlayerRemoved
    | TournamentEnded
    | TournamentCancelled
)


_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[TournamentEvent] = msgspec.json.Decoder(TournamentEvent)


def encode(event: TournamentEvent) -> bytes:
    """Return an event as JSON."""
    return _ENCODER.encode(event)


def decode(payload: bytes) -> TournamentEvent:
    """Decode an event encoded by `encode`. Raises msgspec.ValidationError when it is not valid."""
    return _DECODER.decode(payload)
