"""The fixed action codec of every environment, and the layout of an observation.

A player's cards of a street are handled one by one, in the order received; each is placed in a row or discarded.
Seven actions therefore serve every game, every street and every fantasyland size:

- 0, 1, 2: the card in turn goes to the front, the middle, the back;
- 3: the card in turn is discarded;
- 4, 5: closed games: announce *play*, announce *surrender*;
- 6: closed games: take the natural held, before the first card is set.

A street is confirmed by its last card. `deal.first_cards` has no effect here: players act in turn only, and an agent
that waits does not see its first five cards.

An observation is `OBSERVATION_SIZE` bytes. The first 54 are the locations of the cards (by card number, jokers last)
as far as the viewer may know them: an index of `CARD_LOCATIONS`, or 7 + 3 (k - 1) + row for the rows of the k-th hand
to the left. Then come the `SCALAR_FEATURES`.
"""

from __future__ import annotations

from typing import Final

from triptych import _kernel

ACTIONS: Final = ("front", "middle", "back", "discard", "play", "surrender", "natural")
ACTION_COUNT: Final = _kernel.ACTIONS
OBSERVATION_SIZE: Final = _kernel.OBSERVATION_SIZE
OBSERVED_CARDS: Final = 54

CARD_LOCATIONS: Final = (
    "unseen",
    "own front",
    "own middle",
    "own back",
    "own, to come",
    "own, in turn",
    "own discard",
)
SCALAR_FEATURES: Final = (
    "hand in deal order, 0 = left of the button",
    "street, from 0",
    "phase: 0 placing, 1 announcing, 2 over",
    "own fantasyland cards, 0 = none",
    "fantasyland cards of the hand 1 to the left",
    "fantasyland cards of the hand 2 to the left",
    "fantasyland cards of the hand 3 to the left",
    "own cards still to discard on this street",
    "status of the hand 1 to the left, known from the announcements on: 1 surrendered, 2 natural",
    "status of the hand 2 to the left",
    "status of the hand 3 to the left",
)
# No value of an observation exceeds this: 3 rows of 3 opponents after the 7 places; 17 fantasyland cards.
MAX_OBSERVATION_VALUE: Final = 17


def legal_actions(mask: int) -> list[int]:
    """Return the actions whose bits are set in a mask of the kernel, ascending."""
    return [action for action in range(ACTION_COUNT) if mask >> action & 1]
