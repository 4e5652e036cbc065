"""The data of a browser's analysis: rules and streets as bytes, and the learned table (native/web/learn.cpp).

The head is small and differs by ruleset; the table is large and shared by all rules of a family.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from triptych.rulesets.compile import to_kernel_ints
from triptych.rulesets.model import Ruleset, streets
from triptych.solve.value.points import can_learn, weights
from triptych.solve.value.weights import first_street_corrections, packaged_file, raw_table, read_header, temperatures

_CORRECTION_COUNT = 6  # two to four hands, of which one to three respond to a first street


class BrowserBundle(NamedTuple):
    """The two parts of the argument of `keep_player`: `head`, then the table of the weights `file`.

    `fantasyland_values`: points of a fantasyland from each opponent, by its number of cards.
    """

    head: bytes
    file: bytes
    fantasyland_values: tuple[float, ...]

    @property
    def table(self) -> bytes:
        """The table, uncompressed: the transfer compresses it."""
        return raw_table(self.file)


def browser_bundle_parts(rules: Ruleset, fantasyland_values: Sequence[float] | None = None) -> BrowserBundle | None:
    """Return the bundle of a ruleset with the installed weights; None where there are none.

    `fantasyland_values`: the values for its player where stacks limit them (solve/analysis/stacks.py).
    Little-endian, without padding.
    """
    file = packaged_file(rules) if can_learn(rules) else None
    if file is None:
        return None
    head = read_header(rules, file)
    steps = streets(rules)
    temperature = temperatures().get(head.preset, (0.0,) * len(steps))
    corrections = first_street_corrections().get(head.preset, ())
    points = weights(rules, head.fantasyland_values if fantasyland_values is None else fantasyland_values)
    parts = (
        rules_bytes(rules),
        _packed("I", head.players, rules.deal.jokers, len(steps)),
        *(_packed("I", step.dealt, step.placed) for step in steps),
        _packed("f", *points),
        _packed("I", *head.strengths),
        _packed("f", *temperature),
        _packed("f", *chain.from_iterable(corrections), *[0.0] * (4 * (_CORRECTION_COUNT - len(corrections)))),
        _packed("f", *head.fantasyland_values),
    )
    return BrowserBundle(b"".join(parts), file, head.fantasyland_values)


def rules_bytes(rules: Ruleset) -> bytes:
    """Return the argument of `keep_rules`."""
    return _packed("i", *to_kernel_ints(rules))


def _packed(kind: str, *numbers: float) -> bytes:
    return struct.pack(f"<{len(numbers)}{kind}", *numbers)
