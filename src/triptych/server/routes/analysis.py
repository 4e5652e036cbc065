"""What a browser needs to analyse positions by itself: rules made ready, and the learned table that goes with them.

The rules' part is small and worked out for whoever asks; the table is a file that never changes, named by content.
"""

from __future__ import annotations

import base64
import gzip
import struct
from collections.abc import Callable, Mapping
from functools import lru_cache
from threading import Lock
from typing import Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from triptych.bots.untrained.typical_boards import typical_boards
from triptych.cards import card_text, deck
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import Ruleset, fantasyland_sizes, is_closed, lone_hand_is_hidden, streets
from triptych.server.edge.rate_limits import WEIGHTS
from triptych.server.endpoint import endpoint
from triptych.server.routes.immutable_files import content_hash, immutable_response
from triptych.server.schemas.analysis import (
    AnalysisClosed,
    AnalysisRequest,
    AnalysisSetup,
    AnalysisStreet,
    OpponentModel,
)
from triptych.server.services import AnyRequest, ServicesDep, job_response
from triptych.server.wire.bodies import RulesSpec
from triptych.server.wire.decoding import decode_request
from triptych.solve.closed.field import HAND_BYTES as FIELD_HAND
from triptych.solve.closed.field import is_exact_match, nearest_strategy, packaged_strategies
from triptych.solve.exact.setting import MAX_AGAINST
from triptych.solve.value.carried import browser_bundle_parts, rules_bytes
from triptych.solve.value.points import can_learn, initial_fantasyland_values
from triptych.solve.value.weights import packaged_file, raw_table

_BINARY: Final = "application/octet-stream"
_EFFORT: Final = 4  # of gzip, 0 to 9: these tables come out no larger than with 6, in a quarter of the time
_KEPT: Final = 8  # tables, squeezed: some three megabytes each


def setup_for_spec(spec: RulesSpec, *, play: bool = False) -> AnalysisSetup:
    """Return what a browser analyses these rules with, or plays whole deals by. Raises RulesError."""
    return setup_for_rules(resolve(spec), play=play)


def setup_for_rules(rules: Ruleset, *, play: bool = False) -> AnalysisSetup:
    """Return what a browser analyses resolved rules with, or plays whole deals by."""
    opened = not is_closed(rules)
    found = browser_bundle_parts(rules) if opened else None
    return AnalysisSetup(
        title=rules.title or rules.name,
        deck=tuple(card_text(card) for card in deck(rules.deal.jokers)),
        hands_max=rules.seats.max,
        streets=tuple(AnalysisStreet(one.dealt, one.placed) for one in streets(rules)) if opened else (),
        fantasyland=fantasyland_sizes(rules) if opened else (),
        land_value=() if not opened else initial_fantasyland_values(rules) if found is None else found.land_value,
        rules=_text(rules_bytes(rules)),
        player=None if found is None else _text(found.head),
        weights=None if found is None else f"/weights/{content_hash(found.file)}",
        hands_min=rules.seats.min,
        jokers=rules.deal.jokers,
        button_moves=rules.fantasyland.button == "move",
        alone_hides=lone_hand_is_hidden(rules),
        low_middle=rules.rows.middle == "deuce_to_seven",
        scoring=rules.scoring.rows,
        field=_field(rules) if play and opened else None,
        closed=None if opened else _closed(rules),
    )


def _closed(rules: Ruleset) -> AnalysisClosed:
    fields = [nearest_strategy(rules, opponents) for opponents in range(1, MAX_AGAINST + 1)]
    own = is_exact_match(fields[0].head, rules, 1)
    return AnalysisClosed(
        tuple(f"/fields/{content_hash(_hands(field.hands))}" for field in fields),
        "" if own else fields[0].head.name,
        surrenders=rules.surrender.points > 0,
    )


def _hands(hands: bytes) -> bytes:
    """Return a field's hands as the browser's kernel keeps them."""
    return struct.pack("<I", len(hands) // FIELD_HAND) + hands


@lru_cache(maxsize=1)
def field_files() -> dict[str, bytes]:
    """Return the hands of every packaged field, by the names under which they are sent."""
    return {content_hash(content): content for _, hands in packaged_strategies() for content in (_hands(hands),)}


@lru_cache(maxsize=_KEPT)
def _squeezed_field(name: str) -> bytes | None:
    content = field_files().get(name)
    return None if content is None else gzip.compress(content, _EFFORT, mtime=0)


def _field(rules: Ruleset) -> OpponentModel:
    known = typical_boards(rules)
    return OpponentModel(known.front, known.middle, known.back, known.land)


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


@lru_cache(maxsize=1)
def _presets() -> dict[str, str]:
    """Return for each table's name a preset that has it; own rules have the table of a preset."""
    found: dict[str, str] = {}
    for preset in preset_names():
        rules = resolve(preset)
        file = packaged_file(rules) if can_learn(rules) else None
        if file is not None:
            found.setdefault(content_hash(file), preset)
    return found


def _table(name: str) -> bytes | None:
    preset = _presets().get(name)
    file = None if preset is None else packaged_file(resolve(preset))
    return None if file is None else raw_table(file)


@lru_cache(maxsize=_KEPT)
def _kept(name: str) -> bytes | None:
    table = _table(name)
    return None if table is None else gzip.compress(table, _EFFORT, mtime=0)


_ONE_AT_A_TIME: Final = Lock()  # who asks for a table that somebody else has just asked for waits for it


def _squeezed(name: str) -> bytes | None:
    with _ONE_AT_A_TIME:
        return _kept(name) if name in _presets() else None  # what is not there is not kept


_ASK: Final = msgspec.json.Decoder(AnalysisRequest)


def _asked(body: bytes) -> AnalysisSetup:
    asked = decode_request(body, _ASK)
    return setup_for_spec(asked.rules, play=asked.play)


# What strangers' bodies come to; worked out in a process of its own.
JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {"analysis": _asked}


@post("/api/analysis", status_code=200, opt=endpoint(AnalysisSetup, AnalysisRequest, guest=False))
async def analysis(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return what a browser analyses positions of some rules with."""
    return await job_response("analysis", request, services)


@get("/weights/{name:str}", opt=endpoint(_BINARY, guest=False))
async def weights(request: AnyRequest, services: ServicesDep, name: FromPath[str]) -> Response[bytes]:
    """Return a learned table, which `POST /api/analysis` names; it never changes."""
    return await immutable_response(
        request,
        services,
        name,
        lambda squeezed: (_squeezed if squeezed else _table)(name),
        kind=_BINARY,
        budget=WEIGHTS,
    )


@get("/fields/{name:str}", opt=endpoint(_BINARY, guest=False))
async def fields(request: AnyRequest, services: ServicesDep, name: FromPath[str]) -> Response[bytes]:
    """Return the hands of a closed game's players, which `POST /api/analysis` names; they never change."""
    return await immutable_response(
        request,
        services,
        name,
        lambda squeezed: _squeezed_field(name) if squeezed else field_files().get(name),
        kind=_BINARY,
        budget=WEIGHTS,
    )


HANDLERS: Final = (analysis, weights, fields)
