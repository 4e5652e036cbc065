"""A session as the server tells it part by part: what a page puts together is held against the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zlib import crc32

import msgspec

from tests.table.session import Session
from triptych.i18n.messages import plain_text
from triptych.server.wire.messages import ViewPatch
from triptych.table import commands as c
from triptych.table.view import TableViews
from triptych.table.view_diff import ViewDiff
from triptych.table.view_paths import PATHS

if TYPE_CHECKING:
    from triptych.table.state import TableState

PLAYER = "ann"
TEXTS = ("ä“\\\u2028\u0007", "牌 🂡 </p>")


def view_changes() -> dict[str, Any]:
    """Return the first view, and then for each change the message and the whole that comes of it."""
    session = Session({"preset": "pineapple", "stake.point": 0.25})
    first = msgspec.to_builtins(session.see(PLAYER), enc_hook=plain_text)
    steps: list[dict[str, Any]] = []

    def tell(before: TableState) -> None:
        after, now = session.state(), session.now
        shared, own = ViewDiff(TableViews(before), TableViews(after), now).for_player(PLAYER)
        whole = msgspec.json.encode(session.see(PLAYER), enc_hook=plain_text)
        message = ViewPatch("t1", after.version, before.version, now, shared + own, crc32(whole))
        steps.append({"message": message, "whole": msgspec.Raw(whole)})

    for text in TEXTS:
        before = session.state()
        session.ask("bob", c.Say(text))
        tell(before)
    for price in (0.25, 2):
        before = session.state()
        session.ask(PLAYER, c.ChangeRules({"stake.point": price}))
        session.begin()
        tell(before)
        while not session.state().settled:
            before = session.state()
            session.act()
            tell(before)
    result: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode({"first": first, "paths": PATHS, "steps": steps}, enc_hook=plain_text)
    )
    return result
