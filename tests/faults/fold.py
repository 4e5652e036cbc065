"""A table's cards and points, made of its stored events by the judge's own fold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tests.faults.history import ROWS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.faults.record import Event

DECK: Final = frozenset(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
# What happens to a table only when somebody's time is over, or a deal is given up.
NOBODYS: Final = ("time_ran_out", "match_cut_short")


@dataclass
class Hand:
    """A hand: its seat, what it was dealt and has not placed, and its rows; `is_open`: everybody sees them."""

    seat: int
    inhand: list[str] = field(default_factory=list)
    rows: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in ROWS})
    is_open: bool = True
    streets: set[int] = field(default_factory=set)


class Fold:
    """The table at the version of the last event; `fail` hears what no course of play leads to."""

    def __init__(self, fail: Callable[[str], None]) -> None:
        self.number = 0
        self.deals = 0
        self.hands: dict[int, Hand] = {}
        self.players: dict[int, str] = {}
        self.bots: set[int] = set()
        self._fail = fail
        self._deck: list[str] = []
        self._points: Counter[str] = Counter()

    def pay(self, debit: str, credit: str, points: int) -> None:
        """Move points from an account to another."""
        self._points[debit] -= points
        self._points[credit] += points

    def balance(self, player: str) -> int:
        """Return what a player has at the table."""
        return sum(
            points for name, points in self._points.items() if name.endswith(f":{player}") and "table:" in name
        )

    def event(self, event: Event, by: str) -> None:
        """Follow an event; `by`: whose command led to it."""
        body = event.body
        match body["e"]:
            case "player_sat":
                self.players[body["seat"]] = body["player"]
                if body["bot"]:
                    self.bots.add(body["seat"])
            case "deal_started" | "deal_started_again":
                self._begin(body["number"], [hand["seat"] for hand in body["hands"]])
            case "deck_shuffled":
                self._deck = list(body["cards"])
                if len(self._deck) != len(DECK) or set(self._deck) != DECK:
                    self._fail(f"deal {self.number} has a deck that is none")
            case name if name in NOBODYS:
                self._fail(f"{name} in deal {self.number}")
            case _:
                self._move(event, by)

    def _move(self, event: Event, by: str) -> None:
        """Follow what happens to a hand."""
        body = event.body
        match body["e"]:
            case "dealt" | "discarded" | "placed" | "board_shown" if body["hand"] not in self.hands:
                self._fail(f"{body['e']} in deal {self.number}, which has no hand {body['hand']}")
            case "dealt":
                self._deal(body["hand"], body["cards"])
            case "discarded":
                self._take(body["hand"], body["cards"])
            case "placed":
                self._place(event, by)
            case "board_shown":
                self.hands[body["hand"]].is_open = True

    def _begin(self, number: int, seats: list[int]) -> None:
        if number != self.number + 1:
            self._fail(f"behind deal {self.number} comes {number}")
        self.number = number
        self.deals += 1
        self.hands = {hand: Hand(seat) for hand, seat in enumerate(seats)}

    def _deal(self, hand: int, cards: list[str]) -> None:
        """Cards come off the deck in its order."""
        if cards != self._deck[: len(cards)]:
            self._fail(f"deal {self.number} gives hand {hand} other cards than the deck has")
        self._deck = self._deck[len(cards) :]
        self.hands[hand].inhand += cards

    def _take(self, number: int, cards: list[str]) -> None:
        hand = self.hands[number]
        for card in cards:
            if card not in hand.inhand:
                self._fail(f"hand {number} of deal {self.number} places {card}, which it does not hold")
                return
            hand.inhand.remove(card)

    def _place(self, event: Event, by: str) -> None:
        number, street, layout = event.body["hand"], event.body["street"], event.body["layout"]
        hand = self.hands[number]
        if street in hand.streets:
            self._fail(f"doubled: street {street} of hand {number} in deal {self.number} is placed twice")
        hand.streets.add(street)
        if event.visibility != "public":
            hand.is_open = False
        if hand.seat not in self.bots and by != self.players[hand.seat]:
            self._fail(f"nobody asked to place street {street} of seat {hand.seat} in deal {self.number}")
        for name in ROWS:
            self._take(number, layout[name])
            hand.rows[name] += layout[name]
