"""Decision quality: fixed positions, and a referee whose file is the same however it was made."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bench.decisions import played, positions, referee
from bench.decisions.regret import choices, loss
from triptych.notation.position import parse_position, position_link

if TYPE_CHECKING:
    from pathlib import Path

    from triptych import _kernel

SPOTS = positions.read()


def test_the_positions_are_200_of_each_street_and_fit_a_url() -> None:
    assert Counter(spot.street for spot in SPOTS) == dict.fromkeys(positions.STREETS, 200)
    assert len({spot.text for spot in SPOTS}) == 1000
    for spot in SPOTS:
        position = parse_position(spot.text)
        assert position_link(position) == spot.text
        assert len(position.acting) == 1
        assert positions.seen_by(spot.text)[1].street == spot.street


@pytest.mark.slow
def test_a_stopped_referee_goes_on_and_two_processes_change_nothing(tmp_path: Path) -> None:
    head, spots = referee.head(500, 6.0), SPOTS[::150]
    whole, cut, two = (tmp_path / name for name in ("whole", "cut", "two"))
    assert list(referee.fill(whole, head, spots, 1))[-1] == (len(spots), len(spots))
    list(islice(referee.fill(cut, head, spots, 1), 3))
    assert 0 < len(referee.load(cut)[1]) < len(spots)
    with cut.open("ab") as file:
        file.write(b'{"position":"*')  # the line that was being written
    list(referee.fill(cut, head, spots, 1))
    list(referee.fill(two, head, spots, 2))
    assert whole.read_bytes() == cut.read_bytes() == two.read_bytes()
    with pytest.raises(SystemExit, match="made otherwise"):
        next(referee.fill(whole, referee.head(600, 6.0), spots, 1))


def test_exact_play_loses_nothing_on_the_last_street_and_random_play_loses_much() -> None:
    """Street 5 regret 0; the referee's own best is behind by nothing."""
    spots = SPOTS[800::4]
    head = referee.head(400, 6.0)
    verdicts = [referee.judge(head, spot) for spot in spots]
    assert {verdict.rollouts for verdict in verdicts} == {0}
    assert loss(list(choices("medium", verdicts))).regret.mean == 0
    assert loss(list(choices("random", verdicts))).regret.mean > 0.5


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("level", "most"), [("fast", 0.16), ("medium", 0.07)])
def test_levels_lose_little_while_boards_grow(level: str, most: float, step: int) -> None:
    """Issue 13, part 5: 0.134 and 0.042 a decision; 0.180 and 0.135 before they looked ahead as they do."""
    _, by_position = referee.load()
    verdicts = [by_position[spot.text] for spot in SPOTS[::step] if spot.street < referee.COUNTED_STREET]
    assert loss(list(choices(level, verdicts))).regret.mean < most


class _KnownSearch:
    """A search whose placements bring known points, with noise that all of them share."""

    means = (1.0, 0.0, 0.98, -3.0)

    def sample_points(
        self, chosen: list[int], each: int, seed: int, first: int
    ) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        random = np.random.default_rng((seed, first))
        shared = random.normal(0, 5, (each, 1))
        own = random.normal(0, 1, (each, len(self.means)))
        points: np.ndarray[tuple[int, int], np.dtype[np.float32]] = (shared + own + np.array(self.means)).astype(
            np.float32
        )
        return points[:, chosen]


def test_a_placement_clearly_behind_is_dropped_and_keeps_its_distance() -> None:
    """Paired differences have a standard deviation of √2 here, the points themselves one of √26."""
    race = referee.Race(4)
    search: _kernel.Analysis = _KnownSearch()  # type: ignore[assignment]
    race.run(search, 20_000, 6.0, 1)
    assert race.alive == [0, 2]
    values, errors = race.values(), race.errors()
    assert values[0] - values[1] == pytest.approx(1, abs=0.4)
    assert values[0] - values[3] == pytest.approx(4, abs=0.4)
    assert race.behind[2] == pytest.approx((2 / 20_000) ** 0.5, rel=0.05)
    assert errors[0] == pytest.approx((26 / 20_000) ** 0.5, rel=0.05)
    assert values[0] == pytest.approx(1, abs=5 * errors[0])


def test_deals_played_out_judge_what_was_chosen_and_are_not_played_twice(tmp_path: Path) -> None:
    """Who chose the placement that the deals find best loses nothing, and luck alone makes none the best."""
    file, spots = tmp_path / "played.jsonl", SPOTS[800:801]
    assert list(played.fill(file, spots, ["random"], 4))[-1] == (1, 1)
    first = file.read_bytes()
    list(played.fill(file, spots, ["random"], 4))
    assert file.read_bytes() == first
    list(played.fill(file, spots, ["random", "base"], 4))
    for spot in spots:
        judged = played.load(file)[spot.text]
        assert set(judged.chosen) == {"analysis", "random", "base"}
        assert {*judged.points} == {*judged.chosen.values()}
    better, worse = (4.0, 2.0, 5.0, 1.0), (1.0, 1.0, 1.0, 1.0)
    verdict = played.JudgedPosition("", 4, {"analysis": "a", "base": "b"}, (3.0, 0.1), {"a": better, "b": worse})
    assert played.points_lost(verdict, "analysis") == 0
    assert played.points_lost(verdict, "base") == pytest.approx(2.0)
    lucky = played.JudgedPosition(
        "", 4, {"analysis": "a", "base": "b"}, (3.0, 0.1), {"a": (9.0, 0.0), "b": (0.0, 9.0)}
    )
    assert played.points_lost(lucky, "base") <= 0
    assert [row[0] for row in played.analysis_rows([verdict])] == ["street", "4", "all"]
