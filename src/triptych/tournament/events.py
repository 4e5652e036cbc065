"""What has happened in a tournament: past tense, plain data, everything public. JSON tag: `e`; `at` in ms."""

from __future__ import annotations

from msgspec import Struct

from triptych.table.commands import MatchOrder
from triptych.table.tournament_orders import MatchResult
from triptych.tournament.state import Prize, TournamentConfig


class TournamentAnnounced(Struct, frozen=True, gc=False, tag_field="e", tag="cup_opened"):
    """A tournament was announced; its rules stay."""

    at: int
    config: TournamentConfig


class Registered(Struct, frozen=True, gc=False, tag_field="e", tag="registered"):
    """A player, or a bot of a level, takes part."""

    at: int
    player: str
    name: str
    level: str = ""


class Withdrew(Struct, frozen=True, gc=False, tag_field="e", tag="withdrew"):
    """A player, or a bot, does not take part after all."""

    at: int
    player: str


class Reentered(Struct, frozen=True, gc=False, tag_field="e", tag="reentered"):
    """A player who was out came back with new chips."""

    at: int
    player: str


class TournamentStarted(Struct, frozen=True, gc=False, tag_field="e", tag="cup_started"):
    """Play begins; `draw`: the players in the order in which seats are given out."""

    at: int
    draw: tuple[str, ...]


class TableLineup(Struct, frozen=True, gc=False):
    """A table's players by seat, empty for a free one."""

    table: int
    seats: tuple[str, ...]


class SeatsAssigned(Struct, frozen=True, gc=False, tag_field="e", tag="seats_given"):
    """Tables between two matches have other players; tables that are new begin so, `broken` ones are no more.

    Who sat at one of them and sits at none now waits for a seat.
    """

    at: int
    lineups: tuple[TableLineup, ...]
    broken: tuple[int, ...] = ()


class TableOrdered(Struct, frozen=True, gc=False, tag_field="e", tag="table_ordered"):
    """A table is to play a match, or, without chairs, to close."""

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
    """Another level holds from each table's next match on; `rest`: a break comes first."""

    at: int
    level: int
    rest: bool = False


class BreakBegan(Struct, frozen=True, gc=False, tag_field="e", tag="break_began"):
    """All tables rest until `ends` (ms)."""

    at: int
    ends: int


class BreakEnded(Struct, frozen=True, gc=False, tag_field="e", tag="break_ended"):
    """Play goes on; the level's time begins now."""

    at: int


class ReentryClosed(Struct, frozen=True, gc=False, tag_field="e", tag="reentry_closed"):
    """The time in which these players could come in again after their match has ended."""

    at: int
    players: tuple[str, ...]


class DowntimeCompensated(Struct, frozen=True, gc=False, tag_field="e", tag="cup_resumed"):
    """The server was away for `downtime` ms, which is no part of a level or a break."""

    at: int
    downtime: int


class PauseStarted(Struct, frozen=True, gc=False, tag_field="e", tag="cup_paused"):
    """Every clock of the tournament stands."""

    at: int


class PauseEnded(Struct, frozen=True, gc=False, tag_field="e", tag="cup_went_on"):
    """A pause of `lasted` ms is over, which is no part of a level or a break."""

    at: int
    lasted: int


class PlayerDisqualified(Struct, frozen=True, gc=False, tag_field="e", tag="player_barred"):
    """The host wants a player in it no more; a match in which they are is played to its end."""

    at: int
    player: str


class PlayerRemoved(Struct, frozen=True, gc=False, tag_field="e", tag="player_removed"):
    """A player whom the host wants no more is out; their chips are out of play."""

    at: int
    player: str


class TournamentEnded(Struct, frozen=True, gc=False, tag_field="e", tag="cup_ended"):
    """The tournament is won."""

    at: int
    prizes: tuple[Prize, ...] = ()


class TournamentCancelled(Struct, frozen=True, gc=False, tag_field="e", tag="cup_cancelled"):
    """The tournament does not take place, or ends without a winner."""

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
