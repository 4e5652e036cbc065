"""Fantasyland in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from triptych.i18n.messages import Message, join_with_and, join_with_or
from triptych.rulesets.conditions import conjuncts
from triptych.rulesets.describe.phrases import table_text
from triptych.rulesets.hand_names import describe_hand
from triptych.rulesets.model import Fantasyland, FantasylandEntry, FantasylandRepeat, Ruleset, is_closed


def fantasyland(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about fantasyland; none for a closed game without it."""
    fantasyland = rules.fantasyland
    if not fantasyland.entry:
        if fantasyland.kind != Fantasyland().kind:
            yield Message("rules.fantasyland.no_entry", kind=table_text(fantasyland.kind))
        elif not is_closed(rules):
            yield Message("rules.fantasyland.none")
        return
    yield Message("rules.fantasyland.earned", kind=table_text(fantasyland.kind))
    yield from _entry(fantasyland.entry)
    yield Message("rules.fantasyland.discards")
    yield from _repeat(rules)
    yield Message(f"rules.fantasyland.order.{fantasyland.order}")
    yield Message(f"rules.fantasyland.button.{fantasyland.button}")


def _entry(conditions: Sequence[FantasylandEntry]) -> Iterator[str]:
    if len(sizes := {condition.cards for condition in conditions}) == 1:
        yield Message("rules.fantasyland.entry", ways=_ways(conditions), cards=sizes.pop())
    else:
        yield Message("rules.fantasyland.entry_ways", ways=_ways_with_cards(conditions))


def _repeat(rules: Ruleset) -> Iterator[str]:
    fantasyland = rules.fantasyland
    if not fantasyland.repeat or fantasyland.repeat_limit == 0:
        yield Message("rules.fantasyland.repeat.never")
        return
    if len({condition.cards for condition in fantasyland.repeat}) > 1:
        yield Message("rules.fantasyland.repeat.ways", ways=_ways_with_cards(fantasyland.repeat))
    elif (cards := fantasyland.repeat[0].cards) == "same":
        yield Message("rules.fantasyland.repeat.same", ways=_ways(fantasyland.repeat))
    else:
        yield Message("rules.fantasyland.repeat.cards", cards=cards, ways=_ways(fantasyland.repeat))
    if fantasyland.repeat_limit == "none":
        yield Message("rules.fantasyland.repeat.unlimited")
    else:
        yield Message("rules.fantasyland.repeat.limit", count=fantasyland.repeat_limit)


def _ways(conditions: Sequence[FantasylandEntry | FantasylandRepeat]) -> str:
    return join_with_or([describe_condition(condition) for condition in conditions])


def _ways_with_cards(conditions: Sequence[FantasylandEntry | FantasylandRepeat]) -> str:
    return join_with_or([_way_with_cards(condition) for condition in conditions])


def _way_with_cards(condition: FantasylandEntry | FantasylandRepeat) -> str:
    way = describe_condition(condition)
    if condition.cards == "same":
        return Message("rules.fantasyland.way_same", way=way)
    return Message("rules.fantasyland.way", way=way, cards=condition.cards)


def describe_condition(condition: FantasylandEntry | FantasylandRepeat) -> str:
    """Return a condition in words: `KK or better in front with 75432 in the middle`."""
    requirements: list[str] = []
    for _, conjunct in conjuncts(condition, ""):
        if conjunct.row:
            requirements.append(describe_hand(conjunct.least, conjunct.row))
        if conjunct.royalties:
            requirements.append(Message("rules.condition.royalties", points=conjunct.royalties))
    if len(requirements) == 1:
        return requirements[0]
    return Message("rules.condition.with", first=requirements[0], others=join_with_and(requirements[1:]))
