"""One deck in one seating: the deal and the fantasylands that follow; the deal engine decides what is legal."""

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
from triptych.rulesets.model import Ruleset
from triptych.scoring.showdown import DealScore


class DealId(Struct, frozen=True):
    """Where in a match a deal stands; everything random follows from it. `step` counts the fantasylands after it."""

    seed: str
    deal: int
    rotation: int
    step: int = 0


class Seating:
    """The bots in their seats for one rotation. `players[seat]` is a bot's number in the match."""

    def __init__(
        self, rules: Ruleset, rotation: int, contenders: Sequence[Contender], witnesses: Sequence[BotMonitor]
    ) -> None:
        """`contenders` and `witnesses` go by player."""
        count = len(contenders)
        self._rules = rules
        self._players = tuple((seat + rotation) % count for seat in range(count))
        self._contenders = contenders
        self._witnesses = witnesses
        self._hands_each = 2 if rules.deal.game == "criss_cross" else 1

    def play(self, spot: DealId, *, chain: bool) -> DealRecord:
        """Play a deal, and with `chain` its fantasylands until nobody is in one. Rule: Rules §5; source 002 L31."""
        order = tuple(range(len(self._players)))
        state, score = self._deal(spot, order, {})
        gained = [0] * len(order)
        visited: list[FantasylandRecord] = []
        following = state
        while chain and (lands := next_fantasyland(following)):
            if self._rules.fantasyland.button == "move":
                order = (*order[1:], order[0])
            spot = replace(spot, step=spot.step + 1)
            following, later = self._deal(spot, order, lands)
            gained = [sum(both) for both in zip(gained, self._points(following, later), strict=True)]
            visited += self._fantasyland_records(following, later)
        return DealRecord(
            seats=tuple(self._players.index(player) for player in range(len(order))),
            points=self._points(state, score),
            fouls=self._by_player(state, (hand.status == "foul" for hand in score.hands)),
            royalties=self._by_player(state, _royalties(score)),
            lands=self._by_player(state, (hand.fantasyland for hand in score.hands)),
            chain=tuple(gained) if chain else None,
            fantasylands=tuple(visited),
        )

    def _deal(
        self, spot: DealId, order: Sequence[int], lands: Mapping[int, tuple[int, int]]
    ) -> tuple[DealState, DealScore]:
        """Play one deal to its end; `order`: the seats from the left of the button, the button last."""
        for seat, contender in self._active_contenders():
            contender.start_deal(seat, len(order), spot.deal + 1, bot_seed(spot.seed, spot.deal, spot.step, seat))
        hands = tuple(HandStart(seat, *lands.get(seat, (0, 0))) for _ in range(self._hands_each) for seat in order)
        cards = deck_for(self._rules.deal.jokers, spot.seed, spot.deal, spot.step)
        state = start(self._rules, spot.deal + 1, hands, cards).state
        while not finished(state):
            state = self._advance(spot, state, acting_hands(state)[0])
        score = result(state)
        points = self._points(state, score)
        for seat, contender in self._active_contenders():
            contender.end_deal(view(state, seat), points[self._players[seat]])
        return state, score

    def _active_contenders(self) -> list[tuple[int, Contender]]:
        """Return the seats whose bots still play for themselves."""
        return [
            (seat, self._contenders[player])
            for seat, player in enumerate(self._players)
            if not self._witnesses[player].excluded
        ]

    def _advance(self, spot: DealId, state: DealState, hand: int) -> DealState:
        """Return the deal after what a hand's bot does, or what the clock would do for it after a fault."""
        seat = state.hands[hand].seat
        player = self._players[seat]
        witness = self._witnesses[player]
        if not witness.excluded:
            seen = view(state, seat)
            task = next(task for task in seen.tasks if task.hand == hand)
            try:
                return self._play_bot_action(player, state, seen, task)
            except BotFault as fault:
                where = (spot.deal, spot.rotation, spot.step, task.street)
                witness.record_fault(Fault(fault.kind, fault.message, *where))
        else:
            witness.record_skipped()
        return decide(state, timeout_action(state, hand)).state

    def _play_bot_action(self, player: int, state: DealState, seen: DealView, task: Task) -> DealState:
        action = self._witnesses[player].choose(self._contenders[player], seen, task)
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
                self._players[hand.seat], hand.fantasyland, paid, own.status == "foul", own.fantasyland > 0
            )
            for hand, own, paid in zip(state.hands, score.hands, _royalties(score), strict=True)
            if hand.fantasyland
        ]


def _royalties(score: DealScore) -> list[int]:
    """Return the royalties of each board; a board that is not legal has none."""
    return [sum(hand.royalties) if hand.status == "legal" else 0 for hand in score.hands]
