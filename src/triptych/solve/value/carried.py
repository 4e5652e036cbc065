"""What a browser analyses with: rules, streets and the learned table as one file of bytes (native/web/learn.cpp)."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from triptych.rules.compile import flat
from triptych.rules.model import streets
from triptych.solve.value.points import learns, weights
from triptych.solve.value.weights import packaged_file, raw_table, read_head, temperatures

if TYPE_CHECKING:
    from triptych.rules.model import Ruleset


def carried(rules: Ruleset) -> bytes | None:
    """Return what `keep_player` takes, with the weights that come with the package; None where nothing was learned.

    Little-endian, without padding. The table is as wide as its file and not squeezed: the way there squeezes it.
    """
    file = packaged_file(rules) if learns(rules) else None
    if file is None:
        return None
    head = read_head(rules, file)
    steps = streets(rules)
    temperature = temperatures().get(head.preset, (0.0,) * len(steps))
    points = weights(rules, head.land_value)
    return b"".join(
        (
            _packed("i", *flat(rules)),
            _packed("I", head.players, rules.deal.jokers, len(steps)),
            *(_packed("I", step.dealt, step.placed) for step in steps),
            _packed("f", *points),
            _packed("I", *head.strengths),
            _packed("f", *temperature),
            _packed("f", *head.land_value),
            raw_table(file),
        )
    )


def _packed(kind: str, *numbers: float) -> bytes:
    return struct.pack(f"<{len(numbers)}{kind}", *numbers)
