"""The set-up with which a browser analyses positions by itself: prepared rules, and the files they need."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Final

from triptych.bots.untrained.typical_boards import typical_boards
from triptych.cards import card_text, deck
from triptych.rulesets.describe.phrases import title_text
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, fantasyland_sizes, is_closed, lone_hand_is_hidden, streets
from triptych.server.content.immutable_files import content_hash, hand_pool_content
from triptych.server.schemas.analysis import (
    AnalysisClosed,
    AnalysisRequest,
    AnalysisSetup,
    AnalysisStreet,
    OpponentModel,
)
from triptych.server.wire.decoding import decode_input
from triptych.solve.closed.strategy import is_exact_match, nearest_strategy
from triptych.solve.exact.setting import MAX_AGAINST
from triptych.solve.value.carried import browser_bundle_parts, rules_bytes
from triptych.solve.value.points import initial_fantasyland_values


def setup_for_rules(rules: Ruleset, *, play: bool = False) -> AnalysisSetup:
    """Return the set-up of a browser that analyses some rules, or plays whole deals."""
    is_open_face = not is_closed(rules)
    bundle = browser_bundle_parts(rules) if is_open_face else None
    return AnalysisSetup(
        title=title_text(rules.title or rules.name),
        deck=tuple(card_text(card) for card in deck(rules.deal.jokers)),
        hands_max=rules.seats.max,
        streets=tuple(AnalysisStreet(street.dealt, street.placed) for street in streets(rules))
        if is_open_face
        else (),
        fantasyland=fantasyland_sizes(rules) if is_open_face else (),
        land_value=()
        if not is_open_face
        else initial_fantasyland_values(rules)
        if bundle is None
        else bundle.fantasyland_values,
        rules=base64_text(rules_bytes(rules)),
        player=None if bundle is None else base64_text(bundle.head),
        weights=None if bundle is None else f"/weights/{content_hash(bundle.file)}",
        hands_min=rules.seats.min,
        jokers=rules.deal.jokers,
        button_moves=rules.fantasyland.button == "move",
        alone_hides=lone_hand_is_hidden(rules),
        low_middle=rules.rows.middle == "deuce_to_seven",
        scoring=rules.scoring.rows,
        field=_opponent_model(rules) if play and is_open_face else None,
        closed=None if is_open_face else _closed(rules),
    )


def _closed(rules: Ruleset) -> AnalysisClosed:
    strategies = [nearest_strategy(rules, opponents) for opponents in range(1, MAX_AGAINST + 1)]
    is_exact = is_exact_match(strategies[0].head, rules, 1)
    return AnalysisClosed(
        tuple(f"/fields/{content_hash(hand_pool_content(strategy.hands))}" for strategy in strategies),
        "" if is_exact else strategies[0].head.name,
        surrenders=rules.surrender.points > 0,
    )


def _opponent_model(rules: Ruleset) -> OpponentModel:
    typical = typical_boards(rules)
    return OpponentModel(typical.front, typical.middle, typical.back, typical.fantasyland_values)


def base64_text(content: bytes) -> str:
    """Return bytes as base64."""
    return base64.b64encode(content).decode()


def _requested_setup(body: bytes) -> AnalysisSetup:
    request = decode_input(body, AnalysisRequest)
    return setup_for_rules(resolve(request.rules), play=request.play)


# The jobs that requests may start, in a worker process.
JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {"analysis": _requested_setup}
