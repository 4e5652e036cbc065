"""The rules in one line, for a table's heading and the lobby."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triptych.rules.model import is_closed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triptych.rules.model import Ruleset

_ROWS: Final = {
    "per_row": "1 per row",
    "per_row_scoop3": "1 per row, 3 for a scoop",
    "match_1_6": "1 for two rows, 6 for all three",
    "match_2_6": "2 for two rows, 6 for all three",
    "two_four": "1 per row, 1 for most rows",
    "one_four": "1 per row, 1 for a scoop",
    "first_to_11": "best row 1, first to 11",
}


def summary(rules: Ruleset) -> str:
    """Return what decides the points, in a few words: "1 per row, 3 for a scoop · American royalties · …"."""
    return " · ".join(_parts(rules))


def _parts(rules: Ruleset) -> Iterator[str]:
    yield _custom(rules) if rules.scoring.rows == "custom" else _ROWS[rules.scoring.rows]
    if rules.scoring.pairs == "banker":
        yield "against the banker"
    table = rules.royalties.table.name
    yield "no royalties" if table == "none" else f"{table.replace('_', ' ').capitalize()} royalties"
    if rules.rows.middle == "deuce_to_seven":
        yield "2-7 in the middle"
    if rules.deal.jokers:
        yield "one joker" if rules.deal.jokers == 1 else "two jokers"
    if not is_closed(rules):
        yield _land(rules)


def _custom(rules: Ruleset) -> str:
    points, bonus = rules.scoring.points, rules.scoring.bonus
    rows = (
        f"{points[0]} per row"
        if len(set(points)) == 1
        else f"{points[0]}, {points[1]}, {points[2]} for front to back"
    )
    return f"{rows}, {bonus} for a scoop" if bonus else rows


def _land(rules: Ruleset) -> str:
    cards = [condition.cards for condition in rules.fantasyland.entry]
    if not cards:
        return "no fantasyland"
    fewest, most = min(cards), max(cards)
    return f"fantasyland {fewest}" if fewest == most else f"fantasyland {fewest} to {most}"
