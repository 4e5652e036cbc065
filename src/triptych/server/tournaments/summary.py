"""A tournament at a glance: what the lobby shows of it, also of one that another server plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from triptych.tournament.levels import lets_in
from triptych.tournament.places import places
from triptych.tournament.state import Phase, alive

if TYPE_CHECKING:
    from triptych.tournament.state import CupState


class CupGlance(Struct, frozen=True, gc=False):
    """A tournament at a version; `players` are the guests who have entered, of whom `left` are in it."""

    cup: str
    version: int
    at: int
    name: str
    title: str
    host: str
    phase: Phase
    players: tuple[str, ...]
    most: int
    left: int
    starts_at: int | None
    lets_in: bool
    winner: str
    ended: int | None
    winners: tuple[str, ...] = ()


def cup_glance(state: CupState) -> CupGlance:
    """Return a tournament at a glance."""
    config = state.config
    best = places(state) if state.phase == "over" else {}
    winners = tuple(entry.name for entry in state.entries if best.get(entry.player) == 1)
    return CupGlance(
        cup=config.cup,
        version=state.version,
        at=state.at,
        name=config.name,
        title=config.rules.title or config.rules.name,
        host=config.host,
        phase=state.phase,
        players=tuple(entry.player for entry in state.entries),
        most=config.most,
        left=len(alive(state)),
        starts_at=config.starts_at,
        lets_in=lets_in(state),
        winner=winners[0] if winners else "",
        winners=winners,
        ended=state.ended,
    )
