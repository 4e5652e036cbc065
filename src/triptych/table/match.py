"""Matches: the seats of the next deal, the button, the end of a match.

Rule: Rules §5, 6; source 002 L5.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from triptych.deal.memoize import memoize_last
from triptych.i18n.messages import Message, join_with_and
from triptych.rulesets.model import Ruleset, is_closed, max_fantasyland_cards
from triptych.table.absence import is_away
from triptych.table.buy_in import has_chips, is_bust
from triptych.table.events import Payment
from triptych.table.levels import is_tournament_started
from triptych.table.state import Match, Seat, TableState


def parse_kind(text: str) -> tuple[str, int]:
    """Return `("deals", 5)` for `deals:5`, `("orbit", 0)` for `orbit`."""
    kind, _, number = text.partition(":")
    return kind, int(number or 0)


def wants_to_play(state: TableState, seat: Seat) -> bool:
    """Return whether a seat would be dealt into a new match: its player is connected and has points.

    A tournament deals in everybody who has chips, so that nobody keeps them by staying away.
    """
    if is_tournament_started(state):
        return bool(seat.player) and has_chips(state, seat)
    is_present = seat.bot or (bool(seat.player) and seat.connected)
    return is_present and has_chips(state, seat) and not (seat.sitting_out or seat.leaving)


@memoize_last
def eligible_seats(state: TableState) -> tuple[int, ...]:
    """Return the seats that a new match would begin with."""
    return tuple([seat.seat for seat in state.seats if wants_to_play(state, seat)])


def has_audience(state: TableState) -> bool:
    """Return whether a person would play or the host watches; otherwise bots play only in a tournament."""
    people = [state.seats[seat] for seat in eligible_seats(state) if state.seats[seat].person]
    return bool(state.config.cup) or state.host_here or any(seat.connected for seat in people)


def fantasyland_pending(state: TableState) -> bool:
    """Return whether a fantasyland is not played yet; it belongs to the deal before it."""
    return state.match is not None and any(state.seats[seat].fantasyland for seat in state.match.seats)


@memoize_last
def lineup(state: TableState) -> tuple[int, ...]:
    """Return the seats of the next deal in the order of the table; with fewer than two there is no deal.

    A pending fantasyland is played by all players of the deal before it, even if they sit out. A bust player plays it
    if a point can still be won. Rule: source 002 L31; Rules §6 (buy-in).
    """
    match = state.match
    if match is None:
        return eligible_seats(state)
    if fantasyland_pending(state):
        return tuple(sorted(seat for seat in match.last if not _plays_for_nothing(state, state.seats[seat])))
    seats = (state.seats[seat] for seat in match.seats)
    is_tournament = is_tournament_started(state)
    return tuple([seat.seat for seat in seats if has_chips(state, seat) and (is_tournament or not seat.sitting_out)])


def _plays_for_nothing(state: TableState, seat: Seat) -> bool:
    """Return whether a seat is bust and table stakes let it neither win nor lose.

    Tournaments play every fantasyland.
    """
    capped = state.config.rules.settlement.cap != "none"
    return capped and is_bust(state, seat) and not is_tournament_started(state)


def unplayable_fantasylands(state: TableState) -> tuple[int, ...]:
    """Return the seats whose pending fantasyland is not played, since no point can be won in it."""
    if state.match is None or not fantasyland_pending(state):
        return ()
    has_no_opponent = len(lineup(state)) < 2
    pending = (seat for seat in map(state.seats.__getitem__, state.match.seats) if seat.fantasyland)
    return tuple([seat.seat for seat in pending if has_no_opponent or _plays_for_nothing(state, seat)])


def players_needed(state: TableState) -> int:
    """Return how many players the next deal needs; inside a match, or a tournament, two are enough."""
    has_begun = state.match is not None or is_tournament_started(state)
    return 2 if has_begun else max(2, state.config.rules.seats.min)


def enough_players(state: TableState) -> bool:
    """Return whether the next deal has the players it needs. Rule: Rules §6 (start)."""
    return len(lineup(state)) >= players_needed(state) and (fantasyland_pending(state) or has_audience(state))


def can_begin(state: TableState) -> bool:
    """Return whether the next deal begins after its pause."""
    return state.begun and enough_players(state)


def all_here(state: TableState) -> bool:
    """Return whether every seat is taken and all people are ready."""
    return all(seat.player for seat in state.seats) and everybody_ready(state)


def everybody_ready(state: TableState) -> bool:
    """Return whether all people of the next deal are ready; bots always are."""
    seats = map(state.seats.__getitem__, lineup(state))
    people = [seat for seat in seats if seat.person and not (seat.sitting_out or is_away(seat))]
    return bool(people) and all(seat.ready for seat in people)


def moves_button(state: TableState) -> bool:
    """Return whether the next deal gives the button to the next seat.

    Rule: source 001 L41 (stay), 002 L5 (move).
    """
    return state.config.rules.fantasyland.button == "move" or not fantasyland_pending(state)


def next_button(state: TableState, seats: tuple[int, ...]) -> int:
    """Return the seat with the button in a deal among `seats`: the last seat in the first deal of a table."""
    if state.button is None:
        return seats[-1]
    if not moves_button(state) and state.button in seats:
        return state.button
    return next((seat for seat in seats if seat > state.button), seats[0])


def from_the_left(seats: tuple[int, ...], button: int) -> tuple[int, ...]:
    """Return seats clockwise from the button's left, the button last."""
    return tuple(sorted(seats, key=lambda seat: (seat <= button, seat)))


def is_over(state: TableState, match: Match) -> bool:
    """Return whether a match ends with the deal just settled; never before a pending fantasyland.

    A match ends when only one player has points left. An endless match ends when its players change (somebody leaves,
    is bust or waits to join) or the table closes.
    """
    if fantasyland_pending(state):
        return False
    bust = sum(is_bust(state, state.seats[seat]) for seat in match.seats)
    if match.cut_short or len(match.seats) - bust <= 1:
        return True
    kind, number = parse_kind(state.config.rules.match.kind)
    if kind == "deal_group":
        return True
    if kind == "orbit":
        return match.round_done or _passes_first_button_next(state, match)
    if kind == "deals":
        return match.rounds >= number
    if kind == "points":
        return max(match.points) >= number
    has_newcomers = any(seat not in match.seats for seat in eligible_seats(state))
    return bool(bust) or has_newcomers or state.closing or any(state.seats[seat].leaving for seat in match.seats)


def _passes_first_button_next(state: TableState, match: Match) -> bool:
    """Return whether the next deal would bring the button to, or past, the seat where the match began."""
    seats = lineup(state)
    return len(seats) > 1 and passes_first_button(state, match, next_button(state, seats))


def passes_first_button(state: TableState, match: Match, button: int) -> bool:
    """Return whether the button, moving to a seat, reaches or passes the seat where the match began.

    Source 001 L8.
    """
    if match.first is None or state.button is None or button == state.button:
        return False
    count = len(state.seats)
    to_first = (match.first - state.button - 1) % count
    return (button - state.button - 1) % count >= to_first


def is_race(rules: Ruleset) -> bool:
    """Return whether the points before stakes and caps decide a match, and not the payments."""
    return parse_kind(rules.match.kind)[0] == "points" or rules.scoring.rows == "first_to_11"


def standings(state: TableState, match: Match) -> str:
    """Return the standings of a match, the highest first: 'Ann +7, Bob −7', by payments.

    In a race: by the points that decide it, followed by the payments if they differ.
    """
    if not is_race(state.config.rules):
        return _listed(state, match, match.paid)
    return _with_paid(_listed(state, match, match.points), state, match)


def _with_paid(result: str, state: TableState, match: Match) -> str:
    """Return the result of a race, with the payments if caps or stakes made them differ."""
    differs = any(match.paid) and match.paid != match.points
    return Message("match.paid", standings=result, paid=_listed(state, match, match.paid)) if differs else result


def _listed(state: TableState, match: Match, points: tuple[int, ...]) -> str:
    ranked = sorted(zip(match.seats, points, strict=True), key=lambda row: -row[1])
    return ", ".join(f"{state.seats[seat].name} {signed(own)}" for seat, own in ranked)


def result_text(state: TableState, match: Match, prizes: Iterable[Payment] = ()) -> str:
    """Return the result of a match of several deals: 'Ann wins the match, +7 to −7'; empty for a single deal.

    By payments, or in a race by points. `prizes`: the losers' payments, added to the text: ', and 15 points'.
    """
    if state.config.rules.match.kind == "deal_group" or len(match.seats) < 2:
        return ""
    race = is_race(state.config.rules)
    ranked = sorted(zip(match.points if race else match.paid, match.seats, strict=True), key=lambda row: -row[0])
    best = ranked[0][0]
    won = sum(paid.points for paid in prizes)
    winners = [state.seats[seat].name for points, seat in ranked if points == best]
    if len(winners) > 1:
        result = Message("match.shared", names=join_with_and(winners), points=signed(best))
    else:
        other_points = join_with_and([signed(points) for points, _ in ranked[1:]])
        result = Message("match.won", name=winners[0], points=signed(best), others=other_points)
    if won:
        result = Message("match.prize", result=result, points=won)
    return _with_paid(result, state, match) if race else result


def signed(points: int) -> str:
    """Return points with their sign: '+7', '0', a minus sign and 4."""
    return f"+{points}" if points > 0 else f"\N{MINUS SIGN}{-points}" if points < 0 else "0"


@lru_cache(maxsize=64)
def match_text(rules: Ruleset) -> str:
    """Return the length of a match in words: 'a deal and its fantasylands'."""
    kind, number = parse_kind(rules.match.kind)
    has_fantasyland = bool(max_fantasyland_cards(rules)) and not is_closed(rules)
    match kind:
        case "deal_group":
            return Message("match.length.lands") if has_fantasyland else Message("match.length.deals", count=1)
        case "points":
            return Message("match.length.points", points=number)
        case "endless":
            return Message("match.length.endless")
        case "orbit":
            length = Message("match.length.orbit")
        case _:
            length = Message("match.length.deals", count=number)
    return Message("match.length.and_lands", length=length) if has_fantasyland else length
