"""Decks that are fixed before they are dealt: derived from a secret, committed, cut by all, opened card by card.

docs/explanation/fairness.md explains what this proves and what it does not.
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

# Decks that are committed for each deal; all but the dealt one are opened completely.
DECKS: Final = 4
# Lengths in bytes.
SALT: Final = 16
SECRET: Final = 32
ROOT: Final = 32


class Proof(RedactedStruct, frozen=True):
    """The proof of one leaf of a deck's tree: the card (its number), its salt, and its audit path."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"card", "salt"})

    card: int
    salt: bytes
    path: tuple[bytes, ...]


class DeckDraw(NamedTuple):
    """The result of the players' entropy: the index of the dealt deck, and the order of its leaves."""

    chosen: int
    cut: tuple[int, ...]


def derive_seeds(secret: bytes) -> tuple[bytes, ...]:
    """Return the seeds of a deal's decks; a seed reveals nothing of the secret or of another seed."""
    return tuple([digest(SEED, secret, bytes([index])) for index in range(DECKS)])


def deck_of(seed: bytes, size: int) -> tuple[int, ...]:
    """Return the cards (0 to `size` - 1) of a deck in the order of its leaves."""
    return permutation(size, stream(seed, SHUFFLE))


def leaves(seed: bytes, size: int) -> tuple[bytes, ...]:
    """Return the leaves of a deck's tree: each is the hash of a card, its index and its own salt."""
    salted = zip(_salts(seed, size), enumerate(deck_of(seed, size)), strict=True)
    # `leaf` inlined for speed: four decks a deal have two hundred leaves.
    return tuple([sha256(LEAF + salt + bytes(indexed_card)).digest() for salt, indexed_card in salted])


def leaf(salt: bytes, at: int, card: int) -> bytes:
    """Return a leaf. Without its 16 salt bytes it hides its card; with them it proves only this card."""
    return digest(LEAF, salt, bytes((at, card)))


def deck_root(seed: bytes, size: int) -> bytes:
    """Return the root of a deck's tree."""
    return root(leaves(seed, size))


def deck_roots(secret: bytes, size: int) -> tuple[bytes, ...]:
    """Return the roots of a deal's decks, each as `deck_root`."""
    roots = _kernel.deck_roots(b"".join(derive_seeds(secret)), size)
    return tuple([roots[at : at + ROOT] for at in range(0, len(roots), ROOT)])


def commitment(context: str, size: int, deck_roots: Sequence[bytes]) -> bytes:
    """Return the hash that commits to the decks of a deal; `context` names the table and the deal."""
    return digest(COMMITMENT, bytes([size]), *deck_roots, context.encode())


def context_of(table: str, number: int) -> str:
    """Return a commitment's context: the table and the commitment's number there."""
    return f"{table} {number}"


def draw_deck(commitment_hash: bytes, size: int, links: Iterable[tuple[int, bytes]]) -> DeckDraw:
    """Return the dealt deck and its cut, from a commitment and the links (seat, link) that came in time."""
    ordered = sorted(links)
    entropy = digest(ENTROPY, commitment_hash, *[bytes([seat]) + link for seat, link in ordered])
    chosen = uniform_below(DECKS, stream(entropy, CHOICE))
    return DeckDraw(chosen, permutation(size, stream(entropy, CUT)))


def cut_deck(seed: bytes, cut: Sequence[int]) -> tuple[int, ...]:
    """Return the deck in dealing order, the top card first."""
    cards = deck_of(seed, len(cut))
    return tuple([cards[index] for index in cut])


def proofs(seed: bytes, size: int, indexes: Iterable[int]) -> tuple[Proof, ...]:
    """Return the proofs of these leaves of a deck."""
    cards, salts, paths = deck_of(seed, size), _salts(seed, size), audit_paths(leaves(seed, size))
    return tuple(Proof(cards[index], salts[index], paths[index]) for index in indexes)


def _salts(seed: bytes, size: int) -> tuple[bytes, ...]:
    salts = b"".join([block(seed, SALTS, counter) for counter in range((size + 1) // 2)])
    return tuple([salts[SALT * index : SALT * (index + 1)] for index in range(size)])
