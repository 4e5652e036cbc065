"""Puzzles out of self-play: the best surely leads, `fast` misses it. Issue 14, part 5; docs/reference/files.md."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from triptych.arena.puzzles.find import (
    PuzzleSearch,
    engine_version,
    puzzles_in_deal,
    remeasure,
    verify_puzzle_search,
)
from triptych.arena.puzzles.make import generate_puzzles
from triptych.arena.puzzles.rating import rating
from triptych.cli.puzzles import puzzles
from triptych.errors import TriptychError
from triptych.rulesets.load import resolve
from triptych.solve.analysis.analyse import SearchBudget, analyse
from triptych.solve.puzzles.model import puzzle_line, read_puzzles

if TYPE_CHECKING:
    from pathlib import Path

SEED = 17
HUNT = PuzzleSearch({"preset": "pineapple"}, 2, SEED, 0.4)
DEAL = 0  # of this seed: it has a puzzle


def test_the_best_of_a_puzzle_is_the_best_of_an_analysis_of_its_own() -> None:
    puzzle = puzzles_in_deal(HUNT, DEAL)[0]
    analysis = analyse(puzzle.position, "pineapple", SearchBudget(max_error=0.15), seed=99)
    assert analysis.placements[0].text == puzzle.best.text
    assert analysis.placements[0].value == pytest.approx(puzzle.best.value, abs=4 * (0.15 + puzzle.best.error))
    tempting = next(
        placement for placement in analysis.placements if placement.text == puzzle.choices[puzzle.tempting].text
    )
    assert analysis.placements[0].value - tempting.value > HUNT.min_margin


def test_a_deal_gives_the_same_puzzles_again() -> None:
    assert puzzles_in_deal(HUNT, DEAL) == puzzles_in_deal(HUNT, DEAL)


def test_a_puzzle_is_measured_again_to_the_last_digit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Issue 32, part 4: by a command; the file names the engine, and a check fails when values differ."""
    puzzle = puzzles_in_deal(HUNT, DEAL)[0]
    assert puzzle.engine == engine_version(resolve("pineapple"))
    wrong = (replace(puzzle.best, value=puzzle.best.value - 0.5), *puzzle.choices[1:])
    old = replace(puzzle, choices=wrong, engine="")
    file = tmp_path / "own.puzzles.jsonl"
    file.write_text(puzzle_line(replace(old, engine=puzzle.engine)) + "\n")
    assert puzzles("pineapple", output=file, check=True) == 1
    assert f"these have other values: {puzzle.id}" in " ".join(capsys.readouterr().out.split())
    file.write_text(puzzle_line(old) + "\n")
    assert puzzles("pineapple", output=file, check=True) == 1
    assert "1 of 1 puzzles were measured by another engine" in " ".join(capsys.readouterr().out.split())
    assert puzzles("pineapple", output=file, remeasure=True) == 0
    assert list(read_puzzles(file.read_text().splitlines(), HUNT.spec)) == [puzzle]
    assert puzzles("pineapple", output=file, check=True) == 0


def test_a_puzzle_that_no_longer_qualifies_is_dropped() -> None:
    puzzle = puzzles_in_deal(HUNT, DEAL)[0]
    assert remeasure(puzzle, puzzle.lead + 1) is None
    assert remeasure(replace(puzzle, tempting=0), HUNT.min_margin) is None


def test_a_resumed_hunt_begins_after_the_last_deal_and_drops_duplicates() -> None:
    (first,) = islice(generate_puzzles(HUNT), 1)
    assert [puzzle.deal for puzzle in first] == [(SEED, 0)]
    (second,) = islice(generate_puzzles(HUNT, first), 1)
    assert all(puzzle.deal == (SEED, 1) for puzzle in second)
    # What is known from another seed says nothing of where this one begins, but no position comes twice.
    moved = [replace(puzzle, deal=(2, 7)) for puzzle in first]
    assert list(islice(generate_puzzles(HUNT, moved), 1)) == [()]


@pytest.mark.slow
def test_the_command_goes_on_with_its_file(tmp_path: Path) -> None:
    file = tmp_path / "own.puzzles.jsonl"
    assert puzzles("pineapple", count=1, output=file) == 0
    before = file.read_text()
    assert puzzles("pineapple", count=2, output=file) == 0
    after = list(read_puzzles(file.read_text().splitlines(), HUNT.spec))
    assert file.read_text().startswith(before)
    assert len({puzzle.id for puzzle in after}) == 2
    assert puzzles("turbo", count=3, output=file) == 1


@pytest.mark.parametrize(
    ("hunt", "code"),
    [
        (PuzzleSearch({"preset": "closed_1_6"}, 2, 1, 0.4), "puzzle.rules"),
        (PuzzleSearch({"preset": "pineapple"}, 5, 1, 0.4), "puzzle.players"),
        (PuzzleSearch({"preset": "pinapple"}, 2, 1, 0.4), "rules.preset"),
    ],
)
def test_a_hunt_that_can_yield_no_puzzles_is_refused(hunt: PuzzleSearch, code: str) -> None:
    with pytest.raises(TriptychError) as caught:
        verify_puzzle_search(hunt)
    assert caught.value.code == code


def test_a_puzzle_is_rated_by_how_often_it_is_missed() -> None:
    """Half of the attempts: 1500; odds ten times as long: 400 more (Elo 1978, 8.4)."""
    easy, even, hard = ({"novice": share, "fast": 1.0, "medium": share} for share in (0.0, 0.484375, 1.0))
    assert rating(easy) < rating(even) < rating(hard)
    assert rating(even) == 1500
    assert 1500 - rating(easy) < rating(hard) - 1500 < 800  # fast has always missed it
