"""The one line that tells a viewer what is expected now, and of whom, in words that a newcomer understands."""

from __future__ import annotations

from typing import Final, NamedTuple

from triptych.deal.view_types import Task
from triptych.table.absence import is_away, is_gone
from triptych.table.buy_in import has_chips, is_bust, may_top_up
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

_SEAT_FREED: Final = "The host removed you from your seat. Your cards are placed automatically."


class Prompt(NamedTuple):
    """The line; `yours`: it is the viewer from whom something is expected."""

    text: str
    yours: bool = False


def prompt(state: TableState, seat: Seat | None, player: str, tasks: tuple[Task, ...], waiting: str) -> Prompt:
    """Return the line for one viewer; `seat` is the viewer's, `tasks` what the deal asks of them.

    `waiting`: what `waiting_for` says to all who only wait.
    """
    now = phase(state)
    if state.paused is not None and now != "closed":
        mine = player != "" and player == acting_host(state)
        return Prompt("The table is paused." + (" Press Resume to continue." * mine))
    if now == "closed":
        return Prompt("This table is closed. Create a new one in the lobby.")
    if now == "playing":
        if tasks:
            return Prompt(_task_text(tasks, state), yours=True)
        if seat is not None and is_gone(seat):
            return Prompt(_SEAT_FREED)
        if seat is not None and is_away(seat):
            return Prompt("You ran out of time. Your cards are placed automatically until you return.", yours=True)
        joins_later = seat is not None and not in_match(state, seat.seat)
        return Prompt(f"You’ll join the next match. {waiting}" if joins_later else waiting)
    return _own_need(state, seat) or _between(state, seat, player)


def _task_text(tasks: tuple[Task, ...], state: TableState) -> str:
    task = tasks[0]
    if task.kind == "announce":
        points = _count(task.surrender, "point")
        return f"Play this board, or surrender and pay each opponent {points}?"
    if task.kind == "declare":
        return "Choose the rows whose royalties you declare. Undeclared royalties aren’t paid."
    if task.place == len(task.cards) == 13:
        boards = "both of your boards" if len(tasks) > 1 else "your 13 cards in three rows"
        natural = f", or claim your natural ({task.natural})" if task.natural else ""
        land = "Fantasyland! " if _in_fantasyland(state, task.hand) else ""
        return f"{land}Arrange {boards} and press Ready{natural}"
    if task.place == 13:
        return f"Fantasyland! Arrange 13 of your {len(task.cards)} cards in three rows and press Ready"
    if task.discard:
        return f"Your turn: place {_number(task.place)}, discard {_number(task.discard)}"
    return "Your turn: place your card" if task.place == 1 else f"Your turn: place {_number(task.place)} cards"


def _in_fantasyland(state: TableState, hand: int) -> bool:
    return state.deal is not None and bool(state.deal.hands[hand].fantasyland)


def waiting_for(state: TableState) -> str:
    """Return from whom something is awaited, and what; empty when no deal is being played."""
    deal = state.deal
    if deal is None or state.settled:
        return ""
    seats = acting_seats(deal)
    names = _listed([state.seats[one].name for one in seats])
    doing = "to place"
    if seats:
        hand = deal.hands[next(iter(seats.values()))[0]]
        if not hand.placing:
            doing = "to decide"
        elif hand.streets[hand.street].placed == 13:
            doing = "to arrange cards"
    return f"Waiting for {names} {doing}"


def _own_need(state: TableState, seat: Seat | None) -> Prompt | None:
    """Return what the viewer must do to play on, where only they can do it."""
    if seat is None:
        return None
    known = state.cup_places if state.config.cup else state.places
    placed = next((one.place for one in known if one.player == seat.player), 0)
    if not placed and state.config.cup and is_placed(state, seat.player):
        return Prompt("You’re out of chips. See your place on the tournament page.")
    if placed:
        return Prompt("You won the tournament!" if placed == 1 else f"You finished the tournament in place {placed}")
    if is_bust(state, seat):
        if seat.seat in (state.match.seats if state.match else ()):
            return Prompt("You’re out of points. You can top up when the match ends.")
        return Prompt("You’re out of points. Top up to keep playing.", yours=True)
    if is_gone(seat):
        return Prompt(_SEAT_FREED)
    if seat.sitting_out:
        return Prompt("You’re sitting out. Come back any time.", yours=True)
    if is_away(seat):
        return Prompt("You ran out of time. Press I’m back to play.", yours=True)
    return None


def _between(state: TableState, seat: Seat | None, player: str) -> Prompt:
    if state.next_at is not None and can_begin(state):
        return Prompt(_next_deal(state, seat))
    if state.config.cup:
        return Prompt("Waiting for your next tournament match")
    free = any(not one.player for one in state.seats)
    if seat is None and free and not is_tournament_started(state):
        return Prompt("Take a seat to play", yours=not eligible_seats(state))
    return Prompt(
        _need(state, player), yours=not state.begun and enough_players(state) and player == acting_host(state)
    )


def _next_deal(state: TableState, seat: Seat | None) -> str:
    if state.verdict:
        comes = state.verdict
    elif fantasyland_pending(state):
        lands = [one.name for one in state.seats if one.fantasyland]
        comes = f"Next: fantasyland for {_listed(lands)}"
    else:
        comes = "Next deal starting soon"
    if seat is None or seat.ready:
        return comes
    return f"{comes}. Press Ready {'for the next one' if state.verdict else 'to start now'}."


def _need(state: TableState, player: str) -> str:
    """Return what the table needs before a deal can begin."""
    winner = next((one.name for one in state.places if one.place == 1), "")
    if winner:
        return f"{winner} won the tournament!"
    missing = players_needed(state) - len(eligible_seats(state))
    if missing <= 0 and not state.begun:
        own = player == acting_host(state)
        return "Press Start when everyone is here" if own else "Waiting for the host to start"
    others = [seat for seat in state.seats if seat.player not in ("", player)]
    bust = [seat.name for seat in others if may_top_up(state, seat) and is_bust(state, seat)]
    away = [seat.name for seat in others if has_chips(state, seat) and _is_away(seat)]
    if missing <= 0 and not has_audience(state):
        return "The bots will start when a person sits down"
    if bust:
        return f"Waiting for {_listed(bust)} to top up"
    if away:
        return f"Waiting for {_listed(away)} to come back"
    more = "one more player" if missing == 1 else f"{_number(missing)} more players"
    bots = " Or add a bot." if player == acting_host(state) and state.config.bots_allowed else ""
    return f"You need {more}. Send the link to a friend.{bots}"


def _is_away(seat: Seat) -> bool:
    return seat.sitting_out or (seat.person and not seat.connected)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _number(number: int) -> str:
    return ("no", "one", "two", "three", "four", "five")[number] if number <= 5 else str(number)


def _listed(names: list[str]) -> str:
    if len(names) <= 1:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
