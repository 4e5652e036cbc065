"""A table's page that a test tells one view after the other, as the server would: a session in the test's hands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from zlib import crc32

import msgspec

from triptych.i18n.messages import plain_text
from triptych.server.wire.localization import localize
from triptych.server.wire.messages import Ack, Hello, Pong, Rejected, Update, ViewPatch, WireError
from triptych.table.commands import PlayerRequest
from triptych.table.errors import TableError
from triptych.table.view import TableViews
from triptych.table.view_diff import ViewDiff
from triptych.table.view_paths import PATHS

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocketRoute

    from tests.table.session import Session
    from triptych.i18n.languages import Language
    from triptych.table.state import TableState
    from triptych.table.view_types import TableView


class ScriptedTable:
    """One player's page before a session. `asked`: what the page has asked of the table so far."""

    def __init__(self, page: Page, session: Session, player: str = "ann", language: Language = "en") -> None:
        self.page = page
        self.session = session
        self.player = player
        self.language = language
        self.asked: list[dict[str, Any]] = []
        self.watches: list[dict[str, Any]] = []
        # What everything is refused with, without a look at the session.
        self.refusal: WireError | None = None
        self._line: WebSocketRoute | None = None
        page.route_web_socket(re.compile("/ws$"), self._serve)

    def open(self) -> None:
        """Open the page and show it the table as it is."""
        self.page.goto(f"/t/{self.session.see(self.player).table}")
        self.page.get_by_test_id("stage").wait_for()

    def tell(self, view: TableView | None = None, table: str | None = None) -> None:
        """Send the table as it is now, or another view, or this one in the name of another table."""
        current = self.session.see(self.player) if view is None else view
        raw = msgspec.Raw(msgspec.json.encode(localize(current, self.language), enc_hook=plain_text))
        self._send(Update(table or current.table, current.v, self.session.now, (), raw, PATHS))

    def tell_parts(self, before: TableState, *, wrong: int = 0) -> None:
        """Send what has changed since, with a proof of what the page then holds, or one that is `wrong`."""
        changes = ViewDiff(TableViews(before), TableViews(self.session.state()), self.session.now)
        shared, own = changes.for_player(self.player)
        proof = crc32(msgspec.json.encode(self.session.see(self.player), enc_hook=plain_text)) ^ wrong
        after, v = before.version, self.session.state().version
        self._send(ViewPatch(changes.after.state.config.table, v, after, self.session.now, shared + own, proof))

    def act(self) -> None:
        """Let everybody who is to act do so, and tell it."""
        self.session.act()
        self.tell()

    def play(self) -> None:
        """Play a deal to its end, telling every step."""
        if self.session.state().settled:
            self.session.begin()
            self.tell()
        while not self.session.state().settled:
            self.act()

    def cut(self) -> None:
        """Let the connection break; the page comes back by itself."""
        assert self._line is not None
        self._line.close(code=1012, reason="cut")

    def _do(self, request: dict[str, Any]) -> None:
        """Do what the page asks, as the server would."""
        self.asked.append(request["action"])
        if self.refusal is not None:
            self._send(Rejected(request["cmd_id"], request["table"], self.refusal))
            return
        try:
            self.session.ask(self.player, msgspec.convert(request["action"], PlayerRequest))
        except TableError as error:
            self._send(
                Rejected(request["cmd_id"], request["table"], WireError(error.code, error.message, error.path))
            )
            return
        self._send(Ack(request["cmd_id"], request["table"], self.session.state().version))
        self.tell()

    def _send(self, message: Ack | Hello | ViewPatch | Pong | Rejected | Update) -> None:
        assert self._line is not None
        self._line.send(msgspec.json.encode(message, enc_hook=plain_text).decode())

    def _serve(self, line: WebSocketRoute) -> None:
        def hear(text: str | bytes) -> None:
            request = msgspec.json.decode(text)
            if request["t"] == "watch":
                self.watches.append(request)
                self.tell()
            elif request["t"] == "ping":
                self._send(Pong(self.session.now))
            elif request["t"] == "do":
                self._do(request)

        self._line = line
        line.on_message(hear)
        self._send(Hello(self.player, self.player.title(), self.session.now))
