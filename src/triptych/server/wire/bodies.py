"""The bodies of the HTTP interface, both ways. The client's types are generated from this file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, UnsetType

from triptych.board import Layout
from triptych.i18n.languages import Language
from triptych.rulesets.describe.chart import Chart
from triptych.rulesets.describe.sections import Section
from triptych.rulesets.describe.summary import SummaryPart
from triptych.rulesets.model import Ruleset
from triptych.scoring.sheet.types import ScoreSheet
from triptych.server.wire.localization import encode_json
from triptych.server.wire.messages import WireError
from triptych.table.state import StartedBy

PlayerName = Annotated[str, Meta(min_length=1, max_length=24)]
TableName = Annotated[str, Meta(min_length=1, max_length=40)]
TablePassword = Annotated[str, Meta(max_length=128)]
# A preset's name, or {"preset": name, "scoring.rows": "two_four", ...}: dotted keys and nested tables are the same.
RulesSpec = str | dict[str, Any]


class ErrorBody(Struct, frozen=True):
    """The body of every response that is not a success."""

    error: WireError


def error_body(error: WireError, language: Language = "en") -> bytes:
    """Return the body of a response that is not a success."""
    return encode_json(ErrorBody(error), language)


def limit_headers(error: WireError) -> dict[str, str]:
    """Return the headers of a response after a limit was reached: which one, and when to try again."""
    limit = error.limit
    if isinstance(limit, UnsetType):
        return {}
    return {"Retry-After": str(limit.seconds), "RateLimit": f'"{limit.key}";r=0;t={limit.seconds}'}


class Ok(Struct, frozen=True):
    """The request was done; there is nothing to return."""


class Me(Struct, frozen=True):
    """The browser's guest: an id, which is stored in a signed cookie, and a name."""

    player: str
    name: str


class Rename(Struct, frozen=True, forbid_unknown_fields=True):
    """Change the guest's name."""

    name: PlayerName


class PresetItem(Struct, frozen=True):
    """A preset in the lobby's list; `playable`: this server can deal it now."""

    preset: str
    title: str
    game: str
    summary: str
    seats_min: int
    seats_max: int
    buy_in_min: int
    buy_in_max: int
    playable: bool


class OptionItem(Struct, frozen=True):
    """An option of the rules: its dotted key, its type, and a description.

    `choices` is empty for numbers and texts; `value` is the option's value in the preset.
    """

    key: str
    kind: str
    choices: tuple[str, ...]
    value: Any
    text: str


class PresetDetail(Struct, frozen=True):
    """A preset in full: its rules as data, in words, and every option with its value."""

    preset: str
    title: str
    rules: Ruleset
    words: tuple[str, ...]
    options: tuple[OptionItem, ...]
    summary: tuple[SummaryPart, ...]


class CheckRules(Struct, frozen=True, forbid_unknown_fields=True):
    """Custom rules to check before a table is opened."""

    spec: RulesSpec


class RulesProblem(Struct, frozen=True):
    """A `warning` or an `error` about rules."""

    level: Literal["warning", "error"]
    code: str
    message: str
    path: str


class CheckedRules(Struct, frozen=True):
    """Resolved rules, in words, and their differences from the preset they extend."""

    rules: Ruleset
    words: tuple[str, ...]
    differences: tuple[str, ...]
    problems: tuple[RulesProblem, ...]


class LobbySeat(Struct, frozen=True):
    """An occupied seat in the lobby's list."""

    seat: int
    name: str
    bot: bool


class LobbyTable(Struct, frozen=True):
    """A table in the lobby's list; `seats` has null for a free seat; `watching`: the number of spectators.

    `mine`: you have a seat here or are the host; `turn`: the table waits for you. `changes`: how many options differ
    from the preset, null for rules without a preset. A `private` table is only in the lists of its own guests.
    """

    table: str
    name: str
    preset: str
    title: str
    seats: tuple[LobbySeat | None, ...]
    phase: str
    watching: int
    mine: bool
    turn: bool
    changes: int | None
    private: bool


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Open a table. `pause`: seconds between deals (absent: the server's own).

    `start`: the first match begins when the `host` starts it, or by itself (`full`) as soon as enough players sit.
    `private`: the lobby does not show it; only guests with the link find it. `like`: a closed table of which this is
    the rematch, with its rules and pause; all requests with the same table get the same rematch. `password`: guests
    have to give it, and the table is private. `arranging`: players may have their cards arranged; `hints`: players
    may request hints, which is announced to everybody.
    `sit`: you sit down in the first seat, ready to play; `bots`: the levels of the bots that sit down next to you;
    `buy_in`: the points of each (absent: the maximum that the rules allow). If no seat is left free, the first deal
    begins at once. With `like` and `sit`, you sit down, as do the bots of the last deal, and the first deal begins
    once all people of the last deal are back.
    """

    name: TableName
    rules: RulesSpec
    bots_allowed: bool = True
    pause: Annotated[int, Meta(ge=0, le=600)] | None = None
    start: StartedBy = "host"
    private: bool = False
    like: str = ""
    password: TablePassword = ""
    arranging: bool = False
    hints: bool = False
    sit: bool = False
    bots: Annotated[tuple[str, ...], Meta(max_length=4)] = ()
    buy_in: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None

    def __repr__(self) -> str:
        """Show no password."""
        return f"{type(self).__name__}({self.name!r})"


class ViewerItem(Struct, frozen=True):
    """A spectator of a table; `muted`: they may not chat there."""

    player: str
    name: str
    muted: bool


class TablePasswordBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A table's password: given by a guest, or chosen by the host (empty: none)."""

    password: TablePassword

    def __repr__(self) -> str:
        """Show nothing."""
        return f"{type(self).__name__}(??)"


class Arranged(Struct, frozen=True):
    """A hand with its best legal board; `layout` is null if declaring is better, then `natural` is true."""

    hand: int
    layout: Layout | None
    natural: bool


class TableLink(Struct, frozen=True):
    """A table that was opened, and the path of its page."""

    table: str
    link: str


class TableRules(Struct, frozen=True):
    """A table's rules in words, as a chart of hands, as TOML, and as differences from the preset they extend.

    `coming`: the rules chosen for the next match, as TOML; empty if none are.
    """

    preset: str
    title: str
    summary: tuple[SummaryPart, ...]
    sections: tuple[Section, ...]
    chart: Chart
    differences: tuple[str, ...]
    toml: str
    coming: str = ""


class DealRecord(Struct, frozen=True):
    """A finished deal of a table."""

    match: int
    sheet: ScoreSheet


class StrategyInfo(Struct, frozen=True):
    """The bots' strategy for a table's rules: the rules' `own`, otherwise that of the preset `like`."""

    own: bool
    like: str = ""


class LevelItem(Struct, frozen=True):
    """A level that a bot can play at."""

    level: str
    title: str
    note: str
