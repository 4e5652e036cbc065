"""The likely discards of opponents, inferred from their boards. The true discards are never used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from triptych.cards import Card, card_text
from triptych.notation.position import Position
from triptych.rulesets.model import Ruleset
from triptych.solve.analysis.analyse import prepare_decision


class DiscardBelief(Struct, frozen=True):
    """A hidden discard of a hand on a street, from 1: the chance of each card, the likeliest first.

    The chances sum to 1. They are marginal: that two discards are different cards is not in them.
    """

    hand: int
    street: int
    chances: dict[str, float]

    def __repr__(self) -> str:
        likely = ", ".join(f"{card} {chance:.0%}" for card, chance in list(self.chances.items())[:5])
        return f"<Discard of hand {self.hand} on street {self.street}: {likely}>"


def discard_beliefs(
    position: Position | str,
    rules: Ruleset | str | Mapping[str, object] = "pineapple",
    *,
    hand: int | None = None,
) -> tuple[DiscardBelief, ...]:
    """Return the belief of the hand to act about the others' discards; empty where no more cards will come.

    The cards of a row are read in the order in which they were placed. Raises as `iter_analyses`. Source: Bayes' rule
    over the learned policy's choices (native/include/triptych/learn/belief.hpp).
    """
    _, search, _ = prepare_decision(position, rules, hand)
    return tuple(
        DiscardBelief(card.hand, card.street + 1, _likeliest(card.chances))
        for card in search.discard_belief(thorough=True)
    )


def _likeliest(chance: Sequence[float]) -> dict[str, float]:
    order = sorted(range(len(chance)), key=lambda card: -chance[card])
    return {card_text(Card(card)): chance[card] for card in order if chance[card] > 0}
