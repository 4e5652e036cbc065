"""The state of a table's committed decks and of the players' hash chains (docs: fairness)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from triptych.fair.record import ChainLink
from triptych.redacted import RedactedStruct


class SeatChain(Struct, frozen=True, gc=False):
    """A seat's hash chain: its player, the last revealed link (hex), the first commitment it counts for."""

    seat: int
    player: str
    head: str
    since: int


class DealtDeck(RedactedStruct, frozen=True):
    """How the deck of the deal on the table was made, as `fair.record.DeckRecord`.

    `seed`: the deck's own (hex).
    """

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"seed"})

    table: str
    number: int
    size: int
    roots: tuple[str, ...]
    links: tuple[ChainLink, ...]
    seeds: tuple[str, ...]
    seed: str


class CommitmentState(RedactedStruct, frozen=True):
    """The committed decks of the next deal, and the players' links.

    `number`: of the last commitment, from 1; `size`: the number of cards of its decks, 0 when it was used or dropped;
    `commitment` and `roots` (hex) are public; `seed`, from which all decks are made, is secret. `links`: revealed for
    it so far. `dropped`: how many commitments were never dealt. `dealt`: the deck of the deal on the table, None if
    it was not committed.
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
