"""Fantasyland in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from triptych.rulesets.conditions import conjuncts
from triptych.rulesets.describe.phrases import count_text, join_with_and
from triptych.rulesets.hand_names import describe_hand
from triptych.rulesets.model import Fantasyland, FantasylandEntry, FantasylandRepeat, Ruleset, is_closed


def fantasyland(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about fantasyland; none for a closed game without it."""
    land = rules.fantasyland
    if not land.entry:
        if land.kind != Fantasyland().kind:
            yield f"There is no fantasyland: {land.kind} has no condition that leads into it."
        elif not is_closed(rules):
            yield "There is no fantasyland."
        return
    yield f"A legal board can earn fantasyland ({land.kind}): the next deal with all cards at once."
    yield from _entry(land.entry)
    yield "Cards over thirteen are discarded unseen; winning or losing the deal does not matter."
    yield from _repeat(rules)
    if land.order == "after_others":
        yield "The others play first; then the player in fantasyland gets the cards and sets them unseen."
    else:
        yield "The cards come at the start of the deal, and opponents see nothing until the showdown."
    yield f"For a fantasyland deal the button {'stays' if land.button == 'stay' else 'moves on'}."


def _entry(conditions: Sequence[FantasylandEntry]) -> Iterator[str]:
    if len(same := {condition.cards for condition in conditions}) == 1:
        yield f"It is earned by {_ways(conditions)}, with {count_text(same.pop(), 'card')}."
    else:
        yield f"It is earned by {_ways_with_cards(conditions)}; of several the most cards count."


def _repeat(rules: Ruleset) -> Iterator[str]:
    land = rules.fantasyland
    if not land.repeat or land.repeat_limit == 0:
        yield "Fantasyland is never repeated."
        return
    if len({condition.cards for condition in land.repeat}) == 1:
        yield f"Repeat fantasyland with {_cards(land.repeat[0])} by {_ways(land.repeat)}."
    else:
        ways = _ways_with_cards(land.repeat)
        yield f"Repeat fantasyland by {ways}; of several the most cards count."
    if land.repeat_limit == "none":
        yield "It can be repeated without limit."
    else:
        yield f"At most {count_text(land.repeat_limit, 'repeat')} in a row."


def _ways(conditions: Sequence[FantasylandEntry | FantasylandRepeat]) -> str:
    return _either([describe_condition(condition) for condition in conditions])


def _ways_with_cards(conditions: Sequence[FantasylandEntry | FantasylandRepeat]) -> str:
    return _either([f"{describe_condition(condition)} ({_cards(condition)})" for condition in conditions])


def describe_condition(condition: FantasylandEntry | FantasylandRepeat) -> str:
    """Return what a condition asks: `KK or better in front with 75432 in the middle`."""
    asked = []
    for _, part in conjuncts(condition, ""):
        if part.row:
            asked.append(describe_hand(part.least, part.row))
        if part.royalties:
            asked.append(f"{part.royalties} points of royalties or more")
    return " with ".join((asked[0], join_with_and(asked[1:]))) if len(asked) > 1 else asked[0]


def _either(ways: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(ways[:-1]), *ways[-1:])))


def _cards(condition: FantasylandEntry | FantasylandRepeat) -> str:
    return "as many cards as at first" if condition.cards == "same" else count_text(condition.cards, "card")
