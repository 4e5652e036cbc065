"""The prizes of a tournament: points, or shares of the pool, rounded so that they add up to it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from operator import itemgetter

from triptych.tournament.levels import anybody_may_return, is_late_entry_open
from triptych.tournament.places import places
from triptych.tournament.state import Prize, TournamentState, remaining


def prize_pool(state: TournamentState) -> int:
    """Return the sum of the entries' fees; 0 without a fee."""
    return state.config.fee * sum(entry.entries for entry in state.entries)


def payouts(state: TournamentState) -> tuple[int, ...]:
    """Return the payout of each place when nobody shares one, the first place first."""
    config = state.config
    paid = config.prizes[: len(state.entries)]
    if config.prize_kind == "points":
        return paid
    return split(prize_pool(state), paid) if config.prize_kind == "shares" and paid else ()


def prizes_in_play(state: TournamentState, local: Collection[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the payouts of the open places, the first first, and the chips of players not in `local`.

    Both are empty while players may enter, since the number of places and their payouts are not known before.
    """
    if state.phase != "running" or is_late_entry_open(state) or anybody_may_return(state):
        return (), ()
    entries = remaining(state)
    other_chips = tuple([entry.chips for entry in entries if entry.player not in local])
    return payouts(state)[: len(entries)], other_chips


def split(whole: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Divide a whole number by weights: the shares add up to it, and the largest remainders are rounded up."""
    total = sum(weights)
    shares = [whole * weight // total for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda index: (-(whole * weights[index] % total), index))
    for index in by_remainder[: whole - sum(shares)]:
        shares[index] += 1
    return tuple(shares)


def prizes(state: TournamentState) -> tuple[Prize, ...]:
    """Return everybody's prize, the best place first; a shared place divides the payouts of its places."""
    by_place = payouts(state)
    ranked = sorted(places(state).items(), key=itemgetter(1))
    result: list[Prize] = []
    for place, group in groupby(ranked, key=itemgetter(1)):
        players = [player for player, _ in group]
        payout = sum(by_place[place - 1 : place - 1 + len(players)])
        shares = split(payout, [1] * len(players))
        result += [Prize(player, share) for player, share in zip(players, shares, strict=True) if share]
    return tuple(result)
