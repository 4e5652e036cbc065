"""Play one deck in one seating: the deal and the fantasylands that follow, by the deal engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from triptych.arena.contender import BotMonitor, Contender
from triptych.arena.faults import BotFault, Fault
from triptych.arena.records import DealRecord, FantasylandRecord
from triptych.arena.seeds import bot_seed, deck_for
from triptych.deal.actions import Arrange
from triptych.deal.engine import decide, start, timeout_action
from triptych.deal.errors import DealError
from triptych.deal.project import view
from triptych.deal.result import next_fantasyland, result
from triptych.deal.state import DealState, HandStart, acting_hands, finished
from triptych.deal.view_types import DealView, Task
from triptych.rulesets.model import Ruleset, hands_per_seat
from triptych.scoring.showdown import DealScore


class DealId(Struct, frozen=True):
    """The place of a deal in a match; all random choices follow from it. `step` counts the fantasylands after it."""

    seed: str
    deal: int
    rotation: int
    step: int = 0


class Seating:
    """The bots in their seats for one rotation. `players[seat]` is a bot's number in the match."""

    def __init__(
        self, rules: Ruleset, rotation: int, contenders: Sequence[Contender], monitors: Sequence[BotMonitor]
    ) -> None:
        """`contenders` and `monitors` go by player."""
        count = len(contenders)
        self._rules = rules
        self._players = tuple((seat + rotation) % count for seat in range(count))
        self._contenders = contenders
        self._monitors = monitors
        self._hands_each = hands_per_seat(rules)

    def play(self, deal_id: DealId, *, chain: bool) -> DealRecord:
        """Play a deal, and with `chain` all fantasylands that follow. Rule: Rules §5; source 002 L31."""
        order = tuple(range(len(self._players)))
        state, score = self._deal(deal_id, order, {})
        chain_points = [0] * len(order)
        records: list[FantasylandRecord] = []
        last_state = state
        while chain and (fantasylands := next_fantasyland(last_state)):
            if self._rules.fantasyland.button == "move":
                order = (*order[1:], order[0])
            deal_id = replace(deal_id, step=deal_id.step + 1)
            last_state, last_score = self._deal(deal_id, order, fantasylands)
            chain_points = [
                sum(values) for values in zip(chain_points, self._points(last_state, last_score), strict=True)
            ]
            records += self._fantasyland_records(last_state, last_score)
        return DealRecord(
            seats=tuple(self._players.index(player) for player in range(len(order))),
            points=self._points(state, score),
            fouls=self._by_player(state, (hand.status == "foul" for hand in score.hands)),
            royalties=self._by_player(state, _royalties(score)),
            next_fantasylands=self._by_player(state, (hand.fantasyland for hand in score.hands)),
            chain=tuple(chain_points) if chain else None,
            fantasylands=tuple(records),
        )

    def _deal(
        self, deal_id: DealId, order: Sequence[int], fantasylands: Mapping[int, tuple[int, int]]
    ) -> tuple[DealState, DealScore]:
        """Play one deal to its end; `order`: the seats from the left of the button, the button last."""
        for seat, contender in self._active_contenders():
            contender.start_deal(
                seat, len(order), deal_id.deal + 1, bot_seed(deal_id.seed, deal_id.deal, deal_id.step, seat)
            )
        hands = tuple(
            HandStart(seat, *fantasylands.get(seat, (0, 0))) for _ in range(self._hands_each) for seat in order
        )
        cards = deck_for(self._rules.deal.jokers, deal_id.seed, deal_id.deal, deal_id.step)
        state = start(self._rules, deal_id.deal + 1, hands, cards).state
        while not finished(state):
            state = self._advance(deal_id, state, acting_hands(state)[0])
        score = result(state)
        points = self._points(state, score)
        for seat, contender in self._active_contenders():
            contender.end_deal(view(state, seat), points[self._players[seat]])
        return state, score

    def _active_contenders(self) -> list[tuple[int, Contender]]:
        return [
            (seat, self._contenders[player])
            for seat, player in enumerate(self._players)
            if not self._monitors[player].excluded
        ]

    def _advance(self, deal_id: DealId, state: DealState, hand: int) -> DealState:
        """Return the state after the action of a hand's bot, or after the time-out action where it has a fault."""
        seat = state.hands[hand].seat
        player = self._players[seat]
        monitor = self._monitors[player]
        if not monitor.excluded:
            deal_view = view(state, seat)
            task = next(task for task in deal_view.tasks if task.hand == hand)
            try:
                return self._play_bot_action(player, state, deal_view, task)
            except BotFault as fault:
                position = (deal_id.deal, deal_id.rotation, deal_id.step, task.street)
                monitor.record_fault(Fault(fault.kind, fault.message, *position))
        else:
            monitor.record_skipped()
        return decide(state, timeout_action(state, hand)).state

    def _play_bot_action(self, player: int, state: DealState, deal_view: DealView, task: Task) -> DealState:
        action = self._monitors[player].choose(self._contenders[player], deal_view, task)
        if isinstance(action, Arrange):
            raise BotFault("illegal", "arrange decides nothing; answer with place")
        if action.hand != task.hand:
            raise BotFault(
                "illegal", f"asked for hand {task.hand}, answered for hand {action.hand} (deal.not_your_turn)"
            )
        try:
            return decide(state, action).state
        except DealError as error:
            raise BotFault("illegal", f"{error.message} ({error.code} at {error.path})") from None

    def _points(self, state: DealState, score: DealScore) -> tuple[int, ...]:
        return self._by_player(state, score.totals())

    def _by_player(self, state: DealState, by_hand: Iterable[int]) -> tuple[int, ...]:
        """Return the sum over each player's hands."""
        sums = [0] * len(self._players)
        for hand, value in zip(state.hands, by_hand, strict=True):
            sums[self._players[hand.seat]] += value
        return tuple(sums)

    def _fantasyland_records(self, state: DealState, score: DealScore) -> list[FantasylandRecord]:
        return [
            FantasylandRecord(
                self._players[hand.seat],
                hand.fantasyland,
                royalties,
                score_of_hand.status == "foul",
                score_of_hand.fantasyland > 0,
            )
            for hand, score_of_hand, royalties in zip(state.hands, score.hands, _royalties(score), strict=True)
            if hand.fantasyland
        ]


def _royalties(score: DealScore) -> list[int]:
    """Return the royalties of each board; a board that is not legal has none."""
    return [sum(hand.royalties) if hand.status == "legal" else 0 for hand in score.hands]
