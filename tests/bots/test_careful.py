"""Who always follows the guide ends with a legal board (issue 11, shown by 3): decks of many games."""

from __future__ import annotations

import pytest

from triptych.arena.seeds import shuffled
from triptych.bots.careful import CarefulBot
from triptych.bots.levels import level
from triptych.deal.actions import Place
from triptych.deal.arranged import is_foul
from triptych.deal.best_legal import best_legal
from triptych.deal.engine import decided, started
from triptych.deal.result import result
from triptych.deal.state import DealState, HandStart, acting, finished
from triptych.deal.view import view
from triptych.rules.load import resolve

GAMES = ("pineapple", "ofc_american", "closed_2_4", "pineapple_27", "pineapple_joker")
CAREFUL = CarefulBot()
OTHER = level("novice").factory(1)


def legal_way(state: DealState, hand: int) -> bool:
    """Tell whether the cards of a hand's last street can still end in a legal board; LAW 6 looks for one too."""
    answer = best_legal(state, hand)
    return not isinstance(answer, Place) or not is_foul(state.rules, decided(state, answer).state.hands[hand].board)


def follow(preset: str, deal: int, fantasyland: int = 0) -> tuple[bool, bool]:
    """Follow the guide through a deal against a novice: was the board legal, and was it still possible at the end?"""
    rules = resolve(preset)
    first = HandStart(0, fantasyland, 1 if fantasyland else 0)
    state = started(rules, 1, (first, HandStart(1)), shuffled(rules.deal.jokers, "guide", deal, 0)).state
    possible = True
    while not finished(state):
        hand = acting(state)[0]
        seat = state.hands[hand].seat
        seen = view(state, seat)
        task = next(task for task in seen.tasks if task.hand == hand)
        if seat == 0 and task.kind == "place" and task.street == len(state.hands[hand].streets):
            possible = legal_way(state, hand)
        bot = CAREFUL if seat == 0 else OTHER
        state = decided(state, bot.choose(rules, seen, task)).state
    own = next(score for score, hand in zip(result(state).hands, state.hands, strict=True) if hand.seat == 0)
    return own.status != "foul", possible


@pytest.mark.parametrize("preset", [*GAMES, "closed_low_middle", "turbo", "ofc_27"])
def test_the_board_is_legal_in_the_end(preset: str) -> None:
    assert [follow(preset, deal) for deal in range(4)] == [(True, True)] * 4


@pytest.mark.parametrize("cards", [13, 14, 17])
def test_a_fantasyland_is_set_legally(cards: int) -> None:
    assert follow("pineapple_joker", cards, cards) == (True, True)


@pytest.mark.slow
@pytest.mark.parametrize("preset", GAMES)
def test_of_sixty_boards_all_are_legal_whose_cards_allow_it(preset: str) -> None:
    """Nobody sees the cards to come: a board is lost only where no placement of its last street could save it.

    With a low in the middle a pair too many comes now and then (of 300 boards one was lost); elsewhere in none.
    """
    played = [follow(preset, deal) for deal in range(60)]
    assert all(legal == possible for legal, possible in played)
    assert sum(not legal for legal, _ in played) <= (2 if preset == "pineapple_27" else 0)
