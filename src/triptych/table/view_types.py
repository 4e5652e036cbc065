"""The view of a table: everything that one viewer may know, and that the client shows.

Times are milliseconds since the epoch on the server's clock; points are integers.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from triptych.board import Layout
from triptych.deal.view_types import DealView, Task
from triptych.scoring.sheet.types import ScoreSheet

TIMESTAMP: Final = {"unit": "ms since the epoch"}
Timestamp = Annotated[int, Meta(extra=TIMESTAMP)]


class RulesView(Struct, frozen=True, gc=False):
    """The rules in short, for the table's heading; the full text is at `/api/tables/{id}/rules`.

    `purse`: points are bought as `stacks`, kept in a ledger and settled at the end (`book`), or only counted
    (`count`). `bank`: the player with the button is the banker, against whom all others play. `clocked`: placing
    cards has a time limit.
    """

    preset: str
    title: str
    summary: str
    game: str
    seats_min: int
    seats_max: int
    buy_in_min: int
    buy_in_max: int
    stake_point: float
    stake_unit: str
    purse: Literal["stacks", "book", "count"] = "stacks"
    bank: bool = False
    clocked: bool = True


class SeatView(Struct, frozen=True, gc=False):
    """One seat. `player` is empty for a free seat; `level` is a bot's level. `stack` in points.

    `away`: its cards are placed at once, because its time ran out (until `sit_in`, or any action of the player), the
    player has left and is not connected, or the host has freed the seat.
    `fantasyland`: cards that this seat gets in the next deal (0 = none). `program`: a program plays for the player.
    `planned_buy_in`: points that a bust player adds when the match is over.
    """

    seat: int
    player: str = ""
    name: str = ""
    bot: bool = False
    level: str = ""
    stack: int = 0
    in_match: bool = False
    sitting_out: bool = False
    leaving: bool = False
    connected: bool = True
    away: bool = False
    ready: bool = False
    fantasyland: int = 0
    bank_ms: int = 0
    program: bool = False
    planned_buy_in: int = 0


class ClockView(Struct, frozen=True, gc=False):
    """A running clock: the street's time ends at `street_ends`, the bank's after it at `bank_ends` (ms)."""

    hand: int
    seat: int
    started: Timestamp
    street_ends: Timestamp
    bank_ends: Timestamp


class TurnView(Struct, frozen=True, gc=False):
    """A seat to act at a table without a clock; from `ends` (ms) on the others may request `place_for`."""

    seat: int
    ends: Timestamp


PremoveKind = Literal["", "arrange", "place", "play", "surrender"]


class PremoveView(Struct, frozen=True, gc=False):
    """A premove that the viewer may set: the coming task, and what they have set (`kept`), with its `layout`."""

    task: Task
    kept: PremoveKind = ""
    layout: Layout = Layout()


class ChatLineView(Struct, frozen=True, gc=False):
    """A line of table talk, or of the table itself (`who` empty).

    `seat` is None for the table and spectators.
    """

    at: Timestamp
    who: str
    text: str
    seat: int | None = None


class MatchView(Struct, frozen=True, gc=False):
    """Match number, the deal inside it (from 1), and a phrase such as 'a deal and its fantasylands'."""

    number: int
    deal: int
    kind: str
    text: str


class LevelView(Struct, frozen=True, gc=False):
    """A tournament's level, from 1: the chips for a point, now and in the next level (None in the last one).

    The next level begins with the table's deal number `next_deal`, or with the first deal after `next_at` (ms).
    """

    number: int
    chips: int
    next_chips: int | None = None
    next_deal: int | None = None
    next_at: Timestamp | None = None


class PlaceView(Struct, frozen=True, gc=False):
    """A player's place in a tournament, 1 for the winner; players who share a place have the same number."""

    player: str
    name: str
    place: int


class MoneyView(Struct, frozen=True, gc=False):
    """An amount of money; `unit` as in the rules, such as EUR."""

    amount: float
    unit: str


class AccountView(Struct, frozen=True, gc=False):
    """A player's account: the points bought in for in all, and won or lost so far.

    `money`: the points won or lost in money, each deal at the price that it was played for, an amount for each unit;
    empty if points had no price.
    """

    player: str
    name: str
    brought: int
    points: int
    money: tuple[MoneyView, ...] = ()


class DebtView(Struct, frozen=True, gc=False):
    """One of the fewest payments that would settle the session now, from one player to another, by id."""

    payer: str
    payee: str
    amount: float
    unit: str = "point"


class StakeView(Struct, frozen=True, gc=False):
    """A pair's stake, by which points are multiplied.

    `offered_by`: the seat that offered it, None once agreed. `next_deal`: it is agreed, but the deal in progress is
    still played for another stake.
    """

    a: int
    b: int
    stake: int
    offered_by: int | None = None
    next_deal: bool = False


class ChainView(Struct, frozen=True, gc=False):
    """A seat's hash chain: its head (hex), the first commitment it counts for.

    `given`: this one has its link.
    """

    seat: int
    head: str
    since: int
    given: bool = False


class FairView(Struct, frozen=True, gc=False):
    """The next deal's decks: the commitment (hex) and its number, empty without one (docs: fairness).

    `dealt`: the number of the commitment of the deal on the table, 0 for none; `dropped`: how many commitments of
    this table were never dealt.
    """

    number: int = 0
    commitment: str = ""
    chains: tuple[ChainView, ...] = ()
    dealt: int = 0
    dropped: int = 0


class TableView(Struct, frozen=True, gc=False):
    """Everything a viewer may know of a table at version `v`.

    `you` is the viewer's seat, None for a spectator; `may` lists the tags of the requests that the viewer may make
    now besides the deal's tasks ("sit", "leave", "ready", …).
    `prompt`: the line that says what is expected; `yours`: it is expected of the viewer. `host`: the player with the
    host's rights now. `begun`: the first match has begun or may begin. `paused`: since when every clock stands still
    (ms). `closing`: this match is the last. `coming`: the rules from the next match on, if they were changed.
    `password`: the table has a password. `arranging`: players may have their cards arranged; `hints`: players may
    request hints. `cup`: the tournament whose table this is.
    `guided`: the viewer may ask the guide, since everybody else at the table is a bot. `ahead`: the premoves that the
    viewer may set; `dropped`: a premove could not be done in this deal.
    `turns`: the seats to act at a table without a clock. `owner`: the player who owns the table; while they are away,
    `host` replaces them. `fair`: the decks that are committed before they are dealt.
    """

    table: str
    v: int
    name: str
    host: str
    rules: RulesView
    phase: Literal["waiting", "playing", "showdown", "closed"]
    seats: tuple[SeatView, ...]
    you: int | None
    may: tuple[str, ...]
    button: int | None
    match: MatchView | None
    deal: DealView | None
    sheet: ScoreSheet | None
    clocks: tuple[ClockView, ...]
    next_at: Timestamp | None
    prompt: str
    yours: bool
    stakes: tuple[StakeView, ...]
    talk: tuple[ChatLineView, ...]
    level: LevelView | None = None
    places: tuple[PlaceView, ...] = ()
    accounts: tuple[AccountView, ...] = ()
    debts: tuple[DebtView, ...] = ()
    begun: bool = True
    paused: Timestamp | None = None
    locked: bool = False
    private: bool = False
    closing: bool = False
    coming: str = ""
    password: bool = False
    arranging: bool = False
    hints: bool = False
    cup: str = ""
    guided: bool = False
    ahead: tuple[PremoveView, ...] = ()
    dropped: bool = False
    turns: tuple[TurnView, ...] = ()
    owner: str = ""
    fair: FairView = FairView()
