"""What the hands of a deal play for, as bots are told it. Rule: Rules §4, 6."""

from __future__ import annotations

from itertools import combinations

from triptych.deal.stacks import Stacks
from triptych.deal.state import DealState
from triptych.rulesets.model import bankroll_mode
from triptych.table.levels import point_value
from triptych.table.settlement import stakes
from triptych.table.state import TableState


def deal_stacks(state: TableState, deal: DealState) -> Stacks:
    """Return the stacks and stakes of the deal in progress, by hand."""
    owners = tuple([hand.seat for hand in deal.hands])
    agreed = stakes(state, owners)
    return Stacks(
        chips=tuple([state.seats[seat].stack for seat in owners])
        if bankroll_mode(state.config.rules) == "stacks"
        else (),
        point=point_value(state),
        stakes=tuple([agreed[min(pair), max(pair)] if pair[0] != pair[1] else 1 for pair in combinations(owners, 2)]),
    )
