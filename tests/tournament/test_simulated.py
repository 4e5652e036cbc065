"""Whole tournaments of 50, table by table: issue 11, shown by 5. `whole.verify` says what holds after every event."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.case_sample import sample_cases
from tests.tournament.simulated import SimulatedTournament, config, filled
from triptych.table.aggregate import transfers
from triptych.table.events import DealSettled, PlayerLeft
from triptych.table.ledger import balances
from triptych.tournament.commands import Register
from triptych.tournament.events import TableOrdered
from triptych.tournament.levels import can_register
from triptych.tournament.places import places
from triptych.tournament.state import TournamentState

PRESETS = ("pineapple", "pineapple_joker", "turbo", "closed_1_6", "criss_cross")
# Of each preset; by hand the thousand: `TRIPTYCH_TOURNAMENTS=200 pytest -m slow tests/cup`.
EACH = int(os.environ.get("TRIPTYCH_TOURNAMENTS", "80"))


def _played(preset: str, seed: int) -> SimulatedTournament:
    more: dict[str, Any] = {
        "late": seed % 3,
        "reentries": min(1, seed % 3),
        "break_every": seed % 4,
        "level_kind": ("deals", "minutes")[seed % 2],
        "level_length": (4, 1)[seed % 2],
    }
    whole = filled(config(preset, **more), seed, people=20)
    whole.gone = {"p0"} if seed % 5 == 0 else set()
    while whole.state.phase == "running":
        whole.step()
        back = [
            entry.player for entry in whole.state.entries if entry.out and can_register(whole.state, entry.player)
        ]
        for player in back:
            if whole.rng.random() < 1 / 2:
                whole.ask(player, Register())
    return whole


def _verify_over(state: TournamentState) -> None:
    assert state.phase == "over"
    place_of = places(state)
    assert len(place_of) == len(state.entries) == 50
    for place in place_of.values():
        assert place == 1 + sum(other < place for other in place_of.values())
    (winner,) = (entry for entry in state.entries if not entry.out)
    assert place_of[winner.player] == 1
    assert winner.chips == sum(entry.entries for entry in state.entries) * state.config.stack


@pytest.mark.parametrize("preset", sample_cases(PRESETS, ["closed_1_6", "criss_cross"]))
@pytest.mark.parametrize("seed", sample_cases(range(4), [0]))
def test_a_tournament_of_fifty(preset: str, seed: int) -> None:
    whole = _played(preset, seed)
    _verify_over(whole.state)
    for number, events in whole.table_log.items():
        assert whole.tables[number].closed
        # Nobody leaves a table before a fantasyland that is still to be played.
        fantasylands = False
        for event in events:
            if isinstance(event.event, DealSettled):
                fantasylands = bool(event.event.fantasylands)
            assert not (fantasylands and isinstance(event.event, PlayerLeft))
    moved = [entry for events in whole.table_log.values() for entry in transfers(events)]
    sums = balances(moved)
    stack = whole.state.config.stack
    for entry in whole.state.entries:
        assert sums[f"cup:cup1:{entry.player}"] == entry.chips - entry.entries * stack
    assert not [account for account, points in sums.items() if account.startswith("table:") and points]
    orders = [(event.table, event.order.number) for event in whole.log if isinstance(event, TableOrdered)]
    for table in {number for number, _ in orders}:
        numbers = [number for at, number in orders if at == table]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_many_tournaments_over_five_presets(preset: str) -> None:
    for seed in range(100, 100 + EACH):
        _verify_over(_played(preset, seed).state)
