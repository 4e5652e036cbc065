"""The rules reference is what presets, options and codes say (issue 3, part 8)."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

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


def test_every_table_of_codes_is_in_it() -> None:
    """One list holds them all: a module that keeps CODES of its own and is forgotten there is found."""
    source = Path(__file__).parents[2] / "src"
    files = [file for file in (source / "triptych").rglob("*.py") if "\nCODES: " in file.read_text("utf-8")]
    assert len(files) > 10
    page = rules_reference.pages()["errors.md"]
    for file in files:
        module = import_module(".".join(file.relative_to(source).with_suffix("").parts))
        assert [code for code, text in module.CODES.items() if f"| `{code}` | {text} |" not in page] == [], file
