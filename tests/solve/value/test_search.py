"""The search by rollouts: the same cards for every placement, slices that add up, points that the scorer pays."""

from __future__ import annotations

import numpy as np
import pytest

from tests.case_sample import sample_cases
from triptych.notation.position import parse_position
from triptych.rulesets.load import resolve
from triptych.solve.analysis.analyse import prepare_decision
from triptych.solve.analysis.decision import Decision
from triptych.solve.value.weights import first_street_corrections, load, packaged_file

POSITIONS = (
    "*// +AhKd7c7s2d | //",
    "Qs/8s8h/2h2d | *Kd/7s7h/AhAd +Qc4s9h",
    "*Kd/7s7h/AhAd +Qc4s9h | As/8c8d/TcJc | Qs/8s8h/2h2d",
    "*Kd/7s7h9c/AhAdTc +Qc4s9h -2c | // =14",
    "QsQh/8s8hTd9s/2h2dJs3d3h | *Kd/7s7h9c6c/AhAdTcTs +Qc4s9h -2c5h",
    "*Kd/7s7h9c6c/AhAdTcTs +Qc4s9h -2c5h | QsQh/8s8hTd/2h2dJs3d",
)
LAST_TO_ACT = "As/8c8d/TcJc | *// +AhKd7c7s2d"
ANSWERED = (*POSITIONS[:3], POSITIONS[5])  # by hands that still act on the street
# Where the learned choice answers a first street unless more is known: more hands, jokers. Which of it is asked for.
FIRST = (
    ("pineapple", "*// +AhKd7c7s2d | // | //", 2),
    ("pineapple", "Kd/7s7h/AhAd | *// +Qc4s9hTs2d | //", 1),
    ("pineapple_joker", "*// +QcX19hTs2d | //", 0),
)
TURNED = POSITIONS[:3]  # what is shown is played in turns, in which the hands exchange their later cards


@pytest.mark.parametrize("position", POSITIONS)
def test_a_placement_has_its_points_whatever_is_tried_beside_it(position: str) -> None:
    """What the others do with an order of the cards is shared by all placements, so it must not depend on one."""
    _, search, _ = prepare_decision(position, "pineapple", None)
    together = search.sample_points([0, 5, 2, 9], 60, 3, 10)
    for column, number in enumerate((0, 5, 2, 9)):
        assert (search.sample_points([number], 60, 3, 10)[:, 0] == together[:, column]).all()


@pytest.mark.parametrize("position", POSITIONS)
def test_slices_add_up_to_one_long_run(position: str) -> None:
    _, whole, _ = prepare_decision(position, "pineapple", None)
    _, cut, _ = prepare_decision(position, "pineapple", None)
    whole.measure(4, 90, 7, 0)
    for first in (0, 30, 60):
        cut.measure(4, 30, 7, first)
    for whole_row, cut_row in zip(whole.table(), cut.table(), strict=True):
        assert whole_row == pytest.approx(cut_row)
    bare = whole.sample_points([0, 1, 2, 3], 90, 7, 0)
    assert (bare == np.concatenate([cut.sample_points([0, 1, 2, 3], 30, 7, first) for first in (0, 30, 60)])).all()
    if position not in TURNED:
        points = bare.mean(axis=0, dtype=float)
        displayed = np.array([row[5] for row in whole.table()[:4]])
        assert points - points[0] == pytest.approx(displayed - displayed[0], abs=1e-3)
        if position not in ANSWERED:
            assert points == pytest.approx(displayed, abs=1e-3)


@pytest.mark.parametrize("position", ANSWERED)
def test_levels_choose_by_the_same_belief_whatever_came_before(position: str) -> None:
    """What is shown is believed with more care; a race knows nothing of it."""
    _, plain, _ = prepare_decision(position, "pineapple", None)
    _, displayed, _ = prepare_decision(position, "pineapple", None)
    displayed.measure(2, 100, 3, 0)
    displayed.reset_samples()
    for search in (plain, displayed):
        search.run(8, 2_000, 5, early_stop=True)
    assert [row[:6] for row in displayed.table()] == [row[:6] for row in plain.table()]


@pytest.mark.parametrize("position", sample_cases(ANSWERED, ANSWERED[:1]))
def test_opponents_who_act_on_the_street_are_not_assumed_careless(position: str) -> None:
    """The others answer by a search, not by the learned choice: so less is promised (issue 13)."""
    _, search, _ = prepare_decision(position, "pineapple", None)
    search.measure(0, 12_000, 7, 0, [0])
    (row,) = [row for row in search.table() if row[4]]
    bare = search.sample_points([0], 12_000, 7, 0).mean(dtype=float)
    assert bare - 3 < row[5] < bare
    assert row[5] == pytest.approx(sum(row[7:11]) + row[13])
    assert 0 <= row[11] <= 1
    assert 0 <= row[12] <= 1


@pytest.mark.parametrize(("preset", "position", "kind"), FIRST)
def test_the_value_of_answers_to_a_first_street_is_subtracted(preset: str, position: str, kind: int) -> None:
    """Issue 13: `bench.answers` measured it for each preset; every placement is shown as much less, part by part."""
    rules, parsed = resolve(preset), parse_position(position)
    head, learner = load(rules, packaged_file(rules) or b"")  # one of its own: the package's is shared by all tests
    me = next(index for index, hand in enumerate(parsed.hands) if hand.drawn)
    tables = []
    for corrections in (first_street_corrections()[preset], ()):
        learner.set_first_answers(corrections)
        search = Decision.from_position(rules, parsed, me).analysis(learner, head.fantasyland_values)
        search.measure(3, 200, 5, 0)
        tables.append(search.table()[:3])
    for corrected, plain in zip(*tables, strict=True):
        taken = np.array(corrected[7:11]) - np.array(plain[7:11])
        assert taken == pytest.approx(first_street_corrections()[preset][kind], abs=1e-5)
        assert corrected[5] - plain[5] == pytest.approx(taken.sum(), abs=1e-5)
        assert corrected[11:13] == plain[11:13]


@pytest.mark.parametrize("position", POSITIONS)
def test_two_threads_answer_what_one_does(position: str) -> None:
    """Every rollout has cards of its own, whoever plays it; two runs of two threads are the same to the last bit."""
    _, alone, _ = prepare_decision(position, "pineapple", None, shared=False)
    shared, again = (prepare_decision(position, "pineapple", None)[1] for _ in range(2))
    for search in (alone, shared, again):
        search.run(8, 3_000, 2)
        search.reset_samples()
        search.measure(4, 91, 7, 0)
    for row, other in zip(alone.table(), shared.table(), strict=True):
        assert row == pytest.approx(other)
    assert shared.table() == again.table()


def test_a_quick_search_stops_when_one_placement_is_clearly_best() -> None:
    """docs: first-strategy: a king and a queen in front of two aces are two points ahead, the three hearts 0.3."""
    rollouts = []
    for position, sizes in (("*// +AsKsQsAd2c | //", [2, 2, 1]), ("*// +Kh9h4hTc6s | //", [0, 2, 3])):
        _, search, _ = prepare_decision(position, "pineapple", None, shared=False)
        search.run(16, 20_000, 1, early_stop=True)
        table = search.table()
        assert [len(row) for row in table[0][:3]] == sizes
        rollouts.append(sum(row[4] for row in table))
    assert rollouts[0] < 20_000 / 4 < 20_000 / 2 < rollouts[1]


@pytest.mark.parametrize("position", [LAST_TO_ACT, *POSITIONS[1:4]])
def test_rollouts_pay_what_the_rules_pay(position: str) -> None:
    """Each turn's points are whole numbers once the value of a fantasyland is taken away (Rules §4)."""
    turns = len(position.split("|")) if position in (LAST_TO_ACT, *TURNED) else 1
    _, search, _ = prepare_decision(position, "pineapple", None)
    search.measure(3, 1, 5, 0)
    for row in search.table()[:3]:
        rows, royalties, fouls, fantasyland = row[7:11]
        points = turns * (rows + royalties + fouls)
        assert points == pytest.approx(round(points), abs=1e-6)
        assert row[5] == pytest.approx(rows + royalties + fouls + fantasyland)
        assert row[11] + row[12] <= 1 + 1e-9  # a foul enters no fantasyland


def test_common_cards_separate_placements_sooner() -> None:
    """The difference of two placements varies less on common cards than on cards of their own."""
    _, search, _ = prepare_decision(POSITIONS[1], "pineapple", None)
    common = search.sample_points([0, 1], 2_000, 1, 0)
    own = search.sample_points([1], 2_000, 2, 0)[:, 0]
    assert np.var(common[:, 0] - common[:, 1]) < 0.8 * np.var(common[:, 0] - own)
