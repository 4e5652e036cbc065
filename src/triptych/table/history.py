"""Reads single deals from a table's events, with times and names, for deal histories."""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import combinations
from typing import cast

from msgspec import Struct

from triptych.deal.events import DealEvent
from triptych.deal.state import DealState
from triptych.scoring.sheet.types import ScoreSheet
from triptych.table.commitment_state import DealtDeck
from triptych.table.events import DealBegan, TableEvent
from triptych.table.evolve.core import evolve
from triptych.table.state import TableState


class PlayedDeal(Struct, frozen=True):
    """A deal as the table played it.

    `began`: ms since the epoch. `events`: the deal's own, each with its ms since then. `players` (ids), `names` and
    `stacks` (points before the deal) are by hand. `sheet`: None until the deal was settled. `deal`: its last state;
    `fair`: how its deck was made, None if the deck was not committed.
    """

    table: str
    match: int
    began: int
    events: tuple[tuple[int, DealEvent], ...]
    players: tuple[str, ...]
    names: tuple[str, ...]
    stacks: tuple[int, ...]
    sheet: ScoreSheet | None
    deal: DealState
    fair: DealtDeck | None = None

    @property
    def stakes(self) -> tuple[int, ...]:
        """The stake of each pair of hands, in position order; empty if all are 1."""
        agreed = {} if self.sheet is None else {(pair.a, pair.b): int(pair.stake) for pair in self.sheet.pairs}
        if all(stake == 1 for stake in agreed.values()):
            return ()
        return tuple([agreed.get(pair, 1) for pair in combinations(range(len(self.players)), 2)])


def played_deal(events: Iterable[TableEvent], number: int) -> PlayedDeal | None:
    """Return a deal of a table by its number, or None; `events`: all events from the first on."""
    reader = DealReader({number})
    return next((played for event in events if (played := reader.read(event)) is not None), None) or reader.end()


class DealReader:
    """Reads deals from a table's events, beginning with `state`.

    `numbers`: of these deals only (None: all).

    Only the table's own events have a time, `at`: a deal's events get that of the next timed event, with which the
    table ends each decision (the clock of the seat that acted stops). Without a clock that is the end of the deal.
    `before`: the table before the last deal that began, from which that deal can be read again, or None.
    """

    def __init__(self, numbers: Container[int] | None = None, state: TableState | None = None) -> None:
        self.state = state
        self.before: TableState | None = None
        self._numbers = numbers
        self._open: _DealCollector | None = None

    def read(self, event: TableEvent) -> PlayedDeal | None:
        """Read the next event; return the deal before it if the event begins the next deal."""
        played: PlayedDeal | None = None
        own_event = event.event
        if isinstance(own_event, DealBegan):
            played, self.before, self._open = self.end(), self.state, None
            if self.state is not None and (self._numbers is None or own_event.number in self._numbers):
                self._open = _DealCollector(self.state, own_event.at)
        elif self._open is not None:
            self._open.add(event)
        self.state = evolve(self.state, event)
        if self._open is not None:
            # Saved here, since the table clears its deal when another player takes a seat of the deal.
            self._open.deal = self.state.deal or self._open.deal
        return played

    def end(self) -> PlayedDeal | None:
        """Return the deal that is being read, with its events so far, or None."""
        if self._open is None or self._open.deal is None or self.state is None:
            return None
        return self._open.played(self.state)


class _DealCollector:
    """Collects the events of a deal; `table`: the table when the deal began."""

    def __init__(self, table: TableState, began: int) -> None:
        self._table = table
        self._began = began
        self.deal: DealState | None = None
        self._timed: list[tuple[int, DealEvent]] = []
        self._untimed: list[DealEvent] = []

    def add(self, event: TableEvent) -> None:
        at: int | None = getattr(event.event, "at", None)
        if at is None:
            self._untimed.append(cast("DealEvent", event))
        else:
            self._timed += [(at - self._began, deal_event) for deal_event in self._untimed]
            self._untimed = []

    def played(self, state: TableState) -> PlayedDeal:
        assert self.deal is not None  # noqa: S101 - a deal that began has been dealt; this is for the type checker
        last = self._timed[-1][0] if self._timed else 0
        seats = [self._table.seats[hand.seat] for hand in self.deal.hands]
        return PlayedDeal(
            table=self._table.config.name,
            match=self._table.matches,
            began=self._began,
            events=(*self._timed, *((last, event) for event in self._untimed)),
            players=tuple(seat.player for seat in seats),
            names=tuple(seat.name for seat in seats),
            stacks=tuple(seat.stack for seat in seats),
            sheet=state.sheet if state.settled else None,
            deal=self.deal,
            fair=state.fair.dealt,
        )
