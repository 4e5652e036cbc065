"""The arena: chance cancels, the better bot wins, processes change nothing, bad arguments are named.

Issue 5, part 3 (duplicate pairs).
"""

from __future__ import annotations

import json
import re
import signal
from importlib.resources import files
from itertools import count
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from cyclopts import App

from triptych.arena import words
from triptych.arena.contender import LevelContender, read_entrants
from triptych.arena.credit import FantasylandValue
from triptych.arena.match import Plan, play_batches
from triptych.arena.report import BotSpeed, MatchResult, RunInfo, match_result
from triptych.arena.tally import MatchAccumulator
from triptych.cli.arena import arena as command
from triptych.parallel import Parallelism
from triptych.rulesets.load import resolve
from triptych.rulesets.model import max_fantasyland_cards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.deal.actions import Action
    from triptych.deal.view_types import DealView, Task

TABLES = Path(str(files("triptych_weights")))


def played(bots: Sequence[str], deals: int, preset: str = "pineapple", jobs: int = 1, **more: Any) -> MatchResult:
    plan = Plan(**{"rules": resolve(preset), "entrants": read_entrants(bots), "deals": deals, "seed": "5", **more})
    tally = MatchAccumulator(plan)
    for block in play_batches(plan, Parallelism(jobs)):
        tally.add(block)
    return match_result(tally, "all")


def arena(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Return the exit status of the command and what it wrote to standard output."""
    app = App(result_action="return_value")
    app.default(command)
    status = app(arguments)
    return status, capsys.readouterr().out


@pytest.mark.parametrize(
    ("preset", "bots"),
    [
        ("pineapple", ("random", "random")),
        ("pineapple", ("random", "random", "random")),
        ("pineapple_joker", ("random", "random")),
        ("turbo", ("random", "random")),
        ("ofc_american", ("random", "random", "random", "random")),
        ("closed_1_6", ("random", "random", "random", "random")),
        ("criss_cross", ("random", "random")),
        ("first_to_11", ("random", "random")),
    ],
)
def test_a_bot_against_itself_comes_out_at_exactly_nothing(preset: str, bots: tuple[str, ...]) -> None:
    """Every deck in every seating, chance included: what one seat wins, each bot has won once."""
    result = played(bots, 12, preset)
    for bot in result.bots:
        for points in filter(None, (bot.plain, bot.played)):
            assert points.duplicate.mean == pytest.approx(result.bots[0].plain.duplicate.mean, abs=1e-12)
            assert points.duplicate.sd == pytest.approx(result.bots[0].plain.duplicate.sd, abs=1e-12)
    if preset != "first_to_11":  # the only one whose points need not sum to zero
        assert result.bots[0].plain.duplicate.mean == 0
        assert result.bots[0].plain.duplicate.half == 0
    assert result.bots[0].plain.raw.sd > 0
    assert (result.bots[0].played is None) == (max_fantasyland_cards(resolve(preset)) == 0)


def test_the_better_bot_wins_significantly() -> None:
    result = played(("random", "fast"), 40)
    fast = result.bots[1]
    assert fast.played is not None
    assert fast.played.duplicate.mean - fast.played.duplicate.half > 0
    assert fast.played.duplicate.mean == -result.bots[0].played.duplicate.mean  # type: ignore[union-attr]
    assert fast.foul.mean + 10 < result.bots[0].foul.mean


def test_any_number_of_processes_gives_the_same_figures() -> None:
    alone = played(("random", "random", "random"), 200)
    assert played(("random", "random", "random"), 200, jobs=2) == alone


class ReportDocument(msgspec.Struct, forbid_unknown_fields=True):
    """The whole of `--json`."""

    outcome: MatchResult
    speed: tuple[BotSpeed, ...]
    run: RunInfo


def test_json_is_the_report_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    status, output = arena(capsys, "random", "random", "--deals", "5", "--seed", "9", "--json")
    report = msgspec.json.decode(output, type=ReportDocument)
    assert status == 0
    assert report.outcome == played(("random", "random"), 5, seed="9")
    assert (report.outcome.deals, report.outcome.planned, report.outcome.rotations) == (5, 5, 2)
    assert report.run.jobs == 1
    assert [bot.bot for bot in report.outcome.bots] == ["random", "random#2"]
    assert all(level.wall.moves >= 50 for level in report.speed)


def test_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    status, output = arena(capsys, "random", "random", "random", "--deals", "3")
    assert status == 0
    assert "3 of 3 decks, each in 3 seatings, seed 1" in output
    assert "random#3" in output
    status, output = arena(capsys, "fast", "random", "--deals", "40")
    assert output.startswith("fast is stronger than random: +")
    status, output = arena(capsys, "random", "random", "--deals", "3")
    assert output.startswith("These decks do not tell random and random#2 apart: +0.000")


def test_the_page_needs_nothing_from_elsewhere(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Well-formed, one file, no script, no address; with its command and its figures."""
    page = tmp_path / "match.html"
    status, _ = arena(capsys, "fast", "random", "--deals", "24", "--seed", "4", "--report", str(page))
    text = page.read_text("utf-8")
    assert status == 0
    assert not re.search(r"https?:|<script|<link|src=|@import|url\(", text)
    assert "fast v random" in text
    assert "Seed 4." in text
    figure = played(("fast", "random"), 24, seed="4").bots[0].plain.duplicate
    assert f"{figure.mean:+.3f} ± {figure.half:.3f}" in text
    plots = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(plots) == 5
    for plot in plots:
        ET.fromstring(plot)  # noqa: S314 - our own text; raises when it is not well-formed


def test_a_match_stops_when_its_interval_is_narrow_enough() -> None:
    plan = Plan(resolve("pineapple"), read_entrants(("fast", "random")), 640, seed="5", until=3.0, chains="played")
    tally = MatchAccumulator(plan)
    for block in play_batches(plan):
        tally.add(block)
        if tally.is_precise_enough():
            break
    result = match_result(tally, "until")
    assert 100 <= result.deals < 640
    assert result.interval == "any_time"
    assert all(bot.played is not None and 0 < bot.played.duplicate.half <= 3.0 for bot in result.bots)


def test_given_values_are_credited_and_nothing_is_played_out() -> None:
    """Eleven points from the opponent for each fantasyland, no more and no less."""
    result = played(("fast", "random"), 16, chains="credited", fantasyland_values=((14, 11.0),))
    fast = result.bots[0]
    assert fast.played is None
    assert fast.fantasyland_stats == ()
    assert fast.credited is not None
    gained = fast.credited.duplicate.mean - fast.plain.duplicate.mean
    shares = [bot.fantasyland.mean / 100 for bot in result.bots]
    assert gained == pytest.approx(11 * (shares[0] - shares[1]))


def test_the_error_of_a_fitted_value_widens_the_interval() -> None:
    """Mean = points + share x value, so the value's own standard error comes in by the share."""
    fitted = played(("fast", "random"), 64, chains="both")
    (value,) = fitted.fantasyland_values
    fast = fitted.bots[0]
    sure = played(("fast", "random"), 64, chains="credited", fantasyland_values=((14, value.value),)).bots[0]
    assert fast.credited is not None
    assert sure.credited is not None
    assert fast.credited.duplicate.mean == pytest.approx(sure.credited.duplicate.mean)
    doubt = 1.95996 * value.error * fast.fantasyland.mean / 100
    assert fast.credited.duplicate.half == pytest.approx(hypot(sure.credited.duplicate.half, doubt))


def test_only_some_are_played_out_to_learn_the_values() -> None:
    result = played(("fast", "random"), 48, chains="credited")
    full = played(("fast", "random"), 48, chains="both")
    assert sum(value.chains for value in result.fantasyland_values) < sum(
        value.chains for value in full.fantasyland_values
    )
    assert result.bots[0].plain == full.bots[0].plain


def test_ctrl_c_prints_what_was_played(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The signal comes in the middle of a move, 2,000 moves into the match."""
    moves = count(1)
    choose = LevelContender.choose

    def interrupted(self: LevelContender, view: DealView, task: Task) -> Action:
        if next(moves) == 2000:
            signal.raise_signal(signal.SIGINT)
        return choose(self, view, task)

    monkeypatch.setattr(LevelContender, "choose", interrupted)
    # A shell without a terminal starts its background jobs with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        status, output = arena(capsys, "random", "random", "--deals", "1000000", "--json")
    finally:
        signal.signal(signal.SIGINT, before)
    outcome = msgspec.json.decode(output, type=ReportDocument).outcome
    assert status == 130
    assert outcome.ended == "interrupted"
    assert 64 <= outcome.deals < 200


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("random", "grandmaster"), "level.unknown"),
        (("random", "random", "--preset", "nope"), "rules.preset"),
        (("random", "random", "--set", "scoring.rows=nope"), "rules.value"),
        (("random",), "arena.bots"),
        (("random",) * 4, "arena.bots"),
        (("random", "./no_such_bot.py"), "arena.program"),
        (("random", "cmd:"), "arena.program"),
        (("random", "cmd:no-such-program-anywhere"), "arena.program"),
        (("random", "fast:no_such_file.tw"), "arena.weights"),
        (("random", f"fast:{TABLES / 'turbo.tw'}"), "arena.weights"),  # learned for another game
        (("random", f"steady:{TABLES / 'turbo.tw'}"), "level.unknown"),
        (("random", "random", "--deals", "0"), "arena.deals"),
        (("random", "random", "--jobs", "0"), "jobs.count"),
        (("random", "random", "--until", "-1"), "arena.until"),
        (("random", "random", "--until", "1", "--chains", "credited"), "arena.until"),
        (("random", "random", "--land-value", "14"), "arena.value"),
        (("random", "random", "--budget-ms", "0"), "arena.value"),
        (("random", "random", "--most-faults", "0"), "arena.value"),
        (("random", "random", "--report", "no/such/folder/page.html"), "arena.report"),
    ],
)
def test_bad_arguments(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], code: str) -> None:
    status, output = arena(capsys, *arguments, "--json")
    error = json.loads(output)["error"]
    assert status == 1
    assert error["code"] == code
    assert error["message"]
    assert error["path"].startswith("$")


def test_custom_weights_equal_to_the_packaged_ones_play_alike(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bots = (f"fast:{TABLES / 'turbo.tw'}", "fast")
    status, output = arena(capsys, *bots, "--preset", "turbo", "--deals", "3", "--json")
    assert status == 0
    assert [bot["plain"]["duplicate"]["mean"] for bot in json.loads(output)["outcome"]["bots"]] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("error", "chains", "text"), [(0.25, 9, "+7.10 ± 0.49"), (1e-15, 1, "+7.10 (1 played)"), (0, 0, "+7.10 (given)")]
)
def test_a_value_of_one_fantasyland_claims_no_interval(error: float, chains: int, text: str) -> None:
    """Issue 33, part 7: one chain fits exactly, and was printed as ± 0.00."""
    assert words._value_text(FantasylandValue("a", 14, 7.1, error, chains)) == text
