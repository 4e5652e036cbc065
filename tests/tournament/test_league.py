"""A duplicate league: the same decks at all tables, luck cancelled, standings with intervals. Issue 11, part 5."""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.simulated import START, config, filled
from triptych.table.events import DealBegan, DealSettled
from triptych.tournament.aggregate import open_tournament
from triptych.tournament.errors import TournamentError
from triptych.tournament.league import duplicate_scores, interval, seating, standings
from triptych.tournament.places import places
from triptych.tournament.state import RoundResult

LEAGUE: dict[str, Any] = {"most": 9, "least": 9, "levels": (1,), "stack": 100_000, "rounds": 6}


@given(st.integers(2, 4), st.integers(2, 9), st.integers(1, 40))
def test_each_round_everybody_has_one_seat_and_another_one_than_before(size: int, tables: int, number: int) -> None:
    players = [f"p{at}" for at in range(size * tables)]
    seats = seating(players, size, number)
    assert sorted(player for table in seats for player in table) == sorted(players)
    before = {player: seat for table in seating(players, size, number + 1) for seat, player in enumerate(table)}
    assert all(before[player] == (seat + 1) % size for table in seats for seat, player in enumerate(table))


def test_the_players_change() -> None:
    players = [f"p{at}" for at in range(15)]
    met = {
        frozenset((a, b))
        for number in range(1, 6)
        for table in seating(players, 3, number)
        for a in table
        for b in table
    }
    assert sum("p0" in pair and len(pair) == 2 for pair in met) == 10


@given(st.integers(1, 30), st.integers(2, 6), st.integers(0, 1000), st.integers(-50, 50))
def test_the_value_of_the_cards_cancels_out(rounds: int, tables: int, seed: int, luck: int) -> None:
    """The same points more for all who held the same cards change nothing; differences of a seat add up to 0."""
    rng = Random(seed)
    results = [
        RoundResult(number, f"p{table}-{seat}", seat, rng.randint(-20, 20))
        for number in range(1, rounds + 1)
        for table in range(tables)
        for seat in range(3)
    ]
    lucky = [
        RoundResult(result.number, result.player, result.seat, result.points + luck * result.seat)
        for result in results
    ]
    plain, moved = duplicate_scores(results), duplicate_scores(lucky)
    for player, values in plain.items():
        assert moved[player] == pytest.approx(values)
    assert sum(map(sum, plain.values())) == pytest.approx(0)


def test_the_interval_is_students() -> None:
    """Quantiles of Student's t at 97.5 %: 2.776 with 4 degrees of freedom, 2.262 with 9, 2.045 with 29."""
    for count, quantile in ((5, 2.776), (10, 2.262), (30, 2.045)):
        values = [float(at * at % 7) for at in range(count)]
        bounds = interval(values)
        assert bounds is not None
        assert fmean(bounds) == pytest.approx(fmean(values))
        assert (bounds[1] - bounds[0]) / 2 / (stdev(values) / count**0.5) == pytest.approx(quantile, abs=0.02)
    assert interval([1.0, 2.0]) is None


def test_a_better_player_ranks_higher_and_the_interval_covers_the_skill() -> None:
    """Points of luck by seat and round, 30 deep, and a skill of 2 of one player: 95 of 100 intervals hold it."""
    hits = 0
    for seed in range(100):
        rng = Random(seed)
        luck = {(number, seat): rng.gauss(0, 30) for number in range(40) for seat in range(3)}
        results = [
            RoundResult(
                number, f"p{table}-{seat}", seat, round(luck[number, seat] + rng.gauss(2 * (table == seat == 0), 4))
            )
            for number in range(40)
            for table in range(4)
            for seat in range(3)
        ]
        bounds = interval(duplicate_scores(results)["p0-0"])
        assert bounds is not None
        hits += bounds[0] <= 2 <= bounds[1]
    assert 88 <= hits <= 100


def test_a_league_plays_its_rounds_with_the_button_in_the_same_seat_everywhere() -> None:
    whole = filled(config(**LEAGUE))
    whole.play()
    assert whole.state.phase == "over"
    assert len(whole.state.results) == 9 * 6
    assert len(places(whole.state)) == 9
    for number in range(1, 7):
        assert sum(result.points for result in whole.state.results if result.number == number) == 0
    lines = standings(whole.state)
    assert [line.place for line in lines] == sorted(line.place for line in lines)
    assert all(line.rounds == 6 and line.low is not None and line.low < line.mean for line in lines)
    buttons = []
    for events in whole.table_log.values():
        firsts = []
        fresh = True
        for event in events:
            if isinstance(event.event, DealBegan) and fresh:
                firsts.append(event.event.button)
                fresh = False
            elif isinstance(event.event, DealSettled) and not event.event.fantasylands:
                fresh = True
        buttons.append(firsts)
    assert buttons == [[0, 1, 2, 0, 1, 2]] * 3


@pytest.mark.parametrize(
    "wrong", [{"rounds": -1}, {"most": 8}, {"most": 3, "least": 3}, {"least": 6}, {"levels": (1, 2)}, {"late": 1}]
)
def test_bad_leagues_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(TournamentError) as refusal:
        open_tournament(config(**(LEAGUE | wrong)), START)
    assert refusal.value.code in ("cup.rounds", "cup.seats")
