"""The bodies of tournaments."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from triptych.server.wire.bodies import RulesSpec, TableName, TablePassword
from triptych.tournament.state import LevelKind, Phase, PrizeKind

Number = Annotated[int, Meta(ge=0, le=1_000_000)]
Numbers = Annotated[tuple[Number, ...], Meta(max_length=512)]


class NewTournament(Struct, frozen=True, forbid_unknown_fields=True):
    """Announce a tournament; for the fields see TournamentConfig.

    `seats`: 0 for as many as the game has. `fill`: the level of the bots that fill the empty places at the start.
    `rounds`: of a duplicate league, which begins when it is full. `password`: for registering; the tournament is
    private too.
    """

    name: TableName
    rules: RulesSpec
    stack: Number
    levels: Numbers
    level_kind: LevelKind
    level_length: Annotated[int, Meta(ge=1, le=10_000)]
    most: Number
    least: Number = 2
    seats: Annotated[int, Meta(ge=0, le=4)] = 0
    starts_at: int | None = None
    bots_allowed: bool = True
    fill: Annotated[str, Meta(max_length=64)] = ""
    late: Number = 0
    reentries: Annotated[int, Meta(ge=0, le=100)] = 0
    break_every: Number = 0
    break_minutes: Annotated[int, Meta(ge=1, le=1_440)] = 5
    pause: Annotated[int, Meta(ge=0, le=600)] = 8
    prize_kind: PrizeKind = "none"
    prizes: Numbers = ()
    fee: Number = 0
    rounds: Number = 0
    private: bool = False
    password: TablePassword = ""

    def __repr__(self) -> str:
        """Show no password."""
        return f"{type(self).__name__}({self.name!r})"


class TournamentLink(Struct, frozen=True):
    """A tournament that was announced, and the path of its page."""

    cup: str
    link: str


class TournamentItem(Struct, frozen=True):
    """A tournament in the lobby's list.

    `left`: how many of its `players` are still in it; `mine`: it is the guest's. `winners`: all who share the first
    place once it is over; `winner`: the first of them.
    """

    cup: str
    name: str
    title: str
    phase: Phase
    players: int
    most: int
    left: int
    starts_at: int | None
    lets_in: bool
    mine: bool
    winner: str
    winners: tuple[str, ...]
