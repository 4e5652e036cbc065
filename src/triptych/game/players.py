"""The players of a deal from a program's input: names, hands, fantasylands and money."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from msgspec import Struct

from triptych.arguments import ArgumentError, describe_value, plain, whole_number
from triptych.deal.state import HandStart
from triptych.game.errors import GameError
from triptych.rulesets.model import Ruleset, hands_per_seat
from triptych.scoring.jsonl.request import Request

SeatLike: TypeAlias = int | str
FantasylandLike: TypeAlias = Mapping[str, int | tuple[int, int]]
_MAX_PLAYERS: Final = 4
_MAX_CARDS: Final = 54
_RESERVED: Final = "all"  # the viewer of a history who sees every card


class Seats(Struct, frozen=True):
    """The players of a deal and their hands, from the button's left.

    `hands`: their names, all different. `owners`: by hand the player's index in `players`; `seats`: by hand the seat
    number in the deal engine.
    """

    players: tuple[str, ...]
    hands: tuple[str, ...]
    owners: tuple[int, ...]
    seats: tuple[int, ...]

    @classmethod
    def from_input(cls, rules: Ruleset, value: int | Iterable[str]) -> Seats:
        """Return the seats of players given by name or by number. Raises GameError, ArgumentError."""
        players = player_names(value)
        minimum, maximum = rules.seats.min, rules.seats.max
        if not minimum <= len(players) <= maximum:
            count = str(minimum) if minimum == maximum else f"{minimum} to {maximum}"
            raise GameError("deal.players", f"{rules.name} seats {count} players, not {len(players)}", "$.players")
        owners = tuple(range(len(players))) * hands_per_seat(rules)
        return cls(players, _hand_names([players[owner] for owner in owners]), owners, owners)

    @classmethod
    def from_hands(cls, hands: Sequence[HandStart], names: Sequence[str]) -> Seats:
        """Return the seats of a history's hands; `names` by hand."""
        by_seat = {hand.seat: name for hand, name in zip(reversed(hands), reversed(names), strict=True)}
        order = list(dict.fromkeys(hand.seat for hand in hands))
        players = _hand_names([by_seat[seat] for seat in order])
        owners = tuple([order.index(hand.seat) for hand in hands])
        hand_names = _hand_names([players[owner] for owner in owners])
        return cls(players, hand_names, owners, tuple([hand.seat for hand in hands]))

    @property
    def owner_names(self) -> tuple[str, ...]:
        """The player's name by hand."""
        return tuple([self.players[owner] for owner in self.owners])

    def hand(self, seat: SeatLike, acting: Sequence[int] = ()) -> int:
        """Return a hand by its number, its name or its player's name: for two hands the one that acts.

        Raises GameError `deal.seat`.
        """
        if isinstance(seat, str):
            if seat in self.hands:
                return self.hands.index(seat)
            own_hands = [hand for hand, name in enumerate(self.owner_names) if name == seat]
            if own_hands:
                return next((hand for hand in own_hands if hand in acting), own_hands[0])
            message = f"no hand of this deal is called {describe_value(seat)}; there are {', '.join(self.hands)}"
            raise GameError("deal.seat", message, "$.seat")
        number = whole_number(seat, "$.seat", -(1 << 63), 1 << 63)
        if not 0 <= number < len(self.hands):
            message = f"There is no hand {number} in this deal; they go from 0 to {len(self.hands) - 1}."
            raise GameError("deal.seat", message, "$.seat")
        return number

    def starts(self, by_name: object) -> tuple[HandStart, ...]:
        """Return the start of each hand, with the fantasylands given by name. Raises GameError, ArgumentError."""
        if not isinstance(by_name, Mapping):
            message = f"expected the cards of fantasylands by name, not {describe_value(by_name)}"
            raise ArgumentError("value.type", message, "$.fantasyland")
        fantasylands: dict[int, tuple[int, int]] = {}
        for name, value in by_name.items():
            path = f"$.fantasyland.{name}"
            cards, in_row = _fantasyland(value, path)
            fantasylands[self.hand(name)] = (
                whole_number(cards, path, 0, _MAX_CARDS),
                whole_number(in_row, path, 0, _MAX_CARDS),
            )
        return tuple([HandStart(seat, *fantasylands.get(hand, (0, 0))) for hand, seat in enumerate(self.seats)])

    def money_from_history(self, stakes: Sequence[int], stacks: Sequence[int]) -> dict[str, object]:
        """Return the stakes and stacks of a history as `triptych.score` takes them."""
        money: dict[str, object] = {}
        if stakes:
            pairs = combinations(self.hands, 2)
            money["stakes"] = {f"{a}-{b}": stake for (a, b), stake in zip(pairs, stakes, strict=True)}
        if stacks:
            money["stacks"] = dict(zip(self.owner_names, stacks, strict=True))
        return money

    def history_money(self, request: Request) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the stakes by pair of hands and the stacks by hand as in a history: whole numbers, all or none."""
        pairs = combinations(range(len(self.hands)), 2)
        stakes = [request.stakes.get(pair, request.default_stake) for pair in pairs]
        stacks = [request.stacks[owner] for owner in self.owners] if request.stacks else []
        has_whole_stakes = all(isinstance(stake, int) and stake > 0 for stake in stakes) and {*stakes} != {1}
        return (
            tuple(map(int, stakes)) if has_whole_stakes else (),
            tuple([int(stack) for stack in stacks if isinstance(stack, int)])
            if all(isinstance(stack, int) for stack in stacks)
            else (),
        )


def player_names(value: int | Iterable[str]) -> tuple[str, ...]:
    """Return two to four different names; for a number of players `p1`, `p2`, …. Raises GameError, ArgumentError."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        count = whole_number(value, "$.players", 2, _MAX_PLAYERS)
        return tuple([f"p{number + 1}" for number in range(count)])
    try:
        names = tuple(value)
    except TypeError:  # an array without dimensions
        raise ArgumentError("value.type", f"expected names, not {describe_value(value)}", "$.players") from None
    for index, name in enumerate(names):
        path = f"$.players[{index}]"
        if not isinstance(name, str):
            raise ArgumentError("value.type", f"expected a player's name, not {describe_value(name)}", path)
        if not name or name == _RESERVED:
            raise GameError("deal.players", f"a player is not called {name!r}", path)
        if name in names[:index]:
            raise GameError("deal.players", f"two players are called {name!r}", path)
    return names


def _fantasyland(start: object, path: str) -> tuple[object, object]:
    """Return the cards of a fantasyland, and its number in a row."""
    value = plain(start)
    if not isinstance(value, list):
        return value, 1
    if len(value) != 2:
        raise ArgumentError("value.type", "expected cards, or cards and how many in a row", path)
    return value[0], value[1]


def _hand_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, with a number after those that occur more than once."""
    return tuple(
        [
            name if names.count(name) == 1 else f"{name} {names[: index + 1].count(name)}"
            for index, name in enumerate(names)
        ]
    )
