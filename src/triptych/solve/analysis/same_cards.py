"""Play a hand's own cards again with the level `strong`, street by street, against the others' boards as they were.

Only the play differs: fouls, fantasylands and royalties over many deals show its value. The others would have
played differently against another board, so points against them are not compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from triptych.board import ROWS
from triptych.cards import Card, card_text, parse_card
from triptych.notation.history.model import History
from triptych.notation.position import Position
from triptych.rulesets.model import is_closed
from triptych.solve.analysis.decision import Decision
from triptych.solve.analysis.review import PlayedDecision, played_decisions, stacks_from_history, verify_reviewable
from triptych.solve.errors import SolveError
from triptych.solve.exact.setting import Objective, best_setting
from triptych.solve.value.weights import require_weights

RowCounts = tuple[tuple[int, int, int], ...]

# As for the level `strong` (bots/levels.py, client/src/features/account/model/baselineReplay.ts).
WIDTH: Final = 16
ROLLOUTS: Final = 20_000


class BoardOutcome(Struct, frozen=True):
    """The outcome of a board: foul, royalties (0 for a foul), fantasyland in the next deal."""

    fouled: bool
    royalties: int
    fantasyland: bool


class BaselineReplay(Struct, frozen=True):
    """The outcome of a hand's cards as they were played, and as `strong` plays them."""

    played: BoardOutcome
    strong: BoardOutcome


class BaselineComparison(Struct, frozen=True):
    """A player's boards and those of `strong`: shares of fouls and fantasylands, royalties a deal."""

    player: str
    deals: int
    fouls: float
    strong_fouls: float
    fantasylands: float
    strong_fantasylands: float
    royalties: float
    strong_royalties: float


def compare_with_baseline(player: str, deals: Sequence[BaselineReplay]) -> BaselineComparison:
    """Return the averages over a player's deals; `deals` must not be empty."""
    outcomes = [(deal.played, deal.strong) for deal in deals]
    means = [
        sum(get_value(outcome[side]) for outcome in outcomes) / len(outcomes)
        for get_value in (attrgetter("fouled"), attrgetter("fantasyland"), attrgetter("royalties"))
        for side in (0, 1)
    ]
    return BaselineComparison(player, len(deals), *means)


def replay_with_baseline(history: History, hand: int, *, seed: int = 1) -> BaselineReplay | None:
    """Return the outcome of a hand's cards, and the one of `strong`; None where the hand placed none.

    The same seed gives the same answer. Raises SolveError `review.closed`, `review.spectator`, `review.unfinished`,
    `value.none`; NotationError when the history does not follow its rules.
    """
    verify_reviewable(history)
    if is_closed(history.rules):
        raise SolveError("review.closed", "a closed deal has no streets to compare", "$.rules")
    decisions = [decision for decision in played_decisions(history) if decision.action.hand == hand]
    if not decisions:
        return None
    played: list[list[Card]] = [[], [], []]
    strong: list[list[Card]] = [[], [], []]
    discards: tuple[str, ...] = ()
    row_counts: RowCounts = ()
    for decision in decisions:
        for row, name in zip(played, ROWS, strict=True):
            row.extend(map(parse_card, getattr(decision.action.layout, name)))
        best = _baseline_placement(history, decision, strong, (discards, row_counts), seed)
        drawn = decision.position.hands[hand].drawn
        placed = {card_text(card) for row in best for card in row}
        discards += tuple(card for card in drawn if card not in placed)
        for row, added in zip(strong, best, strict=True):
            row.extend(added)
        front, middle, back = map(len, strong)
        row_counts = (*row_counts, (front, middle, back))
    return BaselineReplay(_board_outcome(history, hand, played), _board_outcome(history, hand, strong))


def _baseline_placement(
    history: History,
    played: PlayedDecision,
    rows: list[list[Card]],
    before: tuple[tuple[str, ...], RowCounts],
    seed: int,
) -> list[list[Card]]:
    """Return what `strong` adds to its own board, which replaces the one that was played.

    `before`: its discards so far, and its rows' sizes after each street.
    """
    rules, hand = history.rules, played.action.hand
    head, learner = require_weights(rules)
    front, middle, back = (tuple(map(card_text, row)) for row in rows)
    hands = list(played.position.hands)
    hands[hand] = replace(
        hands[hand], front=front, middle=middle, back=back, discards=before[0], row_counts=before[1]
    )
    decision = Decision.from_position(
        rules, Position(tuple(hands)), hand, played.in_row or 1, stacks_from_history(history)
    )
    search = decision.analysis(learner, head.fantasyland_values)
    search.run(WIDTH, 1 if search.exact() else ROLLOUTS, seed)
    best = search.table()[0]
    return [[*map(Card, row)] for row in (best.front, best.middle, best.back)]


def _board_outcome(history: History, hand: int, rows: list[list[Card]]) -> BoardOutcome:
    start = history.hands[hand]
    setting = best_setting(
        history.rules,
        Objective(start.fantasyland, start.in_row),
        (tuple(rows[0]), tuple(rows[1]), tuple(rows[2])),
        (),
    )
    return BoardOutcome(not setting.legal, setting.royalties, setting.repeat)
