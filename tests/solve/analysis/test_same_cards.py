"""Own cards played again by `strong`, the others' boards as they lay (issue 14, part 3)."""

from __future__ import annotations

import pytest

from tests.case_sample import sample_cases
from tests.solve.analysis.played import played_history
from triptych.bots.levels import SEARCH_SETTINGS
from triptych.notation.history.model import History
from triptych.solve.analysis.same_cards import (
    ROLLOUTS,
    WIDTH,
    BaselineComparison,
    BaselineReplay,
    BoardOutcome,
    compare_with_baseline,
    replay_with_baseline,
)
from triptych.solve.errors import SolveError


def _outcomes(history: History) -> list[BoardOutcome]:
    """Return what the deal itself says of each hand."""
    result = history.result
    assert result is not None
    return [
        BoardOutcome(status == "foul", 0 if status == "foul" else royalties, cards > 0)
        for status, royalties, cards in zip(result.status, result.royalties, result.fantasyland, strict=True)
    ]


def test_it_thinks_as_the_level_does() -> None:
    assert (SEARCH_SETTINGS["strong"].width, SEARCH_SETTINGS["strong"].rollouts) == (WIDTH, ROLLOUTS)


@pytest.mark.parametrize(
    ("rules", "fantasylands"),
    sample_cases(
        [("pineapple", ()), ("pineapple", (0, 14)), ("pineapple_joker", ()), ("turbo", ())],
        [("pineapple", (0, 14)), ("turbo", ())],
    ),
)
def test_the_replayed_outcome_is_that_of_the_deal(rules: str, fantasylands: tuple[int, ...]) -> None:
    history = played_history(("fast", "random"), "all", rules=rules, fantasylands=fantasylands)
    for hand, came in enumerate(_outcomes(history)):
        replay = replay_with_baseline(history, hand)
        assert replay is not None
        assert replay.played == came


def test_strong_fouls_less_than_chance_with_the_same_cards() -> None:
    deals = [replay_with_baseline(played_history(("fast", "random"), 1, seed=seed), 1) for seed in range(4)]
    comparison = compare_with_baseline("random", [deal for deal in deals if deal is not None])
    assert (comparison.player, comparison.deals) == ("random", 4)
    assert comparison.fouls > comparison.strong_fouls
    assert comparison.royalties <= comparison.strong_royalties
    assert deals[0] == replay_with_baseline(
        played_history(("fast", "random"), 1, seed=0), 1
    )  # the same seed, the same answer


def test_it_plays_only_with_what_the_reader_knew() -> None:
    """Of the same deal, who knows all cards gets no other board than who knows their own."""
    whole, own = (played_history(("fast", "random"), seen_by, seed=3) for seen_by in ("all", 1))
    assert replay_with_baseline(whole, 1) == replay_with_baseline(own, 1)
    assert replay_with_baseline(own, 0) is None


def test_shares_and_means() -> None:
    deals = [
        BaselineReplay(BoardOutcome(True, 0, False), BoardOutcome(False, 6, True)),
        BaselineReplay(BoardOutcome(False, 4, False), BoardOutcome(False, 0, False)),
    ]
    assert compare_with_baseline("ann", deals) == BaselineComparison("ann", 2, 0.5, 0, 0, 0.5, 2, 3)


def test_a_closed_deal_has_no_baseline() -> None:
    with pytest.raises(SolveError) as refused:
        replay_with_baseline(played_history(("random", "random"), "all", rules="closed_basic"), 0)
    assert refused.value.code == "review.closed"
