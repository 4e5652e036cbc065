"""What deals paid, counted again from their history files: boards by `read_history`, points by the scorer.

Caps, stacks, money and places are counted here, by a few lines that know nothing of a table or its ledger.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from itertools import combinations
from typing import Any, NamedTuple

import triptych
from tests.browser.people import ROWS

# What was won at a deal's price: name of the player to points.
Paid = dict[str, int]


class Deal(NamedTuple):
    """A deal by names from the button's left. `worth`: of each pair's point; `ended`: when its last card lay."""

    players: tuple[str, ...]
    boards: dict[str, str]
    points: list[int]
    worth: list[int]
    reached: dict[str, int]
    fantasylands: dict[str, int]
    price: Decimal
    unit: str
    started: datetime
    ended: datetime
    stacks: tuple[int, ...]


def deal_from_history(text: str) -> Deal:
    """Return a deal whose boards are scored again; what its file says of points is not used."""
    history = triptych.read_history(text)
    names = history.players
    rows: dict[str, list[list[str]]] = {name: [[], [], []] for name in names}
    for step in history.steps:
        if step.verb in ("place", "show"):
            laid = (step.layout.front, step.layout.middle, step.layout.back)
            already = rows[names[step.hand]] if step.verb == "place" else ([], [], [])
            rows[names[step.hand]] = [[*row, *map(str, cards)] for row, cards in zip(already, laid, strict=True)]
    boards = {name: "/".join("".join(row) for row in three) for name, three in rows.items()}
    fantasylands = {name: hand.fantasyland for name, hand in zip(names, history.hands, strict=True)}
    document: dict[str, Any] = {
        name: dict(zip(ROWS, board.split("/"), strict=True))
        | ({"fantasyland": {"cards": hand.fantasyland, "in_row": hand.in_row}} if hand.fantasyland else {})
        for (name, board), hand in zip(boards.items(), history.hands, strict=True)
    }
    scored = triptych.score(document, history.rules)
    points = [int(scored.pairs[f"{name}-{other}"]) for name, other in combinations(names, 2)]
    started = datetime.fromisoformat(history.started)
    return Deal(
        names,
        boards,
        points,
        list(history.stakes) or [1] * len(points),
        scored.fantasyland,
        {name: cards for name, cards in fantasylands.items() if cards},
        Decimal(str(history.rules.stake.point)),
        history.rules.stake.unit,
        started,
        started + timedelta(milliseconds=history.steps[-1].at),
        history.stacks,
    )


def paid(deal: Deal, held: dict[str, int]) -> Paid:
    """Return what a deal moved where nobody loses more to another than the smaller stack at its start."""
    assert [held[name] for name in deal.players] == list(deal.stacks), "others than the stacks that the deal tells"
    now = dict(held)
    pairs = combinations(deal.players, 2)
    for (first, other), points, worth in zip(pairs, deal.points, deal.worth, strict=True):
        payer, taker = (other, first) if points > 0 else (first, other)
        amount = min(abs(points * worth), now[payer], held[payer], held[taker])
        now[payer] -= amount
        now[taker] += amount
    return {name: now[name] - held[name] for name in deal.players}


def places(deals: list[Deal], chips: dict[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """Return everybody's place in a tournament, and the chips at its end.

    Who goes out later stands better; of two in one deal who brought more to it; who brought the same share a place.
    """
    held = dict(chips)
    out: dict[str, tuple[datetime, int]] = {}
    for deal in sorted(deals, key=lambda deal: deal.started):
        before = dict(held)
        for name, points in paid(deal, held).items():
            held[name] += points
            if not held[name]:
                out[name] = (deal.ended, before[name])
    last = (datetime.max.replace(tzinfo=next(iter(out.values()))[0].tzinfo), 0)
    when = {name: out.get(name, last) for name in chips}
    return {name: 1 + sum(other > mine for other in when.values()) for name, mine in when.items()}, held
