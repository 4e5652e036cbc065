"""A proof holds for what was dealt, and for nothing else (docs/explanation/fairness.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.examples import examples
from tests.fair.chains import make_chain
from triptych.cards import Card
from triptych.fair.decks import DECKS, commitment, cut_deck, deck_roots, derive_seeds, draw_deck, leaves, proofs
from triptych.fair.errors import FairError
from triptych.fair.hashes import is_successor
from triptych.fair.merkle import audit_paths, root, root_from_path
from triptych.fair.record import ChainLink, DeckRecord, openings, verify

if TYPE_CHECKING:
    from collections.abc import Callable

SECRET = bytes(range(32))
ONE = make_chain(b"\x07" * 32, 3)
TWO = make_chain(b"\x09" * 32, 3)


def a_record(
    size: int = 52, links: tuple[ChainLink, ...] | None = None
) -> tuple[DeckRecord, bytes, tuple[Card, ...]]:
    """Return a deal without proofs, the seed of its deck, and the deck as it is dealt."""
    if links is None:
        links = (ChainLink(0, ONE[0].hex(), ONE[1].hex()), ChainLink(2, TWO[1].hex(), TWO[2].hex()))
    tops = deck_roots(SECRET, size)
    fixed = commitment("abcd 7", size, tops)
    drawn = draw_deck(fixed, size, [(link.seat, bytes.fromhex(link.link)) for link in links])
    seeds = derive_seeds(SECRET)
    opened = tuple("" if at == drawn.chosen else seed.hex() for at, seed in enumerate(seeds))
    record = DeckRecord("abcd", 7, size, tuple(top.hex() for top in tops), links, opened)
    deck = tuple(map(Card, cut_deck(seeds[drawn.chosen], drawn.cut)))
    return record, seeds[drawn.chosen], deck


def proved(size: int = 52, places: tuple[int, ...] = (0, 1, 2, 3, 4, 17)) -> DeckRecord:
    record, seed, deck = a_record(size)
    return replace(record, openings=openings(record, seed, [deck[at] for at in places]))


@pytest.mark.parametrize("size", [52, 53, 54])
def test_the_cards_of_a_deal_are_proved_at_their_places(size: int) -> None:
    record, seed, deck = a_record(size)
    assert sorted(deck) == list(range(size))
    whole = replace(record, openings=openings(record, seed, deck))
    assert verify(whole) == dict(enumerate(deck))
    assert verify(record) == {}


def test_a_player_without_a_link_is_left_out_and_the_cards_differ() -> None:
    decks = {a_record(links=links)[2] for links in ((), a_record()[0].links[:1], a_record()[0].links)}
    assert len(decks) == 3


def lie(record: DeckRecord, index: int, **changes: object) -> DeckRecord:
    changed_openings = list(record.openings)
    changed_openings[index] = replace(changed_openings[index], **changes)
    return replace(record, openings=tuple(changed_openings))


def other(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


LIES: dict[str, tuple[Callable[[DeckRecord], DeckRecord], str]] = {
    "another card": (lambda r: lie(r, 1, card="Ah" if r.openings[1].card != "Ah" else "As"), "fair.path"),
    "another place": (lambda r: lie(r, 1, at=40), "fair.path"),
    "two cards changed over": (
        lambda r: lie(lie(r, 0, card=r.openings[1].card), 1, card=r.openings[0].card),
        "fair.path",
    ),
    "another salt": (lambda r: lie(r, 2, salt=other(r.openings[2].salt)), "fair.path"),
    "another path": (lambda r: lie(r, 2, path=(other(r.openings[2].path[0]), *r.openings[2].path[1:])), "fair.path"),
    "a path too short": (lambda r: lie(r, 2, path=r.openings[2].path[:-1]), "fair.path"),
    "a path too long": (lambda r: lie(r, 2, path=(*r.openings[2].path, "0" * 64)), "fair.path"),
    "a card twice": (lambda r: replace(r, openings=(*r.openings, r.openings[0])), "fair.card"),
    "a joker in a deck without": (lambda r: lie(r, 0, card="X1"), "fair.form"),
    "another table": (lambda r: replace(r, table="abce"), "fair"),
    "another deal": (lambda r: replace(r, number=8), "fair"),
    "another root": (lambda r: replace(r, roots=(other(r.roots[0]), *r.roots[1:])), "fair"),
    "a link left out": (lambda r: replace(r, links=r.links[:1]), "fair"),
    "a link of no chain": (lambda r: replace(r, links=(replace(r.links[0], link="0" * 64), r.links[1])), "fair"),
    "a head of no chain": (
        lambda r: replace(r, links=(replace(r.links[0], head="0" * 64), r.links[1])),
        "fair.link",
    ),
    "a link moved to another seat": (lambda r: replace(r, links=(replace(r.links[0], seat=1), r.links[1])), "fair"),
    "another deck opened": (
        lambda r: replace(r, seeds=tuple(other(seed) if seed else "" for seed in r.seeds)),
        "fair.deck",
    ),
    "the dealt deck opened too": (
        lambda r: replace(r, seeds=tuple(seed or "0" * 64 for seed in r.seeds)),
        "fair.deck",
    ),
    "a deck kept closed": (lambda r: replace(r, seeds=("",) * DECKS), "fair.deck"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_false_record_is_found(name: str) -> None:
    falsify, code = LIES[name]
    with pytest.raises(FairError) as error:
        verify(falsify(proved()))
    assert error.value.code.startswith(code)


def test_a_deck_with_a_card_twice_is_found_unless_it_is_the_one_dealt() -> None:
    """Cut and choose: whoever makes one bad deck of four is found in three deals of four (Rabin 1978)."""
    record, _, _ = a_record()
    caught = 0
    for bad in range(DECKS):
        false = tuple("ab" * 32 if at == bad else root for at, root in enumerate(record.roots))
        drawn = draw_deck(commitment("abcd 7", 52, tuple(map(bytes.fromhex, false))), 52, [])
        opened = tuple("" if at == drawn.chosen else seed.hex() for at, seed in enumerate(derive_seeds(SECRET)))
        false_record = replace(record, roots=false, links=(), seeds=opened)
        if drawn.chosen == bad:
            verify(false_record)
        else:
            with pytest.raises(FairError, match="not the one that was committed"):
                verify(false_record)
            caught += 1
    assert caught >= 1


@given(st.integers(1, 54), st.data())
def test_a_path_leads_from_its_leaf_to_the_root_and_from_no_other_place(size: int, data: st.DataObject) -> None:
    leaf_hashes = [bytes([at]) * 32 for at in range(size)]
    at = data.draw(st.integers(0, size - 1))
    beside = audit_paths(leaf_hashes)[at]
    assert root_from_path(leaf_hashes[at], at, size, beside) == root(leaf_hashes)
    elsewhere = data.draw(st.integers(0, size - 1))
    if elsewhere != at:
        assert root_from_path(leaf_hashes[at], elsewhere, size, beside) != root(leaf_hashes)


def test_the_tree_is_the_one_of_rfc_6962() -> None:
    """Section 2.1.3's tree of seven leaves: ((a b)(c d)) ((e f) g); proofs of leaves 0, 3 and 6."""
    a, b, c, d, e, f, g = leaves_of_seven = [bytes([at]) * 32 for at in range(7)]
    h, i, j = root([a, b]), root([c, d]), root([e, f])
    k, l_ = root([a, b, c, d]), root([e, f, g])
    assert audit_paths(leaves_of_seven)[0] == (b, i, l_)
    assert audit_paths(leaves_of_seven)[3] == (c, h, l_)
    assert audit_paths(leaves_of_seven)[6] == (j, k)


@settings(max_examples=examples(30))
@given(st.binary(min_size=32, max_size=32), st.sets(st.integers(0, 51), max_size=20))
def test_a_proof_reveals_only_hashes_of_other_cards(secret: bytes, opened: set[int]) -> None:
    """What is told of a leaf that stays closed is its salted hash: no salt, nothing that the salts are made of."""
    seed = derive_seeds(secret)[0]
    payload = b"".join(proof.salt + b"".join(proof.path) for proof in proofs(seed, 52, sorted(opened)))
    closed = [proof.salt for at, proof in enumerate(proofs(seed, 52, range(52))) if at not in opened]
    assert all(salt not in payload for salt in closed)
    assert seed not in payload
    assert secret not in payload


def test_a_deck_has_other_leaves_each_time() -> None:
    """The same card at the same place, in another deck, is another hash: salts are of the deck's own secret."""
    every = [leaf for secret in (bytes(32), SECRET) for seed in derive_seeds(secret) for leaf in leaves(seed, 52)]
    assert len(set(every)) == len(every)


def test_a_chain_is_used_from_its_head_on() -> None:
    head, *links = make_chain(b"\x01" * 32, 50)
    for link in links:
        assert is_successor(link, head)
        assert not is_successor(head, link)
        head = link
    assert head == b"\x01" * 32
