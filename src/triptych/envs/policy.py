"""Convert views to observations, so that a trained policy can play in the arena, on a server and by `play`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from triptych.board import ROW_CAPACITY, ROWS, Layout, RowName
from triptych.cards import UNKNOWN_CARD, parse_card
from triptych.deal.actions import Action, Announce, ClaimNatural, Declare, Place
from triptych.deal.view_types import BoardView, DealView, Task
from triptych.envs.actions import ACTIONS, CARD_LOCATIONS, OBSERVATION_SIZE, OBSERVED_CARDS, SCALAR_FEATURES
from triptych.rulesets.model import Ruleset

if TYPE_CHECKING:
    Policy = Callable[[NDArray[np.uint8], Sequence[int]], int]

_OWN_FRONT: Final = CARD_LOCATIONS.index("own front")
_TO_COME: Final = CARD_LOCATIONS.index("own, to come")
_IN_TURN: Final = CARD_LOCATIONS.index("own, in turn")
_DISCARD: Final = CARD_LOCATIONS.index("own discard")
_PLAY, _SURRENDER, _NATURAL = (ACTIONS.index(name) for name in ("play", "surrender", "natural"))
_DISCARD_ACTION: Final = ACTIONS.index("discard")
_PHASES: Final = {"placing": 0, "announcing": 1, "declaring": 1, "done": 2}
_STATUSES: Final = {"surrendered": 1, "natural": 2}
_MAX_OTHERS: Final = 3


def observe(view: DealView, hand: int, handled: Sequence[int] = ()) -> NDArray[np.uint8]:
    """Return the environments' observation of a view for the owner of a hand, uint8 (OBSERVATION_SIZE,).

    `handled`: actions (0 to 3) for the first cards of the street, which the deal does not know yet: it gets a whole
    street at once. Raises ValueError when the deal has no such hand.
    """
    observation = np.zeros(OBSERVATION_SIZE, dtype=np.uint8)
    own = next((board for board in view.boards if board.hand == hand), None)
    if own is None:
        message = f"there is no hand {hand} in this deal"
        raise ValueError(message)
    task = next((task for task in view.tasks if task.hand == hand), None)
    index = view.boards.index(own)
    others = view.boards[index + 1 :] + view.boards[:index]
    for row, location in zip(ROWS, range(_OWN_FRONT, _OWN_FRONT + len(ROWS)), strict=True):
        _mark(observation, _visible_row(own, row), location)
    _mark(observation, own.discards, _DISCARD)
    for distance, board in enumerate(others):
        first = len(CARD_LOCATIONS) + 3 * distance
        for row, location in zip(ROWS, range(first, first + 3), strict=True):
            _mark(observation, _visible_row(board, row), location)
    if task is not None and task.kind == "place":
        for card, action in zip(task.cards, handled, strict=False):
            _mark(observation, (card,), _DISCARD if action == _DISCARD_ACTION else _OWN_FRONT + action)
        waiting = task.cards[len(handled) :]
        _mark(observation, waiting[:1], _IN_TURN)
        _mark(observation, waiting[1:], _TO_COME)
    features = observation[OBSERVED_CARDS:]
    is_announced = view.phase != "placing"
    features[0] = index
    features[1] = 0 if own.fantasyland else (view.street if task is None else task.street) - 1
    features[2] = _PHASES[view.phase]
    features[3] = own.fantasyland
    features[7] = 0 if task is None else task.discard - sum(action == _DISCARD_ACTION for action in handled)
    for distance, board in enumerate(others[:_MAX_OTHERS]):
        features[4 + distance] = board.fantasyland
        features[8 + distance] = _STATUSES.get(board.status, 0) if is_announced else 0
    assert len(features) == len(SCALAR_FEATURES)  # noqa: S101 - they must have the same length
    return observation


def legal_actions_for(task: Task, handled: Sequence[int] = ()) -> list[int]:
    """Return the legal actions for the card in turn, ascending; see `observe` for `handled`."""
    if task.kind == "announce":
        return [_PLAY, _SURRENDER]
    discards_left = task.discard - sum(action == _DISCARD_ACTION for action in handled)
    legal = []
    if len(task.cards) - len(handled) > discards_left:
        free: Mapping[RowName, int] = {"front": task.open.front, "middle": task.open.middle, "back": task.open.back}
        legal = [row for row, name in enumerate(ROWS) if handled.count(row) < free[name]]
    if discards_left > 0:
        legal.append(_DISCARD_ACTION)
    if task.natural and not handled:
        legal.append(_NATURAL)
    return legal


class PolicyBot:
    """A trained policy as a bot (`triptych.Bot`): it chooses card by card and plays a whole street at once.

    `policy(observation, legal)` gets uint8 (OBSERVATION_SIZE,) and the legal actions, and returns one of them.
    All royalties are declared where the rules require a declaration.
    """

    def __init__(self, policy: Policy, name: str = "policy") -> None:
        """`name` is the bot's name in reports."""
        self.name = name
        self._policy = policy

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:  # noqa: ARG002 - part of the interface of bots
        """Return the policy's action for a task. Raises ValueError when the policy chooses an illegal action."""
        if task.kind == "declare":
            return Declare(task.hand, task.rows)
        if task.kind == "announce":
            return Announce(task.hand, self._next_action(view, task, []) == _PLAY)
        handled: list[int] = []
        rows: dict[str, tuple[str, ...]] = dict.fromkeys(ROWS, ())
        for card in task.cards:
            action = self._next_action(view, task, handled)
            if action == _NATURAL:
                return ClaimNatural(task.hand)
            handled.append(action)
            if action != _DISCARD_ACTION:
                rows[ACTIONS[action]] += (card,)
        return Place(task.hand, Layout(**rows))

    def _next_action(self, view: DealView, task: Task, handled: list[int]) -> int:
        legal = legal_actions_for(task, handled)
        action = int(self._policy(observe(view, task.hand, handled), legal))
        if action not in legal:
            message = f"{self.name} chose action {action}, legal are {legal}"
            raise ValueError(message)
        return action


def _visible_row(board: BoardView, row: RowName) -> tuple[str, ...]:
    """Return the confirmed cards of a row that the viewer may know."""
    cards = getattr(board, row).cards
    return tuple(card for card in cards[: ROW_CAPACITY[row]] if card != UNKNOWN_CARD and card not in board.pending)


def _mark(observation: NDArray[np.uint8], cards: Sequence[str], location: int) -> None:
    for card in cards:
        if card != UNKNOWN_CARD:
            observation[parse_card(card)] = location
