"""The ledger: every transfer of points between accounts, computed from a table's events alone.

Accounts are `player:<id>` (a player outside the tables), `cup:<cup>:<player>` (a player of a tournament outside its
tables: its chips are not points) and `table:<table>:<player>` (their stack at a table). A player's account is below
zero while they have points at tables: the sum over all accounts is always 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

from msgspec import Struct

from triptych.table import events as e


class Transfer(Struct, frozen=True):
    """`points` (at least 1) leave the account `debit` and arrive in the account `credit`."""

    debit: str
    credit: str
    points: int
    reason: Literal["buy_in", "top_up", "deal", "prize", "cash_out"]


def transfers(events: Iterable[e.TableEvent]) -> tuple[Transfer, ...]:
    """Return the transfers of events, in their order."""
    result: list[Transfer] = []
    for event in events:
        own_event: Any = event.event
        reader = _TRANSFERS_OF.get(type(own_event))
        if reader is not None:
            result.extend(reader(own_event))
    return tuple(result)


def balances(entries: Iterable[Transfer]) -> dict[str, int]:
    """Return the balance of each account after the transfers; their sum is 0."""
    result: dict[str, int] = {}
    for entry in entries:
        result[entry.debit] = result.get(entry.debit, 0) - entry.points
        result[entry.credit] = result.get(entry.credit, 0) + entry.points
    return result


def player_account(player: str) -> str:
    """Return the account of a player outside the tables."""
    return f"player:{player}"


def stack_account(table: str, player: str) -> str:
    """Return the account of a player's stack at a table."""
    return f"table:{table}:{player}"


def cup_account(cup: str, player: str) -> str:
    """Return the account of a player's chips in a tournament outside its tables."""
    return f"cup:{cup}:{player}"


def _outside(event: e.PlayerSat | e.PlayerLeft) -> str:
    return cup_account(event.cup, event.player) if event.cup else player_account(event.player)


def _player_sat(event: e.PlayerSat) -> tuple[Transfer, ...]:
    if not event.buy_in:
        return ()
    account = stack_account(event.table, event.player)
    return (Transfer(_outside(event), account, event.buy_in, "buy_in"),)


def _topped_up(event: e.ToppedUp) -> tuple[Transfer, ...]:
    account = stack_account(event.table, event.player)
    return (Transfer(player_account(event.player), account, event.points, "top_up"),)


def _player_left(event: e.PlayerLeft) -> tuple[Transfer, ...]:
    if not event.stack:
        return ()
    stack, outside = stack_account(event.table, event.player), _outside(event)
    if event.stack < 0:  # a debt in a ledger
        return (Transfer(outside, stack, -event.stack, "cash_out"),)
    return (Transfer(stack, outside, event.stack, "cash_out"),)


def _transfers(table: str, payments: Iterable[e.Payment], reason: Literal["deal", "prize"]) -> tuple[Transfer, ...]:
    return tuple(
        Transfer(stack_account(table, paid.payer), stack_account(table, paid.payee), paid.points, reason)
        for paid in payments
    )


_TRANSFERS_OF: dict[type, Callable[[Any], tuple[Transfer, ...]]] = {
    e.PlayerSat: _player_sat,
    e.ToppedUp: _topped_up,
    e.PlayerLeft: _player_left,
    e.DealSettled: lambda event: _transfers(event.table, event.payments, "deal"),
    e.MatchEnded: lambda event: _transfers(event.table, event.payments, "prize"),
}
