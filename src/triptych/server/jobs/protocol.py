"""The frames that go through the pipes of a worker process: a request, and its result."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Raw, Struct

from triptych.deal.view_types import DealView, Task
from triptych.i18n.languages import Language
from triptych.i18n.messages import plain_text
from triptych.server.wire.messages import WireError

FRAME_HEADER_BYTES: Final = 4  # the length of the frame
_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=plain_text)


class JobRequest(Struct, frozen=True, array_like=True):
    """A request to a process: the job's name, its body, and the language of texts in the result."""

    job: str
    body: bytes
    language: Language = "en"


class JobResult(Struct, frozen=True, array_like=True):
    """A process's result: a body, or an error with its HTTP status; `fault` is for the log."""

    body: bytes = b""
    error: WireError | None = None
    status: int = 200
    fault: str = ""


class BotRequest(Struct, frozen=True):
    """A request to a bot: its level, the rules, and the view of its seat.

    `rules` is left encoded: a table sends the same rules again and again.
    """

    level: str
    rules: Raw
    view: DealView
    task: Task
    budget_ms: int


def encode_frame(message: JobRequest | JobResult) -> bytes:
    """Return a message as a frame."""
    encoded = _ENCODER.encode(message)
    return len(encoded).to_bytes(FRAME_HEADER_BYTES, "big") + encoded
