"""What a table knows of committed decks and of the players' chains (docs: fairness)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from triptych.fair.record import ChainLink
from triptych.redacted import RedactedStruct


class SeatChain(Struct, frozen=True, gc=False):
    """A seat's hash chain: whose it is, the last link that was given (hex), the first commitment it counts for."""

    seat: int
    player: str
    head: str
    since: int


class DealtDeck(RedactedStruct, frozen=True):
    """How the deck of the deal on the table came about, as `fair.record.DeckRecord`; `seed` made it (hex)."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"seed"})

    table: str
    number: int
    size: int
    roots: tuple[str, ...]
    links: tuple[ChainLink, ...]
    seeds: tuple[str, ...]
    seed: str


class CommitmentState(RedactedStruct, frozen=True):
    """The decks of the next deal, fixed already, and what players add to them.

    `number`: of the last commitment, from 1; `size`: the cards of its decks, 0 when it was used or dropped;
    `commitment` and `roots` are told (hex), `seed`, of which all
    decks are made, never. `links`: given for it so far. `dropped`: how many
    commitments were never dealt. `dealt`: of the deal on the table, None when its deck was not committed.
    """

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"seed"})

    number: int = 0
    size: int = 0
    commitment: str = ""
    roots: tuple[str, ...] = ()
    seed: str = ""
    links: tuple[ChainLink, ...] = ()
    chains: tuple[SeatChain, ...] = ()
    dropped: int = 0
    dealt: DealtDeck | None = None


NO_COMMITMENT = CommitmentState()
