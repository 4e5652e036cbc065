"""The players' accounts of a session at a table, and the payments that settle it.

Rule: Rules §6 (stake).

An account has its points by the price that a point had in each deal, so the money is exact when the price changes.
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

_ACCOUNT_EVENTS: Final = frozenset({e.DealSettled, e.MatchEnded, e.PlayerSat, e.ToppedUp, e.PlayerLeft})


def net(payments: Iterable[e.Payment]) -> dict[str, int]:
    """Return each player's sum of payments in points: positive if received, negative if paid."""
    points: dict[str, int] = {}
    for payment in payments:
        points[payment.payee] = points.get(payment.payee, 0) + payment.points
        points[payment.payer] = points.get(payment.payer, 0) - payment.points
    return points


def apply_event(state: TableState, event: e.TableOwnEvent) -> tuple[Account, ...]:
    """Return the accounts after an event, without players who left before a deal.

    `state`: the table before it.
    """
    if type(event) not in _ACCOUNT_EVENTS:
        return state.accounts
    if isinstance(event, e.DealSettled):
        dealt = {state.seats[result.seat].player for result in event.points}
        accounts = tuple(
            replace(account, played=True) if account.player in dealt else account for account in state.accounts
        )
        return _with_payments(accounts, event.payments, PointPrice.from_rules(state.config.rules))
    if isinstance(event, e.MatchEnded):
        return _with_payments(state.accounts, event.payments, PointPrice.from_rules(state.config.rules))
    if isinstance(event, e.PlayerSat):
        old = _account(state, event.player)
        return _with(state, replace(old, name=event.name, brought=old.brought + event.buy_in))
    if isinstance(event, e.ToppedUp | e.PlayerLeft):
        old = _account(state, event.player)
        if isinstance(event, e.ToppedUp):
            return _with(state, replace(old, brought=old.brought + event.points))
        account = replace(old, name=state.seats[event.seat].name, taken=old.taken + event.stack)
        has_result = account.played or account.taken != account.brought
        return _with(state, account) if has_result else _without(state, event.player)
    return state.accounts


def _account(state: TableState, player: str) -> Account:
    return next((account for account in state.accounts if account.player == player), Account(player))


def _with_payments(
    accounts: tuple[Account, ...], payments: tuple[e.Payment, ...], price: PointPrice
) -> tuple[Account, ...]:
    points = net(payments)
    return tuple(
        replace(account, winnings=_add_winnings(account.winnings, price, points[account.player]))
        if points.get(account.player)
        else account
        for account in accounts
    )


def _add_winnings(winnings: tuple[Winnings, ...], price: PointPrice, points: int) -> tuple[Winnings, ...]:
    before = sum(item.points for item in winnings if item.price == price)
    return (*(item for item in winnings if item.price != price), Winnings(price, before + points))


def _without(state: TableState, player: str) -> tuple[Account, ...]:
    return tuple(account for account in state.accounts if account.player != player)


def _with(state: TableState, account: Account) -> tuple[Account, ...]:
    return (*_without(state, account.player), account)


def account_views(state: TableState) -> tuple[AccountView, ...]:
    """Return each player's result so far, in points and in money, the highest first."""
    units = _units(state)
    views = []
    for account in state.accounts:
        seat = seat_of(state, account.player)
        stack = 0 if seat is None else seat.stack
        name = account.name if seat is None else seat.name
        money = tuple([MoneyView(_number(_won(account, unit)), unit) for unit in units])
        views.append(
            AccountView(account.player, name, account.brought, stack + account.taken - account.brought, money)
        )
    return tuple(sorted(views, key=_rank))


def _rank(view: AccountView) -> float:
    # Amounts of different units have no order.
    return -(view.money[0].amount if len(view.money) == 1 else view.points)


def _units(state: TableState) -> tuple[str, ...]:
    """Return the money units of the session's points; empty if points have no price."""
    played_prices = {winnings.price for account in state.accounts for winnings in account.winnings}
    prices = played_prices or {PointPrice.from_rules(state.config.rules)}
    return () if prices == {PointPrice()} else tuple(sorted({price.unit for price in prices}))


def _won(account: Account, unit: str) -> Decimal:
    amounts = (item.price.money(item.points) for item in account.winnings if item.price.unit == unit)
    return sum(amounts, PointPrice().money(0))


def _number(amount: Decimal | float) -> float:
    # A whole number is written as browsers write it, so that a view has the same text on both sides.
    return int(amount) if amount == int(amount) else float(amount)


@lru_cache(maxsize=256)
def settlements(accounts: tuple[Account, ...]) -> tuple[DebtView, ...]:
    """Return the fewest payments that settle the session, by player id, for each money unit."""
    units = sorted({winnings.price.unit for account in accounts for winnings in account.winnings})
    return tuple(
        DebtView(payment.payer, payment.payee, _number(payment.money), unit)
        for unit in units
        for payment in money_payments({account.player: _won(account, unit) for account in accounts})
    )
