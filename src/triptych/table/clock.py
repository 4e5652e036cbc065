"""Clocks: the time that a seat has to act, and the rest after it has acted.

Pure arithmetic in milliseconds.

A clock first uses up the street's (or the deal's) own time, then the player's time bank, whether or not the player is
connected. Rule: Rules §6 (clock, disconnect); source 002 L31.
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
    """Return the hands that are to act, by seat."""
    seats: dict[int, tuple[int, ...]] = {}
    for hand in acting_hands(deal):
        seat = deal.hands[hand].seat
        seats[seat] = (*seats.get(seat, ()), hand)
    return seats


def start_clock(state: TableState, seat: Seat, hands: tuple[int, ...], now: int) -> ClockStarted:
    """Return a new clock for the hands of a seat that are to act now."""
    rules = state.config.rules
    if rules.clock.kind == "per_deal" or state.deal is None:
        own = seat.deal_ms
    else:
        own = sum(street_ms(rules, state.deal.hands[hand]) for hand in hands)
    street_ends = now + own
    return ClockStarted(now, seat.seat, hands, now, street_ends, street_ends + seat.bank_ms)


def narrow_clock(clock: Clock, hands: tuple[int, ...], now: int) -> ClockStarted:
    """Return the same clock, running on for the remaining hands."""
    return ClockStarted(now, clock.seat, hands, clock.started, clock.street_ends, clock.bank_ends)


def stop_clock(clock: Clock, now: int) -> ClockStopped:
    """Return the rest of the time bank and of the deal's own time when a clock is stopped."""
    deal_ms = max(0, clock.street_ends - now)
    bank_ms = max(0, clock.bank_ends - max(now, clock.street_ends))
    return ClockStopped(now, clock.seat, bank_ms, deal_ms)


def street_ms(rules: Ruleset, hand: HandState) -> int:
    """Return the time (ms) of a hand's street: longer for setting thirteen or more cards at once."""
    setting = hand.placing and len(hand.drawn) >= _SETTING
    return (rules.clock.setting if setting else rules.clock.seconds) * MS_PER_SECOND


def deal_ms(rules: Ruleset, fantasyland: int, hands: int) -> int:
    """Return the time (ms) of a seat with a number of hands for a whole deal, if the clock is `per_deal`."""
    setting = fantasyland or is_closed(rules)
    return (rules.clock.setting if setting else rules.clock.seconds) * MS_PER_SECOND * hands


def refilled_bank(rules: Ruleset, bank_ms: int) -> int:
    """Return a time bank after a deal's refill, which never fills it above the rules' bank."""
    maximum = rules.clock.bank * MS_PER_SECOND
    return max(bank_ms, min(maximum, bank_ms + rules.clock.bank_refill * MS_PER_SECOND))


def bank_resets(rules: Ruleset, deal: int, elapsed: int) -> int:
    """Return how often the time banks are reset until a table's `deal`-th deal, `elapsed` ms after its first.

    Rule: Rules §6 (clock.bank_reset); source 002 L31.
    """
    kind, _, number = rules.clock.bank_reset.partition(":")
    if kind == "off":
        return 0
    return (deal - 1) // int(number) if kind == "deals" else elapsed // (int(number) * 60 * MS_PER_SECOND)


def opening_bank(rules: Ruleset, carried: int | None) -> int:
    """Return the time bank of a player who sits down: full, or as carried from their last table."""
    full = rules.clock.bank * MS_PER_SECOND
    if rules.clock.new_table == "reset" or carried is None:
        return full
    return max(0, min(full, carried))
