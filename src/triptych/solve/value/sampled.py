"""Sample opponents' boards: deals of the unseen cards played by learned players."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from triptych import _kernel
from triptych.cards import Card, card_text, deck, parse_card
from triptych.rulesets.model import Ruleset, streets
from triptych.solve.errors import SolveError
from triptych.solve.exact.setting import MAX_AGAINST, Rows
from triptych.solve.exact.unknown import MAX_SAMPLES, OpponentSample
from triptych.solve.value.weights import require_weights


def sample_opponent_boards(
    rules: Ruleset, cards: Sequence[Card], *, count: int, opponents: int = 1, seed: int = 0
) -> list[OpponentSample]:
    """Return deals of the cards that are not among `cards`, played street by street by the learned policy.

    Each opponent sees its own cards and what the others have placed. The same seed gives the same samples. Raises
    SolveError: `value.none` where nothing was learned for the rules, `cards.count` where the cards do not suffice.
    """
    if not 1 <= count <= MAX_SAMPLES:
        raise SolveError("against.count", f"1 to {MAX_SAMPLES} samples, not {count}", "$.sample.count")
    if not 1 <= opponents <= MAX_AGAINST:
        raise SolveError("against.count", f"1 to {MAX_AGAINST} opponents, not {opponents}", "$.sample.opponents")
    _, learner = require_weights(rules, "$.sample", "; give the boards")
    unseen = [card for card in deck(rules.deal.jokers) if card not in set(cards)]
    needed = opponents * sum(street.dealt for street in streets(rules))
    if needed > len(unseen):
        message = f"{opponents} opponents are dealt {needed} cards, and {len(unseen)} are left"
        raise SolveError("cards.count", message, "$.sample.opponents")
    random = Random(seed)
    return [OpponentSample(_deal(rules, learner, random.sample(unseen, needed), opponents)) for _ in range(count)]


def _deal(rules: Ruleset, learner: _kernel.Learner, cards: list[Card], opponents: int) -> tuple[Rows, ...]:
    no_cards: tuple[str, ...] = ()
    boards = [(no_cards, no_cards, no_cards, no_cards, no_cards)] * opponents
    start = 0
    for number, street in enumerate(streets(rules)):
        for player in range(opponents):
            dealt = tuple(map(card_text, cards[start : start + street.dealt]))
            start += street.dealt
            own_board = boards[player]
            visible_boards = [(*board[:3], no_cards, no_cards) for board in boards]  # the others' discards are hidden
            visible_boards[player] = own_board
            front, middle, back = _kernel.place(learner, number, visible_boards, player, dealt, looking=False)
            placed = {*front, *middle, *back}
            discards = tuple(card for card in dealt if card not in placed)
            boards[player] = (
                own_board[0] + front,
                own_board[1] + middle,
                own_board[2] + back,
                no_cards,
                own_board[4] + discards,
            )
    return tuple((_row(front), _row(middle), _row(back)) for front, middle, back, *_ in boards)


def _row(cards: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(map(parse_card, cards))
