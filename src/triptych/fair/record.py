"""How a deal's deck came about, for everybody, and proofs of the cards that one reader knows: checked here.

All bytes are hex, cards are text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct

from triptych.cards import Card, card_text, parse_card
from triptych.fair.chain import is_successor
from triptych.fair.decks import DECKS, DeckDraw, commitment, context_of, cut_deck, deck_root, draw_deck, leaf, proofs
from triptych.fair.errors import FairError
from triptych.fair.merkle import root_from_path
from triptych.redacted import RedactedStruct

Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Salt = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Text = Annotated[str, Meta(pattern="^([2-9TJQKA][cdhs]|X[12])$")]
MAX_CARDS: Final = 54


class ChainLink(Struct, frozen=True, gc=False):
    """A player's part: the head of the seat's chain as it was fixed before the commitment, and the link after it."""

    seat: Annotated[int, Meta(ge=0, le=3)]
    head: Hash
    link: Hash


class Opening(RedactedStruct, frozen=True):
    """The proof of a card: `at` is its place in the dealt deck, 0 the top; `salt` and `path` lead to the root."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"card", "salt"})

    at: Annotated[int, Meta(ge=0, lt=MAX_CARDS)]
    card: Text
    salt: Salt
    path: Annotated[tuple[Hash, ...], Meta(max_length=6)]


class DeckRecord(Struct, frozen=True, gc=False):
    """How a deck came about, and the proofs of the cards that a reader may know.

    `roots`: what was committed; `links`: those that came in time; `seeds`: of the decks that are not dealt, "" in the
    place of the dealt one's.
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
    """Return which deck is dealt, and the order of its leaves."""
    fixed = commitment_of(record.table, record.number, record.size, record.roots)
    return draw_deck(fixed, record.size, [(one.seat, bytes.fromhex(one.link)) for one in record.links])


def openings(record: DeckRecord, seed: bytes, cards: Iterable[Card]) -> tuple[Opening, ...]:
    """Return the proofs of these cards, by their places in the dealt deck; `seed` made it."""
    cut = draw_of(record).cut
    deck = cut_deck(seed, cut)
    places = sorted(deck.index(card) for card in set(cards))
    paths = proofs(seed, record.size, [cut[at] for at in places])
    return tuple(
        Opening(at, card_text(Card(one.card)), one.salt.hex(), tuple(beside.hex() for beside in one.path))
        for at, one in zip(places, paths, strict=True)
    )


def verify(record: DeckRecord) -> dict[int, Card]:
    """Return the cards that are proved, by their places in the dealt deck. Raises FairError at what does not hold."""
    drawn = draw_of(record)
    _verify_links(record)
    _verify_decks(record, drawn.chosen)
    target = bytes.fromhex(record.roots[drawn.chosen])
    proved: dict[int, Card] = {}
    for index, one in enumerate(record.openings):
        where = f"$.openings[{index}]"
        card = parse_card(one.card)
        if one.at >= record.size or card >= record.size:
            raise FairError("fair.form", f"the deck has {record.size} cards", where)
        if one.at in proved or card in proved.values():
            raise FairError("fair.card", "this card, or its place, is proved already", where)
        at = drawn.cut[one.at]
        top = root_from_path(
            leaf(bytes.fromhex(one.salt), at, card), at, record.size, tuple(map(bytes.fromhex, one.path))
        )
        if top != target:
            raise FairError("fair.path", "the proof does not lead to what was committed", where)
        proved[one.at] = card
    return proved


def _verify_links(record: DeckRecord) -> None:
    seen: set[int] = set()
    for index, one in enumerate(record.links):
        where = f"$.links[{index}]"
        if one.seat in seen:
            raise FairError("fair.link", "this seat has given a link already", where)
        if not is_successor(bytes.fromhex(one.link), bytes.fromhex(one.head)):
            raise FairError("fair.link", "the link does not belong to the chain that was fixed", where)
        seen.add(one.seat)


def _verify_decks(record: DeckRecord, chosen: int) -> None:
    """Raise FairError when the decks that are not dealt are not open, or not what was committed."""
    for index, seed in enumerate(record.seeds):
        where = f"$.seeds[{index}]"
        if (index == chosen) != (seed == ""):
            raise FairError("fair.deck", f"deck {chosen} is dealt; it stays closed, all others are opened", where)
        if seed and deck_root(bytes.fromhex(seed), record.size).hex() != record.roots[index]:
            raise FairError("fair.deck", "the opened deck is not the one that was committed", where)
