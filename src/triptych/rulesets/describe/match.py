"""Match, stakes and time in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from triptych.rulesets.describe.phrases import count_text, join_with_and
from triptych.rulesets.model import Ruleset, bankroll_mode, is_tournament, max_fantasyland_cards


def match(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about the match, buy-in, stakes and levels."""
    kind, _, count = rules.match.kind.partition(":")
    lands = bool(max_fantasyland_cards(rules))
    yield {
        "deal_group": f"A match is one deal{' and its fantasylands' if lands else ''}.",
        "orbit": (
            "A match is one orbit (each player has the button once) and its fantasylands."
            if lands
            else "A match is one orbit: each player has the button once."
        ),
        "endless": "A match goes on until the players stop.",
        "deals": f"A match is {count_text(int(count or 0), 'deal')}.",
        "points": f"First to {count_text(int(count or 0), 'point')} wins the match.",
    }[kind]
    yield from _prize(rules)
    yield from _bankroll(rules)
    if bankroll_mode(rules) != "count":
        yield f"Each point is worth {price(rules)}."
    yield from _settlement(rules)
    if rules.match.show_all:
        yield "When the match is over, discards and hidden cards are shown to all."
    if rules.tournament.levels != "off":
        yield from _levels(rules)


def price(rules: Ruleset) -> str:
    """Return what a point costs: "0.5 EUR"."""
    amount = f"{Decimal(repr(rules.stake.point)):f}".removesuffix(".0")
    return amount if rules.stake.unit == "point" else f"{amount} {rules.stake.unit}"


def _prize(rules: Ruleset) -> Iterator[str]:
    prize, (kind, _, goal) = rules.match.prize, rules.match.kind.partition(":")
    if prize and kind == "points":
        each = (
            f"as many points as the opponent is short of {goal}" if prize == "short" else count_text(prize, "point")
        )
        yield f"The winner of a match gets from each opponent {each}."


def _bankroll(rules: Ruleset) -> Iterator[str]:
    low, high = rules.seats.buy_in_min, rules.seats.buy_in_max
    if bankroll_mode(rules) == "count":
        yield "Scores only: nobody buys in, and no points change hands."
    elif bankroll_mode(rules) == "book":
        yield "Nobody buys in."
    elif is_tournament(rules):
        yield f"Everyone starts with {count_text(high, 'point')}. No rebuys: at 0 you’re out."
        yield "Absent players are still dealt in; their cards are placed automatically."
        after = ", after the pending fantasylands" if max_fantasyland_cards(rules) else ""
        yield f"Players out in one deal are placed by what they had at its start{after}."
    else:
        but = ", but not before a fantasyland" if max_fantasyland_cards(rules) else ""
        yield f"Buy in with {low} to {high} points; add to them between deals{but}."
        yield f"A player with none left comes back with at least {low} when the match is over."


def _settlement(rules: Ruleset) -> Iterator[str]:
    settlement, plays_with = rules.settlement, bankroll_mode(rules)
    if plays_with == "book":
        yield "Points are a running balance that can go negative; settle up at the end of the session."
    elif plays_with == "stacks":
        yield {
            "none": "There is no limit to what you can win or lose.",
            "min_stack_at_start": (
                "You can’t win or lose more per opponent than the smaller stack at the start of the deal."
            ),
            "min_current": "You can’t win or lose more per opponent than the smaller stack when you settle.",
        }[settlement.cap]
        if rules.deal.game == "criss_cross":
            yield "All four boards are added up first, then paid up to the stack limit."
        if settlement.after_bust == "continue":
            yield "A player who runs out of points still collects from later pairs."
        else:
            yield "A player who runs out of points neither pays nor collects any more."
    if settlement.loss_limit:
        most = count_text(settlement.loss_limit, "point")
        yield f"No one loses more than {most} in a deal; what exceeds it is cut from the last payments first."


def _levels(rules: Ruleset) -> Iterator[str]:
    kind, _, count = rules.tournament.levels.partition(":")
    chips = join_with_and([str(each) for each in rules.tournament.chips_per_point]) or "no"
    length = count_text(int(count), kind.removesuffix("s"))
    yield f"Each level lasts {length}; a point is worth {chips} chips in turn."


def clock(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about the clock and what follows when it has run out."""
    time = rules.clock
    if time.kind == "none":
        yield "There is no clock."
    else:
        span = "each street" if time.kind == "per_street" else "a whole deal"
        yield f"A player has {count_text(time.seconds, 'second')} for {span}."
        yield f"Setting thirteen or more cards at once has {count_text(time.setting, 'second')}."
        yield f"Then a {time.bank}-second time bank is used; it refills by {time.bank_refill} seconds per deal."
        kind, _, count = time.bank_reset.partition(":")
        if kind != "off":
            yield f"It is full again every {count_text(int(count), kind.removesuffix('s'))}."
        yield f"At a new table the time bank is {'full again' if time.new_table == 'reset' else 'as it was'}."
    yield {
        "received_back_first": "When time is out, cards are placed in the order received: back, middle, front.",
        "foul": "When time is out, the board is fouled.",
        "best_legal": "When time is out, cards are placed as the best legal board.",
    }[rules.timeout.layout]
    if rules.timeout.layout != "foul":
        yield "Cards the player had already arranged stay; only the others are placed this way."
    lands = bool(max_fantasyland_cards(rules))
    pending = " and of pending fantasylands" if lands else ""
    if rules.timeout.scope == "deal":
        yield f"The rest of the deal{pending} is placed at once too, until the player is back."
    else:
        yield f"If a player is away, the rest of their deal{pending} is placed at once."
    played = ", once pending fantasylands are played" if lands else ""
    yield {
        "sit_out": f"The player then sits out{played}.",
        "end_match": f"The match then ends{played}.",
        "none": "There is no further penalty.",
    }[rules.timeout.after]
