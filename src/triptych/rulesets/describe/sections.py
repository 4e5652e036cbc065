"""Describe rules in short sentences under headings, completely enough to play by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from triptych.i18n.messages import Message, join_with_and
from triptych.rulesets.describe.fantasyland import fantasyland
from triptych.rulesets.describe.match import clock, match
from triptych.rulesets.describe.scoring import naturals, points, royalties, surrender
from triptych.rulesets.model import Ruleset, is_closed
from triptych.rulesets.options import OPTIONS, Choice, Option

__all__ = ["OPTIONS", "Choice", "Option", "Section", "describe", "sections"]


class Section(Struct, frozen=True):
    """A heading and its sentences."""

    heading: str
    sentences: tuple[str, ...]


def describe(rules: Ruleset) -> tuple[str, ...]:
    """Return the rules as plain sentences, in the order of play."""
    return tuple(sentence for section in sections(rules) for sentence in section.sentences)


def sections(rules: Ruleset) -> tuple[Section, ...]:
    """Return the rules as sentences under headings; headings without sentences are left out."""
    result = (
        Section(Message(f"rules.heading.{part}"), tuple(sentences(rules))) for part, sentences in _PARTS.items()
    )
    return tuple(section for section in result if section.sentences)


def describe_deal(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about the deal."""
    seats, jokers = rules.seats, rules.deal.jokers
    if seats.min == seats.max:
        yield Message("rules.deal.players", count=seats.min)
    else:
        yield Message("rules.deal.players_range", least=seats.min, most=seats.max)
    yield Message("rules.deal.deck_jokers", jokers=jokers) if jokers else Message("rules.deal.deck")
    yield Message(f"rules.deal.game.{rules.deal.game}")
    yield Message("rules.deal.rows")
    if is_closed(rules):
        return
    yield Message("rules.deal.turns")
    if rules.deal.first_cards == "all":
        yield Message("rules.deal.first_cards_all")
    yield Message(f"rules.deal.first_street_{rules.deal.first_street}")
    yield Message("rules.deal.ready")


def _rows(rules: Ruleset) -> Iterator[str]:
    rows = rules.rows
    if rows.middle == "deuce_to_seven":
        yield from describe_low(rules)
    else:
        yield Message(f"rules.rows.order.{rows.order}")
    yield Message("rules.rows.front")
    yield Message(f"rules.rows.wheel.{rows.wheel}")
    yield from describe_ties(rules)
    if rules.deal.jokers:
        yield from describe_jokers(rules)


def describe_low(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about a deuce-to-seven middle."""
    yield Message(f"rules.rows.low.{rules.rows.low_limit}")
    yield Message(f"rules.rows.low_order.{rules.rows.order}")


_SUITS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def describe_ties(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about equal rows of two boards."""
    if rules.rows.tie_break == "none":
        yield Message("rules.rows.no_suits")
        return
    suits = join_with_and([Message(f"suit.{_SUITS[suit]}") for suit in rules.rows.suits])
    yield Message("rules.rows.suits")
    yield Message("rules.rows.suit_order", suits=suits)
    if rules.rows.middle == "deuce_to_seven":
        yield Message("rules.rows.low_suits")
    yield Message("rules.rows.suits_elsewhere")


def describe_jokers(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about jokers."""
    yield Message(f"rules.rows.joker.{'any' if rules.rows.joker_domain == 'any' else 'other'}")
    yield Message(f"rules.rows.joker_value.{rules.rows.joker_value}")
    five = rules.rows.five_of_a_kind
    yield Message("rules.rows.five_of_a_kind") if five else Message("rules.rows.no_five_of_a_kind")


def _foul(rules: Ruleset) -> Iterator[str]:
    foul = rules.foul
    if foul.scope == "rows":
        yield Message("rules.foul.rows")
    elif foul.points == "scoop":
        yield Message("rules.foul.scoop")
    else:
        yield Message("rules.foul.points", points=foul.points)
    yield Message("rules.foul.royalties") if foul.pays_royalties else Message("rules.foul.no_royalties")
    yield Message("rules.foul.earns_nothing_closed") if is_closed(rules) else Message("rules.foul.earns_nothing")
    if foul.still_plays:
        yield Message("rules.foul.still_plays")


_PARTS: Final[dict[str, Callable[[Ruleset], Iterator[str]]]] = {
    "deal": describe_deal,
    "rows": _rows,
    "fouls": _foul,
    "points": points,
    "royalties": royalties,
    "naturals": naturals,
    "surrender": surrender,
    "fantasyland": fantasyland,
    "match": match,
    "time": clock,
}
