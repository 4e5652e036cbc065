"""The arena: chance cancels, the better bot wins, processes change nothing, bad arguments are named.

Issue 5, part 3; MEASURES 2 (duplicate pairs).
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from triptych.bots.arena.contender import read_entrants
from triptych.bots.arena.match import Plan, blocks
from triptych.bots.arena.report import Outcome, outcome
from triptych.bots.arena.tally import Tally
from triptych.rules.load import resolve

if TYPE_CHECKING:
    from collections.abc import Sequence


def played(bots: Sequence[str], deals: int, preset: str = "pineapple", jobs: int = 1, **more: Any) -> Outcome:
    plan = Plan(rules=resolve(preset), entrants=read_entrants(bots), deals=deals, seed=5, **more)
    tally = Tally(plan)
    for block in blocks(plan, jobs):
        tally.add(block)
    return outcome(tally, "all")


def arena(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", "from triptych.cli.main import main; main()", "arena", *arguments]
    return subprocess.run(program, capture_output=True, text=True, check=False, timeout=120)


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
    """Every deck in every seating, chance included: what one seat wins, each bot has won once (MEASURES 2)."""
    found = played(bots, 12, preset)
    for bot in found.bots:
        assert bot.played is not None
        for points in (bot.plain, bot.played):
            assert points.duplicate.mean == pytest.approx(found.bots[0].plain.duplicate.mean, abs=1e-12)
            assert points.duplicate.sd == pytest.approx(found.bots[0].plain.duplicate.sd, abs=1e-12)
    if preset != "first_to_11":  # the only one whose points need not sum to zero
        assert found.bots[0].plain.duplicate.mean == 0
        assert found.bots[0].plain.duplicate.half == 0
    assert found.bots[0].plain.raw.sd > 0


def test_the_better_bot_wins_significantly() -> None:
    found = played(("random", "steady"), 30)
    steady = found.bots[1]
    assert steady.played is not None
    assert steady.played.duplicate.mean - steady.played.duplicate.half > 0
    assert steady.played.duplicate.mean == -found.bots[0].played.duplicate.mean  # type: ignore[union-attr]
    assert steady.foul.mean + 10 < found.bots[0].foul.mean


def test_any_number_of_processes_gives_the_same_figures() -> None:
    alone = played(("random", "random", "random"), 200)
    assert played(("random", "random", "random"), 200, jobs=2) == alone


def test_json_is_the_report_and_nothing_else() -> None:
    said = arena("random", "random", "--deals", "5", "--seed", "9", "--json")
    assert said.returncode == 0
    body = json.loads(said.stdout)
    assert set(body) == {"outcome", "speed", "run"}
    assert body["outcome"]["seed"] == 9
    assert body["run"]["jobs"] == 1
    assert [bot["bot"] for bot in body["outcome"]["bots"]] == ["random", "random#2"]
    assert body["speed"][0]["wall"]["moves"] >= 50


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
        (("random", "random", "--deals", "0"), "arena.deals"),
        (("random", "random", "--jobs", "0"), "arena.jobs"),
        (("random", "random", "--until", "-1"), "arena.until"),
        (("random", "random", "--until", "1", "--chains", "credited"), "arena.until"),
        (("random", "random", "--land-value", "14"), "arena.value"),
        (("random", "random", "--budget-ms", "0"), "arena.value"),
        (("random", "random", "--most-faults", "0"), "arena.value"),
    ],
)
def test_bad_arguments(arguments: tuple[str, ...], code: str) -> None:
    said = arena(*arguments, "--json")
    error = json.loads(said.stdout)["error"]
    assert said.returncode == 1
    assert error["code"] == code
    assert error["message"]
    assert error["path"].startswith("$")
