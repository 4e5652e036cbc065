"""A bot in a process of its own, in any language: JSON lines on its standard input and output (docs: bot-protocol).

This is the arena's side. Whatever the program does, `choose` returns an action or raises BotFault within the time
allowed.
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
_FLOOD_SECONDS: Final = 0.25  # after a line that is not an answer, the time in which more of them make it a flood
_STDERR_TAIL_BYTES: Final = 2000
_EXCERPT_BYTES: Final = 60


class _BotError(Struct, frozen=True):
    code: str = ""
    message: str = ""


class _Reply(Struct, frozen=True):
    """The answer of a program: an action, or an error."""

    id: int
    action: Action | None = None
    error: _BotError | None = None


class _Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    protocol: int


_WRITE: Final = msgspec.json.Encoder(enc_hook=plain_text)
_REPLY: Final = msgspec.json.Decoder(_Reply)
_HELLO: Final = msgspec.json.Decoder(_Hello)


class _Process(NamedTuple):
    """One run of the program, and the task that collects the end of its standard error."""

    pipes: PipedProcess
    stderr_tail: bytearray
    stderr_task: asyncio.Task[None]


class Program:
    """A contender (arena/contender.py) that is a program, started for the first task and again after a crash."""

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
        self._process: _Process | None = None
        self._deal = b""
        self._number = 0
        self._late: set[int] = set()
        self._bank = 0.0

    def start_deal(self, seat: int, seats: int, number: int, seed: int) -> None:
        """Send a new deal and refill the time bank. A program that hangs is restarted."""
        if self._late:
            self._run(self._stop(0))
        self._bank = self._limits.bank_ms / 1000
        self._deal = _line({"type": "deal", "number": number, "seat": seat, "seats": seats, "seed": seed})
        self._send_soon(self._deal)

    def choose(self, view: DealView, task: Task) -> Action:
        """Return the program's answer. Raises BotFault."""
        return self._run(self._choose(view, task))

    def end_deal(self, view: DealView, points: int) -> None:
        """Send the result of the deal to the program."""
        self._send_soon(_line({"type": "end", "points": points, "view": view}))

    def close(self) -> None:
        """Close the program's input, wait a second, then end it."""
        if self._process is not None:
            self._run(self._stop(_SHUTDOWN_SECONDS))
        self._loop.close()

    def _run(self, coroutine: Coroutine[object, object, T]) -> T:
        return self._loop.run_until_complete(coroutine)

    def _send_soon(self, line: bytes) -> None:
        """Send a line without waiting; errors show at the next task."""
        if self._process is not None:
            self._process.pipes.stdin.write(line)

    async def _choose(self, view: DealView, task: Task) -> Action:
        process = await self._ensure_started()
        self._number += 1
        number = self._number
        budget_ms = self._limits.budget_ms
        request = {"type": "ask", "id": number, "view": view, "task": task, "budget_ms": budget_ms}
        timeout = budget_ms / 1000 + self._bank
        started_at = monotonic()
        try:
            async with asyncio.timeout(timeout):
                await _send(process, _line(request))
                return await self._read_action(process, number)
        except TimeoutError:
            self._late.add(number)
            raise BotFault("silence", f"no answer within {timeout * 1000:.0f} ms") from None
        except BotFault as fault:
            self._late.add(number)
            if fault.kind in ("crash", "flood", "long_line"):
                await self._stop(0)
            raise
        finally:
            self._bank = max(0.0, self._bank - max(0.0, monotonic() - started_at - budget_ms / 1000))

    async def _read_action(self, process: _Process, number: int) -> Action:
        while True:
            line = await _next_line(process)
            try:
                reply = _REPLY.decode(line)
            except msgspec.DecodeError as error:
                raise await _unexpected_line_fault(process, f"{_excerpt(line)}: {error}") from None
            if reply.id in self._late:
                self._late.discard(reply.id)
                continue
            if reply.id != number:
                raise await _unexpected_line_fault(process, f"an answer with id {reply.id}, but {number} was asked")
            if reply.error is not None:
                raise BotFault("gave_up", f"{reply.error.code} {reply.error.message}".strip()[:200])
            if reply.action is None:
                raise await _unexpected_line_fault(process, "an answer without an action")
            return reply.action

    async def _ensure_started(self) -> _Process:
        """Return the running program; a new one has answered the hello and has the deal."""
        if self._process is not None:
            return self._process
        self._late.clear()
        try:
            pipes = await spawn(self._command, asyncio.subprocess.PIPE, MAX_LINE_BYTES)
        except OSError as error:
            raise BotFault("no_start", f"{self._command[0]}: {error.strerror}") from None
        assert pipes.process.stderr is not None  # noqa: S101 - started with a pipe; this is for the type checker
        stderr_tail = bytearray()
        stderr_task = self._loop.create_task(_collect_stderr(pipes.process.stderr, stderr_tail))
        process = self._process = _Process(pipes, stderr_tail, stderr_task)
        try:
            async with asyncio.timeout(self._limits.startup_ms / 1000):
                await _send(process, self._hello)
                hello = _HELLO.decode(await _next_line(process))
        except TimeoutError:
            await self._stop(0)
            raise BotFault("no_start", f"no hello within {self._limits.startup_ms / 1000:g} s") from None
        except msgspec.DecodeError as error:
            await self._stop(0)
            raise BotFault("no_start", f"its first line is not a hello: {error}") from None
        except BotFault as fault:
            await self._stop(0)
            raise BotFault("no_start", fault.message) from None
        if hello.protocol != PROTOCOL:
            await self._stop(0)
            raise BotFault("no_start", f"it speaks protocol {hello.protocol}; this arena speaks {PROTOCOL}")
        process.pipes.stdin.write(self._deal)
        return process

    async def _stop(self, grace_seconds: float) -> None:
        """End the program and the processes in its session, which get `grace_seconds` to end by themselves."""
        process, self._process = self._process, None
        if process is None:
            return
        process.pipes.stdin.close()
        if grace_seconds:
            with suppress(TimeoutError):
                await asyncio.wait_for(process.pipes.process.wait(), grace_seconds)
        await process.pipes.end()
        process.stderr_task.cancel()
        await asyncio.gather(process.stderr_task, return_exceptions=True)


async def _send(process: _Process, line: bytes) -> None:
    with suppress(ConnectionError):  # it has ended; reading finds out how
        process.pipes.stdin.write(line)
        await process.pipes.stdin.drain()


async def _next_line(process: _Process) -> bytes:
    try:
        line = await process.pipes.stdout.readline()
    except ValueError:
        raise BotFault("long_line", f"a line of more than {MAX_LINE_BYTES} bytes") from None
    if line:
        return line.removeprefix(BOM_UTF8)  # the libraries of some languages write one first
    try:
        status = await asyncio.wait_for(process.pipes.process.wait(), _SHUTDOWN_SECONDS)
    except TimeoutError:
        raise BotFault("crash", "it closed its output") from None
    await asyncio.wait({process.stderr_task}, timeout=_FLOOD_SECONDS)
    ended = f"killed by {signal.Signals(-status).name}" if status < 0 else f"ended with exit status {status}"
    stderr_lines = bytes(process.stderr_tail).decode("utf-8", "replace").strip().splitlines()
    raise BotFault("crash", f"{ended}: {stderr_lines[-1][:200]}" if stderr_lines else ended)


async def _unexpected_line_fault(process: _Process, message: str) -> BotFault:
    """Return the fault for a line that is not an answer: garbage, or a flood when many more follow at once."""
    lines = 0
    with suppress(TimeoutError, BotFault):
        async with asyncio.timeout(_FLOOD_SECONDS):
            while lines < _FLOOD_LINES:
                await _next_line(process)
                lines += 1
    if lines >= _FLOOD_LINES:
        return BotFault("flood", f"more than {_FLOOD_LINES} lines that nobody asked for")
    return BotFault("garbage", message)


async def _collect_stderr(stderr: asyncio.StreamReader, tail: bytearray) -> None:
    """Collect the end of the program's standard error, for the message of a crash."""
    while chunk := await stderr.read(_STDERR_TAIL_BYTES):
        tail += chunk
        del tail[:-_STDERR_TAIL_BYTES]


def _line(message: object) -> bytes:
    return _WRITE.encode(message) + b"\n"


def _excerpt(line: bytes) -> str:
    return repr(line[:_EXCERPT_BYTES].decode("utf-8", "replace").rstrip("\r\n"))
