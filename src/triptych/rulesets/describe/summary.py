"""A one-line summary of rules for a table's heading and the lobby; each part has its explanation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from triptych.i18n.messages import Message, join_with_dots
from triptych.rulesets.describe.fantasyland import fantasyland
from triptych.rulesets.describe.phrases import table_text
from triptych.rulesets.describe.scoring import naturals, points, royalties
from triptych.rulesets.describe.sections import describe_deal, describe_jokers, describe_low, describe_ties
from triptych.rulesets.model import Ruleset, is_closed

_GAMES: Final = ("turbo", "criss_cross")


class SummaryPart(Struct, frozen=True):
    """A part of the summary, and the sentences of the rules that explain it."""

    text: str
    about: tuple[str, ...]


def summary(rules: Ruleset) -> str:
    """Return the most important rules in a few words: "1 per row, +3 scoop · American royalties · …"."""
    return join_with_dots([part.text for part in summary_parts(rules)])


def summary_parts(rules: Ruleset) -> tuple[SummaryPart, ...]:
    """Return the parts of the summary in order."""
    return tuple(SummaryPart(text, tuple(about)) for text, about in _parts(rules))


def _parts(rules: Ruleset) -> Iterator[tuple[str, Iterable[str]]]:
    rows = rules.scoring.rows
    yield (_custom(rules) if rows == "custom" else Message(f"summary.points.{rows}")), points(rules)
    if rules.scoring.pairs == "banker":
        yield Message("summary.banker"), points(rules)
    if rules.scoring.scoop_doubles:
        yield Message("summary.scoops_double"), points(rules)
    if rules.deal.game in _GAMES:
        yield Message(f"summary.game.{rules.deal.game}"), describe_deal(rules)
    yield _royalties(rules.royalties.table.name), royalties(rules)
    if rules.royalties.deuce_of_spades:
        yield Message("summary.deuce_of_spades"), royalties(rules)
    if is_closed(rules) and rules.naturals.table.name not in ("none", rules.royalties.table.name):
        yield Message("summary.naturals", table=table_text(rules.naturals.table.name)), naturals(rules)
    if rules.rows.middle == "deuce_to_seven":
        yield Message("summary.low"), describe_low(rules)
    if rules.rows.tie_break == "suits":
        yield Message("summary.suits"), describe_ties(rules)
    if rules.deal.jokers:
        is_single = rules.deal.jokers == 1
        yield Message("summary.one_joker" if is_single else "summary.two_jokers"), describe_jokers(rules)
    if not is_closed(rules):
        yield _fantasyland_text(rules), fantasyland(rules)


def _royalties(table: str) -> str:
    return (
        Message("summary.no_royalties") if table == "none" else Message("summary.royalties", table=table_text(table))
    )


def _custom(rules: Ruleset) -> str:
    (front, middle, back), bonus = rules.scoring.points, rules.scoring.bonus
    if front == middle == back:
        if bonus:
            return Message("summary.points_same_bonus", points=front, bonus=bonus)
        return Message("summary.points_same", points=front)
    if bonus:
        return Message("summary.points_rows_bonus", front=front, middle=middle, back=back, bonus=bonus)
    return Message("summary.points_rows", front=front, middle=middle, back=back)


def _fantasyland_text(rules: Ruleset) -> str:
    fantasyland = rules.fantasyland
    cards = [condition.cards for condition in fantasyland.entry]
    if not cards:
        return Message("summary.no_fantasyland")
    fewest, most = min(cards), max(cards)
    if fewest == most:
        return Message("summary.fantasyland", cards=fewest)
    repeat_sizes = {condition.cards for condition in fantasyland.repeat} if fantasyland.repeat_limit != 0 else set()
    if not repeat_sizes:
        return Message("summary.fantasyland_range", least=fewest, most=most)
    numbers = sorted(number for number in repeat_sizes if number != "same")
    if not numbers:
        return Message("summary.fantasyland_again_same", least=fewest, most=most)
    if len(numbers) == 1:
        return Message("summary.fantasyland_again", least=fewest, most=most, again=numbers[0])
    return Message("summary.fantasyland_again_range", least=fewest, most=most, first=numbers[0], last=numbers[-1])
