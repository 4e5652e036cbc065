"""A tournament over several tables: its players and their seats, its levels and the eliminated players."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from triptych.rulesets.model import Ruleset
from triptych.table.commands import MatchOrder

Phase = Literal["open", "running", "over", "cancelled"]
LevelKind = Literal["minutes", "deals"]
PrizeKind = Literal["none", "points", "shares"]
MINUTE = 60_000
# The minimum time that an eliminated player has to decide on a re-entry.
REENTRY_MS = MINUTE


class TournamentConfig(Struct, frozen=True):
    """The settings of a tournament. `host`: the player who opened it; `rules`: those of its tables.

    `seats`: at a table; `stack`: everybody's chips at the start; `levels`: the chips that a point is worth in each
    level, which lasts `level_length` minutes or deals of a table. `most`, `least`: number of players; with
    `starts_at` (ms) it begins then, without as soon as it is full. `fill`: the level of the bots that fill the empty
    places at the start. `late`: in how many levels players may still register; `reentries`: how often a player who
    was eliminated in these levels may enter again. After every `break_every` levels there is a break of
    `break_minutes`. `pause`: seconds between two matches of a table. `prizes` by place: points, or percentages of the
    pool, to which each entry adds `fee`. `rounds`: of a duplicate league (league.py), in which nobody is eliminated;
    0 for an elimination tournament. `private`: the lobby does not list it; `password`: the hash of the password for
    registering.
    """

    cup: str
    name: str
    host: str
    rules: Ruleset
    seats: int
    stack: int
    levels: tuple[int, ...]
    level_kind: LevelKind
    level_length: int
    most: int
    least: int = 2
    starts_at: int | None = None
    bots_allowed: bool = True
    fill: str = ""
    late: int = 0
    reentries: int = 0
    break_every: int = 0
    break_minutes: int = 5
    pause: int = 8
    prize_kind: PrizeKind = "none"
    prizes: tuple[int, ...] = ()
    fee: int = 0
    rounds: int = 0
    private: bool = False
    password: str = ""


class RoundResult(Struct, frozen=True, gc=False):
    """A player's points in a round of a league (from 1), and their seat."""

    number: int
    player: str
    seat: int
    points: int


class Entry(Struct, frozen=True, gc=False):
    """A player of the tournament.

    `table`: 0 while the player waits for a seat, or is out; `seat`: at that table. `entries`: 1 plus the number of
    re-entries; `moves`: how often they were moved to another table. `since`: since when they wait for a seat (ms).
    `bank_ms`, `absent`, `sitting_out`: as after their last match. `disqualified`: the host has removed them; they are
    out when their match is over. `reentry_until`: until when they may enter again (ms) even if the levels for it are
    over, or None.
    """

    player: str
    name: str
    bot: bool = False
    level: str = ""
    chips: int = 0
    table: int = 0
    seat: int = 0
    since: int = 0
    entries: int = 1
    moves: int = 0
    out: bool = False
    bank_ms: int | None = None
    absent: bool = False
    sitting_out: bool = False
    disqualified: bool = False
    reentry_until: int | None = None


class TournamentTable(Struct, frozen=True, gc=False):
    """A table of the tournament.

    `seats`: its players by seat, empty for a free one. `order`: the last order, None before the first. `playing`: the
    result of the last order is not reported yet. `deals`: how many deals the table has played in this level, in
    matches that began in it; `played`: in all. `reported`: the last order with a reported result; `outs`: the players
    eliminated in its match.
    """

    number: int
    seats: tuple[str, ...]
    order: MatchOrder | None = None
    playing: bool = False
    deals: int = 0
    played: int = 0
    closed: bool = False
    reported: int = 0
    outs: tuple[str, ...] = ()

    @property
    def players(self) -> tuple[str, ...]:
        """Return the players who sit here, in the order of the seats."""
        return tuple(player for player in self.seats if player)


class Prize(Struct, frozen=True, gc=False):
    """A player's prize: points, or their share of the pool."""

    player: str
    amount: int


class TournamentState(Struct, frozen=True, gc=False):
    """A whole tournament after `version` events.

    `level`: from 0, since `level_since` (ms); `eliminated`: the players who are out, in order; players of one group
    share their place. `break_due`: a break begins when all tables have ended their matches; `break_ends`: when it is
    over. `started`, `ended`: ms. `results`: of a league. `paused`: since when the host has paused all clocks (ms).
    """

    config: TournamentConfig
    version: int
    at: int
    phase: Phase = "open"
    entries: tuple[Entry, ...] = ()
    tables: tuple[TournamentTable, ...] = ()
    eliminated: tuple[tuple[str, ...], ...] = ()
    level: int = 0
    level_since: int = 0
    break_due: bool = False
    break_ends: int | None = None
    started: int | None = None
    ended: int | None = None
    prizes: tuple[Prize, ...] = ()
    results: tuple[RoundResult, ...] = ()
    paused: int | None = None


def round_stack(config: TournamentConfig) -> int:
    """Return everybody's stack at the start of a league's round: 0 if points are kept in a ledger."""
    return 0 if config.rules.settlement.credit else config.stack


def entry_of(state: TournamentState, player: str) -> Entry | None:
    """Return a player's entry, or None if they have not registered."""
    return next((entry for entry in state.entries if entry.player == player), None)


def remaining(state: TournamentState) -> tuple[Entry, ...]:
    """Return the entries of players who are not out, in order of registration."""
    return tuple(entry for entry in state.entries if not entry.out)


def waiting_for_seat(state: TournamentState) -> tuple[Entry, ...]:
    """Return the entries of remaining players without a seat, the longest waiting first."""
    return tuple(sorted((entry for entry in remaining(state) if not entry.table), key=lambda entry: entry.since))


def open_tables(state: TournamentState) -> tuple[TournamentTable, ...]:
    """Return the tables that are not broken up."""
    return tuple(table for table in state.tables if not table.closed)


def table_id(state: TournamentState, number: int) -> str:
    """Return the id of a table of the tournament among all tables of the server."""
    return f"{state.config.cup}-{number}"


def with_entry(state: TournamentState, player: str, **changes: object) -> TournamentState:
    """Return the tournament with some fields of one entry changed."""
    entries = tuple(replace(entry, **changes) if entry.player == player else entry for entry in state.entries)
    return replace(state, entries=entries)


def with_table(state: TournamentState, number: int, **changes: object) -> TournamentState:
    """Return the tournament with some fields of one table changed."""
    tables = tuple(replace(table, **changes) if table.number == number else table for table in state.tables)
    return replace(state, tables=tables)
