"""What is between two placements, by parts and sides; issue 28, point 7."""

from __future__ import annotations

import pytest
from msgspec.structs import astuple, replace

from triptych.cli.main import app
from triptych.solve.analysis.analyse import PlacementValue, SearchBudget, Side, analyse, prepare_decision
from triptych.solve.analysis.difference import largest_differences

POSITION = "*Kd/7s7h/AhAd +Qc4s9h | As/8c8d/TcJc"
POSITIONS = (
    POSITION,
    "*// +AsKsQsAd2c | //",
    "*// +KdTc6hJsKs | // | //",
    "*// +AsAdAcKhKd9s8s7s6s5s4h4d2c2d =14 | Qh/8c8d/JcJd",
    "*// +AsAdAcKhKd9s8s7s6s5s4h4d2c2d =14",
    "9s9d5h/8c8d3s3h4h/TcTdThJc6s | *QcQd/KsKhAc3d2d/AsAhJs5c +Jd4c5d",
)


def value(own: Side, opponents: Side) -> PlacementValue:
    rows, royalties, fouls, fantasyland = net = [a - b for a, b in zip(astuple(own), astuple(opponents), strict=True)]
    return PlacementValue(
        front=(),
        middle=(),
        back=(),
        discards=(),
        value=sum(net),
        error=0.1,
        rollouts=9,
        rows=rows,
        royalties=royalties,
        fouls=fouls,
        fantasyland=fantasyland,
        foul=0.1,
        enters=0.2,
        own=own,
        opponents=opponents,
    )


@pytest.mark.parametrize("position", POSITIONS)
def test_each_part_is_the_own_one_less_that_of_the_opponents(position: str) -> None:
    answer = analyse(position, budget=SearchBudget(max_error=1.0, max_slices=1, screening_rollouts=2_000, width=20))
    for placement in answer.placements:
        net = (placement.rows, placement.royalties, placement.fouls, placement.fantasyland)
        assert net == pytest.approx(
            [a - b for a, b in zip(astuple(placement.own), astuple(placement.opponents), strict=True)]
        )
    alone = all(placement.opponents == Side() for placement in answer.placements)
    assert alone == ("|" not in position)
    assert answer.placements[0].own.royalties > 0


def test_the_luck_that_is_taken_out_leaves_each_side_what_it_brings() -> None:
    """Whether or not the control variate (card_control_variate.hpp) is fitted, the same rollouts bring as much."""
    _, search, _ = prepare_decision("*// +KdTc6hJsKs | //", "pineapple", None, shared=False)
    search.run(8, 20_000, 1)
    search.reset_samples()
    search.measure(1, 3_000, 5, 0)
    table = search.table()
    text = table[0][:3]
    _, bare, _ = prepare_decision("*// +KdTc6hJsKs | //", "pineapple", None, shared=False)
    at = next(at for at, row in enumerate(bare.table()) if row[:3] == text)
    bare.measure(0, 3_000, 5, 0, [at])
    plain = bare.table()[at]
    assert table[0][6] < 0.95 * plain[6], "no luck was taken out"
    assert table[0][14:] == pytest.approx(plain[14:], abs=0.3)
    assert table[0][7:11] == pytest.approx(plain[7:11], abs=0.5)


def test_the_largest_differences_are_shown_by_part_and_side() -> None:
    best = value(Side(3.0, 9.0, -0.5, 2.0), Side(2.0, 4.0, -1.0, 1.0))
    other = value(Side(2.8, 2.9, -0.7, 2.0), Side(2.0, 4.0, -2.2, 3.0))
    differences = largest_differences(best, other)
    texts = ["own royalties -6.10", "opponents' fantasyland -2.00", "opponents' fouls +1.20"]
    assert [difference.text for difference in differences] == texts
    assert [(difference.part, difference.side) for difference in differences][1:] == [
        ("fantasyland", "opponents"),
        ("fouls", "opponents"),
    ]
    assert largest_differences(best, best) == ()
    rows = replace(best, rows=best.rows - 1)
    assert [difference.text for difference in largest_differences(best, rows)] == ["rows -1.00"]


def test_all_parts_and_sides_sum_to_what_is_between_two() -> None:
    best, other, *_ = analyse(POSITION, budget=SearchBudget(max_error=1.0, max_slices=1)).placements
    between = other.rows - best.rows
    for part in ("royalties", "fouls", "fantasyland"):
        between += getattr(other.own, part) - getattr(best.own, part)
        between -= getattr(other.opponents, part) - getattr(best.opponents, part)
    assert between == pytest.approx(other.value - best.value)


def test_the_command_says_why_a_placement_is_behind(capsys: pytest.CaptureFixture[str]) -> None:
    app(["analyse", POSITION, "--error", "1", "--top", "3"], result_action="return_value")
    printed = capsys.readouterr().out
    answer = analyse(POSITION, budget=SearchBudget(max_error=1.0, top=3))
    for placement in answer.placements[1:3]:
        reasons = ", ".join(part.text for part in largest_differences(answer.placements[0], placement))
        assert f"{placement.text}: {placement.behind:.2f} behind: {reasons}\n" in printed
