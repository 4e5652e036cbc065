"""What the places of a tournament bring: points, or parts of the pool. Nothing is lost in sharing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

from triptych.tournament.levels import anybody_may_return, is_late_entry_open
from triptych.tournament.places import places
from triptych.tournament.state import Prize, TournamentState, remaining


def prize_pool(state: TournamentState) -> int:
    """Return what the entries have brought together; 0 where nothing is shared out."""
    return state.config.fee * sum(entry.entries for entry in state.entries)


def payouts(state: TournamentState) -> tuple[int, ...]:
    """Return what each place brings when nobody shares one, the first place first."""
    config = state.config
    paid = config.prizes[: len(state.entries)]
    if config.prize_kind == "points":
        return paid
    return split(prize_pool(state), paid) if config.prize_kind == "shares" and paid else ()


def prizes_in_play(state: TournamentState, here: Collection[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what the places bring that are still open, the first one first, and the chips of all who are not `here`.

    Nothing while people come in: how many places there are, and what they bring, is not known before.
    """
    if state.phase != "running" or is_late_entry_open(state) or anybody_may_return(state):
        return (), ()
    left = remaining(state)
    elsewhere = tuple([entry.chips for entry in left if entry.player not in here])
    return payouts(state)[: len(left)], elsewhere


def split(whole: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Return a whole number shared out by weights: the parts add up to it, the largest remainders are rounded up."""
    total = sum(weights)
    shares = [whole * weight // total for weight in weights]
    rest = sorted(range(len(weights)), key=lambda at: (-(whole * weights[at] % total), at))
    for at in rest[: whole - sum(shares)]:
        shares[at] += 1
    return tuple(shares)


def prizes(state: TournamentState) -> tuple[Prize, ...]:
    """Return what everybody wins, the best place first; who share a place share what their places bring."""
    paid = payouts(state)
    ranked = sorted(places(state).items(), key=lambda one: one[1])
    given_out: list[Prize] = []
    for place, group in groupby(ranked, key=lambda one: one[1]):
        players = [player for player, _ in group]
        brings = sum(paid[place - 1 : place - 1 + len(players)])
        shares = split(brings, [1] * len(players))
        given_out += [Prize(player, share) for player, share in zip(players, shares, strict=True) if share]
    return tuple(given_out)
