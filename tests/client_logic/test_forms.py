"""The games of the client's own tests, as the server answers; `python -m tests.client_logic.test_forms` writes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from triptych.i18n.messages import plain_text
from triptych.rulesets.load import resolve
from triptych.server.jobs.analysis import setup_for_rules

FILE = Path(__file__).parents[2] / "client" / "testing" / "forms.json"
PRESETS = ("pineapple", "turbo")
# What was learned is left out there: nobody downloads it for a test.
LEARNED = {"player": "bGVhcm5lZA==", "weights": "/weights/learned"}


def forms() -> dict[str, Any]:
    return {
        preset: {**msgspec.to_builtins(setup_for_rules(resolve(preset), play=True), enc_hook=plain_text), **LEARNED}
        for preset in PRESETS
    }


def test_the_forms_are_the_servers() -> None:
    stored_forms = json.loads(FILE.read_text("utf-8"))
    assert stored_forms == json.loads(json.dumps(forms())), "python -m tests.client_logic.test_forms writes it"


if __name__ == "__main__":
    FILE.write_text(f"{json.dumps(forms())}\n", "utf-8")
