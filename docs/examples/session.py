"""Two programs play a session in a room while a third watches and keeps the book.

python session.py http://127.0.0.1:8313 --deals 20 --rules pineapple
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import triptych
from triptych.board import ROWS, Layout, RowName
from triptych.client import Client, Say, play
from triptych.deal import Action, Announce, Declare, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.client import Table
    from triptych.deal import DealView, Task
    from triptych.rulesets import Ruleset
    from triptych.scoring import ScoreSheet

RANKS = "23456789TJQKAX"


class Tidy:
    """Lays the street's highest cards as far back as there is room, so that most boards are legal."""

    name = "tidy"

    def choose(self, _rules: Ruleset, _view: DealView, task: Task, _budget_ms: int = 1000) -> Action:
        """Answer one task."""
        if task.kind == "announce":
            return Announce(task.hand, play=True)
        if task.kind == "declare":
            return Declare(task.hand, task.rows)
        return Place(task.hand, self.layout(task))

    def order(self, task: Task) -> list[str]:
        """Return the cards from the one that goes back first to the one that is thrown away."""
        return sorted(task.cards, key=self.rank, reverse=True)

    @staticmethod
    def rank(card: str) -> int:
        """Return a card's place among the ranks, a joker's above all."""
        return RANKS.index(card[0])

    def layout(self, task: Task) -> Layout:
        """Fill the rows from the back."""
        cards, rows = self.order(task)[: task.place], dict[RowName, tuple[str, ...]]()
        for row in reversed(ROWS):
            free: int = getattr(task.open, row)
            rows[row], cards = tuple(cards[:free]), cards[free:]
        return Layout(**rows)


class Pairing(Tidy):
    """As Tidy, but keeps pairs of the street together and throws away what has no partner."""

    name = "pairing"

    def order(self, task: Task) -> list[str]:
        """Put the ranks that came more than once first."""
        count = Counter(self.rank(card) for card in task.cards)
        return sorted(task.cards, key=lambda card: (count[self.rank(card)], self.rank(card)), reverse=True)


@dataclass
class Book:
    """What an onlooker wrote down. `points` by player; `why`: how many points were paid for what, by row."""

    deals: int = 0
    points: Counter[str] = field(default_factory=Counter)
    why: Counter[str] = field(default_factory=Counter)
    fouls: Counter[str] = field(default_factory=Counter)

    def note(self, sheet: ScoreSheet) -> None:
        """Write a deal down."""
        self.deals += 1
        for hand in sheet.hands:
            self.points[hand.player] += hand.points
            self.fouls[hand.player] += hand.status == "foul"
        for pair in sheet.pairs:
            self.why["rows"] += abs(pair.front.points + pair.middle.points + pair.back.points)
            self.why["scoops"] += abs(pair.scoop.points)
            self.why["royalties"] += abs(pair.royalties.points)

    def lines(self, names: dict[str, str]) -> list[str]:
        """Return the book as text; `names` by player."""
        rows = [f"{self.deals} deals seen"]
        for player, points in self.points.most_common():
            rows.append(f"{names.get(player, player):>8} {points:+5} points, {self.fouls[player]} fouls")
        return [*rows, ", ".join(f"{points} for {what}" for what, points in self.why.items())]


async def watch(table: Table, book: Book, deals: int) -> None:
    """Write down so many deals, fewer where the table closes before."""
    async for sheet in table.deals():
        book.note(sheet)
        if book.deals == deals:
            return


async def session(url: str, rules: str, deals: int) -> list[str]:
    """Open a table, let two programs play there, and return what is to be told."""
    book = Book()
    async with (
        Client(url, name="Tidy") as ann,
        Client(url, name="Pairing") as bob,
        Client(url, name="Book") as onlooker,
    ):
        # Nobody is late, nobody goes broke. `rules` may be a preset or a file of house rules.
        chosen = triptych.rules(rules, **{"clock.kind": "none", "settlement.cap": "none"})
        hers = await ann.open_table(chosen, pause=0, start="full")
        his, seen = await bob.table(hers.id), await onlooker.table(hers.id)
        watching = asyncio.create_task(watch(seen, book, deals))
        try:
            await hers.sit()
            await his.sit()
            await hers.execute(Say(f"{deals} deals of {hers.rules.title}, please"))
            *played, _ = await asyncio.gather(
                play(hers, Tidy(), deals=deals), play(his, Pairing(), deals=deals), watching
            )
        finally:
            watching.cancel()
        names = {seat.player: seat.name for seat in hers.view.seats if seat.player}
        stacks = ", ".join(f"{seat.name} {seat.stack}" for seat in hers.view.seats if seat.player)
    return [f"{min(played)} deals played; stacks now: {stacks}", *book.lines(names)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, play, and print the book; 1 where the room refuses."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--rules", default="pineapple")
    args = parser.parse_args(arguments)
    try:
        lines = asyncio.run(session(args.url, args.rules, args.deals))
    except triptych.TriptychError as error:
        print(f"{error.code}: {error}", file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
