"""A bot at the arena's table, whether it lives in this process or in one of its own."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from time import perf_counter_ns, process_time_ns
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from triptych.arena.errors import ArenaError
from triptych.arena.faults import BotFault, Fault, FaultKind
from triptych.arena.records import BotStats
from triptych.arena.speed import LatencyHistogram
from triptych.bots.levels import Bot, get_level, weights_file_of
from triptych.cards import deck
from triptych.deal.actions import Action
from triptych.deal.engine import start
from triptych.deal.project import view
from triptych.deal.state import HandStart, acting_hands
from triptych.deal.view_types import DealView, Task
from triptych.rulesets.model import Ruleset, max_fantasyland_cards

_EXAMPLES_PER_KIND: Final = 3
_MAX_SHEBANG_BYTES: Final = 256


class Entrant(Struct, frozen=True):
    """Who plays: a level of the package, a program (`command`), or a bot in Python (`python`, see factory.py)."""

    label: str
    level: str = ""
    command: tuple[str, ...] = ()
    python: str = ""


class Limits(Struct, frozen=True):
    """Time and patience. `budget_ms`: told to the bot. `bank_ms`: more time a deal for a program that needs it.

    `most_faults`: after so many in a block of deals a bot is not asked again in that block; when it comes to that
    in the first block, not in the rest of the match. `hello_ms`: for a program to start and say hello.
    """

    budget_ms: int = 1000
    bank_ms: int = 5000
    max_faults: int = 5
    startup_ms: int = 10_000


class Contender(Protocol):
    """What the arena's table asks of a bot; every method may raise BotFault."""

    def start_deal(self, seat: int, seats: int, number: int, seed: int) -> None:
        """Take a seat in a new deal."""
        ...

    def choose(self, view: DealView, task: Task) -> Action:
        """Return an action for a task."""
        ...

    def end_deal(self, view: DealView, points: int) -> None:
        """Learn how the deal went."""
        ...

    def close(self) -> None:
        """Leave the table for good."""
        ...


class InProcessContender:
    """A bot that is an object of this process, the same one from deal to deal."""

    def __init__(self, bot: Bot | None, rules: Ruleset, budget_ms: int) -> None:
        self._rules = rules
        self._budget_ms = budget_ms
        self._bot = bot

    def start_deal(self, seat: int, seats: int, number: int, seed: int) -> None:
        """Nothing is asked before a task."""

    def choose(self, view: DealView, task: Task) -> Action:
        """Return the bot's action; an error that it raises is a fault like a program's crash."""
        if self._bot is None:
            raise BotFault("no_start", "the bot could not be made")
        try:
            return self._bot.choose(self._rules, view, task, self._budget_ms)
        except Exception as error:
            raise BotFault("crash", f"{type(error).__name__} in {self._bot.name}") from error

    def end_deal(self, view: DealView, points: int) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing is held."""


class FactoryContender(InProcessContender):
    """A bot in Python; a new one for each deal, made from that deal's own seed."""

    def __init__(self, factory: Callable[[int], Bot], rules: Ruleset, budget_ms: int) -> None:
        super().__init__(None, rules, budget_ms)
        self._factory = factory

    def start_deal(self, seat: int, seats: int, number: int, seed: int) -> None:  # noqa: ARG002 - it needs only the seed
        """Make the bot of this deal; one that cannot be made gives no action."""
        try:
            self._bot = self._factory(seed)
        except Exception:  # noqa: BLE001 - anybody's code
            self._bot = None


class LevelContender(FactoryContender):
    """A level of the package."""

    def __init__(self, name: str, rules: Ruleset, budget_ms: int) -> None:
        super().__init__(get_level(name).factory, rules, budget_ms)
        self._name = name

    def start_deal(self, seat: int, seats: int, number: int, seed: int) -> None:
        """Make the bot of this deal."""
        _warm_up(self._name, self._rules)
        super().start_deal(seat, seats, number, seed)


@lru_cache(maxsize=64)
def _warm_up(name: str, rules: Ruleset) -> None:
    """Let a level load what it has learned, in and out of fantasyland, before its moves are timed; once a process."""
    for land in {0, max_fantasyland_cards(rules)}:
        hands = tuple(HandStart(seat, land, int(land > 0)) for seat in range(rules.seats.min))
        with suppress(Exception):  # a failure here happens at the table too, and is reported there
            state = start(rules, 1, hands, deck(rules.deal.jokers)).state
            for hand in acting_hands(state):
                seen = view(state, state.hands[hand].seat)
                get_level(name).factory(0).choose(rules, seen, seen.tasks[0], 1)


class BotMonitor:
    """Notes how one bot behaves in a block, and when it has used up its faults."""

    def __init__(self, most_faults: int, *, out: bool = False) -> None:
        self._most = most_faults
        self._cpu, self._wall = LatencyHistogram(), LatencyHistogram()
        self._faults: Counter[FaultKind] = Counter()
        self._examples: list[Fault] = []
        self._skipped = 0
        self.excluded = out

    def choose(self, contender: Contender, view: DealView, task: Task) -> Action:
        """Return the contender's action, its time noted. Raises BotFault."""
        wall, cpu = perf_counter_ns(), process_time_ns()
        try:
            return contender.choose(view, task)
        finally:
            self._cpu.add(process_time_ns() - cpu)
            self._wall.add(perf_counter_ns() - wall)

    def record_fault(self, fault: Fault) -> None:
        """Count a fault; keep the first few of its kind as examples."""
        if self._faults[fault.kind] < _EXAMPLES_PER_KIND:
            self._examples.append(fault)
        self._faults[fault.kind] += 1
        self.excluded = self.excluded or self._faults.total() >= self._most

    def record_skipped(self) -> None:
        """Count a decision that was not asked for any more."""
        self._skipped += 1

    def stats(self) -> BotStats:
        """Return what was noted."""
        return BotStats(
            self._cpu.counts,
            self._cpu.total,
            self._wall.counts,
            self._wall.total,
            dict(self._faults),
            tuple(self._examples),
            self.excluded,
            self._skipped,
        )


def read_entrants(texts: Sequence[str]) -> tuple[Entrant, ...]:
    """Return who plays: a level's name, a program's path, `cmd:` and a command line, or `py:` and a bot in Python.

    `fast:FILE.tw` is a level with weights of one's own. Equal names get a number. Raises LevelError, ArenaError
    (`arena.program`).
    """
    entrants: list[Entrant] = []
    names: Counter[str] = Counter()
    for index, text in enumerate(texts):
        one = _parse_entrant(text, f"$.bots[{index}]")
        names[one.label] += 1
        count = names[one.label]
        entrants.append(one if count == 1 else replace(one, label=f"{one.label}#{count}"))
    return tuple(entrants)


def _parse_entrant(text: str, path: str) -> Entrant:
    if text.startswith("cmd:"):
        return _entrant_from_command(text.removeprefix("cmd:").strip(), path)
    if text.startswith("py:"):
        named = text.removeprefix("py:").strip()
        if not named:
            raise ArenaError("arena.program", "write a file or a class behind py:, such as py:mybot.py", path)
        return Entrant(Path(named).name, python=named)
    if weights_file_of(text):
        get_level(text)
        return Entrant(text, text)
    if "/" in text or "\\" in text or text.endswith(".py"):
        return _entrant_from_file(Path(text), path)
    get_level(text)
    return Entrant(text, text)


def _entrant_from_command(line: str, path: str) -> Entrant:
    try:
        words = tuple(shlex.split(line))
    except ValueError as error:
        raise ArenaError("arena.program", f"this command line cannot be read: {error}", path) from None
    if not words:
        raise ArenaError("arena.program", "write a command behind cmd:, such as 'cmd:python3 mybot.py'", path)
    if shutil.which(words[0]) is None:
        raise ArenaError("arena.program", f"there is no program {words[0]!r} to run", path)
    return Entrant(line, command=words)


def _entrant_from_file(file: Path, path: str) -> Entrant:
    if not file.is_file():
        raise ArenaError("arena.program", f"there is no file {file}", path)
    whole = str(file.resolve())
    if interpreter := _interpreter(file):
        if shutil.which(interpreter[0]) is None:
            raise ArenaError(
                "arena.program", f"there is no {interpreter[0]}, which {file} names in its first line", path
            )
        return Entrant(file.name, command=(*interpreter, whole))
    if file.suffix == ".py":
        return Entrant(file.name, command=(sys.executable, whole))
    if shutil.which(whole) is None:
        raise ArenaError("arena.program", f"{file} may not be run; make it executable, or use cmd:", path)
    return Entrant(file.name, command=(whole,))


def _interpreter(file: Path) -> tuple[str, ...]:
    """Return the command that a file's first line names behind `#!`, empty without one."""
    with file.open("rb") as opened:
        first = opened.readline(_MAX_SHEBANG_BYTES)
    if not first.startswith(b"#!"):
        return ()
    # As the system does it: the program, and all that follows as one argument.
    return tuple(first[2:].decode("utf-8", "replace").strip().split(maxsplit=1))
