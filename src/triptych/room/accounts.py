"""What the evening at a table has cost or brought each player, and who pays whom for it. Rule: LAW 6 (stake)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from triptych.room import events as e
from triptych.room.state import Account, seat_of
from triptych.room.views import AccountView, DebtView
from triptych.score.payments import fewest_payments

if TYPE_CHECKING:
    from triptych.room.state import TableState


_COUNTED: Final = frozenset({e.DealSettled, e.PlayerSat, e.ToppedUp, e.PlayerLeft})


def with_accounts(state: TableState, event: e.RoomEvent) -> tuple[Account, ...]:
    """Return the accounts after an event, without players who left unplayed; `state` is the table before it."""
    if type(event) not in _COUNTED:
        return state.accounts
    if isinstance(event, e.DealSettled):
        dealt = {state.seats[one.seat].player for one in event.points}
        return tuple(replace(one, played=True) if one.player in dealt else one for one in state.accounts)
    if isinstance(event, e.PlayerSat):
        old = next((one for one in state.accounts if one.player == event.player), Account(event.player))
        return _with(state, replace(old, name=event.name, brought=old.brought + event.buy_in))
    if isinstance(event, e.ToppedUp | e.PlayerLeft):
        old = next((one for one in state.accounts if one.player == event.player), Account(event.player))
        if isinstance(event, e.ToppedUp):
            return _with(state, replace(old, brought=old.brought + event.points))
        left = replace(old, name=state.seats[event.seat].name, taken=old.taken + event.stack)
        return _with(state, left) if left.played or left.taken != left.brought else _without(state, event.player)
    return state.accounts


def _without(state: TableState, player: str) -> tuple[Account, ...]:
    return tuple(one for one in state.accounts if one.player != player)


def _with(state: TableState, account: Account) -> tuple[Account, ...]:
    return (*_without(state, account.player), account)


def account_views(state: TableState) -> tuple[AccountView, ...]:
    """Return what each player has won or lost so far, in points, the most first."""
    views = []
    for one in state.accounts:
        seat = seat_of(state, one.player)
        stack = 0 if seat is None else seat.stack
        name = one.name if seat is None else seat.name
        views.append(AccountView(one.player, name, one.brought, stack + one.taken - one.brought))
    return tuple(sorted(views, key=lambda view: -view.points))


@lru_cache(maxsize=256)
def debts(accounts: tuple[AccountView, ...]) -> tuple[DebtView, ...]:
    """Return the fewest payments that settle the evening, in points, by player id."""
    paid = fewest_payments({one.player: one.points for one in accounts})
    return tuple(DebtView(one.payer, one.payee, one.amount) for one in paid)
