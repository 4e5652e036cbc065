"""A game that the kernel of the browsers plays by itself, beside the same cards in the deal engine."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from tests.web_kernel.host import WebKernel, u32, unpacked
from triptych import _kernel
from triptych.board import ROWS, Layout
from triptych.cards import Card, card_text
from triptych.deal.actions import Place
from triptych.deal.engine import acting_hands, decide, finished, next_fantasyland, result, start
from triptych.deal.project import view
from triptych.deal.state import HandStart
from triptych.deal.timeout import timeout_action
from triptych.rulesets.model import streets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.deal.state import DealState
    from triptych.deal.view_types import DealView, Task
    from triptych.rulesets.model import Ruleset

DISCARD = 3
EVERYTHING = 255


class SoloGame:
    """A game in the browsers' kernel."""

    def __init__(
        self,
        web: WebKernel,
        rules: Ruleset,
        number: int,
        players: int,
        seed: int,
        fantasylands: Sequence[int] = (),
        first: int = 0,
        untold: int = 0,
    ) -> None:
        steps = streets(rules)
        starts = [fantasylands[hand] if hand < len(fantasylands) else 0 for hand in range(players)]
        self._web = web
        self.number = web.keep(
            "solo_begin",
            u32(number, players, rules.deal.jokers, len(steps)),
            *(u32(step.dealt, step.placed) for step in steps),
            u32(1, rules.fantasyland.button == "move", rules.fantasyland.order == "after_others"),
            struct.pack("<2Q", seed, first),
            *(u32(fantasyland, min(fantasyland, 1)) for fantasyland in starts),
            bytes(1),
            u32(untold),
        )

    def look(self, viewer: int = EVERYTHING) -> tuple[_kernel.SoloHand, ...]:
        view = unpacked("SoloView", self._web.ask("solo_look", u32(self.number) + bytes([viewer])))
        self.is_over, self.deals, self.turn, self.street = view[:4]
        hands: tuple[_kernel.SoloHand, ...] = view.hands
        return hands

    def act(self, actions: bytes) -> tuple[int, ...] | None:
        """Place a street; return the points by player where that ended a deal."""
        step = unpacked("SoloStep", self._web.ask("solo_act", u32(self.number, len(actions)) + actions))
        points: tuple[int, ...] = step.points
        return points if step.ended else None

    def drop(self) -> None:
        self._web.ask("drop", u32(self.number))


class Twin:
    """The deal engine's deal with the same cards for each hand, whatever order its rules deal them in."""

    def __init__(self, rules: Ruleset, deck: Sequence[Card], hands: Sequence[HandStart]) -> None:
        dealt = _hands_cards(rules, hands, list(range(len(deck))))
        wanted: list[int] = [-1] * len(deck)
        used = 0
        for hand, count in _kernels_order(rules, hands):
            for card in deck[used : used + count]:
                wanted[dealt[hand].pop(0)] = int(card)
            used += count
        rest = iter([int(card) for card in deck[used:]])
        cards = tuple(Card(card if card >= 0 else next(rest)) for card in wanted)
        self.state: DealState = start(rules, 1, tuple(hands), cards).state

    def question(self, hand: int) -> tuple[DealView, Task]:
        assert hand in acting_hands(self.state)
        deal_view = view(self.state, self.state.hands[hand].seat)
        return deal_view, next(task for task in deal_view.tasks if task.hand == hand)

    def place(self, hand: int, cards: bytes, actions: bytes) -> None:
        rows: dict[str, tuple[str, ...]] = dict.fromkeys(ROWS, ())
        for card, action in zip(cards, actions, strict=True):
            if action != DISCARD:
                rows[ROWS[action]] += (card_text(Card(card)),)
        self.state = decide(self.state, Place(hand, Layout(**rows))).state

    @property
    def is_over(self) -> bool:
        return finished(self.state)

    def totals(self) -> dict[int, int]:
        """Return the points by seat."""
        return {hand.seat: total for hand, total in zip(self.state.hands, result(self.state).totals(), strict=True)}

    def fantasylands(self) -> dict[int, tuple[int, int]]:
        return dict(next_fantasyland(self.state))


def _kernels_order(rules: Ruleset, hands: Sequence[HandStart]) -> list[tuple[int, int]]:
    order = [(at, step.dealt) for step in streets(rules) for at, hand in enumerate(hands) if not hand.fantasyland]
    return order + [(at, hand.fantasyland) for at, hand in enumerate(hands) if hand.fantasyland]


def _hands_cards(rules: Ruleset, hands: Sequence[HandStart], deck: list[int]) -> list[list[int]]:
    """Return which places of the deck each hand is dealt, by playing a deal whose cards are their places."""
    state = start(rules, 1, tuple(hands), tuple(map(Card, deck))).state
    places: list[list[int]] = [[] for _ in hands]

    def collect() -> None:
        for at, hand in enumerate(state.hands):
            places[at] += [int(card) for card in hand.drawn if int(card) not in places[at]]

    collect()
    while not finished(state):
        state = decide(state, timeout_action(state, acting_hands(state)[0])).state
        collect()
    return places
