"""Match, stakes and time in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from triptych.i18n.messages import Message, join_with_and
from triptych.rulesets.model import Ruleset, bankroll_mode, is_tournament, max_fantasyland_cards


def match(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about the match, buy-in, stakes and levels."""
    kind, _, count = rules.match.kind.partition(":")
    has_fantasyland = bool(max_fantasyland_cards(rules))
    if kind in ("deals", "points"):
        yield Message(f"rules.match.{kind}", count=int(count))
    elif kind == "endless":
        yield Message("rules.match.endless")
    else:
        yield Message(f"rules.match.{kind}{'_lands' if has_fantasyland else ''}")
    yield from _prize(rules)
    yield from _bankroll(rules)
    if bankroll_mode(rules) != "count":
        yield Message("rules.match.price", price=price(rules))
    yield from _settlement(rules)
    if rules.match.show_all:
        yield Message("rules.match.show_all")
    if rules.tournament.levels != "off":
        yield from _levels(rules)


def price(rules: Ruleset) -> str:
    """Return the price of a point: "0.5 EUR"."""
    amount = Fraction(repr(rules.stake.point))
    unit = rules.stake.unit
    return (
        Message("stake.points", amount=amount)
        if unit == "point"
        else Message("stake.money", amount=amount, unit=unit)
    )


def _prize(rules: Ruleset) -> Iterator[str]:
    prize, (kind, _, goal) = rules.match.prize, rules.match.kind.partition(":")
    if not prize or kind != "points":
        return
    if prize == "short":
        yield Message("rules.match.prize_short", goal=int(goal))
    else:
        yield Message("rules.match.prize", points=prize)


def _bankroll(rules: Ruleset) -> Iterator[str]:
    low, high = rules.seats.buy_in_min, rules.seats.buy_in_max
    suffix = "_lands" if max_fantasyland_cards(rules) else ""
    if bankroll_mode(rules) == "count":
        yield Message("rules.match.count")
    elif bankroll_mode(rules) == "book":
        yield Message("rules.match.book")
    elif is_tournament(rules):
        yield Message("rules.match.tournament", points=high)
        yield Message("rules.match.absent")
        yield Message(f"rules.match.places{suffix}")
    else:
        yield Message(f"rules.match.buy_in{suffix}", least=low, most=high)
        yield Message("rules.match.rebuy", least=low)


def _settlement(rules: Ruleset) -> Iterator[str]:
    settlement, mode = rules.settlement, bankroll_mode(rules)
    if mode == "book":
        yield Message("rules.settlement.book")
    elif mode == "stacks":
        yield Message(f"rules.settlement.cap.{settlement.cap}")
        if rules.deal.game == "criss_cross":
            yield Message("rules.settlement.criss_cross")
        yield Message(f"rules.settlement.bust.{settlement.after_bust}")
    if settlement.loss_limit:
        yield Message("rules.settlement.loss_limit", points=settlement.loss_limit)


def _levels(rules: Ruleset) -> Iterator[str]:
    kind, _, count = rules.tournament.levels.partition(":")
    chips = join_with_and([str(chips) for chips in rules.tournament.chips_per_point]) or "0"
    yield Message(f"rules.levels.{kind}", count=int(count), chips=chips)


def clock(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about the clock and the consequences when it has run out."""
    time = rules.clock
    if time.kind == "none":
        yield Message("rules.clock.none")
    else:
        yield Message(f"rules.clock.{time.kind}", seconds=time.seconds)
        yield Message("rules.clock.setting", seconds=time.setting)
        yield Message("rules.clock.bank", seconds=time.bank, refill=time.bank_refill)
        kind, _, count = time.bank_reset.partition(":")
        if kind != "off":
            yield Message(f"rules.clock.reset_{kind}", count=int(count))
        yield Message(f"rules.clock.new_table.{time.new_table}")
    yield Message(f"rules.timeout.layout.{rules.timeout.layout}")
    if rules.timeout.layout != "foul":
        yield Message("rules.timeout.arranged")
    suffix = "_lands" if max_fantasyland_cards(rules) else ""
    yield Message(f"rules.timeout.{'deal' if rules.timeout.scope == 'deal' else 'away'}{suffix}")
    yield Message(f"rules.timeout.after.{rules.timeout.after}{'' if rules.timeout.after == 'none' else suffix}")
