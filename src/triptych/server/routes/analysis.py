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
from msgspec import Struct

from triptych.bots.untrained.typical_boards import field_of
from triptych.cards import card_text, deck
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import Ruleset, alone_hides, fantasyland_sizes, is_closed, streets
from triptych.server.edge.rate_limits import WEIGHTS
from triptych.server.endpoint import contract
from triptych.server.routes.immutable_files import name_of, sent_for_ever
from triptych.server.services import AnyRequest, Desk, worked_out
from triptych.server.wire.bodies import RulesSpec
from triptych.server.wire.decoding import read
from triptych.solve.closed.field import HAND as FIELD_HAND
from triptych.solve.closed.field import field_for, is_own, packaged_fields
from triptych.solve.exact.setting import MOST_AGAINST
from triptych.solve.value.carried import carried_parts, flat_bytes
from triptych.solve.value.points import first_land_values, learns
from triptych.solve.value.weights import packaged_file, raw_table

_BINARY: Final = "application/octet-stream"
_EFFORT: Final = 4  # of gzip, 0 to 9: these tables come out no larger than with 6, in a quarter of the time
_KEPT: Final = 8  # tables, squeezed: some three megabytes each


class AskAnalysis(Struct, frozen=True, forbid_unknown_fields=True):
    """Under which rules positions are to be analysed, or, with `play`, whole deals played."""

    rules: RulesSpec
    play: bool = False


class AnalysisStreet(Struct, frozen=True):
    """Cards dealt to a hand on a street, and how many of them it places."""

    dealt: int
    placed: int


class AnalysisField(Struct, frozen=True):
    """What bots set a fantasyland by where they do not see the others' boards, in points against one of them.

    `front`, `middle`, `back` by the kernel's classes of rows; `land`: the next fantasyland, by its cards from 0.
    """

    front: tuple[float, ...]
    middle: tuple[float, ...]
    back: tuple[float, ...]
    land: tuple[float, ...]


class AnalysisClosed(Struct, frozen=True):
    """What a browser ranks the settings of a closed game with.

    `fields`: where the hands lie that one, two or three opponents are taken to hold, as they set them; `nearest`: of
    which rules those are, where these have none of their own. `surrenders`: giving up is a choice.
    """

    fields: tuple[str, ...]
    nearest: str
    surrenders: bool


class AnalysisForm(Struct, frozen=True):
    """What a browser analyses these rules with.

    `button_moves`: also between a deal and the fantasylands that it brings. `alone_hides`: the only hand outside
    fantasyland lies face down. `scoring`: how rows count, as `scoring.rows`. `field` comes with `play` alone.
    `fantasyland` holds the numbers of cards that one can have; `land_value` what each is worth in points from each
    opponent, by its number of cards from 0. The kernel keeps `rules` (base64) to set a fantasyland; to analyse a
    street it takes `player` (base64) and behind it the file at `weights`. Both are null where nothing was learned.
    `closed` is there for closed games alone.
    """

    title: str
    deck: tuple[str, ...]
    hands_max: int
    streets: tuple[AnalysisStreet, ...]
    fantasyland: tuple[int, ...]
    land_value: tuple[float, ...]
    rules: str
    player: str | None
    weights: str | None
    hands_min: int = 2
    jokers: int = 0
    button_moves: bool = False
    alone_hides: bool = False
    low_middle: bool = False
    scoring: str = "per_row"
    field: AnalysisField | None = None
    closed: AnalysisClosed | None = None


def form(spec: RulesSpec, *, play: bool = False) -> AnalysisForm:
    """Return what a browser analyses these rules with, or plays whole deals by. Raises RulesError."""
    return form_of(resolve(spec), play=play)


def form_of(rules: Ruleset, *, play: bool = False) -> AnalysisForm:
    """Return what a browser analyses resolved rules with, or plays whole deals by."""
    opened = not is_closed(rules)
    found = carried_parts(rules) if opened else None
    return AnalysisForm(
        title=rules.title or rules.name,
        deck=tuple(card_text(card) for card in deck(rules.deal.jokers)),
        hands_max=rules.seats.max,
        streets=tuple(AnalysisStreet(one.dealt, one.placed) for one in streets(rules)) if opened else (),
        fantasyland=fantasyland_sizes(rules) if opened else (),
        land_value=() if not opened else first_land_values(rules) if found is None else found.land_value,
        rules=_text(flat_bytes(rules)),
        player=None if found is None else _text(found.head),
        weights=None if found is None else f"/weights/{name_of(found.file)}",
        hands_min=rules.seats.min,
        jokers=rules.deal.jokers,
        button_moves=rules.fantasyland.button == "move",
        alone_hides=alone_hides(rules),
        low_middle=rules.rows.middle == "deuce_to_seven",
        scoring=rules.scoring.rows,
        field=_field(rules) if play and opened else None,
        closed=None if opened else _closed(rules),
    )


def _closed(rules: Ruleset) -> AnalysisClosed:
    fields = [field_for(rules, opponents) for opponents in range(1, MOST_AGAINST + 1)]
    own = is_own(fields[0].head, rules, 1)
    return AnalysisClosed(
        tuple(f"/fields/{name_of(_hands(field.hands))}" for field in fields),
        "" if own else fields[0].head.name,
        surrenders=rules.surrender.points > 0,
    )


def _hands(hands: bytes) -> bytes:
    """Return a field's hands as the browser's kernel keeps them."""
    return struct.pack("<I", len(hands) // FIELD_HAND) + hands


@lru_cache(maxsize=1)
def field_files() -> dict[str, bytes]:
    """Return the hands of every packaged field, by the names under which they are sent."""
    return {name_of(content): content for _, hands in packaged_fields() for content in (_hands(hands),)}


@lru_cache(maxsize=_KEPT)
def _squeezed_field(name: str) -> bytes | None:
    content = field_files().get(name)
    return None if content is None else gzip.compress(content, _EFFORT, mtime=0)


def _field(rules: Ruleset) -> AnalysisField:
    known = field_of(rules)
    return AnalysisField(known.front, known.middle, known.back, known.land)


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


@lru_cache(maxsize=1)
def _presets() -> dict[str, str]:
    """Return for each table's name a preset that has it; own rules have the table of a preset."""
    found: dict[str, str] = {}
    for preset in preset_names():
        rules = resolve(preset)
        file = packaged_file(rules) if learns(rules) else None
        if file is not None:
            found.setdefault(name_of(file), preset)
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


_ASK: Final = msgspec.json.Decoder(AskAnalysis)


def _asked(body: bytes) -> AnalysisForm:
    asked = read(body, _ASK)
    return form(asked.rules, play=asked.play)


# What strangers' bodies come to; worked out in a process of its own.
JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {"analysis": _asked}


@post("/api/analysis", status_code=200, opt=contract(AnalysisForm, AskAnalysis, guest=False))
async def analysis(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return what a browser analyses positions of some rules with."""
    return await worked_out("analysis", request, services)


@get("/weights/{name:str}", opt=contract(_BINARY, guest=False))
async def weights(request: AnyRequest, services: Desk, name: FromPath[str]) -> Response[bytes]:
    """Return a learned table, which `POST /api/analysis` names; it never changes."""
    return await sent_for_ever(
        request,
        services,
        name,
        lambda squeezed: (_squeezed if squeezed else _table)(name),
        kind=_BINARY,
        budget=WEIGHTS,
    )


@get("/fields/{name:str}", opt=contract(_BINARY, guest=False))
async def fields(request: AnyRequest, services: Desk, name: FromPath[str]) -> Response[bytes]:
    """Return the hands of a closed game's players, which `POST /api/analysis` names; they never change."""
    return await sent_for_ever(
        request,
        services,
        name,
        lambda squeezed: _squeezed_field(name) if squeezed else field_files().get(name),
        kind=_BINARY,
        budget=WEIGHTS,
    )


HANDLERS: Final = (analysis, weights, fields)
