"""What can be asked of a tournament. JSON tag: `do`. The player who asks is added by the server (`Command`)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from triptych.table.tournament_orders import MatchResult


class RequestBase(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """The base of every request."""


class Register(RequestBase, frozen=True, tag="register"):
    """Take part; also later than the start, and again after going out, where the tournament lets people in.

    `password`: where the tournament has one; the server looks at it, and nothing here keeps it.
    """

    password: Annotated[str, Meta(max_length=128)] = ""

    def __repr__(self) -> str:
        """Show no password."""
        return f"{type(self).__name__}(??)"


class Withdraw(RequestBase, frozen=True, tag="withdraw"):
    """Take one's registration back, before the start."""


class AddBots(RequestBase, frozen=True, tag="add_bots"):
    """Host: let bots of a level take part."""

    level: str
    count: Annotated[int, Meta(ge=1, le=512)] = 1


class RemoveBots(RequestBase, frozen=True, tag="remove_bots"):
    """Host: let no bot take part, before the start."""


class StartNow(RequestBase, frozen=True, tag="begin"):
    """Host: start now."""


class Cancel(RequestBase, frozen=True, tag="call_off"):
    """Host: let the tournament not take place, or end it: matches that are on are played to their end."""


class PausePlay(RequestBase, frozen=True, tag="pause"):
    """Host: let all clocks stand, those of the tables, of the level and of a break."""


class ResumePlay(RequestBase, frozen=True, tag="go_on"):
    """Host: end a pause."""


class RemovePlayer(RequestBase, frozen=True, tag="remove"):
    """Host: take a player out for good, at once or when their match is over; their chips go out of play."""

    player: Annotated[str, Meta(max_length=64)]


class Tick(Struct, frozen=True, tag_field="do", tag="tick"):
    """System: time has passed; the tournament starts, a level or a break ends."""


class ReportMatch(Struct, frozen=True, tag_field="do", tag="reported"):
    """System: how the match of a table's order ended, and how many deals the table has played; again: nothing."""

    table: int
    order: int
    results: tuple[MatchResult, ...]
    deals: int


class ReportDowntime(Struct, frozen=True, tag_field="do", tag="resumed"):
    """System: the server was away from `since` (ms, 0 = unknown) till now; levels and breaks are that much longer."""

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
