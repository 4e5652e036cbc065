"""A table's page before a view that a test has made, without playing up to it: no server has a part in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from tests.table.session import SEATS, Session
from triptych.deal.engine import acting_hands
from triptych.i18n.messages import plain_text
from triptych.server.wire.messages import Hello, Update

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocketRoute

    from triptych.table.view_types import TableView

PLAYER = SEATS[0]
PAUSE_MS = 5_000  # of a session


def my_turn(preset: str, people: int, *, street: int = 1, fantasyland: int = 0) -> TableView:
    """Return what the first seat sees when it is to place: a street, or a fantasyland of so many cards."""
    session = Session(preset, people=people, seed=3)
    if fantasyland:
        state = session.state()
        mine = replace(state.seats[0], fantasyland=fantasyland)
        session._state = replace(state, seats=(mine, *state.seats[1:]))
    session.begin()
    while True:
        deal = session.state().deal
        assert deal is not None
        mine_now = [hand for hand in acting_hands(deal) if session.owner(hand).player == PLAYER]
        if mine_now and (fantasyland or deal.hands[mine_now[0]].street == street - 1):
            return session.see(PLAYER)
        session.act()


def show(page: Page, view: TableView) -> None:
    """Open a table's page; the server sends it this view and nothing else."""

    def serve(line: WebSocketRoute) -> None:
        def hear(message: str | bytes) -> None:
            request = msgspec.json.decode(message)
            if request["t"] == "watch":
                encoded = msgspec.Raw(msgspec.json.encode(view, enc_hook=plain_text))
                update = Update(request["table"], view.v, session_time(view), (), encoded)
                line.send(msgspec.json.encode(update, enc_hook=plain_text).decode())

        line.on_message(hear)
        line.send(msgspec.json.encode(Hello(PLAYER, PLAYER.title(), session_time(view))).decode())

    page.route_web_socket(re.compile("/ws$"), serve)
    page.goto(f"/t/{view.table}")


def session_time(view: TableView) -> int:
    """Return the time at which the view was made, as its clocks have it."""
    return view.clocks[0].started if view.clocks else (view.next_at or 0) - PAUSE_MS
