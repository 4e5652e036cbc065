"""The progress of a tournament: its start, results of tables, levels, breaks and its end.

Works on a Draft.
"""

from __future__ import annotations

from triptych.i18n.messages import Message
from triptych.table.commands import MatchOrder, SeatAssignment
from triptych.tournament import events as e
from triptych.tournament import levels
from triptych.tournament.balancing import TableSeating, balance_tables
from triptych.tournament.commands import ReportMatch
from triptych.tournament.draft import Draft
from triptych.tournament.errors import TournamentError
from triptych.tournament.league import is_league, seating
from triptych.tournament.places import prizes
from triptych.tournament.state import (
    MINUTE,
    TournamentState,
    TournamentTable,
    entry_of,
    open_tables,
    remaining,
    round_stack,
    waiting_for_seat,
)

BOT_NAMES = ("Ada", "Bruno", "Clara", "Diego", "Edda", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Kaja", "Leo")


def register_bots(draft: Draft, level: str, count: int) -> None:
    """Register bots with ids and names that nobody else in the tournament has."""
    for _ in range(count):
        state = draft.state
        number = state.version  # unique among the bots of this tournament, also removed ones
        bots = sum(entry.bot for entry in state.entries)
        round_, index = divmod(bots, len(BOT_NAMES))
        used_names = {entry.name for entry in state.entries}
        name = BOT_NAMES[index] + (f" {round_ + 1}" if round_ else "")
        while name in used_names:
            round_ += 1
            name = f"{BOT_NAMES[index]} {round_ + 1}"
        draft.emit(e.Registered(draft.now, f"bot:{state.config.cup}:{number}", name, level))


def can_start(state: TournamentState) -> bool:
    """Return whether there are enough players, counting the bots that would fill the empty places."""
    return len(state.entries) >= (1 if state.config.fill else state.config.least)


def start(draft: Draft) -> None:
    """Fill empty places with bots if configured, draw the seats, and begin.

    Raises TournamentError `cup.too_few`.
    """
    config = draft.state.config
    if not can_start(draft.state):
        raise TournamentError("cup.too_few", Message("error.cup.too_few", least=config.least))
    if config.fill:
        register_bots(draft, config.fill, config.most - len(draft.state.entries))
    players = [entry.player for entry in draft.state.entries]
    draft.emit(e.TournamentStarted(draft.now, tuple(players[index] for index in draft.draw(len(players)))))


def tick(draft: Draft) -> None:
    """Do what is due by now: start or cancel, begin the next level, end a break or the time for a re-entry."""
    state = draft.state
    if state.phase == "open" and state.config.starts_at is not None and state.config.starts_at <= draft.now:
        if can_start(state):
            start(draft)
        else:
            draft.emit(e.TournamentCancelled(draft.now))
        return
    if state.paused is not None:
        return
    if state.break_ends is not None and state.break_ends <= draft.now:
        draft.emit(e.BreakEnded(draft.now))
    ends = levels.level_ends(draft.state)
    if ends is not None and ends <= draft.now:
        _next_level(draft)
    expired = [
        entry for entry in draft.state.entries if entry.reentry_until is not None and entry.reentry_until <= draft.now
    ]
    if expired:
        draft.emit(e.ReentryClosed(draft.now, tuple(entry.player for entry in expired)))


def _next_level(draft: Draft) -> None:
    state = draft.state
    draft.emit(e.LevelBegan(draft.now, state.level + 1, levels.break_follows(state)))


def record_match(draft: Draft, report: ReportMatch) -> None:
    """Record the result of a table's match, unless it is recorded already or no such match was ordered."""
    table = next((table for table in draft.state.tables if table.number == report.table), None)
    if table is None or not table.playing or table.order is None or table.order.number != report.order:
        return
    draft.emit(e.MatchReported(draft.now, report.table, report.order, report.results, report.deals))
    if levels.is_level_complete(draft.state):
        _next_level(draft)


def advance(draft: Draft) -> None:
    """Emit what follows by itself: the start of a full tournament, its end, a break, seats, matches.

    In a pause disqualified players are removed, but nothing begins.
    """
    state = draft.state
    if state.phase == "open" and state.config.starts_at is None and len(state.entries) >= state.config.most:
        start(draft)
        state = draft.state
    if state.phase != "running":
        return
    if is_league(state):
        if state.paused is None:
            _play_round(draft)
        return
    _remove_disqualified(draft)
    state = draft.state
    if len(remaining(state)) == 1 and not levels.awaits_entries(state):
        _end(draft)
    elif state.paused is None:
        _play_next(draft)


def _play_next(draft: Draft) -> None:
    """Begin a break that is due; otherwise assign seats and order the next matches."""
    state = draft.state
    if state.break_due and not any(table.playing for table in state.tables):
        draft.emit(e.BreakBegan(draft.now, draft.now + state.config.break_minutes * MINUTE))
    if draft.state.break_due or draft.state.break_ends is not None:
        return
    _assign_seats(draft)
    for table in open_tables(draft.state):
        if not table.playing and len(table.players) > 1:
            _order(draft, table)


def _remove_disqualified(draft: Draft) -> None:
    """Remove disqualified players who are not in a match; the last remaining player stays and wins."""
    playing = {player for table in draft.state.tables if table.playing for player in table.seats}
    for entry in remaining(draft.state):
        if entry.disqualified and entry.player not in playing and len(remaining(draft.state)) > 1:
            draft.emit(e.PlayerRemoved(draft.now, entry.player))


def _play_round(draft: Draft) -> None:
    """Seat everybody for a league's next round once all tables have ended the last one, or end the league."""
    state = draft.state
    if any(table.playing for table in state.tables):
        return
    number = 1 + max((table.order.number for table in state.tables if table.order is not None), default=0)
    if number > state.config.rounds:
        _end(draft)
        return
    tables = seating([entry.player for entry in state.entries], state.config.seats, number)
    lineups = tuple(e.TableLineup(table, seats) for table, seats in enumerate(tables, 1))
    draft.emit(e.SeatsAssigned(draft.now, lineups))
    for table in draft.state.tables:
        _order(draft, table, button=(number - 1) % state.config.seats)


def _end(draft: Draft) -> None:
    draft.emit(e.TournamentEnded(draft.now, prizes(draft.state)))
    for table in open_tables(draft.state):
        close_table(draft, table)


def _assign_seats(draft: Draft) -> None:
    state = draft.state
    tables = open_tables(state)
    balance = balance_tables(
        [TableSeating(table.number, table.seats, not table.playing) for table in tables],
        [entry.player for entry in waiting_for_seat(state)],
        state.config.seats,
        {entry.player: entry.moves for entry in state.entries},
        len(state.tables) + 1,
    )
    old = {table.number: table.seats for table in tables}
    changed = {number: seats for number, seats in balance.seats.items() if old.get(number) != seats}
    if not (changed or balance.broken):
        return
    lineups = tuple(e.TableLineup(number, seats) for number, seats in sorted(changed.items()))
    draft.emit(e.SeatsAssigned(draft.now, lineups, balance.broken))
    for table in tables:
        if table.number in balance.broken:
            close_table(draft, table)


def close_table(draft: Draft, table: TournamentTable) -> None:
    """Order a table to close when its match is over."""
    if table.order is not None:
        draft.emit(
            e.TableOrdered(
                draft.now, table.number, MatchOrder(table.order.number + 1, level=levels.current_level(draft.state))
            )
        )


def _order(draft: Draft, table: TournamentTable, button: int | None = None) -> None:
    state = draft.state
    number = 1 if table.order is None else table.order.number + 1
    chairs = tuple(_chair(state, seat, player) for seat, player in enumerate(table.seats) if player)
    draft.emit(
        e.TableOrdered(draft.now, table.number, MatchOrder(number, chairs, levels.current_level(state), button))
    )


def _chair(state: TournamentState, seat: int, player: str) -> SeatAssignment:
    entry = entry_of(state, player)
    assert entry is not None  # noqa: S101 - every seated player has registered; this is for the type checker
    return SeatAssignment(
        seat,
        player,
        entry.name,
        round_stack(state.config) if is_league(state) else entry.chips,
        bot=entry.bot,
        level=entry.level,
        bank_ms=entry.bank_ms,
        absent=entry.absent,
        sitting_out=entry.sitting_out,
    )
