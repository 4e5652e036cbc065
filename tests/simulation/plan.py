"""What an episode is made of, drawn from its seed: tables, rules, players, weather, faults."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from tests.simulation.client import PlayerHabits
from tests.simulation.network import NetworkConditions
from tests.simulation.store import Chances
from triptych.rulesets.errors import RulesError
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.validate import check
from triptych.table.state import TableConfig

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from triptych.rulesets.model import Ruleset

_CHANGES: dict[str, tuple[object, ...]] = {
    "deal.first_street": ("live", "on_confirm"),
    "deal.first_cards": ("at_turn", "all"),
    "fantasyland.order": ("after_others", "at_start_hidden"),
    "timeout.layout": ("received_back_first", "foul", "best_legal"),
    "timeout.after": ("sit_out", "end_match", "none"),
    "clock.kind": ("per_street", "per_deal"),
    "match.kind": ("deal_group", "deals:2", "orbit", "endless"),
    "settlement.credit": (True,),
    "clock.bank_refill": (0, 5),
}


def rules_of(preset: str, changes: Mapping[str, object]) -> Ruleset | None:
    """Return a preset with changes, None when they do not go together."""
    return _rules_of(preset, msgspec.json.encode(changes, order="sorted"))


@cache
def _rules_of(preset: str, changes: bytes) -> Ruleset | None:
    try:
        rules = resolve({"preset": preset, **msgspec.json.decode(changes)})
    except RulesError:  # a mixture that is not a game
        return None
    return None if any(problem.severity == "error" for problem in check(rules)) else rules


class Table(NamedTuple):
    """A table, and who comes to it."""

    config: TableConfig
    players: tuple[tuple[str, PlayerHabits], ...]
    bots: int


class Plan(NamedTuple):
    """An episode; `crashes` and so on: how many in the time of the faults (virtual seconds)."""

    tables: tuple[Table, ...]
    deals: int
    seconds: float
    conditions: NetworkConditions
    chances: Chances
    crashes: int
    stalls: int
    pauses: int
    full: int
    sets_clock: bool
    alters: bool
    fair: bool
    sleep_after: float
    shared: bool = False
    lost: float = 0.0
    drains: int = 0


def shared(rng: Random, alone: Plan) -> Plan:
    """Return a plan for two servers of one cluster, whose clocks agree; `lost`: which share of their news."""
    return alone._replace(
        shared=True,
        sets_clock=False,
        alters=False,
        pauses=rng.choice((0, 1, 3)),
        drains=rng.choice((0, 0, 1, 2)),
        lost=rng.choice((0.0, 0.1, 1.0)),
    )


def rules_for(rng: Random) -> Ruleset:
    """Return a preset, mostly with house rules."""
    while True:
        preset = rng.choice(preset_names())
        some = rng.sample(sorted(_CHANGES), rng.randrange(4))
        changes = {name: rng.choice(_CHANGES[name]) for name in some}
        changes["clock.seconds"] = rng.choice((5, 10, 20))
        changes["clock.bank"] = rng.choice((0, 10, 30))
        rules = rules_of(preset, changes)
        if rules is not None:
            return rules


def _table(rng: Random, number: int) -> Table:
    rules = rules_for(rng)
    name = f"t{number}"
    people = rng.randint(2, rules.seats.max)
    bots = 1 if rules.seats.max > people and rng.random() < 0.4 else 0
    players = []
    for place in range(people):
        habits = PlayerHabits(
            thought=rng.choice((0.1, 0.3, 1.0)),
            wanders=rng.choice((0, 0, 0.01, 0.05)),
            restless=rng.choice((0, 0, 0.02, 0.1)),
            whole=rng.random() < 0.3,
            hosts=place == 0,
            rests=rng.choice((0, 0, 0.5, 0.9)),
            chatty=rng.choice((0, 0, 0.05)),
        )
        players.append((f"{'abcd'[place]}{number}", habits))
    players.append((f"s{number}", PlayerHabits(plays=False, whole=rng.random() < 0.5)))
    config = TableConfig(name, f"Table {number}", f"a{number}", rules, pause=rng.choice((0, 1, 3)))
    return Table(config, tuple(players), bots)


def plan(rng: Random, deals: int) -> Plan:
    """Draw an episode of about so many deals a table."""
    calm = rng.random() < 0.1
    bad = 0.0 if calm else rng.choice((0.0, 0.01, 0.05))
    chances = Chances(
        unknown=rng.choice((0, bad, 3 * bad)),
        failed=rng.choice((0, bad, 3 * bad)),
        slow=rng.choice((0, 0, 0.02)) * (not calm),
        unread=rng.choice((0, bad)),
        ghost=0.5,
    )
    conditions = NetworkConditions(
        twice=rng.choice((0, 0.02, 0.2)),
        overtakes=rng.choice((0, 0.02)),
        replayed=rng.choice((0, 0.05)),
        breaks=rng.choice((0, 0.01)),
        latency=rng.choice((0.01, 0.1, 0.5)),
    )
    return Plan(
        tuple(_table(rng, number) for number in range(1, rng.choice((1, 1, 2, 3)) + 1)),
        deals,
        600.0,
        NetworkConditions() if calm else conditions,
        chances,
        crashes=0 if calm else rng.choice((0, 1, 3, 6)),
        stalls=0 if calm else rng.choice((0, 0, 2)),
        pauses=0 if calm else rng.choice((0, 0, 1)),
        full=0 if calm else rng.choice((0, 0, 1)),
        sets_clock=rng.random() < 0.5,
        alters=not calm and rng.random() < 0.05,
        fair=rng.random() < 0.3,
        sleep_after=rng.choice((10.0, 300.0)),
    )
