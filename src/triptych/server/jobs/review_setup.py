"""The set-up with which a browser reviews a deal, made from its history: only what the history's viewer knew."""

from __future__ import annotations

import base64
from typing import Any

from triptych.board import ROWS
from triptych.notation.history.model import History
from triptych.notation.position import position_text
from triptych.rulesets.describe.phrases import title_text
from triptych.rulesets.diff import overrides
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import Ruleset, streets
from triptych.server.jobs.analysis import setup_for_rules
from triptych.server.schemas.review import ReviewHand, ReviewSetup, ReviewStreet
from triptych.solve.analysis.rating import level_error_rates_for
from triptych.solve.analysis.review import (
    PlayedDecision,
    played_decisions,
    results,
    stacks_from_history,
    verify_reviewable,
)
from triptych.solve.analysis.stacks import KernelStacks, kernel_stacks, limited_fantasyland_values, stacks_bytes
from triptych.solve.value.carried import browser_bundle_parts

_LABELS = frozenset({"name", "title"})


def review_setup(history: History, you: int | None, match: int = 0) -> ReviewSetup:
    """Return the set-up of a deal's review. Raises SolveError, as `build_review`, for a deal that has no review."""
    verify_reviewable(history)
    rules = history.rules
    stacks = kernel_stacks(rules, stacks_from_history(history), len(history.hands))
    analysis = setup_for_rules(rules)
    land_values = analysis.land_value
    hand_results = results(history)
    return ReviewSetup(
        table=history.table,
        title=title_text(rules.title or rules.name),
        match=match,
        number=history.number,
        you=you,
        seen_by="all" if history.seen_by == "all" else "seat",
        rules=_spec(rules),
        analysis=analysis,
        stacks=_text(stacks_bytes(stacks)),
        hands=tuple(
            ReviewHand(
                name,
                hand.seat,
                hand_results[hand_index] if hand_results else None,
                _player(rules, stacks, hand_index, land_values),
            )
            for hand_index, (name, hand) in enumerate(zip(history.players, history.hands, strict=True))
        ),
        streets=tuple(_street(rules, decision) for decision in played_decisions(history)),
        levels=dict(level_error_rates_for(rules, len(history.hands))),
    )


def _street(rules: Ruleset, decision: PlayedDecision) -> ReviewStreet:
    action, hand = decision.action, decision.position.hands[decision.action.hand]
    placed, street = sum(len(getattr(hand, row)) for row in ROWS), 0
    if not hand.fantasyland:
        for step in streets(rules):
            street += 1
            if placed == 0:
                break
            placed -= step.placed
    return ReviewStreet(
        decision.step,
        action.hand,
        street,
        position_text(decision.position),
        action.layout,
        action.discards,
        decision.in_row,
    )


def _player(rules: Ruleset, stacks: KernelStacks | None, hand: int, land_value: tuple[float, ...]) -> str | None:
    """Return the bundle of a hand whose stacks limit its fantasylands (`solve/analysis/stacks.py`); else None."""
    land_values = None if stacks is None else limited_fantasyland_values(stacks, hand, land_value)
    bundle = None if land_values is None else browser_bundle_parts(rules, land_values)
    return None if bundle is None else _text(bundle.head)


def _spec(rules: Ruleset) -> dict[str, Any] | None:
    if rules.name not in preset_names():
        return None
    changed = overrides(rules, resolve(rules.name))
    return {"preset": rules.name, **{key: value for key, value in changed.items() if key not in _LABELS}}


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()
