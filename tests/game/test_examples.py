"""The programs of docs/examples that play by `triptych.Deal` do what their pages say (issue 33)."""

from __future__ import annotations

import builtins
import runpy
import sys
from pathlib import Path
from random import Random

import pytest

import triptych

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_a_whole_game_is_played_in_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Forty lines: a match against a bot, whose cards are not shown; a slip is told and asked again."""
    rng = Random(3)
    answers = 0

    def answer(prompt: str) -> str:
        nonlocal answers
        answers += 1
        deal: triptych.Deal = sys._getframe(1).f_locals["deal"]
        assert all(card in prompt for card in deal.drawn("You"))
        return "nonsense" if answers == 1 else str(rng.choice(deal.legal_placements("You")))

    monkeypatch.setattr(builtins, "input", answer)
    monkeypatch.setattr(sys, "argv", ["play_deal.py", "random"])
    names = runpy.run_path(str(EXAMPLES / "play_deal.py"), run_name="__main__")
    assert names["match"].is_over
    printed = capsys.readouterr().out
    assert "write front/middle/back" in printed
    assert "discarded ?? ??" in printed
    assert "stacks:" in printed
    assert len((EXAMPLES / "play_deal.py").read_text().splitlines()) <= 41


def test_the_careful_bot_beats_random_play() -> None:
    """By three points a deal and more; few deals here, whose mean is above that by the same cards each time."""
    careful = runpy.run_path(str(EXAMPLES / "careful_bot.py"))["Careful"]()
    result = triptych.play_match(careful, "random", deals=16)
    assert result.bots[0].faults == {}
    assert result.bots[0].plain.duplicate.mean > 3
