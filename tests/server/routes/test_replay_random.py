"""Whatever was played at a table can be watched again, by everybody who was there and by anybody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.table.session import SEATS
from tests.table.test_random_matches import RandomPlay
from triptych.deal.project import view
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import is_closed
from triptych.server.jobs.replay import deal_query, replay_deal
from triptych.store.types import StoredEvent
from triptych.table.aggregate import evolve
from triptych.table.codec import encode
from triptych.table.events import DealBegan, DealSettled

if TYPE_CHECKING:
    from triptych.deal.state import DealState
    from triptych.scoring.sheet.types import ScoreSheet
    from triptych.table.state import TableState


@st.composite
def tables(draw: st.DrawFn) -> RandomPlay:
    """A table at which some hundred things have happened at random."""
    preset = draw(st.sampled_from(preset_names()))
    changes = {
        "seats.buy_in_min": 10,
        "clock.kind": draw(st.sampled_from(["per_street", "none"])),
        "timeout.layout": draw(st.sampled_from(["received_back_first", "foul", "best_legal"])),
        "deal.first_street": draw(st.sampled_from(["live", "on_confirm"])),
        "match.show_all": draw(st.booleans()),
    }
    rules = resolve({"preset": preset, **changes})
    chance = RandomPlay(rules, draw(st.integers(2, min(3, rules.seats.max))), draw(st.integers(0, 2**32)))
    for _ in range(60 if is_closed(rules) else 150):
        chance.step()
    return chance


@settings(max_examples=examples(50))
@given(tables())
def test_every_finished_deal_can_be_watched_again(chance: RandomPlay) -> None:
    log = chance.session.log
    stored = [
        StoredEvent(visibility=kind, seat=seat, payload=payload, version=at)
        for at, (kind, seat, payload) in enumerate(map(encode, log), 1)
    ]
    now = chance.session.state()
    # The sheet of a deal is the table's last one of it: that of a match's last deal has the prizes of the match too.
    sheets: dict[int, ScoreSheet | None] = {}
    ends: list[tuple[int, DealState, dict[str, int]]] = []
    state: TableState | None = None
    number = 0
    players: dict[str, int] = {}
    for event in log:
        if isinstance(event.event, DealBegan) and state is not None:
            number = event.event.number
            players = {state.seats[seat].player: seat for seat in event.event.seats}
        state = evolve(state, event)
        if isinstance(event.event, DealSettled):
            assert state.deal is not None
            ends.append((number, state.deal, players))
        if state.settled:
            sheets[number] = state.sheet
    for number, deal, players in ends:
        for player in (*SEATS, ""):
            replay = replay_deal(deal_query(now, stored, number, player))
            seat = players.get(player)
            assert replay.you == seat
            assert replay.sheet == sheets[number]
            if replay.seen_by != "all":
                assert replay.frames[-1].view == view(deal, seat)
