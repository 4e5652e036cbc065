"""A table as one of its guests sees it: the newest view, and the commands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from triptych.client.connection import Connection
from triptych.client.errors import ClientError
from triptych.rulesets.model import Ruleset
from triptych.scoring.sheet.types import ScoreSheet
from triptych.server.wire.messages import Update
from triptych.table.commands import Leave, PlayerRequest, Ready, Sit, SitIn
from triptych.table.view_types import TableView

TIMEOUT_SECONDS: Final = 30.0
_VIEW: Final = msgspec.json.Decoder(TableView)


def finished_deal(view: TableView) -> int:
    """Return the number of the last finished deal, 0 before the first."""
    return 0 if view.sheet is None else view.sheet.deal


class Table:
    """One table. `view`: its guest's newest view; `rules`: the rules of the deals, as last read by `read_rules`."""

    view: TableView
    rules: Ruleset

    def __init__(
        self,
        table: str,
        connection: Connection,
        fetch_rules: Callable[[], Awaitable[Ruleset]],
        fetch_deals: Callable[[], Awaitable[Sequence[ScoreSheet]]],
    ) -> None:
        """`fetch_rules` reads the table's rules from the server; `fetch_deals` its finished deals, newest first."""
        self.id = table
        self._connection = connection
        self._fetch_rules = fetch_rules
        self._fetch_deals = fetch_deals
        self._changed = asyncio.Condition()
        self._notifying: set[asyncio.Task[None]] = set()

    def apply_update(self, update: Update) -> None:
        """Apply a newer view."""
        self.view = _VIEW.decode(update.view)
        task = asyncio.create_task(self._notify())
        self._notifying.add(task)
        task.add_done_callback(self._notifying.discard)

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def wait_until(self, condition: Callable[[TableView], bool]) -> TableView:
        """Wait until the view meets a condition, and return it."""
        async with self._changed:
            await self._changed.wait_for(lambda: condition(self.view))
            return self.view

    async def views(self) -> AsyncIterator[TableView]:
        """Yield the current view, and the newest one after each change; views in between may be skipped."""
        last_version = -1
        while True:
            view = await self.wait_until(lambda view: view.v > last_version)  # noqa: B023 - awaited in the loop
            last_version = view.v
            yield view
            if view.phase == "closed":
                return

    async def deals(self) -> AsyncIterator[ScoreSheet]:
        """Yield the sheet of every deal that is finished from now on, in order, until the table closes.

        Sheets that were missed while the connection was lost are fetched from the server, up to the last 50.
        """
        last = finished_deal(self.view)
        async for view in self.views():
            if view.sheet is None or view.sheet.deal <= last:
                continue
            if view.sheet.deal > last + 1:
                for sheet in reversed(await self._fetch_deals()):
                    if last < sheet.deal < view.sheet.deal:
                        yield sheet
            yield view.sheet
            last = view.sheet.deal

    async def execute(self, action: PlayerRequest) -> int:
        """Send a command to the table: a request of table/commands.py or an action of deal/actions.py.

        Return the table's new version: the command is stored then, and the view includes it. Raises ClientError when
        it is rejected.
        """
        version = await self._connection.execute(self.id, action, self.view.v)
        with suppress(TimeoutError):  # a guest who has lost access gets no more views
            await asyncio.wait_for(self.wait_until(lambda view: view.v >= version), TIMEOUT_SECONDS)
        return version

    async def read_rules(self) -> Ruleset:
        """Read the rules again: the host may change them between matches. Raises ClientError."""
        self.rules = await self._fetch_rules()
        return self.rules

    async def sit(self, seat: int | None = None, buy_in: int | None = None) -> int:
        """Take a seat, by default the first free one, and return it.

        `buy_in`: points, by default the minimum of the rules. A guest who has a seat already keeps it and sits in.
        Raises ClientError, `seat.none` when all seats are taken.
        """
        view = self.view
        if view.you is not None:
            if "sit_in" in view.may:
                await self.execute(SitIn())
            return view.you
        if buy_in is None:
            buy_in = view.rules.buy_in_min if view.rules.purse == "stacks" else 0
        if seat is not None:
            await self.execute(Sit(seat, buy_in))
            return seat
        # Another guest may take a seat at the same moment; then the next free one is tried.
        for view_seat in view.seats:
            if view_seat.player:
                continue
            try:
                await self.execute(Sit(view_seat.seat, buy_in))
            except ClientError as error:
                if error.code != "seat.taken":
                    raise
            else:
                return view_seat.seat
        raise ClientError("seat.none", "every seat is taken", "$.seat")

    async def ready(self) -> None:
        """Report that the next deal may begin."""
        await self.execute(Ready())

    async def leave(self) -> None:
        """Leave the seat; during a deal it is free after the deal."""
        await self.execute(Leave())
