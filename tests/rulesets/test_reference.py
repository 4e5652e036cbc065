"""The rules reference is what presets, options and codes say (issue 3, part 8)."""

from __future__ import annotations

from scripts import rules_reference
from triptych.rulesets import errors
from triptych.rulesets import validate as check
from triptych.rulesets.load import preset_names
from triptych.rulesets.options import OPTIONS


def test_everything_is_in_it() -> None:
    pages = rules_reference.pages()
    assert [name for name in preset_names() if f"## {name}\n" not in pages["presets.md"]] == []
    assert [option.key for option in OPTIONS if f"### `{option.key}`\n" not in pages["options.md"]] == []
    assert [code for code in (*errors.CODES, *check.CODES) if f"`{code}`" not in pages["errors.md"]] == []
