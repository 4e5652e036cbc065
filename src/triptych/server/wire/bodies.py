"""The bodies of the HTTP interface, both ways. The client's types are generated from this file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from triptych.board import Layout
from triptych.rulesets.describe.chart import Chart
from triptych.rulesets.describe.sections import Section
from triptych.rulesets.describe.summary import SummaryPart
from triptych.rulesets.model import Ruleset
from triptych.scoring.sheet.types import ScoreSheet
from triptych.server.wire.messages import WireError
from triptych.table.state import StartedBy

PlayerName = Annotated[str, Meta(min_length=1, max_length=24)]
TableName = Annotated[str, Meta(min_length=1, max_length=40)]
TablePassword = Annotated[str, Meta(max_length=128)]
# A preset's name, or {"preset": name, "scoring.rows": "two_four", ...}: dotted keys and nested tables are the same.
RulesSpec = str | dict[str, Any]


class ErrorBody(Struct, frozen=True):
    """Every answer that is not a success."""

    error: WireError


class Ok(Struct, frozen=True):
    """It is done; there is nothing to tell."""


class Me(Struct, frozen=True):
    """The browser's guest: an id that lives in a signed cookie, and a name."""

    player: str
    name: str


class Rename(Struct, frozen=True, forbid_unknown_fields=True):
    """Change the guest's name."""

    name: PlayerName


class PresetItem(Struct, frozen=True):
    """One preset in the lobby's list; `playable` tells whether this server can deal it now."""

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
    """One option of the rules: its dotted key, what it may be, and what it decides.

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
    """A house's rules to be looked at before a table is opened."""

    spec: RulesSpec


class RulesProblem(Struct, frozen=True):
    """Something odd (`warning`) or impossible (`error`) in a set of rules."""

    level: Literal["warning", "error"]
    code: str
    message: str
    path: str


class CheckedRules(Struct, frozen=True):
    """Rules resolved, in words, and how they differ from the preset they extend."""

    rules: Ruleset
    words: tuple[str, ...]
    differences: tuple[str, ...]
    problems: tuple[RulesProblem, ...]


class LobbySeat(Struct, frozen=True):
    """A taken seat, as the lobby shows it."""

    seat: int
    name: str
    bot: bool


class LobbyTable(Struct, frozen=True):
    """One table in the lobby's list; `seats` has null for a free seat, `watching` counts spectators.

    `mine`: the guest who asks has a seat here or is the host; `turn`: the table waits for them. `changes`: how many
    options differ from the preset, null for rules that are made from none. A `private` table is listed for those
    whose it is.
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

    `start`: the first match begins when the `host` says so, or by itself (`full`) as soon as enough players sit.
    `private`: only who has the link comes; the lobby does not show it. `like`: a closed table that is played once
    more, under its rules and with its pause; all who ask for the same one come to the same table. `password`: who
    comes has to know it, and the table is private. `arranging`: the house arranges cards for who asks;
    `hints`: players may ask for hints, and everybody is told who does.
    `sit`: who opens the table sits down in its first seat, ready to play; `bots`: the levels of the bots that sit
    down next to them; `buy_in`: the points that they all bring (absent: the most that the rules allow). With no seat
    left free, the first deal begins at once. With `like` and `sit`, each who asks sits down, as do the bots of the
    last deal, and the first deal begins once all people of the last one are back.
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
    """Somebody who watches a table without a seat; `muted`: they may not speak there."""

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
    """A hand as the house would arrange it; `layout` is null, and `natural` says why, where it would be declared."""

    hand: int
    layout: Layout | None
    natural: bool


class TableLink(Struct, frozen=True):
    """A table that was opened, and the path of its page."""

    table: str
    link: str


class TableRules(Struct, frozen=True):
    """A table's rules in words, as a chart of hands, as TOML, and against the preset they extend.

    `coming`: what is chosen for the next match, as TOML, empty where nothing is.
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
    """One finished deal of a table."""

    match: int
    sheet: ScoreSheet


class StrategyInfo(Struct, frozen=True):
    """What bots play a table's rules with: a strategy of their `own`, else that of the rules `like`."""

    own: bool
    like: str = ""


class LevelItem(Struct, frozen=True):
    """A level that a bot can play at."""

    level: str
    title: str
    note: str
