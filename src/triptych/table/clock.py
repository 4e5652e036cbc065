"""Clocks: how long a seat may think, and what is left when it has acted. Pure arithmetic in milliseconds.

A clock first uses up the street's (or the deal's) own time, then the player's bank; it takes no notice of whether the
player is connected. Rule: Rules §6 (clock, disconnect); source 002 L31.
"""

from __future__ import annotations

from collections.abc import Mapping

from triptych.deal.memoize import memoize_last
from triptych.deal.state import DealState, HandState, acting_hands
from triptych.rulesets.model import Ruleset, is_closed
from triptych.table.events import ClockStarted, ClockStopped
from triptych.table.state import Clock, Seat, TableState

MS_PER_SECOND = 1000
_SETTING = 13


@memoize_last
def acting_seats(deal: DealState) -> Mapping[int, tuple[int, ...]]:
    """Return the hands from which something is awaited, by seat."""
    seats: dict[int, tuple[int, ...]] = {}
    for hand in acting_hands(deal):
        seat = deal.hands[hand].seat
        seats[seat] = (*seats.get(seat, ()), hand)
    return seats


def start_clock(state: TableState, seat: Seat, hands: tuple[int, ...], now: int) -> ClockStarted:
    """Return a fresh clock for what is awaited from a seat now."""
    rules = state.config.rules
    if rules.clock.kind == "per_deal" or state.deal is None:
        own = seat.deal_ms
    else:
        own = sum(street_ms(rules, state.deal.hands[hand]) for hand in hands)
    street_ends = now + own
    return ClockStarted(now, seat.seat, hands, now, street_ends, street_ends + seat.bank_ms)


def narrow_clock(clock: Clock, hands: tuple[int, ...], now: int) -> ClockStarted:
    """Return the same clock, running on for the hands that are left."""
    return ClockStarted(now, clock.seat, hands, clock.started, clock.street_ends, clock.bank_ends)


def stop_clock(clock: Clock, now: int) -> ClockStopped:
    """Return what a clock leaves in the bank and of its own time when it is stopped."""
    deal_ms = max(0, clock.street_ends - now)
    bank_ms = max(0, clock.bank_ends - max(now, clock.street_ends))
    return ClockStopped(now, clock.seat, bank_ms, deal_ms)


def street_ms(rules: Ruleset, hand: HandState) -> int:
    """Return the time for what a hand has to do now: more for setting thirteen or more cards at once."""
    setting = hand.placing and len(hand.drawn) >= _SETTING
    return (rules.clock.setting if setting else rules.clock.seconds) * MS_PER_SECOND


def deal_ms(rules: Ruleset, fantasyland: int, hands: int) -> int:
    """Return the time for a whole deal of a seat with so many hands, where the clock is `per_deal`."""
    setting = fantasyland or is_closed(rules)
    return (rules.clock.setting if setting else rules.clock.seconds) * MS_PER_SECOND * hands


def refilled_bank(rules: Ruleset, bank_ms: int) -> int:
    """Return a bank after a deal's refill; it never grows above the rules' bank."""
    most = rules.clock.bank * MS_PER_SECOND
    return max(bank_ms, min(most, bank_ms + rules.clock.bank_refill * MS_PER_SECOND))


def bank_resets(rules: Ruleset, deal: int, elapsed: int) -> int:
    """Return how often the banks are full again by a table's `deal`-th deal, `elapsed` ms after its first.

    Rule: Rules §6 (clock.bank_reset); source 002 L31.
    """
    kind, _, number = rules.clock.bank_reset.partition(":")
    if kind == "off":
        return 0
    return (deal - 1) // int(number) if kind == "deals" else elapsed // (int(number) * 60 * MS_PER_SECOND)


def opening_bank(rules: Ruleset, carried: int | None) -> int:
    """Return the bank of a player who sits down: full, or as they carry it from their last table."""
    full = rules.clock.bank * MS_PER_SECOND
    if rules.clock.new_table == "reset" or carried is None:
        return full
    return max(0, min(full, carried))
