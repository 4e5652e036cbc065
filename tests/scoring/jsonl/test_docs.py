"""docs/reference/scoring.md: its examples run."""

from __future__ import annotations

import json
import re
from pathlib import Path

from triptych.scoring.jsonl.answer import process_line

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "scoring.md").read_text()


def test_the_examples_are_true() -> None:
    examples = re.findall(r"```json\n(.*)\n(.*)\n```", PAGE)
    assert len(examples) == 8
    for line, expected in examples:
        assert process_line(line)[0] == json.loads(expected)
