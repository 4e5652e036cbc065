"""What the session at a table has cost or brought each player, and who pays whom for it. Rule: Rules §6 (stake).

Money is counted here, deal by deal, at the price that held: each account keeps its points by their price.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from triptych.scoring.money import PointPrice, money_payments
from triptych.table import events as e
from triptych.table.state import Account, TableState, Winnings, seat_of
from triptych.table.view_types import AccountView, DebtView, MoneyView

_COUNTED: Final = frozenset({e.DealSettled, e.MatchEnded, e.PlayerSat, e.ToppedUp, e.PlayerLeft})


def net(payments: Iterable[e.Payment]) -> dict[str, int]:
    """Return what payments bring each player, in points; below zero for who pays."""
    points: dict[str, int] = {}
    for one in payments:
        points[one.payee] = points.get(one.payee, 0) + one.points
        points[one.payer] = points.get(one.payer, 0) - one.points
    return points


def apply_event(state: TableState, event: e.TableOwnEvent) -> tuple[Account, ...]:
    """Return the accounts after an event, without players who left unplayed; `state` is the table before it."""
    if type(event) not in _COUNTED:
        return state.accounts
    if isinstance(event, e.DealSettled):
        dealt = {state.seats[one.seat].player for one in event.points}
        played = tuple(replace(one, played=True) if one.player in dealt else one for one in state.accounts)
        return _with_payments(played, event.payments, PointPrice.from_rules(state.config.rules))
    if isinstance(event, e.MatchEnded):
        return _with_payments(state.accounts, event.payments, PointPrice.from_rules(state.config.rules))
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


def _with_payments(
    accounts: tuple[Account, ...], payments: tuple[e.Payment, ...], price: PointPrice
) -> tuple[Account, ...]:
    points = net(payments)
    return tuple(
        replace(one, winnings=_added(one.winnings, price, points[one.player])) if points.get(one.player) else one
        for one in accounts
    )


def _added(winnings: tuple[Winnings, ...], price: PointPrice, points: int) -> tuple[Winnings, ...]:
    before = sum(one.points for one in winnings if one.price == price)
    return (*(one for one in winnings if one.price != price), Winnings(price, before + points))


def _without(state: TableState, player: str) -> tuple[Account, ...]:
    return tuple(one for one in state.accounts if one.player != player)


def _with(state: TableState, account: Account) -> tuple[Account, ...]:
    return (*_without(state, account.player), account)


def account_views(state: TableState) -> tuple[AccountView, ...]:
    """Return what each player has won or lost so far, in points and in money, the most first."""
    units = _units(state)
    views = []
    for one in state.accounts:
        seat = seat_of(state, one.player)
        stack = 0 if seat is None else seat.stack
        name = one.name if seat is None else seat.name
        money = tuple([MoneyView(_number(_won(one, unit)), unit) for unit in units])
        views.append(AccountView(one.player, name, one.brought, stack + one.taken - one.brought, money))
    return tuple(sorted(views, key=_rank))


def _rank(view: AccountView) -> float:
    # Amounts of different units have no order.
    return -(view.money[0].amount if len(view.money) == 1 else view.points)


def _units(state: TableState) -> tuple[str, ...]:
    """Return what the session's points are counted in; nothing where points are only points."""
    played = {one.price for account in state.accounts for one in account.winnings}
    prices = played or {PointPrice.from_rules(state.config.rules)}
    return () if prices == {PointPrice()} else tuple(sorted({price.unit for price in prices}))


def _won(account: Account, unit: str) -> Decimal:
    amounts = (one.price.money(one.points) for one in account.winnings if one.price.unit == unit)
    return sum(amounts, PointPrice().money(0))


def _number(amount: Decimal | float) -> float:
    # A whole number is written as browsers write it, so that a view has the same text on both sides.
    return int(amount) if amount == int(amount) else float(amount)


@lru_cache(maxsize=256)
def settlements(accounts: tuple[Account, ...]) -> tuple[DebtView, ...]:
    """Return the fewest payments that settle the session, by player id, for each unit that points are counted in."""
    units = sorted({one.price.unit for account in accounts for one in account.winnings})
    return tuple(
        DebtView(one.payer, one.payee, _number(one.money), unit)
        for unit in units
        for one in money_payments({account.player: _won(account, unit) for account in accounts})
    )
