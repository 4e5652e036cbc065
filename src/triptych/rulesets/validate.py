"""Check a set of rules for contradictions: errors make a table reject them, warnings are shown to their editor.

There is one small function per topic, in the order of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from triptych.i18n.messages import Message
from triptych.rulesets import validate_table
from triptych.rulesets.conditions import LISTS, conjuncts
from triptych.rulesets.diagnostics import Diagnostic, error, warning
from triptych.rulesets.hand_names import min_value
from triptych.rulesets.model import (
    Fantasyland,
    FantasylandCondition,
    RoyaltyTable,
    Ruleset,
    hands_per_seat,
    is_closed,
    max_fantasyland_cards,
    streets,
)

CODES: Final = {
    "check.seats": "More players are needed than there are seats.",
    "check.buy_in": "The least buy-in is above the most.",
    "check.criss_cross_seats": "Criss-cross is for two players.",
    "check.deck": "The seats could need more cards than the deck has.",
    "check.fantasyland_closed": "A closed game has no fantasyland.",
    "check.fantasyland_empty": "A kind of fantasyland has no conditions.",
    "check.fantasyland_hand": "A condition of fantasyland asks for what no front or back can be.",
    "check.fantasyland_royalties": "A condition of fantasyland asks for royalties that nothing pays.",
    "check.fantasyland_middle": "The middle that reaches or keeps fantasyland does not exist under these rules.",
    "check.fantasyland_front": "Fantasyland can be kept, but never reached.",
    "check.declare": "Royalties must be announced in a game that has no announcement.",
    "check.naturals_twice": "A natural is listed twice.",
    "check.naturals_open": "Naturals are paid in closed games only.",
    "check.naturals_jokers": "Naturals are counted on real cards; jokers make none.",
    "check.surrender_open": "Only a closed deal can be surrendered.",
    "check.surrender_bounds": "Surrender should cost more than a 2-1 loss and less than a scoop.",
    "check.home_run": "A home-run needs four players.",
    "check.first_to_11": "First to 11 is not scored pair by pair, so these have no effect.",
    "check.first_to_11_match": "First to 11 is a match of points:11.",
    "check.match_tied": "The tied match matters with match scoring only.",
    "check.custom": "Your own count of rows is not in force, or counts nothing.",
    "check.doubles": "Nothing is doubled.",
    "check.banker": "A banker does not go with these rules.",
    "check.loss_limit": "The loss limit is less than being scooped, or has no effect.",
    "check.credit": "On the book no stack bounds what is paid.",
    "check.foul_points": "A foul costs less than losing two rows of three.",
    "check.foul_scope": "A foul has points of its own, but only the rows out of order lose.",
    "check.foul_still_plays": "A mis-set board is played on in closed games only.",
    "check.jokers": "There are no jokers, so the options for jokers have no effect.",
    "check.five_of_a_kind": "Five of a kind needs a joker that repeats a card of the board.",
    "check.low_limit": "The limit of a low middle matters with deuce-to-seven only.",
    "check.tie_break": "Suits break ties in closed games without jokers only.",
    "check.suits": "The order of suits matters only where suits break ties.",
    "check.broken_up": "What was broken up is paid in closed games only, and at the price of the back.",
    "check.natural_claim": "No natural of this game shows in the rows.",
    "check.deuce_of_spades": "There are no royalties to double.",
    "check.bank": "More comes back to the time bank than it holds.",
    "check.prize": "The prize of a match is never paid, or not from the least buy-in.",
    "check.tournament": "A tournament is played with equal chips.",
    "check.levels": "The levels of a tournament and their chips do not fit.",
}

_HEADS_UP: Final = 2
_HOME_RUN: Final = 4  # players, the winner included
_TWO_TO_ONE: Final = {"match_2_6": 2, "two_four": 2}
_SCOOP: Final = {"per_row": 3, "two_four": 4, "one_four": 4}


def check(rules: Ruleset) -> tuple[Diagnostic, ...]:
    """Return all contradictions in the rules, errors first; empty when there are none."""
    diagnostics = [diagnostic for check_rules in _CHECKS for diagnostic in check_rules(rules)]
    return tuple(sorted(diagnostics, key=lambda diagnostic: diagnostic.severity))


def _deck(rules: Ruleset) -> Iterator[Diagnostic]:
    """Check that the deck suffices (Rules §2): three fantasylands of 17 fit, four Pineapple players do not."""
    cards = 52 + rules.deal.jokers
    dealt = sum(street.dealt for street in streets(rules)) * hands_per_seat(rules)
    hand_cards = dealt if is_closed(rules) else max(dealt, max_fantasyland_cards(rules))
    if rules.deal.game != "criss_cross" and rules.seats.max * hand_cards > cards:
        players = rules.seats.max
        counts = {"players": players, "each": hand_cards, "needed": players * hand_cards, "cards": cards}
        yield error("deck", "seats.max", Message("check.deck", **counts, most=max(cards // hand_cards, 0)))


def _fantasyland(rules: Ruleset) -> Iterator[Diagnostic]:
    fantasyland = rules.fantasyland
    if max_fantasyland_cards(rules) == 0:
        if fantasyland.kind != Fantasyland().kind:
            yield warning(
                "fantasyland_empty", "fantasyland.entry", Message("check.fantasyland_empty", kind=fantasyland.kind)
            )
        return
    if is_closed(rules):
        yield error("fantasyland_closed", "fantasyland.kind", Message("check.fantasyland_closed"))
        return
    if fantasyland.repeat and not fantasyland.entry:
        yield warning("fantasyland_front", "fantasyland.entry", Message("check.fantasyland_front"))
    for name in LISTS:
        for index, condition in enumerate(getattr(fantasyland, name)):
            for path, conjunct in conjuncts(condition, f"fantasyland.{name}[{index}]"):
                yield from _condition(rules, conjunct, path)


def _condition(rules: Ruleset, condition: FantasylandCondition, path: str) -> Iterator[Diagnostic]:
    low = rules.rows.middle == "deuce_to_seven"
    if condition.royalties and msgspec.structs.replace(rules.royalties.table, name="none") == RoyaltyTable():
        yield warning("fantasyland_royalties", f"{path}.royalties", Message("check.fantasyland_royalties"))
    if not condition.row or min_value(condition.least, condition.row, low=low) is not None:
        return
    if condition.row == "middle" and low:
        yield warning("fantasyland_middle", f"{path}.least", Message("check.fantasyland_low", hand=condition.least))
    elif condition.row == "middle":
        yield warning(
            "fantasyland_middle", f"{path}.least", Message("check.fantasyland_middle", hand=condition.least)
        )
    else:
        message = Message(f"check.fantasyland_hand_{condition.row}", hand=condition.least)
        yield error("fantasyland_hand", f"{path}.least", message)


def _closed_only(rules: Ruleset) -> Iterator[Diagnostic]:
    if is_closed(rules):
        return
    if rules.royalties.declare == "must":
        yield error("declare", "royalties.declare", Message("check.declare"))
    if rules.naturals.table.entries or rules.naturals.also or rules.naturals.no_pictures != "off":
        yield warning("naturals_open", "naturals.table", Message("check.naturals_open"))
    if rules.surrender.points:
        yield warning("surrender_open", "surrender.points", Message("check.surrender_open"))
    if rules.foul.still_plays:
        yield warning("foul_still_plays", "foul.still_plays", Message("check.foul_still_plays"))


def _naturals(rules: Ruleset) -> Iterator[Diagnostic]:
    naturals = rules.naturals
    kinds = [entry.kind for entry in naturals.table.entries]
    for index, kind in enumerate(kinds):
        if kind in kinds[:index]:
            yield error(
                "naturals_twice", f"naturals.table.entries[{index}].kind", Message("check.naturals_twice", kind=kind)
            )
    also = (*naturals.also, *([naturals.no_pictures] if naturals.no_pictures != "off" else []))
    for index, kind in enumerate(also):
        if kind in kinds or kind in also[:index]:
            path = f"naturals.also[{index}]" if index < len(naturals.also) else "naturals.no_pictures"
            yield warning("naturals_twice", path, Message("check.naturals_again", kind=kind))
    if naturals.claim == "must" and not {"three_flushes", "three_straights", "three_straight_flushes"} & {
        *kinds,
        *also,
    }:
        yield warning("natural_claim", "naturals.claim", Message("check.natural_claim"))
    if rules.deal.jokers and (kinds or also) and is_closed(rules):
        yield warning("naturals_jokers", "naturals.table", Message("check.naturals_jokers"))


def _surrender(rules: Ruleset) -> Iterator[Diagnostic]:
    """Check that a surrender costs more than losing two of three rows and less than being scooped.

    Source 004 L126, source 003 L82.
    """
    low, high = loss_and_scoop(rules)
    points = rules.surrender.points
    if points and is_closed(rules) and not low < points < high and rules.scoring.rows != "first_to_11":
        message = Message("check.surrender_bounds", points=points, loss=low, scoop=high)
        yield warning("surrender_bounds", "surrender.points", message)


def _foul(rules: Ruleset) -> Iterator[Diagnostic]:
    low, _ = loss_and_scoop(rules)
    points = rules.foul.points
    if points == "scoop":
        return
    if rules.foul.scope == "rows":
        yield warning("foul_scope", "foul.points", Message("check.foul_scope"))
    elif points < low:
        yield warning("foul_points", "foul.points", Message("check.foul_points", points=points, loss=low))


def _scoring(rules: Ruleset) -> Iterator[Diagnostic]:
    scoring = rules.scoring
    if scoring.home_run_doubles and rules.seats.max < _HOME_RUN:
        yield warning("home_run", "scoring.home_run_doubles", Message("check.home_run", seats=rules.seats.max))
    if scoring.match_tied == "more_rows" and scoring.rows not in ("match_1_6", "match_2_6"):
        yield warning("match_tied", "scoring.match_tied", Message("check.match_tied"))
    if scoring.doubles == "all" and not (scoring.scoop_doubles or scoring.home_run_doubles):
        yield warning("doubles", "scoring.doubles", Message("check.doubles"))
    yield from _custom(rules)


def _custom(rules: Ruleset) -> Iterator[Diagnostic]:
    scoring = rules.scoring
    if scoring.rows == "custom":
        if not any((*scoring.points, scoring.bonus)):
            yield warning("custom", "scoring.points", Message("check.custom_nothing"))
        return
    for key, is_set in (("points", scoring.points != (1, 1, 1)), ("bonus", scoring.bonus != 0)):
        if is_set:
            yield warning("custom", f"scoring.{key}", Message("check.custom_only"))


def _banker(rules: Ruleset) -> Iterator[Diagnostic]:
    if rules.scoring.pairs == "all":
        return
    if rules.scoring.rows == "first_to_11":
        yield error("banker", "scoring.pairs", Message("check.banker_11"))
    elif rules.seats.max == _HEADS_UP:
        yield warning("banker", "scoring.pairs", Message("check.banker_two"))


def _settlement(rules: Ruleset) -> Iterator[Diagnostic]:
    settlement = rules.settlement
    _, scoop = loss_and_scoop(rules)
    if settlement.loss_limit and rules.scoring.rows == "first_to_11":
        yield warning("loss_limit", "settlement.loss_limit", Message("check.loss_limit_11"))
    elif 0 < settlement.loss_limit < scoop:
        message = Message("check.loss_limit", points=settlement.loss_limit, scoop=scoop)
        yield warning("loss_limit", "settlement.loss_limit", message)
    if settlement.credit and settlement.cap != "none":
        yield warning("credit", "settlement.cap", Message("check.credit"))


def _first_to_11(rules: Ruleset) -> Iterator[Diagnostic]:
    if rules.scoring.rows != "first_to_11":
        return
    if rules.match.kind != "points:11":
        yield warning("first_to_11_match", "match.kind", Message("check.first_to_11_match", kind=rules.match.kind))
    without_effect = {
        "scoring.scoop_doubles": rules.scoring.scoop_doubles,
        "scoring.home_run_doubles": rules.scoring.home_run_doubles,
        "surrender.points": rules.surrender.points,
        "royalties.deuce_of_spades": rules.royalties.deuce_of_spades,
    }
    for path, is_set in without_effect.items():
        if is_set:
            yield warning("first_to_11", path, Message("check.first_to_11"))


def _jokers(rules: Ruleset) -> Iterator[Diagnostic]:
    rows = rules.rows
    if rules.deal.jokers == 0:
        for key, default in (("joker_value", "best_legal"), ("joker_domain", "any"), ("five_of_a_kind", False)):
            if getattr(rows, key) != default:
                yield warning("jokers", f"rows.{key}", Message("check.jokers"))
    elif rows.five_of_a_kind and rows.joker_domain == "not_on_own_board":
        yield warning("five_of_a_kind", "rows.five_of_a_kind", Message("check.five_never"))


def _rows(rules: Ruleset) -> Iterator[Diagnostic]:
    rows = rules.rows
    if rows.low_limit == "none" and rows.middle == "high":
        yield warning("low_limit", "rows.low_limit", Message("check.low_limit"))
    if rows.tie_break == "none":
        if rows.suits != "cshd":
            yield warning("suits", "rows.suits", Message("check.suits"))
    elif rules.deal.jokers:
        yield error("tie_break", "rows.tie_break", Message("check.tie_break_jokers"))
    elif not is_closed(rules):
        yield error("tie_break", "rows.tie_break", Message("check.tie_break_open"))


def _royalties(rules: Ruleset) -> Iterator[Diagnostic]:
    table = rules.royalties.table
    if rules.royalties.broken_up == "paid":
        if not is_closed(rules):
            yield warning("broken_up", "royalties.broken_up", Message("check.broken_up_open"))
        elif not (table.back.quads or table.back.straight_flush or table.back.royal_flush):
            yield warning("broken_up", "royalties.broken_up", Message("check.broken_up_unpaid"))
    if not (rules.deal.jokers and rules.rows.five_of_a_kind):
        for row in ("back", "middle"):
            if getattr(table, row).five_of_a_kind != "as_royal":
                message = Message("check.no_five_of_a_kind")
                yield warning("five_of_a_kind", f"royalties.table.{row}.five_of_a_kind", message)
    fives = [points for row in (table.back, table.middle) for points in _points(row) if points != "as_royal"]
    has_royalties = any((*fives, *table.front.pair, *table.front.trips, *_points(table.low)))
    if rules.royalties.deuce_of_spades and not has_royalties:
        yield warning("deuce_of_spades", "royalties.deuce_of_spades", Message("check.deuce_of_spades"))


def _points(row: Struct) -> tuple[int | str, ...]:
    return tuple(getattr(row, name) for name in row.__struct_fields__)


def loss_and_scoop(rules: Ruleset) -> tuple[int, int]:
    """Return the maximum points of losing two rows of three, and the points of being scooped. Rule: Rules §4."""
    scoring = rules.scoring
    loss, scoop = _TWO_TO_ONE.get(scoring.rows, 1), _SCOOP.get(scoring.rows, 6)
    if scoring.rows == "custom":
        loss, scoop = sum(scoring.points) - 2 * min(scoring.points), sum(scoring.points) + scoring.bonus
    return loss, scoop * (2 if scoring.scoop_doubles else 1)


_CHECKS: Final[tuple[Callable[[Ruleset], Iterator[Diagnostic]], ...]] = (
    validate_table.seats,
    _deck,
    _fantasyland,
    _closed_only,
    _naturals,
    _surrender,
    _foul,
    _scoring,
    _first_to_11,
    _banker,
    _settlement,
    _rows,
    _jokers,
    _royalties,
    validate_table.clock,
    validate_table.levels,
    validate_table.prize,
    validate_table.tournament,
)
