"""The addresses of the house rules editor."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Response, get, post

from triptych.server.desks import rules as editor_desk
from triptych.server.desks.lobby import AnyRequest, answer, read_body
from triptych.server.editor_shapes import EditRules, ReadRules

_EDIT: Final = msgspec.json.Decoder(EditRules)
_READ: Final = msgspec.json.Decoder(ReadRules)


@get("/api/rules/options")
async def rules_options() -> Response[bytes]:
    """Return every option of the rules, with its words."""
    return answer(editor_desk.options())


@post("/api/rules/edit", status_code=200)
async def edit_rules(request: AnyRequest) -> Response[bytes]:
    """Return rules in the making: their values, words, differences and problems."""
    wanted = await read_body(request, _EDIT)
    return answer(editor_desk.edited(wanted.spec))


@post("/api/rules/read", status_code=200)
async def read_rules(request: AnyRequest) -> Response[bytes]:
    """Return the rules of a house's own file, in the same form."""
    wanted = await read_body(request, _READ)
    return answer(editor_desk.read_file(wanted.toml))


HANDLERS: Final = (rules_options, edit_rules, read_rules)
