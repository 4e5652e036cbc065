"""How events of commitments, hash chains and links change a table; one small function per event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from triptych.fair.decks import derive_seeds
from triptych.fair.record import ChainLink, commitment_of
from triptych.table import events as e
from triptych.table.commitment_state import CommitmentState, DealtDeck, SeatChain
from triptych.table.state import TableState


def _with_fair(state: TableState, **changes: object) -> TableState:
    return replace(state, fair=replace(state.fair, **changes))


def _chain_committed(state: TableState, event: e.ChainCommitted) -> TableState:
    others = tuple(chain for chain in state.fair.chains if chain.seat != event.seat)
    own = SeatChain(event.seat, state.seats[event.seat].player, event.head, event.since)
    return _with_fair(state, chains=(*others, own))


def _decks_committed(state: TableState, event: e.DecksCommitted) -> TableState:
    commitment = commitment_of(state.config.table, event.number, event.size, event.roots).hex()
    return _with_fair(state, number=event.number, size=event.size, commitment=commitment, roots=event.roots, links=())


def _link_revealed(state: TableState, event: e.LinkRevealed) -> TableState:
    old_chains = state.fair.chains
    head = next(chain.head for chain in old_chains if chain.seat == event.seat)
    chains = tuple(replace(chain, head=event.link) if chain.seat == event.seat else chain for chain in old_chains)
    return _with_fair(state, chains=chains, links=(*state.fair.links, ChainLink(event.seat, head, event.link)))


def _decks_opened(state: TableState, event: e.DecksOpened) -> TableState:
    fair = state.fair
    chosen = event.seeds.index("")
    seed = derive_seeds(bytes.fromhex(fair.seed))[chosen].hex()
    dealt = DealtDeck(state.config.table, event.number, fair.size, fair.roots, fair.links, event.seeds, seed)
    return replace(state, fair=replace(_without_decks(fair), dealt=dealt))


def _commitment_dropped(state: TableState, _: e.CommitmentDropped) -> TableState:
    fair = _without_decks(state.fair)
    return replace(state, fair=replace(fair, dropped=fair.dropped + 1))


def _without_decks(fair: CommitmentState) -> CommitmentState:
    return replace(fair, size=0, commitment="", roots=(), seed="", links=())


CHANGES: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    e.ChainCommitted: _chain_committed,
    e.DecksSealed: lambda state, event: _with_fair(state, seed=event.seed),
    e.DecksCommitted: _decks_committed,
    e.LinkRevealed: _link_revealed,
    e.DecksOpened: _decks_opened,
    e.CommitmentDropped: _commitment_dropped,
}
