"""What goes through the pipes of a worker process: frames of a request, and of its result."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Raw, Struct

from triptych.deal.view_types import DealView, Task
from triptych.i18n.languages import Language
from triptych.i18n.messages import plain_text
from triptych.server.wire.messages import WireError

FRAME_HEADER_BYTES: Final = 4  # bytes that say how long a frame is
_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=plain_text)


class JobRequest(Struct, frozen=True, array_like=True):
    """What a process is asked: the job's name, what was sent for it, and the language of the answer's words."""

    job: str
    body: bytes
    language: Language = "en"


class JobResult(Struct, frozen=True, array_like=True):
    """What a process answers: a body, or an error with its HTTP status; `fault` is for the log."""

    body: bytes = b""
    error: WireError | None = None
    status: int = 200
    fault: str = ""


class BotRequest(Struct, frozen=True):
    """What a bot is asked: its level, the rules, and what its seat may see.

    `rules` stays undecoded: a table asks with the same rules again and again.
    """

    level: str
    rules: Raw
    view: DealView
    task: Task
    budget_ms: int


def encode_frame(message: JobRequest | JobResult) -> bytes:
    """Return a message as it goes through a pipe."""
    encoded = _ENCODER.encode(message)
    return len(encoded).to_bytes(FRAME_HEADER_BYTES, "big") + encoded
