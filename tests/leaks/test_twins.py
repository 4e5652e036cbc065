"""Sessions that differ only in what a viewer may not know give that viewer the same bytes. Issue 12, Shown by 4."""

from __future__ import annotations

import pytest

from tests.leaks.planted import PLANTED, find
from tests.leaks.twins import Table, pairs, session, swaps, viewers_of
from triptych.rulesets.load import preset_names


@pytest.mark.parametrize("preset", preset_names())
def test_twins_are_indistinguishable(preset: str) -> None:
    """Seats, spectators, who had a seat, who takes one over, bots, HTTP, replays, the lobby and logs."""
    done = pairs(preset_names().index(preset), preset)
    assert done.pairs > 0
    assert done.compared > 10_000
    assert done.found == []


def test_twins_are_not_copies() -> None:
    """Many cards are exchanged, and what the server stores is another session."""
    plan = session(0)
    first = Table(plan, {}).play(None)
    for viewer in viewers_of(first, plan):
        exchange = swaps(plan, first, viewer, len(first.moves))
        assert all(sum(card != other for card, other in swap.items()) > 4 for swap in exchange.values())


@pytest.mark.parametrize("name", PLANTED)
def test_planted_changes_still_fit_the_code(name: str) -> None:
    """A planted fault replaces a name in the code. Were that gone, only the slow tests would notice."""
    with PLANTED[name]():
        pass


@pytest.mark.parametrize("name", list(PLANTED)[::5])
def test_planted_leaks_are_found(name: str) -> None:
    assert find(name, range(60)) is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTED)
def test_every_planted_leak_is_found(name: str) -> None:
    assert find(name, range(100)) is not None
