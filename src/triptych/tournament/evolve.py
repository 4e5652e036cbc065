"""How each event changes a tournament: one small function per event; nothing is verified again."""

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
    return replace(state, entries=tuple(entry for entry in state.entries if entry.player != event.player))


def _reentered(state: TournamentState, event: e.Reentered) -> TournamentState:
    old = next(entry for entry in state.entries if entry.player == event.player)
    after = with_entry(
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
    return replace(after, eliminated=remove_player(state.eliminated, event.player))


def _started(state: TournamentState, event: e.TournamentStarted) -> TournamentState:
    entries = {entry.player: replace(entry, chips=state.config.stack) for entry in state.entries}
    in_seat_order = tuple(entries[player] for player in event.draw)
    return replace(state, phase="running", entries=in_seat_order, started=event.at, level_since=event.at)


def _seats_assigned(state: TournamentState, event: e.SeatsAssigned) -> TournamentState:
    numbers = {table.number for table in state.tables}
    new = tuple(
        TournamentTable(lineup.table, lineup.seats) for lineup in event.lineups if lineup.table not in numbers
    )
    lineups = {lineup.table: lineup.seats for lineup in event.lineups}
    tables = tuple(
        replace(
            table, seats=lineups.get(table.number, table.seats), closed=table.closed or table.number in event.broken
        )
        for table in state.tables
    )
    changed_tables = {*lineups, *event.broken}
    seats = {
        player: (lineup.table, seat) for lineup in event.lineups for seat, player in enumerate(lineup.seats) if player
    }
    return replace(
        state,
        tables=(*tables, *new),
        entries=tuple(
            _with_new_seat(entry, seats.get(entry.player), changed_tables, event.at) for entry in state.entries
        ),
    )


def _with_new_seat(entry: Entry, new: tuple[int, int] | None, changed_tables: set[int], at: int) -> Entry:
    if new is not None:
        table, seat = new
        moves = entry.moves + (entry.table not in (0, table))
        return replace(entry, table=table, seat=seat, moves=moves)
    if entry.table in changed_tables:
        return replace(entry, table=0, moves=entry.moves + 1, since=at)
    return entry


def _table_ordered(state: TournamentState, event: e.TableOrdered) -> TournamentState:
    return with_table(state, event.table, order=event.order, playing=bool(event.order.chairs))


def _match_reported(state: TournamentState, event: e.MatchReported) -> TournamentState:
    results = {result.player: result for result in event.results}
    table = next(table for table in state.tables if table.number == event.table)
    level = 0 if table.order is None else table.order.level.number
    reentry_until = event.at + REENTRY_MS if level <= state.config.late else None
    entries = tuple(
        replace(
            entry,
            chips=results[entry.player].chips,
            out=bool(results[entry.player].out),
            table=0 if results[entry.player].out and not state.config.rounds else entry.table,
            bank_ms=results[entry.player].bank_ms,
            absent=results[entry.player].absent,
            sitting_out=results[entry.player].sitting_out,
            reentry_until=reentry_until if results[entry.player].out else None,
        )
        if entry.player in results
        else entry
        for entry in state.entries
    )
    seats = tuple("" if player in results and results[player].out else player for player in table.seats)
    if state.config.rounds:
        round_results = tuple(
            RoundResult(
                event.order,
                result.player,
                table.seats.index(result.player),
                result.chips - round_stack(state.config),
            )
            for result in event.results
        )
        # Everybody begins each round with the same chips.
        entries = tuple(replace(entry, chips=state.config.stack, out=False) for entry in entries)
        state = replace(state, entries=entries, results=(*state.results, *round_results))
        return with_table(state, event.table, playing=False, played=event.deals)
    state = replace(state, entries=entries, eliminated=(*state.eliminated, *elimination_groups(event.results)))
    # Deals of a match that began in an earlier level do not count in this level.
    deals = table.deals + (event.deals - table.played if level == state.level + 1 else 0)
    outs = tuple(result.player for result in event.results if result.out)
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


def _reentry_closed(state: TournamentState, event: e.ReentryClosed) -> TournamentState:
    entries = tuple(
        replace(entry, reentry_until=None) if entry.player in event.players else entry for entry in state.entries
    )
    return replace(state, entries=entries)


def _downtime_compensated(state: TournamentState, event: e.DowntimeCompensated) -> TournamentState:
    paused = None if state.paused is None else state.paused + event.downtime
    return replace(_shift_times(state, event.downtime), paused=paused)


def _shift_times(state: TournamentState, ms: int) -> TournamentState:
    """Return the tournament with all future times moved later by a time (ms)."""
    break_ends = None if state.break_ends is None else state.break_ends + ms
    entries = tuple(
        entry if entry.reentry_until is None else replace(entry, reentry_until=entry.reentry_until + ms)
        for entry in state.entries
    )
    return replace(state, level_since=state.level_since + ms, break_ends=break_ends, entries=entries)


def _player_removed(state: TournamentState, event: e.PlayerRemoved) -> TournamentState:
    tables = tuple(
        replace(table, seats=tuple("" if player == event.player else player for player in table.seats))
        for table in state.tables
    )
    after = with_entry(replace(state, tables=tables), event.player, chips=0, out=True, table=0)
    return replace(after, eliminated=(*state.eliminated, (event.player,)))


def _ended(state: TournamentState, event: e.TournamentEnded) -> TournamentState:
    return replace(state, phase="over", ended=event.at, prizes=event.prizes, paused=None)


_CHANGES: dict[type, Callable[[TournamentState, Any], TournamentState]] = {
    e.Registered: _registered,
    e.Withdrew: _withdrew,
    e.Reentered: _reentered,
    e.TournamentStarted: _started,
    e.SeatsAssigned: _seats_assigned,
    e.TableOrdered: _table_ordered,
    e.MatchReported: _match_reported,
    e.LevelBegan: _level_began,
    e.BreakBegan: lambda state, event: replace(state, break_due=False, break_ends=event.ends),
    e.BreakEnded: lambda state, event: replace(state, break_ends=None, level_since=event.at),
    e.ReentryClosed: _reentry_closed,
    e.DowntimeCompensated: _downtime_compensated,
    e.PauseStarted: lambda state, event: replace(state, paused=event.at),
    e.PauseEnded: lambda state, event: replace(_shift_times(state, event.lasted), paused=None),
    e.PlayerDisqualified: lambda state, event: with_entry(state, event.player, disqualified=True),
    e.PlayerRemoved: _player_removed,
    e.TournamentEnded: _ended,
    e.TournamentCancelled: lambda state, event: replace(state, phase="cancelled", ended=event.at, paused=None),
}
