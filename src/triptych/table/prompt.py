"""The prompt: one line that says what is expected of whom now, in words that a newcomer understands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from triptych.deal.state import DealState
from triptych.deal.view_types import Task
from triptych.i18n.messages import Message, join_with_and
from triptych.table.absence import is_away, is_gone
from triptych.table.buy_in import counts_after_match, has_chips, is_bust, may_top_up
from triptych.table.clock import acting_seats
from triptych.table.host import acting_host
from triptych.table.levels import is_placed, is_tournament_started
from triptych.table.match import (
    can_begin,
    eligible_seats,
    enough_players,
    fantasyland_pending,
    has_audience,
    players_needed,
)
from triptych.table.state import Seat, TableState, in_match, phase

# The cards of a street that is placed whole, in every game.
_COUNTS: Final = {1: "one", 4: "four", 5: "five"}
_SEAT_FREED: Final = Message("prompt.seat_freed")


class Prompt(NamedTuple):
    """The line; `yours`: something is expected of the viewer."""

    text: str
    yours: bool = False


def prompt(state: TableState, seat: Seat | None, player: str, tasks: tuple[Task, ...], waiting: str) -> Prompt:
    """Return the line for a viewer with their `seat` and the deal's `tasks` for them.

    `waiting`: the line of `waiting_for`, for viewers who only wait.
    """
    now = phase(state)
    if state.paused is not None and now != "closed":
        is_host = player != "" and player == acting_host(state)
        return Prompt(Message("prompt.paused_by_you") if is_host else Message("prompt.paused"))
    if now == "closed":
        return Prompt(Message("prompt.closed"))
    if now == "playing":
        if tasks:
            return Prompt(_task_text(tasks, state), yours=True)
        if seat is not None and is_gone(seat):
            return Prompt(_SEAT_FREED)
        if seat is not None and is_away(seat):
            return Prompt(Message("prompt.out_of_time"), yours=True)
        if seat is not None and (count := _coming_fantasyland(state, seat)):
            return Prompt(Message("prompt.fantasyland_last", count=count))
        if seat is not None and is_bust(state, seat) and not _is_dealt_in(state, seat):
            return _own_need(state, seat) or Prompt(waiting)
        joins_later = seat is not None and not in_match(state, seat.seat)
        return Prompt(Message("prompt.join_next_match", waiting=waiting) if joins_later else waiting)
    return _own_need(state, seat) or _between(state, seat, player)


def _task_text(tasks: tuple[Task, ...], state: TableState) -> str:
    task = tasks[0]
    if task.kind == "announce":
        return Message("prompt.announce", points=task.surrender)
    if task.kind == "declare":
        return Message("prompt.declare")
    if task.place == len(task.cards) == 13:
        text = Message("prompt.arrange.boards" if len(tasks) > 1 else "prompt.arrange.cards")
        if state.deal is not None and state.deal.hands[task.hand].fantasyland:
            text = Message("prompt.arrange.fantasyland", task=text)
        return Message("prompt.arrange.natural", task=text, natural=task.natural) if task.natural else text
    if task.place == 13:
        return Message("prompt.fantasyland", count=len(task.cards))
    if task.discard:
        return Message("prompt.place_two")
    return Message(f"prompt.place_{_COUNTS[task.place]}")


def _is_dealt_in(state: TableState, seat: Seat) -> bool:
    return state.deal is not None and any(hand.seat == seat.seat for hand in state.deal.hands)


def _coming_fantasyland(state: TableState, seat: Seat) -> int:
    """Return the cards of a seat's fantasyland that it has not received yet, 0 for none."""
    for hand in () if state.deal is None else state.deal.hands:
        if hand.seat == seat.seat and not (hand.drawn or hand.is_set):
            return hand.fantasyland
    return 0


def waiting_for(state: TableState) -> str:
    """Return the line that says who is to act and how; empty when no deal is being played."""
    deal = state.deal
    if deal is None or state.settled:
        return ""
    seats = acting_seats(deal)
    acting = {seat: deal.hands[hands[0]] for seat, hands in seats.items()}
    fantasylands = {seat: hand.fantasyland for seat, hand in acting.items() if hand.fantasyland and hand.placing}
    others = {seat: hands for seat, hands in seats.items() if seat not in fantasylands}
    if not fantasylands:
        return _waiting_for_others(state, deal, others)
    names = join_with_and([state.seats[seat].name for seat in fantasylands])
    setting = (
        Message("prompt.wait.fantasylands", names=names)
        if len(fantasylands) > 1
        else Message("prompt.wait.fantasyland", name=names, count=next(iter(fantasylands.values())))
    )
    return (
        Message("prompt.wait.both", first=_waiting_for_others(state, deal, others), second=setting)
        if others
        else setting
    )


def _waiting_for_others(state: TableState, deal: DealState, seats: Mapping[int, tuple[int, ...]]) -> str:
    """Return the line for hands that are not in fantasyland."""
    task = "place"
    if seats:
        hand = deal.hands[next(iter(seats.values()))[0]]
        if not hand.placing:
            task = "decide"
        elif hand.streets[hand.street].placed == 13:
            task = "arrange"
    return _wait_text(task, tuple([state.seats[seat].name for seat in seats]))


# Cached, since the same players act again and again.
@lru_cache(maxsize=4096)
def _wait_text(task: str, names: tuple[str, ...]) -> str:
    return Message(f"prompt.wait.{task}", names=join_with_and(names))


def _own_need(state: TableState, seat: Seat | None) -> Prompt | None:
    """Return what only the viewer can do so that they can play on, or None."""
    if seat is None:
        return None
    places = state.cup_places if state.config.cup else state.places
    placed = next((place.place for place in places if place.player == seat.player), 0)
    if not placed and state.config.cup and is_placed(state, seat.player):
        return Prompt(Message("prompt.out_of_chips"))
    if placed:
        return Prompt(Message("prompt.won_tournament") if placed == 1 else Message("prompt.finished", place=placed))
    if is_bust(state, seat):
        if seat.planned_buy_in:
            return Prompt(Message("prompt.buy_in_planned", points=seat.planned_buy_in))
        if counts_after_match(state, seat):
            return Prompt(Message("prompt.bust_in_match"), yours=True)
        return Prompt(Message("prompt.bust"), yours=True)
    if is_gone(seat):
        return Prompt(_SEAT_FREED)
    if seat.sitting_out:
        return Prompt(Message("prompt.sitting_out"), yours=True)
    if is_away(seat):
        return Prompt(Message("prompt.come_back"), yours=True)
    return None


def _between(state: TableState, seat: Seat | None, player: str) -> Prompt:
    if state.next_at is not None and can_begin(state):
        return Prompt(_next_deal(state, seat))
    if state.config.cup:
        return Prompt(Message("prompt.next_tournament_match"))
    has_free_seat = any(not other.player for other in state.seats)
    if seat is None and has_free_seat and not is_tournament_started(state):
        return Prompt(Message("prompt.take_seat"), yours=not eligible_seats(state))
    return Prompt(
        _need(state, player), yours=not state.begun and enough_players(state) and player == acting_host(state)
    )


def _next_deal(state: TableState, seat: Seat | None) -> str:
    asks_ready = seat is not None and not seat.ready
    if state.verdict:
        return Message("prompt.result", result=state.verdict) if asks_ready else state.verdict
    if fantasyland_pending(state):
        names = join_with_and([other.name for other in state.seats if other.fantasyland])
        text = Message("prompt.next_fantasyland", names=names)
    else:
        text = Message("prompt.next_deal")
    return Message("prompt.ready_now", next=text) if asks_ready else text


def _need(state: TableState, player: str) -> str:
    """Return the line that says what the table needs before a deal can begin."""
    winner = next((place.name for place in state.places if place.place == 1), "")
    if winner:
        return Message("prompt.winner", name=winner)
    missing = players_needed(state) - len(eligible_seats(state))
    if missing <= 0 and not state.begun:
        is_host = player == acting_host(state)
        return Message("prompt.press_start") if is_host else Message("prompt.wait_for_host")
    others = [seat for seat in state.seats if seat.player not in ("", player)]
    bust = [seat.name for seat in others if may_top_up(state, seat) and is_bust(state, seat)]
    away = [seat.name for seat in others if has_chips(state, seat) and _is_away(seat)]
    if missing <= 0 and not has_audience(state):
        return Message("prompt.bots_wait")
    if bust:
        return Message("prompt.wait.top_up", names=join_with_and(bust))
    if away:
        return Message("prompt.wait.come_back", names=join_with_and(away))
    if missing <= 0:
        return Message("prompt.next_deal")
    need = Message(f"prompt.players_needed.{missing}")
    return Message("prompt.or_bot", need=need) if player == acting_host(state) and state.config.bots_allowed else need


def _is_away(seat: Seat) -> bool:
    return seat.sitting_out or (seat.person and not seat.connected)
