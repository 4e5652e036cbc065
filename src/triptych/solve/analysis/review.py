"""A played deal reviewed: what each placement cost against the best one, the dearest mistakes, luck and skill apart.

Luck is what the cards brought where all of them are known (luck.py). A player's own history does not know those of
the others: there it is what is left of the result when what the player gave away is taken out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from triptych.board_svg import table_html
from triptych.cards import card_text, parse_card
from triptych.deal.stacks import Stacks
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
# So few are enough: the short measurement of all placements brings back what they leave out. Client: decision.ts.
SCREENING_ROLLOUTS = 12_000


class ReviewedDecision(Struct, frozen=True):
    """One placement of the deal. `lost`: points against the best placement, from all opponents; `error`: of `lost`.

    `step`: the action's number in the history, from 0. `best`: by the last measurement, which compares the two alone.
    `behind`: as measured, below 0 where the chosen one is the best by that; `lost` is 0 then. `within_error`: the two
    are not told apart. `ahead`: the best placement's points over the second. `counted`: it counts for an error rate
    (rating.py). `street`: from 1, 0 where a whole fantasyland was set; those never count for a rate.
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
    """One hand's result taken apart, in points: `result` = `luck` + `skill`, to the last digit.

    `result`: what the deal paid, the next fantasylands counted at their value, all as far as the stacks reach.
    `lost`: what its own placements gave away; `given`: its share of what the others gave away (split among their
    opponents). `luck`: what the cards brought, where all are known; `skill`: what the play of all made of it. Else
    `skill` is what was lost, and `luck` the cards and the others.
    """

    hand: int
    player: str
    result: float
    lost: float
    given: float
    luck: float
    skill: float


class Review(Struct, frozen=True):
    """All decisions in order, the dearest mistakes, and each hand's share. `whole`: every hand's cards were known."""

    decisions: tuple[ReviewedDecision, ...]
    dearest: tuple[ReviewedDecision, ...]
    shares: tuple[ResultBreakdown, ...]
    whole: bool

    def __repr__(self) -> str:
        """Say what each player gave away in a line."""
        gave = ", ".join(f"{share.player} gave away {share.lost:.2f}" for share in self.shares)
        return f"<Review of {len(self.decisions)} decisions: {gave}>"

    def _repr_html_(self) -> str:
        names = {share.hand: share.player for share in self.shares}
        rows = [
            (
                names.get(one.hand, f"hand {one.hand}"),
                str(one.street or "fantasyland"),
                one.chosen.text,
                one.best.text,
                f"{one.lost:.2f} ± {one.error:.2f}",
            )
            for one in self.decisions
        ]
        return table_html(("player", "street", "placed", "best", "lost"), rows)


class PlayedDecision(Struct, frozen=True):
    """A street, or a fantasyland, as its player had to place it: what they saw before, and what they did.

    `step` as in Decision; `in_row`: how many fantasylands in a row this one makes, 0 outside one.
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
    on_progress: Callable[[int, int], None] = lambda done, of: None,  # noqa: ARG005 - the names tell the caller what to pass
) -> Review:
    """Return the review of a deal: of all hands when the history knows all cards, else of its viewer's.

    All counts as far as the stacks in the history reach. `on_progress` gets the decisions done and in all.
    A closed deal is compared with the best setting against hands that good players set (solve/closed), exactly.
    Raises SolveError `review.spectator`, `review.unfinished` and what `analyse` raises;
    NotationError when the history does not follow its rules.
    """
    verify_reviewable(history)
    played = played_decisions(history)
    decisions: list[ReviewedDecision] = []
    for index, one in enumerate(played):
        decisions.append(review_decision(history, one, budget, seed))
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
    return tuple(sorted(decisions, key=lambda one: one.step))


def review_decision(history: History, played: PlayedDecision, budget: SearchBudget, seed: int) -> ReviewedDecision:
    """Return what a placement was worth beside the others. Raises what `analyse` raises."""
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
    less, error = 0.0, 0.0
    if chosen is not best:
        less, error = pairwise_loss(
            played.position, rules, (best, chosen), budget, hand=hand, seed=seed, stacks=stacks, in_row=in_row
        )
    lost = max(0.0, less)
    if less < 0:
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
        behind=less,
        ahead=margin(answer),
        counted=answer.street > 0 and is_rated(answer, missed=lost > 0),
        within_error=less <= max(SIGNIFICANT_Z * error, EXACT_TOLERANCE),
    )


def _review_closed(history: History, played: PlayedDecision) -> ReviewedDecision:
    """Return what a closed setting was worth beside the best one."""
    layout, opponents = played.action.layout, len(history.hands) - 1
    front, middle, back = (tuple(map(parse_card, row)) for row in (layout.front, layout.middle, layout.back))
    best, own = compare_closed_setting((front, middle, back), history.rules, min(opponents, MAX_AGAINST))
    lost = best.value - own.value
    return ReviewedDecision(
        played.step,
        played.action.hand,
        1,
        position_text(played.position),
        _closed_value(own, lost),
        _closed_value(best, 0.0),
        lost,
        0.0,
        behind=lost,
        ahead=0.0,
        counted=True,
        within_error=lost <= EXACT_TOLERANCE,
    )


def _closed_value(setting: ClosedSetting, behind: float) -> PlacementValue:
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
        behind=behind,
        within_error=behind <= EXACT_TOLERANCE,
    )


def build_review(history: History, decisions: Sequence[ReviewedDecision], seed: int = 1) -> Review:
    """Return the review that decisions come to; `seed` is of the luck of the cards."""
    dearest = sorted((one for one in decisions if one.lost > 0), key=lambda one: -one.lost)[:_WORST_COUNT]
    lost = [sum(one.lost for one in decisions if one.hand == hand) for hand in range(len(history.hands))]
    return Review(tuple(decisions), tuple(dearest), _result_breakdowns(history, lost, seed), history.seen_by == "all")


def stacks_from_history(history: History) -> Stacks | None:
    """Return what the hands brought to the deal, None where the history does not tell."""
    return Stacks(history.stacks, stakes=history.stakes) if history.stacks or history.stakes else None


def results(history: History) -> tuple[float, ...]:
    """Return by hand what the deal paid with the next fantasylands at their value, as far as the stacks reach.

    Empty where the deal is not over, or nothing was learned for its rules. Raises SolveError as `kernel_stacks`.
    """
    result = history.result
    if result is not None and is_closed(history.rules):
        return tuple(map(float, result.points))
    weights = packaged_file(history.rules) if can_learn(history.rules) else None
    if result is None or weights is None:
        return ()
    value = read_header(history.rules, weights).land_value
    count = len(history.hands)
    lands = [value[cards] for cards in result.fantasyland]
    brought = kernel_stacks(history.rules, stacks_from_history(history), count)
    if brought is not None:
        return payable_points(history.rules, brought, result.pairs, lands)
    points = []
    for hand in range(count):
        others = [lands[other] for other in range(count) if other != hand]
        points.append(result.points[hand] + lands[hand] * len(others) - sum(others))
    return tuple(points)


def _result_breakdowns(history: History, lost: Sequence[float], seed: int) -> tuple[ResultBreakdown, ...]:
    totals = results(history)
    whole_deal = history.seen_by == "all" and not is_closed(history.rules)
    cards = luck_of(history, seed=seed) if totals and whole_deal else None
    shares: list[ResultBreakdown] = []
    for hand, points in enumerate(totals):
        others = [one for other, one in enumerate(lost) if other != hand]
        whole = _to_binary_fraction(points)
        luck = whole + _to_binary_fraction(lost[hand]) if cards is None else _to_binary_fraction(cards[hand])
        opponents_loss = sum(others) / len(others)
        shares.append(
            ResultBreakdown(hand, history.players[hand], whole, lost[hand], opponents_loss, luck, whole - luck)
        )
    return tuple(shares)


def _to_binary_fraction(points: float) -> float:
    """Return points as a binary fraction of a millionth, so that sums and differences have no error of their own."""
    return round(points * 2**20) / 2**20
