"""Strategies of closed games: packaged hand pools, and the best response of a seat against them.

A hand pool is a few thousand hands as one strategy sets them. The exact best response to it is nearly that strategy
again; each file states its exploitability. Rules without a packaged strategy use the one with the nearest rules,
unless one is trained for them (bots/strategy_cache.py); the response is always exact under the actual rules.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final, Literal

import msgspec
from msgspec import Struct

from triptych import _kernel
from triptych.cards import Card
from triptych.rulesets.compile import compile_rules, to_kernel_ints
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset

SUFFIX: Final = ".strategy"
State = Literal["unknown", "undecided", "plays"]
_STATES: Final[tuple[State, ...]] = ("unknown", "undecided", "plays")
HAND_BYTES: Final = 14  # kind and 13 cards
_DECLARED: Final = b"\x07\x00\x00\x00"  # all rows declared, no fantasyland, no owner
_OTHER_GAME: Final = 1000  # a strategy trained with other row rules is further away than any other difference
_OTHER_SCORING: Final = 20
_OTHER_SEATS: Final = 3
_BEHAVIOUR_NEUTRAL_FIELDS: Final = {
    "natural_auto"
}  # it changes no board of a strategy, only how naturals are found when it is loaded


class StrategyHeader(Struct, frozen=True):
    """The parameters of a strategy's training, and its measured exploitability.

    `rules`: the kernel's integers of its rules by name, so that a strategy stays valid when the kernel gets new
    options. `opponents`: how many each hand was set against. `gain`: points a deal that a best response wins
    against it among opponents + 1 players, with `interval`, half of its 95 % interval, over `deals` duplicate
    deals (bench/closed_gain.py); 0 deals: not measured.
    """

    name: str
    rules: dict[str, tuple[int, ...]]
    opponents: int
    seed: int
    decks: int
    rounds: int
    command: str
    gain: float = 0.0
    interval: float = 0.0
    deals: int = 0


class HandOptions(Struct, frozen=True):
    """The options of a hand against a strategy, in mean points: the best board, a surrender, its natural."""

    board: bytes
    plays: float
    surrender: float
    natural: float


class ClosedStrategy:
    """A strategy, as a pool of its hands, under the rules of a table."""

    def __init__(self, rules: Ruleset, head: StrategyHeader, hands: bytes) -> None:
        """`hands`: 14 bytes for each of `size` hands: kind (0 board, 1 surrenders, 2 natural), cards front first."""
        self.head = head
        self.hands = hands
        self.size: int = len(hands) // HAND_BYTES
        packed = b"".join(
            hands[start : start + 1] + _DECLARED + hands[start + 1 : start + HAND_BYTES]
            for start in range(0, len(hands), HAND_BYTES)
        )
        self.kernel: _kernel.HandPool = _kernel.HandPool(compile_rules(rules), packed)

    def options(self, cards: Sequence[Card], states: Sequence[State], dead: Sequence[Card] = ()) -> HandOptions:
        """Return the options of 13 cards against opponents in these states.

        `dead`: other cards that this seat sees.
        """
        choice = self.kernel.choose(bytes(cards), bytes(dead), _numbers(states), 0)
        best = choice.ranking.best[0]
        return HandOptions(best.board, best.points, choice.surrender, choice.natural)

    def rank(
        self, cards: Sequence[Card], states: Sequence[State], dead: Sequence[Card] = (), *, top: int
    ) -> list[tuple[bytes, float]]:
        """Return the `top` best boards of 13 cards with their mean points, best first; arguments as `options`."""
        choice = self.kernel.choose(bytes(cards), bytes(dead), _numbers(states), top)
        return [(setting.board, setting.points) for setting in choice.ranking.best]

    def surrender_values(
        self, board: Sequence[Card], states: Sequence[State], dead: Sequence[Card] = ()
    ) -> tuple[float, float]:
        """Return the points of playing a finished board, front first, and of surrendering it."""
        points = self.kernel.announce(bytes(board), bytes(dead), _numbers(states))
        return points.play, points.surrender


def relevant_opponent_counts(rules: Ruleset) -> tuple[int, ...]:
    """Return the numbers of opponents for which settings differ; any other number is played as one.

    Pairs add up, but a home run needs three opponents together, and `first_to_11` counts the whole table.
    """
    if rules.scoring.rows == "first_to_11":
        return tuple(range(1, rules.seats.max))
    return (1, 3) if rules.scoring.home_run_doubles and rules.seats.max == 4 else (1,)


def strategy_opponents(rules: Ruleset, opponents: int) -> int:
    """Return the number of opponents of the strategy for a hand with `opponents` opponents."""
    return opponents if opponents in relevant_opponent_counts(rules) else 1


@lru_cache(maxsize=64)
def nearest_strategy(rules: Ruleset, opponents: int) -> ClosedStrategy:
    """Return the packaged strategy nearest to these rules, for a hand with this number of opponents."""
    numbers, seats = kernel_fields(rules), strategy_opponents(rules, opponents)
    nearest = min(
        packaged_strategies(),
        key=lambda packaged: (
            _distance(numbers, packaged[0].rules) + _OTHER_SEATS * abs(packaged[0].opponents - seats)
        ),
    )
    return ClosedStrategy(rules, *nearest)


def is_exact_match(head: StrategyHeader, rules: Ruleset, opponents: int) -> bool:
    """Return whether a strategy was trained for exactly these rules and this number of opponents."""
    return head.opponents == strategy_opponents(rules, opponents) and _distance(kernel_fields(rules), head.rules) == 0


def pack(head: StrategyHeader, hands: bytes) -> bytes:
    """Return the bytes of a strategy's file: a line of JSON and the packed hands."""
    return msgspec.json.encode(head) + b"\n" + zlib.compress(hands, 9)


def unpack(data: bytes) -> tuple[StrategyHeader, bytes]:
    """Return the header and hands of a file made by `pack`."""
    line, _, body = data.partition(b"\n")
    return msgspec.json.decode(line, type=StrategyHeader), zlib.decompress(body)


@lru_cache(maxsize=1)
def packaged_strategies() -> tuple[tuple[StrategyHeader, bytes], ...]:
    """Return the headers and hands of the packaged strategies, as `ClosedStrategy` takes them."""
    folder = files("triptych.solve.closed").joinpath("strategies")
    paths = sorted((file for file in folder.iterdir() if file.name.endswith(SUFFIX)), key=lambda file: file.name)
    return tuple(unpack(file.read_bytes()) for file in paths)


def kernel_fields(rules: Ruleset) -> dict[str, tuple[int, ...]]:
    """Return the kernel's integers of a ruleset by field."""
    numbers = tuple(to_kernel_ints(rules))
    return {name: numbers[start : start + count] for name, start, count in _kernel.rules_fields()}


def _distance(rules: Mapping[str, Sequence[int]], others: Mapping[str, Sequence[int]]) -> int:
    """Return the distance of two rules: the number of different integers; rows and scoring weigh more.

    An option that a strategy does not name was off when it was trained.
    """
    basic = _basic_kernel_fields()
    differences = sum(
        a != b
        for name, values in rules.items()
        for a, b in zip(
            values, others.get(name, values if name in _BEHAVIOUR_NEUTRAL_FIELDS else basic[name]), strict=False
        )
    )
    other_game = rules["middle_low"] != others["middle_low"]
    other_scoring = rules["scoring"] != others["scoring"]
    return differences + _OTHER_GAME * other_game + _OTHER_SCORING * other_scoring


@lru_cache(maxsize=1)
def _basic_kernel_fields() -> dict[str, tuple[int, ...]]:
    """Return the kernel's integers of a closed game without options."""
    return kernel_fields(resolve("closed_basic"))


def _numbers(states: Sequence[State]) -> list[int]:
    return [_STATES.index(state) for state in states]
