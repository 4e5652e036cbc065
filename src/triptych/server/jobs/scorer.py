"""The live scorer: its form for some rules, a deal's sheet, a session's ledger."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from triptych.cards import card_text, deck
from triptych.json_input import JsonInputError
from triptych.rulesets.compile import natural_entries
from triptych.rulesets.describe.phrases import title_text
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, fantasyland_sizes, is_closed
from triptych.scoring.jsonl.request import is_removed
from triptych.scoring.match_prize import MatchTarget
from triptych.scoring.session import PointsDeal, SessionDeal, ledgers, session_deal, session_entry
from triptych.scoring.sheet.hand_names import natural_name
from triptych.scoring.sheet.types import ScoreSheet
from triptych.server.schemas.scorer import (
    LocalScoring,
    ScoredDeal,
    ScoreDealRequest,
    ScoredSession,
    ScorerSetup,
    ScorerSetupRequest,
    ScoreSessionRequest,
)
from triptych.server.wire.decoding import decode_input
from triptych.server.wire.errors import to_wire_error
from triptych.solve.value.carried import rules_bytes


def scorer_setup(spec: str | dict[str, Any]) -> ScorerSetup:
    """Return the set-up of a scorer for these rules. Raises RulesError."""
    rules = resolve(spec)
    crossed = rules.deal.game == "criss_cross"
    return ScorerSetup(
        title=title_text(rules.title or rules.name),
        deck=tuple(card_text(card) for card in deck(rules.deal.jokers)),
        players_min=2,
        players_max=2 if crossed else 4,
        boards=2 if crossed else 1,
        surrender=rules.surrender.points if is_closed(rules) else 0,
        natural=is_closed(rules) and bool(natural_entries(rules.naturals)),
        declare=rules.royalties.declare == "must",
        fantasyland=_fantasylands(rules),
        in_row=rules.fantasyland.repeat_limit != "none",
        point=rules.stake.point,
        unit=rules.stake.unit,
        zero_sum=rules.scoring.rows != "first_to_11",
        own=_own(rules),
    )


def _own(rules: Ruleset) -> LocalScoring | None:
    suited_jokers = rules.rows.tie_break == "suits" and rules.deal.jokers > 0
    if suited_jokers or rules.settlement.loss_limit or MatchTarget.from_rules(rules).prize:
        return None
    return LocalScoring(
        rules=base64.b64encode(rules_bytes(rules)).decode(),
        scoring=rules.scoring.rows,
        low_middle=rules.rows.middle == "deuce_to_seven",
        banker=rules.scoring.pairs != "all",
        naturals=tuple(natural_name(natural.kind) for natural in natural_entries(rules.naturals)),
    )


def _fantasylands(rules: Ruleset) -> tuple[int, ...]:
    return () if is_closed(rules) else fantasyland_sizes(rules)


def score_deal(deal: dict[str, Any], number: int) -> ScoreSheet:
    """Return the sheet of one deal. Raises JsonInputError with the code and path of the scoring contract."""
    return session_deal(deal, number).sheet


def score_session_deals(deals: Sequence[dict[str, Any]]) -> ScoredSession:
    """Return the scores of a session's deals, and the ledger of the valid ones."""
    scored_deals: list[ScoredDeal] = []
    valid_deals: list[SessionDeal | PointsDeal] = []
    for number, deal in enumerate(deals, 1):
        if is_removed(deal):
            scored_deals.append(ScoredDeal(None, None))
            continue
        try:
            scored = session_entry(deal, number)
        except JsonInputError as error:
            scored_deals.append(ScoredDeal(None, to_wire_error(error)))
        else:
            valid_deals.append(scored)
            if isinstance(scored, PointsDeal):
                scored_deals.append(ScoredDeal(None, None, scored.sheet))
            else:
                scored_deals.append(ScoredDeal(scored.sheet, None))
    return ScoredSession(tuple(scored_deals), ledgers(valid_deals))


def _requested_sheet(body: bytes) -> ScoreSheet:
    request = decode_input(body, ScoreDealRequest)
    return score_deal(request.deal, request.number)


# The jobs that requests may start, in a worker process.
JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "score/form": lambda body: scorer_setup(decode_input(body, ScorerSetupRequest).rules),
    "score/deal": _requested_sheet,
    "score/evening": lambda body: score_session_deals(decode_input(body, ScoreSessionRequest).deals),
}
