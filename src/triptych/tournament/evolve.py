"""What each event changes in a tournament: one small function per event; nothing is checked again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from triptych.tournament import events as e
from triptych.tournament.places import elimination_groups, remove_player
from triptych.tournament.state import (
    REENTRY_MS,
    Entry,
    RoundResult,
    TournamentState,
    TournamentTable,
    round_stack,
    with_entry,
    with_table,
)


def evolve(state: TournamentState | None, event: e.TournamentEvent) -> TournamentState:
    """Return the tournament after an event; `None` before the first one, which is `TournamentAnnounced`."""
    if isinstance(event, e.TournamentAnnounced):
        return TournamentState(event.config, version=1, at=event.at)
    if state is None:
        message = f"a tournament begins with TournamentAnnounced, not {type(event).__name__}"
        raise ValueError(message)
    after = _CHANGES[type(event)](state, event)
    return replace(after, version=state.version + 1, at=max(state.at, event.at))


def _registered(state: TournamentState, event: e.Registered) -> TournamentState:
    chips = 0 if state.phase == "open" else state.config.stack
    entry = Entry(event.player, event.name, bot=bool(event.level), level=event.level, chips=chips, since=event.at)
    return replace(state, entries=(*state.entries, entry))


def _withdrew(state: TournamentState, event: e.Withdrew) -> TournamentState:
    return replace(state, entries=tuple(one for one in state.entries if one.player != event.player))


def _reentered(state: TournamentState, event: e.Reentered) -> TournamentState:
    old = next(one for one in state.entries if one.player == event.player)
    back = with_entry(
        state,
        event.player,
        chips=state.config.stack,
        out=False,
        entries=old.entries + 1,
        since=event.at,
        bank_ms=None,
        absent=False,
        sitting_out=False,
        reentry_until=None,
    )
    return replace(back, eliminated=remove_player(state.eliminated, event.player))


def _started(state: TournamentState, event: e.TournamentStarted) -> TournamentState:
    entries = {one.player: replace(one, chips=state.config.stack) for one in state.entries}
    drawn = tuple(entries[player] for player in event.draw)
    return replace(state, phase="running", entries=drawn, started=event.at, level_since=event.at)


def _seats_given(state: TournamentState, event: e.SeatsAssigned) -> TournamentState:
    numbers = {table.number for table in state.tables}
    new = tuple(TournamentTable(one.table, one.seats) for one in event.lineups if one.table not in numbers)
    lineups = {one.table: one.seats for one in event.lineups}
    tables = tuple(
        replace(
            table, seats=lineups.get(table.number, table.seats), closed=table.closed or table.number in event.broken
        )
        for table in state.tables
    )
    touched = {*lineups, *event.broken}
    spots = {player: (one.table, seat) for one in event.lineups for seat, player in enumerate(one.seats) if player}
    return replace(
        state,
        tables=(*tables, *new),
        entries=tuple(_moved(one, spots.get(one.player), touched, event.at) for one in state.entries),
    )


def _moved(entry: Entry, spot: tuple[int, int] | None, touched: set[int], at: int) -> Entry:
    if spot is not None:
        moves = entry.moves + (entry.table not in (0, spot[0]))
        return replace(entry, table=spot[0], seat=spot[1], moves=moves)
    if entry.table in touched:
        return replace(entry, table=0, moves=entry.moves + 1, since=at)
    return entry


def _ordered(state: TournamentState, event: e.TableOrdered) -> TournamentState:
    return with_table(state, event.table, order=event.order, playing=bool(event.order.chairs))


def _reported(state: TournamentState, event: e.MatchReported) -> TournamentState:
    results = {one.player: one for one in event.results}
    table = next(one for one in state.tables if one.number == event.table)
    level = 0 if table.order is None else table.order.level.number
    reentry_until = event.at + REENTRY_MS if level <= state.config.late else None
    entries = tuple(
        replace(
            one,
            chips=results[one.player].chips,
            out=bool(results[one.player].out),
            table=0 if results[one.player].out and not state.config.rounds else one.table,
            bank_ms=results[one.player].bank_ms,
            absent=results[one.player].absent,
            sitting_out=results[one.player].sitting_out,
            reentry_until=reentry_until if results[one.player].out else None,
        )
        if one.player in results
        else one
        for one in state.entries
    )
    seats = tuple("" if player in results and results[player].out else player for player in table.seats)
    if state.config.rounds:
        won = tuple(
            RoundResult(event.order, one.player, table.seats.index(one.player), one.chips - round_stack(state.config))
            for one in event.results
        )
        # Everybody begins each round with the same chips.
        entries = tuple(replace(one, chips=state.config.stack, out=False) for one in entries)
        state = replace(state, entries=entries, results=(*state.results, *won))
        return with_table(state, event.table, playing=False, played=event.deals)
    state = replace(state, entries=entries, eliminated=(*state.eliminated, *elimination_groups(event.results)))
    # Deals of a match that began in an earlier level are none of this one.
    deals = table.deals + (event.deals - table.played if level == state.level + 1 else 0)
    outs = tuple(one.player for one in event.results if one.out)
    return with_table(
        state,
        event.table,
        seats=seats,
        playing=False,
        deals=deals,
        played=event.deals,
        reported=event.order,
        outs=outs,
    )


def _level_began(state: TournamentState, event: e.LevelBegan) -> TournamentState:
    tables = tuple(replace(table, deals=0) for table in state.tables)
    due = state.break_due or event.rest
    return replace(state, level=event.level, level_since=event.at, break_due=due, tables=tables)


def _break_began(state: TournamentState, event: e.BreakBegan) -> TournamentState:
    return replace(state, break_due=False, break_ends=event.ends)


def _break_ended(state: TournamentState, event: e.BreakEnded) -> TournamentState:
    return replace(state, break_ends=None, level_since=event.at)


def _reentry_closed(state: TournamentState, event: e.ReentryClosed) -> TournamentState:
    entries = tuple(replace(one, reentry_until=None) if one.player in event.players else one for one in state.entries)
    return replace(state, entries=entries)


def _resumed(state: TournamentState, event: e.DowntimeCompensated) -> TournamentState:
    paused = None if state.paused is None else state.paused + event.downtime
    return replace(_delayed(state, event.downtime), paused=paused)


def _delayed(state: TournamentState, ms: int) -> TournamentState:
    """Return the tournament with every time that is to come so much later."""
    rest_ends = None if state.break_ends is None else state.break_ends + ms
    entries = tuple(
        one if one.reentry_until is None else replace(one, reentry_until=one.reentry_until + ms)
        for one in state.entries
    )
    return replace(state, level_since=state.level_since + ms, break_ends=rest_ends, entries=entries)


def _paused(state: TournamentState, event: e.PauseStarted) -> TournamentState:
    return replace(state, paused=event.at)


def _went_on(state: TournamentState, event: e.PauseEnded) -> TournamentState:
    return replace(_delayed(state, event.lasted), paused=None)


def _barred(state: TournamentState, event: e.PlayerDisqualified) -> TournamentState:
    return with_entry(state, event.player, disqualified=True)


def _removed(state: TournamentState, event: e.PlayerRemoved) -> TournamentState:
    tables = tuple(
        replace(table, seats=tuple("" if one == event.player else one for one in table.seats))
        for table in state.tables
    )
    gone = with_entry(replace(state, tables=tables), event.player, chips=0, out=True, table=0)
    return replace(gone, eliminated=(*state.eliminated, (event.player,)))


def _ended(state: TournamentState, event: e.TournamentEnded) -> TournamentState:
    return replace(state, phase="over", ended=event.at, prizes=event.prizes, paused=None)


def _cancelled(state: TournamentState, event: e.TournamentCancelled) -> TournamentState:
    return replace(state, phase="cancelled", ended=event.at, paused=None)


_CHANGES: dict[type, Callable[[TournamentState, Any], TournamentState]] = {
    e.Registered: _registered,
    e.Withdrew: _withdrew,
    e.Reentered: _reentered,
    e.TournamentStarted: _started,
    e.SeatsAssigned: _seats_given,
    e.TableOrdered: _ordered,
    e.MatchReported: _reported,
    e.LevelBegan: _level_began,
    e.BreakBegan: _break_began,
    e.BreakEnded: _break_ended,
    e.ReentryClosed: _reentry_closed,
    e.DowntimeCompensated: _resumed,
    e.PauseStarted: _paused,
    e.PauseEnded: _went_on,
    e.PlayerDisqualified: _barred,
    e.PlayerRemoved: _removed,
    e.TournamentEnded: _ended,
    e.TournamentCancelled: _cancelled,
}
