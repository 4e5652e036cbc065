"""The interface of the table package for the server. Pure: the time and the shuffle are arguments.

`decide` turns a command into events or raises TableError; `evolve` (evolve/core.py) turns events into the next state.
"""

from __future__ import annotations

from collections.abc import Callable

from triptych.cards import Card
from triptych.deal.actions import Action
from triptych.deal.visibility import Public, Sealed
from triptych.i18n.messages import Message
from triptych.rulesets.model import is_tournament
from triptych.table import commands as c
from triptych.table import events as e
from triptych.table.access import handle_access, verify_access
from triptych.table.deck_commitment import commit_next_deal
from triptych.table.draft import Draft
from triptych.table.errors import TableError
from triptych.table.evolve.core import evolve
from triptych.table.handlers.host import NO_HINTS_IN_TOURNAMENTS, verify_rules
from triptych.table.handlers.player import handle_player_command
from triptych.table.ledger import transfers
from triptych.table.presence import compensate_downtime, connected, disconnected
from triptych.table.progress import act, act_premove, advance, place_for, tick
from triptych.table.state import TableConfig, TableState
from triptych.table.tournament_orders import announce, apply_order, apply_pause, remove
from triptych.table.turns import note_turns
from triptych.table.view import view

__all__ = [
    "TableConfig",
    "TableState",
    "decide",
    "evolve",
    "next_wakeup",
    "open_table",
    "transfers",
    "view",
]


def open_table(
    config: TableConfig, now: int, password: str = "", admitted: tuple[str, ...] = ()
) -> tuple[e.TableEvent, ...]:
    """Return the first events of a table.

    Raises TableError `table.rules` when its rules cannot be played, `hint.tournament` when a tournament would have
    hints. `password`: the hash of the password that guests have to give, except the `admitted` ones; empty for none.
    """
    verify_rules(config.rules)
    if config.hints and (config.cup or is_tournament(config.rules)):
        raise TableError("hint.tournament", NO_HINTS_IN_TOURNAMENTS, "$.hints")
    opened = Public(e.TableOpened(now, config))
    return (opened, Sealed(e.PasswordSet(now, password, admitted))) if password else (opened,)


def decide(
    state: TableState,
    command: c.Command,
    now: int,
    shuffle: Callable[[int], tuple[Card, ...]],
    secret: Callable[[], bytes] | None = None,
) -> Draft:
    """Return the draft with the events of a command, possibly none, and the table after them.

    `now` in ms; `shuffle(jokers)` returns a whole shuffled deck. `secret`: 32 random bytes from which committed decks
    are made; without it decks come from `shuffle`. Raises TableError; `state` itself does not change.
    """
    draft = Draft(state, max(now, state.at), shuffle, secret)
    request = command.request
    if isinstance(request, c.SystemRequest):
        if not state.closed:
            _system(draft, command.player, command.name, request)
            advance(draft)
            commit_next_deal(draft)
            note_turns(draft, state, command)
        return draft
    _verify_open(state, command.player)
    if isinstance(request, c.AccessRequest):
        handle_access(draft, command.player, request)
        return draft
    verify_access(state, command.player)
    if isinstance(request, Action):
        act(draft, command.player, request)
    elif isinstance(request, c.SetPremove):
        act_premove(draft, command.player, request)
    elif isinstance(request, c.PlaceFor):
        place_for(draft, command, request)
    else:
        handle_player_command(draft, command)
    advance(draft, joined=isinstance(request, c.Sit | c.SeatBot))
    commit_next_deal(draft)
    note_turns(draft, state, command)
    return draft


def next_wakeup(state: TableState) -> int | None:
    """Return when a `Tick` is due (ms), or None."""
    if state.paused is not None:
        return None
    times = [clock.bank_ends for clock in state.clocks]
    if state.next_at is not None:
        times.append(state.next_at)
    return min(times, default=None)


def _verify_open(state: TableState, player: str) -> None:
    if not player:
        raise TableError("player.unknown", "a request comes from a player")
    if state.closed:
        raise TableError("table.closed", Message("error.table.closed"))


def _system(draft: Draft, player: str, name: str, request: c.SystemRequest) -> None:
    if isinstance(request, c.Tick):
        tick(draft)
    elif isinstance(request, c.ReportDowntime):
        compensate_downtime(draft, request)
    elif isinstance(request, c.MatchOrder):
        apply_order(draft, request)
    elif isinstance(request, c.SetTournamentPause):
        apply_pause(draft, request)
    elif isinstance(request, c.Remove):
        remove(draft, player)
    elif isinstance(request, c.TellPlaces):
        announce(draft, request)
    elif isinstance(request, c.Connected):
        connected(draft, player, name)
    else:
        disconnected(draft, player)
