"""What a player may ask of the table now, besides the deal's tasks."""

from __future__ import annotations

from triptych.rulesets.model import is_tournament
from triptych.table.buy_in import may_top_up
from triptych.table.handlers.player import TOURNAMENT_REQUESTS, may_delay, may_sit_in
from triptych.table.host import acting_host, owner
from triptych.table.levels import is_tournament_started
from triptych.table.match import enough_players, lineup
from triptych.table.state import Seat, TableState, seat_of


def allowed_requests(state: TableState, player: str, seat: Seat | None) -> tuple[str, ...]:
    """Return what a player in `seat` may ask of the table now, besides the deal's tasks; the tags of the requests."""
    if state.closed or not player:
        return ()
    rules = state.config.rules
    free = any(not one.player for one in state.seats)
    joining = not state.closing and not is_tournament_started(state)
    welcome = player not in state.banned
    allowed = ["say"] if welcome and player not in state.muted else []
    if seat is not None:
        allowed += _may_seated(state, seat)
    elif free and joining and welcome and (not state.locked or player == acting_host(state)):
        allowed.append("sit")
    if (seat is not None or player == acting_host(state)) and not state.settled and rules.clock.kind == "none":
        allowed.append("place_for")
    if player == acting_host(state):
        allowed += _may_host(state, player, seats_bots=free and joining and state.config.bots_allowed)
    if state.config.cup:
        tags = [request.__struct_config__.tag for request in TOURNAMENT_REQUESTS]
        return tuple(each for each in allowed if each in tags)
    return tuple(allowed)


def _may_host(state: TableState, player: str, *, seats_bots: bool) -> list[str]:
    allowed = [
        "go_on" if state.paused is not None else "pause",
        "lock",
        "change_rules",
        "change_details",
        "let_arrange",
        "mute_viewer",
        "remove_viewer",
    ]
    if not is_tournament(state.config.rules):
        allowed.append("let_hint")
    if seats_bots:
        allowed.append("seat_bot")
    others = [one for one in state.seats if one.player not in ("", player, owner(state))]
    is_owner = player == owner(state)
    if others:
        allowed.append("unseat")
    if any(one.person for one in others):
        allowed += ["hand_over", "ban"] if is_owner else ["ban"]
    if state.config.rules.clock.kind != "none":
        allowed.append("add_time")
    if is_owner and not state.closing:
        allowed.append("close_table")
    if not state.begun and enough_players(state):
        allowed.append("start")
    return allowed


def _may_seated(state: TableState, seat: Seat) -> list[str]:
    allowed = ["sit_in"] if may_sit_in(seat) else []
    if not seat.sitting_out:
        allowed.append("sit_out")
    if not seat.leaving:
        allowed.append("leave")
    if may_top_up(state, seat):
        allowed.append("top_up")
    if (state.next_at is not None or not state.begun) and not seat.ready and seat.seat in lineup(state):
        allowed.append("ready")
    if state.next_at is not None and seat.seat in lineup(state) and may_delay(state, seat):
        allowed.append("wait")
    if any(one.person and one.seat != seat.seat for one in state.seats):
        allowed.append("offer_stake")
    own = [one for one in state.stakes if one.offered_by is not None and seat.seat in (one.a, one.b)]
    if any(one.offered_by == seat.seat for one in own):
        allowed.append("withdraw_stake")
    if any(one.offered_by != seat.seat for one in own):
        allowed.append("decline_stake")
    return allowed


def can_use_guide(state: TableState, player: str) -> bool:
    """Return whether a player has a seat at a table at which everybody else is a bot, in no tournament."""
    seat = seat_of(state, player)
    if seat is None or state.config.cup:
        return False
    return not any(other.person for other in state.seats if other.seat != seat.seat)
