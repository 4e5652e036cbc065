"""The events of a tournament: past tense, plain data, everything public. JSON tag: `e`; `at` in ms."""

from __future__ import annotations

from msgspec import Struct

from triptych.table.commands import MatchOrder
from triptych.table.tournament_orders import MatchResult
from triptych.tournament.state import Prize, TournamentConfig


class TournamentAnnounced(Struct, frozen=True, gc=False, tag_field="e", tag="cup_opened"):
    """A tournament was announced; its rules never change."""

    at: int
    config: TournamentConfig


class Registered(Struct, frozen=True, gc=False, tag_field="e", tag="registered"):
    """A player, or a bot of a level, registered."""

    at: int
    player: str
    name: str
    level: str = ""


class Withdrew(Struct, frozen=True, gc=False, tag_field="e", tag="withdrew"):
    """The registration of a player or a bot was withdrawn."""

    at: int
    player: str


class Reentered(Struct, frozen=True, gc=False, tag_field="e", tag="reentered"):
    """An eliminated player entered again with new chips."""

    at: int
    player: str


class TournamentStarted(Struct, frozen=True, gc=False, tag_field="e", tag="cup_started"):
    """Play begins; `draw`: the players in the order in which they get seats."""

    at: int
    draw: tuple[str, ...]


class TableLineup(Struct, frozen=True, gc=False):
    """A table's players by seat, empty for a free one."""

    table: int
    seats: tuple[str, ...]


class SeatsAssigned(Struct, frozen=True, gc=False, tag_field="e", tag="seats_given"):
    """The players of new tables and of tables between two matches were assigned.

    `broken` tables were broken up.

    A player of these tables who has no seat now waits for one.
    """

    at: int
    lineups: tuple[TableLineup, ...]
    broken: tuple[int, ...] = ()


class TableOrdered(Struct, frozen=True, gc=False, tag_field="e", tag="table_ordered"):
    """A table was ordered to play a match or, without chairs, to close."""

    at: int
    table: int
    order: MatchOrder


class MatchReported(Struct, frozen=True, gc=False, tag_field="e", tag="match_reported"):
    """A table's match is over; `deals`: how many the table has played in all."""

    at: int
    table: int
    order: int
    results: tuple[MatchResult, ...]
    deals: int


class LevelBegan(Struct, frozen=True, gc=False, tag_field="e", tag="level_began"):
    """The next level began; it applies from each table's next match on. `rest`: a break comes first."""

    at: int
    level: int
    rest: bool = False


class BreakBegan(Struct, frozen=True, gc=False, tag_field="e", tag="break_began"):
    """All tables take a break until `ends` (ms)."""

    at: int
    ends: int


class BreakEnded(Struct, frozen=True, gc=False, tag_field="e", tag="break_ended"):
    """Play goes on; the level's time begins now."""

    at: int


class ReentryClosed(Struct, frozen=True, gc=False, tag_field="e", tag="reentry_closed"):
    """The time in which these players could enter again after their match has ended."""

    at: int
    players: tuple[str, ...]


class DowntimeCompensated(Struct, frozen=True, gc=False, tag_field="e", tag="cup_resumed"):
    """The server was stopped for `downtime` ms, which does not count for a level or a break."""

    at: int
    downtime: int


class PauseStarted(Struct, frozen=True, gc=False, tag_field="e", tag="cup_paused"):
    """The tournament is paused: all its clocks stand still."""

    at: int


class PauseEnded(Struct, frozen=True, gc=False, tag_field="e", tag="cup_went_on"):
    """A pause of `lasted` ms is over, which does not count for a level or a break."""

    at: int
    lasted: int


class PlayerDisqualified(Struct, frozen=True, gc=False, tag_field="e", tag="player_barred"):
    """The host removed a player; their match in progress is played to its end."""

    at: int
    player: str


class PlayerRemoved(Struct, frozen=True, gc=False, tag_field="e", tag="player_removed"):
    """A player whom the host removed is out; their chips are out of play."""

    at: int
    player: str


class TournamentEnded(Struct, frozen=True, gc=False, tag_field="e", tag="cup_ended"):
    """The tournament is won."""

    at: int
    prizes: tuple[Prize, ...] = ()


class TournamentCancelled(Struct, frozen=True, gc=False, tag_field="e", tag="cup_cancelled"):
    """The tournament was cancelled before its start, or ended without a winner."""

    at: int


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
