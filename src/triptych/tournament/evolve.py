"""What each event changes in a tournament: one small function per event; nothing is checked again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from triptych.tournament import events as e
from triptych.tournament.places import gone_out, without
from triptych.tournament.state import (
    REENTRY_MS,
    CupState,
    CupTable,
    Entry,
    RoundResult,
    round_stack,
    with_entry,
    with_table,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def evolve(state: CupState | None, event: e.CupEvent) -> CupState:
    """Return the tournament after an event; `None` before the first one, which is `CupOpened`."""
    if isinstance(event, e.CupOpened):
        return CupState(event.config, version=1, at=event.at)
    if state is None:
        message = f"a tournament begins with CupOpened, not {type(event).__name__}"
        raise ValueError(message)
    after = _CHANGES[type(event)](state, event)
    return replace(after, version=state.version + 1, at=max(state.at, event.at))


def _registered(state: CupState, event: e.Registered) -> CupState:
    chips = 0 if state.phase == "open" else state.config.stack
    entry = Entry(event.player, event.name, bot=bool(event.level), level=event.level, chips=chips, since=event.at)
    return replace(state, entries=(*state.entries, entry))


def _withdrew(state: CupState, event: e.Withdrew) -> CupState:
    return replace(state, entries=tuple(one for one in state.entries if one.player != event.player))


def _reentered(state: CupState, event: e.Reentered) -> CupState:
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
    return replace(back, outs=without(state.outs, event.player))


def _started(state: CupState, event: e.CupStarted) -> CupState:
    entries = {one.player: replace(one, chips=state.config.stack) for one in state.entries}
    drawn = tuple(entries[player] for player in event.draw)
    return replace(state, phase="running", entries=drawn, started=event.at, level_since=event.at)


def _seats_given(state: CupState, event: e.SeatsGiven) -> CupState:
    known = {table.number for table in state.tables}
    new = tuple(CupTable(one.table, one.seats) for one in event.lineups if one.table not in known)
    given = {one.table: one.seats for one in event.lineups}
    tables = tuple(
        replace(
            table, seats=given.get(table.number, table.seats), closed=table.closed or table.number in event.broken
        )
        for table in state.tables
    )
    touched = {*given, *event.broken}
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


def _ordered(state: CupState, event: e.TableOrdered) -> CupState:
    return with_table(state, event.table, order=event.order, playing=bool(event.order.chairs))


def _reported(state: CupState, event: e.MatchReported) -> CupState:
    told = {one.player: one for one in event.results}
    table = next(one for one in state.tables if one.number == event.table)
    level = 0 if table.order is None else table.order.level.number
    reentry_until = event.at + REENTRY_MS if level <= state.config.late else None
    entries = tuple(
        replace(
            one,
            chips=told[one.player].chips,
            out=bool(told[one.player].out),
            table=0 if told[one.player].out and not state.config.rounds else one.table,
            bank_ms=told[one.player].bank_ms,
            absent=told[one.player].absent,
            sitting_out=told[one.player].sitting_out,
            reentry_until=reentry_until if told[one.player].out else None,
        )
        if one.player in told
        else one
        for one in state.entries
    )
    seats = tuple("" if player in told and told[player].out else player for player in table.seats)
    if state.config.rounds:
        won = tuple(
            RoundResult(event.order, one.player, table.seats.index(one.player), one.chips - round_stack(state.config))
            for one in event.results
        )
        # Everybody begins each round with the same chips.
        entries = tuple(replace(one, chips=state.config.stack, out=False) for one in entries)
        state = replace(state, entries=entries, results=(*state.results, *won))
        return with_table(state, event.table, playing=False, played=event.deals)
    state = replace(state, entries=entries, outs=(*state.outs, *gone_out(event.results)))
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


def _level_began(state: CupState, event: e.LevelBegan) -> CupState:
    tables = tuple(replace(table, deals=0) for table in state.tables)
    due = state.rest_due or event.rest
    return replace(state, level=event.level, level_since=event.at, rest_due=due, tables=tables)


def _break_began(state: CupState, event: e.BreakBegan) -> CupState:
    return replace(state, rest_due=False, rest_ends=event.ends)


def _break_ended(state: CupState, event: e.BreakEnded) -> CupState:
    return replace(state, rest_ends=None, level_since=event.at)


def _reentry_closed(state: CupState, event: e.ReentryClosed) -> CupState:
    entries = tuple(replace(one, reentry_until=None) if one.player in event.players else one for one in state.entries)
    return replace(state, entries=entries)


def _resumed(state: CupState, event: e.CupResumed) -> CupState:
    paused = None if state.paused is None else state.paused + event.downtime
    return replace(_delayed(state, event.downtime), paused=paused)


def _delayed(state: CupState, ms: int) -> CupState:
    """Return the tournament with every time that is to come so much later."""
    rest_ends = None if state.rest_ends is None else state.rest_ends + ms
    entries = tuple(
        one if one.reentry_until is None else replace(one, reentry_until=one.reentry_until + ms)
        for one in state.entries
    )
    return replace(state, level_since=state.level_since + ms, rest_ends=rest_ends, entries=entries)


def _paused(state: CupState, event: e.CupPaused) -> CupState:
    return replace(state, paused=event.at)


def _went_on(state: CupState, event: e.CupWentOn) -> CupState:
    return replace(_delayed(state, event.lasted), paused=None)


def _barred(state: CupState, event: e.PlayerBarred) -> CupState:
    return with_entry(state, event.player, barred=True)


def _removed(state: CupState, event: e.PlayerRemoved) -> CupState:
    tables = tuple(
        replace(table, seats=tuple("" if one == event.player else one for one in table.seats))
        for table in state.tables
    )
    gone = with_entry(replace(state, tables=tables), event.player, chips=0, out=True, table=0)
    return replace(gone, outs=(*state.outs, (event.player,)))


def _ended(state: CupState, event: e.CupEnded) -> CupState:
    return replace(state, phase="over", ended=event.at, prizes=event.prizes, paused=None)


def _cancelled(state: CupState, event: e.CupCancelled) -> CupState:
    return replace(state, phase="cancelled", ended=event.at)


_CHANGES: dict[type, Callable[[CupState, Any], CupState]] = {
    e.Registered: _registered,
    e.Withdrew: _withdrew,
    e.Reentered: _reentered,
    e.CupStarted: _started,
    e.SeatsGiven: _seats_given,
    e.TableOrdered: _ordered,
    e.MatchReported: _reported,
    e.LevelBegan: _level_began,
    e.BreakBegan: _break_began,
    e.BreakEnded: _break_ended,
    e.ReentryClosed: _reentry_closed,
    e.CupResumed: _resumed,
    e.CupPaused: _paused,
    e.CupWentOn: _went_on,
    e.PlayerBarred: _barred,
    e.PlayerRemoved: _removed,
    e.CupEnded: _ended,
    e.CupCancelled: _cancelled,
}
