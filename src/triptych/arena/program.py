"""A bot in a process of its own, in any language: JSON lines on its standard input and output (docs: bot-protocol).

The arena's side. Whatever the program does, `choose` returns an action or raises BotFault within the time allowed.
"""

from __future__ import annotations

import asyncio
import signal
from codecs import BOM_UTF8
from collections.abc import Coroutine
from contextlib import suppress
from importlib.metadata import version
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from triptych.arena.faults import BotFault
from triptych.bots.subprocess import PipedProcess, spawn
from triptych.deal.actions import Action
from triptych.deal.view_types import DealView, Task
from triptych.i18n.messages import plain_text
from triptych.rulesets.model import Ruleset

if TYPE_CHECKING:
    from triptych.arena.contender import Limits

    T = TypeVar("T")

PROTOCOL: Final = 1
MAX_LINE_BYTES: Final = 64 * 1024

_SHUTDOWN_SECONDS: Final = 1.0
_FLOOD_LINES: Final = 100
_FLOOD_SECONDS: Final = 0.25  # after a line that is no answer, so long is looked whether it was the first of many
_STDERR_TAIL_BYTES: Final = 2000
_EXCERPT_BYTES: Final = 60


class _BotError(Struct, frozen=True):
    code: str = ""
    message: str = ""


class _Reply(Struct, frozen=True):
    """What a program answers: the action asked for, or why it has none."""

    id: int
    action: Action | None = None
    error: _BotError | None = None


class _Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    protocol: int


_WRITE: Final = msgspec.json.Encoder(enc_hook=plain_text)
_REPLY: Final = msgspec.json.Decoder(_Reply)
_HELLO: Final = msgspec.json.Decoder(_Hello)


class _Process(NamedTuple):
    """One run of the program, and the task that keeps its last words on standard error."""

    pipes: PipedProcess
    stderr_tail: bytearray
    stderr_task: asyncio.Task[None]


class Program:
    """A contender (arena/contender.py) that is a program; it is started when first asked, and again when it broke."""

    def __init__(self, command: tuple[str, ...], rules: Ruleset, limits: Limits) -> None:
        """`command`: the program and its arguments."""
        self._command = command
        self._limits = limits
        self._hello = _line(
            {
                "type": "hello",
                "protocol": PROTOCOL,
                "arena": f"triptych {version('triptych')}",
                "budget_ms": limits.budget_ms,
                "bank_ms": limits.bank_ms,
                "rules": rules,
            }
        )
        self._loop = asyncio.new_event_loop()
        self._life: _Process | None = None
        self._deal = b""
        self._number = 0
        self._late: set[int] = set()
        self._bank = 0.0

    def start_deal(self, seat: int, seats: int, number: int, seed: int) -> None:
        """Tell the program of a new deal; its time bank is full again. One that hangs is started afresh."""
        if self._late:
            self._run(self._stop(0))
        self._bank = self._limits.bank_ms / 1000
        self._deal = _line({"type": "deal", "number": number, "seat": seat, "seats": seats, "seed": seed})
        self._send_soon(self._deal)

    def choose(self, view: DealView, task: Task) -> Action:
        """Return the program's answer. Raises BotFault."""
        return self._run(self._choose(view, task))

    def end_deal(self, view: DealView, points: int) -> None:
        """Tell the program how the deal went."""
        self._send_soon(_line({"type": "end", "points": points, "view": view}))

    def close(self) -> None:
        """Close its input, give it a second to end, then end it."""
        if self._life is not None:
            self._run(self._stop(_SHUTDOWN_SECONDS))
        self._loop.close()

    def _run(self, coroutine: Coroutine[object, object, T]) -> T:
        return self._loop.run_until_complete(coroutine)

    def _send_soon(self, line: bytes) -> None:
        """Send a line that needs no answer; trouble shows at the next question."""
        if self._life is not None:
            self._life.pipes.stdin.write(line)

    async def _choose(self, view: DealView, task: Task) -> Action:
        life = await self._ensure_started()
        self._number += 1
        number = self._number
        budget_ms = self._limits.budget_ms
        question = {"type": "ask", "id": number, "view": view, "task": task, "budget_ms": budget_ms}
        allowed = budget_ms / 1000 + self._bank
        began = monotonic()
        try:
            async with asyncio.timeout(allowed):
                await _send(life, _line(question))
                return await self._read_action(life, number)
        except TimeoutError:
            self._late.add(number)
            raise BotFault("silence", f"no answer within {allowed * 1000:.0f} ms") from None
        except BotFault as fault:
            self._late.add(number)
            if fault.kind in ("crash", "flood", "long_line"):
                await self._stop(0)
            raise
        finally:
            self._bank = max(0.0, self._bank - max(0.0, monotonic() - began - budget_ms / 1000))

    async def _read_action(self, life: _Process, number: int) -> Action:
        while True:
            line = await _next_line(life)
            try:
                reply = _REPLY.decode(line)
            except msgspec.DecodeError as error:
                raise await _unexpected_line_fault(life, f"{_excerpt(line)}: {error}") from None
            if reply.id in self._late:
                self._late.discard(reply.id)
                continue
            if reply.id != number:
                raise await _unexpected_line_fault(life, f"an answer with id {reply.id}, but {number} was asked")
            if reply.error is not None:
                raise BotFault("gave_up", f"{reply.error.code} {reply.error.message}".strip()[:200])
            if reply.action is None:
                raise await _unexpected_line_fault(life, "an answer without an action")
            return reply.action

    async def _ensure_started(self) -> _Process:
        """Return the running program, greeted and told of the deal."""
        if self._life is not None:
            return self._life
        self._late.clear()
        try:
            pipes = await spawn(self._command, asyncio.subprocess.PIPE, MAX_LINE_BYTES)
        except OSError as error:
            raise BotFault("no_start", f"{self._command[0]}: {error.strerror}") from None
        assert pipes.process.stderr is not None  # noqa: S101 - started with a pipe; this is for the type checker
        words = bytearray()
        listening = self._loop.create_task(_collect_stderr(pipes.process.stderr, words))
        life = self._life = _Process(pipes, words, listening)
        try:
            async with asyncio.timeout(self._limits.startup_ms / 1000):
                await _send(life, self._hello)
                greeting = _HELLO.decode(await _next_line(life))
        except TimeoutError:
            await self._stop(0)
            raise BotFault("no_start", f"no hello within {self._limits.startup_ms / 1000:g} s") from None
        except msgspec.DecodeError as error:
            await self._stop(0)
            raise BotFault("no_start", f"its first line is no hello: {error}") from None
        except BotFault as fault:
            await self._stop(0)
            raise BotFault("no_start", fault.message) from None
        if greeting.protocol != PROTOCOL:
            await self._stop(0)
            raise BotFault("no_start", f"it speaks protocol {greeting.protocol}; this arena speaks {PROTOCOL}")
        life.pipes.stdin.write(self._deal)
        return life

    async def _stop(self, patience: float) -> None:
        """End the program: it, and what it started in its session, nothing else."""
        life, self._life = self._life, None
        if life is None:
            return
        life.pipes.stdin.close()
        if patience:
            with suppress(TimeoutError):
                await asyncio.wait_for(life.pipes.process.wait(), patience)
        await life.pipes.end()
        life.stderr_task.cancel()
        await asyncio.gather(life.stderr_task, return_exceptions=True)


async def _send(life: _Process, line: bytes) -> None:
    with suppress(ConnectionError):  # it has gone; reading says how
        life.pipes.stdin.write(line)
        await life.pipes.stdin.drain()


async def _next_line(life: _Process) -> bytes:
    try:
        line = await life.pipes.stdout.readline()
    except ValueError:
        raise BotFault("long_line", f"a line of more than {MAX_LINE_BYTES} bytes") from None
    if line:
        return line.removeprefix(BOM_UTF8)  # some languages' libraries begin their output with one
    try:
        status = await asyncio.wait_for(life.pipes.process.wait(), _SHUTDOWN_SECONDS)
    except TimeoutError:
        raise BotFault("crash", "it closed its output") from None
    await asyncio.wait({life.stderr_task}, timeout=_FLOOD_SECONDS)
    ended = f"killed by {signal.Signals(-status).name}" if status < 0 else f"ended with exit status {status}"
    words = bytes(life.stderr_tail).decode("utf-8", "replace").strip().splitlines()
    raise BotFault("crash", f"{ended}: {words[-1][:200]}" if words else ended)


async def _unexpected_line_fault(life: _Process, message: str) -> BotFault:
    """Return the fault of a line that is no answer: garbage, or a flood when many more follow at once."""
    lines = 0
    with suppress(TimeoutError, BotFault):
        async with asyncio.timeout(_FLOOD_SECONDS):
            while lines < _FLOOD_LINES:
                await _next_line(life)
                lines += 1
    if lines >= _FLOOD_LINES:
        return BotFault("flood", f"more than {_FLOOD_LINES} lines that nobody asked for")
    return BotFault("garbage", message)


async def _collect_stderr(stderr: asyncio.StreamReader, words: bytearray) -> None:
    """Keep the end of what the program writes on standard error, for the message of a crash."""
    while some := await stderr.read(_STDERR_TAIL_BYTES):
        words += some
        del words[:-_STDERR_TAIL_BYTES]


def _line(message: object) -> bytes:
    return _WRITE.encode(message) + b"\n"


def _excerpt(line: bytes) -> str:
    return repr(line[:_EXCERPT_BYTES].decode("utf-8", "replace").rstrip("\r\n"))
