"""Fill the unknown cards of a history with possible cards, so that it can be replayed.

Views of the history do not show these cards (deal/project.py), and no known result depends on them.
"""

from __future__ import annotations

from msgspec.structs import replace

from triptych.board import ROW_CAPACITY, ROWS, Layout, RowName
from triptych.cards import UNKNOWN_CARD, card_text, deck
from triptych.notation.errors import NotationError
from triptych.notation.history.model import History, Step

Rows = dict[RowName, list[str]]


def fill_unknown_cards(history: History) -> tuple[Step, ...]:
    """Return the steps with every card known.

    Raises NotationError (`card.duplicate`, `history.replay`) when no cards are possible.
    """
    steps = list(history.steps)
    spare = _unseen_cards(history)
    for hand in range(len(history.hands)):
        _complete_hand(steps, [index for index, step in enumerate(steps) if step.hand == hand], spare)
    return tuple(steps)


def _unseen_cards(history: History) -> list[str]:
    """Return the cards that the history does not show. Raises NotationError for a card in two hands."""
    full_deck = [card_text(card) for card in deck(history.rules.deal.jokers)]
    owner: dict[str, int] = {}
    for index, step in enumerate(history.steps):
        for card in (*step.cards, *step.layout.front, *step.layout.middle, *step.layout.back, *step.discards):
            if card == UNKNOWN_CARD:
                continue
            if card not in full_deck:
                raise NotationError(
                    "history.replay", "these rules are played without this joker", f"$.actions[{index}]"
                )
            if owner.setdefault(card, step.hand) != step.hand:
                raise NotationError("card.duplicate", "this card is in two hands", f"$.actions[{index}]")
    return [card for card in full_deck if card not in owner]


def _complete_hand(steps: list[Step], own: list[int], spare: list[str]) -> None:
    """Fill one hand's streets, each dealt and then placed; a natural that is shown later was dealt at once."""
    natural = next((steps[index].cards for index in own if steps[index].verb == "show_natural"), ())
    word = next((steps[index].word for index in own if steps[index].verb == "show_natural"), "")
    covered_rows = _covered_rows(steps, own)
    dealt: int | None = None
    for index in own:
        step = steps[index]
        if step.verb == "deal":
            dealt = index
        if dealt is None or step.verb not in ("place", "natural"):
            continue
        if natural and step.covered:
            steps[index] = replace(step, verb="natural", word=word, covered=0)
            steps[dealt] = replace(steps[dealt], cards=natural)
        elif step.verb == "place" and UNKNOWN_CARD in steps[dealt].cards:
            steps[index] = _complete_place(step, covered_rows, spare, f"$.actions[{index}]")
            steps[dealt] = replace(steps[dealt], cards=_step_cards(steps[index]))
        dealt = None
    if dealt is not None and UNKNOWN_CARD in steps[dealt].cards:
        arranged = _arranged_cards(steps, [index for index in own if index > dealt])
        more = _take(spare, len(steps[dealt].cards) - len(arranged), f"$.actions[{dealt}]")
        steps[dealt] = replace(steps[dealt], cards=arranged + more)


def _arranged_cards(steps: list[Step], own: list[int]) -> tuple[str, ...]:
    """Return the cards of a visible arrangement of a street that was dealt face down."""
    layouts = [steps[index].layout for index in own if steps[index].verb == "arrange"]
    cards = [card for layout in layouts for card in (*layout.front, *layout.middle, *layout.back)]
    return tuple(dict.fromkeys(cards))


def _covered_rows(steps: list[Step], own: list[int]) -> Rows:
    """Return the cards of covered streets by row: the shown board without its open cards, or unknown cards."""
    board = next((steps[index].layout for index in own if steps[index].verb == "show"), None)
    placed = [steps[index].layout for index in own if steps[index].verb == "place"]
    open_cards = {card for layout in placed for card in (*layout.front, *layout.middle, *layout.back)}
    if board is not None:
        return {row: [card for card in getattr(board, row) if card not in open_cards] for row in ROWS}
    return {
        row: [UNKNOWN_CARD] * (ROW_CAPACITY[row] - sum(len(getattr(layout, row)) for layout in placed))
        for row in ROWS
    }


def _complete_place(step: Step, covered_rows: Rows, spare: list[str], path: str) -> Step:
    """Return a placement with its covered cards in rows and its unknown discards filled."""
    rows: Rows = {row: [] for row in ROWS}
    for _ in range(step.covered):
        row = next((row for row in ROWS if covered_rows[row]), None)
        if row is None:
            raise NotationError("history.replay", "more cards were placed than the board has slots", path)
        card = covered_rows[row].pop(0)
        rows[row].append(_take(spare, 1, path)[0] if card == UNKNOWN_CARD else card)
    layout = Layout(*(getattr(step.layout, row) + tuple(rows[row]) for row in ROWS))
    discards = tuple(_take(spare, 1, path)[0] if card == UNKNOWN_CARD else card for card in step.discards)
    return replace(step, layout=layout, covered=0, discards=discards)


def _step_cards(step: Step) -> tuple[str, ...]:
    return (*step.layout.front, *step.layout.middle, *step.layout.back, *step.discards)


def _take(spare: list[str], count: int, path: str) -> tuple[str, ...]:
    if len(spare) < count:
        raise NotationError("history.replay", "more cards were dealt than the deck has", path)
    cards = tuple(spare[:count])
    del spare[:count]
    return cards
