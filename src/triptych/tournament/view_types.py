"""The view of a tournament. Nothing in a tournament is secret: only `you` and `may` differ between viewers."""

from __future__ import annotations

from msgspec import Struct

from triptych.tournament.state import LevelKind, Phase, PrizeKind


class EntryView(Struct, frozen=True, gc=False):
    """A player; entries are sorted best first. `place`: by chips while they are in, later by elimination.

    `place` is final when they are `out` and nobody can enter any more. `table`: the number of their table, 0 while
    they wait for a seat; `prize`: what they have won in the end. `barred`: the host has removed them; a match in
    progress is played to its end. In a league, `mean`: points a round above others with the same cards, ± `reach`
    (95 %; None: too few rounds).
    """

    player: str
    name: str
    bot: bool
    chips: int
    place: int
    out: bool
    table: int
    entries: int
    prize: int
    barred: bool
    mean: float | None
    reach: float | None


class TournamentTableView(Struct, frozen=True, gc=False):
    """A table: its number, its id on the server, its players, and whether a match is in progress."""

    number: int
    table: str
    players: tuple[str, ...]
    playing: bool


class TournamentLevelView(Struct, frozen=True, gc=False):
    """The level, from 1. The next one begins at `next_at` (ms), or with levels of deals after `deals_left` more."""

    number: int
    chips: int
    next_chips: int | None
    next_at: int | None
    deals_left: int | None


class ViewerEntry(Struct, frozen=True, gc=False):
    """The viewer's entry: their id (empty: they do not take part), the id of their table (empty: none now).

    `place`, `out`: as in their entry; 0 before play begins.
    """

    player: str
    table: str
    place: int
    out: bool


class TournamentView(Struct, frozen=True, gc=False):
    """A tournament as a viewer may see it at version `v`; times in ms.

    `may`: the tags of the requests that the viewer may make now. `lets_in`: new players may enter. `prizes`: the
    payout of each place; `pool`: to which each entry adds `fee`, divided by the percentages `shares`; `left`: how
    many players are still in it; `average`: their mean chips. `rounds`: of a league, 0 for a tournament; `round`:
    the one in progress. `paused`: since when the host has paused every clock. `awaits`: only one player is left, but
    others can still enter. `private`: the lobby does not list it; `password`: registering requires one.
    """

    cup: str
    v: int
    name: str
    host: str
    title: str
    summary: str
    preset: str
    phase: Phase
    seats: int
    stack: int
    most: int
    least: int
    starts_at: int | None
    bots_allowed: bool
    levels: tuple[int, ...]
    level_kind: LevelKind
    level_length: int
    late: int
    reentries: int
    break_every: int
    break_minutes: int
    rounds: int
    round: int
    level: TournamentLevelView
    rest_due: bool
    rest_ends: int | None
    paused: int | None
    entries: tuple[EntryView, ...]
    tables: tuple[TournamentTableView, ...]
    left: int
    average: int
    lets_in: bool
    awaits: bool
    private: bool
    password: bool
    prize_kind: PrizeKind
    fee: int
    shares: tuple[int, ...]
    prizes: tuple[int, ...]
    pool: int
    started: int | None
    ended: int | None
    you: ViewerEntry
    may: tuple[str, ...]
