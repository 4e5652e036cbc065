"""A table as one of its guests has it: the newest view, and what can be asked."""

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
    """One table. `view`: what its guest may see now; `rules`: those of the deals, as `read_rules` last found them."""

    view: TableView
    rules: Ruleset

    def __init__(
        self,
        table: str,
        line: Connection,
        ask: Callable[[], Awaitable[Ruleset]],
        ask_deals: Callable[[], Awaitable[Sequence[ScoreSheet]]],
    ) -> None:
        """`ask`: reads the table's rules from the room; `ask_deals`: its finished deals, newest first."""
        self.id = table
        self._line = line
        self._ask = ask
        self._ask_deals = ask_deals
        self._news = asyncio.Condition()
        self._telling: set[asyncio.Task[None]] = set()

    def apply_update(self, update: Update) -> None:
        """Take a newer view."""
        self.view = _VIEW.decode(update.view)
        telling = asyncio.create_task(self._notify())
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    async def _notify(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def wait_until(self, condition: Callable[[TableView], bool]) -> TableView:
        """Wait until the view is so, and return it."""
        async with self._news:
            await self._news.wait_for(lambda: condition(self.view))
            return self.view

    async def views(self) -> AsyncIterator[TableView]:
        """Yield the view now and whenever it has changed: always the newest, not every one in between."""
        seen = -1
        while True:
            view = await self.wait_until(lambda view: view.v > seen)  # noqa: B023 - it is waited for here
            seen = view.v
            yield view
            if view.phase == "closed":
                return

    async def deals(self) -> AsyncIterator[ScoreSheet]:
        """Yield the sheet of every deal that is finished from now on, in order, until the table closes.

        None is left out, also where the line was cut for some: the room is asked for those (it keeps 50 at hand).
        """
        last = finished_deal(self.view)
        async for view in self.views():
            if view.sheet is None or view.sheet.deal <= last:
                continue
            if view.sheet.deal > last + 1:
                for sheet in reversed(await self._ask_deals()):
                    if last < sheet.deal < view.sheet.deal:
                        yield sheet
            yield view.sheet
            last = view.sheet.deal

    async def execute(self, action: PlayerRequest) -> int:
        """Ask something of the table: a request of table/commands.py or an action of deal/actions.py.

        Returns the version that it became; it is stored by then, and the view shows it. Raises ClientError with the
        reason of a refusal.
        """
        version = await self._line.execute(self.id, action, self.view.v)
        with suppress(TimeoutError):  # who may not come in any more is shown nothing more
            await asyncio.wait_for(self.wait_until(lambda view: view.v >= version), TIMEOUT_SECONDS)
        return version

    async def read_rules(self) -> Ruleset:
        """Read the rules again: the host may change them between matches. Raises ClientError."""
        self.rules = await self._ask()
        return self.rules

    async def sit(self, seat: int | None = None, buy_in: int | None = None) -> int:
        """Take a seat, the first free one unless one is named, and return it.

        `buy_in`: points, the least that the rules ask for unless said. Who sits there already returns.
        Raises ClientError, `seat.none` when all are taken.
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
        # Who comes at the same moment may be shown a seat that is already another's.
        for one in view.seats:
            if one.player:
                continue
            try:
                await self.execute(Sit(one.seat, buy_in))
            except ClientError as error:
                if error.code != "seat.taken":
                    raise
            else:
                return one.seat
        raise ClientError("seat.none", "every seat is taken", "$.seat")

    async def ready(self) -> None:
        """Say that the next deal may begin."""
        await self.execute(Ready())

    async def leave(self) -> None:
        """Get up; in mid-deal the seat is free after it."""
        await self.execute(Leave())
