"""The view of a tournament: the only data of its state that clients get."""

from __future__ import annotations

from msgspec.structs import replace

from triptych.rulesets.describe.phrases import title_text
from triptych.rulesets.describe.summary import summary
from triptych.tournament import commands as c
from triptych.tournament.league import LeagueStanding, is_league, standings
from triptych.tournament.levels import awaits_entries, can_register, is_last, is_late_entry_open, level_ends
from triptych.tournament.places import payouts, places, prize_pool
from triptych.tournament.progress import can_start
from triptych.tournament.state import TournamentState, entry_of, open_tables, remaining, table_id
from triptych.tournament.view_types import (
    EntryView,
    TournamentLevelView,
    TournamentTableView,
    TournamentView,
    ViewerEntry,
)

_NO_ENTRY = ViewerEntry(player="", table="", place=0, out=False)


def view(state: TournamentState, player: str) -> TournamentView:
    """Return the view of a player, by player id; an unknown id is a spectator."""
    return personal_view(state, shared_view(state), player)


def shared_view(state: TournamentState) -> TournamentView:
    """Return the view common to all viewers."""
    config = state.config
    remaining_entries = remaining(state)
    return TournamentView(
        cup=config.cup,
        v=state.version,
        name=config.name,
        host=config.host,
        title=title_text(config.rules.title or config.rules.name),
        summary=summary(config.rules),
        preset=config.rules.name,
        phase=state.phase,
        seats=config.seats,
        stack=config.stack,
        most=config.most,
        least=config.least,
        starts_at=config.starts_at,
        bots_allowed=config.bots_allowed,
        levels=config.levels,
        level_kind=config.level_kind,
        level_length=config.level_length,
        late=config.late,
        reentries=config.reentries,
        break_every=config.break_every,
        break_minutes=config.break_minutes,
        rounds=config.rounds,
        round=_round(state),
        level=_level(state),
        rest_due=state.break_due,
        rest_ends=state.break_ends,
        paused=state.paused,
        entries=_entries(state),
        tables=tuple(
            TournamentTableView(table.number, table_id(state, table.number), table.players, table.playing)
            for table in open_tables(state)
        )
        if state.phase == "running"
        else (),
        left=len(remaining_entries),
        average=sum(entry.chips for entry in remaining_entries) // max(1, len(remaining_entries)),
        lets_in=is_late_entry_open(state),
        awaits=state.phase == "running" and len(remaining_entries) == 1 and awaits_entries(state),
        private=config.private,
        password=bool(config.password),
        prize_kind=config.prize_kind,
        fee=config.fee,
        shares=config.prizes if config.prize_kind == "shares" else (),
        prizes=payouts(state),
        pool=prize_pool(state),
        started=state.started,
        ended=state.ended,
        you=_NO_ENTRY,
        may=(),
    )


def personal_view(state: TournamentState, shared: TournamentView, player: str) -> TournamentView:
    """Return the shared view with the player's own fields."""
    return replace(shared, you=_you(state, shared, player), may=allowed_requests(state, player))


def _you(state: TournamentState, shared: TournamentView, player: str) -> ViewerEntry:
    entry = entry_of(state, player)
    if entry is None:
        return _NO_ENTRY
    row = next(row for row in shared.entries if row.player == player)
    place = row.place if state.started is not None else 0
    table = next((table for table in state.tables if table.number == entry.table), None)
    is_seated = state.phase == "running" and table is not None and table.order is not None
    return ViewerEntry(player, table_id(state, entry.table) if is_seated else "", place, entry.out)


def allowed_requests(state: TournamentState, player: str) -> tuple[str, ...]:
    """Return the tags of the requests that a player may make now."""
    if not player or state.phase in ("over", "cancelled"):
        return ()
    requests: list[type[c.RequestBase]] = [c.Register] if can_register(state, player) else []
    if state.phase == "open":
        if entry_of(state, player) is not None:
            requests.append(c.Withdraw)
        if player == state.config.host:
            requests += _host_requests(state)
    elif player == state.config.host:
        requests += [c.PausePlay if state.paused is None else c.ResumePlay, c.Cancel]
        if not is_league(state):
            requests.append(c.RemovePlayer)
    return tuple(str(request.__struct_config__.tag) for request in requests)


def _host_requests(state: TournamentState) -> list[type[c.RequestBase]]:
    requests: list[type[c.RequestBase]] = [c.Cancel]
    if state.config.bots_allowed and len(state.entries) < state.config.most:
        requests.append(c.AddBots)
    if state.entries:
        requests.append(c.RemovePlayer)
    if any(entry.bot for entry in state.entries):
        requests.append(c.RemoveBots)
    if can_start(state):
        requests.append(c.StartNow)
    return requests


def _round(state: TournamentState) -> int:
    orders = (table.order.number for table in state.tables if table.order is not None)
    return min(state.config.rounds, max(orders, default=0))


def _level(state: TournamentState) -> TournamentLevelView:
    config = state.config
    is_final = is_last(state)
    by_deals = config.level_kind == "deals" and not is_final
    played = max((table.deals for table in state.tables), default=0)
    return TournamentLevelView(
        number=state.level + 1,
        chips=config.levels[state.level],
        next_chips=None if is_final else config.levels[state.level + 1],
        next_at=level_ends(state),
        deals_left=max(1, config.level_length - played) if by_deals else None,
    )


def _mean_and_margin(standing: LeagueStanding | None) -> tuple[float | None, float | None]:
    if standing is None or not standing.rounds:
        return None, None
    return standing.mean, None if standing.high is None else standing.high - standing.mean


def _entries(state: TournamentState) -> tuple[EntryView, ...]:
    ranking = places(state)
    chips = sorted((entry.chips for entry in remaining(state)), reverse=True)
    won = {prize.player: prize.amount for prize in state.prizes}
    by_player = {standing.player: standing for standing in standings(state)} if is_league(state) else {}
    views = (
        EntryView(
            entry.player,
            entry.name,
            entry.bot,
            entry.chips,
            ranking.get(entry.player) or chips.index(entry.chips) + 1,
            entry.out,
            entry.table,
            entry.entries,
            won.get(entry.player, 0),
            entry.disqualified,
            *_mean_and_margin(by_player.get(entry.player)),
        )
        for entry in state.entries
    )
    return tuple(sorted(views, key=lambda view: view.place))
