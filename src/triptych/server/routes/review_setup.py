"""What a browser reviews a deal with, out of its history: only what the history's reader knew."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from triptych.board import ROWS
from triptych.notation.position import position_text
from triptych.rulesets.diff import overrides
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import streets
from triptych.server.routes.analysis import form_of
from triptych.server.schemas.review import ReviewForm, ReviewHand, ReviewStreet
from triptych.solve.analysis.rating import levels_of
from triptych.solve.analysis.review import results, stacks_of, streets_asked, verify_reviewable
from triptych.solve.analysis.stacks import kernel_stacks, paid_lands, stacks_bytes
from triptych.solve.value.carried import carried_parts

if TYPE_CHECKING:
    from triptych.notation.history.model import History
    from triptych.rulesets.model import Ruleset
    from triptych.solve.analysis.review import Asked
    from triptych.solve.analysis.stacks import KernelStacks

_LABELS = frozenset({"name", "title"})


def review_form(history: History, you: int | None, match: int = 0) -> ReviewForm:
    """Return what a browser reviews a deal with. Raises SolveError as `review` for a deal that has none."""
    verify_reviewable(history)
    rules = history.rules
    stacks = kernel_stacks(rules, stacks_of(history), len(history.hands))
    analysis = form_of(rules)
    lands = analysis.land_value
    paid = results(history)
    return ReviewForm(
        table=history.table,
        title=rules.title or rules.name,
        match=match,
        number=history.number,
        you=you,
        seen_by="all" if history.seen_by == "all" else "seat",
        rules=_spec(rules),
        analysis=analysis,
        stacks=_text(stacks_bytes(stacks)),
        hands=tuple(
            ReviewHand(name, hand.seat, paid[at] if paid else None, _player(rules, stacks, at, lands))
            for at, (name, hand) in enumerate(zip(history.players, history.hands, strict=True))
        ),
        streets=tuple(_street(rules, one) for one in streets_asked(history)),
        levels=dict(levels_of(rules, len(history.hands))),
    )


def _street(rules: Ruleset, asked: Asked) -> ReviewStreet:
    action, hand = asked.action, asked.position.hands[asked.action.hand]
    placed, street = sum(len(getattr(hand, row)) for row in ROWS), 0
    if not hand.fantasyland:
        for step in streets(rules):
            street += 1
            if placed == 0:
                break
            placed -= step.placed
    return ReviewStreet(
        asked.step, action.hand, street, position_text(asked.position), action.layout, action.discards, asked.in_row
    )


def _player(rules: Ruleset, stacks: KernelStacks | None, hand: int, land_value: tuple[float, ...]) -> str | None:
    """Return the player of a hand whose stacks do not reach, as `solve/analysis/stacks.py` weighs it."""
    lands = None if stacks is None else paid_lands(stacks, hand, land_value)
    found = None if lands is None else carried_parts(rules, lands)
    return None if found is None else _text(found.head)


def _spec(rules: Ruleset) -> dict[str, Any] | None:
    if rules.name not in preset_names():
        return None
    changed = overrides(rules, resolve(rules.name))
    return {"preset": rules.name, **{key: value for key, value in changed.items() if key not in _LABELS}}


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()
