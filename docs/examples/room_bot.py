"""A bot that sits down in a room: `python room_bot.py http://127.0.0.1:8313 k3fq9xwm [TOKEN]`."""

import asyncio
import sys

from triptych import Ruleset
from triptych.client import Client, play
from triptych.deal import Action, Announce, DealView, Declare, Place, Task


class Tidy:
    """High cards to the back, low ones to the front."""

    name = "tidy"

    def choose(self, _rules: Ruleset, _view: DealView, task: Task, _budget_ms: int = 1000) -> Action:
        """Play every board, claim every royalty, lay out every street."""
        if task.kind == "announce":
            return Announce(task.hand, play=True)
        if task.kind == "declare":
            return Declare(task.hand, task.rows)
        cards = sorted(task.cards, key=lambda card: "23456789TJQKAX".index(card[0]), reverse=True)[: task.place]
        layout: dict[str, tuple[str, ...]] = {}
        for row in ("back", "middle", "front"):
            free = getattr(task.open, row)
            layout[row], cards = tuple(cards[:free]), cards[free:]
        return Place(task.hand, type(task.layout)(**layout))


async def main(url: str, table: str, token: str = "") -> None:
    """Sit down, play until the table closes, and say how many deals that were."""
    async with Client(url, name="Tidy", token=token) as room:
        seat = await room.table(table)
        await seat.sit()
        print(await play(seat, Tidy()), "deals")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
