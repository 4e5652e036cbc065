"""A figure is called met only where its interval allows it (issue 28.18)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.report import Spread, at_least, at_most, write

RESULTS = sorted((Path(__file__).parents[2] / "bench" / "results").glob("*.md"))


@pytest.mark.parametrize(
    ("mean", "half", "verdict"),
    [
        (0.0005, 0.0041, "met"),
        (0.0132, 0.0064, "met"),
        (0.0005, 0.0285, "open: -1.40 to 1.45 × it"),
        (0.03, 0.02, "open: 0.50 to 2.50 × it"),
        (0.05, 0.01, "missed: 2.50 × it"),
    ],
)
def test_a_mean_stays_within_a_target_with_its_interval(mean: float, half: float, verdict: str) -> None:
    assert at_most(Spread.around(mean, half), 0.02) == verdict


def test_a_rate_reaches_a_target_in_every_run() -> None:
    assert at_least(Spread(21.0, 25.0, 30.0), 20) == "met"
    assert at_least(Spread(15.0, 25.0, 30.0), 20) == "open: 0.75 to 1.50 of it"
    assert at_least(Spread(10.0, 15.0, 18.0), 20) == "missed: 0.75 of it"


def test_no_written_figure_is_met_that_its_interval_does_not_allow() -> None:
    text = "\n".join(page.read_text("utf-8") for page in RESULTS)
    rows = re.findall(r"^\|.*?\| ([+-][\d.]+) ± ([\d.]+) \|.*?\| ≤ ([\d.]+) \| met \|", text, re.MULTILINE)
    assert rows
    assert [row for row in rows if float(row[0]) + float(row[1]) > float(row[2])] == []


def test_every_written_page_says_what_it_was_made_by() -> None:
    """Issue 34: a figure without its commit and date cannot be trusted or repeated."""
    assert len(RESULTS) > 50
    for page in RESULTS:
        text = page.read_text("utf-8")
        assert re.search(r"Commit [0-9a-f]{7,}(, changed)?, \d{4}-\d\d-\d\d\.$", text, re.MULTILINE), page.name
        assert re.search(r"`(uv run |python -m |triptych )", text), page.name


def test_a_bench_writes_its_own_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("bench.report.RESULTS", tmp_path / "results")
    for speed in ("1", "2"):
        write("Room, 2 servers", "uv run python -m bench.room", [("what", "figure"), ("speed", speed)], "A note")
    (page,) = (tmp_path / "results").iterdir()
    assert page.name == "room-2-servers.md"
    text = page.read_text("utf-8")
    assert text.startswith("# Room, 2 servers\n\n`uv run python -m bench.room` on Python 3.")
    assert text.endswith("| what | figure |\n|---|---|\n| speed | 2 |\n")
