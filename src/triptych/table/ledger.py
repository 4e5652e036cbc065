"""The ledger: every point that moves, from one account to another, read from a table's events alone.

Accounts are `player:<id>` (what a player has outside), `cup:<cup>:<player>` (outside the tables of a tournament: its
chips are nobody's points) and `table:<table>:<player>` (their stack at a table). A player's account goes below zero
while points lie on tables: the sum over all accounts is always 0.
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
    """Return the transfers that events bring, in their order."""
    result: list[Transfer] = []
    for event in events:
        happened: Any = event.event
        reader = _TRANSFERS_OF.get(type(happened))
        if reader is not None:
            result.extend(reader(happened))
    return tuple(result)


def balances(entries: Iterable[Transfer]) -> dict[str, int]:
    """Return what each account holds after the transfers; the sum is 0."""
    held: dict[str, int] = {}
    for entry in entries:
        held[entry.debit] = held.get(entry.debit, 0) - entry.points
        held[entry.credit] = held.get(entry.credit, 0) + entry.points
    return held


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


def _sat(event: e.PlayerSat) -> tuple[Transfer, ...]:
    if not event.buy_in:
        return ()
    account = stack_account(event.table, event.player)
    return (Transfer(_outside(event), account, event.buy_in, "buy_in"),)


def _topped_up(event: e.ToppedUp) -> tuple[Transfer, ...]:
    account = stack_account(event.table, event.player)
    return (Transfer(player_account(event.player), account, event.points, "top_up"),)


def _left(event: e.PlayerLeft) -> tuple[Transfer, ...]:
    if not event.stack:
        return ()
    stack, outside = stack_account(event.table, event.player), _outside(event)
    if event.stack < 0:  # what is owed on the book
        return (Transfer(outside, stack, -event.stack, "cash_out"),)
    return (Transfer(stack, outside, event.stack, "cash_out"),)


def _paid(table: str, payments: Iterable[e.Payment], reason: Literal["deal", "prize"]) -> tuple[Transfer, ...]:
    return tuple(
        Transfer(stack_account(table, paid.payer), stack_account(table, paid.payee), paid.points, reason)
        for paid in payments
    )


def _settled(event: e.DealSettled) -> tuple[Transfer, ...]:
    return _paid(event.table, event.payments, "deal")


def _match_ended(event: e.MatchEnded) -> tuple[Transfer, ...]:
    return _paid(event.table, event.payments, "prize")


_TRANSFERS_OF: dict[type, Callable[[Any], tuple[Transfer, ...]]] = {
    e.PlayerSat: _sat,
    e.ToppedUp: _topped_up,
    e.PlayerLeft: _left,
    e.DealSettled: _settled,
    e.MatchEnded: _match_ended,
}
