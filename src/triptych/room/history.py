"""One deal out of a table's events, with times and names: what a deal history is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec import Struct

from triptych.deal.events import DealEvent
from triptych.room.events import DealBegan
from triptych.room.evolve import evolve
from triptych.score.sheet.shapes import ScoreSheet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triptych.deal.state import DealState
    from triptych.room.events import TableEvent
    from triptych.room.state import TableState


class PlayedDeal(Struct, frozen=True):
    """A deal as the table played it.

    `began`: ms since the epoch. `events`: the deal's own, each with its ms since then. `players` (ids), `names` and
    `stacks` (points before the deal) are by hand. `sheet`: None until the deal was settled.
    """

    table: str
    match: int
    began: int
    events: tuple[tuple[int, DealEvent], ...]
    players: tuple[str, ...]
    names: tuple[str, ...]
    stacks: tuple[int, ...]
    sheet: ScoreSheet | None


def played_deal(events: Iterable[TableEvent], number: int) -> PlayedDeal | None:
    """Return a deal of a table by its number, None when there is no such deal; `events` are all from the first.

    A deal knows no time, only the table's own events have an `at`: a deal's events have that of the next timed
    event, with which the table ends each decision (the clock of the seat that acted stops). Without a clock that is
    the end of the deal.
    """
    state: TableState | None = None
    table: TableState | None = None
    deal: DealState | None = None
    began = 0
    told: list[tuple[int, DealEvent]] = []
    waiting: list[DealEvent] = []
    for event in events:
        happened = event.event
        at: int | None = getattr(happened, "at", None)
        if isinstance(happened, DealBegan):
            if table is not None:
                break
            if happened.number == number:
                began, table = happened.at, state
        elif table is not None and at is None:
            waiting.append(cast("DealEvent", event))
        elif at is not None:
            told += [(at - began, each) for each in waiting]
            waiting = []
        state = evolve(state, event)
        # Kept by itself: the table clears it when somebody else takes a seat of the deal.
        deal = state.deal or deal
    if table is None or state is None or deal is None:
        return None
    last = told[-1][0] if told else 0
    seats = [table.seats[hand.seat] for hand in deal.hands]
    return PlayedDeal(
        table=table.config.name,
        match=table.matches,
        began=began,
        events=(*told, *((last, each) for each in waiting)),
        players=tuple(seat.player for seat in seats),
        names=tuple(seat.name for seat in seats),
        stacks=tuple(seat.stack for seat in seats),
        sheet=state.sheet if state.settled else None,
    )
