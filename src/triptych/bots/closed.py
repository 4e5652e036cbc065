"""The bot of closed games: it plays the exact best response to a strategy.

It knows its own cards and the announcements; the strategy models the others' hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from random import Random
from zlib import crc32

from triptych.board import ROW_CAPACITY, ROWS, Layout
from triptych.bots.strategy_cache import load_strategy
from triptych.cards import UNKNOWN_CARD, Card, card_text, parse_card
from triptych.deal.actions import Action, Announce, ClaimNatural, Declare, Place
from triptych.deal.view_types import BoardView, DealView, Task
from triptych.rulesets.model import Ruleset
from triptych.scoring.showdown import play_each_other
from triptych.solve.closed.strategy import State

_TOP_SETTINGS = 60  # settings from which a noisy bot chooses


class ClosedBot:
    """Plays every closed game, criss-cross too. The same position gets the same answer."""

    name = "closed"

    def __init__(self, noise: float = 0.0, seed: int = 0) -> None:
        """`noise`: random error of each setting's value, in points (the scale of a Gumbel distribution)."""
        self._noise = noise
        self._seed = seed

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:  # noqa: ARG002
        """Return the action with the most expected points; it takes a few milliseconds."""
        if task.kind == "announce":
            return Announce(task.hand, play=_should_play(rules, view, task))
        if task.kind == "declare":
            own_board = view.boards[task.hand]
            return Declare(task.hand, tuple(row for row in task.rows if getattr(own_board, row).royalty))
        cards = _cards(task.cards)
        others = _opponents(rules, view, task.hand)
        strategy = load_strategy(rules, len(others))
        states: list[State] = ["unknown"] * len(others)
        options = strategy.options(cards, states, _own_other_cards(view, task))
        best = max(options.plays, options.surrender) if rules.surrender.points else options.plays
        if task.natural and options.natural >= best:
            return ClaimNatural(task.hand)
        if not self._noise:
            return Place(task.hand, _layout(options.board))
        random = Random(crc32(bytes(cards)) ^ self._seed)
        noisy_settings = [
            (points - self._noise * log(-log(random.random() or 0.5)), board)
            for board, points in strategy.rank(cards, states, _own_other_cards(view, task), top=_TOP_SETTINGS)
        ]
        return Place(task.hand, _layout(max(noisy_settings)[1]))


def _opponents(rules: Ruleset, view: DealView, hand: int) -> list[BoardView]:
    """Return the boards that a hand plays; the last of the deal has the button, and the bank where there is one."""
    own_seat, banker = view.boards[hand].seat, view.boards[-1].seat
    return [board for board in view.boards if play_each_other(rules, own_seat, board.seat, banker)]


def _should_play(rules: Ruleset, view: DealView, task: Task) -> bool:
    """Return whether playing the board is worth at least as much as surrendering it.

    A hand that announced before this one plays or has surrendered; a later hand may still do either. Naturals were
    shown before and are paid in any case.
    """
    own_board = view.boards[task.hand]
    others = [board for board in _opponents(rules, view, task.hand) if board.status != "natural"]
    states: list[State] = [
        "plays" if board.hand < own_board.hand else "undecided" for board in others if board.status != "surrendered"
    ]
    if not states:
        return True
    board = _cards((*own_board.front.cards, *own_board.middle.cards, *own_board.back.cards))
    play_value, surrender_value = load_strategy(rules, len(states)).surrender_values(
        board, states, _visible_cards(view, task)
    )
    return play_value + rules.surrender.points * (len(others) - len(states)) >= surrender_value


def _own_other_cards(view: DealView, task: Task) -> tuple[Card, ...]:
    """Return the cards of the seat's other hand (criss-cross)."""
    own_board = view.boards[task.hand]
    return tuple(
        card
        for board in view.boards
        if board.seat == own_board.seat and board.hand != own_board.hand
        for card in _board_cards(board)
    )


def _visible_cards(view: DealView, task: Task) -> tuple[Card, ...]:
    """Return the cards of naturals on the table."""
    return tuple(card for board in view.boards if board.hand != task.hand for card in _board_cards(board))


def _board_cards(board: BoardView) -> tuple[Card, ...]:
    return _cards((*board.front.cards, *board.middle.cards, *board.back.cards, *board.draws))


def _cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(parse_card(text) for text in texts if text != UNKNOWN_CARD)


def _layout(board: Sequence[int]) -> Layout:
    rows = {}
    start = 0
    for name in ROWS:
        row = board[start : start + ROW_CAPACITY[name]]
        rows[name] = tuple(card_text(Card(card)) for card in sorted(row, reverse=True))
        start += ROW_CAPACITY[name]
    return Layout(**rows)
