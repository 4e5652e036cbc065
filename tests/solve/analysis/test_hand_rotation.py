"""Rollouts in turns, less the luck of their cards: what is shown stays what it is, its error honest; issue 13, 5."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from tests.case_sample import sample_cases
from triptych.notation.position import parse_position
from triptych.rulesets.load import resolve
from triptych.solve.analysis.decision import Decision
from triptych.solve.value.weights import packaged

# First streets of the last to act: nobody answers, so bare rollouts and what is shown have the same mean.
FIRST = {
    "pineapple": "Kd/7s7h/AhAd | 2h/3s3h/TcJc | *// +Qc4s9hTs2d",
    "pineapple_joker": "*// +QcX19hTs2d | Ad/8c8d/TcJc",
    "ofc_american": "Kd/7s7h/AhAd | 2h/3s3h/TcJc | *// +Qc4s9hTs2d",
}
SORTING, BATCHES, EACH = 40_000, 40, 100


@pytest.mark.parametrize("preset", sample_cases(sorted(FIRST), ["pineapple"]))
def test_it_is_the_mean_of_bare_rollouts_and_varies_as_it_says(preset: str) -> None:
    """Against 20,000 bare rollouts; batches vary by their standard error: chi-square, four of its deviations wide."""
    rules = resolve(preset)
    position = parse_position(FIRST[preset])
    model = packaged(rules)
    assert model is not None
    head, learner = model
    me = next(index for index, hand in enumerate(position.hands) if hand.drawn)
    search = Decision.from_position(rules, position, me).analysis(learner, head.fantasyland_values)
    search.run(8, SORTING, 1)
    bare = search.sample_points([0], 20_000, 2, 0)[:, 0].astype(float)
    values, errors = [], []
    for batch in range(BATCHES):
        search.reset_samples()
        search.measure(1, EACH, 3, batch * EACH)
        row = search.table()[0]
        values.append(row[5])
        errors.append(row[6])
    mean, error = float(np.mean(values)), sqrt(float(np.mean(np.square(errors))) / BATCHES)
    bare_error = bare.std() / sqrt(len(bare))
    assert abs(mean - bare.mean()) < 4 * sqrt(error**2 + bare_error**2)
    spread = float(np.var(values, ddof=1)) / float(np.mean(np.square(errors)))
    assert abs(spread - 1) < 4 * sqrt(2 / (BATCHES - 1))
    assert np.mean(errors) < 0.8 * bare.std() / sqrt(EACH)
