"""Reviews and analyses: the set-up with which a browser reviews a deal, and searches for programs.

A deal is not reviewed while a table with the same cards still plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from triptych.deal.stacks import Stacks
from triptych.i18n.messages import Message
from triptych.notation.history.model import History
from triptych.notation.history.read import parse_history
from triptych.notation.history.replay import check_history
from triptych.rulesets.load import resolve
from triptych.server.jobs.replay import deal_text, load_deal, seat_of_player
from triptych.server.jobs.review_setup import review_setup
from triptych.server.schemas.replay import DealQuery
from triptych.server.schemas.review import (
    AnalysePositionRequest,
    DecisionQuery,
    ReviewSetup,
    ReviewSetupRequest,
)
from triptych.server.wire.decoding import decode_request
from triptych.server.wire.errors import ApiError
from triptych.solve.analysis.analyse import Analysis, SearchBudget, analyse
from triptych.solve.analysis.review import (
    PlayedDecision,
    Review,
    ReviewedDecision,
    build_review,
    played_decisions,
    review_decision,
    verify_reviewable,
)
from triptych.solve.value.weights import packaged

_MAX_SLICES: Final = 60  # of a search; the result's error shows what is still uncertain then
_MAX_TABLES: Final = 2  # of learned weights that the process caches
_SETUP: Final = msgspec.json.Decoder(ReviewSetupRequest)
_POSITION: Final = msgspec.json.Decoder(AnalysePositionRequest)
_DEAL: Final = msgspec.msgpack.Decoder(DealQuery)
_DECISION: Final = msgspec.msgpack.Decoder(DecisionQuery)
_DECISIONS: Final = msgspec.msgpack.Decoder(tuple[str, tuple[ReviewedDecision, ...]])


def _setup_of_stored_deal(query: DealQuery) -> ReviewSetup:
    history, played = load_deal(query)
    _verify_league_over(query)
    return review_setup(history, seat_of_player(played, query.player), played.match)


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
    return review_setup(history, history.seen_by if isinstance(history.seen_by, int) else None)


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
    "history/review": lambda body: _setup_of_text(decode_request(body, _SETUP).text),
    "history/streets": lambda body: _count_decisions(body.decode()),
}
# Jobs that search, for seconds.
SEARCH_JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "decision": lambda body: msgspec.msgpack.encode(_search_decision(_DECISION.decode(body))),
    "position": lambda body: _search_position(decode_request(body, _POSITION)),
    "review": lambda body: _assemble(*_DECISIONS.decode(body)),
}


def _assemble(text: str, decisions: tuple[ReviewedDecision, ...]) -> Review:
    return build_review(_reviewed_history(text)[0], decisions)
