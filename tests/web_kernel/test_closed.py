"""Closed hands in the browser: what `triptych analyse` and `triptych solve closed` say of them. Issue 14, part 4."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.case_sample import sample_cases
from tests.web_kernel.positions import random_rows, shuffled
from tests.web_kernel.test_client import run_client
from triptych.cards import Card, cards_text
from triptych.notation.errors import NotationError
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import is_closed
from triptych.server.content.immutable_files import hand_pool_files
from triptych.server.jobs.analysis import setup_for_rules
from triptych.solve.closed.settings import ALL_SETTINGS, closed_position
from triptych.solve.errors import SolveError
from triptych.solve.value.carried import rules_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from triptych.solve.closed.settings import ClosedSetting

CLOSED = [name for name in preset_names() if is_closed(resolve(name))]
TOP = 8
HANDS = 2  # of each game


def text(cards: bytes) -> str:
    return cards_text(map(Card, cards))


@pytest.mark.parametrize("preset", sample_cases(CLOSED, ["closed_1_6", "first_to_11"]))
def test_the_client_ranks_a_closed_hand_as_the_command_line_does(tmp_path: Path, preset: str) -> None:
    """Against one whose cards are not known, and against a board; 72,072 settings each time, to the last bit."""
    rules, chance = resolve(preset), Random(preset)
    form = setup_for_rules(rules)
    assert form.closed is not None
    (tmp_path / "rules").write_bytes(rules_bytes(rules))
    (tmp_path / "hand_pool").write_bytes(hand_pool_files()[form.closed.fields[0].removeprefix("/fields/")])
    questions, expected = [], []
    for hand in range(HANDS):
        pack = shuffled(chance, rules)
        rows = random_rows(chance, pack[13:26]) if hand % 2 else (b"", b"", b"")
        board = b"".join(rows)
        against = [list(board)] if board else []
        questions.append({"cards": list(pack[:13]), "opponents": 1, "against": against, "top": TOP})
        expected.append(closed_position(f"*// +{text(pack[:13])} | {'/'.join(map(text, rows))}", rules, top=TOP))
    files = {"rules": str(tmp_path / "rules"), "hand_pool": str(tmp_path / "hand_pool")}
    (rankings,) = run_client({"rank": questions, "teams": [1], **files}, tmp_path, b"")
    for ranking, answer in zip(rankings, expected, strict=True):
        assert ranking["legal"] == answer.legal <= ALL_SETTINGS
        assert ranking["natural"] == answer.natural
        if answer.surrender is not None:
            assert form.closed.surrenders
            assert ranking["surrender"] == answer.surrender
        for setting, best in zip(ranking["settings"], answer.settings, strict=True):
            assert sorted(map(sorted, setting["rows"])) == sorted(map(sorted, _rows(best)))
            assert (setting["points"], setting["legal"]) == (best.value, best.legal)
            assert tuple(setting["won"] + setting["lost"]) == best.won + best.lost
            assert (setting["scoops"], setting["scooped"]) == (best.scoops, best.scooped)
            assert tuple(setting["royalties"]) == best.royalties


def _rows(setting: ClosedSetting) -> list[list[int]]:
    return [[int(card) for card in row] for row in (setting.front, setting.middle, setting.back)]


@pytest.mark.parametrize(
    ("position", "code"),
    [
        ("*// +AsKsQs | //", "cards.count"),
        ("*As// +KsQsJsTs9s8s7s6s5s4s3s2s | //", "position.street"),
        ("*// +AsKsQsJsTs9s8s7s6s5s4s3s2s | Ah/Kh/Qh", "position.street"),
        ("*// +AsKsQsJsTs9s8s7s6s5s4s3s2s", "against.count"),
        ("// +AsKsQsJsTs9s8s7s6s5s4s3s2s | //", "position.acting"),
    ],
)
def test_bad_closed_positions_are_refused(position: str, code: str) -> None:
    with pytest.raises((SolveError, NotationError)) as error:
        closed_position(position, resolve("closed_1_6"))
    assert error.value.code == code


def test_every_hand_pool_that_a_form_names_can_be_fetched() -> None:
    names = set(hand_pool_files())
    for preset in CLOSED:
        form = setup_for_rules(resolve(preset))
        assert form.closed is not None
        assert {name.removeprefix("/fields/") for name in form.closed.fields} <= names
