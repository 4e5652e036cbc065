"""Players rated over their deals, together and in groups (issue 14, part 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from tests.solve.analysis.played import played_history
from triptych.solve.analysis.analyse import SearchBudget
from triptych.solve.analysis.players import GroupBy, player_rates
from triptych.solve.analysis.review import review

if TYPE_CHECKING:
    from triptych.notation.history.model import History, Viewer
    from triptych.solve.analysis.review import Review

STREETS = [f"street {number}" for number in range(1, 6)]
QUICK = SearchBudget(max_error=5, max_slices=0, screening_rollouts=200, width=2)


@pytest.fixture(scope="module")
def reviews() -> list[tuple[History, Review]]:
    """Three deals of two weeks at two tables; of the second only the first seat's cards are known."""
    deals: list[tuple[History, Review]] = []
    viewers: tuple[Viewer, ...] = ("all", 0, "all")
    for number, (table, seen_by) in enumerate(zip(("t1", "t1", "t2"), viewers, strict=True), start=1):
        history = played_history(("fast", "random"), seen_by, seed=number)
        started = f"2026-11-{9 + number}T20:00:00+00:00"
        deals.append((replace(history, number=number, table=table, started=started), review(history, QUICK)))
    return deals


@pytest.mark.parametrize(
    ("by", "fast", "rand"),
    [
        ("all", {"": 3}, {"": 2}),
        ("street", dict.fromkeys(STREETS, 3), dict.fromkeys(STREETS, 2)),
        ("table", {"t1": 2, "t2": 1}, {"t1": 1, "t2": 1}),
        ("week", {"2026-W46": 3}, {"2026-W46": 2}),
        ("deal", {"t1 deal 1": 1, "t1 deal 2": 1, "t2 deal 3": 1}, {"t1 deal 1": 1, "t2 deal 3": 1}),
        ("game", {"Pineapple": 3}, {"Pineapple": 2}),
    ],
)
def test_every_group_has_its_deals(
    reviews: list[tuple[History, Review]], by: GroupBy, fast: dict[str, int], rand: dict[str, int]
) -> None:
    rates = player_rates(reviews, by)
    for player, deals in (("fast", fast), ("random", rand)):
        assert {rate.group: rate.rate.deals for rate in rates if rate.player == player} == deals


def test_groups_are_the_whole_in_parts(reviews: list[tuple[History, Review]]) -> None:
    """Decisions and points add up, however they are grouped."""
    (fast, rand) = player_rates(reviews)
    by_street = [rate.rate for rate in player_rates(reviews, "street") if rate.player == "random"]
    assert sum(rate.decisions for rate in by_street) == rand.rate.decisions
    assert sum(rate.lost * rate.decisions for rate in by_street) == pytest.approx(
        rand.rate.lost * rand.rate.decisions
    )
    assert rand.luck is not None
    assert rand.skill is not None
    assert rand.luck + rand.skill == rand.result
    assert fast.result is None, "of one deal not all cards are known"
    assert {rate.result for rate in player_rates(reviews, "street")} == {None}
