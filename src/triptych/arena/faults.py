"""The faults of a bot."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

FaultKind = Literal["illegal", "silence", "flood", "crash", "garbage", "long_line", "gave_up", "no_start"]

KINDS: Final[dict[FaultKind, str]] = {
    "illegal": "an action that the rules do not allow",
    "silence": "no answer within the time",
    "flood": "many unrequested lines",
    "crash": "the program ended, or the bot raised an error",
    "garbage": "an answer that is not JSON or not an action, or has no matching request",
    "long_line": "a line longer than allowed",
    "gave_up": "the bot itself answered with an error",
    "no_start": "the program did not start, or did not say hello",
}


class BotFault(Exception):  # noqa: N818 - a fault of a bot, no error of the arena
    """A bot gave no action that can be used."""

    def __init__(self, kind: FaultKind, message: str) -> None:
        super().__init__(message)
        self.kind: FaultKind = kind
        self.message = message


class Fault(Struct, frozen=True):
    """One decision that a bot forfeited: the fault, and where. `step`: 0 = the deal, then its fantasylands."""

    kind: FaultKind
    message: str
    deal: int
    rotation: int
    step: int
    street: int
