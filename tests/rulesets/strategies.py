"""Random rules for Hypothesis: any Ruleset that its own types allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from msgspec import inspect

from tests.rulesets.conditions import random_entries, random_repeats
from triptych.rulesets.catalog import table_names
from triptych.rulesets.load import resolve
from triptych.rulesets.model import FantasylandEntry, FantasylandRepeat, Ruleset
from triptych.rulesets.schema import choices, ruleset_type, unwrap

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from hypothesis.strategies import SearchStrategy

TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
KINDS = {
    "match.kind": ["deal_group", "orbit", "endless", "deals:3", "points:11"],
    "tournament.levels": ["off", "minutes:30", "deals:9"],
    "clock.bank_reset": ["off", "minutes:30", "deals:9"],
}
# Conditions of a fantasyland ask for something: random text is not a hand.
CONDITIONS: dict[str, Callable[[Random], tuple[FantasylandEntry | FantasylandRepeat, ...]]] = {
    "fantasyland.entry": lambda chance: random_entries(chance, low=chance.random() < 0.5),
    "fantasyland.repeat": lambda chance: random_repeats(chance, low=chance.random() < 0.5),
}


def rulesets() -> SearchStrategy[Ruleset]:
    """Return rules drawn key by key."""
    return _structs(ruleset_type(), "")


def values(kind: inspect.Type, key: str) -> SearchStrategy[Any]:  # noqa: C901 - one case a kind of type
    """Return legal values of one type at one key."""
    kind = unwrap(kind)
    if key in KINDS:
        return st.sampled_from(KINDS[key])
    if key == "fantasyland.kind":
        return st.sampled_from(table_names("fantasyland"))
    match kind:
        case inspect.StructType():
            return _structs(kind, f"{key}.") if key not in _NAMED else _structs(kind, f"{key}.") | _named(key)
        case inspect.LiteralType():
            return st.sampled_from(choices(kind))
        case inspect.UnionType():
            return st.one_of(*(values(part, key) for part in kind.types))
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType():
            return st.integers(0 if kind.ge is None else kind.ge, 10**9 if kind.le is None else kind.le)
        case inspect.FloatType():
            return st.floats(0, 1_000_000, exclude_min=True)
        case inspect.VarTupleType() if key in CONDITIONS:
            return st.randoms(use_true_random=False).map(CONDITIONS[key])
        case inspect.VarTupleType():
            most = kind.max_length or 4
            return st.lists(values(kind.item_type, key), min_size=kind.min_length or 0, max_size=most).map(tuple)
        case _:
            return TEXT


_NAMED = ("royalties.table", "naturals.table")


def _named(key: str) -> SearchStrategy[Any]:
    family = key.partition(".")[0]
    return st.sampled_from([getattr(resolve({key: name}), family).table for name in table_names(family)])


def _structs(kind: inspect.StructType, prefix: str) -> SearchStrategy[Any]:
    fields = {field.name: values(field.type, prefix + field.name) for field in kind.fields}
    return st.builds(kind.cls, **fields)
