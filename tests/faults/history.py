"""The messages that one player received over all connections: the histories by which a run with faults is judged."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from tests.patched_view import apply_patch

ROWS = ("front", "middle", "back")
HIDDEN = "??"
HARMLESS = ("server.failed",)  # not done, and the same command may be sent again


class Board(NamedTuple):
    """A hand as a view shows it: its seat, and its cards by row, sorted."""

    seat: int
    rows: tuple[tuple[str, ...], ...]


class ViewDigest(NamedTuple):
    """A view: a digest of all of it, and of its deal the number, the boards by hand, and the cards to be placed."""

    digest: bytes
    deal: int
    boards: dict[int, Board]
    tasks: dict[int, tuple[str, ...]]
    stacks: dict[int, tuple[str, int]]
    playing: bool


def digest_view(view: dict[str, Any]) -> ViewDigest:
    """Return the parts of a view that are recorded."""
    deal = view["deal"] or {"number": 0, "boards": [], "tasks": []}
    return ViewDigest(
        blake2b(json.dumps(view, sort_keys=True).encode(), digest_size=12).digest(),
        deal["number"],
        {
            board["hand"]: Board(board["seat"], tuple(tuple(sorted(board[row]["cards"])) for row in ROWS))
            for board in deal["boards"]
        },
        {task["hand"]: tuple(sorted(task["cards"])) for task in deal["tasks"]},
        {seat["seat"]: (seat["player"], seat["stack"]) for seat in view["seats"] if seat["player"]},
        view["phase"] == "playing",
    )


@dataclass
class History:
    """A player's commands at one table, and all messages about it; `found`: where these contradict each other."""

    player: str
    table: str
    asked: dict[str, int] = field(default_factory=dict)  # commands, and how often each was sent
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)  # the last one; an acknowledgement stays
    refused: dict[str, int] = field(default_factory=dict)  # how often, harmlessly
    events: dict[int, Any] = field(default_factory=dict)  # None where the viewer may not see one
    views: dict[int, ViewDigest] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)

    def sent(self, cmd_id: str) -> None:
        """Note that a command is sent, perhaps again."""
        self.asked[cmd_id] = self.asked.get(cmd_id, 0) + 1

    def answered(self, message: dict[str, Any]) -> None:
        """Note an answer to a command."""
        cmd_id = message["cmd_id"]
        earlier = self.answers.get(cmd_id)
        if message["t"] == "refused" and message["error"]["code"] in HARMLESS:
            self.refused[cmd_id] = self.refused.get(cmd_id, 0) + 1
        elif earlier is not None and earlier["t"] == "ack" and earlier != message:
            self.fail(f"{cmd_id} was answered {earlier}, and then {message}")
            return
        self.answers[cmd_id] = message

    def happened(self, version: int, event: Any) -> None:
        """Note an event; what a version was it has to stay."""
        earlier = self.events.setdefault(version, event)
        if earlier != event:
            self.fail(f"version {version} was {_short(earlier)}, and is now {_short(event)}")

    def showed(self, view: dict[str, Any]) -> None:
        """Note a view; what a table was at a version it has to stay, at whichever server."""
        now = digest_view(view)
        earlier = self.views.setdefault(view["v"], now)
        if earlier.digest != now.digest:
            self.fail(f"the table at {view['v']} is shown otherwise than before")

    def fail(self, what: str) -> None:
        self.found.append(f"{self.player}: {what}")


class Connection:
    """One of a player's connections, as it adds to their history; it keeps the view by its parts, by itself."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._view: dict[str, Any] = {}

    def hear(self, message: dict[str, Any]) -> None:
        """Note a message from the server."""
        history = self._history
        if message.get("table") != history.table:
            return
        match message["t"]:
            case "update":
                self._view = message["view"]
                history.showed(self._view)
                for entry in message["events"]:
                    history.happened(entry["v"], entry.get("e"))
            case "parts":
                if self._view.get("v") != message["after"]:
                    history.fail(f"parts lead on from {message['after']}, not from {self._view.get('v')}")
                    return
                self._view = apply_patch(self._view, message["parts"])
                history.showed(self._view)
            case "ack" | "refused":
                history.answered(message)


def _short(event: Any) -> str:
    return "hidden" if event is None else json.dumps(event)[:120]
