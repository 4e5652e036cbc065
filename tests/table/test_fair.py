"""Decks are fixed before players add to them, and dealt as these cut them (docs: fairness; issue 12, part 5)."""

from __future__ import annotations

import pytest

from tests.fair.chains import make_chain
from tests.table.session import SEATS, Session, fair_session
from triptych.cards import parse_cards
from triptych.deal.events import DeckShuffled
from triptych.deal.visibility import Public, Sealed
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


def commitment(session: Session) -> int:
    fair = session.state().fair
    assert fair.size
    return fair.number


def record(session: Session) -> DeckRecord:
    """Return the public deck record of the deal on the table, out of the events alone."""
    opened = last(session, e.DecksOpened)
    fixed = next(
        event.event
        for event in session.log
        if isinstance(event.event, e.DecksCommitted) and event.event.number == opened.number
    )
    return DeckRecord("t1", opened.number, fixed.size, fixed.roots, opened.links, opened.seeds)


def last(session: Session, kind: type[e.DecksOpened]) -> e.DecksOpened:
    return next(event.event for event in reversed(session.log) if isinstance(event.event, kind))


def deck_of(session: Session) -> tuple[int, ...]:
    shuffled = next(event.event for event in reversed(session.log) if isinstance(event.event, DeckShuffled))
    return tuple(parse_cards("".join(shuffled.cards)))


def test_decks_are_fixed_before_a_deal_and_the_next_decks_while_it_is_played() -> None:
    session = fair_session(people=1)
    assert session.state().fair == NO_COMMITMENT
    session.ask("bob", c.Sit(1, 100))
    assert (commitment(session), session.state().settled) == (1, True)
    session.begin()
    assert (commitment(session), session.state().settled) == (2, False)
    kinds = session.kinds()
    assert kinds.index("DecksCommitted") < kinds.index("DecksOpened") < kinds.index("DeckShuffled")
    assert kinds.count("DecksCommitted") == 2


def test_the_deal_is_the_one_that_commitment_and_links_make() -> None:
    session = fair_session()
    session.ask("ann", c.CommitChain(ANN[0]))
    session.play()
    session.ask("ann", c.RevealLink(commitment(session), ANN[1]))
    session.begin()
    deal_record = record(session)
    assert [link.seat for link in deal_record.links] == [0]
    assert verify(deal_record) == {}
    sealed = next(
        event.event
        for event in session.log
        if isinstance(event.event, e.DecksSealed) and event.event.number == deal_record.number
    )
    drawn = draw_of(deal_record)
    assert deck_of(session) == cut_deck(derive_seeds(bytes.fromhex(sealed.seed))[drawn.chosen], drawn.cut)
    assert deal_record.seeds[drawn.chosen] == ""


def test_a_link_changes_the_cards_and_silence_is_left_out() -> None:
    decks = set()
    for links in ((), ("ann",), ("ann", "bob")):
        session = fair_session()
        session.ask("ann", c.CommitChain(ANN[0]))
        session.ask("bob", c.CommitChain(BOB[0]))
        session.play()
        for player in links:
            session.ask(player, c.RevealLink(commitment(session), (ANN if player == "ann" else BOB)[1]))
        session.begin()
        assert {SEATS[link.seat] for link in record(session).links} == set(links)
        decks.add(deck_of(session))
    assert len(decks) == 3


def test_a_chain_comes_with_the_seat_and_counts_for_the_first_deal() -> None:
    session = fair_session(people=1)
    session.ask("bob", c.Sit(1, 100, BOB[0]))
    assert session.see("ann").fair.chains[0].since == 1
    session.ask("bob", c.RevealLink(1, BOB[1]))
    session.begin()
    assert [link.seat for link in record(session).links] == [1]


def test_a_chain_fixed_after_a_commitment_waits_for_the_next_one() -> None:
    """Whoever has seen other links, or knows the deck, chooses nothing any more."""
    session = fair_session()
    session.ask("ann", c.CommitChain(ANN[0]))
    with pytest.raises(TableError) as refused:
        session.ask("ann", c.RevealLink(1, ANN[1]))
    assert refused.value.code == "link.not_asked"
    session.begin()
    session.ask("ann", c.RevealLink(2, ANN[1]))
    assert session.see("bob").fair.chains[0].given


def test_a_link_that_was_late_is_not_given_again() -> None:
    session = fair_session(people=1)
    session.ask("bob", c.Sit(1, 100, BOB[0]))
    session.begin()
    with pytest.raises(TableError, match="too late"):
        session.ask("bob", c.RevealLink(1, BOB[1]))
    session.ask("bob", c.RevealLink(2, BOB[2]))
    session.play()
    session.begin()
    deal_record = record(session)
    assert [(link.head, link.link) for link in deal_record.links] == [(BOB[0], BOB[2])]
    assert verify(deal_record) == {}


@pytest.mark.parametrize(
    ("link", "code"), [(BOB[1], "link.wrong"), (ANN[66], "link.wrong"), (ANN[0], "link.wrong"), (ANN[65], "")]
)
def test_only_near_links_of_the_players_own_chain_are_taken(link: str, code: str) -> None:
    session = fair_session()
    session.ask("ann", c.CommitChain(ANN[1]))
    session.begin()
    if not code:
        session.ask("ann", c.RevealLink(2, link))
        with pytest.raises(TableError, match="already"):
            session.ask("ann", c.RevealLink(2, link))
        return
    with pytest.raises(TableError) as refused:
        session.ask("ann", c.RevealLink(2, link))
    assert refused.value.code == code


def test_spectators_add_nothing() -> None:
    session = fair_session()
    for request in (c.CommitChain(ANN[0]), c.RevealLink(1, ANN[1])):
        with pytest.raises(TableError) as refused:
            session.ask("cid", request)
        assert refused.value.code == "player.not_seated"


def test_a_leaving_player_takes_the_chain_along_and_given_links_count() -> None:
    session = fair_session(people=3)
    session.ask("cid", c.CommitChain(ANN[0]))
    session.play()
    number = commitment(session)
    session.ask("cid", c.RevealLink(number, ANN[1]))
    session.ask("cid", c.Leave())
    assert session.see("ann").fair.chains == ()
    session.ask("dan", c.Sit(2, 100))
    with pytest.raises(TableError, match="too late"):
        session.ask("dan", c.RevealLink(commitment(session), ANN[2]))
    session.begin()
    deal_record = record(session)
    assert deal_record.number == number
    assert [link.link for link in deal_record.links] == [ANN[1]]
    assert verify(deal_record) == {}


def test_decks_that_are_never_dealt_are_counted() -> None:
    session = fair_session()
    assert session.see("cid").fair.dropped == 0
    session.ask("ann", c.ChangeRules("pineapple_joker"))
    fair = session.see("cid").fair
    assert (fair.dropped, fair.number, session.state().fair.size) == (1, 2, 54)
    session.begin()
    assert sorted(deck_of(session)) == list(range(54))
    assert session.see("cid").fair.dealt == 2


def test_a_table_that_was_played_before_there_were_commitments_goes_on() -> None:
    old = Session()
    old.play()
    assert old.state().fair == NO_COMMITMENT
    session = fair_session()
    session.set(old.state())
    session.begin()
    # It was scheduled without a commitment: the one of this deal is made as it begins.
    assert session.see("ann").fair.dealt == 1
    assert commitment(session) == 2


def test_a_restart_brings_back_the_same_decks() -> None:
    session = fair_session()
    session.ask("ann", c.CommitChain(ANN[0]))
    session.play()
    session.ask("ann", c.RevealLink(commitment(session), ANN[1]))
    state: TableState | None = None
    for event in session.log:
        state = evolve(state, decode(*encode(event)))
    assert state == session.state()


def test_the_seeds_of_decks_are_sealed_and_never_printed() -> None:
    session = fair_session()
    session.play()
    session.begin()
    state = session.state()
    assert state.fair.dealt is not None
    secrets = [state.fair.seed, state.fair.dealt.seed]
    for event in session.log:
        if isinstance(event.event, e.DecksSealed):
            assert isinstance(event, Sealed)
            secrets.append(event.event.seed)
    assert all(len(secret) == 64 for secret in secrets)
    public_text = b"".join(encode(event)[2] for event in session.log if isinstance(event, Public)).decode()
    for secret in secrets:
        assert secret not in public_text
        assert secret not in repr(state) + repr(session.log)
        assert all(secret not in repr(session.see(player)) for player in SEATS)
