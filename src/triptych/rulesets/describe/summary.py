"""The rules in one line, for a table's heading and the lobby; every part of it explains itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from triptych.rulesets.describe.fantasyland import fantasyland
from triptych.rulesets.describe.scoring import naturals, points, royalties
from triptych.rulesets.describe.sections import describe_deal, describe_jokers, describe_low, describe_ties
from triptych.rulesets.model import Ruleset, is_closed

SEPARATOR: Final = " · "
_ROWS: Final = {
    "per_row": "1 per row",
    "per_row_scoop3": "1 per row, +3 scoop",
    "match_1_6": "1 for two rows, 6 for all three",
    "match_2_6": "2 for two rows, 6 for all three",
    "two_four": "1 per row, +1 most rows",
    "one_four": "1 per row, +1 scoop",
    "first_to_11": "1 per best row, first to 11",
}
_GAMES: Final = {"turbo": "four cards a street", "criss_cross": "two boards each"}


class SummaryPart(Struct, frozen=True):
    """A few words of the line, and the sentences of the rules that say what they mean."""

    text: str
    about: tuple[str, ...]


def summary(rules: Ruleset) -> str:
    """Return what decides the points, in a few words: "1 per row, +3 scoop · American royalties · …"."""
    return SEPARATOR.join(part.text for part in summary_parts(rules))


def summary_parts(rules: Ruleset) -> tuple[SummaryPart, ...]:
    """Return the parts of the line in its order."""
    return tuple(SummaryPart(text, tuple(about)) for text, about in _parts(rules))


def _parts(rules: Ruleset) -> Iterator[tuple[str, Iterable[str]]]:
    yield (_custom(rules) if rules.scoring.rows == "custom" else _ROWS[rules.scoring.rows]), points(rules)
    if rules.scoring.pairs == "banker":
        yield "against the banker", points(rules)
    if rules.scoring.scoop_doubles:
        yield "scoops double", points(rules)
    if rules.deal.game in _GAMES:
        yield _GAMES[rules.deal.game], describe_deal(rules)
    yield _named(rules.royalties.table.name, "royalties"), royalties(rules)
    if rules.royalties.deuce_of_spades:
        yield "2♠ doubles royalties", royalties(rules)
    if is_closed(rules) and rules.naturals.table.name not in ("none", rules.royalties.table.name):
        yield _named(rules.naturals.table.name, "naturals"), naturals(rules)
    if rules.rows.middle == "deuce_to_seven":
        yield "2-7 in the middle", describe_low(rules)
    if rules.rows.tie_break == "suits":
        yield "suits break ties", describe_ties(rules)
    if rules.deal.jokers:
        yield ("one joker" if rules.deal.jokers == 1 else "two jokers"), describe_jokers(rules)
    if not is_closed(rules):
        yield _fantasyland_text(rules), fantasyland(rules)


def _named(table: str, what: str) -> str:
    return f"no {what}" if table == "none" else f"{table.replace('_', ' ').capitalize()} {what}"


def _custom(rules: Ruleset) -> str:
    won, bonus = rules.scoring.points, rules.scoring.bonus
    rows = f"{won[0]} per row" if len(set(won)) == 1 else f"{won[0]}, {won[1]}, {won[2]} for front to back"
    return f"{rows}, +{bonus} scoop" if bonus else rows


def _fantasyland_text(rules: Ruleset) -> str:
    land = rules.fantasyland
    cards = [condition.cards for condition in land.entry]
    if not cards:
        return "no fantasyland"
    fewest, most = min(cards), max(cards)
    if fewest == most:
        return f"fantasyland {fewest}"
    again = {condition.cards for condition in land.repeat} if land.repeat_limit != 0 else set()
    if not again:
        return f"fantasyland {fewest} to {most}"
    numbers = sorted(number for number in again if number != "same")
    least = "as many" if not numbers else f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    return f"fantasyland {fewest} to {most}, again {least}"
