"""Reviews and analyses: the set-up with which a browser reviews a deal, and searches for programs.

A deal is not reviewed while a table with the same cards still plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from triptych.board import ROWS
from triptych.deal.view_types import Stacks
from triptych.i18n.messages import Message
from triptych.notation.history.model import History
from triptych.notation.history.read import parse_history
from triptych.notation.history.replay import check_history
from triptych.notation.position import position_text
from triptych.rulesets.describe.phrases import title_text
from triptych.rulesets.diff import overrides
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import Ruleset, streets
from triptych.server.jobs.analysis import base64_text, setup_for_rules
from triptych.server.jobs.replay import deal_text, load_deal, seat_of_player
from triptych.server.schemas.replay import DealQuery
from triptych.server.schemas.review import (
    AnalysePositionRequest,
    DecisionQuery,
    ReviewHand,
    ReviewSetup,
    ReviewSetupRequest,
    ReviewStreet,
)
from triptych.server.wire.decoding import decode_input
from triptych.server.wire.errors import ApiError
from triptych.solve.analysis.analyse import Analysis, SearchBudget, analyse
from triptych.solve.analysis.rating import level_error_rates_for
from triptych.solve.analysis.review import (
    PlayedDecision,
    Review,
    ReviewedDecision,
    build_review,
    played_decisions,
    results,
    review_decision,
    stacks_from_history,
    verify_reviewable,
)
from triptych.solve.analysis.stacks import KernelStacks, kernel_stacks, limited_fantasyland_values, stacks_bytes
from triptych.solve.value.carried import browser_bundle_parts
from triptych.solve.value.weights import packaged

_LABELS: Final = frozenset({"name", "title"})
_MAX_SLICES: Final = 60  # of a search; the result's error shows what is still uncertain then
_MAX_TABLES: Final = 2  # of learned weights that the process caches
_DEAL: Final = msgspec.msgpack.Decoder(DealQuery)
_DECISION: Final = msgspec.msgpack.Decoder(DecisionQuery)
_DECISIONS: Final = msgspec.msgpack.Decoder(tuple[str, tuple[ReviewedDecision, ...]])


def _setup_of_stored_deal(query: DealQuery) -> ReviewSetup:
    history, played = load_deal(query)
    _verify_league_over(query)
    return _review_setup(history, seat_of_player(played, query.player), played.match)


def _text_to_review(query: DealQuery) -> str:
    text = deal_text(query)
    _verify_league_over(query)
    return text


def _verify_league_over(query: DealQuery) -> None:
    if query.sealed:
        message = Message("error.review.held")
        raise ApiError("review.held", message, "$.deal", status=409)


def _setup_of_text(text: str) -> ReviewSetup:
    history = _read(text)
    return _review_setup(history, history.seen_by if isinstance(history.seen_by, int) else None)


def _review_setup(history: History, you: int | None, match: int = 0) -> ReviewSetup:
    """Return the set-up of a deal's review: only what the history's viewer knew.

    Raises SolveError, as `build_review`, for a deal that has no review.
    """
    verify_reviewable(history)
    rules = history.rules
    stacks = kernel_stacks(rules, stacks_from_history(history), len(history.hands))
    analysis = setup_for_rules(rules)
    fantasyland_values = analysis.land_value
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
        stacks=base64_text(stacks_bytes(stacks)),
        hands=tuple(
            ReviewHand(
                name,
                hand.seat,
                hand_results[hand_index] if hand_results else None,
                _player(rules, stacks, hand_index, fantasyland_values),
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


def _player(
    rules: Ruleset, stacks: KernelStacks | None, hand: int, fantasyland_values: tuple[float, ...]
) -> str | None:
    """Return the bundle of a hand whose stacks limit its fantasylands (`solve/analysis/stacks.py`); else None."""
    limited = None if stacks is None else limited_fantasyland_values(stacks, hand, fantasyland_values)
    bundle = None if limited is None else browser_bundle_parts(rules, limited)
    return None if bundle is None else base64_text(bundle.head)


def _spec(rules: Ruleset) -> dict[str, Any] | None:
    if rules.name not in preset_names():
        return None
    changed = overrides(rules, resolve(rules.name))
    return {"preset": rules.name, **{key: value for key, value in changed.items() if key not in _LABELS}}


def _read(text: str) -> History:
    history = parse_history(text)
    check_history(history)
    return history


def _count_decisions(text: str) -> int:
    history = _read(text)
    verify_reviewable(history)
    return len(played_decisions(history))


@lru_cache(maxsize=1)
def _reviewed_history(text: str) -> tuple[History, tuple[PlayedDecision, ...]]:
    """Return a history and its decisions, cached because requests for its decisions come one after the other."""
    history = parse_history(text)
    return history, tuple(played_decisions(history))


def _search_decision(query: DecisionQuery) -> ReviewedDecision:
    _limit_memory()
    history, decisions = _reviewed_history(query.text)
    budget = SearchBudget(query.error, _MAX_SLICES, two_threads=False)
    return review_decision(history, decisions[query.index], budget, query.seed)


def _search_position(request: AnalysePositionRequest) -> Analysis:
    _limit_memory()
    stacks = Stacks(request.stacks, request.point, prizes=request.prizes) if request.stacks else None
    budget = SearchBudget(request.error, _MAX_SLICES, request.top, two_threads=False)
    return analyse(
        request.position, resolve(request.rules), budget, hand=request.hand, seed=request.seed, stacks=stacks
    )


def _limit_memory() -> None:
    """Drop the learned weights that are cached when there are many."""
    if packaged.cache_info().currsize > _MAX_TABLES:
        packaged.cache_clear()


# Jobs that only read and replay.
JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "deal/review": lambda body: _setup_of_stored_deal(_DEAL.decode(body)),
    "deal/to_review": lambda body: _text_to_review(_DEAL.decode(body)).encode(),
    "history/review": lambda body: _setup_of_text(decode_input(body, ReviewSetupRequest).text),
    "history/streets": lambda body: _count_decisions(body.decode()),
}
# Jobs that search, for seconds.
SEARCH_JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "decision": lambda body: msgspec.msgpack.encode(_search_decision(_DECISION.decode(body))),
    "position": lambda body: _search_position(decode_input(body, AnalysePositionRequest)),
    "review": lambda body: _assemble(*_DECISIONS.decode(body)),
}


def _assemble(text: str, decisions: tuple[ReviewedDecision, ...]) -> Review:
    return build_review(_reviewed_history(text)[0], decisions)
