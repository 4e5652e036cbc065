"""Commits to decks before they are dealt, with players' hash chains.

Works on a Draft; see docs: fairness.
"""

from __future__ import annotations

from triptych.cards import Card
from triptych.fair.decks import cut_deck, deck_roots, derive_seeds, draw_deck
from triptych.fair.hashes import is_successor
from triptych.i18n.messages import Message
from triptych.table import events as e
from triptych.table.commitment_state import SeatChain
from triptych.table.draft import Draft
from triptych.table.errors import TableError
from triptych.table.seats import own_seat
from triptych.table.state import TableState


def seat_chain(state: TableState, seat: int) -> SeatChain | None:
    """Return the hash chain of a seat's player, or None."""
    player = state.seats[seat].player
    return next((chain for chain in state.fair.chains if (chain.seat, chain.player) == (seat, player)), None)


def commit_chain(draft: Draft, player: str, head: str) -> None:
    """Commit a player's new chain; it counts from the next commitment on, which nobody knows yet."""
    seat = own_seat(draft.state, player)
    draft.emit(e.ChainCommitted(draft.now, seat.seat, head, draft.state.fair.number + 1))


def reveal_link(draft: Draft, player: str, number: int, link: str) -> None:
    """Add a player's link to the commitment with this number. Raises TableError."""
    fair = draft.state.fair
    seat = own_seat(draft.state, player)
    chain = seat_chain(draft.state, seat.seat)
    if chain is None or not fair.size or number != fair.number or chain.since > number:
        raise TableError("link.not_asked", Message("error.link.not_asked"), "$.number")
    if any(revealed.seat == seat.seat for revealed in fair.links):
        raise TableError("request.repeated", Message("error.link.repeated"))
    if not is_successor(bytes.fromhex(link), bytes.fromhex(chain.head)):
        raise TableError("link.wrong", Message("error.link.wrong"), "$.link")
    draft.emit(e.LinkRevealed(draft.now, seat.seat, number, link))


def commit_next_deal(draft: Draft) -> None:
    """Commit to the next deal's decks as soon as it is scheduled, so that players have time to reveal links."""
    if draft.state.settled and draft.state.next_at is None:
        return
    _commit(draft)


def _commit(draft: Draft) -> None:
    state = draft.state
    size = 52 + state.config.rules.deal.jokers
    if draft.secret is None or state.config.duplicate or state.closed or state.fair.size == size:
        return
    if state.fair.size:
        draft.emit(e.CommitmentDropped(draft.now, state.fair.number))
    secret, number = draft.secret(), state.fair.number + 1
    draft.emit_sealed(e.DecksSealed(draft.now, number, secret.hex()))
    draft.emit(e.DecksCommitted(draft.now, number, size, tuple([root.hex() for root in deck_roots(secret, size)])))


def next_deck(draft: Draft) -> tuple[Card, ...]:
    """Return the deck of the deal that begins: the committed deck as players cut it, or a shuffled one."""
    jokers = draft.state.config.rules.deal.jokers
    if draft.secret is None or draft.state.config.duplicate:
        return draft.shuffle(jokers)
    _commit(draft)
    fair = draft.state.fair
    links = [(link.seat, bytes.fromhex(link.link)) for link in fair.links]
    draw = draw_deck(bytes.fromhex(fair.commitment), fair.size, links)
    seeds = derive_seeds(bytes.fromhex(fair.seed))
    opened_seeds = tuple(["" if index == draw.chosen else seed.hex() for index, seed in enumerate(seeds)])
    draft.emit(e.DecksOpened(draft.now, fair.number, fair.links, opened_seeds))
    return tuple(map(Card, cut_deck(seeds[draw.chosen], draw.cut)))
