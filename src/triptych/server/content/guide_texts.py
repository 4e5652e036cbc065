"""What the guide says: plain sentences from the rules and from the cards that the viewer sees on their own board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from triptych.board import ROWS, Layout, RowName
from triptych.cards import RANKS, parse_card
from triptych.deal.actions import Action, Announce, ClaimNatural, Declare, Place
from triptych.deal.view_types import BoardView, Task
from triptych.i18n.messages import join_with_and
from triptych.rulesets.describe.fantasyland import describe_condition
from triptych.rulesets.describe.phrases import count_text
from triptych.rulesets.model import FantasylandEntry, Ruleset, is_closed
from triptych.scoring.row_order import OrderViolation, order_violations
from triptych.server.schemas.guide import GuideLine

_IN: Final[dict[RowName, str]] = {"front": "in front", "middle": "in the middle", "back": "in the back"}


def guide_lines(rules: Ruleset, board: BoardView, task: Task, advice: Action) -> tuple[GuideLine, ...]:
    """Return what the guide says to a task; `advice` is what it would do itself. The most pressing comes first."""
    if task.kind != "place":
        return (GuideLine("next", _answer(task, advice)),)
    found = order_violations(rules, *(tuple(map(parse_card, row_cards(board, row))) for row in ROWS))
    sure = [GuideLine("foul", _foul(clash)) for clash in found if clash.certain]
    care = [GuideLine("care", _care(clash)) for clash in found if not clash.certain]
    points = [GuideLine("points", text) for text in _points(rules, board, fouled=bool(sure))]
    order = [GuideLine("order", _order(rules))]
    first = order if task.street == 1 and task.layout == Layout() else []
    last = order if not first else []
    return (*sure, *first, GuideLine("next", _next(task, advice)), *care, *points, *last)


def row_cards(board: BoardView, row: RowName) -> tuple[str, ...]:
    """Return the cards that lie in a row, those of this street too."""
    cards: tuple[str, ...] = getattr(board, row).cards
    return cards


def _order(rules: Ruleset) -> str:
    than = "must beat" if rules.rows.order == "gt" else "must beat or equal"
    sizes = "Front 3 cards, on top; middle and back 5 each."
    if rules.rows.middle != "deuce_to_seven":
        return f"{sizes} Back {than} middle, middle {than} front: else it is a foul."
    low = "ten-low or better, no pair" if rules.rows.low_limit == "ten" else "the lower, the better"
    return f"{sizes} The middle is a low: {low}. Back {than} front: else it is a foul."


def _foul(clash: OrderViolation) -> str:
    if clash.upper == clash.lower:
        return f"This fouls: the middle ({_hand(clash.upper_name)}) can no longer make a ten-low."
    lower = f"{clash.lower} ({_hand(clash.lower_name)})" if not clash.best else _at_best(clash)
    return f"This fouls: {clash.upper} ({_hand(clash.upper_name)}) would beat {lower}."


def _at_best(clash: OrderViolation) -> str:
    return f"{clash.lower} (at best {_hand(clash.best)})"


def _care(clash: OrderViolation) -> str:
    now = f" ({_hand(clash.lower_name)})" if clash.lower_name else ""
    return f"Your {clash.lower}{now} must still improve to beat the {clash.upper} ({_hand(clash.upper_name)})."


def _hand(name: str) -> str:
    """Return a hand's name as it stands in a sentence; a low keeps its letters."""
    return name[:1].lower() + name[1:] if name[1:2].islower() else name


def _next(task: Task, advice: Action) -> str:
    if task.natural or isinstance(advice, ClaimNatural):
        return f"You have a natural ({_hand(task.natural)}). Claim it: it’s paid immediately."
    laid = sum(len(getattr(task.layout, row)) for row in ROWS)
    if laid == task.place:
        return "All cards placed. Adjust them if you like, then press Ready."
    left = task.place - laid
    rest = f" and discard {task.discard}" if task.discard else ""
    return f"Place {count_text(left, 'card')}{rest}. Tap a card, then a row, or use the suggestion."


def _answer(task: Task, advice: Action) -> str:
    if isinstance(advice, Announce):
        price = count_text(task.surrender, "point")
        choice = "play" if advice.play else "surrender"
        return f"Play, or surrender for {price} to each opponent. Suggestion: {choice}."
    if isinstance(advice, Declare):
        named = join_with_and(list(advice.rows))
        return f"Declare the royalties of your {named}." if named else "You have no royalties to declare."
    return ""


def _points(rules: Ruleset, board: BoardView, *, fouled: bool) -> Iterator[str]:
    if not fouled:
        for row in ROWS:
            view = getattr(board, row)
            if view.royalty:
                points = count_text(view.royalty, "point")
                yield f"{view.name} {_IN[row]}: {points} of royalties, if the board is legal."
    if not is_closed(rules) and not board.fantasyland and rules.fantasyland.entry:
        yield _land(rules, rules.fantasyland.entry[0])


def _land(rules: Ruleset, entry: FantasylandEntry) -> str:
    text = (
        f"{describe_condition(entry)} earns fantasyland: {count_text(entry.cards, 'card')} at once in the next deal"
    )
    rank = entry.least[:1]
    if entry.row == "front" and entry.least == rank * 2:
        points = rules.royalties.table.front.pair[RANKS.index(rank)]
        text += f", beside {count_text(points, 'point')} of royalties" if points else ""
    return f"{text}."


def proposal(advice: Action) -> Layout | None:
    """Return where the cards would lie by an action, None for one that lays nothing."""
    return advice.layout if isinstance(advice, Place) else None
