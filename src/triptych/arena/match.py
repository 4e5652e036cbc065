"""Play a whole match: batches of deals over processes, yielded in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from math import ceil, inf
from typing import Final, Literal

import msgspec
from msgspec import Struct

from triptych.arena.contender import (
    BotMonitor,
    Contender,
    Entrant,
    FactoryContender,
    InProcessContender,
    LevelContender,
    Limits,
    number_labels,
    read_entrants,
)
from triptych.arena.errors import ArenaError
from triptych.arena.factory import load_factory
from triptych.arena.play import DealId, Seating
from triptych.arena.records import DealBatch, DealRecord, DuplicateDeal
from triptych.bots.learned.bot import load_weights_file
from triptych.bots.levels import SEARCH_SETTINGS, Bot, weights_file_of
from triptych.parallel import Parallelism, Pool
from triptych.rulesets.model import Ruleset
from triptych.solve.value.points import can_learn
from triptych.solve.value.weights import WeightsError, packaged_file

ChainMode = Literal["played", "credited", "both"]

_MAX_BATCH: Final = 64
_BATCHES: Final = 64
# A program is started for each batch and seating, which can take seconds: so their batches are few and large.
_MAX_PROGRAM_BATCH: Final = 256
_PROGRAM_BATCHES: Final = 4
FIT_INTERVAL: Final = 8  # in `credited` mode one in so many deals is played out, to fit the values


class Plan(Struct, frozen=True):
    """The plan of a match. `until`: stop when every bot's interval is at most so wide to each side, 0 = never."""

    rules: Ruleset
    entrants: tuple[Entrant, ...]
    deals: int
    seed: str
    chains: ChainMode = "both"
    fantasyland_values: tuple[tuple[int, float], ...] = ()
    limits: Limits = Limits()
    until: float = 0.0

    @property
    def batch_size(self) -> int:
        """Deals in a batch; by the plan alone, so that results do not depend on the number of processes."""
        if any(entrant.command for entrant in self.entrants):
            return max(1, min(_MAX_PROGRAM_BATCH, ceil(self.deals / _PROGRAM_BATCHES)))
        return max(1, min(_MAX_BATCH, self.deals // _BATCHES))


def verify_plan(plan: Plan) -> None:
    """Raise ArenaError when the match cannot be played."""
    seats = plan.rules.seats
    count = len(plan.entrants)
    if not seats.min <= count <= seats.max:
        allowed = f"{seats.min}" if seats.min == seats.max else f"{seats.min} to {seats.max}"
        raise ArenaError("arena.bots", f"{plan.rules.name} is played by {allowed} bots, not {count}", "$.bots")
    if plan.deals < 1:
        raise ArenaError("arena.deals", f"play at least one deal, not {plan.deals}", "$.deals")
    if not 0 <= plan.until < inf:
        raise ArenaError("arena.until", "the width to stop at must be above 0", "$.until")
    if plan.until and plan.chains == "credited" and not plan.fantasyland_values:
        message = "credited fantasylands are fitted at the end; to stop on a width, give --land-value or play them"
        raise ArenaError("arena.until", message, "$.until")
    _verify_entrants(plan)
    _verify_limits(plan.limits)


def _verify_entrants(plan: Plan) -> None:
    for index, entrant in enumerate(plan.entrants):
        try:
            if file := weights_file_of(entrant.level):
                load_weights_file(plan.rules, file)
            elif entrant.level in SEARCH_SETTINGS and can_learn(plan.rules):
                packaged_file(plan.rules)
        except (OSError, WeightsError) as error:
            raise ArenaError("arena.weights", str(error), f"$.bots[{index}]") from None
        if entrant.python:
            load_factory(entrant.python, f"$.bots[{index}]")


def _verify_limits(limits: Limits) -> None:
    for name, value, minimum in (
        ("budget_ms", limits.budget_ms, 1),
        ("bank_ms", limits.bank_ms, 0),
        ("most_faults", limits.max_faults, 1),
        ("hello_ms", limits.startup_ms, 1),
    ):
        if value < minimum:
            raise ArenaError("arena.value", f"{name} must be at least {minimum}, not {value}", f"$.{name}")


def play_batches(plan: Plan, spread: Parallelism = Parallelism()) -> Iterator[DealBatch]:  # noqa: B008 - it cannot change
    """Yield the batches of a match in order; the same ones for any number of processes.

    The first batch is played alone: a bot with too many faults in it is excluded from the match.
    """
    starts = iter(range(0, plan.deals, plan.batch_size))
    excluded: tuple[bool, ...] = (False,) * len(plan.entrants)
    for first in islice(starts, 1):
        batch = play_batch(plan, first, excluded)
        excluded = tuple(stats.excluded for stats in batch.bot_stats)
        yield batch
    plan_json = msgspec.json.encode(plan)
    with Pool(spread) as pool:
        yield from pool.map(_play_encoded, ((plan_json, start, excluded) for start in starts))


def play_batch(
    plan: Plan,
    first: int,
    excluded: tuple[bool, ...],
    make_contender: Callable[[Plan, Entrant], Contender] | None = None,
) -> DealBatch:
    """Play the deals from `first` on, one rotation after another; `excluded`: bots that do not play for themselves.

    `make_contender` makes the player of an entrant, by default `contender`. No process of a program plays two
    rotations: it would know the deck from the first.
    """
    count = len(plan.entrants)
    numbers = range(first, min(first + plan.batch_size, plan.deals))
    monitors = [BotMonitor(plan.limits.max_faults, excluded=is_excluded) for is_excluded in excluded]
    seatings: list[list[DealRecord]] = []
    for rotation in range(count):
        contenders = [(make_contender or contender)(plan, entrant) for entrant in plan.entrants]
        try:
            seating = Seating(plan.rules, rotation, contenders, monitors)
            seatings.append(
                [
                    seating.play(DealId(plan.seed, number, rotation), chain=is_chain_played(plan, number))
                    for number in numbers
                ]
            )
        finally:
            for player in contenders:
                player.close()
    units = tuple(
        DuplicateDeal(number, records) for number, records in zip(numbers, zip(*seatings, strict=True), strict=True)
    )
    return DealBatch(units, tuple(monitor.stats() for monitor in monitors))


def is_chain_played(plan: Plan, number: int) -> bool:
    """Return whether the fantasylands after a deal are played out."""
    return plan.chains != "credited" or (not plan.fantasyland_values and number % FIT_INTERVAL == 0)


def contender(plan: Plan, entrant: Entrant) -> Contender:
    """Return the player of an entrant."""
    if entrant.command:
        from triptych.arena.program import Program  # noqa: PLC0415 - asyncio is loaded only when a program plays

        return Program(entrant.command, plan.rules, plan.limits)
    if entrant.python:
        return FactoryContender(load_factory(entrant.python, "$.bots"), plan.rules, plan.limits.budget_ms)
    return LevelContender(entrant.level, plan.rules, plan.limits.budget_ms)


def _play_encoded(plan_json: bytes, first: int, excluded: tuple[bool, ...]) -> DealBatch:
    """Play a batch in a worker process; plans are sent as JSON since hashes of strings differ between processes."""
    return play_batch(msgspec.json.decode(plan_json, type=Plan), first, excluded)


def make_entrants(bots: Sequence[Bot | str]) -> tuple[tuple[Entrant, ...], dict[str, Bot]]:
    """Return the entrants, and by label the bots that are objects. Equal names get a number.

    Raises LevelError, ArenaError.
    """
    entrants = number_labels(
        entrant
        for bot in bots
        for entrant in (read_entrants([bot]) if isinstance(bot, str) else (Entrant(_name(bot)),))
    )
    objects = {entrant.label: bot for entrant, bot in zip(entrants, bots, strict=True) if not isinstance(bot, str)}
    return entrants, objects


def play_in_process(plan: Plan, objects: Mapping[str, Bot]) -> Iterator[DealBatch]:
    """Yield the batches of a match in this process; `objects` play for the entrants of their labels."""

    def make_contender(plan: Plan, entrant: Entrant) -> Contender:
        bot = objects.get(entrant.label)
        return contender(plan, entrant) if bot is None else InProcessContender(bot, plan.rules, plan.limits.budget_ms)

    excluded: tuple[bool, ...] = (False,) * len(plan.entrants)
    for first in range(0, plan.deals, plan.batch_size):
        batch = play_batch(plan, first, excluded, make_contender)
        if first == 0:
            excluded = tuple(stats.excluded for stats in batch.bot_stats)
        yield batch


def _name(bot: Bot) -> str:
    return str(getattr(bot, "name", "") or type(bot).__name__)
