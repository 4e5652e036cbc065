"""Matches of bots that are Python objects in this process, against levels and programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from triptych.arena.contender import Contender, Entrant, InProcessContender, read_entrants
from triptych.arena.match import Plan, contender, play_batch
from triptych.arena.records import DealBatch
from triptych.bots.levels import Bot


def make_entrants(bots: Sequence[Bot | str]) -> tuple[tuple[Entrant, ...], dict[str, Bot]]:
    """Return the entrants, and by label the bots that are objects. Equal names get a number.

    Raises LevelError, ArenaError.
    """
    entrants: list[Entrant] = []
    objects: dict[str, Bot] = {}
    names: Counter[str] = Counter()
    for bot in bots:
        (entrant,) = read_entrants([bot]) if isinstance(bot, str) else (Entrant(_name(bot)),)
        names[entrant.label] += 1
        count = names[entrant.label]
        label = entrant.label if count == 1 else f"{entrant.label}#{count}"
        entrants.append(replace(entrant, label=label))
        if not isinstance(bot, str):
            objects[label] = bot
    return tuple(entrants), objects


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
