"""Decks that are fixed before they are dealt: made of a secret, committed, cut by all, opened card by card.

docs/explanation/fairness.md says what this shows and what it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import ClassVar, Final, NamedTuple

from triptych import _kernel
from triptych.fair.hashes import (
    CHOICE,
    COMMITMENT,
    CUT,
    ENTROPY,
    LEAF,
    SALTS,
    SEED,
    SHUFFLE,
    block,
    digest,
    permutation,
    stream,
    uniform_below,
)
from triptych.fair.merkle import audit_paths, root
from triptych.redacted import RedactedStruct

# As many decks are committed for each deal; all but the one that is dealt are opened whole.
DECKS: Final = 4
# Lengths in bytes.
SALT: Final = 16
SECRET: Final = 32
ROOT: Final = 32


class Proof(RedactedStruct, frozen=True):
    """What opens one leaf of a deck's tree: the card (its number), its salt, the hashes beside the way up."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"card", "salt"})

    card: int
    salt: bytes
    path: tuple[bytes, ...]


class DeckDraw(NamedTuple):
    """What the players' entropy decides: which deck is dealt, and in which order its leaves come."""

    chosen: int
    cut: tuple[int, ...]


def derive_seeds(secret: bytes) -> tuple[bytes, ...]:
    """Return what each of a deal's decks is made of; none tells anything of the secret or of another one."""
    return tuple([digest(SEED, secret, bytes([index])) for index in range(DECKS)])


def deck_of(seed: bytes, size: int) -> tuple[int, ...]:
    """Return the cards (0 to `size` - 1) of a deck in the order of its leaves."""
    return permutation(size, stream(seed, SHUFFLE))


def leaves(seed: bytes, size: int) -> tuple[bytes, ...]:
    """Return the leaves of a deck's tree: each is the hash of a card, its place and a salt of its own."""
    opened = zip(_salts(seed, size), enumerate(deck_of(seed, size)), strict=True)
    # As `leaf`, written out: four decks a deal have two hundred of them.
    return tuple([sha256(LEAF + salt + bytes(placed)).digest() for salt, placed in opened])


def leaf(salt: bytes, at: int, card: int) -> bytes:
    """Return a leaf. Without its 16 salt bytes it tells nothing of its card, and with them it fits no other."""
    return digest(LEAF, salt, bytes((at, card)))


def deck_root(seed: bytes, size: int) -> bytes:
    """Return the root of a deck's tree."""
    return root(leaves(seed, size))


def deck_roots(secret: bytes, size: int) -> tuple[bytes, ...]:
    """Return the roots of a deal's decks, as `deck_root` has them."""
    roots = _kernel.deck_roots(b"".join(derive_seeds(secret)), size)
    return tuple([roots[at : at + ROOT] for at in range(0, len(roots), ROOT)])


def commitment(context: str, size: int, deck_roots: Sequence[bytes]) -> bytes:
    """Return the one hash that fixes the decks of a deal; `context` names the table and the deal."""
    return digest(COMMITMENT, bytes([size]), *deck_roots, context.encode())


def context_of(table: str, number: int) -> str:
    """Return what a commitment is for: the table and the commitment's number there."""
    return f"{table} {number}"


def draw_deck(fixed: bytes, size: int, links: Iterable[tuple[int, bytes]]) -> DeckDraw:
    """Return what a commitment and the links (seat, link) that came in time decide; their order is by seat."""
    ordered = sorted(links)
    entropy = digest(ENTROPY, fixed, *[bytes([seat]) + link for seat, link in ordered])
    chosen = uniform_below(DECKS, stream(entropy, CHOICE))
    return DeckDraw(chosen, permutation(size, stream(entropy, CUT)))


def cut_deck(seed: bytes, cut: Sequence[int]) -> tuple[int, ...]:
    """Return the deck as it is dealt, the top card first."""
    cards = deck_of(seed, len(cut))
    return tuple([cards[at] for at in cut])


def proofs(seed: bytes, size: int, indexes: Iterable[int]) -> tuple[Proof, ...]:
    """Return what opens these leaves of a deck, and no other."""
    cards, salts, ways = deck_of(seed, size), _salts(seed, size), audit_paths(leaves(seed, size))
    return tuple(Proof(cards[at], salts[at], ways[at]) for at in indexes)


def _salts(seed: bytes, size: int) -> tuple[bytes, ...]:
    salts = b"".join([block(seed, SALTS, counter) for counter in range((size + 1) // 2)])
    return tuple([salts[SALT * at : SALT * (at + 1)] for at in range(size)])
