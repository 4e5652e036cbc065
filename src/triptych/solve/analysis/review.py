"""A played deal reviewed: what each placement cost against the best one, the dearest mistakes, luck and skill apart.

Luck is what is left of the result when the points that all players gave away are taken out of it: a control variate,
since a deal between players who always chose best would on average be worth the same to all.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from triptych.deal.stacks import Stacks
from triptych.notation.history.replay import frames
from triptych.notation.position import position_of
from triptych.picture import table_html
from triptych.rules.model import is_closed
from triptych.solve.analysis.analyse import Budget, PlacementValue, analyse, behind
from triptych.solve.analysis.stacks import kernel_stacks, paid_points
from triptych.solve.errors import SolveError
from triptych.solve.value.weights import packaged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triptych.board import Layout
    from triptych.deal.views import DealView
    from triptych.notation.history.model import History, Step
    from triptych.notation.position import Position
    from triptych.rules.model import Ruleset

_DEAREST = 3


class Decision(Struct, frozen=True):
    """One placement of the deal. `lost`: points against the best placement, from all opponents; `error`: of `lost`.

    `step`: the action's number in the history, from 0.
    """

    step: int
    hand: int
    street: int
    position: str
    chosen: PlacementValue
    best: PlacementValue
    lost: float
    error: float


class Share(Struct, frozen=True):
    """One hand's result taken apart, in points.

    `result`: what the deal paid, the next fantasylands counted at their value, all as far as the stacks reach.
    `lost`: what its own placements gave away; `given`: its share of what the others gave away (split among their
    opponents); `luck`: the rest.
    """

    hand: int
    player: str
    result: float
    lost: float
    given: float
    luck: float


class Review(Struct, frozen=True):
    """All decisions in order, the dearest mistakes, and each hand's share. `whole`: every hand's cards were known."""

    decisions: tuple[Decision, ...]
    dearest: tuple[Decision, ...]
    shares: tuple[Share, ...]
    whole: bool

    def __repr__(self) -> str:
        """Say what each player gave away in a line."""
        gave = ", ".join(f"{share.player} gave away {share.lost:.2f}" for share in self.shares)
        return f"<Review of {len(self.decisions)} decisions: {gave}>"

    def _repr_html_(self) -> str:
        rows = [
            (str(one.hand), str(one.street), one.chosen.text, one.best.text, f"{one.lost:.2f} ± {one.error:.2f}")
            for one in self.decisions
        ]
        return table_html(("hand", "street", "placed", "best", "lost"), rows)


def review(
    history: History,
    budget: Budget = Budget(),  # noqa: B008 - it cannot change
    *,
    seed: int = 1,
    told: Callable[[int, int], None] = lambda done, of: None,  # noqa: ARG005 - the names tell the caller what to pass
) -> Review:
    """Return the review of a deal: of all hands when the history knows all cards, else of its viewer's.

    Where the history tells the stacks, all counts as far as they reach. Streets in fantasyland are left out: they are
    solved, not searched. `told` hears decisions done and in all.
    Raises SolveError `review.closed`, `review.spectator`, `review.unfinished` and what `analyse` raises;
    NotationError when the history does not follow its rules.
    """
    if is_closed(history.rules):
        raise SolveError("review.closed", "closed deals are reviewed by triptych solve closed", "$.rules")
    if history.seen_by is None:
        raise SolveError("review.spectator", "a spectator's history knows no one's cards", "$.seen_by")
    if history.result is None:
        raise SolveError("review.unfinished", "the deal is not finished", "$.result")
    asked = list(_asked(history))
    stacks = Stacks(history.stacks, stakes=history.stakes) if history.stacks or history.stakes else None
    decisions: list[Decision] = []
    for index, (step, action, view) in enumerate(asked):
        decisions.append(_decision(step, action, position_of(view), (history.rules, stacks), budget, seed))
        told(index + 1, len(asked))
    dearest = sorted((one for one in decisions if one.lost > 0), key=lambda one: -one.lost)[:_DEAREST]
    return Review(tuple(decisions), tuple(dearest), _shares(history, stacks, decisions), history.seen_by == "all")


def _asked(history: History) -> Iterator[tuple[int, Step, DealView]]:
    """Yield each street that was placed outside fantasyland, with what its player saw before."""
    seats = {hand.seat for hand in history.hands} if history.seen_by == "all" else {history.seen_by}
    found: list[tuple[int, Step, DealView]] = []
    for seat in seats:
        if not isinstance(seat, int):
            continue
        seen = frames(history, seat)
        for before, after in pairwise(seen):
            action = history.steps[after.step]
            hand = history.hands[action.hand]
            if action.verb == "place" and hand.seat == seat and not hand.fantasyland:
                found.append((after.step, action, before.view))
    yield from sorted(found, key=lambda one: one[0])


def _decision(
    step: int, action: Step, position: Position, played: tuple[Ruleset, Stacks | None], budget: Budget, seed: int
) -> Decision:
    rules, stacks = played
    answer = analyse(position, rules, budget, hand=action.hand, seed=seed, stacks=stacks)
    best = answer.placements[0]
    chosen = next(value for value in answer.placements if _same(value, action.layout))
    lost, error = 0.0, 0.0
    if chosen is not best:
        lost, error = behind(position, rules, (best, chosen), budget, hand=action.hand, seed=seed, stacks=stacks)
    return Decision(step, action.hand, answer.street, answer.position, chosen, best, max(0.0, lost), error)


def _same(value: PlacementValue, layout: Layout) -> bool:
    rows = ((value.front, layout.front), (value.middle, layout.middle), (value.back, layout.back))
    return all(sorted(one) == sorted(two) for one, two in rows)


def _shares(history: History, stacks: Stacks | None, decisions: list[Decision]) -> tuple[Share, ...]:
    result = history.result
    found = packaged(history.rules)
    if result is None or found is None:
        return ()
    value = found[0].land_value
    count = len(history.hands)
    lands = [value[cards] for cards in result.fantasyland]
    brought = kernel_stacks(history.rules, stacks, count)
    paid = None if brought is None else paid_points(history.rules, brought, result.pairs, lands)
    lost = [sum(one.lost for one in decisions if one.hand == hand) for hand in range(count)]
    shares: list[Share] = []
    for hand in range(count):
        others = [other for other in range(count) if other != hand]
        points = result.points[hand] + lands[hand] * len(others) - sum(lands[other] for other in others)
        points = points if paid is None else paid[hand]
        given = sum(lost[other] for other in others) / len(others)
        luck = points + lost[hand] - given
        shares.append(Share(hand, history.players[hand], points, lost[hand], given, luck))
    return tuple(shares)
