"""Fantasyland in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.rules.model import is_closed, max_fantasyland
from triptych.rules.words.pieces import by_rank, listed, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triptych.rules.model import Ruleset


def fantasyland(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about fantasyland; none for a closed game without it."""
    land = rules.fantasyland
    if max_fantasyland(rules) == 0:
        if not is_closed(rules):
            yield "There is no fantasyland."
        return
    yield f"A legal board can earn fantasyland ({land.kind}): the next deal with all cards at once."
    yield from _entry(rules)
    yield "Cards over thirteen are discarded unseen; winning or losing the deal does not matter."
    yield from _repeat(rules)
    if land.order == "after_others":
        yield "The others play first; then the player in fantasyland gets the cards and sets them unseen."
    else:
        yield "The cards come at the start of the deal, and opponents see nothing until the showdown."
    yield f"For a fantasyland deal the button {'stays' if land.button == 'stay' else 'moves on'}."


def _entry(rules: Ruleset) -> Iterator[str]:
    land = rules.fantasyland
    front = [*by_rank(land.pair, 2), *by_rank(land.trips, 3)]
    if front:
        yield f"Cards for the front: {', '.join(front)}."
    if land.best_low:
        yield f"75432 in the middle: {number(land.best_low, 'card')}."
    if land.front_and_low:
        yield f"Both front and middle: {number(land.front_and_low, 'card')}."


def _repeat(rules: Ruleset) -> Iterator[str]:
    land = rules.fantasyland
    ways = [
        way
        for way in (
            {"never": "", "trips": "trips in front"}[land.repeat_front],
            {
                "never": "",
                "full_house": "a full house or better in the middle",
                "above_full_house": "better than a full house in the middle",
                "best_low": "75432 in the middle",
            }[land.repeat_middle],
            {"never": "", "quads": "four of a kind or better in the back"}[land.repeat_back],
        )
        if way
    ]
    if not ways:
        yield "Fantasyland is never repeated."
        return
    cards = "as many cards as at first" if land.repeat_cards == "same" else number(land.repeat_cards, "card")
    yield f"In fantasyland, {listed(ways).replace(' and ', ' or ')} brings another one with {cards}."
    if land.repeat_limit == "none":
        yield "It can be repeated without end."
    else:
        yield f"At most {number(land.repeat_limit, 'repeat')} in a row."
