"""Random positions, and what native/tests/every_draw.hpp says of them: every draw and every placement tried."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from msgspec import Struct

from triptych import _kernel
from triptych.cards import Card, deck
from triptych.rulesets.compile import compile_rules, to_kernel_ints
from triptych.rulesets.model import streets

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from random import Random

    from triptych.rulesets.model import Ruleset
    from triptych.solve.exact.setting import Rows

SIZES = (3, 5, 5)


class Position(Struct, frozen=True):
    """A board before a street, the cards of that street, the boards to beat, and cards that cannot come."""

    rows: Rows
    cards: tuple[Card, ...]
    against: tuple[Rows, ...]
    dead: tuple[Card, ...]

    def unseen(self, rules: Ruleset) -> tuple[Card, ...]:
        """Return the cards that may still come."""
        boards = [card for board in (self.rows, *self.against) for row in board for card in row]
        known_cards = {*boards, *self.cards, *self.dead}
        return tuple(card for card in deck(rules.deal.jokers) if card not in known_cards)


def position(random: Random, rules: Ruleset, street: int, opponents: int, unseen: int | None = None) -> Position:
    """Return a board at a street, most often one that can still become legal; opponents' boards are finished.

    Some other cards are dead: discards, and what lies on boards in progress. `unseen`: as many are left alive.
    """
    cards = random.sample(deck(rules.deal.jokers), 52 + rules.deal.jokers)
    on_board = sum(step.placed for step in streets(rules)[:street])
    dealt = streets(rules)[street].dealt if street < len(streets(rules)) else 0
    mine = _laid(random, rules, cards[: 14 if random.random() < 0.8 else 13])
    slots = [(row, card) for row in range(3) for card in mine[row]]
    board_slots = set(random.sample(slots, on_board))
    front, middle, back = (tuple(card for card in mine[row] if (row, card) in board_slots) for row in range(3))
    rest = [card for card in cards if card not in {card for _, card in board_slots}]
    against = []
    for _ in range(opponents):
        against.append(_laid(random, rules, rest[-13:]))
        del rest[-13:]
    most = len(rest) - dealt
    alive = random.randint(max(3, most - 12), most) if unseen is None else unseen
    return Position((front, middle, back), tuple(rest[:dealt]), tuple(against), tuple(rest[dealt + alive :]))


def _laid(random: Random, rules: Ruleset, cards: Sequence[Card]) -> Rows:
    """Return a board of these cards: a good one, or with 13 of them just one."""
    goal = _kernel.Objective(compile_rules(rules), 0, 0, [random.choice((0.0, 12.0))] * 18)
    board = _kernel.complete(goal, (b"", b"", b""), bytes(cards))
    if board.legal and len(cards) > 13:
        front, middle, back = (tuple(map(Card, row)) for row in board.rows)
        return front, middle, back
    return tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:13])


def _setup(rules: Ruleset, rows: Rows, unseen: Sequence[Card]) -> list[str]:
    return [
        f"RULES {_numbers(to_kernel_ints(rules))}",
        f"UNSEEN {_numbers(unseen)}",
        "ROWS " + " ".join(f"{len(row)} {_numbers(row)}" for row in rows),
    ]


def _numbers(values: Sequence[int]) -> str:
    return " ".join(map(str, values))


def every_placement(
    program: Path, rules: Ruleset, spot: Position, street: int, fantasyland: float, foul: float
) -> dict[Rows, tuple[float, float]]:
    """Return value and chance to foul of every placement, by the cards that it puts into the rows."""
    later = streets(rules)[street + 1 :]
    lines = [
        *_setup(rules, spot.rows, spot.unseen(rules)),
        f"LAND {fantasyland}",
        f"FOUL {foul}",
        *("AGAINST " + _numbers([card for row in board for card in row]) for board in spot.against),
        "LATER " + " ".join(f"{step.dealt} {step.placed}" for step in later),
        f"STREET {streets(rules)[street].placed} {_numbers(spot.cards)}",
    ]
    placements: dict[Rows, tuple[float, float]] = {}
    for code, value, fouls in (line.split() for line in _ask(program, lines)[:-1]):
        front, middle, back = (
            tuple(card for card, at in zip(spot.cards, code, strict=True) if int(at) == row) for row in range(3)
        )
        placements[front, middle, back] = float(value), float(fouls)
    return placements


class DrawCounts(Struct, frozen=True):
    """What all draws make of a board; `classes`: draws by the best class of each row alone."""

    draws: int
    legal: int
    fantasyland: int
    classes: tuple[dict[int, int], ...]


def every_draw(program: Path, rules: Ruleset, spot: Position, come: int) -> DrawCounts:
    """Return what the `come` cards to come can make of the board."""
    totals, *rows, _ = _ask(program, [*_setup(rules, spot.rows, spot.unseen(rules)), f"OUTS {come}"])
    draws, legal, fantasyland = map(int, totals.split())
    numbers = [list(map(int, row.split())) for row in rows]
    return DrawCounts(
        draws, legal, fantasyland, tuple(dict(zip(row[::2], row[1::2], strict=True)) for row in numbers)
    )


def _ask(program: Path, lines: list[str]) -> list[str]:
    completed = subprocess.run(
        [program, "every_draw"], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    return completed.stdout.splitlines()
