"""A bot at the arena's table, whether it lives in this process or in one of its own."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections import Counter
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from time import perf_counter_ns, process_time_ns
from typing import TYPE_CHECKING, Final, Protocol

from msgspec import Struct

from triptych.arena.errors import ArenaError
from triptych.arena.faults import BotFault, Fault
from triptych.arena.records import Conduct
from triptych.arena.speed import Times
from triptych.bots.levels import level, own_weights
from triptych.cards import deck
from triptych.deal.engine import started
from triptych.deal.state import HandStart, acting
from triptych.deal.view import view
from triptych.rules.model import max_fantasyland

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.arena.faults import FaultKind
    from triptych.bots.levels import Bot
    from triptych.deal.actions import Action
    from triptych.deal.views import DealView, Task
    from triptych.rules.model import Ruleset

_EXAMPLES: Final = 3


class Entrant(Struct, frozen=True):
    """Who plays: a level of the package, or a program when `command` is not empty."""

    label: str
    level: str = ""
    command: tuple[str, ...] = ()


class Limits(Struct, frozen=True):
    """Time and patience. `budget_ms`: told to the bot. `bank_ms`: more time a deal for a program that needs it.

    `most_faults`: after so many in a block of deals a bot is not asked again in that block; when it comes to that
    in the first block, not in the rest of the match.
    """

    budget_ms: int = 1000
    bank_ms: int = 5000
    most_faults: int = 5


class Contender(Protocol):
    """What the arena's table asks of a bot; every method may raise BotFault."""

    def begin(self, seat: int, seats: int, number: int, seed: int) -> None:
        """Take a seat in a new deal."""
        ...

    def choose(self, view: DealView, task: Task) -> Action:
        """Return an action for a task."""
        ...

    def end(self, view: DealView, points: int) -> None:
        """Learn how the deal went."""
        ...

    def close(self) -> None:
        """Leave the table for good."""
        ...


class ObjectContender:
    """A bot that is an object of this process, the same one from deal to deal."""

    def __init__(self, bot: Bot | None, rules: Ruleset, budget_ms: int) -> None:
        self._rules = rules
        self._budget_ms = budget_ms
        self._bot = bot

    def begin(self, seat: int, seats: int, number: int, seed: int) -> None:
        """Nothing is asked before a task."""

    def choose(self, view: DealView, task: Task) -> Action:
        """Return the bot's action; an error that it raises is a fault like a program's crash."""
        if self._bot is None:
            raise BotFault("no_start", "asked before a deal began")
        try:
            return self._bot.choose(self._rules, view, task, self._budget_ms)
        except Exception as error:
            raise BotFault("crash", f"{type(error).__name__} in {self._bot.name}") from error

    def end(self, view: DealView, points: int) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing is held."""


class LevelContender(ObjectContender):
    """A level of the package; a new bot for each deal, from that deal's own seed."""

    def __init__(self, name: str, rules: Ruleset, budget_ms: int) -> None:
        super().__init__(None, rules, budget_ms)
        self._name = name
        self._factory = level(name).factory

    def begin(self, seat: int, seats: int, number: int, seed: int) -> None:  # noqa: ARG002 - a level needs only the seed
        """Make the bot of this deal."""
        _warm(self._name, self._rules)
        self._bot = self._factory(seed)


@lru_cache(maxsize=64)
def _warm(name: str, rules: Ruleset) -> None:
    """Let a level load what it has learned, in and out of fantasyland, before its moves are timed; once a process."""
    for land in {0, max_fantasyland(rules)}:
        hands = tuple(HandStart(seat, land, int(land > 0)) for seat in range(rules.seats.min))
        with suppress(Exception):  # a failure here happens at the table too, and is reported there
            state = started(rules, 1, hands, deck(rules.deal.jokers)).state
            for hand in acting(state):
                seen = view(state, state.hands[hand].seat)
                level(name).factory(0).choose(rules, seen, seen.tasks[0], 1)


class Witness:
    """Notes how one bot behaves in a block, and when it has used up its faults."""

    def __init__(self, most_faults: int, *, out: bool = False) -> None:
        self._most = most_faults
        self._cpu, self._wall = Times(), Times()
        self._faults: Counter[FaultKind] = Counter()
        self._examples: list[Fault] = []
        self.out = out

    def choose(self, contender: Contender, view: DealView, task: Task) -> Action:
        """Return the contender's action, its time noted. Raises BotFault."""
        wall, cpu = perf_counter_ns(), process_time_ns()
        try:
            return contender.choose(view, task)
        finally:
            self._cpu.add(process_time_ns() - cpu)
            self._wall.add(perf_counter_ns() - wall)

    def note(self, fault: Fault) -> None:
        """Count a fault; keep the first few of its kind as examples."""
        if self._faults[fault.kind] < _EXAMPLES:
            self._examples.append(fault)
        self._faults[fault.kind] += 1
        self.out = self.out or self._faults.total() >= self._most

    def conduct(self) -> Conduct:
        """Return what was noted."""
        return Conduct(
            self._cpu.counts,
            self._cpu.total,
            self._wall.counts,
            self._wall.total,
            dict(self._faults),
            tuple(self._examples),
            self.out,
        )


def read_entrants(texts: Sequence[str]) -> tuple[Entrant, ...]:
    """Return who plays: a level's name, a program's path, or `cmd:` and a command line.

    `fast:FILE.tw` is a level with weights of one's own. Equal names get a number. Raises LevelError, ArenaError
    (`arena.program`).
    """
    found: list[Entrant] = []
    names: Counter[str] = Counter()
    for index, text in enumerate(texts):
        name, command = _read(text, f"$.bots[{index}]")
        names[name] += 1
        label = name if names[name] == 1 else f"{name}#{names[name]}"
        found.append(Entrant(label, "" if command else name, command))
    return tuple(found)


def _read(text: str, path: str) -> tuple[str, tuple[str, ...]]:
    if text.startswith("cmd:"):
        return _command(text.removeprefix("cmd:").strip(), path)
    if own_weights(text):
        level(text)
        return text, ()
    if "/" in text or "\\" in text or text.endswith(".py"):
        return _file(Path(text), path)
    level(text)
    return text, ()


def _command(line: str, path: str) -> tuple[str, tuple[str, ...]]:
    try:
        words = tuple(shlex.split(line))
    except ValueError as error:
        raise ArenaError("arena.program", f"this command line cannot be read: {error}", path) from None
    if not words:
        raise ArenaError("arena.program", "write a command behind cmd:, such as 'cmd:python3 mybot.py'", path)
    if shutil.which(words[0]) is None:
        raise ArenaError("arena.program", f"there is no program {words[0]!r} to run", path)
    return line, words


def _file(file: Path, path: str) -> tuple[str, tuple[str, ...]]:
    if not file.is_file():
        raise ArenaError("arena.program", f"there is no file {file}", path)
    if file.suffix == ".py":
        return file.name, (sys.executable, str(file.resolve()))
    if shutil.which(file.resolve()) is None:
        raise ArenaError("arena.program", f"{file} may not be run; make it executable, or use cmd:", path)
    return file.name, (str(file.resolve()),)
