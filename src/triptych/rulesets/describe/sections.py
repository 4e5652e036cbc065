"""The rules in plain words: short sentences under a few headings, complete enough to play by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from triptych.rulesets.describe.fantasyland import fantasyland
from triptych.rulesets.describe.match import clock, match
from triptych.rulesets.describe.phrases import count_text, join_with_and
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
    """Return the rules as sentences under headings; a heading without sentences is left out."""
    found = (Section(heading, tuple(part(rules))) for heading, part in _PARTS.items())
    return tuple(section for section in found if section.sentences)


_GAMES: Final = {
    "closed": "Thirteen cards are dealt to each player at once and set in secret into three rows.",
    "classic": "Each player gets five cards, then one card eight times, and places them face up in three rows.",
    "turbo": "Each player gets five cards, then four, then four, and places them face up in three rows.",
    "pineapple": (
        "Each player gets five cards and places them face up in three rows; "
        "then, four times, three cards: two are placed and one is discarded face down."
    ),
    "criss_cross": (
        "Two players get two hands of thirteen cards each and set them in secret. "
        "Cards can’t be moved between the two boards. Each board plays against both of the opponent’s."
    ),
}


def describe_deal(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about how the cards come."""
    seats, jokers = rules.seats, rules.deal.jokers
    yield f"For {seats.min} players." if seats.min == seats.max else f"For {seats.min} to {seats.max} players."
    more = f" plus {count_text(jokers, 'joker')}" if jokers else ""
    yield f"The deck has 52 cards{more}."
    yield _GAMES[rules.deal.game]
    yield "The front has three cards, the middle and the back five each."
    if is_closed(rules):
        return
    yield "The player to the button’s left acts first, then clockwise; you get your cards when it’s your turn."
    if rules.deal.first_cards == "all":
        yield "Everyone gets the first five cards before play begins; opponents see them as you place them."
    live = rules.deal.first_street == "live"
    yield f"The first five cards are seen by all {'as they are moved' if live else 'once the player is ready'}."
    yield "Until a player is ready, the cards of the street may be moved; after that they stay."


def _rows(rules: Ruleset) -> Iterator[str]:
    rows = rules.rows
    if rows.middle == "deuce_to_seven":
        yield from describe_low(rules)
    else:
        yield f"The back must {_order(rows.order)} the middle, and the middle must {_order(rows.order)} the front."
    yield "The front counts only high cards, pairs and trips."
    place = "below every other straight" if rows.wheel == "lowest" else "between K-Q-J-T-9 and A-K-Q-J-T"
    yield f"The straight A-2-3-4-5 ranks {place}."
    yield from describe_ties(rules)
    if rules.deal.jokers:
        yield from describe_jokers(rules)


def describe_low(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about a deuce-to-seven middle."""
    limit = {
        "ten": "ten-low or better without pair, straight or flush",
        "none": "any middle is legal, and pairs, straights and flushes only make it a worse low",
    }[rules.rows.low_limit]
    yield f"The middle is played deuce-to-seven low: {limit}, the ace is high, and the lower wins."
    yield f"The back must {_order(rules.rows.order)} the front; the front may be better than the middle."


_SUITS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def describe_ties(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about equal rows of two boards."""
    if rules.rows.tie_break == "none":
        yield "Suits never break a tie."
        return
    suits = join_with_and([_SUITS[suit] for suit in rules.rows.suits])
    yield "Equal rows of two boards are decided by the suit of their highest card, then of the next."
    yield f"From low to high the suits are {suits}."
    if rules.rows.middle == "deuce_to_seven":
        yield "In the middle the lower suit wins."
    yield "Whether a board is in order, and which of two naturals is higher, never depends on suits."


def _order(order: str) -> str:
    return "be as good as, or better than," if order == "ge" else "be better than"


def describe_jokers(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about what a joker stands for."""
    own = "" if rules.rows.joker_domain == "any" else " that is not on the same board"
    yield f"A joker stands for any card{own}."
    yield {
        "best_legal": "Jokers are read to make the board legal if possible, then the back, middle and front "
        "as high as possible.",
        "best_total": "Jokers are read as the legal board with the most royalties.",
        "best_row": "A joker always makes its own row as strong as possible, even if the board then fouls.",
    }[rules.rows.joker_value]
    if rules.rows.five_of_a_kind:
        yield "Four of a kind and a joker are five of a kind, the best row of all."
    else:
        yield "Five of a kind doesn’t exist."


def _foul(rules: Ruleset) -> Iterator[str]:
    foul = rules.foul
    if foul.scope == "rows":
        yield "Rows out of order are lost; the other rows are compared."
    else:
        cost = "the value of a scoop" if foul.points == "scoop" else count_text(foul.points, "point")
        yield f"A board out of order fouls and pays {cost} to each opponent with a legal board."
    if foul.pays_royalties:
        yield "The opponents' royalties are paid as well."
    else:
        yield "The opponents' royalties are not paid."
    gain = "no royalties or fantasyland" if not is_closed(rules) else "no royalties"
    yield f"A foul earns {gain}. Two players who foul don’t pay each other."
    if foul.still_plays:
        yield "A fouled board is still shown and counts for opponents’ naturals and home runs."


_PARTS: Final[dict[str, Callable[[Ruleset], Iterator[str]]]] = {
    "The deal": describe_deal,
    "Rows": _rows,
    "Fouls": _foul,
    "Points": points,
    "Royalties": royalties,
    "Naturals": naturals,
    "Surrender": surrender,
    "Fantasyland": fantasyland,
    "Match and stakes": match,
    "Time": clock,
}
