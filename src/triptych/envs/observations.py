"""Observations as text for people, and as numbers between 0 and 1 for networks."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from triptych.board import ROWS
from triptych.cards import Card, card_text
from triptych.envs.actions import CARD_LOCATIONS, MAX_OBSERVATION_VALUE, OBSERVED_CARDS, SCALAR_FEATURES

_ROWS_OF_OTHERS: Final = 9  # three hands of three rows
PLACE_COUNT: Final = len(CARD_LOCATIONS) + _ROWS_OF_OTHERS
FEATURE_COUNT: Final = OBSERVED_CARDS * PLACE_COUNT + len(SCALAR_FEATURES)
_FIRST_PLACES: Final = np.arange(OBSERVED_CARDS) * PLACE_COUNT
_PLACES_END: Final = OBSERVED_CARDS * PLACE_COUNT


def features(observations: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return observations (…, OBSERVATION_SIZE) for a network: float32 (…, FEATURES), every number from 0 to 1.

    First each card's location, one-hot of PLACE_COUNT; then the scalar features, divided by the maximum.
    """
    flat = observations.reshape(-1, observations.shape[-1])
    result = np.zeros((len(flat), FEATURE_COUNT), np.float32)
    rows = np.arange(len(flat))[:, None] * FEATURE_COUNT
    # One write per card: comparing every card with every location takes ten times as long.
    result.reshape(-1)[flat[:, :OBSERVED_CARDS] + _FIRST_PLACES + rows] = 1
    np.divide(
        flat[:, OBSERVED_CARDS:], np.float32(MAX_OBSERVATION_VALUE), out=result[:, _PLACES_END:], dtype=np.float32
    )
    return result.reshape(*observations.shape[:-1], FEATURE_COUNT)


def observation_text(observation: NDArray[np.uint8]) -> str:
    """Return an observation, uint8 (OBSERVATION_SIZE,), as text: boards by row, then the street."""

    def cards_at(*locations: int) -> str:
        cards = np.flatnonzero(np.isin(observation[:OBSERVED_CARDS], locations))
        return "".join(card_text(Card(int(card))) for card in cards[::-1]) or "-"

    def board(first: int) -> str:
        return " / ".join(cards_at(first + row) for row in range(len(ROWS)))

    facts = observation[OBSERVED_CARDS:]
    lines = [f"you    {board(CARD_LOCATIONS.index('own front'))}"]
    for distance in range(_ROWS_OF_OTHERS // len(ROWS)):
        first = len(CARD_LOCATIONS) + len(ROWS) * distance
        if np.isin(observation[:OBSERVED_CARDS], range(first, first + len(ROWS))).any():
            lines.append(f"left {distance + 1} {board(first)}")
    street = f"fantasyland of {facts[3]}" if facts[3] else f"street {facts[1] + 1}"
    in_turn, to_come = (cards_at(CARD_LOCATIONS.index(name)) for name in ("own, in turn", "own, to come"))
    lines.append(f"{street}: {in_turn} in turn, {to_come} to come, {facts[7]} to discard")
    discards = cards_at(CARD_LOCATIONS.index("own discard"))
    return "\n".join([*lines, *([f"discarded {discards}"] if discards != "-" else [])])
