"""`triptych.Match` goes as a match at a table: button, fantasylands, stacks, prizes, its end (issue 33, part 1)."""

from __future__ import annotations

from random import Random

import pytest

import triptych
from tests.deal.play import random_layout
from tests.loops import case
from tests.table.session import LAND, LOW, PLAIN, QUADS, SEATS, Session
from triptych.cards import card_text, deck
from triptych.deal.actions import Announce, ClaimNatural, ClockAction, Declare, Place
from triptych.deal.closed_actions import natural_of
from triptych.deal.events import DeckShuffled
from triptych.deal.state import DealState, acting_hands, phase
from triptych.deal.timeout import timeout_action
from triptych.table import events as e

# A match of every kind, and what else bears on who plays and what is paid.
GAMES: tuple[tuple[str, dict[str, object], int, int], ...] = (
    ("pineapple", {}, 2, 100),
    ("pineapple", {"match.kind": "orbit"}, 3, 30),
    ("pineapple", {"match.kind": "orbit", "fantasyland.button": "stay"}, 2, 100),
    ("pineapple_progressive", {"match.kind": "deals:4"}, 3, 12),
    ("ofc_american", {"match.kind": "deals:3", "settlement.cap": "none"}, 4, 25),
    ("turbo", {"match.kind": "points:15", "match.prize": "short"}, 2, 40),
    ("closed_1_6", {"match.kind": "endless"}, 4, 8),
    ("closed_2_4", {"match.kind": "deals:3", "settlement.loss_limit": 2}, 3, 50),
    ("criss_cross", {"match.kind": "deals:3"}, 2, 9),
    ("pineapple_27", {"settlement.credit": True}, 3, 0),
    ("first_to_11", {"match.prize": 5}, 4, 60),
)
# Queens before a plain board bring a fantasyland, quads repeat it.
CANNED: tuple[tuple[str, ...], ...] = ((LAND, PLAIN), (QUADS, PLAIN), (LOW, PLAIN))


def boards_for(people: int, boards: tuple[str, ...]) -> dict[int, str]:
    """Return boards by seat, those of further seats made of the cards that are left."""
    text = "".join(boards)
    left = [card for card in map(card_text, deck()) if card not in text]
    found = dict(enumerate(boards))
    for seat in range(len(boards), people):
        own, left = left[:13], left[13:]
        found[seat] = "/".join("".join(row) for row in (own[:3], own[3:8], own[8:]))
    return found


def choice(state: DealState, hand: int, rng: Random) -> ClockAction:
    """Return what a player does: what the clock would do where cards lie in order, else something at random."""
    now = phase(state)
    if now == "announcing":
        return Announce(hand, rng.random() < 0.7)
    if now == "declaring":
        return Declare(hand, ("back",))
    if natural_of(state, state.hands[hand]):
        return ClaimNatural(hand)
    if rng.random() < 0.8:
        return timeout_action(state, hand)
    return Place(hand, random_layout(state, hand, rng))


def play_and_compare(preset: str, changes: dict[str, object], people: int, buy_in: int, seed: int) -> int:
    """Play a match at a table and by `Match` side by side; returns how many deals it had."""
    rng = Random(seed)
    rules = triptych.rules(preset, **changes, **{"seats.buy_in_min": 1, "timeout.layout": "received_back_first"})
    lands = seed % 2 and rules.deal.game == "pineapple"
    canned = [boards_for(people, boards) for boards in CANNED] if lands else []
    table = Session(rules, people=people, buy_in=buy_in, seed=seed, boards=canned)
    names = [name.title() for name in SEATS[:people]]
    stacks = dict.fromkeys(names, buy_in)
    match = triptych.Match(rules, names, stacks=stacks)
    while True:
        table.begin()
        deal = table.state().deal
        assert deal is not None
        start = len(table.log) - 1 - [type(one.event) for one in reversed(table.log)].index(e.DealBegan)
        began = table.log[start].event
        assert isinstance(began, e.DealBegan)
        cards = next(one.event.cards for one in table.log[start:] if isinstance(one.event, DeckShuffled))
        found = match.next_deal(deck=cards)
        assert (match.button, found.players) == (
            names[began.button],
            tuple(names[seat] for seat in began.seats),
        )
        assert [hand.fantasyland for hand in deal.hands] == [found.fantasyland(at) for at in range(len(deal.hands))]
        while not table.state().settled:
            deal = table.state().deal
            assert deal is not None
            hand = rng.choice(acting_hands(deal))
            action = choice(deal, hand, rng)
            table.ask(SEATS[deal.hands[hand].seat], action)  # type: ignore[arg-type]
            found.apply(action)
        assert found.is_over
        state = table.state()
        assert match.stacks == {name: state.seats[seat].stack for seat, name in enumerate(names)}
        coming = {name: state.seats[seat].fantasyland for seat, name in enumerate(names)}
        assert match.fantasylands == {name: cards for name, cards in coming.items() if cards}
        if state.match is None:
            break
        assert not match.is_over
        assert match.points == dict(zip(names, state.match.points, strict=True))
    assert match.is_over
    assert match.paid == {name: match.stacks[name] - buy_in for name in names}
    with pytest.raises(triptych.TriptychError, match="the match is over"):
        match.next_deal()
    return len(match.deals)


@pytest.mark.parametrize(("preset", "changes", "people", "buy_in"), GAMES)
def test_a_match_goes_as_at_a_table(preset: str, changes: dict[str, object], people: int, buy_in: int) -> None:
    """Rules §5 and 6; the table's own tests say what is right there (tests/table/test_matches.py)."""
    for seed in (1, 2):
        with case(preset, seed):
            assert play_and_compare(preset, changes, people, buy_in, seed) >= 1


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "changes", "people", "buy_in"), GAMES)
def test_many_matches_go_as_at_a_table(preset: str, changes: dict[str, object], people: int, buy_in: int) -> None:
    for seed in range(3, 60):
        with case(preset, seed):
            play_and_compare(preset, changes, people, buy_in, seed)
