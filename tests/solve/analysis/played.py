"""Deals that levels play, as histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from tests.deal.play import seats_for, shuffled
from triptych.arena.moves import play_out
from triptych.bots.levels import get_level
from triptych.deal.engine import start
from triptych.notation.history.model import History, record
from triptych.rulesets.load import resolve

if TYPE_CHECKING:
    from triptych.notation.history.model import Viewer


def played_history(
    names: tuple[str, ...],
    seen_by: Viewer,
    seed: int = 4,
    rules: str = "pineapple",
    fantasylands: tuple[int, ...] = (),
) -> History:
    """Return a deal between levels; `lands`: cards of fantasylands with which it begins, by hand."""
    ruleset = resolve(rules)
    bots = [get_level(name).factory(seed) for name in names]
    hands = tuple(
        replace(hand, fantasyland=fantasyland, in_row=int(fantasyland > 0))
        for hand, fantasyland in zip(seats_for(ruleset, len(bots)), fantasylands or [0] * len(bots), strict=True)
    )
    course = start(ruleset, 1, hands, shuffled(ruleset, seed))
    events = [*course.events, *(event for move in play_out(course.state, bots) for event in move.transition.events)]
    return record([(at, event) for at, event in enumerate(events)], seen_by, names)
