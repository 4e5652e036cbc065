"""The commands of a table: imperative, plain data, no behaviour. JSON tag: `do`.

The player is not part of a request; the server adds them (`Command`). System commands come from the scheduler and
the sockets, never from a client.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from triptych.deal.actions import Action, Announce, Arrange, Place
from triptych.fair.record import Hash
from triptych.table.state import Place as FinishingPlace
from triptych.table.state import TournamentLevel

SeatNumber = Annotated[int, Meta(ge=0, le=3)]
Points = Annotated[int, Meta(ge=1, le=1_000_000)]
BuyIn = Annotated[int, Meta(ge=0, le=1_000_000)]
DowntimeCause = Literal["restart", "still", "store"]
PlayerId = Annotated[str, Meta(min_length=1, max_length=64)]
Text = Annotated[str, Meta(min_length=1, max_length=240)]


class Request(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """The base of every request."""


class Sit(Request, frozen=True, tag="sit"):
    """Take a seat with a buy-in in points, 0 where the table has none; `head` as in `fix_chain`.

    `ready`: the player is ready for the first match too, as with `Ready`; ignored once play has begun.
    """

    seat: SeatNumber
    buy_in: BuyIn = 0
    head: Hash | None = None
    ready: bool = False


class CommitChain(Request, frozen=True, tag="fix_chain"):
    """Commit your entropy for the decks of many deals: the head of a hash chain (hex; docs: fairness)."""

    head: Hash


class RevealLink(Request, frozen=True, tag="give_link"):
    """Add the next link (hex) of your hash chain to the commitment with this number."""

    number: Annotated[int, Meta(ge=1)]
    link: Hash


class Leave(Request, frozen=True, tag="leave"):
    """Leave the seat when the match is over."""


class TopUp(Request, frozen=True, tag="top_up"):
    """Add points to your stack, between deals; a player who is bust in a match gets them when it is over."""

    points: Points


class SitOut(Request, frozen=True, tag="sit_out"):
    """Play no new match until `SitIn`; pending fantasylands are still played."""


class SitIn(Request, frozen=True, tag="sit_in"):
    """Play the next match again."""


class Ready(Request, frozen=True, tag="ready"):
    """Start the next deal without waiting for the pause to end."""


class Say(Request, frozen=True, tag="say"):
    """Table talk."""

    text: Text


class SeatBot(Request, frozen=True, tag="seat_bot"):
    """Host: put a bot of a level into an empty seat."""

    seat: SeatNumber
    level: str
    buy_in: BuyIn = 0


class Unseat(Request, frozen=True, tag="unseat"):
    """Host: free a seat (a bot's or a player's) when the match is over."""

    seat: SeatNumber


class OfferStake(Request, frozen=True, tag="offer_stake"):
    """Propose a stake with another seat (points are multiplied); agreed when both have offered the same."""

    seat: SeatNumber
    stake: Annotated[int, Meta(ge=1, le=10_000)]


class DeclineStake(Request, frozen=True, tag="decline_stake"):
    """Decline the stake that another seat has offered."""

    seat: SeatNumber


class WithdrawStake(Request, frozen=True, tag="withdraw_stake"):
    """Withdraw the stake that you have offered another seat."""

    seat: SeatNumber


class CloseTable(Request, frozen=True, tag="close_table"):
    """Host: end the table after the match; stacks go back to the players."""


class RequestDelay(Request, frozen=True, tag="wait"):
    """Delay the next deal by a minute; once a deal, at a table without a clock any number of times."""


class Start(Request, frozen=True, tag="start"):
    """Host: start the first match."""


class Pause(Request, frozen=True, tag="pause"):
    """Host: stop every clock until `ResumePlay`."""


class ResumePlay(Request, frozen=True, tag="go_on"):
    """Host: end a pause."""


class LockSeats(Request, frozen=True, tag="lock"):
    """Host: lock the free seats, or open them again."""

    locked: bool


class TransferHost(Request, frozen=True, tag="hand_over"):
    """Host: make the person in a seat the host, permanently."""

    seat: SeatNumber


class Ban(Request, frozen=True, tag="ban"):
    """Host: free a person's seat as `Unseat` does; they may no longer sit down or chat at this table."""

    seat: SeatNumber


class MuteViewer(Request, frozen=True, tag="mute_viewer"):
    """Host: mute a spectator, or let them chat again."""

    player: PlayerId
    muted: bool = True


class RemoveViewer(Request, frozen=True, tag="remove_viewer"):
    """Host: remove a spectator, who may no longer see this table."""

    player: PlayerId


class AddTime(Request, frozen=True, tag="add_time"):
    """Host: add seconds to a seat's time bank."""

    seat: SeatNumber
    seconds: Annotated[int, Meta(ge=5, le=600)]


class ChangeRules(Request, frozen=True, tag="change_rules"):
    """Host: change the rules from the next match on, between matches at once.

    `pause`: seconds between deals. `rules`: a preset's name, options with a `preset`, or without a preset only the
    options that change.
    """

    rules: str | dict[str, Any]
    pause: Annotated[int, Meta(ge=0, le=600)] | None = None


class AllowArranging(Request, frozen=True, tag="let_arrange"):
    """Host: allow the automatic arranging of closed hands and fantasylands, or forbid it again."""

    allowed: bool


class ChangeDetails(Request, frozen=True, tag="change_details"):
    """Host: change the table's name, or whether the lobby lists it. None leaves a value as it is."""

    name: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    private: bool | None = None


class AllowHints(Request, frozen=True, tag="let_hint"):
    """Host: allow hints, or forbid them again. Never in a tournament."""

    allowed: bool


class PlaceFor(Request, frozen=True, tag="place_for"):
    """At a table without a clock, have the cards of a player whose turn has timed out placed automatically."""

    seat: SeatNumber


class RequestHint(Request, frozen=True, tag="hint"):
    """Report that you look at a hint for a hand that is to place; your own device computes the hint."""

    hand: Annotated[int, Meta(ge=0, le=3)]


class SetPassword(Struct, frozen=True, tag_field="do", tag="choose_password"):
    """Server, for the host: require this password, given as its hash, from new guests; empty for none."""

    password: str

    def __repr__(self) -> str:
        """Show no hash."""
        return f"{type(self).__name__}(??)"


class GrantAccess(Struct, frozen=True, tag_field="do", tag="admit"):
    """Server: the player has given the password of this hash."""

    password: str

    def __repr__(self) -> str:
        """Show no hash."""
        return f"{type(self).__name__}(??)"


class SeatAssignment(Struct, frozen=True, gc=False):
    """A seat in a tournament's order: its player and their chips.

    `bank_ms`: time bank left at the player's last table; `absent`, `sitting_out`: as they were there, so that the
    table does not wait for a player who is away.
    """

    seat: int
    player: str
    name: str
    chips: int
    bot: bool = False
    level: str = ""
    bank_ms: int | None = None
    absent: bool = False
    sitting_out: bool = False


class MatchOrder(Struct, frozen=True, tag_field="do", tag="order"):
    """System: a tournament's order to its table to seat these players and play one match at this level.

    A table's orders are numbered from 1 without gaps; a repeated order does nothing. `button`: the seat that has it
    in the match's first deal, None: the next seat. Without chairs the table closes.
    """

    number: int
    chairs: tuple[SeatAssignment, ...] = ()
    level: TournamentLevel = TournamentLevel(1, 1)
    button: int | None = None


class Remove(Struct, frozen=True, tag_field="do", tag="remove"):
    """System: the host of a tournament has removed the player; the table no longer waits for them."""


class Connected(Struct, frozen=True, tag_field="do", tag="connected"):
    """System: a player's first socket was opened."""


class Disconnected(Struct, frozen=True, tag_field="do", tag="disconnected"):
    """System: a player's last socket was closed."""


class Tick(Struct, frozen=True, tag_field="do", tag="tick"):
    """System: time has passed; clocks may run out, the next deal may begin."""


class ReportDowntime(Struct, frozen=True, tag_field="do", tag="resumed"):
    """System: nobody could move from `since` (ms, 0 = unknown) to `until` (None: to now).

    Running clocks and the next deal move by that time. `why`: the server was stopped (`restart`: nobody counts as
    connected until they open a socket), its process or its computer stood still (`still`), or moves could not be
    stored (`store`).
    """

    since: int = 0
    until: int | None = None
    why: DowntimeCause = "restart"


class SetTournamentPause(Struct, frozen=True, tag_field="do", tag="hold"):
    """System: pause a table with its tournament, or resume it; repeated, it does nothing."""

    still: bool


class TellPlaces(Struct, frozen=True, tag_field="do", tag="tell_places"):
    """System: the tournament places of players eliminated in an order's match; repeated: no effect."""

    order: int
    places: tuple[FinishingPlace, ...]


class SetPremove(Request, frozen=True, tag="ahead"):
    """Set a premove, which the hand does as soon as it is to act; None withdraws it."""

    hand: int
    action: Arrange | Place | Announce | None = None


HostRequest = (
    SeatBot
    | Unseat
    | CloseTable
    | Start
    | Pause
    | ResumePlay
    | LockSeats
    | TransferHost
    | Ban
    | MuteViewer
    | RemoveViewer
    | AddTime
    | ChangeRules
    | AllowArranging
    | AllowHints
    | ChangeDetails
)
PlayerRequest = (
    Action
    | SetPremove
    | CommitChain
    | RevealLink
    | Sit
    | Leave
    | TopUp
    | SitOut
    | SitIn
    | Ready
    | Say
    | OfferStake
    | DeclineStake
    | WithdrawStake
    | RequestDelay
    | RequestHint
    | PlaceFor
    | HostRequest
)
AccessRequest = SetPassword | GrantAccess
SystemRequest = (
    Connected | Disconnected | Tick | ReportDowntime | MatchOrder | SetTournamentPause | Remove | TellPlaces
)


class Command(Struct, frozen=True):
    """A request and the player who makes it; `player` is a player id, empty for the system.

    `name`: the player's name as the server knows it. `bank_ms`: time bank left at the player's last table, for
    `clock.new_table = carry`; None when unknown. Both are used for `Sit`, the name also for `Say` and `Connected`.
    `program`: the request comes from a program with the player's token; a player who sits down so is marked.
    """

    player: str
    request: PlayerRequest | AccessRequest | SystemRequest
    name: str = ""
    bank_ms: int | None = None
    program: bool = False
