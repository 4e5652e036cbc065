"""Decks are fixed before players add to them, and dealt as these cut them (docs/fair.md; issue 12, part 5)."""

from __future__ import annotations

import pytest

from tests.table.evening import SEATS, Evening, fair_evening
from triptych.cards import parse_cards
from triptych.deal.events import DeckShuffled
from triptych.deal.visibility import Public, Sealed
from triptych.fair.chain import make_chain
from triptych.fair.decks import cut_deck, derive_seeds
from triptych.fair.record import DeckRecord, draw_of, verify
from triptych.table import commands as c
from triptych.table import events as e
from triptych.table.aggregate import TableState, evolve
from triptych.table.codec import decode, encode
from triptych.table.commitment_state import NO_COMMITMENT
from triptych.table.errors import TableError

ANN = [link.hex() for link in make_chain(b"\x01" * 32, 200)]
BOB = [link.hex() for link in make_chain(b"\x02" * 32, 200)]


def commitment(evening: Evening) -> int:
    fair = evening.state().fair
    assert fair.size
    return fair.number


def record(evening: Evening) -> DeckRecord:
    """Return what everybody is told of the deal on the table, out of the events alone."""
    opened = last(evening, e.DecksOpened)
    fixed = next(
        event.event
        for event in evening.log
        if isinstance(event.event, e.DecksCommitted) and event.event.number == opened.number
    )
    return DeckRecord("t1", opened.number, fixed.size, fixed.roots, opened.links, opened.seeds)


def last(evening: Evening, kind: type[e.DecksOpened]) -> e.DecksOpened:
    return next(event.event for event in reversed(evening.log) if isinstance(event.event, kind))


def deck_of(evening: Evening) -> tuple[int, ...]:
    shuffled = next(event.event for event in reversed(evening.log) if isinstance(event.event, DeckShuffled))
    return tuple(parse_cards("".join(shuffled.cards)))


def test_decks_are_fixed_when_a_deal_is_to_come_and_the_next_ones_while_it_is_played() -> None:
    evening = fair_evening(people=1)
    assert evening.state().fair == NO_COMMITMENT
    evening.ask("bob", c.Sit(1, 100))
    assert (commitment(evening), evening.state().settled) == (1, True)
    evening.begin()
    assert (commitment(evening), evening.state().settled) == (2, False)
    kinds = evening.kinds()
    assert kinds.index("DecksCommitted") < kinds.index("DecksOpened") < kinds.index("DeckShuffled")
    assert kinds.count("DecksCommitted") == 2


def test_the_deal_is_the_one_that_commitment_and_links_make() -> None:
    evening = fair_evening()
    evening.ask("ann", c.CommitChain(ANN[0]))
    evening.play()
    evening.ask("ann", c.RevealLink(commitment(evening), ANN[1]))
    evening.begin()
    told = record(evening)
    assert [one.seat for one in told.links] == [0]
    assert verify(told) == {}
    sealed = next(
        event.event
        for event in evening.log
        if isinstance(event.event, e.DecksSealed) and event.event.number == told.number
    )
    drawn = draw_of(told)
    assert deck_of(evening) == cut_deck(derive_seeds(bytes.fromhex(sealed.seed))[drawn.chosen], drawn.cut)
    assert told.seeds[drawn.chosen] == ""


def test_a_link_changes_the_cards_and_silence_is_left_out() -> None:
    decks = set()
    for links in ((), ("ann",), ("ann", "bob")):
        evening = fair_evening()
        evening.ask("ann", c.CommitChain(ANN[0]))
        evening.ask("bob", c.CommitChain(BOB[0]))
        evening.play()
        for player in links:
            evening.ask(player, c.RevealLink(commitment(evening), (ANN if player == "ann" else BOB)[1]))
        evening.begin()
        assert {SEATS[one.seat] for one in record(evening).links} == set(links)
        decks.add(deck_of(evening))
    assert len(decks) == 3


def test_a_chain_comes_with_the_seat_and_counts_for_the_first_deal() -> None:
    evening = fair_evening(people=1)
    evening.ask("bob", c.Sit(1, 100, BOB[0]))
    assert evening.see("ann").fair.chains[0].since == 1
    evening.ask("bob", c.RevealLink(1, BOB[1]))
    evening.begin()
    assert [one.seat for one in record(evening).links] == [1]


def test_a_chain_fixed_after_a_commitment_waits_for_the_next_one() -> None:
    """Whoever has seen other links, or knows the deck, chooses nothing any more."""
    evening = fair_evening()
    evening.ask("ann", c.CommitChain(ANN[0]))
    with pytest.raises(TableError) as refused:
        evening.ask("ann", c.RevealLink(1, ANN[1]))
    assert refused.value.code == "link.not_asked"
    evening.begin()
    evening.ask("ann", c.RevealLink(2, ANN[1]))
    assert evening.see("bob").fair.chains[0].given


def test_a_link_that_was_late_is_not_given_again() -> None:
    evening = fair_evening(people=1)
    evening.ask("bob", c.Sit(1, 100, BOB[0]))
    evening.begin()
    with pytest.raises(TableError, match="left out"):
        evening.ask("bob", c.RevealLink(1, BOB[1]))
    evening.ask("bob", c.RevealLink(2, BOB[2]))
    evening.play()
    evening.begin()
    told = record(evening)
    assert [(one.head, one.link) for one in told.links] == [(BOB[0], BOB[2])]
    assert verify(told) == {}


@pytest.mark.parametrize(
    ("link", "code"), [(BOB[1], "link.wrong"), (ANN[66], "link.wrong"), (ANN[0], "link.wrong"), (ANN[65], "")]
)
def test_only_links_of_ones_own_chain_that_follow_soon_are_taken(link: str, code: str) -> None:
    evening = fair_evening()
    evening.ask("ann", c.CommitChain(ANN[1]))
    evening.begin()
    if not code:
        evening.ask("ann", c.RevealLink(2, link))
        with pytest.raises(TableError, match="already"):
            evening.ask("ann", c.RevealLink(2, link))
        return
    with pytest.raises(TableError) as refused:
        evening.ask("ann", c.RevealLink(2, link))
    assert refused.value.code == code


def test_spectators_add_nothing() -> None:
    evening = fair_evening()
    for request in (c.CommitChain(ANN[0]), c.RevealLink(1, ANN[1])):
        with pytest.raises(TableError) as refused:
            evening.ask("cid", request)
        assert refused.value.code == "player.not_seated"


def test_who_leaves_takes_the_chain_along_and_what_was_given_counts() -> None:
    evening = fair_evening(people=3)
    evening.ask("cid", c.CommitChain(ANN[0]))
    evening.play()
    number = commitment(evening)
    evening.ask("cid", c.RevealLink(number, ANN[1]))
    evening.ask("cid", c.Leave())
    assert evening.see("ann").fair.chains == ()
    evening.ask("dan", c.Sit(2, 100))
    with pytest.raises(TableError, match="left out"):
        evening.ask("dan", c.RevealLink(commitment(evening), ANN[2]))
    evening.begin()
    told = record(evening)
    assert told.number == number
    assert [one.link for one in told.links] == [ANN[1]]
    assert verify(told) == {}


def test_decks_that_are_never_dealt_are_counted() -> None:
    evening = fair_evening()
    assert evening.see("cid").fair.dropped == 0
    evening.ask("ann", c.ChangeRules("pineapple_joker"))
    fair = evening.see("cid").fair
    assert (fair.dropped, fair.number, evening.state().fair.size) == (1, 2, 54)
    evening.begin()
    assert sorted(deck_of(evening)) == list(range(54))
    assert evening.see("cid").fair.dealt == 2


def test_a_table_that_was_played_before_there_were_commitments_goes_on() -> None:
    old = Evening()
    old.play()
    assert old.state().fair == NO_COMMITMENT
    evening = fair_evening()
    evening.set(old.state())
    evening.begin()
    # It was scheduled without a commitment: the one of this deal is made as it begins.
    assert evening.see("ann").fair.dealt == 1
    assert commitment(evening) == 2


def test_a_restart_brings_back_the_same_decks() -> None:
    evening = fair_evening()
    evening.ask("ann", c.CommitChain(ANN[0]))
    evening.play()
    evening.ask("ann", c.RevealLink(commitment(evening), ANN[1]))
    state: TableState | None = None
    for event in evening.log:
        state = evolve(state, decode(*encode(event)))
    assert state == evening.state()


def test_what_decks_are_made_of_is_sealed_and_never_printed() -> None:
    evening = fair_evening()
    evening.play()
    evening.begin()
    state = evening.state()
    assert state.fair.dealt is not None
    secrets = [state.fair.seed, state.fair.dealt.seed]
    for event in evening.log:
        if isinstance(event.event, e.DecksSealed):
            assert isinstance(event, Sealed)
            secrets.append(event.event.seed)
    assert all(len(secret) == 64 for secret in secrets)
    told = b"".join(encode(event)[2] for event in evening.log if isinstance(event, Public)).decode()
    for secret in secrets:
        assert secret not in told
        assert secret not in repr(state) + repr(evening.log)
        assert all(secret not in repr(evening.see(player)) for player in SEATS)
