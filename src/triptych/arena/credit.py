"""Fit the values of fantasylands to the chains that were played out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from triptych.arena.records import DealRecord

Values = dict[tuple[int, int], float]  # by player and cards


class FantasylandValue(Struct, frozen=True, forbid_unknown_fields=True):
    """Points from each opponent that a fantasyland brings its player, repeats counted; `error`: standard error.

    `chains`: the number of played chains of the fit; 0 = a given value.
    """

    bot: str
    cards: int
    value: float
    error: float
    chains: int


def fit_values(labels: Sequence[str], records: Sequence[DealRecord]) -> tuple[FantasylandValue, ...]:
    """Return the values by least squares: the points of a chain are the values of its players' fantasylands.

    A player receives its own value from each opponent and pays each opponent's own.
    """
    chains = [record for record in records if record.chain is not None and any(record.next_fantasylands)]
    keys = sorted(
        {(player, cards) for deal in chains for player, cards in enumerate(deal.next_fantasylands) if cards}
    )
    if not keys:
        return ()
    column = {key: index for index, key in enumerate(keys)}
    rows, points = [], []
    for deal in chains:
        assert deal.chain is not None  # noqa: S101 - filtered above; this is for the type checker
        # The last player's equation is minus the sum of the others'.
        for player in range(len(labels) - 1):
            row = np.zeros(len(keys))
            for other, cards in enumerate(deal.next_fantasylands):
                if cards:
                    row[column[other, cards]] += len(labels) - 1 if other == player else -1
            rows.append(row)
            points.append(deal.chain[player])
    matrix, targets = np.array(rows), np.array(points, dtype=np.float64)
    fitted = np.linalg.lstsq(matrix, targets, rcond=None)[0]
    residuals = targets - matrix @ fitted
    noise = float(residuals @ residuals) / max(1, len(targets) - len(keys))
    spread = np.sqrt(np.maximum(0, np.diag(np.linalg.pinv(matrix.T @ matrix))) * noise)
    return tuple(
        FantasylandValue(
            labels[player],
            cards,
            float(fitted[index]),
            float(spread[index]),
            sum(deal.next_fantasylands[player] == cards for deal in chains),
        )
        for (player, cards), index in column.items()
    )


def fixed_values(labels: Sequence[str], values: Mapping[int, float]) -> tuple[FantasylandValue, ...]:
    """Return values given by number of cards, the same for every bot."""
    return tuple(
        FantasylandValue(label, cards, value, 0.0, 0) for label in labels for cards, value in sorted(values.items())
    )


def values_by_player(labels: Sequence[str], values: Sequence[FantasylandValue], sizes: Sequence[int]) -> Values:
    """Return a value for each player and size; a size that never occurred gets that of the nearest size."""
    table: Values = {}
    for player, label in enumerate(labels):
        candidates = [entry for entry in values if entry.bot == label] or list(values)
        for size in sizes:
            by_distance = sorted((abs(entry.cards - size), entry.bot, entry.value) for entry in candidates)
            table[player, size] = by_distance[0][2] if by_distance else 0.0
    return table


def add_credit(fantasylands: Sequence[int], values: Values) -> tuple[float, ...]:
    """Return the value of a deal's fantasylands for each player."""
    player_values = [values[player, cards] if cards else 0.0 for player, cards in enumerate(fantasylands)]
    return tuple(len(player_values) * value - sum(player_values) for value in player_values)
