"""A table: its seats, its match, the deal in progress and the clocks. Everything else follows from these."""

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

    `levels`: the bot levels that the house has; empty means that the server has looked at the level already.
    `start`: the first match begins when the `host` says so, or all seats are taken and ready; or by itself (`full`)
    as soon as enough players sit. `private`: who has the link comes in; the lobby does not show the table.
    `again`: the table that is played once more here. `arranging`: the house arranges cards for who asks; `hints`:
    players may ask for hints. `cup`: the tournament over several tables that seats the players here and says when a
    match is played, by its orders (table/tournament_orders.py); such a table has no host. `duplicate`: its decks are
    those of all tables of its league.
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
    """A level of a tournament over several tables, from 1: what a point is worth in chips, now and next.

    `next_chips`: None in the last one; `next_at`: when the next one begins (ms), None when that goes by deals;
    `length`: how many deals a table plays in it, 0 when that goes by time.
    """

    number: int
    chips: int
    next_chips: int | None = None
    next_at: int | None = None
    length: int = 0


class Seat(Struct, frozen=True, gc=False):
    """One seat; `player` is empty while it is free. Points and milliseconds.

    `since`: the version at which the player sat down, so that a newcomer is not told what the seat saw before.
    `buy_in`: what a bot brings again when it is bust. `unseated`: the host wants the seat back after the match.
    `late`: its time ran out, and the player has done nothing since; `absent`: nobody waits for the player any more
    until they do something. `gone`: the player has left and is not connected. `fantasyland`, `in_row`: its
    fantasyland of the next deal. `deal_ms`: what is left of the deal's own time where the clock is `per_deal`.
    `brought`: its stack before each deal of the hand, a deal and the fantasylands that follow it, the last deal
    first. `planned_buy_in`: what a player who is bust brings when the match is over. `program`: a program plays for
    the player.
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
    """A seat's running clock, for the hands from which something is awaited (ms since the epoch)."""

    seat: int
    hands: tuple[int, ...]
    started: int
    street_ends: int
    bank_ends: int


class Turn(Struct, frozen=True, gc=False):
    """A seat from which something is awaited at a table without a clock; it has done nothing since `since` (ms)."""

    seat: int
    since: int


class Match(Struct, frozen=True, gc=False):
    """A match: its seats in clockwise order, their points in it and what they were paid, its deals so far.

    `points` count towards a match of `points:n`, before stakes and caps; `paid` is what deals added to the stacks.
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
    """A line of talk; `player` and `name` are empty when the table speaks, `seat` is None for it and a spectator."""

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
    """What a player has brought to the table, and taken away from it, in points; whether they played a deal.

    `winnings`: what deals and matches have paid, by the price that a point had.
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
    """When a player asked for something that is no move in a deal (ms)."""

    at: int
    player: str


class Premove(RedactedStruct, frozen=True):
    """A move that a hand makes as soon as it is asked for."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"action"})
    hand: int
    action: Arrange | PlaceCards | Announce


class TableState(Struct, frozen=True, gc=False):
    """A whole table after `version` events.

    `at`: when something last happened. `next_at`: when the next deal begins, or, `held` because nobody is there, when
    the match ends. `deal` is the deal in progress, or the last one until the next begins; `settled` tells which.
    `host_here`: the host is at the table, seated or not. `verdict`: how the last match ended, until the next deal.
    `stakes`: what pairs have agreed or offered; `deal_stakes`: what they had agreed when the deal began, which it is
    played for. `started`: when the first deal began, moved by downtime; `level`: the tournament's level, from 0;
    `places`: who is out of the tournament, the first one out first. `bank_resets`: how often the banks were filled.
    `asked`: the recent requests, so that nobody floods the table. `owner`: the person to whom the first host handed
    over; `host_here` is about the owner. `begun`: the first match may begin. `paused`: since when every clock stands
    (ms). `banned`: players who sit down here no more. `muted`: viewers who speak here no more; `removed`: who may not
    watch. `waited`: the seats that asked for a minute more before the next deal. `coming`: what is played from the
    next match on. `password`: the hash of what who comes has to know (empty: nothing); `admitted`: who has given it.
    `arranging`, `hints`: as the host has it now. `order`, `cup_level`: at a tournament's table the number of its last
    order that was obeyed, and the level that came with it; `begun` is then about the one match that was ordered, and
    `places` about who went out in it. `cup_places`: what places in the whole tournament they have, of the match of
    the order `cup_places_order`. `turns`: at a table without a clock, from whom something is awaited. `ahead`: moves
    set before their turn; `dropped`: the seats whose move could not be done in this deal. `fair`: the decks that are
    fixed already. `last_players`: who was dealt in last, for a rematch.
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
    """Return what the table is doing."""
    if state.closed:
        return "closed"
    if not state.settled:
        return "playing"
    return "showdown" if state.deal is not None and state.next_at is not None else "waiting"


def is_sealed(state: TableState) -> bool:
    """Return whether other tables may still play the same cards: those of its duplicate league, until that is over.

    Nobody is shown more of such a table then than what they know who play at it (gate.py asks this at every door).
    """
    return state.config.duplicate and not state.closed


def reveals_all(state: TableState) -> bool:
    """Return whether every card is shown after a match."""
    return state.config.rules.match.show_all and not is_sealed(state)


def other_names(state: TableState, player: str) -> list[str]:
    """Return the names of everybody else who has a seat."""
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
    staying = [place for place, number in enumerate(match.seats) if number != seat]
    return replace(
        match,
        seats=tuple([match.seats[place] for place in staying]),
        points=tuple([match.points[place] for place in staying]),
        paid=tuple([match.paid[place] for place in staying]),
        last=tuple([number for number in match.last if number != seat]),
    )


def with_seat(state: TableState, seat: int, **changes: object) -> TableState:
    """Return the table with some fields of one seat changed."""
    seats = state.seats
    changed = replace(seats[seat], **changes)
    return replace(state, seats=(*seats[:seat], changed, *seats[seat + 1 :]))
