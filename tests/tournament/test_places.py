"""Places and prizes: each place once, or shared as the rule says; nothing is lost in sharing. Rule: Rules §6."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.tournament.simulated import START, config
from triptych.table.tournament_orders import MatchResult
from triptych.tournament.places import (
    elimination_groups,
    payouts,
    places,
    prizes,
    prizes_in_play,
    remove_player,
    split,
)
from triptych.tournament.state import Entry, TournamentState, remaining


def _over(*groups: int, winner: bool = True, **more: Any) -> TournamentState:
    """Return a tournament in which groups of so many players went out one after the other."""
    names = iter(f"p{number}" for number in range(100))
    outs = tuple(tuple(next(names) for _ in range(size)) for size in groups)
    entries = tuple(Entry(player, player, out=True) for group in outs for player in group)
    left = (Entry("winner", "Winner", chips=1),) if winner else ()
    return TournamentState(config("pineapple", **more), 1, START, "over", (*entries, *left), eliminated=outs)


sizes = st.lists(st.integers(1, 4), min_size=1, max_size=12)


@given(sizes)
def test_each_place_once_or_shared(groups: list[int]) -> None:
    state = _over(*groups)
    place_of = places(state)
    assert set(place_of) == {entry.player for entry in state.entries}
    assert place_of["winner"] == 1
    for player, place in place_of.items():
        better = sum(other < place for other in place_of.values())
        assert place == better + 1, f"{player} has place {place} behind {better}"
    order = [place_of[player] for group in state.eliminated for player in group]
    assert order == sorted(order, reverse=True)


@given(sizes, st.lists(st.integers(1, 60), min_size=1, max_size=9), st.integers(1, 1000))
def test_the_pool_is_shared_out_whole(groups: list[int], weights: list[int], fee: int) -> None:
    shares = tuple(sorted(split(100, sorted(weights, reverse=True)), reverse=True))
    shares = tuple(each for each in shares if each)
    state = _over(*groups, prize_kind="shares", prizes=shares, fee=fee)
    won = prizes(state)
    assert sum(prize.amount for prize in won) == fee * len(state.entries)
    ranks = [places(state)[prize.player] for prize in won]
    assert ranks == sorted(ranks)
    assert len({prize.player for prize in won}) == len(won)


@given(st.integers(0, 10_000), st.lists(st.integers(1, 100), min_size=1, max_size=20))
def test_parts_add_up(whole: int, weights: list[int]) -> None:
    parts = split(whole, weights)
    assert sum(parts) == whole
    assert all(abs(each - whole * weight / sum(weights)) < 1 for each, weight in zip(parts, weights, strict=True))


def test_players_eliminated_together_share_the_place_and_its_prize() -> None:
    """Rules §6: two out in one deal are placed by the chips with which they began it; equal ones share."""
    results = (
        MatchResult("a", 0, out=2),
        MatchResult("b", 0, out=3),
        MatchResult("c", 40),
        MatchResult("d", 0, out=2),
    )
    assert elimination_groups(results) == (("b",), ("a", "d"))
    state = _over(1, 2, 1, prize_kind="points", prizes=(10, 6, 5, 2))
    assert places(state) == {"p0": 5, "p1": 3, "p2": 3, "p3": 2, "winner": 1}
    assert payouts(state) == (10, 6, 5, 2)
    assert {prize.player: prize.amount for prize in prizes(state)} == {"winner": 10, "p3": 6, "p1": 4, "p2": 3}


def test_during_play_eliminated_players_rank_behind_the_others_and_reentered_ones_do_not() -> None:
    state = _over(1, 1, winner=False)
    both = replace(state, entries=(*state.entries, Entry("x", "X", chips=5), Entry("y", "Y", chips=5)))
    assert places(both) == {"p0": 4, "p1": 3}
    back = replace(both, eliminated=remove_player(both.eliminated, "p0"))
    assert places(back) == {"p1": 4 - 1}


def test_stacks_hold_the_open_places_and_all_chips() -> None:
    """Issue 13, part 4: as `Stacks` tells it, the places of those who are still in, and the chips at other tables."""
    over = _over(1, 1, prize_kind="points", prizes=(10, 6, 5, 2))
    state = replace(over, phase="running", entries=(*over.entries, *[Entry(name, name, chips=7) for name in "xyz"]))
    assert len(remaining(state)) == 4
    open_prizes, elsewhere = prizes_in_play(state, {"x", "y"})
    assert open_prizes == (10, 6, 5, 2)
    assert sum(elsewhere) == sum(entry.chips for entry in remaining(state)) - 14
    assert prizes_in_play(over, {"winner"}) == ((), ())
    # While people come in nobody knows how many places there will be.
    late = replace(state, config=replace(state.config, late=2))
    assert prizes_in_play(late, {"x"}) == ((), ())
