"""What a tournament's page shows. Nothing in a tournament is secret: only `you` and `may` differ."""

from __future__ import annotations

from msgspec import Struct

from triptych.tournament.state import LevelKind, Phase, PrizeKind


class EntryView(Struct, frozen=True, gc=False):
    """A player, the best first. `place`: by chips while they are in, final when they are `out` and nobody comes in.

    `table`: the number of their table, 0 while they wait for a seat; `prize`: what they have won in the end. In a
    `barred`: the host has taken them out; a match in which they are is played to its end. In a
    league `mean`: points a round better than the others made of the same cards, ± `reach` (95 %; None: too few).
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
    """A table: its number, its id among all tables of the house, its players, whether a match is on."""

    number: int
    table: str
    players: tuple[str, ...]
    playing: bool


class TournamentLevelView(Struct, frozen=True, gc=False):
    """The level, from 1. `next_at`: when the next one begins (ms); with levels by deals, after `deals_left` more."""

    number: int
    chips: int
    next_chips: int | None
    next_at: int | None
    deals_left: int | None


class ViewerEntry(Struct, frozen=True, gc=False):
    """The viewer in it: their id (empty: they do not take part), the id of their table (empty: none now).

    `place`, `out`: as in their entry; 0 before play begins.
    """

    player: str
    table: str
    place: int
    out: bool


class TournamentView(Struct, frozen=True, gc=False):
    """A tournament as a viewer may see it at version `v`; times in ms.

    `may`: the tags of what the viewer may ask of it now. `lets_in`: new players come in. `prizes`: what each place
    brings, of a pool to which each entry brings `fee` the percentages `shares`; `left`: who is still in it;
    `average`: chips, of those. `rounds`: of a league, 0 for a tournament; `round`: the one that is played. `paused`:
    since when the host lets every clock stand. `awaits`: one player is left, and it is not over before others can
    come in no more. `private`: the lobby does not list it; `password`: who registers has to know one.
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
