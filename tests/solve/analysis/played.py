"""Deals that levels play, as histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from tests.deal.play import seats_for, shuffled
from triptych.bots.levels import level
from triptych.deal.engine import acting, decide, evolve, finished, start
from triptych.deal.view import view
from triptych.notation.history.model import History, record
from triptych.rules.load import resolve

if TYPE_CHECKING:
    from triptych.deal.events import DealEvent
    from triptych.deal.state import DealState
    from triptych.notation.history.model import Viewer


def played_history(
    names: tuple[str, ...], seen_by: Viewer, seed: int = 4, rules: str = "pineapple", lands: tuple[int, ...] = ()
) -> History:
    """Return a deal between levels; `lands`: cards of fantasylands with which it begins, by hand."""
    ruleset = resolve(rules)
    bots = [level(name).factory(seed) for name in names]
    state: DealState | None = None
    told: list[DealEvent] = []
    hands = [
        replace(hand, fantasyland=land, in_row=int(land > 0))
        for hand, land in zip(seats_for(ruleset, len(bots)), lands or [0] * len(bots), strict=True)
    ]
    new = start(ruleset, 1, tuple(hands), shuffled(ruleset, seed))
    while True:
        for event in new:
            state = evolve(state, event)
        told += new
        assert state is not None
        if finished(state):
            break
        hand = acting(state)[0]
        seen = view(state, state.hands[hand].seat)
        task = next(task for task in seen.tasks if task.hand == hand)
        new = decide(state, bots[hand].choose(ruleset, seen, task))
    return record([(at, event) for at, event in enumerate(told)], seen_by, names)
