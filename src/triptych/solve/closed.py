"""The best settings of a closed deal: against given boards, or against how people who think of each other set."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from msgspec import Struct

from triptych import _kernel
from triptych.cards import Card, deck
from triptych.rules.compile import compile_rules
from triptych.rules.load import resolve
from triptych.rules.model import Ruleset
from triptych.solve.errors import SolveError
from triptych.solve.setting import EMPTY, Aim, Rows, best_setting, verify_cards

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BOARD_CARDS = 13
ALL_SETTINGS = 72_072

_BOARDS = 192
_ROUNDS = 3


class ClosedSetting(Struct, frozen=True):
    """One way to set 13 cards. `value`: points on average against one of the boards it was held against."""

    front: tuple[Card, ...]
    middle: tuple[Card, ...]
    back: tuple[Card, ...]
    value: float


def closed(
    cards: Sequence[Card],
    rules: Ruleset | str | Mapping[str, object] = "closed_1_6",
    *,
    against: Sequence[Rows] = (),
    limit: int = 1,
) -> tuple[ClosedSetting, ...]:
    """Return the best `limit` legal settings of 13 cards, best first; exact over all 72,072.

    `against`: boards to beat, each as likely as another; by default typical boards of these rules (`population`).
    Naturals, surrender and the doubling of a home-run are not counted. Of equal settings the one with the highest
    back, then middle, then front.

    Raises SolveError, and RulesError for rules that cannot be resolved. Rule: RULEBOOK 3 and 4.
    """
    resolved = rules if isinstance(rules, Ruleset) else resolve(rules)
    if len(cards) != BOARD_CARDS:
        raise SolveError("cards.count", f"a closed deal has {BOARD_CARDS} cards, not {len(cards)}", "$.cards")
    verify_cards(resolved, cards, "$.cards", set())
    if resolved.deal.jokers:
        raise SolveError("card.joker", "closed deals are solved without jokers", "$.rules.deal.jokers")
    for number, rows in enumerate(against):
        if tuple(map(len, rows)) != (3, 5, 5):
            raise SolveError("row.size", "a board has 3, 5 and 5 cards", f"$.against[{number}]")
    boards = tuple(b"".join(map(bytes, rows)) for rows in against) or population(resolved)
    sample = _kernel.BoardSample(compile_rules(resolved), boards)
    found = _kernel.closed_settings(sample, bytes(cards), limit)
    return tuple(_setting(board, value) for board, value in found)


@lru_cache(maxsize=32)
def population(rules: Ruleset, boards: int = _BOARDS, rounds: int = _ROUNDS, seed: int = 0) -> tuple[bytes, ...]:
    """Return boards as they are set by players who each answer all earlier ones in the best way.

    Fictitious play on random deals: the first are set for royalties alone, each round's boards are best against those
    of the rounds before, and the first round is forgotten. 13 cards a board, front first.
    """
    random = Random(seed)
    settings = [_for_royalties(rules, _deal(rules, random)) for _ in range(boards)]
    for number in range(rounds):
        sample = _kernel.BoardSample(compile_rules(rules), settings)
        found = [_kernel.closed_settings(sample, bytes(_deal(rules, random)), 1) for _ in range(boards)]
        answers = [best[0][0] for best in found if best]
        settings = answers if number == 0 else settings + answers
    return tuple(settings)


def _deal(rules: Ruleset, random: Random) -> list[Card]:
    return random.sample(deck(rules.deal.jokers), BOARD_CARDS)


def _for_royalties(rules: Ruleset, cards: Sequence[Card]) -> bytes:
    setting = best_setting(rules, Aim(), EMPTY, cards)
    return bytes((*setting.front, *setting.middle, *setting.back))


def _setting(board: bytes, value: float) -> ClosedSetting:
    cards = tuple(map(Card, board))
    front, middle, back = (tuple(sorted(row, reverse=True)) for row in (cards[:3], cards[3:8], cards[8:]))
    return ClosedSetting(front, middle, back, value)
