"""Analysis: every placement, parts that add up, the same for a seed, covered by its intervals (issue 5, part 4)."""

from __future__ import annotations

import json
from itertools import islice
from random import Random
from statistics import fmean

import pytest

from triptych.board import Layout
from triptych.cards import card_text, deck
from triptych.cli.main import app
from triptych.notation.errors import NotationError
from triptych.rulesets.errors import RulesError
from triptych.solve.analysis.analyse import SearchBudget, analyse, iter_analyses, pairwise_loss
from triptych.solve.errors import SolveError

POSITION = "*Kd/7s7h/AhAd +Qc4s9h | As/8c8d/TcJc"
QUICK = SearchBudget(max_error=1.0, max_slices=1)


def test_every_placement_is_there_and_its_parts_add_up() -> None:
    """27 ways to place two of three cards in three rows (Rules §2), all of them with room here."""
    answer = analyse(POSITION, budget=QUICK)
    assert len({(p.front, p.middle, p.back) for p in answer.placements}) == 27
    for placement in answer.placements:
        parts = placement.rows + placement.royalties + placement.fouls + placement.fantasyland
        assert placement.value == pytest.approx(parts)
        assert placement.error > 0
        assert sorted((*placement.front, *placement.middle, *placement.back, *placement.discards)) == [
            "4s",
            "9h",
            "Qc",
        ]
    for group in (answer.placements[1:4], answer.placements[4:]):
        values = [placement.value for placement in group]
        assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("top", [1, 3])
def test_shown_values_have_the_requested_error(top: int, capsys: pytest.CaptureFixture[str]) -> None:
    """A shown value has that error. What few rollouts made look good by luck is not shown among them."""
    app(["analyse", POSITION, "--error", "0.25", "--top", str(top), "--json"], result_action="return_value")
    answer = json.loads(capsys.readouterr().out)
    assert max(placement["error"] for placement in answer["placements"][:top]) <= 0.25
    assert min(placement["error"] for placement in answer["placements"][top:]) > 0.25


def test_the_same_seed_gives_the_same_answer_and_another_one_nearly_so() -> None:
    first, again, other = (analyse(POSITION, budget=QUICK, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    near = {(p.front, p.middle, p.back): p for p in other.placements}
    off = [
        abs(p.value - near[p.front, p.middle, p.back].value)
        / (p.error**2 + near[p.front, p.middle, p.back].error ** 2) ** 0.5
        for p in first.placements
    ]
    assert sum(gap > 3 for gap in off) <= 1


def test_it_can_be_stopped_after_any_slice_and_gets_better() -> None:
    first, second = islice(iter_analyses(POSITION, budget=SearchBudget(max_error=0.01, max_slices=3)), 2)
    assert sum(p.rollouts for p in second.placements) > sum(p.rollouts for p in first.placements)
    assert min(p.error for p in second.placements) < min(p.error for p in first.placements)


def test_nothing_left_to_chance_is_exact() -> None:
    """The last to act on the last street: QQ on top enters fantasyland (Rules §5)."""
    done = "9s7d5h/8c8d3s2h4h/TcTdThJc6s"
    answer = analyse(f"{done} | *QcQd/KsKhAc3d2d/AsAhJs5c +Jd4c5d", budget=QUICK)
    best = answer.placements[0]
    assert best.enters == 1
    assert (best.fouls, best.foul) == (0, 0)
    assert answer.exact
    assert best.error == 0
    assert best.rollouts == 1


@pytest.mark.parametrize(
    ("position", "preset", "code"),
    [
        ("Kd/7s7h/AhAd +Qc4s9h | As/8c8d/TcJc", "pineapple", "position.acting"),
        ("*Kd/7s7h/AhAd +Qc4s | As/8c8d/TcJc", "pineapple", "position.street"),
        ("*Kd/7s7h/AhAd +QcQc9h | As/8c8d/TcJc", "pineapple", "card.duplicate"),
        ("*Kd/7s7h", "pineapple", "position.hand"),
        (POSITION, "closed_1_6", "value.none"),
        (POSITION, "nonsense", "rules.preset"),
    ],
)
def test_bad_questions_get_one_clear_error(position: str, preset: str, code: str) -> None:
    with pytest.raises((SolveError, NotationError, RulesError)) as caught:
        analyse(position, preset, QUICK)
    assert getattr(caught.value, "code", "") == code


def test_the_command_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    app(["analyse", POSITION, "--error", "1", "--top", "3"], result_action="return_value")
    printed = capsys.readouterr().out
    assert "the best 3 of 27 placements" in printed
    assert "enters" in printed


@pytest.mark.slow
def test_the_interval_of_the_best_placement_is_unbiased_and_covers() -> None:
    """60 analyses against others of other rollouts: 95 % intervals that cover, and no winner's curse.

    Chance alone has 50 or fewer inside once in 10,000 times, and a mean gap beyond 0.5 errors as seldom.
    """
    gaps = []
    for seed in range(60):
        text = _position(seed)
        best = analyse(text, budget=SearchBudget(max_error=0.3), seed=seed).placements[0]
        again = analyse(
            text,
            budget=SearchBudget(max_error=0.12),
            seed=5_000 + seed,
            also=Layout(best.front, best.middle, best.back),
        )
        other = next(placement for placement in again.placements if placement.text == best.text)
        gaps.append((best.value - other.value) / (best.error**2 + other.error**2) ** 0.5)
    assert sum(abs(gap) <= 1.96 for gap in gaps) > 50
    assert abs(fmean(gaps)) < 0.5


def _position(seed: int) -> str:
    """Return a decision of one of the first three streets: random boards, so that many placements are close."""
    cards = [card_text(card) for card in Random(seed).sample(deck(), 17)]
    boards = (
        ("//", "//"),
        ("{0}{1}/{2}/{3}{4}", "{5}/{6}{7}/{8}{9}"),
        ("{0}{1}/{2}{3}/{4}{5}{6}", "{7}/{8}{9}{10}/{11}{12}{13}"),
    )
    mine, other = boards[seed % 3]
    drawn = "".join(cards[-5 if seed % 3 == 0 else -3 :])
    return f"*{mine} +{drawn} | {other}".format(*cards)


@pytest.mark.parametrize(
    ("position", "front"),
    [
        pytest.param("*// +KdTc6hJsKs | // | //", {"Kd", "Ks"}, marks=pytest.mark.slow),
        ("*// +QsQd9h6h3h | // =14", {"Qs", "Qd"}),
    ],
)
def test_plays_for_fantasyland_are_shown_as_the_best(position: str, front: set[str]) -> None:
    """Issue 13: on 100,000 common rollouts the first is 1.0 ± 0.2 points ahead, the second on 60,000 1.1 ± 0.1."""
    best = analyse(position, "pineapple", SearchBudget(max_error=1, max_slices=1)).placements[0]
    assert {*best.front} == front


def test_the_gap_of_two_placements_has_its_error() -> None:
    """The same cards for both: the difference is known better than either value; a placement is not behind itself."""
    answer = analyse(POSITION, budget=QUICK)
    best, other = answer.placements[0], answer.placements[4]
    lost, error = pairwise_loss(POSITION, "pineapple", (best, other), SearchBudget(max_error=0.2))
    assert 0 < error <= 0.2
    assert lost == -pairwise_loss(POSITION, "pineapple", (other, best), SearchBudget(max_error=0.2))[0]
    assert pairwise_loss(POSITION, "pineapple", (best, best), SearchBudget(max_error=0.2)) == (0, 0)
    assert lost == pytest.approx(best.value - other.value, abs=4 * (best.error**2 + other.error**2) ** 0.5)
