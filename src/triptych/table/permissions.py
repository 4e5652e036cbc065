"""The requests that a player may make now, besides the deal's tasks."""

from __future__ import annotations

from triptych.rulesets.model import is_tournament
from triptych.table.buy_in import may_top_up
from triptych.table.handlers.player import TOURNAMENT_REQUESTS, may_delay, may_sit_in
from triptych.table.host import acting_host, owner
from triptych.table.levels import is_tournament_started
from triptych.table.match import enough_players, lineup
from triptych.table.state import Seat, TableState, seat_of


def allowed_requests(state: TableState, player: str, seat: Seat | None) -> tuple[str, ...]:
    """Return the tags of the requests that a player in `seat` may make now, besides the deal's tasks."""
    if state.closed or not player:
        return ()
    rules = state.config.rules
    has_free_seat = any(not other.player for other in state.seats)
    can_join = not state.closing and not is_tournament_started(state)
    is_banned = player in state.banned
    allowed = ["say"] if not is_banned and player not in state.muted else []
    if seat is not None:
        allowed += _seated_requests(state, seat)
    elif has_free_seat and can_join and not is_banned and (not state.locked or player == acting_host(state)):
        allowed.append("sit")
    if (seat is not None or player == acting_host(state)) and not state.settled and rules.clock.kind == "none":
        allowed.append("place_for")
    if player == acting_host(state):
        can_seat_bots = has_free_seat and can_join and state.config.bots_allowed
        allowed += _host_requests(state, player, can_seat_bots=can_seat_bots)
    if state.config.cup:
        tags = [request.__struct_config__.tag for request in TOURNAMENT_REQUESTS]
        return tuple(tag for tag in allowed if tag in tags)
    return tuple(allowed)


def _host_requests(state: TableState, player: str, *, can_seat_bots: bool) -> list[str]:
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
    if can_seat_bots:
        allowed.append("seat_bot")
    others = [seat for seat in state.seats if seat.player not in ("", player, owner(state))]
    is_owner = player == owner(state)
    if others:
        allowed.append("unseat")
    if any(seat.person for seat in others):
        allowed += ["hand_over", "ban"] if is_owner else ["ban"]
    if state.config.rules.clock.kind != "none":
        allowed.append("add_time")
    if is_owner and not state.closing:
        allowed.append("close_table")
    if not state.begun and enough_players(state):
        allowed.append("start")
    return allowed


def _seated_requests(state: TableState, seat: Seat) -> list[str]:
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
    if any(other.person and other.seat != seat.seat for other in state.seats):
        allowed.append("offer_stake")
    offers = [stake for stake in state.stakes if stake.offered_by is not None and seat.seat in (stake.a, stake.b)]
    if any(offer.offered_by == seat.seat for offer in offers):
        allowed.append("withdraw_stake")
    if any(offer.offered_by != seat.seat for offer in offers):
        allowed.append("decline_stake")
    return allowed


def can_use_guide(state: TableState, player: str) -> bool:
    """Return whether a player sits at a table, not of a tournament, at which everybody else is a bot."""
    seat = seat_of(state, player)
    if seat is None or state.config.cup:
        return False
    return not any(other.person for other in state.seats if other.seat != seat.seat)
