"""Connections that are late, lose their line, and say things twice, out of order, or again long afterwards."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from triptych.i18n.messages import plain_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextvars import Context
    from random import Random

    from triptych.i18n.languages import Language
    from triptych.server.wire.messages import CommandMessage, ServerMessage

_READ = msgspec.json.Decoder()


class NetworkConditions(NamedTuple):
    """How likely a frame to the server comes twice, overtakes others, comes again much later; a line breaks.

    `latency`: the longest usual way, in seconds.
    """

    twice: float = 0.0
    overtakes: float = 0.0
    replayed: float = 0.0
    breaks: float = 0.0
    latency: float = 0.05


class Line:
    """One connection, seen from both ends; the server's end is a Viewer."""

    language: Language = "en"

    def __init__(self, network: Network, player: str, hears: Callable[[Line, str], None]) -> None:
        self.network = network
        self.player = player
        self.hears = hears
        self.open = True  # as the client knows
        self.server: Any = network.server  # where the other end is
        self.inbox: asyncio.Queue[str | None] = asyncio.Queue()
        self.follows: set[str] = set()
        self._last = 0.0

    def send(self, text: str | bytes) -> None:
        """Say something to the client; it comes in order."""
        self.network.promised(self, text)
        self.network.down(self, text if isinstance(text, str) else text.decode())

    def send_message(self, message: ServerMessage) -> None:
        """Say something that is not text yet."""
        self.send(msgspec.json.encode(message, enc_hook=plain_text))

    def arrives(self, text: str) -> None:
        """Give the client what has come, if it still listens."""
        if self.open:
            self.hears(self, text)


class Network:
    """Moves frames; nothing of it belongs to the server's process."""

    def __init__(self, loop: asyncio.AbstractEventLoop, rng: Random, context: Context) -> None:
        self.conditions = NetworkConditions()
        self._loop = loop
        self._rng = rng
        self._context = context
        self.door: Callable[[], Any] = lambda: None
        self.promised: Callable[[Line, str | bytes], None] = lambda _line, _text: None
        self.asked: Callable[[Line, CommandMessage], None] = lambda _line, _message: None

    @property
    def server(self) -> Any:
        """Return the process at which whoever connects now comes in."""
        return self.door()

    def _way(self) -> float:
        return self._rng.random() * self.conditions.latency

    def down(self, line: Line, text: str) -> None:
        """Carry a frame to the client."""
        # Never two at the same moment: the loop would choose which comes first.
        line._last = max(line._last + 1e-6, self._loop.time() + self._way())
        self._loop.call_at(line._last, line.arrives, text, context=self._context)

    def up(self, line: Line, text: str, *, again: bool = True) -> None:
        """Carry a frame to the server, by the line; it may come twice, or late, or once more on another one."""
        rng, conditions = self._rng, self.conditions
        way = self._way() + (rng.random() * 5 if rng.random() < conditions.overtakes else 0.0)
        server = line.server
        self._loop.call_later(way, server.hear, line, text, context=server.context)
        if rng.random() < conditions.twice:
            self._loop.call_later(self._way() + rng.random(), server.hear, line, text, context=server.context)
        if again and rng.random() < conditions.replayed:
            self._loop.call_later(rng.random() * 60, self._replay, line, text, context=self._context)
        if rng.random() < conditions.breaks:
            line.open = False
            self._loop.call_later(rng.random() * 20, server.part, line, context=server.context)

    def hang_up(self, line: Line) -> None:
        """Let the server notice that a client has gone, at once or much later."""
        later = self._way() if self._rng.random() < 0.5 else self._rng.random() * 20
        self._loop.call_later(later, line.server.part, line, context=line.server.context)

    def closed(self, line: Line) -> None:
        """Let the client notice that the server has closed a connection."""
        line.open = False

    def _replay(self, line: Line, text: str) -> None:
        """Say an old frame again, on a line of its own."""
        other = Line(self, line.player, lambda _line, _text: None)
        other.server.accept(other)
        self.up(other, text, again=False)
        self._loop.call_later(5.0, other.server.part, other, context=other.server.context)
