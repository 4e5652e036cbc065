"""The addresses of presets, of rules looked at before a table is opened, and of the house rules editor."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from triptych.server.desks.rules import editor
from triptych.server.desks.rules import presets as desk
from triptych.server.desks.rules.shapes import EditRules, ReadRules
from triptych.server.web.services import AnyRequest, answer, read_body
from triptych.server.wire.bodies import CheckRules

_CHECK: Final = msgspec.json.Decoder(CheckRules)
_EDIT: Final = msgspec.json.Decoder(EditRules)
_READ: Final = msgspec.json.Decoder(ReadRules)


@get("/api/presets")
async def presets() -> Response[bytes]:
    """Return the presets that a table can be opened with."""
    return answer(desk.preset_lines())


@get("/api/presets/{preset:str}")
async def preset_detail(preset: FromPath[str]) -> Response[bytes]:
    """Return a preset with all its options."""
    return answer(desk.preset_detail(preset))


@post("/api/rules/check")
async def check_rules(request: AnyRequest) -> Response[bytes]:
    """Return what a house's own rules come to."""
    wanted = await read_body(request, _CHECK)
    return answer(desk.checked(wanted.spec))


@get("/api/rules/options")
async def rules_options() -> Response[bytes]:
    """Return every option of the rules, with its words."""
    return answer(editor.options())


@post("/api/rules/edit", status_code=200)
async def edit_rules(request: AnyRequest) -> Response[bytes]:
    """Return rules in the making: their values, words, differences and problems."""
    wanted = await read_body(request, _EDIT)
    return answer(editor.edited(wanted.spec))


@post("/api/rules/read", status_code=200)
async def read_rules(request: AnyRequest) -> Response[bytes]:
    """Return the rules of a house's own file, in the same form."""
    wanted = await read_body(request, _READ)
    return answer(editor.read_file(wanted.toml))


HANDLERS: Final = (presets, preset_detail, check_rules, rules_options, edit_rules, read_rules)
