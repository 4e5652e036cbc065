"""Observations for people and for networks: as text, and as numbers between 0 and 1."""

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

    First the place of each card, one of PLACE_COUNT set to 1; then the facts, divided by the highest value of all.
    """
    seen = observations.reshape(-1, observations.shape[-1])
    shown = np.zeros((len(seen), FEATURE_COUNT), np.float32)
    rows = np.arange(len(seen))[:, None] * FEATURE_COUNT
    # One write a card: comparing every card with every place costs ten times as much.
    shown.reshape(-1)[seen[:, :OBSERVED_CARDS] + _FIRST_PLACES + rows] = 1
    np.divide(
        seen[:, OBSERVED_CARDS:], np.float32(MAX_OBSERVATION_VALUE), out=shown[:, _PLACES_END:], dtype=np.float32
    )
    return shown.reshape(*observations.shape[:-1], FEATURE_COUNT)


def observation_text(observation: NDArray[np.uint8]) -> str:
    """Return what an observation, uint8 (OBSERVATION_SIZE,), shows: boards by row, then the street."""

    def at(*places: int) -> str:
        lying = np.flatnonzero(np.isin(observation[:OBSERVED_CARDS], places))
        return "".join(card_text(Card(int(card))) for card in lying[::-1]) or "-"

    def board(first: int) -> str:
        return " / ".join(at(first + row) for row in range(len(ROWS)))

    facts = observation[OBSERVED_CARDS:]
    lines = [f"you    {board(CARD_LOCATIONS.index('own front'))}"]
    for away in range(_ROWS_OF_OTHERS // len(ROWS)):
        first = len(CARD_LOCATIONS) + len(ROWS) * away
        if np.isin(observation[:OBSERVED_CARDS], range(first, first + len(ROWS))).any():
            lines.append(f"left {away + 1} {board(first)}")
    where = f"fantasyland of {facts[3]}" if facts[3] else f"street {facts[1] + 1}"
    waiting = at(CARD_LOCATIONS.index("own, to come"))
    lines.append(
        f"{where}: {at(CARD_LOCATIONS.index('own, in turn'))} in turn, {waiting} to come, {facts[7]} to discard"
    )
    thrown = at(CARD_LOCATIONS.index("own discard"))
    return "\n".join([*lines, *([f"discarded {thrown}"] if thrown != "-" else [])])
