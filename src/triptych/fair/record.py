"""The public record of a deal's deck, with proofs of the cards that one viewer knows, and its verification.

All bytes are hex, cards are text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct

from triptych.cards import Card, card_text, parse_card
from triptych.fair.decks import DECKS, DeckDraw, commitment, context_of, cut_deck, deck_root, draw_deck, leaf, proofs
from triptych.fair.errors import FairError
from triptych.fair.hashes import is_successor
from triptych.fair.merkle import root_from_path
from triptych.redacted import RedactedStruct

Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Salt = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Text = Annotated[str, Meta(pattern="^([2-9TJQKA][cdhs]|X[12])$")]
MAX_CARDS: Final = 54


class ChainLink(Struct, frozen=True, gc=False):
    """A player's link: the head of the seat's chain, fixed before the commitment, and the link after it."""

    seat: Annotated[int, Meta(ge=0, le=3)]
    head: Hash
    link: Hash


class Opening(RedactedStruct, frozen=True):
    """The proof of a card: `at` is its index in the dealt deck, 0 is the top; `salt` and `path` lead to the root."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"card", "salt"})

    at: Annotated[int, Meta(ge=0, lt=MAX_CARDS)]
    card: Text
    salt: Salt
    path: Annotated[tuple[Hash, ...], Meta(max_length=6)]


class DeckRecord(Struct, frozen=True, gc=False):
    """The record of a deck, and the proofs of the cards that a viewer may know.

    `roots`: the committed roots; `links`: those that came in time; `seeds`: those of the decks that are not dealt, ""
    for the dealt one.
    """

    table: str
    number: Annotated[int, Meta(ge=1)]
    size: Annotated[int, Meta(ge=52, le=MAX_CARDS)]
    roots: Annotated[tuple[Hash, ...], Meta(min_length=DECKS, max_length=DECKS)]
    links: tuple[ChainLink, ...]
    seeds: Annotated[tuple[Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")], ...], Meta(min_length=4, max_length=4)]
    openings: tuple[Opening, ...] = ()


def commitment_of(table: str, number: int, size: int, roots: Iterable[str]) -> bytes:
    """Return the commitment over the roots of a deal's decks."""
    return commitment(context_of(table, number), size, tuple(map(bytes.fromhex, roots)))


def draw_of(record: DeckRecord) -> DeckDraw:
    """Return the dealt deck's index, and the order of its leaves."""
    commitment_hash = commitment_of(record.table, record.number, record.size, record.roots)
    return draw_deck(commitment_hash, record.size, [(link.seat, bytes.fromhex(link.link)) for link in record.links])


def openings(record: DeckRecord, seed: bytes, cards: Iterable[Card]) -> tuple[Opening, ...]:
    """Return the proofs of these cards, by their indices in the deck that `seed` gives."""
    cut = draw_of(record).cut
    deck = cut_deck(seed, cut)
    indices = sorted(deck.index(card) for card in set(cards))
    deck_proofs = proofs(seed, record.size, [cut[index] for index in indices])
    return tuple(
        Opening(index, card_text(Card(proof.card)), proof.salt.hex(), tuple(node.hex() for node in proof.path))
        for index, proof in zip(indices, deck_proofs, strict=True)
    )


def verify(record: DeckRecord) -> dict[int, Card]:
    """Return the proved cards by their indices in the dealt deck. Raises FairError for an invalid record."""
    draw = draw_of(record)
    _verify_links(record)
    _verify_decks(record, draw.chosen)
    expected_root = bytes.fromhex(record.roots[draw.chosen])
    proved: dict[int, Card] = {}
    for index, opening in enumerate(record.openings):
        json_path = f"$.openings[{index}]"
        card = parse_card(opening.card)
        if opening.at >= record.size or card >= record.size:
            raise FairError("fair.form", f"the deck has {record.size} cards", json_path)
        if opening.at in proved or card in proved.values():
            raise FairError("fair.card", "this card, or its place, is proved already", json_path)
        leaf_index = draw.cut[opening.at]
        proof_root = root_from_path(
            leaf(bytes.fromhex(opening.salt), leaf_index, card),
            leaf_index,
            record.size,
            tuple(map(bytes.fromhex, opening.path)),
        )
        if proof_root != expected_root:
            raise FairError("fair.path", "the proof does not lead to what was committed", json_path)
        proved[opening.at] = card
    return proved


def _verify_links(record: DeckRecord) -> None:
    seats: set[int] = set()
    for index, link in enumerate(record.links):
        json_path = f"$.links[{index}]"
        if link.seat in seats:
            raise FairError("fair.link", "this seat has given a link already", json_path)
        if not is_successor(bytes.fromhex(link.link), bytes.fromhex(link.head)):
            raise FairError("fair.link", "the link does not belong to the chain that was fixed", json_path)
        seats.add(link.seat)


def _verify_decks(record: DeckRecord, chosen: int) -> None:
    """Raise FairError when a deck that is not dealt is not opened, or is not the committed one."""
    for index, seed in enumerate(record.seeds):
        json_path = f"$.seeds[{index}]"
        if (index == chosen) != (seed == ""):
            raise FairError("fair.deck", f"deck {chosen} is dealt; it stays closed, all others are opened", json_path)
        if seed and deck_root(bytes.fromhex(seed), record.size).hex() != record.roots[index]:
            raise FairError("fair.deck", "the opened deck is not the one that was committed", json_path)
