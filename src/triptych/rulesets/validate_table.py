"""Check the options of a table for contradictions: seats and buy-in, clock, match, tournament."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from triptych.i18n.messages import Message
from triptych.rulesets.diagnostics import Diagnostic, error, warning
from triptych.rulesets.model import Ruleset, bankroll_mode, is_tournament

_HEADS_UP: Final = 2


def seats(rules: Ruleset) -> Iterator[Diagnostic]:
    """Check the number of players and the buy-in."""
    seats = rules.seats
    if seats.min > seats.max:
        yield error("seats", "seats.min", Message("check.seats", least=seats.min, most=seats.max))
    if seats.buy_in_min > seats.buy_in_max:
        message = Message("check.buy_in", least=seats.buy_in_min, most=seats.buy_in_max)
        yield error("buy_in", "seats.buy_in_min", message)
    if rules.deal.game == "criss_cross" and seats.max != _HEADS_UP:
        yield error("criss_cross_seats", "seats.max", Message("check.criss_cross_seats"))


def clock(rules: Ruleset) -> Iterator[Diagnostic]:
    """Check the time bank."""
    if rules.clock.bank_refill > rules.clock.bank:
        message = Message("check.bank", refill=rules.clock.bank_refill, bank=rules.clock.bank)
        yield warning("bank", "clock.bank_refill", message)


def levels(rules: Ruleset) -> Iterator[Diagnostic]:
    """Check the levels of a tournament."""
    levels, chips = rules.tournament.levels, rules.tournament.chips_per_point
    path = "tournament.chips_per_point"
    if levels != "off" and not chips:
        yield error("levels", path, Message("check.levels_chips"))
    elif levels == "off" and chips:
        yield warning("levels", path, Message("check.levels_none"))
    elif any(later <= earlier for earlier, later in pairwise(chips)):
        yield warning("levels", path, Message("check.levels_order"))


def prize(rules: Ruleset) -> Iterator[Diagnostic]:
    """Check the prize of a match."""
    prize, (kind, _, count) = rules.match.prize, rules.match.kind.partition(":")
    if not prize:
        return
    points = int(count or 0) if prize == "short" else prize
    if kind != "points":
        yield warning("prize", "match.prize", Message("check.prize_kind", kind=rules.match.kind))
    elif points > rules.seats.buy_in_min and bankroll_mode(rules) == "stacks":
        message = Message("check.prize_buy_in", points=points, buy_in=rules.seats.buy_in_min)
        yield warning("prize", "match.prize", message)


def tournament(rules: Ruleset) -> Iterator[Diagnostic]:
    """Check that all players of a tournament have equal chips."""
    seats = rules.seats
    if not is_tournament(rules):
        return
    if bankroll_mode(rules) != "stacks":
        yield error("tournament", "tournament.levels", Message("check.tournament_chips"))
    if seats.buy_in_min != seats.buy_in_max:
        yield error("tournament", "seats.buy_in_min", Message("check.tournament_buy_in", points=seats.buy_in_max))
