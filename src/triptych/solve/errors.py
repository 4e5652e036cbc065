"""The errors of a request to a solver."""

from __future__ import annotations

from typing import Final

from triptych.json_input import CODES as LINE_CODES
from triptych.json_input import JsonInputError

CODES: Final = {
    **LINE_CODES,
    "card.unknown": "A text is not a card.",
    "card.duplicate": "A card is in two places.",
    "card.joker": "The rules are played without this joker.",
    "cards.count": "There are too few or too many cards.",
    "row.size": "A row of a finished board does not have its 3 or 5 cards.",
    "against.count": "There are too many boards to play against.",
    "game.open": "The game is not closed: its cards do not come at once.",
    "stacks.count": "There is not one stack for every seat.",
    "stacks.rules": "These rules are not solved under stacks.",
    "unknown.rules": "These rules are not solved against samples of boards.",
    "rules.suits": "Suits break ties under these rules, which this solver does not count.",
    "rules.broken_up": "A hand that was broken up earns royalties, which this solver does not count.",
    "rules.low_limit": "Any low is legal under these rules, and outs count ten-lows.",
    "street.closed": "The game has no streets.",
    "street.early": "More than two slots would stay free.",
    "samples.file": "The file of samples cannot be read.",
    "value.none": "There are no learned weights for these rules.",
    "review.closed": "A closed deal has no streets, so its luck and a comparison cannot be computed.",
    "review.spectator": "The history has no player's hidden cards.",
    "review.unfinished": "The deal is not finished.",
    "position.acting": "It is not clear which hand is to act.",
    "position.placement": "This is not a placement of the cards.",
    "position.street": "The cards fit no street of the rules.",
    "position.cards": "There are too few cards left for this position.",
}


class SolveError(JsonInputError):
    """A request that cannot be solved; `code` is one of CODES or of the rules' own codes."""
