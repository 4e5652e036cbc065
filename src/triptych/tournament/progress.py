"""The course of a tournament: it starts, tables play and report, levels rise, breaks come, it is won."""

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
from triptych.tournament.prizes import prizes
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
    """Let bots take part; their ids and names are new ones."""
    for _ in range(count):
        state = draft.state
        number = state.version  # an id that no other bot of this tournament has, or had
        bots = sum(entry.bot for entry in state.entries)
        round_, at = divmod(bots, len(BOT_NAMES))
        taken = {entry.name for entry in state.entries}
        name = BOT_NAMES[at] + (f" {round_ + 1}" if round_ else "")
        while name in taken:
            round_ += 1
            name = f"{BOT_NAMES[at]} {round_ + 1}"
        draft.emit(e.Registered(draft.now, f"bot:{state.config.cup}:{number}", name, level))


def can_start(state: TournamentState) -> bool:
    """Return whether there are players enough, with the bots that would fill the places."""
    return len(state.entries) >= (1 if state.config.fill else state.config.least)


def start(draft: Draft) -> None:
    """Fill the places where that is wanted, draw the seats, and begin. Raises TournamentError `cup.too_few`."""
    config = draft.state.config
    if not can_start(draft.state):
        raise TournamentError("cup.too_few", Message("error.cup.too_few", least=config.least))
    if config.fill:
        register_bots(draft, config.fill, config.most - len(draft.state.entries))
    players = [entry.player for entry in draft.state.entries]
    draft.emit(e.TournamentStarted(draft.now, tuple(players[at] for at in draft.draw(len(players)))))


def tick(draft: Draft) -> None:
    """Do what is due by now: start or call off, begin the next level, end a break or a time to come in again."""
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
    late = [one for one in draft.state.entries if one.reentry_until is not None and one.reentry_until <= draft.now]
    if late:
        draft.emit(e.ReentryClosed(draft.now, tuple(one.player for one in late)))


def _next_level(draft: Draft) -> None:
    state = draft.state
    draft.emit(e.LevelBegan(draft.now, state.level + 1, levels.break_follows(state)))


def record_match(draft: Draft, report: ReportMatch) -> None:
    """Note how a table's match ended; nothing when that is known, or no such match was ordered."""
    table = next((one for one in draft.state.tables if one.number == report.table), None)
    if table is None or not table.playing or table.order is None or table.order.number != report.order:
        return
    draft.emit(e.MatchReported(draft.now, report.table, report.order, report.results, report.deals))
    if levels.is_level_complete(draft.state):
        _next_level(draft)


def advance(draft: Draft) -> None:
    """Bring about what follows: the start of a full tournament, its end, a break, seats and the next matches.

    In a pause who is to go goes, and nothing begins.
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
        _play_on(draft)


def _play_on(draft: Draft) -> None:
    """Begin a break that is due; else give seats, and let whoever sits play."""
    state = draft.state
    if state.break_due and not any(table.playing for table in state.tables):
        draft.emit(e.BreakBegan(draft.now, draft.now + state.config.break_minutes * MINUTE))
    if draft.state.break_due or draft.state.break_ends is not None:
        return
    _give_seats(draft)
    for table in open_tables(draft.state):
        if not table.playing and len(table.players) > 1:
            _order(draft, table)


def _remove_disqualified(draft: Draft) -> None:
    """Let those go whom the host wants no more, as soon as no match needs them; the last player stays and has won."""
    playing = {player for table in draft.state.tables if table.playing for player in table.seats}
    for entry in remaining(draft.state):
        if entry.disqualified and entry.player not in playing and len(remaining(draft.state)) > 1:
            draft.emit(e.PlayerRemoved(draft.now, entry.player))


def _play_round(draft: Draft) -> None:
    """Seat everybody for the next round of a league when all tables have ended theirs, or end the league."""
    state = draft.state
    if any(table.playing for table in state.tables):
        return
    number = 1 + max((table.order.number for table in state.tables if table.order is not None), default=0)
    if number > state.config.rounds:
        _end(draft)
        return
    seats = seating([entry.player for entry in state.entries], state.config.seats, number)
    draft.emit(e.SeatsAssigned(draft.now, tuple(e.TableLineup(at, one) for at, one in enumerate(seats, 1))))
    for table in draft.state.tables:
        _order(draft, table, button=(number - 1) % state.config.seats)


def _end(draft: Draft) -> None:
    draft.emit(e.TournamentEnded(draft.now, prizes(draft.state)))
    for table in open_tables(draft.state):
        close_table(draft, table)


def _give_seats(draft: Draft) -> None:
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
    assert entry is not None  # noqa: S101 - who sits has registered; this is for the type checker
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
