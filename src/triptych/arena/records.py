"""The records of a match's deals. Tuples go by player: the order of the bots on the command line."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from triptych.arena.faults import Fault, FaultKind


class FantasylandRecord(Struct, frozen=True):
    """One fantasyland that was played: its cards, its royalties (0 when foul), and whether it was repeated."""

    player: int
    cards: int
    royalties: int
    fouled: bool
    repeated: bool


class DealRecord(Struct, frozen=True):
    """One deal of one seating, points before stakes and caps.

    `seats`: each player's seat, 0 = left of the button. `fouls`: boards that fouled. `royalties`: of legal boards.
    `next_fantasylands`: cards of each player's next one, 0 = none. `chain`: points of the fantasylands that followed,
    None where they were not played; `fantasylands`: those fantasylands.
    """

    seats: tuple[int, ...]
    points: tuple[int, ...]
    fouls: tuple[int, ...]
    royalties: tuple[int, ...]
    next_fantasylands: tuple[int, ...]
    chain: tuple[int, ...] | None
    fantasylands: tuple[FantasylandRecord, ...] = ()


class DuplicateDeal(Struct, frozen=True):
    """One deck played in every seating: the sampling unit of the intervals."""

    deal: int
    seatings: tuple[DealRecord, ...]


class BotStats(Struct, frozen=True):
    """The times and faults of one bot in a batch: CPU and wall times of its moves (see speed.py), its faults.

    `examples`: the first faults of each kind. `excluded`: it had too many faults and did not play on in the batch;
    `skipped`: decisions that it did not make therefore.
    """

    cpu: Mapping[int, int]
    cpu_total: int
    wall: Mapping[int, int]
    wall_total: int
    faults: Mapping[FaultKind, int]
    examples: tuple[Fault, ...]
    excluded: bool
    skipped: int = 0


class DealBatch(Struct, frozen=True):
    """Consecutive duplicate deals, played by one process."""

    duplicate_deals: tuple[DuplicateDeal, ...]
    bot_stats: tuple[BotStats, ...]
