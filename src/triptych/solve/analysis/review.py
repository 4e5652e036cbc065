"""Review a played deal: the loss of each placement, the worst mistakes, luck and skill.

Luck is computed from the cards where all of them are known (luck.py). A player's own history lacks the cards of the
others: there luck is the result plus the player's own losses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from triptych.board_svg import table_html
from triptych.cards import card_text, parse_card
from triptych.deal.view_types import Stacks
from triptych.notation.history.model import History, Step
from triptych.notation.history.replay import frames
from triptych.notation.position import Position, position_from_view, position_text
from triptych.rulesets.model import is_closed
from triptych.solve.analysis.analyse import PlacementValue, SearchBudget, analyse, pairwise_loss, same_placement
from triptych.solve.analysis.luck import deal_luck as luck_of
from triptych.solve.analysis.measurement import EXACT_TOLERANCE, SIGNIFICANT_Z
from triptych.solve.analysis.rating import is_rated, margin
from triptych.solve.analysis.stacks import kernel_stacks, payable_points
from triptych.solve.closed.settings import ClosedSetting, compare_closed_setting
from triptych.solve.errors import SolveError
from triptych.solve.exact.setting import MAX_AGAINST
from triptych.solve.value.points import can_learn
from triptych.solve.value.weights import packaged_file, read_header

_WORST_COUNT = 3
# Few rollouts are enough: the short measurement of all placements finds what they miss. Client: decision.ts.
SCREENING_ROLLOUTS = 12_000


class ReviewedDecision(Struct, frozen=True):
    """One placement of the deal. `lost`: points against the best placement, from all opponents; `error`: of `lost`.

    `step`: the action's number in the history, from 0. `best`: by the last measurement, which compares the two alone.
    `behind`: the loss as measured; below 0 where the chosen placement measured better, then `lost` is 0.
    `within_error`: the difference is within the error. `ahead`: the best placement's points over the second.
    `counted`: it counts for an error rate (rating.py). `street`: from 1, 0 where a whole fantasyland was set; those
    never count for a rate.
    """

    step: int
    hand: int
    street: int
    position: str
    chosen: PlacementValue
    best: PlacementValue
    lost: float
    error: float
    behind: float
    ahead: float
    counted: bool
    within_error: bool = False


class ResultBreakdown(Struct, frozen=True):
    """The parts of one hand's result, in points: `result` = `luck` + `skill`, to the last digit.

    `result`: what the deal paid, the next fantasylands counted at their value, all as far as the stacks reach.
    `lost`: the losses of its own placements; `given`: its share of the losses of the others (split among their
    opponents). Where all cards are known, `luck` is that of the cards and `skill` the rest; else `skill` is minus
    `lost`, and `luck` the rest.
    """

    hand: int
    player: str
    result: float
    lost: float
    given: float
    luck: float
    skill: float


class Review(Struct, frozen=True):
    """All decisions in order, the worst mistakes, and each hand's share. `whole`: every hand's cards were known."""

    decisions: tuple[ReviewedDecision, ...]
    dearest: tuple[ReviewedDecision, ...]
    shares: tuple[ResultBreakdown, ...]
    whole: bool

    def __repr__(self) -> str:
        gave = ", ".join(f"{share.player} gave away {share.lost:.2f}" for share in self.shares)
        return f"<Review of {len(self.decisions)} decisions: {gave}>"

    def _repr_html_(self) -> str:
        names = {share.hand: share.player for share in self.shares}
        rows = [
            (
                names.get(decision.hand, f"hand {decision.hand}"),
                str(decision.street or "fantasyland"),
                decision.chosen.text,
                decision.best.text,
                f"{decision.lost:.2f} ± {decision.error:.2f}",
            )
            for decision in self.decisions
        ]
        return table_html(("player", "street", "placed", "best", "lost"), rows)


class PlayedDecision(Struct, frozen=True):
    """A street, or a fantasyland, that a player placed: the position before it and the action.

    `step` as in ReviewedDecision; `in_row`: the number of this fantasyland in a row, 0 outside one.
    """

    step: int
    action: Step
    position: Position
    in_row: int


def review(
    history: History,
    budget: SearchBudget = SearchBudget(),  # noqa: B008 - it cannot change
    *,
    seed: int = 1,
    on_progress: Callable[[int, int], None] = lambda done, of: None,  # noqa: ARG005 - the names document the arguments
) -> Review:
    """Return the review of a deal: of all hands when the history knows all cards, else of its viewer's.

    Points count as far as the stacks in the history reach. `on_progress` gets the decisions done and in all.
    A closed setting is compared exactly with the best one against the hands of good players (solve/closed).
    Raises SolveError `review.spectator`, `review.unfinished` and what `analyse` raises;
    NotationError when the history does not follow its rules.
    """
    verify_reviewable(history)
    played = played_decisions(history)
    decisions: list[ReviewedDecision] = []
    for index, decision in enumerate(played):
        decisions.append(review_decision(history, decision, budget, seed))
        on_progress(index + 1, len(played))
    return build_review(history, decisions, seed)


def verify_reviewable(history: History) -> None:
    """Raise SolveError `review.spectator` or `review.unfinished`."""
    if history.seen_by is None:
        raise SolveError("review.spectator", "a spectator's history knows no one's cards", "$.seen_by")
    if history.result is None:
        raise SolveError("review.unfinished", "the deal is not finished", "$.result")


def played_decisions(history: History) -> tuple[PlayedDecision, ...]:
    """Return each street, and each fantasyland, that was placed by the hands whose cards are known.

    Raises NotationError when the history does not follow its rules.
    """
    seats = [hand.seat for hand in history.hands] if history.seen_by == "all" else [history.seen_by]
    decisions: list[PlayedDecision] = []
    for seat in {seat: None for seat in seats if isinstance(seat, int)}:
        for before, after in pairwise(frames(history, seat)):
            action = history.steps[after.step]
            hand = history.hands[action.hand]
            if action.verb == "place" and hand.seat == seat:
                in_row = hand.in_row if hand.fantasyland else 0
                decisions.append(PlayedDecision(after.step, action, position_from_view(before.view), in_row))
    return tuple(sorted(decisions, key=lambda decision: decision.step))


def review_decision(history: History, played: PlayedDecision, budget: SearchBudget, seed: int) -> ReviewedDecision:
    """Return a placement compared with the best one. Raises as `analyse`."""
    if is_closed(history.rules):
        return _review_closed(history, played)
    rules, stacks, hand, in_row = history.rules, stacks_from_history(history), played.action.hand, played.in_row
    answer = analyse(
        played.position,
        rules,
        replace(budget, by_loss=True, screening_rollouts=min(budget.screening_rollouts, SCREENING_ROLLOUTS)),
        hand=hand,
        seed=seed,
        stacks=stacks,
        also=played.action.layout,
        in_row=in_row,
    )
    best = answer.placements[0]
    chosen = next(value for value in answer.placements if same_placement(value, played.action.layout))
    loss, error = 0.0, 0.0
    if chosen is not best:
        loss, error = pairwise_loss(
            played.position, rules, (best, chosen), budget, hand=hand, seed=seed, stacks=stacks, in_row=in_row
        )
    lost = max(0.0, loss)
    if loss < 0:
        best = chosen
    return ReviewedDecision(
        played.step,
        hand,
        answer.street,
        answer.position,
        chosen,
        best,
        lost,
        error,
        behind=loss,
        ahead=margin(answer),
        counted=answer.street > 0 and is_rated(answer, missed=lost > 0),
        within_error=loss <= max(SIGNIFICANT_Z * error, EXACT_TOLERANCE),
    )


def _review_closed(history: History, played: PlayedDecision) -> ReviewedDecision:
    layout, opponents = played.action.layout, len(history.hands) - 1
    front, middle, back = (tuple(map(parse_card, row)) for row in (layout.front, layout.middle, layout.back))
    best, own_setting = compare_closed_setting((front, middle, back), history.rules, min(opponents, MAX_AGAINST))
    loss = best.value - own_setting.value
    return ReviewedDecision(
        played.step,
        played.action.hand,
        1,
        position_text(played.position),
        _closed_value(own_setting, loss),
        _closed_value(best, 0.0),
        loss,
        0.0,
        behind=loss,
        ahead=0.0,
        counted=True,
        within_error=loss <= EXACT_TOLERANCE,
    )


def _closed_value(setting: ClosedSetting, loss: float) -> PlacementValue:
    front, middle, back = (tuple(map(card_text, row)) for row in (setting.front, setting.middle, setting.back))
    royalties = float(sum(setting.royalties))
    return PlacementValue(
        front,
        middle,
        back,
        (),
        setting.value,
        0.0,
        1,
        rows=setting.value - royalties,
        royalties=royalties,
        fouls=0.0,
        fantasyland=0.0,
        foul=float(not setting.legal),
        enters=0.0,
        behind=loss,
        within_error=loss <= EXACT_TOLERANCE,
    )


def build_review(history: History, decisions: Sequence[ReviewedDecision], seed: int = 1) -> Review:
    """Return the review of these decisions; `seed` is for the luck of the cards."""
    worst = sorted((decision for decision in decisions if decision.lost > 0), key=lambda decision: -decision.lost)[
        :_WORST_COUNT
    ]
    losses = [
        sum(decision.lost for decision in decisions if decision.hand == hand) for hand in range(len(history.hands))
    ]
    return Review(tuple(decisions), tuple(worst), _result_breakdowns(history, losses, seed), history.seen_by == "all")


def stacks_from_history(history: History) -> Stacks | None:
    """Return the stacks and stakes before the deal, or None where the history has none."""
    return Stacks(history.stacks, stakes=history.stakes) if history.stacks or history.stakes else None


def results(history: History) -> tuple[float, ...]:
    """Return the points of each hand, the next fantasylands at their value, as far as the stacks reach.

    Empty where the deal is not over, or its rules have no weights. Raises SolveError as `kernel_stacks`.
    """
    result = history.result
    if result is not None and is_closed(history.rules):
        return tuple(map(float, result.points))
    weights = packaged_file(history.rules) if can_learn(history.rules) else None
    if result is None or weights is None:
        return ()
    value_by_cards = read_header(history.rules, weights).fantasyland_values
    count = len(history.hands)
    fantasyland_values = [value_by_cards[cards] for cards in result.fantasyland]
    limits = kernel_stacks(history.rules, stacks_from_history(history), count)
    if limits is not None:
        return payable_points(history.rules, limits, result.pairs, fantasyland_values)
    points = []
    for hand in range(count):
        others = [fantasyland_values[other] for other in range(count) if other != hand]
        points.append(result.points[hand] + fantasyland_values[hand] * len(others) - sum(others))
    return tuple(points)


def _result_breakdowns(history: History, losses: Sequence[float], seed: int) -> tuple[ResultBreakdown, ...]:
    totals = results(history)
    all_cards_known = history.seen_by == "all" and not is_closed(history.rules)
    card_luck = luck_of(history, seed=seed) if totals and all_cards_known else None
    shares: list[ResultBreakdown] = []
    for hand, points in enumerate(totals):
        opponents_losses = [loss for other, loss in enumerate(losses) if other != hand]
        total = _to_binary_fraction(points)
        luck = (
            total + _to_binary_fraction(losses[hand]) if card_luck is None else _to_binary_fraction(card_luck[hand])
        )
        opponents_loss = sum(opponents_losses) / len(opponents_losses)
        shares.append(
            ResultBreakdown(hand, history.players[hand], total, losses[hand], opponents_loss, luck, total - luck)
        )
    return tuple(shares)


def _to_binary_fraction(points: float) -> float:
    """Return points rounded to 2^-20, so that sums and differences are exact."""
    return round(points * 2**20) / 2**20
