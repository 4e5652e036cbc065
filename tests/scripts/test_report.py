"""A figure is called met only where its interval allows it (issue 28.18)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.report import Spread, at_least, at_most

RESULTS = Path(__file__).parents[2] / "bench" / "results.md"


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
    rows = re.findall(
        r"^\|.*?\| ([+-][\d.]+) ± ([\d.]+) \|.*?\| ≤ ([\d.]+) \| met \|", RESULTS.read_text("utf-8"), re.MULTILINE
    )
    assert rows
    assert [row for row in rows if float(row[0]) + float(row[1]) > float(row[2])] == []
