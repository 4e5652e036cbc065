"""Seeds of all random choices of a match, by their place in it: independent of players and processes."""

from __future__ import annotations

from hashlib import blake2b
from random import Random

from triptych.cards import Card, deck


def deck_for(jokers: int, seed: str, deal: int, step: int) -> tuple[Card, ...]:
    """Return the whole deck of a deal; `step` 0 is the deal itself, 1 and more are the fantasylands after it."""
    cards = list(deck(jokers))
    Random(_number(seed, deal, step, "deck")).shuffle(cards)
    return tuple(cards)


def bot_seed(seed: str, deal: int, step: int, seat: int) -> int:
    """Return the seed of the bot in a seat, 0 to 2^63 - 1; it is the same for each bot, so that chance cancels."""
    return _number(seed, deal, step, f"seat{seat}")


def _number(seed: str, deal: int, step: int, use: str) -> int:
    text = f"{seed}/{deal}/{step}/{use}".encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big") >> 1
