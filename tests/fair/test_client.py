"""The client's own verifier, in TypeScript, says of records what Python says (issue 12, Shown by 7)."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec.structs import replace

from scripts.node import NODE
from tests.fair.chains import make_chain
from tests.fair.test_record import LIES, proved
from triptych.cards import Card, card_text
from triptych.fair.decks import commitment, cut_deck, deck_roots, derive_seeds, draw_deck
from triptych.fair.record import ChainLink, DeckRecord, commitment_of, openings, verify

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent
VERIFIER = HERE.parents[1] / "client" / "src" / "features" / "fairness" / "model" / "verify.ts"
VECTORS = HERE / "vectors.json"

pytestmark = pytest.mark.skipif(
    not (VERIFIER.parents[4] / "node_modules" / "@noble").is_dir(), reason="the client's packages are not installed"
)


def some_record(rng: Random) -> DeckRecord:
    """Return a deal of any deck and company, with the proofs of some cards."""
    size, secret = rng.choice([52, 53, 54]), rng.randbytes(32)
    links = []
    for seat in sorted(rng.sample(range(4), rng.randint(0, 4))):
        head, *rest = make_chain(rng.randbytes(32), 64)
        links.append(ChainLink(seat, head.hex(), rest[rng.choice([0, 0, 1, 5, 63])].hex()))
    table, number = rng.choice(["a", "7kq2xw9z"]), rng.randint(1, 5000)
    tops = deck_roots(secret, size)
    drawn = draw_deck(
        commitment(f"{table} {number}", size, tops),
        size,
        [(link.seat, bytes.fromhex(link.link)) for link in links],
    )
    seeds = derive_seeds(secret)
    record = DeckRecord(
        table,
        number,
        size,
        tuple(top.hex() for top in tops),
        tuple(links),
        tuple("" if at == drawn.chosen else seed.hex() for at, seed in enumerate(seeds)),
    )
    deck = cut_deck(seeds[drawn.chosen], drawn.cut)
    opened = [Card(card) for card in rng.sample(deck, rng.randint(0, size))]
    return replace(record, openings=openings(record, seeds[drawn.chosen], opened))


def verify_by_client(records: list[DeckRecord], heads: Sequence[dict[int, str]] = ()) -> dict[str, Any]:
    """Return what the client says of records, and of the chains' heads as it saw them before each."""
    question = msgspec.json.encode({"last": "07" * 32, "records": records, "heads": heads})
    run = subprocess.run(
        [str(NODE), "--no-warnings", str(HERE / "verify.mjs"), str(VERIFIER)],
        input=question,
        capture_output=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


@cache
def verdicts() -> dict[str, Any]:
    """Return what the client says of each lie, one process for all."""
    answer = verify_by_client([proved(), *(falsify(proved()) for falsify, _ in LIES.values())])
    return dict(zip(("the truth", *LIES), answer["records"], strict=True))


@pytest.mark.parametrize("name", LIES)
def test_the_client_finds_each_false_record(name: str) -> None:
    assert "cards" in verdicts()["the truth"]
    assert "refused" in verdicts()[name]


def test_the_client_proves_the_same_cards_from_the_same_hashes() -> None:
    rng = Random(12)
    records = [some_record(rng) for _ in range(60)]
    answer = verify_by_client(records)
    assert answer["chain"] == [link.hex() for link in make_chain(b"\x07" * 32, 5)]
    for record, entry in zip(records, answer["records"], strict=True):
        assert entry["commitment"] == commitment_of(record.table, record.number, record.size, record.roots).hex()
        assert entry["cards"] == {str(at): card_text(card) for at, card in verify(record).items()}


def test_the_client_knows_chains_that_were_fixed_after_the_commitment() -> None:
    """Who fixes a chain with the server's help when the others' links are known could choose the cards."""
    record = proved()
    heads = {link.seat: link.head for link in record.links}
    first, second = record.links
    cases = {
        "as they were": (heads, True),
        "others beside": ({**heads, 3: "0" * 64}, True),
        "given already": ({**heads, second.seat: second.link}, True),
        "none before": ({first.seat: first.head}, False),
        "another before": ({**heads, second.seat: "0" * 64}, False),
        "none at all": ({}, False),
    }
    flags = verify_by_client([record] * len(cases), [record for record, _ in cases.values()])["fixed"]
    assert dict(zip(cases, flags, strict=True)) == {name: fixed for name, (_, fixed) in cases.items()}


def test_both_keep_to_the_vectors() -> None:
    """A third program may be written by these: who changes a hash changes them, and breaks all stored deals."""
    vectors = json.loads(VECTORS.read_text("utf-8"))
    records = msgspec.convert(vectors["records"], list[DeckRecord])
    for record, expected in zip(records, vectors["told"], strict=True):
        assert {str(at): card_text(card) for at, card in verify(record).items()} == expected["cards"]
        assert commitment_of(record.table, record.number, record.size, record.roots).hex() == expected["commitment"]
    answer = verify_by_client(records)
    assert answer["records"] == vectors["told"]
    assert answer["chain"] == vectors["chain"]
