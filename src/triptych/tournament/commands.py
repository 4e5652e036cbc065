"""The commands of a tournament. JSON tag: `do`. The server adds the player (`Command`)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from triptych.table.tournament_orders import MatchResult


class RequestBase(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """The base of every request."""


class Register(RequestBase, frozen=True, tag="register"):
    """Register; also after the start, and again after elimination, if the tournament allows it.

    `password`: if the tournament has one; the server verifies it and never stores it.
    """

    password: Annotated[str, Meta(max_length=128)] = ""

    def __repr__(self) -> str:
        """Show no password."""
        return f"{type(self).__name__}(??)"


class Withdraw(RequestBase, frozen=True, tag="withdraw"):
    """Withdraw your registration, before the start."""


class AddBots(RequestBase, frozen=True, tag="add_bots"):
    """Host: register bots of a level."""

    level: str
    count: Annotated[int, Meta(ge=1, le=512)] = 1


class RemoveBots(RequestBase, frozen=True, tag="remove_bots"):
    """Host: remove all bots, before the start."""


class StartNow(RequestBase, frozen=True, tag="begin"):
    """Host: start now."""


class Cancel(RequestBase, frozen=True, tag="call_off"):
    """Host: cancel the tournament, or end it: matches in progress are played to their end."""


class PausePlay(RequestBase, frozen=True, tag="pause"):
    """Host: stop all clocks: those of the tables, of the level and of a break."""


class ResumePlay(RequestBase, frozen=True, tag="go_on"):
    """Host: end a pause."""


class RemovePlayer(RequestBase, frozen=True, tag="remove"):
    """Host: remove a player permanently, at once or when their match is over; their chips go out of play."""

    player: Annotated[str, Meta(max_length=64)]


class Tick(Struct, frozen=True, tag_field="do", tag="tick"):
    """System: time has passed; the tournament may start, a level or a break may end."""


class ReportMatch(Struct, frozen=True, tag_field="do", tag="reported"):
    """System: the results of a table's ordered match, and how many deals it has played; repeated: no effect."""

    table: int
    order: int
    results: tuple[MatchResult, ...]
    deals: int


class ReportDowntime(Struct, frozen=True, tag_field="do", tag="resumed"):
    """System: the server was stopped from `since` (ms, 0 = unknown) until now; levels and breaks are extended."""

    since: int


TournamentRequest = (
    Register | Withdraw | AddBots | RemoveBots | StartNow | Cancel | PausePlay | ResumePlay | RemovePlayer
)
SystemRequest = Tick | ReportMatch | ReportDowntime


class Command(Struct, frozen=True):
    """A request and the player who makes it, empty for the system; `name` as the server knows it."""

    player: str
    request: TournamentRequest | SystemRequest
    name: str = ""
