"""What can be asked of a table: imperative, plain data, no behaviour. JSON tag: `do`.

The player who asks is not part of a request; the server adds it (`Command`). System commands come from the
scheduler and the sockets, never from a client.
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
    """Take a seat with a buy-in in points, 0 where the table asks for none; `head` as in `fix_chain`.

    `ready`: the player is ready for the first match too, as with `Ready`; once play has begun it means nothing.
    """

    seat: SeatNumber
    buy_in: BuyIn = 0
    head: Hash | None = None
    ready: bool = False


class CommitChain(Request, frozen=True, tag="fix_chain"):
    """Fix what one adds to the decks of many deals to come: the head of a hash chain (hex; docs: fairness)."""

    head: Hash


class RevealLink(Request, frozen=True, tag="give_link"):
    """Add the next link (hex) of one's chain to the commitment with this number."""

    number: Annotated[int, Meta(ge=1)]
    link: Hash


class Leave(Request, frozen=True, tag="leave"):
    """Give the seat up; takes effect when the match is over."""


class TopUp(Request, frozen=True, tag="top_up"):
    """Add points to one's stack, between deals; a player who is bust in a match has them when it is over."""

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
    """Turn down the stake that another seat has offered."""

    seat: SeatNumber


class WithdrawStake(Request, frozen=True, tag="withdraw_stake"):
    """Take back the stake that one has offered another seat."""

    seat: SeatNumber


class CloseTable(Request, frozen=True, tag="close_table"):
    """Host: end the table after the match; stacks go back to the players."""


class RequestDelay(Request, frozen=True, tag="wait"):
    """Ask for a minute more before the next deal; once a deal, without a clock any number of times."""


class Start(Request, frozen=True, tag="start"):
    """Host: let the first match begin."""


class Pause(Request, frozen=True, tag="pause"):
    """Host: let every clock stand until `ResumePlay`."""


class ResumePlay(Request, frozen=True, tag="go_on"):
    """Host: end a pause."""


class LockSeats(Request, frozen=True, tag="lock"):
    """Host: let nobody else sit down, or open the free seats again."""

    locked: bool


class TransferHost(Request, frozen=True, tag="hand_over"):
    """Host: make the person in a seat the host, for good."""

    seat: SeatNumber


class Ban(Request, frozen=True, tag="ban"):
    """Host: free a person's seat as `Unseat` does; they sit down and speak at this table no more."""

    seat: SeatNumber


class MuteViewer(Request, frozen=True, tag="mute_viewer"):
    """Host: let somebody who watches speak here no more, or again."""

    player: PlayerId
    muted: bool = True


class RemoveViewer(Request, frozen=True, tag="remove_viewer"):
    """Host: let somebody who watches see this table no more."""

    player: PlayerId


class AddTime(Request, frozen=True, tag="add_time"):
    """Host: give a seat more time in its bank, in seconds."""

    seat: SeatNumber
    seconds: Annotated[int, Meta(ge=5, le=600)]


class ChangeRules(Request, frozen=True, tag="change_rules"):
    """Host: play by other rules from the next match on, at once between matches. `pause`: seconds between deals.

    `rules`: a preset's name, options on a `preset`, or without one only the options that change.
    """

    rules: str | dict[str, Any]
    pause: Annotated[int, Meta(ge=0, le=600)] | None = None


class AllowArranging(Request, frozen=True, tag="let_arrange"):
    """Host: allow the automatic arranging of closed hands and fantasylands, or forbid it again."""

    allowed: bool


class ChangeDetails(Request, frozen=True, tag="change_details"):
    """Host: give the table another name, or say whether the lobby lists it. None leaves a thing as it is."""

    name: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    private: bool | None = None


class AllowHints(Request, frozen=True, tag="let_hint"):
    """Host: let players ask for hints, or no more. Never in a tournament."""

    allowed: bool


class PlaceFor(Request, frozen=True, tag="place_for"):
    """Have the cards placed automatically of a player who keeps the others waiting at a table without a clock."""

    seat: SeatNumber


class RequestHint(Request, frozen=True, tag="hint"):
    """Tell the table that one looks at a hint for a hand that is to place; one's own machine works it out."""

    hand: Annotated[int, Meta(ge=0, le=3)]


class SetPassword(Struct, frozen=True, tag_field="do", tag="choose_password"):
    """Server, for the host: who comes from now on has to know this password, given as its hash; empty for none."""

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
    """A seat as a tournament orders it: who sits there with how many chips.

    `bank_ms`: time bank left at the player's last table; `absent`, `sitting_out` as they were there, so that nobody
    waits again for a player who is away.
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
    """System: what a tournament wants of its table: these players, and one match at this level.

    Orders of a table are numbered from 1 without holes, and an order that comes again does nothing. `button`: the
    seat that has it in the match's first deal, None: it goes on. Without chairs the table closes.
    """

    number: int
    chairs: tuple[SeatAssignment, ...] = ()
    level: TournamentLevel = TournamentLevel(1, 1)
    button: int | None = None


class Remove(Struct, frozen=True, tag_field="do", tag="remove"):
    """System: the host of a tournament has removed the player; nobody waits for them any more."""


class Connected(Struct, frozen=True, tag_field="do", tag="connected"):
    """System: a player's first socket is there."""


class Disconnected(Struct, frozen=True, tag_field="do", tag="disconnected"):
    """System: a player's last socket is gone."""


class Tick(Struct, frozen=True, tag_field="do", tag="tick"):
    """System: time has passed; clocks run out, the next deal begins."""


class ReportDowntime(Struct, frozen=True, tag_field="do", tag="resumed"):
    """System: nobody could move from `since` (ms, 0 = unknown) to `until` (None: to now).

    Running clocks and the next deal move by that time. `why`: the server was away (`restart`: nobody counts as
    connected until a socket comes), its process or its computer stood still (`still`), moves could not be stored
    (`store`).
    """

    since: int = 0
    until: int | None = None
    why: DowntimeCause = "restart"


class SetTournamentPause(Struct, frozen=True, tag_field="do", tag="hold"):
    """System: a tournament's table stands still with the tournament, or goes on; as it is already: nothing."""

    still: bool


class TellPlaces(Struct, frozen=True, tag_field="do", tag="tell_places"):
    """System: the places in the whole tournament of the players who went out in an order's match; again: nothing."""

    order: int
    places: tuple[FinishingPlace, ...]


class SetPremove(Request, frozen=True, tag="ahead"):
    """Do this the moment it is asked of a hand, at once if it is asked now; None takes back what was set ahead."""

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
    `clock.new_table = carry`; None when unknown. Both count for `Sit`, the name also for `Say` and `Connected`.
    `program`: a program asks, with a token of the player's; whoever sits down so is shown as one.
    """

    player: str
    request: PlayerRequest | AccessRequest | SystemRequest
    name: str = ""
    bank_ms: int | None = None
    program: bool = False
