"""The events of a table: past tense, plain data. JSON tag: `e`, shared with the deal's own events.

Every event that moves points names the table and the players, so that the ledger is read from events alone. `at` is
the time in milliseconds since the epoch.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from triptych.deal.actions import Announce, Arrange, Place
from triptych.deal.events import Event as DealPayload
from triptych.deal.visibility import Private, Public, Sealed
from triptych.fair.record import ChainLink
from triptych.redacted import RedactedStruct
from triptych.rulesets.model import Ruleset
from triptych.scoring.sheet.types import ScoreSheet
from triptych.table.commands import DowntimeCause
from triptych.table.state import TableConfig, TournamentLevel, Turn


class _Event(Struct, frozen=True, gc=False, tag_field="e"):
    """An event of the table itself; `at`: its time (ms since the epoch)."""

    at: int


class TableOpened(_Event, frozen=True, gc=False, tag="table_opened"):
    """A table was opened."""

    config: TableConfig


class PlayerSat(_Event, frozen=True, gc=False, tag="player_sat"):
    """A player, or a bot of a level, took a seat and bought in; `bank_ms`: the time bank they start with.

    At a tournament's table: `cup` is the tournament from which the chips come; `here`: the player, who comes from
    another table, is connected to this one; `absent`, `sitting_out`: as they were at that table.
    `program`: a program plays for the player.
    """

    table: str
    seat: int
    player: str
    name: str
    buy_in: int
    bank_ms: int
    bot: bool = False
    level: str = ""
    cup: str = ""
    here: bool = True
    absent: bool = False
    sitting_out: bool = False
    program: bool = False


class ToppedUp(_Event, frozen=True, gc=False, tag="topped_up"):
    """A player added points to their stack."""

    table: str
    seat: int
    player: str
    points: int


class LeaveRequested(_Event, frozen=True, gc=False, tag="leave_asked"):
    """A seat becomes free when the match is over; `by_host`: at the host's request."""

    seat: int
    by_host: bool = False


class PlayerLeft(_Event, frozen=True, gc=False, tag="player_left"):
    """A seat became free; its stack went back to the player, or to the tournament `cup`."""

    table: str
    seat: int
    player: str
    stack: int
    cup: str = ""


class SatOut(_Event, frozen=True, gc=False, tag="sat_out"):
    """A player plays no more deals after the pending fantasylands.

    `timed_out`: because their time ran out.
    """

    seat: int
    timed_out: bool = False


class SatIn(_Event, frozen=True, gc=False, tag="sat_in"):
    """A player plays again, and stays."""

    seat: int


class ReadyDeclared(_Event, frozen=True, gc=False, tag="ready_said"):
    """A player is ready for the next deal before the pause ends."""

    seat: int


class PlayerConnected(_Event, frozen=True, gc=False, tag="player_connected"):
    """A player is connected again; `name`: their current name."""

    player: str
    name: str


class PlayerDisconnected(_Event, frozen=True, gc=False, tag="player_disconnected"):
    """A player's last connection was closed; the clock goes on."""

    player: str


class ChatSent(_Event, frozen=True, gc=False, tag="said"):
    """A line of table talk; `seat` is None for a spectator."""

    player: str
    name: str
    text: str
    seat: int | None = None


class BuyInPlanned(_Event, frozen=True, gc=False, tag="buy_in_planned"):
    """A player who is bust adds these points when the match is over."""

    seat: int
    points: int


class StakeOfferRemoved(_Event, frozen=True, gc=False, tag="stake_offer_removed"):
    """The stake offer of `seat` to `to` was `declined` by the other player, or else withdrawn."""

    seat: int
    to: int
    declined: bool


class FantasylandsDropped(_Event, frozen=True, gc=False, tag="fantasylands_dropped"):
    """The fantasylands of these seats are not played, since nobody could win a point in them."""

    seats: tuple[int, ...]


class StakeOffered(_Event, frozen=True, gc=False, tag="stake_offered"):
    """One seat proposed a stake to another: points between the two are multiplied by it."""

    seat: int
    to: int
    stake: int


class StakeAgreed(_Event, frozen=True, gc=False, tag="stake_agreed"):
    """Two seats agreed on their own stake, from the next deal on."""

    a: int
    b: int
    stake: int


class CloseRequested(_Event, frozen=True, gc=False, tag="close_asked"):
    """The table closes when the match is over."""


class TableClosed(_Event, frozen=True, gc=False, tag="table_closed"):
    """The table is over."""


class NextDealScheduled(_Event, frozen=True, gc=False, tag="next_deal_scheduled"):
    """The next deal begins at `next_at`, or as soon as everybody is ready.

    `held`: nobody is there; the match ends at `next_at` unless somebody comes back.
    """

    next_at: int
    held: bool = False


class NextDealCancelled(_Event, frozen=True, gc=False, tag="next_deal_cancelled"):
    """Too few players are left for the scheduled deal."""


class MatchBegan(_Event, frozen=True, gc=False, tag="match_began"):
    """A match began with these seats; nobody joins before it ends."""

    number: int
    seats: tuple[int, ...]


class MatchCutShort(_Event, frozen=True, gc=False, tag="match_cut_short"):
    """The match ends after this deal and the fantasylands it brings, because a player's time ran out."""

    seat: int


class Payment(Struct, frozen=True, gc=False):
    """Points that went from one player to another when a deal was settled, or a match was won."""

    payer: str
    payee: str
    points: int


class MatchEnded(_Event, frozen=True, gc=False, tag="match_ended"):
    """A match is over and its prizes are paid; players who asked to leave leave now."""

    number: int
    table: str = ""
    payments: tuple[Payment, ...] = ()


class PlaceTaken(_Event, frozen=True, gc=False, tag="place_taken"):
    """A player is out of the tournament, or has won it (place 1).

    At a table of a tournament over several tables the place is one among the players of its match.
    """

    seat: int
    player: str
    place: int


class PlaceAnnounced(_Event, frozen=True, gc=False, tag="place_announced"):
    """A player eliminated in the match of an order has this place in the whole tournament."""

    order: int
    player: str
    name: str
    place: int


class DealBegan(_Event, frozen=True, gc=False, tag="deal_began"):
    """A deal of the table begins; `button`: the seat with the button; `seats`: clockwise, the button last."""

    number: int
    button: int
    seats: tuple[int, ...]


class ClockStarted(_Event, frozen=True, gc=False, tag="clock_started"):
    """A seat's clock runs for these hands: the street's time to `street_ends`, the bank's to `bank_ends` (ms)."""

    seat: int
    hands: tuple[int, ...]
    started: int
    street_ends: int
    bank_ends: int


class ClockStopped(_Event, frozen=True, gc=False, tag="clock_stopped"):
    """A seat's clock stopped; `bank_ms`, `deal_ms`: the rest of the time bank and of the deal's own time."""

    seat: int
    bank_ms: int
    deal_ms: int


class TimeRanOut(_Event, frozen=True, gc=False, tag="time_ran_out"):
    """A seat's street time and time bank ran out; its cards are placed automatically.

    `by`: at a table without a clock, the name of the player who requested it.
    """

    seat: int
    by: str = ""


class TurnsBegan(_Event, frozen=True, gc=False, tag="turns_began"):
    """At a table without a clock: the seats that are to act now, and since when each has not acted."""

    turns: tuple[Turn, ...]


class PlayerReturned(_Event, frozen=True, gc=False, tag="came_back"):
    """A player whose time had run out acts again; their clock runs as usual from now on."""

    seat: int


class DowntimeCompensated(_Event, frozen=True, gc=False, tag="table_resumed"):
    """Nobody could move for `downtime` ms, for which no clock is charged; `why` as in `ReportDowntime`."""

    downtime: int
    why: DowntimeCause = "restart"


class NextFantasyland(Struct, frozen=True, gc=False):
    """A fantasyland of the next deal; `in_row`: how many in a row, 1 for the first."""

    seat: int
    cards: int
    in_row: int


class SeatPoints(Struct, frozen=True, gc=False):
    """The points that a seat scored in a deal, before stakes and caps."""

    seat: int
    points: int


class DealSettled(_Event, frozen=True, gc=False, tag="deal_settled"):
    """A deal was scored and paid: the sheet with caps and stacks, the payments in the order made."""

    table: str
    sheet: ScoreSheet
    payments: tuple[Payment, ...]
    points: tuple[SeatPoints, ...]
    fantasylands: tuple[NextFantasyland, ...]


class HostChanged(_Event, frozen=True, gc=False, tag="host_changed"):
    """The host made another person the host of the table."""

    seat: int
    player: str


class PlayStarted(_Event, frozen=True, gc=False, tag="play_started"):
    """The first match may begin: the host started it, or all seats are taken and ready."""


class PauseStarted(_Event, frozen=True, gc=False, tag="table_paused"):
    """The table is paused: every clock stands still, and nothing can be placed."""


class PauseEnded(_Event, frozen=True, gc=False, tag="table_went_on"):
    """A pause of `lasted` ms is over; no clock was charged for it."""

    lasted: int


class SeatsLocked(_Event, frozen=True, gc=False, tag="seats_locked"):
    """The free seats were locked, or opened again."""

    locked: bool


class PlayerBanned(_Event, frozen=True, gc=False, tag="player_banned"):
    """A player may no longer sit down or chat at this table."""

    seat: int
    player: str


class ViewerMuted(_Event, frozen=True, gc=False, tag="viewer_muted"):
    """A spectator may no longer chat here, or may again."""

    player: str
    muted: bool


class ViewerRemoved(_Event, frozen=True, gc=False, tag="viewer_removed"):
    """A spectator may no longer see the table."""

    player: str


class TimeAdded(_Event, frozen=True, gc=False, tag="time_added"):
    """The host gave a seat more time in its bank (ms)."""

    seat: int
    ms: int


class RulesChosen(_Event, frozen=True, gc=False, tag="rules_chosen"):
    """The host chose rules and pause: from the next match on, or now when none is being played."""

    rules: Ruleset
    pause: int


class PasswordSet(_Event, frozen=True, gc=False, tag="password_chosen"):
    """The host chose a password, or none (empty): an argon2id hash, never the password. Always sealed.

    `admitted`: the players who need not give it; all others who have not played here have to.
    """

    password: str
    admitted: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Show everything but the hash."""
        return f"{type(self).__name__}({self.at}, ??)"


class AccessGranted(_Event, frozen=True, gc=False, tag="admitted"):
    """A guest gave the table's password. Always sealed."""

    player: str


class ArrangingAllowed(_Event, frozen=True, gc=False, tag="arranging_allowed"):
    """The host allowed the automatic arranging of cards, or forbade it again."""

    allowed: bool


class HintsAllowed(_Event, frozen=True, gc=False, tag="hints_allowed"):
    """The host allowed hints, or forbade them again."""

    allowed: bool


class DetailsChanged(_Event, frozen=True, gc=False, tag="details_changed"):
    """The host changed the table's name, or whether the lobby lists it (`private`: it does not)."""

    name: str
    private: bool


class HintRequested(_Event, frozen=True, gc=False, tag="hint_asked"):
    """A player requested a hint; the deal's event `Hinted` has the hand."""

    seat: int


class DelayRequested(_Event, frozen=True, gc=False, tag="wait_asked"):
    """A player requested more time before the next deal, which now begins at `next_at`."""

    seat: int
    next_at: int


class OrderAccepted(_Event, frozen=True, gc=False, tag="ordered"):
    """A tournament ordered one match at this level, or closes the table; `button` as in `MatchOrder`."""

    number: int
    level: TournamentLevel
    button: int | None = None
    closes: bool = False


class PremoveSet(RedactedStruct, frozen=True, tag_field="e", tag="move_planned"):
    """A hand's premove was set; None: it was withdrawn or done. Always private."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"action"})
    at: int
    hand: int
    action: Arrange | Place | Announce | None = None


class PremoveDropped(_Event, frozen=True, gc=False, tag="move_dropped"):
    """A premove could not be done, or its turn never came. Always private."""

    seat: int
    hand: int


class ChainCommitted(_Event, frozen=True, gc=False, tag="chain_fixed"):
    """A player committed entropy for many deals by a hash chain's head (hex), from commitment `since` on."""

    seat: int
    head: str
    since: int


class DecksSealed(RedactedStruct, frozen=True, tag_field="e", tag="decks_sealed"):
    """The seed of a commitment's decks (hex), so that they are the same after a crash. Always sealed."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"seed"})
    at: int
    number: int
    seed: str


class DecksCommitted(_Event, frozen=True, gc=False, tag="decks_committed"):
    """The decks of the next deal are committed: their number of cards and their roots (hex); docs: fairness."""

    number: int
    size: int
    roots: tuple[str, ...]


class LinkRevealed(_Event, frozen=True, gc=False, tag="link_given"):
    """A player added the next link (hex) of their hash chain to a commitment."""

    seat: int
    number: int
    link: str


class DecksOpened(_Event, frozen=True, gc=False, tag="decks_opened"):
    """A deal uses one of the committed decks; `seeds` (hex): of the other decks, "" for the deck used.

    `links`: the players' links that count.
    """

    number: int
    links: tuple[ChainLink, ...]
    seeds: tuple[str, ...]


class CommitmentDropped(_Event, frozen=True, gc=False, tag="commitment_dropped"):
    """Committed decks are never dealt, because the rules need decks of another size now; they are counted."""

    number: int


TableOwnEvent = (
    TableOpened
    | PlayerSat
    | ToppedUp
    | LeaveRequested
    | PlayerLeft
    | SatOut
    | SatIn
    | ReadyDeclared
    | PlayerConnected
    | PlayerDisconnected
    | ChatSent
    | BuyInPlanned
    | StakeOfferRemoved
    | FantasylandsDropped
    | StakeOffered
    | StakeAgreed
    | CloseRequested
    | TableClosed
    | NextDealScheduled
    | NextDealCancelled
    | MatchBegan
    | MatchCutShort
    | MatchEnded
    | PlaceTaken
    | PlaceAnnounced
    | DealBegan
    | ClockStarted
    | ClockStopped
    | TimeRanOut
    | TurnsBegan
    | PlayerReturned
    | DowntimeCompensated
    | DealSettled
    | HostChanged
    | PlayStarted
    | PauseStarted
    | PauseEnded
    | SeatsLocked
    | PlayerBanned
    | ViewerMuted
    | ViewerRemoved
    | TimeAdded
    | RulesChosen
    | PasswordSet
    | AccessGranted
    | ArrangingAllowed
    | HintsAllowed
    | DetailsChanged
    | HintRequested
    | DelayRequested
    | OrderAccepted
    | PremoveSet
    | PremoveDropped
    | ChainCommitted
    | DecksSealed
    | DecksCommitted
    | LinkRevealed
    | DecksOpened
    | CommitmentDropped
)
Payload = TableOwnEvent | DealPayload
TableEvent = Public[Payload] | Private[Payload] | Sealed[Payload]
