"""What commitments, chains and links change; one small function per event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from triptych.fair.decks import derive_seeds
from triptych.fair.record import ChainLink, commitment_of
from triptych.table import events as e
from triptych.table.commitment_state import CommitmentState, DealtDeck, SeatChain
from triptych.table.state import TableState


def _with(state: TableState, **changes: object) -> TableState:
    return replace(state, fair=replace(state.fair, **changes))


def _chain_fixed(state: TableState, event: e.ChainCommitted) -> TableState:
    others = tuple(one for one in state.fair.chains if one.seat != event.seat)
    mine = SeatChain(event.seat, state.seats[event.seat].player, event.head, event.since)
    return _with(state, chains=(*others, mine))


def _sealed(state: TableState, event: e.DecksSealed) -> TableState:
    return _with(state, seed=event.seed)


def _committed(state: TableState, event: e.DecksCommitted) -> TableState:
    fixed = commitment_of(state.config.table, event.number, event.size, event.roots).hex()
    return _with(state, number=event.number, size=event.size, commitment=fixed, roots=event.roots, links=())


def _link_given(state: TableState, event: e.LinkRevealed) -> TableState:
    chains = state.fair.chains
    head = next(one.head for one in chains if one.seat == event.seat)
    moved = tuple(replace(one, head=event.link) if one.seat == event.seat else one for one in chains)
    return _with(state, chains=moved, links=(*state.fair.links, ChainLink(event.seat, head, event.link)))


def _opened(state: TableState, event: e.DecksOpened) -> TableState:
    fair = state.fair
    chosen = event.seeds.index("")
    seed = derive_seeds(bytes.fromhex(fair.seed))[chosen].hex()
    dealt = DealtDeck(state.config.table, event.number, fair.size, fair.roots, fair.links, event.seeds, seed)
    return replace(state, fair=replace(_used_up(fair), dealt=dealt))


def _dropped(state: TableState, _: e.CommitmentDropped) -> TableState:
    fair = _used_up(state.fair)
    return replace(state, fair=replace(fair, dropped=fair.dropped + 1))


def _used_up(fair: CommitmentState) -> CommitmentState:
    return replace(fair, size=0, commitment="", roots=(), seed="", links=())


CHANGES: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    e.ChainCommitted: _chain_fixed,
    e.DecksSealed: _sealed,
    e.DecksCommitted: _committed,
    e.LinkRevealed: _link_given,
    e.DecksOpened: _opened,
    e.CommitmentDropped: _dropped,
}
