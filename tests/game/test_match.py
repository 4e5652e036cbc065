"""`triptych.Match` goes as a match at a table: button, fantasylands, stacks, prizes, its end (issue 33, part 1)."""

from __future__ import annotations

from random import Random

import pytest

import triptych
from tests.case_notes import case
from tests.deal.play import random_layout
from tests.table.session import LAND, LOW, PLAIN, QUADS, SEATS, Session
from triptych.cards import card_text, deck, parse_cards
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
    by_seat = dict(enumerate(boards))
    for seat in range(len(boards), people):
        own, left = left[:13], left[13:]
        by_seat[seat] = "/".join("".join(row) for row in (own[:3], own[3:8], own[8:]))
    return by_seat


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
    fantasylands = seed % 2 and rules.deal.game == "pineapple"
    canned = [boards_for(people, boards) for boards in CANNED] if fantasylands else []
    table = Session(rules, people=people, buy_in=buy_in, seed=seed, boards=canned)
    names = [name.title() for name in SEATS[:people]]
    stacks = dict.fromkeys(names, buy_in)
    match = triptych.Match(rules, names, stacks=stacks)
    while True:
        table.begin()
        deal = table.state().deal
        assert deal is not None
        start = len(table.log) - 1 - [type(emitted.event) for emitted in reversed(table.log)].index(e.DealBegan)
        began = table.log[start].event
        assert isinstance(began, e.DealBegan)
        cards = next(emitted.event.cards for emitted in table.log[start:] if isinstance(emitted.event, DeckShuffled))
        match_deal = match.next_deal(deck=cards)
        assert (match.button, match_deal.players) == (
            names[began.button],
            tuple(names[seat] for seat in began.seats),
        )
        assert [hand.fantasyland for hand in deal.hands] == [
            match_deal.fantasyland(at) for at in range(len(deal.hands))
        ]
        while not table.state().settled:
            deal = table.state().deal
            assert deal is not None
            hand = rng.choice(acting_hands(deal))
            action = choice(deal, hand, rng)
            table.ask(SEATS[deal.hands[hand].seat], action)  # type: ignore[arg-type]
            match_deal.apply(action)
        assert match_deal.is_over
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


def test_a_match_goes_on_by_itself() -> None:
    """The last player has the button first, or whom one names; a seed says all decks."""
    match = triptych.Match("ofc_american", ["Ann", "Bob", "Cem"], seed=5)
    assert (match.button, match.deal, match.deals, match.is_over) == ("Cem", None, (), False)
    assert triptych.Match(players=["Ann", "Bob"], button="Ann").button == "Ann"
    assert triptych.Match(players=["Ann", "Bob"], button="Ann").next_deal().players == ("Bob", "Ann")
    first = match.next_deal()
    with pytest.raises(triptych.TriptychError, match="not over"):
        match.next_deal()
    assert (match.points, match.is_over) == ({"Ann": 0, "Bob": 0, "Cem": 0}, False)
    deals = []
    for deal in match:
        deals.append(deal)
        while not deal.is_over:
            deal.time_out()
    assert deals[0] is first
    assert match.deals == tuple(deals)
    assert [deal.players[-1] for deal in deals[:3]] == ["Cem", "Ann", "Bob"]
    assert match.is_over
    assert [*match] == []
    again = triptych.Match("ofc_american", ["Ann", "Bob", "Cem"], seed=5)
    assert again.next_deal().cards == first.copy().history().steps[0].cards
    assert len(match.results) == len(deals)
    assert "over" in repr(match)
    assert sum(match.paid.values()) == sum(match.points.values()) == 0
    assert match.stacks is None


def test_a_player_who_missed_a_deal_does_not_play_its_fantasyland() -> None:
    """Rules §6: without points nobody is dealt in, and a fantasyland is played by those who played before it."""
    rules = triptych.rules("pineapple", **{"match.kind": "deals:2"})
    match = triptych.Match(rules, ["Ann", "Bob", "Cem"], stacks={"Ann": 50, "Bob": 50, "Cem": 0})
    deal = match.next_deal()
    assert deal.players == ("Ann", "Bob")
    boards = boards_for(2, (LAND, PLAIN))
    other_match = triptych.Match(rules, ["Ann", "Bob", "Cem"], stacks={"Ann": 50, "Bob": 50, "Cem": 0})
    fantasyland = other_match.next_deal(deck=deck_for(boards))
    while not fantasyland.is_over:
        place_of(fantasyland, boards)
    assert other_match.fantasylands == {"Ann": 14}
    assert {*other_match.next_deal().players} == {"Ann", "Bob"}


def deck_for(boards: dict[int, str]) -> list[str]:
    """Return a deck of Pineapple that deals two boards street by street, with a spare card on each later one."""
    cards = {seat: [*map(card_text, parse_cards(board.replace("/", "")))] for seat, board in boards.items()}
    spare = [card for card in map(card_text, deck()) if not any(card in own for own in cards.values())]
    order: list[str] = []
    for count in (5, 2, 2, 2, 2):
        for own in cards.values():
            order += own[:count] + ([spare.pop()] if count == 2 else [])
            del own[:count]
    return order


def place_of(deal: triptych.Deal, boards: dict[int, str]) -> None:
    """Put the cards of the turn into the rows of its board."""
    assert deal.turn is not None
    rows = [
        "".join(card for card in deal.cards if card in [row[at : at + 2] for at in range(0, len(row), 2)])
        for row in boards[deal.turn].split("/")
    ]
    deal.place("/".join(rows))


def test_stacks_are_kept_of_all_or_none() -> None:
    with pytest.raises(triptych.TriptychError, match="'Bob' has no stack"):
        triptych.Match(players=["Ann", "Bob"], stacks={"Ann": 5})
