"""The summary of a tournament, which the lobby shows; other servers send theirs."""

from __future__ import annotations

from msgspec import Struct

from triptych.tournament.levels import is_late_entry_open
from triptych.tournament.places import places
from triptych.tournament.state import Phase, TournamentState, remaining


class TournamentSummary(Struct, frozen=True, gc=False):
    """A tournament at a version; `players`: the guests who have entered; `left`: how many are still in it."""

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
    private: bool = False


def summarize(state: TournamentState) -> TournamentSummary:
    """Return the summary of a tournament."""
    config = state.config
    best = places(state) if state.phase == "over" else {}
    winners = tuple(entry.name for entry in state.entries if best.get(entry.player) == 1)
    return TournamentSummary(
        cup=config.cup,
        version=state.version,
        at=state.at,
        name=config.name,
        title=config.rules.title or config.rules.name,
        host=config.host,
        phase=state.phase,
        players=tuple(entry.player for entry in state.entries),
        most=config.most,
        left=len(remaining(state)),
        starts_at=config.starts_at,
        lets_in=is_late_entry_open(state),
        winner=winners[0] if winners else "",
        winners=winners,
        private=config.private,
        ended=state.ended,
    )
