"""What a placement comes to street by street: certain fouls, fantasylands, royalties. Issue 14, part 4."""

from __future__ import annotations

from itertools import pairwise

import pytest

from triptych.solve.analysis.analyse import prepare_decision

ROLLOUTS = 300
# Three aces in front: in the middle only a full house, quads or, with a joker, more of them can hold them up.
THREATENED = "*AhAdAc/7s7h3c/KhKd2c +Qc4s9h -2d8h | ThTd/8c8d5s/TcJc3d4d"


@pytest.mark.parametrize("preset", ["pineapple", "pineapple_joker"])
def test_certain_fouls_only_grow_and_end_as_the_fouls_that_are_counted(preset: str) -> None:
    """Under jokers too: one that may still come mends only what it can."""
    _, search, _ = prepare_decision(THREATENED, preset, None)
    count = len(search.table())
    search.measure(count, ROLLOUTS, 1, 0)
    fouls = [row[11] for row in search.table()]
    certain = []
    for at in range(count):
        streets = [street[0] for street in search.street_progress(at, ROLLOUTS, 1, 0)]
        assert all(sooner <= later for sooner, later in pairwise(streets))
        assert streets[-1] == pytest.approx(fouls[at])
        certain.append(streets[3])
    assert any(certain)
    assert certain != fouls
