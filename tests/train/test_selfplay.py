"""Training: the same from a seed wherever it is cut, for every open game; issue 5 part 1."""

from __future__ import annotations

import numpy as np
import pytest

from tests.case_sample import sample_cases
from triptych import _kernel
from triptych.rulesets.errors import RulesError
from triptych.rulesets.load import preset_names, resolve
from triptych.solve.value import weights
from triptych.solve.value.points import can_learn, row_win_values
from triptych.solve.value.points import weights as points
from triptych.train import selfplay as train
from triptych.train.method import METHODS


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "WARMUP_DEALS", 500)
    monkeypatch.setattr(train, "STRENGTH_SAMPLE_DEALS", 200)
    monkeypatch.setattr(train, "SLICE_DEALS", 100)
    monkeypatch.setattr(train, "FIT_SAMPLE_DEALS", 20)
    monkeypatch.setattr(train, "EVALUATION_DEALS", 100)
    monkeypatch.setattr(weights, "_XZ_PRESET", 0)  # most of these tests' time was xz


def _training(name: str, deals: int = 2_000, players: int = 2, method: str = "draws") -> train.Training:
    spec = {"preset": name}
    return train.Training(resolve(spec), players=players, deals=deals, seed=3, preset=name, spec=spec, method=method)


@pytest.mark.parametrize(
    "name",
    sample_cases([name for name in preset_names() if can_learn(resolve(name))], ["turbo"]),
)
def test_every_open_preset_is_learned_and_read_back(name: str) -> None:
    run = _training(name, 1_000)
    run.run()
    head, network = weights.load(resolve(name), run.result())
    assert (head.deals, head.seed, head.preset) == (1_000, 3, name)
    learned = run.learner.table()
    assert np.abs(network.table() - learned).max() <= np.abs(learned).max() / 64


class _Stopped(Exception):  # noqa: N818 - no error
    pass


@pytest.mark.slow
def test_where_a_run_is_cut_does_not_matter() -> None:
    whole, cut = _training("pineapple", 1_000), _training("pineapple", 1_000)
    whole.run()

    def stop(progress: train.Progress) -> None:
        if progress.done in (300, 700):
            raise _Stopped

    for _ in range(2):
        with pytest.raises(_Stopped):
            cut.run(stop)
    cut.run()
    assert (whole.learner.table() == cut.learner.table()).all()
    assert whole.result() == cut.result()


def _foul(learner: _kernel.Learner) -> float:
    learner.pop_stats()
    learner.play(500, learning=False, rate=0, decay=0, noise=0)
    _, boards, fouls, *_ = learner.pop_stats()
    return fouls / boards


@pytest.mark.parametrize("method", METHODS)
def test_it_learns_not_to_foul(method: str) -> None:
    run = _training("pineapple", 2_000, method=method)
    untrained = _foul(run.learner)
    run.run()
    assert _foul(run.learner) < untrained / 3


def test_fantasyland_tempts_more_at_first_and_only_when_boards_are_chosen() -> None:
    rules = resolve("pineapple")
    run = _training("pineapple", 1_000)
    run.run()
    plain = points(rules, run.fantasyland_values)
    early, late = (
        METHODS[run.method].exploration_weights(plain, 0.0),
        METHODS[run.method].exploration_weights(plain, METHODS[run.method].shaping_until),
    )
    assert late == plain
    assert early[4:9] == [METHODS[run.method].fantasyland_bonus * value for value in plain[4:9]]
    assert plain[3] < early[3] < 0


def test_three_players_learn_too() -> None:
    run = _training("pineapple", 800, players=3)
    run.run()
    assert run.history[-1].done == 800


def test_a_closed_game_is_refused() -> None:
    with pytest.raises(RulesError) as caught:
        _training("closed_1_6")
    assert caught.value.code == "train.game"


def test_weights_of_another_family_are_refused() -> None:
    run = _training("pineapple", 700)
    run.run()
    data = run.result()
    for rules, broken, code in (
        ("turbo", data, "weights.shape"),
        ("pineapple", data[:-200], "weights.file"),
        ("pineapple", b"{}", "weights.file"),
    ):
        with pytest.raises(weights.WeightsError) as caught:
            weights.load(resolve(rules), broken)
        assert caught.value.code == code


def test_points_of_outcomes_follow_from_the_rules() -> None:
    """Rules §4: a won row against a lost one, averaged over the other two; a foul costs a scoop."""
    assert row_win_values(resolve("pineapple")) == ((5 + 2 + 2 + 5) / 4,) * 3
    assert row_win_values(resolve({"preset": "pineapple", "scoring.rows": "per_row"})) == (2,) * 3
    assert row_win_values(resolve("ofc_russian")) == ((5 + 2 + 2 + 5) / 4,) * 3
    # Its own points, and a quarter of the bonus for each of the two ways to end with three rows alike.
    own_rules = {"preset": "pineapple", "scoring.rows": "custom", "scoring.points": [1, 2, 3], "scoring.bonus": 4}
    assert row_win_values(resolve(own_rules)) == (2 + 2, 4 + 2, 6 + 2)
    of = points(resolve("pineapple"), (0.0,) * 14 + (11.0, 0.0, 0.0, 0.0))
    average = sum(of[9:]) / 2
    assert of[3] + 6 == pytest.approx(average)
