"""What has happened in a tournament: past tense, plain data, everything public. JSON tag: `e`; `at` in ms."""

from __future__ import annotations

from msgspec import Struct

from triptych.table.commands import Order
from triptych.table.tournament_orders import Result
from triptych.tournament.state import CupConfig, Prize


class CupOpened(Struct, frozen=True, gc=False, tag_field="e", tag="cup_opened"):
    """A tournament was announced; its rules stay."""

    at: int
    config: CupConfig


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


class CupStarted(Struct, frozen=True, gc=False, tag_field="e", tag="cup_started"):
    """Play begins; `draw`: the players in the order in which seats are given out."""

    at: int
    draw: tuple[str, ...]


class Lineup(Struct, frozen=True, gc=False):
    """A table's players by seat, empty for a free one."""

    table: int
    seats: tuple[str, ...]


class SeatsGiven(Struct, frozen=True, gc=False, tag_field="e", tag="seats_given"):
    """Tables between two matches have other players; tables that are new begin so, `broken` ones are no more.

    Who sat at one of them and sits at none now waits for a seat.
    """

    at: int
    lineups: tuple[Lineup, ...]
    broken: tuple[int, ...] = ()


class TableOrdered(Struct, frozen=True, gc=False, tag_field="e", tag="table_ordered"):
    """A table is to play a match, or, without chairs, to close."""

    at: int
    table: int
    order: Order


class MatchReported(Struct, frozen=True, gc=False, tag_field="e", tag="match_reported"):
    """A table's match is over; `deals`: how many the table has played in all."""

    at: int
    table: int
    order: int
    results: tuple[Result, ...]
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


class CupResumed(Struct, frozen=True, gc=False, tag_field="e", tag="cup_resumed"):
    """The server was away for `downtime` ms, which is no part of a level or a break."""

    at: int
    downtime: int


class CupPaused(Struct, frozen=True, gc=False, tag_field="e", tag="cup_paused"):
    """Every clock of the tournament stands."""

    at: int


class CupWentOn(Struct, frozen=True, gc=False, tag_field="e", tag="cup_went_on"):
    """A pause of `lasted` ms is over, which is no part of a level or a break."""

    at: int
    lasted: int


class PlayerBarred(Struct, frozen=True, gc=False, tag_field="e", tag="player_barred"):
    """The host wants a player in it no more; a match in which they are is played to its end."""

    at: int
    player: str


class PlayerRemoved(Struct, frozen=True, gc=False, tag_field="e", tag="player_removed"):
    """A player whom the host wants no more is out; their chips are out of play."""

    at: int
    player: str


class CupEnded(Struct, frozen=True, gc=False, tag_field="e", tag="cup_ended"):
    """The tournament is won."""

    at: int
    prizes: tuple[Prize, ...] = ()


class CupCancelled(Struct, frozen=True, gc=False, tag_field="e", tag="cup_cancelled"):
    """The tournament does not take place."""

    at: int


CupEvent = (
    CupOpened
    | Registered
    | Withdrew
    | Reentered
    | CupStarted
    | SeatsGiven
    | TableOrdered
    | MatchReported
    | LevelBegan
    | BreakBegan
    | BreakEnded
    | ReentryClosed
    | CupResumed
    | CupPaused
    | CupWentOn
    | PlayerBarred
    | PlayerRemoved
    | CupEnded
    | CupCancelled
)
