"""Contradictions in what a set of rules says of the room: seats and buy-in, clock, match, tournament."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from triptych.rulesets.diagnostics import Diagnostic, error, warning
from triptych.rulesets.model import Ruleset, bankroll_mode, is_tournament

_HEADS_UP: Final = 2


def seats(rules: Ruleset) -> Iterator[Diagnostic]:
    """Players and their buy-in."""
    seats = rules.seats
    if seats.min > seats.max:
        yield error("seats", "seats.min", f"{seats.min} players are needed, but there are only {seats.max} seats")
    if seats.buy_in_min > seats.buy_in_max:
        message = f"the least buy-in, {seats.buy_in_min}, is above the most, {seats.buy_in_max}"
        yield error("buy_in", "seats.buy_in_min", message)
    if rules.deal.game == "criss_cross" and seats.max != _HEADS_UP:
        yield error("criss_cross_seats", "seats.max", "criss-cross is for two players; set seats.max to 2")


def clock(rules: Ruleset) -> Iterator[Diagnostic]:
    """The time bank."""
    if rules.clock.bank_refill > rules.clock.bank:
        message = f"{rules.clock.bank_refill} seconds come back to a bank of {rules.clock.bank}"
        yield warning("bank", "clock.bank_refill", message)


def levels(rules: Ruleset) -> Iterator[Diagnostic]:
    """The levels of a tournament."""
    levels, chips = rules.tournament.levels, rules.tournament.chips_per_point
    path = "tournament.chips_per_point"
    if levels != "off" and not chips:
        yield error("levels", path, "a tournament with levels needs the chips of each level, such as [1, 2, 4]")
    elif levels == "off" and chips:
        yield warning("levels", path, "there are no levels; this has no effect")
    elif any(later <= earlier for earlier, later in pairwise(chips)):
        yield warning("levels", path, "a level should raise what a point is worth")


def prize(rules: Ruleset) -> Iterator[Diagnostic]:
    """The prize of a match."""
    prize, (kind, _, count) = rules.match.prize, rules.match.kind.partition(":")
    if not prize:
        return
    most = int(count or 0) if prize == "short" else prize
    if kind != "points":
        message = f"a prize is for the first with so many points, but the match is {rules.match.kind}; use points:N"
        yield warning("prize", "match.prize", message)
    elif most > rules.seats.buy_in_min and bankroll_mode(rules) == "stacks":
        message = f"a prize of up to {most} points cannot be paid from a buy-in of {rules.seats.buy_in_min}"
        yield warning("prize", "match.prize", message)


def tournament(rules: Ruleset) -> Iterator[Diagnostic]:
    """Equal chips for all."""
    seats = rules.seats
    if not is_tournament(rules):
        return
    if bankroll_mode(rules) != "stacks":
        message = "a tournament is played with chips; keep no book, and give first to 11 a prize"
        yield error("tournament", "tournament.levels", message)
    if seats.buy_in_min != seats.buy_in_max:
        message = f"a tournament has one buy-in for all; set seats.buy_in_min to {seats.buy_in_max} as well"
        yield error("tournament", "seats.buy_in_min", message)
