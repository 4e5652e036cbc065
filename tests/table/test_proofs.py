"""Everybody gets the proofs of the cards that they are shown, and of no others (docs: fairness, step 5)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.table.session import LAND, PLAIN, SEATS, Session, fair_session
from triptych.cards import UNKNOWN_CARD, Card, parse_card
from triptych.deal.view_types import BoardView, DealView
from triptych.fair.record import verify
from triptych.notation.history.model import History, record
from triptych.notation.history.verify_proofs import verify_history
from triptych.table.history import played_deal
from triptych.table.proofs import Proofs, history_proofs, proofs

VIEWERS = (*SEATS[:2], "spectator")


def visible_on(board: BoardView) -> set[Card]:
    rows = (*board.front.cards, *board.middle.cards, *board.back.cards)
    return {parse_card(text) for text in (*rows, *board.draws, *board.discards) if text != UNKNOWN_CARD}


def visible_cards(deal: DealView) -> set[Card]:
    return {card for board in deal.boards for card in visible_on(board)}


def proofs_for(session: Session, player: str) -> Proofs:
    state, deal = session.state(), session.see(player).deal
    assert state.fair.dealt is not None
    assert state.deal is not None
    assert deal is not None
    seat = SEATS.index(player) if player in SEATS else None
    return proofs(state.fair.dealt, state.deal, deal, seat)


@pytest.mark.parametrize(
    "rules", ["pineapple", "ofc_american", "turbo", "closed_1_6", "criss_cross", "pineapple_joker", "ofc_27"]
)
def test_at_every_moment_the_proofs_are_of_the_cards_in_the_view(rules: str) -> None:
    session = fair_session(rules)
    session.begin()
    while True:
        for player in VIEWERS:
            proof = proofs_for(session, player)
            deal = session.see(player).deal
            assert deal is not None
            assert set(verify(proof.record).values()) == visible_cards(deal)
            for opening in proof.record.openings:
                board = deal.boards[proof.order[opening.at]]
                assert parse_card(opening.card) in visible_on(board)
        if session.state().settled:
            break
        session.act()


def test_a_board_set_face_down_street_by_street_is_proved_to_its_owner_alone() -> None:
    """The only one outside fantasyland plays face down (Rules §2); where a card came from would tell its street."""
    session = Session("pineapple", boards=[{0: LAND, 1: PLAIN}])
    session.play()
    session.secret = lambda: bytes(32)
    session.play()
    covered = _covered(session)
    (hand,) = covered
    deal = session.state().deal
    assert deal is not None
    owner = SEATS[deal.hands[hand].seat]
    for player in VIEWERS:
        proof = proofs_for(session, player)
        mine = {opening.at for opening in proof.record.openings if proof.order[opening.at] == hand}
        assert bool(mine) == (player == owner)
        history = _history(session, player)
        verdict = verify_history(history)
        assert bool(verdict.unproved[hand]) == (player != owner)
        assert not any(cards for index, cards in enumerate(verdict.unproved) if index != hand)


def _covered(session: Session) -> list[int]:
    deal = session.state().deal
    assert deal is not None
    return [index for index in deal.plan.face_down if len(deal.hands[index].streets) > 1]


def _history(session: Session, player: str, number: int | None = None) -> History:
    played = played_deal(session.log, number or session.state().deals)
    assert played is not None
    seat = SEATS.index(player) if player in SEATS else None
    return replace(record(played.events, seat), fair=history_proofs(played.fair, played.deal, seat))


@pytest.mark.parametrize("rules", ["pineapple", "ofc_american", "closed_1_6", "criss_cross"])
def test_an_earlier_deals_history_has_the_same_proofs(rules: str) -> None:
    session = fair_session(rules)
    for _ in range(3):
        session.play()
    numbers = set()
    for number in (1, 2, 3):
        for player in VIEWERS:
            history = _history(session, player, number)
            verdict = verify_history(history)
            assert not any(verdict.unproved)
            assert history.fair is not None
            numbers.add(history.fair.number)
    assert numbers == {1, 2, 3}
