"""A process that plays: one JSON question a line on standard input, one JSON answer a line on standard output.

Question: `{"id": …, "level": "steady", "rules": {…whole ruleset…}, "view": DealView, "task": Task, "budget_ms": 200}`
Answer: `{"id": …, "action": Action}` or `{"id": …, "error": {"code": …, "message": …, "path": …}}`
A bad line gets an error line and never stops the worker; the worker ends with its input.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta, Struct

from triptych.bots.levels import LevelError, level
from triptych.deal.actions import Action
from triptych.deal.views import DealView, Task
from triptych.rules.model import Ruleset

if TYPE_CHECKING:
    from typing import BinaryIO

    from triptych.bots.levels import Bot


class Question(Struct, frozen=True):
    """One decision asked of a level. `rules` stays undecoded: a table asks with the same rules again and again."""

    id: int | str
    level: str
    rules: msgspec.Raw
    view: DealView
    task: Task
    budget_ms: Annotated[int, Meta(ge=1, le=600_000)] = 1000


class Answer(Struct, frozen=True):
    """The action for the question of the same `id`."""

    id: int | str
    action: Action


class Fault(Struct, frozen=True):
    """What was wrong with a question."""

    code: str
    message: str
    path: str = "$"


class Failure(Struct, frozen=True):
    """The answer to a question that could not be answered; `id` is null when the line had none."""

    id: int | str | None
    error: Fault


class _Named(Struct, frozen=True):
    id: int | str | None = None


class Worker:
    """The bots of one process, each made once, and the rules seen so far."""

    def __init__(self, seed: int) -> None:
        """Start without bots; `seed` is for the levels that vary their play."""
        self._seed = seed
        self._bots: dict[str, Bot] = {}
        self._rules = lru_cache(maxsize=64)(msgspec.json.Decoder(Ruleset).decode)
        self._questions = msgspec.json.Decoder(Question)

    def answer(self, line: bytes) -> Answer | Failure:
        """Answer one line; never raises."""
        try:
            question = self._questions.decode(line)
            rules = self._rules(bytes(question.rules))
            bot = self._bot(question.level)
        except msgspec.ValidationError as error:
            return Failure(_id_of(line), _invalid(error))
        except msgspec.DecodeError as error:
            return Failure(None, Fault("json.invalid", f"this line is not JSON: {error}"))
        except LevelError as error:
            return Failure(question.id, Fault(error.code, error.message, error.path))
        try:
            return Answer(question.id, bot.choose(rules, question.view, question.task, question.budget_ms))
        except Exception as error:  # noqa: BLE001 - one impossible position must not take the other tables' bots down
            fault = Fault("position.impossible", f"no action for this position ({type(error).__name__})", "$.view")
            return Failure(question.id, fault)

    def _bot(self, name: str) -> Bot:
        if name not in self._bots:
            self._bots[name] = level(name).factory(self._seed)
        return self._bots[name]


def _id_of(line: bytes) -> int | str | None:
    try:
        return msgspec.json.decode(line, type=_Named).id
    except msgspec.MsgspecError:
        return None


def _invalid(error: msgspec.ValidationError) -> Fault:
    message, _, path = str(error).partition(" - at `")
    return Fault("question.invalid", message, path.rstrip("`") or "$")


def serve(source: BinaryIO, sink: BinaryIO, seed: int) -> None:
    """Answer every line of `source` on `sink` until the source ends."""
    worker = Worker(seed)
    encode = msgspec.json.Encoder().encode
    for line in source:
        if line.strip():
            sink.write(encode(worker.answer(line)) + b"\n")
            sink.flush()


if __name__ == "__main__":
    from secrets import randbits

    serve(sys.stdin.buffer, sys.stdout.buffer, randbits(63))
