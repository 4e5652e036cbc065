"""Points, royalties, naturals and surrender in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from triptych.rulesets.describe.phrases import count_text, points_by_rank
from triptych.rulesets.model import FiveRoyalties, Ruleset, is_closed
from triptych.rulesets.options import OPTIONS, Choice, Option
from triptych.rulesets.validate import loss_and_scoop

_ROWS: Final = {
    "per_row": "Each row won is 1 point.",
    "per_row_scoop3": "Each row won is 1 point; winning all three is a scoop and brings 3 more.",
    "match_1_6": "Win two rows: 1 point. Win all three (a scoop): 6 points.",
    "match_2_6": "Win two rows: 2 points. Win all three (a scoop): 6 points.",
    "two_four": "Each row won is 1 point, and winning two or three rows brings 1 more.",
    "one_four": "Each row won is 1 point; winning all three is a scoop and brings 1 more.",
    "first_to_11": (
        "The best front, middle and back at the table are 1 point each, a tied row none; "
        "all three rows with four players are 4. The first to 11 points wins."
    ),
}


def points(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about points for rows."""
    scoring = rules.scoring
    tied = "; a tied row is worth nothing" if rules.rows.tie_break == "none" else ""
    if scoring.pairs == "banker":
        yield "The player with the button is the banker; the bank moves on with the button."
        yield f"Each player compares boards with the banker alone, row by row{tied}."
    elif scoring.rows != "first_to_11":
        yield f"Every two players compare their boards row by row{tied}."
    yield _custom(rules) if scoring.rows == "custom" else _ROWS[scoring.rows]
    if scoring.rows.startswith("match"):
        more = "the winner of that row wins it" if scoring.match_tied == "more_rows" else "no winner"
        yield f"Two rows won and one tied win the match. One won and two tied: {more}."
    what = "the points for rows" if scoring.doubles == "rows" else "all that the two pay each other, royalties too"
    if scoring.scoop_doubles:
        rows_only = scoring.doubles == "rows"
        yield f"A scoop doubles {'the points for rows' if rows_only else 'everything, including royalties'}."
    if scoring.home_run_doubles:
        who = (
            "The banker's scooping all three players" if scoring.pairs == "banker" else "Scooping all three opponents"
        )
        again = "them again" if scoring.doubles == "rows" else "it again"
        yield f"{who} is a home-run and doubles {again if scoring.scoop_doubles else what}."


def _custom(rules: Ruleset) -> str:
    front, middle, back = rules.scoring.points
    bonus = rules.scoring.bonus
    rows = (
        f"Each row won is {count_text(front, 'point')}"
        if front == middle == back
        else f"Winning the front is {count_text(front, 'point')}, the middle {middle}, the back {back}"
    )
    return f"{rows}; winning all three is a scoop" + (f" and brings {bonus} more." if bonus else ".")


_FIVES: Final = {
    "trips": "trips",
    "straight": "straight",
    "flush": "flush",
    "full_house": "full house",
    "quads": "four of a kind",
    "straight_flush": "straight flush",
    "royal_flush": "royal flush",
}
_LOWS: Final = {"nine": "nine-low", "eight": "eight-low", "seven": "seven-low", "best": "75432"}


def royalties(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about royalties."""
    table = rules.royalties.table
    rows = [line for line in _royalty_rows(rules) if line]
    if not rows:
        yield "There are no royalties."
        return
    yield f"Strong rows earn royalties (table: {table.name})."
    yield from rows
    yield from _five_of_a_kind(rules)
    if rules.royalties.rule == "difference":
        yield "Both players are paid their royalties whoever wins the row: the difference changes hands."
    else:
        yield "Only the winner of a row is paid its royalty."
    if rules.royalties.deuce_of_spades:
        yield "The row that holds the deuce of spades doubles both players' royalties of that row."
    if rules.royalties.one_per_board:
        yield "Only a board’s highest royalty counts."
    if is_closed(rules) and rules.royalties.broken_up == "paid":
        yield (
            "If you’re dealt four of a kind or a straight flush and split it, you still earn its back royalty, "
            "once per board (the highest); it is paid like the back’s own royalty."
        )
    if is_closed(rules) and rules.royalties.declare == "must":
        yield "A royalty counts only when it is announced before the boards are shown."


def _royalty_rows(rules: Ruleset) -> Iterator[str]:
    table = rules.royalties.table
    yield _line("Back", _five(table.back))
    if rules.rows.middle == "deuce_to_seven":
        yield _line(
            "Middle", [f"{name} {points}" for key, name in _LOWS.items() if (points := getattr(table.low, key))]
        )
    else:
        yield _line("Middle", _five(table.middle))
    yield _line("Front", [*points_by_rank(table.front.pair, 2), *points_by_rank(table.front.trips, 3)])


def _five(row: FiveRoyalties) -> list[str]:
    return [f"{name} {points}" for key, name in _FIVES.items() if (points := getattr(row, key))]


def _five_of_a_kind(rules: Ruleset) -> Iterator[str]:
    """Yield what five of a kind earns, where jokers can make it."""
    table = rules.royalties.table
    if not (rules.deal.jokers and rules.rows.five_of_a_kind):
        return
    rows = (
        {"back": table.back}
        if rules.rows.middle == "deuce_to_seven"
        else {"back": table.back, "middle": table.middle}
    )
    if all(row.five_of_a_kind == "as_royal" for row in rows.values()):
        yield "Five of a kind earns as much as a royal flush."
        return
    for name, row in rows.items():
        price = row.royal_flush if row.five_of_a_kind == "as_royal" else row.five_of_a_kind
        yield f"Five of a kind in the {name}: {price}."


def _line(row: str, parts: list[str]) -> str:
    return f"{row}: {', '.join(parts)}." if parts else ""


def naturals(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about naturals; none for an open game."""
    if not is_closed(rules):
        return
    held = rules.naturals
    known = {str(choice.value): choice.description for option in OPTIONS for choice in _kinds(option)}
    units = {entry.kind: entry.units for entry in held.table.entries}
    own = (*held.also, *([held.no_pictures] if held.no_pictures != "off" else []))
    prices = [*units.items(), *((kind, held.also_units) for kind in own if kind not in units)]
    if not prices:
        yield "There are no naturals."
        return
    yield "A player with a natural is paid at once by each opponent, before anything else is paid, and sets nothing."
    yield "Several naturals are paid in position order, so that a short stack pays a natural first."
    yield "If your time runs out, you keep your natural."
    for kind, price in prices:
        yield f"{known[kind].removesuffix('.')}: {count_text(price, 'unit')}."
    if {"three_flushes", "three_straights", "three_straight_flushes"} & {kind for kind, _ in prices}:
        if held.claim == "auto":
            yield "Three flushes or three straights set as rows need no claim: the best natural of the cards is paid."
        else:
            yield "Three flushes or straights count as a natural only if you claim it."
    if held.table.rule == "higher":
        yield "Of two naturals the one with more units is paid, among equals the one named first."
    else:
        yield "Of two naturals the one with more units is paid the difference."
    yield (
        "Two of the same kind: six pairs go by the higher pairs, three flushes or straights by the back, the middle, "
        "the front; others tie."
    )


def _kinds(option: Option) -> tuple[Choice, ...]:
    return option.choices if option.key == "naturals.table.entries.kind" else ()


def surrender(rules: Ruleset) -> Iterator[str]:
    """Yield the sentences about surrender; none for an open game."""
    if not is_closed(rules):
        return
    price = rules.surrender.points
    if not price:
        yield "A deal cannot be surrendered."
        return
    low, high = loss_and_scoop(rules)
    yield "When everyone is ready, players take turns to play or surrender."
    yield (
        f"Surrender pays {count_text(price, 'point')} to each opponent with a legal board, and no royalties "
        f"(a 2-1 loss costs {low}, a scoop {high})."
    )
