"""What opponents may have thrown away: how likely each card, from what they kept. Never from the true discards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from triptych.cards import Card, card_text
from triptych.notation.position import Position
from triptych.rulesets.model import Ruleset
from triptych.solve.analysis.analyse import prepare_decision


class DiscardBelief(Struct, frozen=True):
    """A card that a hand threw away unseen on a street, from 1: the chance of each card, the likeliest first.

    The chances sum to 1. Discards are different cards; this is of each of them alone.
    """

    hand: int
    street: int
    chances: dict[str, float]

    def __repr__(self) -> str:
        """Say the likeliest cards in a line."""
        likely = ", ".join(f"{card} {chance:.0%}" for card, chance in list(self.chances.items())[:5])
        return f"<Discard of hand {self.hand} on street {self.street}: {likely}>"


def discard_beliefs(
    position: Position | str,
    rules: Ruleset | str | Mapping[str, object] = "pineapple",
    *,
    hand: int | None = None,
) -> tuple[DiscardBelief, ...]:
    """Return what the others threw away, as the hand to act may believe; nothing where no card is to come any more.

    The cards of a row are read in the order in which they came. Raises what `slices_of` raises. Source: Bayes' rule
    over the learned player's choices (native/include/triptych/learn/belief.hpp).
    """
    _, search, _ = prepare_decision(position, rules, hand)
    return tuple(
        DiscardBelief(card.hand, card.street + 1, _likeliest(card.chances))
        for card in search.discard_belief(thorough=True)
    )


def _likeliest(chance: Sequence[float]) -> dict[str, float]:
    order = sorted(range(len(chance)), key=lambda card: -chance[card])
    return {card_text(Card(card)): chance[card] for card in order if chance[card] > 0}
