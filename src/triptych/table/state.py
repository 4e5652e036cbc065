"""A table: its seats, its match, the deal in progress and the clocks.

Everything else follows from these.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from triptych.deal.actions import Announce, Arrange
from triptych.deal.actions import Place as PlaceCards
from triptych.deal.state import DealState
from triptych.i18n.stored import restore_text
from triptych.redacted import RedactedStruct
from triptych.rulesets.model import Ruleset
from triptych.scoring.money import PointPrice
from triptych.scoring.sheet.types import ScoreSheet
from triptych.table.commitment_state import NO_COMMITMENT, CommitmentState

Phase = Literal["waiting", "playing", "showdown", "closed"]
StartedBy = Literal["full", "host"]


class TableConfig(Struct, frozen=True):
    """A table's id and name, its host (a player id), its rules and the pause between deals in seconds.

    `levels`: the bot levels that may be seated; empty: the server has verified the level already.
    `start`: with `host`, the first match begins when the host starts it, or when all seats are taken and ready; with
    `full`, by itself as soon as enough players sit. `private`: only people with the link find it; the lobby does not
    show the table. `again`: the table of which this is the rematch. `arranging`: players may have their cards
    arranged; `hints`: players may request hints. `cup`: the tournament over several tables that seats the players
    here and orders the matches (table/tournament_orders.py); such a table has no host. `duplicate`: all tables of
    its league play the same decks.
    """

    table: str
    name: str
    host: str
    rules: Ruleset
    bots_allowed: bool = True
    pause: int = 8
    levels: tuple[str, ...] = ()
    start: StartedBy = "full"
    private: bool = False
    again: str = ""
    arranging: bool = False
    hints: bool = False
    cup: str = ""
    duplicate: bool = False


class TournamentLevel(Struct, frozen=True, gc=False):
    """A level of a tournament over several tables, from 1: the price of a point in chips, now and next.

    `next_chips`: None in the last level; `next_at`: when the next level begins (ms), None if levels are counted in
    deals; `length`: how many deals a table plays in it, 0 if levels are timed.
    """

    number: int
    chips: int
    next_chips: int | None = None
    next_at: int | None = None
    length: int = 0


class Seat(Struct, frozen=True, gc=False):
    """One seat; `player` is empty while it is free. Points and milliseconds.

    `since`: the version at which the player sat down; private events before it are not shown to them.
    `buy_in`: the buy-in that a bot repeats when it is bust. `unseated`: the host frees the seat after the match.
    `late`: its time ran out, and the player has not acted since; `absent`: the table no longer waits for the player,
    until they act. `gone`: the player has asked to leave and is not connected. `fantasyland`, `in_row`: its
    fantasyland of the next deal. `deal_ms`: the rest of the deal's own time where the clock is `per_deal`.
    `brought`: its stack before each deal of the hand (a deal and the fantasylands that follow it), the last deal
    first. `planned_buy_in`: the points that a bust player adds when the match is over. `program`: a program plays
    for the player.
    """

    seat: int
    player: str = ""
    name: str = ""
    since: int = 0
    bot: bool = False
    level: str = ""
    stack: int = 0
    buy_in: int = 0
    sitting_out: bool = False
    leaving: bool = False
    unseated: bool = False
    connected: bool = True
    ready: bool = False
    late: bool = False
    absent: bool = False
    gone: bool = False
    fantasyland: int = 0
    in_row: int = 0
    bank_ms: int = 0
    deal_ms: int = 0
    brought: tuple[int, ...] = ()
    planned_buy_in: int = 0
    program: bool = False

    @property
    def person(self) -> bool:
        """Return whether a person sits here."""
        return bool(self.player) and not self.bot


class Clock(Struct, frozen=True, gc=False):
    """A seat's running clock, for the hands that are to act (ms since the epoch)."""

    seat: int
    hands: tuple[int, ...]
    started: int
    street_ends: int
    bank_ends: int


class Turn(Struct, frozen=True, gc=False):
    """A seat that is to act at a table without a clock, and has not acted since `since` (ms)."""

    seat: int
    since: int


class Match(Struct, frozen=True, gc=False):
    """A match: its seats in clockwise order, their points and payments in it, its deals so far.

    `points` count towards a match of `points:n`, before stakes and caps; `paid`: the points that deals added to the
    stacks.
    `rounds`: deals without a fantasyland; `first`: the seat that had the button in its first deal; `round_done`: the
    button has reached or passed that seat again; `last`: the seats of its last deal; `cut_short`: it ends with the
    pending fantasylands.
    """

    number: int
    seats: tuple[int, ...]
    points: tuple[int, ...]
    paid: tuple[int, ...]
    deals: int = 0
    rounds: int = 0
    first: int | None = None
    round_done: bool = False
    last: tuple[int, ...] = ()
    cut_short: bool = False


class Stake(Struct, frozen=True, gc=False):
    """A pair's own stake (`a < b`); `offered_by` is None once both agreed."""

    a: int
    b: int
    stake: int
    offered_by: int | None = None


class ChatLine(Struct, frozen=True, gc=False):
    """A line of talk; `player` and `name` are empty in the table's own lines, `seat` in those and spectators'."""

    at: int
    player: str
    name: str
    text: str
    seat: int | None = None

    def __post_init__(self) -> None:
        if not self.player:
            force_setattr(self, "text", restore_text(self.text))


class Winnings(Struct, frozen=True, gc=False):
    """The points that a player has won (negative: lost) while a point had one price."""

    price: PointPrice
    points: int


class Account(Struct, frozen=True, gc=False):
    """The points that a player has bought in for and left with; `played`: they played a deal.

    `winnings`: the points paid by deals and matches, by the price that a point had.
    """

    player: str
    name: str = ""
    brought: int = 0
    taken: int = 0
    played: bool = False
    winnings: tuple[Winnings, ...] = ()


class LastPlayer(Struct, frozen=True, gc=False):
    """A player of the last deal; `level` is empty for a person."""

    player: str
    level: str = ""


class Place(Struct, frozen=True, gc=False):
    """The place of a player in a tournament, 1 for the winner; players who share a place have the same number."""

    player: str
    name: str
    place: int


class NextRules(Struct, frozen=True):
    """Rules and pause (seconds) that the host chose for the next match."""

    rules: Ruleset
    pause: int


class RecentRequest(Struct, frozen=True, gc=False):
    """The time (ms) of a player's request that is not an action in a deal."""

    at: int
    player: str


class Premove(RedactedStruct, frozen=True):
    """An action set before the turn: the hand does it as soon as it is to act."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"action"})
    hand: int
    action: Arrange | PlaceCards | Announce


class TableState(Struct, frozen=True, gc=False):
    """A whole table after `version` events.

    `at`: the time of the last event. `next_at`: when the next deal begins or, if `held` because nobody is there, when
    the match ends. `deal`: the deal in progress or, if `settled`, the last one. `host_here`: the owner is connected,
    seated or not. `verdict`: how the last match ended, until the next deal. `stakes`: the pairs' stakes, agreed or
    offered; `deal_stakes`: those agreed when the deal began, which it is played for. `started`: when the first deal
    began, moved by downtime; `level`: the tournament's level, from 0; `places`: the players who are out of the
    tournament, in order of elimination. `bank_resets`: how often the time banks were refilled. `recent_requests`: for
    rate limits. `owner`: the person to whom the first host handed over. `begun`: the first match may begin.
    `paused`: since when every clock stands still (ms). `banned`: players who may not sit down again. `muted`:
    spectators who may not chat; `removed`: players who may not watch. `delayed_seats`: the seats that asked for a
    minute more before the next deal. `next_rules`: the rules from the next match on. `password`: the hash of the
    password (empty: none); `admitted`: the players who have given it. `arranging`, `hints`: the host's current
    settings. `order`, `cup_level`: at a tournament's table, the number of the last order that was executed, and its
    level; there, `begun` is about the one match that was ordered, and `places` about the players eliminated in it.
    `cup_places`: their places in the whole tournament, of the match of the order `cup_places_order`. `turns`: at a
    table without a clock, the seats to act. `premoves`: actions set before their turn; `dropped`: the seats whose
    premove could not be done in this deal. `fair`: the decks that are committed. `last_players`: the players of the
    last deal, for a rematch.
    """

    config: TableConfig
    version: int
    at: int
    seats: tuple[Seat, ...]
    button: int | None = None
    matches: int = 0
    match: Match | None = None
    deals: int = 0
    deal: DealState | None = None
    settled: bool = True
    sheet: ScoreSheet | None = None
    sheet_match: int = 0
    clocks: tuple[Clock, ...] = ()
    turns: tuple[Turn, ...] = ()
    next_at: int | None = None
    held: bool = False
    stakes: tuple[Stake, ...] = ()
    deal_stakes: tuple[Stake, ...] = ()
    talk: tuple[ChatLine, ...] = ()
    host_here: bool = True
    verdict: str = ""
    started: int | None = None
    level: int = 0
    bank_resets: int = 0
    places: tuple[Place, ...] = ()
    recent_requests: tuple[RecentRequest, ...] = ()
    accounts: tuple[Account, ...] = ()
    closing: bool = False
    closed: bool = False
    owner: str = ""
    begun: bool = True
    paused: int | None = None
    locked: bool = False
    banned: tuple[str, ...] = ()
    muted: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    delayed_seats: tuple[int, ...] = ()
    next_rules: NextRules | None = None
    password: str = ""
    admitted: tuple[str, ...] = ()
    arranging: bool = False
    hints: bool = False
    order: int = 0
    cup_level: TournamentLevel | None = None
    cup_places: tuple[Place, ...] = ()
    cup_places_order: int = 0
    premoves: tuple[Premove, ...] = ()
    dropped: tuple[int, ...] = ()
    fair: CommitmentState = NO_COMMITMENT
    last_players: tuple[LastPlayer, ...] = ()


def phase(state: TableState) -> Phase:
    """Return the phase of the table."""
    if state.closed:
        return "closed"
    if not state.settled:
        return "playing"
    return "showdown" if state.deal is not None and state.next_at is not None else "waiting"


def is_sealed(state: TableState) -> bool:
    """Return whether other tables of its duplicate league may still play the same cards.

    Until the league is over only the players of such a table may see it (table/access.py).
    """
    return state.config.duplicate and not state.closed


def reveals_all(state: TableState) -> bool:
    """Return whether every card is shown after a match."""
    return state.config.rules.match.show_all and not is_sealed(state)


def other_names(state: TableState, player: str) -> list[str]:
    """Return the names of all other seated players."""
    return [seat.name for seat in state.seats if seat.player and seat.player != player]


def seat_of(state: TableState, player: str) -> Seat | None:
    """Return the seat of a player, None for a spectator."""
    if player:
        for seat in state.seats:
            if seat.player == player:
                return seat
    return None


def in_match(state: TableState, seat: int) -> bool:
    """Return whether a seat takes part in the match in progress."""
    return state.match is not None and seat in state.match.seats


def without_seat(match: Match, seat: int) -> Match:
    """Return a match that goes on without a seat."""
    remaining = [index for index, number in enumerate(match.seats) if number != seat]
    return replace(
        match,
        seats=tuple([match.seats[index] for index in remaining]),
        points=tuple([match.points[index] for index in remaining]),
        paid=tuple([match.paid[index] for index in remaining]),
        last=tuple([number for number in match.last if number != seat]),
    )


def with_seat(state: TableState, seat: int, **changes: object) -> TableState:
    """Return the table with some fields of one seat changed."""
    seats = state.seats
    changed = replace(seats[seat], **changes)
    return replace(state, seats=(*seats[:seat], changed, *seats[seat + 1 :]))
