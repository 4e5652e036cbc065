"""What a best response gains against the closed strategy. MEASURES 2; issue 4, shown by 5.

uv run python -m bench.closed_gain closed_1_6 closed_2_4 taiwanese [--opponents 1] [--deals 100000] [--seed 7]

Duplicate deals: every deal is played twice with the same cards, once with the strategy in all seats and once with its
best response in one of them; the difference is the gain. The response knows the strategy: it answers a pool of fresh
hands as the strategy plays them, four times as many as the strategy's own field. Announcements go round in turn.
"""

from __future__ import annotations

import argparse
from statistics import fmean, stdev

import numpy as np

from bench.report import write
from triptych import _kernel
from triptych.bots.closed_train import DECK_HANDS, Plays, deal, packed, play
from triptych.rules.compile import compile_rules
from triptych.rules.load import resolve
from triptych.rules.model import Ruleset
from triptych.solve.closed_field import field_for

BOARD, SURRENDER, NATURAL = range(3)
UNDECIDED, PLAYS = 1, 2
POOL_DECKS = 5000
CHUNK = 500
NEAR = 1.0  # points: a hand this far from surrender asks again when it announces


class Seat:
    """One hand of a deal with the strategy that plays it."""

    def __init__(self, field: _kernel.ClosedField, plays: Plays, index: int) -> None:
        self.field = field
        self.kind = int(plays.kinds[index])
        self.board = plays.cards[index].tobytes()
        self.points = float(plays.points[index])


def kinds(rules: Ruleset, seats: list[Seat]) -> list[int]:
    """Return what each hand is at the showdown: naturals first, then announcements in turn."""
    price = rules.surrender.points
    found = [seat.kind if seat.kind == NATURAL else BOARD for seat in seats]
    if not price or found.count(NATURAL) >= len(seats) - 1:
        return found
    for index, seat in enumerate(seats):
        states = [PLAYS for kind in found[:index] if kind == BOARD]
        states += [UNDECIDED for kind in found[index + 1 :] if kind != NATURAL]
        gone = found[:index].count(SURRENDER)
        far = seat.kind == BOARD and seat.points > NEAR - price * (len(seats) - 1) and not gone
        if found[index] == NATURAL or far or not states:
            continue
        plays, surrender = seat.field.announce(seat.board, b"", states)
        if plays + price * gone < surrender:
            found[index] = SURRENDER
    return found


def points(table: _kernel.Rules, rules: Ruleset, seats: list[Seat], own: int) -> float:
    """Return the points of one seat in a deal; under first_to_11 its lead over the mean of the others."""
    hands = b"".join(
        bytes((kind, 7, 0, 0, index)) + seat.board
        for index, (seat, kind) in enumerate(zip(seats, kinds(rules, seats), strict=True))
    )
    numbers = _kernel.score_deal(table, hands)
    count = len(seats)
    shares = [numbers[11 * index + 10] for index in range(count)]
    total = shares[own] - (sum(shares) - shares[own]) / (count - 1)
    at = 11 * count
    for a in range(count):
        for b in range(a + 1, count):
            moved = numbers[at + 3] + numbers[at + 5] + numbers[at + 6]
            total += moved * ((a == own) - (b == own))
            at += 7
    return total


def gains(preset: str, opponents: int, deals: int, seed: int) -> list[float]:
    """Return the mean gain of each deck: points a deal that the best response wins above the strategy itself."""
    rules = resolve(preset)
    table = compile_rules(rules)
    random = np.random.default_rng(seed)
    field = field_for(rules, opponents).kernel
    pool = play(field, deal(random, POOL_DECKS), opponents)
    rival = _kernel.ClosedField(table, packed(pool.kinds, pool.cards))
    size = opponents + 1
    groups = DECK_HANDS // size
    found: list[float] = []
    while len(found) * groups < deals:
        hands = deal(random, CHUNK)
        tables = [(deck, deck * DECK_HANDS + group * size) for deck in range(CHUNK) for group in range(groups)]
        asked = [first + deck % size for deck, first in tables]
        own = play(field, hands, opponents)
        answers = play(rival, np.ascontiguousarray(hands[asked]), opponents)
        change = np.array(
            [_gain(rules, table, (field, rival), (own, answers), at, tables[at], size) for at in range(len(tables))]
        )
        found += list(change.reshape(CHUNK, groups).mean(axis=1))
        print(f"\r{preset}, {size} players: {len(found) * groups:,} deals, {fmean(found):+.4f}", end="", flush=True)
    print()
    return found


def _gain(
    rules: Ruleset,
    table: _kernel.Rules,
    fields: tuple[_kernel.ClosedField, _kernel.ClosedField],
    plays: tuple[Plays, Plays],
    at: int,
    place: tuple[int, int],
    size: int,
) -> float:
    deck, first = place
    own = deck % size
    seats = [Seat(fields[0], plays[0], first + index) for index in range(size)]
    before = points(table, rules, seats, own)
    seats[own] = Seat(fields[1], plays[1], at)
    return points(table, rules, seats, own) - before


def main() -> None:
    """Measure and write the section; Ctrl-C ends a preset early, with the deals it has."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", nargs="*", default=["closed_1_6", "closed_2_4", "taiwanese"])
    parser.add_argument("--opponents", type=int, default=1)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    rows = [("preset", "players", "duplicate deals", "gain, points a deal", "95 % interval")]
    for preset in asked.preset:
        found = gains(preset, asked.opponents, asked.deals, asked.seed)
        half = 1.96 * stdev(found) / len(found) ** 0.5
        count = len(found) * (DECK_HANDS // (asked.opponents + 1))
        rows.append((preset, str(asked.opponents + 1), f"{count:,}", f"{fmean(found):+.4f}", f"± {half:.4f}"))
    command = (
        f"uv run python -m bench.closed_gain {' '.join(asked.preset)} --opponents {asked.opponents} "
        f"--deals {asked.deals} --seed {asked.seed}"
    )
    write(f"Closed strategy, {asked.opponents + 1} players", command, rows)


if __name__ == "__main__":
    main()
