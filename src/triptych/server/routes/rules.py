"""The routes of presets, of checking rules before a table is opened, and of the house rules editor."""

from __future__ import annotations

from typing import Final

from litestar import Response, get, post
from litestar.params import FromPath

from triptych.server.content import presets as content
from triptych.server.content import rules_editor as editor
from triptych.server.endpoint import endpoint
from triptych.server.schemas.rules import EditedRules, EditRules, OptionInfo, ReadRules
from triptych.server.services import AnyRequest, ServicesDep, job_response, json_response
from triptych.server.wire.bodies import CheckedRules, CheckRules, PresetDetail, PresetItem


@get("/api/presets", opt=endpoint(tuple[PresetItem, ...], guest=False))
async def presets() -> Response[bytes]:
    """Return the presets that a table can be opened with."""
    return json_response(content.preset_items())


@get("/api/presets/{preset:str}", opt=endpoint(PresetDetail, guest=False))
async def preset_detail(preset: FromPath[str]) -> Response[bytes]:
    """Return a preset with all its options."""
    return json_response(content.preset_detail(preset))


@post("/api/rules/check", opt=endpoint(CheckedRules, CheckRules, guest=False))
async def check_rules(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Resolve custom rules, and return them with their problems."""
    return await job_response("rules/check", request, services)


@get("/api/rules/options", opt=endpoint(tuple[OptionInfo, ...], guest=False))
async def rules_options() -> Response[bytes]:
    """Return every option of the rules, with its texts."""
    return json_response(editor.options())


@post("/api/rules/edit", status_code=200, opt=endpoint(EditedRules, EditRules, guest=False))
async def edit_rules(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return rules that are being edited: values, words, differences and problems."""
    return await job_response("rules/edit", request, services)


@post("/api/rules/read", status_code=200, opt=endpoint(EditedRules, ReadRules, guest=False))
async def read_rules(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the rules of a TOML file, in the same form."""
    return await job_response("rules/read", request, services)


HANDLERS: Final = (presets, preset_detail, check_rules, rules_options, edit_rules, read_rules)
