"""Jobs on rules that clients send: checked, edited, read from a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from triptych.server.content import presets as content
from triptych.server.content import rules_editor as editor
from triptych.server.schemas.rules import EditRules, ReadRules
from triptych.server.wire.bodies import CheckRules, RulesSpec
from triptych.server.wire.decoding import decode_input, decode_request

_SPEC: Final[msgspec.json.Decoder[RulesSpec]] = msgspec.json.Decoder(RulesSpec)
# The jobs that requests may start, in a worker process.
JOBS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "rules/check": lambda body: content.check_rules(decode_input(body, CheckRules).spec),
    "rules/edit": lambda body: editor.editor_state(decode_input(body, EditRules).spec),
    "rules/read": lambda body: editor.read_file(decode_input(body, ReadRules).toml),
    "rules/verify": lambda body: content.validated_rules(decode_request(body, _SPEC)),
}
