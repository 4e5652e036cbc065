"""A bot in the arena, in this process or in one of its own."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
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
    """A participant: a level of the package, a program (`command`), or a bot in Python (`python`, see factory.py)."""

    label: str
    level: str = ""
    command: tuple[str, ...] = ()
    python: str = ""


class Limits(Struct, frozen=True):
    """Limits of time and faults. `budget_ms`: time a move, sent to the bot. `bank_ms`: a program's time bank a deal.

    `max_faults`: after so many in a batch of deals the bot is excluded from the rest of the batch; in the first
    batch, from the rest of the match. `startup_ms`: time for a program to start and send its hello.
    """

    budget_ms: int = 1000
    bank_ms: int = 5000
    max_faults: int = 5
    startup_ms: int = 10_000


class Contender(Protocol):
    """The interface of a bot in the arena; every method may raise BotFault."""

    def start_deal(self, seat: int, seats: int, number: int, seed: int) -> None:
        """Begin a new deal in a seat."""
        ...

    def choose(self, view: DealView, task: Task) -> Action:
        """Return an action for a task."""
        ...

    def end_deal(self, view: DealView, points: int) -> None:
        """Receive the result of the deal."""
        ...

    def close(self) -> None:
        """Release all resources."""
        ...


class InProcessContender:
    """A bot that is an object of this process, the same one from deal to deal."""

    def __init__(self, bot: Bot | None, rules: Ruleset, budget_ms: int) -> None:
        self._rules = rules
        self._budget_ms = budget_ms
        self._bot = bot

    def start_deal(self, seat: int, seats: int, number: int, seed: int) -> None:
        """Do nothing: the bot needs only tasks."""

    def choose(self, view: DealView, task: Task) -> Action:
        """Return the bot's action; an error in it is a fault like a program's crash."""
        if self._bot is None:
            raise BotFault("no_start", "the bot could not be made")
        try:
            return self._bot.choose(self._rules, view, task, self._budget_ms)
        except Exception as error:
            raise BotFault("crash", f"{type(error).__name__} in {self._bot.name}") from error

    def end_deal(self, view: DealView, points: int) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class FactoryContender(InProcessContender):
    """A bot in Python; a new one for each deal, made from the deal's seed."""

    def __init__(self, factory: Callable[[int], Bot], rules: Ruleset, budget_ms: int) -> None:
        super().__init__(None, rules, budget_ms)
        self._factory = factory

    def start_deal(self, seat: int, seats: int, number: int, seed: int) -> None:  # noqa: ARG002 - it needs only the seed
        """Make the bot of this deal; one that cannot be made gives no action."""
        try:
            self._bot = self._factory(seed)
        except Exception:  # noqa: BLE001 - foreign code
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
    """Load a level's weights, in and out of fantasyland, before its moves are timed; once a process."""
    for cards in {0, max_fantasyland_cards(rules)}:
        hands = tuple(HandStart(seat, cards, int(cards > 0)) for seat in range(rules.seats.min))
        with suppress(Exception):  # a failure here recurs in the match, and is reported there
            state = start(rules, 1, hands, deck(rules.deal.jokers)).state
            for hand in acting_hands(state):
                deal_view = view(state, state.hands[hand].seat)
                get_level(name).factory(0).choose(rules, deal_view, deal_view.tasks[0], 1)


class BotMonitor:
    """Record the times and faults of one bot in a batch, and exclude it after too many faults."""

    def __init__(self, max_faults: int, *, excluded: bool = False) -> None:
        self._max_faults = max_faults
        self._cpu, self._wall = LatencyHistogram(), LatencyHistogram()
        self._faults: Counter[FaultKind] = Counter()
        self._examples: list[Fault] = []
        self._skipped = 0
        self.excluded = excluded

    def choose(self, contender: Contender, view: DealView, task: Task) -> Action:
        """Return the contender's action, and record its time. Raises BotFault."""
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
        self.excluded = self.excluded or self._faults.total() >= self._max_faults

    def record_skipped(self) -> None:
        """Count a decision of an excluded bot."""
        self._skipped += 1

    def stats(self) -> BotStats:
        """Return the records."""
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
    """Return the participants, each given as a level's name, a program's path, `cmd:COMMAND` or `py:BOT`.

    `fast:FILE.tw` is a level with other weights. Equal names get a number. Raises LevelError, ArenaError
    (`arena.program`).
    """
    return number_labels(_parse_entrant(text, f"$.bots[{index}]") for index, text in enumerate(texts))


def number_labels(entrants: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """Return the participants, those with the same label as an earlier one with a number."""
    names: Counter[str] = Counter()
    numbered: list[Entrant] = []
    for entrant in entrants:
        names[entrant.label] += 1
        count = names[entrant.label]
        numbered.append(entrant if count == 1 else replace(entrant, label=f"{entrant.label}#{count}"))
    return tuple(numbered)


def _parse_entrant(text: str, path: str) -> Entrant:
    if text.startswith("cmd:"):
        return _entrant_from_command(text.removeprefix("cmd:").strip(), path)
    if text.startswith("py:"):
        source = text.removeprefix("py:").strip()
        if not source:
            raise ArenaError("arena.program", "write a file or a class behind py:, such as py:mybot.py", path)
        return Entrant(Path(source).name, python=source)
    if weights_file_of(text):
        get_level(text)
        return Entrant(text, text)
    if "/" in text or "\\" in text or text.endswith(".py"):
        return _entrant_from_file(Path(text), path)
    get_level(text)
    return Entrant(text, text)


def _entrant_from_command(line: str, path: str) -> Entrant:
    try:
        command = tuple(shlex.split(line))
    except ValueError as error:
        raise ArenaError("arena.program", f"this command line cannot be read: {error}", path) from None
    if not command:
        raise ArenaError("arena.program", "write a command behind cmd:, such as 'cmd:python3 mybot.py'", path)
    if shutil.which(command[0]) is None:
        raise ArenaError("arena.program", f"there is no program {command[0]!r} to run", path)
    return Entrant(line, command=command)


def _entrant_from_file(file: Path, path: str) -> Entrant:
    if not file.is_file():
        raise ArenaError("arena.program", f"there is no file {file}", path)
    resolved = str(file.resolve())
    if interpreter := _interpreter(file):
        if shutil.which(interpreter[0]) is None:
            raise ArenaError(
                "arena.program", f"there is no {interpreter[0]}, which {file} names in its first line", path
            )
        return Entrant(file.name, command=(*interpreter, resolved))
    if file.suffix == ".py":
        return Entrant(file.name, command=(sys.executable, resolved))
    if shutil.which(resolved) is None:
        raise ArenaError("arena.program", f"{file} may not be run; make it executable, or use cmd:", path)
    return Entrant(file.name, command=(resolved,))


def _interpreter(file: Path) -> tuple[str, ...]:
    """Return the command that a file's first line names behind `#!`, empty without one."""
    with file.open("rb") as stream:
        first_line = stream.readline(_MAX_SHEBANG_BYTES)
    if not first_line.startswith(b"#!"):
        return ()
    # As the system does it: the program, and everything after it as one argument.
    return tuple(first_line[2:].decode("utf-8", "replace").strip().split(maxsplit=1))
