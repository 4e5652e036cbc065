"""Replay a history: the deal after each step, and a check against its rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from msgspec import Struct
from msgspec.structs import replace

from triptych.cards import Card, card_text, deck, parse_card
from triptych.deal.actions import Action, Announce, Arrange, ClaimNatural, Declare, Place
from triptych.deal.engine import Transition, decide, start
from triptych.deal.errors import DealError
from triptych.deal.events import DealEvent, Forfeited, Hinted
from triptych.deal.evolve import evolve
from triptych.deal.project import view
from triptych.deal.state import DealState
from triptych.deal.view_types import DealView
from triptych.deal.visibility import Public
from triptych.notation.errors import NotationError
from triptych.notation.history.fill_unknown import fill_unknown_cards
from triptych.notation.history.model import History, Step, record


class Frame(Struct, frozen=True):
    """The deal after an action, `at` milliseconds after the start; `step` counts the history's actions from 0."""

    at: int
    step: int
    view: DealView


def frames(history: History, seat: int | None) -> tuple[Frame, ...]:
    """Return the views of the player in `seat` (None: a spectator) after the start and after every action.

    Raises NotationError as `check_history`, and ValueError when the history was written for another viewer.
    """
    if history.seen_by not in ("all", seat):
        raise ValueError("this history was written for another viewer")
    return tuple(Frame(at, step, view(state, seat)) for at, step, _, state in replay(history))


def last_state(history: History) -> DealState:
    """Return the deal after the last step of a history; unseen cards are filled with possible ones.

    Raises NotationError as `check_history`.
    """
    *_, (_, _, _, state) = replay(history)
    return state


def check_history(history: History) -> None:
    """Raise NotationError unless replaying the actions under the rules gives the same steps and result.

    Unknown cards are filled with possible ones (fill_unknown.py). Codes: `history.replay`, `history.result`,
    `card.duplicate`.
    """
    timed_events = [(at, event) for at, _, events, _ in replay(history) for event in events]
    replayed = record(timed_events, "all", history.players)
    for index, (step, expected) in enumerate(zip(fill_unknown_cards(history), replayed.steps, strict=False)):
        if replace(step, at=0) != replace(expected, at=0):
            message = f"the rules have another {expected.verb.replace('_', ' ')} here"
            raise NotationError("history.replay", message, f"$.actions[{index}]")
    if len(replayed.steps) != len(history.steps):
        path = f"$.actions[{min(len(replayed.steps), len(history.steps))}]"
        raise NotationError("history.replay", "the deal has more, or fewer, steps than are written", path)
    _check_result(history, replayed)


def _check_result(history: History, replayed: History) -> None:
    if history.result is None or replayed.result is None:
        if history.result is not None:
            raise NotationError("history.result", "the deal is not over; it has no result yet", "$.result")
        return
    for key in ("status", "royalties", "pairs", "points", "fantasyland"):
        scored = getattr(replayed.result, key)
        if getattr(history.result, key) != scored:
            raise NotationError("history.result", f"the boards score {list(scored)}", f"$.result.{key}")


def replay(history: History) -> Iterator[tuple[int, int, tuple[DealEvent, ...], DealState]]:
    """Yield time, step, events and state after the start and after every action.

    A forfeited board and its layout are one action.

    Raises NotationError as `check_history`.
    """
    steps = fill_unknown_cards(history)
    events, state = _start_deal(history, steps)
    yield 0, 0, events, state
    forfeit_events: tuple[DealEvent, ...] = ()
    for index, step in enumerate(steps):
        if step.verb == "dead":
            forfeit_events = (Public(Forfeited(step.hand)),)
        if step.verb == "hint":
            yield step.at, index, (Public(Hinted(step.hand)),), state
        action = _action(step)
        if action is None:
            continue
        before = state
        events, state = _apply_action(before, action, f"$.actions[{index}]")
        if forfeit_events:
            events = (*forfeit_events, *events)
            state = reduce(evolve, events, before)
            forfeit_events = ()
        yield step.at, index, events, state


def _start_deal(history: History, steps: tuple[Step, ...]) -> Transition:
    dealt = [card for step in steps if step.verb == "deal" for card in step.cards]
    rest = [card_text(card) for card in deck(history.rules.deal.jokers)]
    cards: list[Card] = [parse_card(card) for card in (*dealt, *(card for card in rest if card not in set(dealt)))]
    try:
        return start(history.rules, history.number, history.hands, tuple(cards))
    except DealError as error:
        raise NotationError("history.replay", error.message, "$.actions") from None


def _apply_action(state: DealState, action: Action, path: str) -> Transition:
    try:
        return decide(state, action)
    except DealError as error:
        raise NotationError("history.replay", error.message, path) from None


def _action(step: Step) -> Action | None:
    """Return the player's action of a step; None for steps of the dealer and the showdown."""
    match step.verb:
        case "place":
            return Place(step.hand, step.layout)
        case "arrange":
            return Arrange(step.hand, step.layout)
        case "natural":
            return ClaimNatural(step.hand)
        case "announce":
            return Announce(step.hand, step.word == "play")
        case "declare":
            return Declare(step.hand, step.rows)
        case _:
            return None
