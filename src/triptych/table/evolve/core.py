"""How each event changes a table: one small function per event; nothing is verified again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from triptych.deal import evolve as deal
from triptych.deal.events import DealStarted
from triptych.fair.decks import derive_seeds
from triptych.fair.record import ChainLink, commitment_of
from triptych.table import events as e
from triptych.table.accounts import apply_event
from triptych.table.announcements import announce
from triptych.table.commitment_state import CommitmentState, DealtDeck, SeatChain
from triptych.table.evolve import play
from triptych.table.host import owner
from triptych.table.rate_limit import with_recent_request
from triptych.table.state import ChatLine, Seat, Stake, TableState, with_seat, without_seat

MAX_CHAT_LINES = 60
MAX_ADMITTED = 500  # the latest players; earlier ones have to give the password again


def evolve(state: TableState | None, event: e.TableEvent) -> TableState:
    """Return the table after an event; `None` before the first one, which is `TableOpened`."""
    own_event: Any = event.event
    if isinstance(own_event, e.TableOpened):
        return _table_opened(own_event)
    if state is None:
        message = f"a table begins with TableOpened, not {type(own_event).__name__}"
        raise ValueError(message)
    change = _HANDLERS.get(type(own_event))
    if change is None:
        before = None if isinstance(own_event, DealStarted) else state.deal
        return replace(state, version=state.version + 1, deal=deal.evolve(before, event))  # type: ignore[arg-type]
    after = change(state, own_event)
    line = announce(state, own_event)
    talk = after.talk if line is None else _with_line(after.talk, ChatLine(own_event.at, "", "", line))
    return replace(
        after,
        version=state.version + 1,
        at=max(state.at, own_event.at),
        talk=talk,
        recent_requests=with_recent_request(state, own_event),
        accounts=apply_event(state, own_event),
    )


def _table_opened(event: e.TableOpened) -> TableState:
    seats = tuple(Seat(number) for number in range(event.config.rules.seats.max))
    config = event.config
    begun = config.start == "full"
    return TableState(
        config, version=1, at=event.at, seats=seats, begun=begun, arranging=config.arranging, hints=config.hints
    )


def _with_line(talk: tuple[ChatLine, ...], line: ChatLine) -> tuple[ChatLine, ...]:
    return (*talk[-(MAX_CHAT_LINES - 1) :], line)


def _player_sat(state: TableState, event: e.PlayerSat) -> TableState:
    seat = Seat(
        event.seat,
        event.player,
        event.name,
        since=state.version + 1,
        bot=event.bot,
        level=event.level,
        stack=event.buy_in,
        buy_in=event.buy_in,
        bank_ms=event.bank_ms,
        connected=event.here,
        absent=event.absent,
        sitting_out=event.sitting_out,
        program=event.program,
    )
    seats = (*state.seats[: event.seat], seat, *state.seats[event.seat + 1 :])
    old = state.deal if state.settled else None
    if old is not None and any(hand.seat == event.seat for hand in old.hands):
        # The newcomer's seat must not show another player's board.
        return replace(state, seats=seats, deal=None)
    return replace(state, seats=seats)


def _topped_up(state: TableState, event: e.ToppedUp) -> TableState:
    return with_seat(state, event.seat, stack=state.seats[event.seat].stack + event.points, planned_buy_in=0)


def _leave_requested(state: TableState, event: e.LeaveRequested) -> TableState:
    unseated = event.by_host or state.seats[event.seat].unseated
    seat = state.seats[event.seat]
    return with_seat(state, event.seat, leaving=True, unseated=unseated, gone=seat.gone or not seat.connected)


def _player_left(state: TableState, event: e.PlayerLeft) -> TableState:
    seats = (*state.seats[: event.seat], Seat(event.seat), *state.seats[event.seat + 1 :])
    stakes = tuple(stake for stake in state.stakes if event.seat not in (stake.a, stake.b))
    match = None if state.match is None else without_seat(state.match, event.seat)
    return replace(state, seats=seats, stakes=stakes, match=match)


def _sat_in(state: TableState, event: e.SatIn) -> TableState:
    unseated = state.seats[event.seat].unseated
    return with_seat(state, event.seat, sitting_out=False, leaving=unseated, late=False, absent=False, gone=False)


def _with_presence(state: TableState, player: str, *, is_connected: bool) -> TableState:
    seats = tuple(
        replace(seat, connected=is_connected, gone=seat.leaving and not is_connected)
        if seat.player == player
        else seat
        for seat in state.seats
    )
    return replace(state, seats=seats, host_here=is_connected if player == owner(state) else state.host_here)


def _player_connected(state: TableState, event: e.PlayerConnected) -> TableState:
    seats = tuple(
        replace(seat, name=event.name) if event.name and seat.player == event.player else seat for seat in state.seats
    )
    return _with_presence(replace(state, seats=seats), event.player, is_connected=True)


def _chat_sent(state: TableState, event: e.ChatSent) -> TableState:
    return replace(
        state, talk=_with_line(state.talk, ChatLine(event.at, event.player, event.name, event.text, event.seat))
    )


def _stake_offered(state: TableState, event: e.StakeOffered) -> TableState:
    a, b = sorted((event.seat, event.to))
    others = tuple(stake for stake in state.stakes if (stake.a, stake.b, stake.offered_by) != (a, b, event.seat))
    return replace(state, stakes=(*others, Stake(a, b, event.stake, event.seat)))


def _stake_offer_removed(state: TableState, event: e.StakeOfferRemoved) -> TableState:
    a, b = sorted((event.seat, event.to))
    return replace(
        state,
        stakes=tuple(stake for stake in state.stakes if (stake.a, stake.b, stake.offered_by) != (a, b, event.seat)),
    )


def _stake_agreed(state: TableState, event: e.StakeAgreed) -> TableState:
    others = tuple(stake for stake in state.stakes if (stake.a, stake.b) != (event.a, event.b))
    return replace(state, stakes=(*others, Stake(event.a, event.b, event.stake)))


def _viewer_muted(state: TableState, event: e.ViewerMuted) -> TableState:
    others = tuple(player for player in state.muted if player != event.player)
    return replace(state, muted=(*others, event.player) if event.muted else others)


def _password_set(state: TableState, event: e.PasswordSet) -> TableState:
    seated = tuple(seat.player for seat in state.seats if seat.person)
    return replace(state, password=event.password, admitted=(*event.admitted, *seated))


def _details_changed(state: TableState, event: e.DetailsChanged) -> TableState:
    return replace(state, config=replace(state.config, name=event.name, private=event.private))


def _order_accepted(state: TableState, event: e.OrderAccepted) -> TableState:
    # The button moves on to the next seat when the match begins.
    button = state.button if event.button is None else (event.button - 1) % len(state.seats)
    return replace(
        state,
        order=event.number,
        cup_level=event.level,
        button=button,
        begun=not event.closes,
        closing=event.closes,
        places=(),
    )


def _with_fair(state: TableState, **changes: object) -> TableState:
    return replace(state, fair=replace(state.fair, **changes))


def _chain_committed(state: TableState, event: e.ChainCommitted) -> TableState:
    others = tuple(chain for chain in state.fair.chains if chain.seat != event.seat)
    own = SeatChain(event.seat, state.seats[event.seat].player, event.head, event.since)
    return _with_fair(state, chains=(*others, own))


def _decks_committed(state: TableState, event: e.DecksCommitted) -> TableState:
    commitment = commitment_of(state.config.table, event.number, event.size, event.roots).hex()
    return _with_fair(state, number=event.number, size=event.size, commitment=commitment, roots=event.roots, links=())


def _link_revealed(state: TableState, event: e.LinkRevealed) -> TableState:
    old_chains = state.fair.chains
    head = next(chain.head for chain in old_chains if chain.seat == event.seat)
    chains = tuple(replace(chain, head=event.link) if chain.seat == event.seat else chain for chain in old_chains)
    return _with_fair(state, chains=chains, links=(*state.fair.links, ChainLink(event.seat, head, event.link)))


def _decks_opened(state: TableState, event: e.DecksOpened) -> TableState:
    fair = state.fair
    chosen = event.seeds.index("")
    seed = derive_seeds(bytes.fromhex(fair.seed))[chosen].hex()
    dealt = DealtDeck(state.config.table, event.number, fair.size, fair.roots, fair.links, event.seeds, seed)
    return replace(state, fair=replace(_without_decks(fair), dealt=dealt))


def _commitment_dropped(state: TableState, _: e.CommitmentDropped) -> TableState:
    fair = _without_decks(state.fair)
    return replace(state, fair=replace(fair, dropped=fair.dropped + 1))


def _without_decks(fair: CommitmentState) -> CommitmentState:
    return replace(fair, size=0, commitment="", roots=(), seed="", links=())


_HANDLERS: dict[type, Callable[[TableState, Any], TableState]] = {
    e.PlayerSat: _player_sat,
    e.ToppedUp: _topped_up,
    e.LeaveRequested: _leave_requested,
    e.PlayerLeft: _player_left,
    e.SatOut: lambda state, event: with_seat(state, event.seat, sitting_out=True, ready=False),
    e.SatIn: _sat_in,
    e.ReadyDeclared: lambda state, event: with_seat(state, event.seat, ready=True),
    e.PlayerConnected: _player_connected,
    e.PlayerDisconnected: lambda state, event: _with_presence(state, event.player, is_connected=False),
    e.ChatSent: _chat_sent,
    e.BuyInPlanned: lambda state, event: with_seat(state, event.seat, planned_buy_in=event.points),
    e.StakeOfferRemoved: _stake_offer_removed,
    e.StakeOffered: _stake_offered,
    e.StakeAgreed: _stake_agreed,
    e.CloseRequested: lambda state, _: replace(state, closing=True),
    e.TableClosed: lambda state, _: replace(state, closed=True, next_at=None),
    e.HostChanged: lambda state, event: replace(state, owner=event.player, host_here=True),
    e.PlayStarted: lambda state, _: replace(state, begun=True),
    e.SeatsLocked: lambda state, event: replace(state, locked=event.locked),
    e.PlayerBanned: lambda state, event: replace(state, banned=(*state.banned, event.player)),
    e.ViewerMuted: _viewer_muted,
    e.ViewerRemoved: lambda state, event: replace(state, removed=(*state.removed, event.player)),
    e.PasswordSet: _password_set,
    e.AccessGranted: lambda state, event: replace(state, admitted=(*state.admitted, event.player)[-MAX_ADMITTED:]),
    e.ArrangingAllowed: lambda state, event: replace(state, arranging=event.allowed),
    e.HintsAllowed: lambda state, event: replace(state, hints=event.allowed),
    e.DetailsChanged: _details_changed,
    e.HintRequested: lambda state, _: state,
    e.OrderAccepted: _order_accepted,
    e.ChainCommitted: _chain_committed,
    e.DecksSealed: lambda state, event: _with_fair(state, seed=event.seed),
    e.DecksCommitted: _decks_committed,
    e.LinkRevealed: _link_revealed,
    e.DecksOpened: _decks_opened,
    e.CommitmentDropped: _commitment_dropped,
    **play.HANDLERS,
}
