"""A process that plays: one JSON question a line on standard input, one JSON answer a line on standard output.

Question: `{"id": …, "level": "steady", "rules": {…whole ruleset…}, "view": DealView, "task": Task, "budget_ms": 200}`
Answer: `{"id": …, "action": Action}` or `{"id": …, "error": {"code": …, "message": …, "path": …}}`
`{"prepare": {…whole ruleset…}}` has no answer: what the levels know of these rules is read before they are asked.
A bad line gets an error line and never stops the worker; the worker ends with its input.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Annotated, BinaryIO, Final

import msgspec
from msgspec import Meta, Struct

from triptych.bots.learned.bot import prepare
from triptych.bots.levels import Bot, get_level
from triptych.deal.actions import Action
from triptych.deal.view_types import DealView, Task
from triptych.errors import TriptychError
from triptych.json_input import Json, decode_as, error_reply
from triptych.rulesets.model import Ruleset

_PREPARE: Final = b'{"prepare":'


class BotRequest(Struct, frozen=True):
    """One decision asked of a level. `rules` stays undecoded: a table asks with the same rules again and again."""

    id: int | str
    level: str
    rules: msgspec.Raw
    view: DealView
    task: Task
    budget_ms: Annotated[int, Meta(ge=1, le=600_000)] = 1000


class Prepare(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules that will soon be asked about."""

    prepare: msgspec.Raw


class BotReply(Struct, frozen=True):
    """The action for the question of the same `id`."""

    id: int | str
    action: Action


class _RequestId(Struct, frozen=True):
    id: int | str | None = None


class EngineWorker:
    """The bots of one process, each made once, and the rules seen so far."""

    def __init__(self, seed: int) -> None:
        """Start without bots; `seed` is for the levels that vary their play."""
        self._seed = seed
        self._bots: dict[str, Bot] = {}
        decoder = msgspec.json.Decoder(Ruleset)
        self._rules = lru_cache(maxsize=64)(lambda text: decode_as(text, decoder))
        self._named = msgspec.json.Decoder(_RequestId)
        self._prepares = msgspec.json.Decoder(Prepare)
        self._questions = msgspec.json.Decoder(BotRequest)

    def answer(self, line: bytes) -> BotReply | Json | None:
        """Answer one line, None for rules to prepare; never raises."""
        name: object = None
        try:
            if line.startswith(_PREPARE):
                prepare(self._rules(bytes(decode_as(line, self._prepares).prepare)))
                return None
            name = decode_as(line, self._named).id
            question = decode_as(line, self._questions)
            rules = self._rules(bytes(question.rules))
            bot = self._bot(question.level)
        except TriptychError as error:
            return error_reply(name, error)
        try:
            return BotReply(question.id, bot.choose(rules, question.view, question.task, question.budget_ms))
        except Exception as error:  # noqa: BLE001 - one impossible position must not take the other tables' bots down
            message = f"no action for this position ({type(error).__name__})"
            return error_reply(name, TriptychError("position.impossible", message, "$.view"))

    def _bot(self, name: str) -> Bot:
        if name not in self._bots:
            self._bots[name] = get_level(name).factory(self._seed)
        return self._bots[name]


def serve(source: BinaryIO, sink: BinaryIO, seed: int) -> None:
    """Answer every line of `source` on `sink` until the source ends."""
    worker = EngineWorker(seed)
    encode = msgspec.json.Encoder().encode
    for line in source:
        if line.strip():
            answer = worker.answer(line)
            if answer is not None:
                sink.write(encode(answer) + b"\n")
                sink.flush()


if __name__ == "__main__":
    from secrets import randbits

    serve(sys.stdin.buffer, sys.stdout.buffer, randbits(63))
