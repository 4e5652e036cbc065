"""Points, royalties, naturals and surrender in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from triptych.i18n.messages import Message, join_with_commas
from triptych.rulesets.describe.phrases import points_by_rank, table_text
from triptych.rulesets.model import FiveRoyalties, LowRoyalties, Ruleset, is_closed
from triptych.rulesets.validate import loss_and_scoop


def points(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about points for rows."""
    scoring = rules.scoring
    tied = "_tied" if rules.rows.tie_break == "none" else ""
    if scoring.pairs == "banker":
        yield Message("rules.points.banker")
        yield Message(f"rules.points.with_banker{tied}")
    elif scoring.rows != "first_to_11":
        yield Message(f"rules.points.with_all{tied}")
    yield _custom(rules) if scoring.rows == "custom" else Message(f"rules.points.{scoring.rows}")
    if scoring.rows.startswith("match"):
        yield Message(f"rules.points.match_tied.{scoring.match_tied}")
    if scoring.scoop_doubles:
        yield Message(f"rules.points.scoop_doubles.{scoring.doubles}")
    if scoring.home_run_doubles:
        doubled_again = "them_again" if scoring.doubles == "rows" else "it_again"
        doubled = Message(f"rules.points.doubled.{doubled_again if scoring.scoop_doubles else scoring.doubles}")
        yield Message(f"rules.points.home_run{'_banker' if scoring.pairs == 'banker' else ''}", what=doubled)


def _custom(rules: Ruleset) -> str:
    front, middle, back = rules.scoring.points
    bonus = rules.scoring.bonus
    if front == middle == back:
        if bonus:
            return Message("rules.points.same_bonus", points=front, bonus=bonus)
        return Message("rules.points.same", points=front)
    if bonus:
        return Message("rules.points.rows_bonus", front=front, middle=middle, back=back, bonus=bonus)
    return Message("rules.points.rows", front=front, middle=middle, back=back)


_FIVES: Final = ("trips", "straight", "flush", "full_house", "quads", "straight_flush", "royal_flush")
_LOWS: Final = ("nine", "eight", "seven", "best")


def royalties(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about royalties."""
    table = rules.royalties.table
    rows = [line for line in _royalty_rows(rules) if line]
    if not rows:
        yield Message("rules.royalties.none")
        return
    yield Message("rules.royalties.table", table=table_text(table.name))
    yield from rows
    yield from _five_of_a_kind(rules)
    yield Message(f"rules.royalties.{'difference' if rules.royalties.rule == 'difference' else 'winner'}")
    if rules.royalties.deuce_of_spades:
        yield Message("rules.royalties.deuce_of_spades")
    if rules.royalties.one_per_board:
        yield Message("rules.royalties.one_per_board")
    if is_closed(rules) and rules.royalties.broken_up == "paid":
        yield Message("rules.royalties.broken_up")
    if is_closed(rules) and rules.royalties.declare == "must":
        yield Message("rules.royalties.declare")


def _royalty_rows(rules: Ruleset) -> Iterator[str]:
    table = rules.royalties.table
    yield _line("back", _hands(table.back, _FIVES))
    if rules.rows.middle == "deuce_to_seven":
        yield _line("middle", _hands(table.low, _LOWS))
    else:
        yield _line("middle", _hands(table.middle, _FIVES))
    yield _line("front", [*points_by_rank(table.front.pair, 2), *points_by_rank(table.front.trips, 3)])


def _hands(row: FiveRoyalties | LowRoyalties, kinds: tuple[str, ...]) -> list[str]:
    return [Message(f"rules.royalties.hand.{kind}", points=price) for kind in kinds if (price := getattr(row, kind))]


def _five_of_a_kind(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about the royalties of five of a kind, if jokers can make it."""
    table = rules.royalties.table
    if not (rules.deal.jokers and rules.rows.five_of_a_kind):
        return
    rows = (
        {"back": table.back}
        if rules.rows.middle == "deuce_to_seven"
        else {"back": table.back, "middle": table.middle}
    )
    if all(row.five_of_a_kind == "as_royal" for row in rows.values()):
        yield Message("rules.royalties.five_as_royal")
        return
    for name, row in rows.items():
        price = row.royal_flush if row.five_of_a_kind == "as_royal" else row.five_of_a_kind
        yield Message("rules.royalties.five", row=Message(f"row.{name}"), points=price)


def _line(row: str, parts: list[str]) -> str:
    return Message(f"rules.royalties.{row}", hands=join_with_commas(parts)) if parts else ""


def naturals(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about naturals; none for an open game."""
    if not is_closed(rules):
        return
    options = rules.naturals
    units = {entry.kind: entry.units for entry in options.table.entries}
    additional = (*options.also, *([options.no_pictures] if options.no_pictures != "off" else []))
    prices = [*units.items(), *((kind, options.also_units) for kind in additional if kind not in units)]
    if not prices:
        yield Message("rules.naturals.none")
        return
    yield Message("rules.naturals.paid")
    yield Message("rules.naturals.order")
    yield Message("rules.naturals.timeout")
    for kind, price in prices:
        yield Message("rules.naturals.units", natural=Message(f"rules.natural.{kind}"), units=price)
    if {"three_flushes", "three_straights", "three_straight_flushes"} & {kind for kind, _ in prices}:
        yield Message(f"rules.naturals.claim.{options.claim}")
    yield Message(f"rules.naturals.rule.{options.table.rule}")
    yield Message("rules.naturals.same_kind")


def surrender(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about surrender; none for an open game."""
    if not is_closed(rules):
        return
    price = rules.surrender.points
    if not price:
        yield Message("rules.surrender.none")
        return
    loss, scoop = loss_and_scoop(rules)
    yield Message("rules.surrender.turns")
    yield Message("rules.surrender.price", points=price, loss=loss, scoop=scoop)
