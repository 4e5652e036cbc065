"""Convert a Ruleset to the flat integers of the kernel's table; only this module knows both formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, get_args

from triptych import _kernel
from triptych.cards import SUITS
from triptych.rulesets.conditions import compile_condition
from triptych.rulesets.model import (
    FantasylandEntry,
    FantasylandRepeat,
    FiveRoyalties,
    Natural,
    NaturalKind,
    Naturals,
    Ruleset,
    is_closed,
)

# Orders of the kernel's enumerations (native/include/triptych/score/: rules_table.hpp, naturals.hpp).
_SCORINGS: Final = (
    "per_row",
    "per_row_scoop3",
    "match_1_6",
    "match_2_6",
    "two_four",
    "one_four",
    "first_to_11",
    "custom",
)
_JOKER_VALUES: Final = ("best_legal", "best_total", "best_row")
_NATURAL_KINDS: Final[tuple[str, ...]] = get_args(NaturalKind)

Field = int | tuple[int, ...]


@lru_cache(maxsize=1024)
def compile_rules(rules: Ruleset) -> _kernel.Rules:
    """Return the kernel's table of a ruleset; equal rulesets share one table."""
    return _kernel.Rules(to_kernel_ints(rules))


def to_kernel_ints(rules: Ruleset) -> list[int]:
    """Return a ruleset as the integers of the kernel's table, in the order of the kernel's fields."""
    values = _fields(rules)
    numbers: list[int] = []
    for name, _, count in _kernel.rules_fields():
        value = values.pop(name)
        entries = (value,) if isinstance(value, int) else value
        numbers += entries
        numbers += [0] * (count - len(entries))
    if values:
        raise ValueError(f"the kernel has no field {sorted(values)}")
    return numbers


def natural_entries(naturals: Naturals) -> tuple[Natural, ...]:
    """Return the naturals in force, the higher first among equal units, each kind once.

    The rulebook ranks only its own tables. By rarity, the additional kinds of `also` come before them, and
    `no_pictures` after them.
    """
    entries: dict[str, Natural] = {}
    for entry in _all_naturals(naturals):
        entries.setdefault(entry.kind, entry)
    return tuple(entries.values())


def _all_naturals(naturals: Naturals) -> Iterator[Natural]:
    for kind in naturals.also:
        yield Natural(kind=kind, units=naturals.also_units)
    yield from naturals.table.entries
    if naturals.no_pictures != "off":
        yield Natural(kind=naturals.no_pictures, units=naturals.also_units)


def _fields(rules: Ruleset) -> dict[str, Field]:
    royalties = rules.royalties
    naturals = natural_entries(rules.naturals)
    low = royalties.table.low
    custom = rules.scoring.rows == "custom"
    return {
        "strict_order": int(rules.rows.order == "gt"),
        "wheel_second": int(rules.rows.wheel == "second"),
        "middle_low": int(rules.rows.middle == "deuce_to_seven"),
        "low_any": int(rules.rows.low_limit == "none"),
        "suit_ties": int(rules.rows.tie_break == "suits"),
        "suit_height": _suit_height(rules),
        "joker_value": _JOKER_VALUES.index(rules.rows.joker_value),
        "joker_off_board": int(rules.rows.joker_domain == "not_on_own_board"),
        "five_of_a_kind": int(rules.rows.five_of_a_kind),
        "foul_points": -1 if rules.foul.points == "scoop" else rules.foul.points,
        "foul_pays_royalties": int(rules.foul.pays_royalties),
        "foul_rows": int(rules.foul.scope == "rows"),
        "foul_still_plays": int(rules.foul.still_plays),
        "scoring": _SCORINGS.index(rules.scoring.rows),
        "match_more_rows": int(rules.scoring.match_tied == "more_rows"),
        "scoop_doubles": int(rules.scoring.scoop_doubles),
        "home_run_doubles": int(rules.scoring.home_run_doubles),
        "doubles_all": int(rules.scoring.doubles == "all"),
        "custom_points": rules.scoring.points if custom else (0, 0, 0),
        "custom_bonus": rules.scoring.bonus if custom else 0,
        "pairs_banker": int(rules.scoring.pairs == "banker"),
        "royalty_back": _by_class(royalties.table.back),
        "royalty_middle": _by_class(royalties.table.middle),
        "royalty_front_pair": royalties.table.front.pair,
        "royalty_front_trips": royalties.table.front.trips,
        "royalty_low": (low.nine, low.eight, low.seven, low.best),
        "royalty_row_winner": int(royalties.rule == "row_winner"),
        "deuce_of_spades": int(royalties.deuce_of_spades),
        "one_per_board": int(royalties.one_per_board),
        "broken_up": int(royalties.broken_up == "paid" and is_closed(rules)),
        "declare_must": int(royalties.declare == "must"),
        "natural_count": len(naturals),
        "natural_kind": tuple(_NATURAL_KINDS.index(entry.kind) for entry in naturals),
        "natural_units": tuple(entry.units for entry in naturals),
        "natural_difference": int(rules.naturals.table.rule == "difference"),
        "natural_auto": int(bool(naturals) and rules.naturals.claim == "auto" and is_closed(rules)),
        "surrender_points": rules.surrender.points,
        **_fantasyland(rules),
    }


def _by_class(row: FiveRoyalties) -> tuple[int, ...]:
    """Return royalties by category 0 to 8, then five of a kind, then royal flush."""
    five = row.royal_flush if row.five_of_a_kind == "as_royal" else row.five_of_a_kind
    return (
        *(0, 0, 0, row.trips, row.straight, row.flush, row.full_house, row.quads, row.straight_flush),
        *(five, row.royal_flush),
    )


def _suit_height(rules: Ruleset) -> tuple[int, ...]:
    """Return the ranks of clubs, diamonds, hearts and spades, 0 the lowest; all 0 if suits break no ties."""
    if rules.rows.tie_break == "none":
        return (0,) * len(SUITS)
    return tuple(rules.rows.suits.index(suit) for suit in SUITS)


def _fantasyland(rules: Ruleset) -> dict[str, Field]:
    fantasyland = rules.fantasyland
    return {
        "fantasyland_entry_count": len(fantasyland.entry),
        "fantasyland_entry": _conditions(rules, fantasyland.entry),
        "fantasyland_repeat_count": len(fantasyland.repeat),
        "fantasyland_repeat": _conditions(rules, fantasyland.repeat),
        "fantasyland_repeat_limit": -1 if fantasyland.repeat_limit == "none" else fantasyland.repeat_limit,
    }


def _conditions(rules: Ruleset, conditions: Sequence[FantasylandEntry | FantasylandRepeat]) -> tuple[int, ...]:
    low = rules.rows.middle == "deuce_to_seven"
    result = [compile_condition(condition, low=low) for condition in conditions]
    return tuple(number for compiled in result for number in (*compiled.rows, compiled.royalties, compiled.cards))
