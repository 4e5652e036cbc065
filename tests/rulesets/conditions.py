"""Random conditions of a fantasyland, such as custom rules could have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from triptych.rulesets.model import FantasylandCondition, FantasylandEntry, FantasylandRepeat

if TYPE_CHECKING:
    import random

    from triptych.board import RowName

RANKS = "23456789TJQKA"
KINDS = ("pair", "two_pair", "trips", "straight", "flush", "full_house", "quads", "straight_flush", "royal")


def random_entries(chance: random.Random, *, low: bool) -> tuple[FantasylandEntry, ...]:
    """Return up to six conditions of entry; `low`: the middle is a deuce-to-seven low."""
    return tuple(
        FantasylandEntry(
            row=own.row, least=own.least, royalties=own.royalties, all=more, cards=chance.randint(13, 17)
        )
        for own, more in (_parts(chance, low=low) for _ in range(chance.randrange(7)))
    )


def random_repeats(chance: random.Random, *, low: bool) -> tuple[FantasylandRepeat, ...]:
    """Return up to six conditions of a repeat."""
    repeats = []
    for _ in range(chance.randrange(7)):
        own, more = _parts(chance, low=low)
        cards: Literal["same"] | int = chance.choice(["same", *range(13, 18)])
        repeats.append(
            FantasylandRepeat(row=own.row, least=own.least, royalties=own.royalties, all=more, cards=cards)
        )
    return tuple(repeats)


def _parts(chance: random.Random, *, low: bool) -> tuple[FantasylandCondition, tuple[FantasylandCondition, ...]]:
    """Return a condition's own part, and what it asks besides; one of them asks something."""
    more = tuple(random_part(chance, low=low) for _ in range(chance.choice([0, 0, 0, 1, 2, 3])))
    return (FantasylandCondition() if more and chance.random() < 0.7 else random_part(chance, low=low)), more


def random_part(chance: random.Random, *, low: bool) -> FantasylandCondition:
    """Return a row's least hand, royalties, or both; now and then a hand that the row can never be."""
    if chance.random() < 0.2:
        return FantasylandCondition(royalties=chance.randint(1, 25))
    row = chance.choice(["front", "middle", "back"])
    royalties = chance.randint(1, 12) if chance.random() < 0.1 else 0
    return FantasylandCondition(row=row, least=random_hand(chance, row, low=low), royalties=royalties)  # type: ignore[arg-type]


def random_hand(chance: random.Random, row: RowName | str, *, low: bool) -> str:
    """Return a hand that often stands in the row, rarely one that cannot."""
    lows = (row == "middle" and low) != (chance.random() < 0.04)
    if lows:
        return "".join(chance.sample(RANKS[: chance.choice([6, 7, 8, 9, 10, 13])], 5))
    rank, other = chance.sample(RANKS, 2)
    ranked = [rank * 2, rank * 2, rank * 3, rank * 4, rank * 2 + other * 2, rank * 3 + other * 2]
    if row == "front" and chance.random() < 0.9:
        return chance.choice(["pair", "trips", rank * 2, rank * 2, rank * 3])
    return chance.choice([*KINDS, *ranked])
