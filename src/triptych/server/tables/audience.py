"""Who follows a table, and what each of them is sent: everyone their own projection, encoded once a viewer."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from triptych.room.gate import may_enter
from triptych.room.hosting import host
from triptych.room.sight import seen
from triptych.room.view import TableViews
from triptych.server.wire.messages import Problem, Update, VersionedEvent, WireError
from triptych.server.wire.tongue import in_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triptych.languages.book import Language
    from triptych.room.events import TableEvent
    from triptych.room.state import TableState

KEPT: Final = 256
_JSON: Final = msgspec.json.Encoder()
_PASSWORD: Final = _JSON.encode(
    Problem(WireError("table.password", "the host has given this table a password"))
).decode()


class Viewer(Protocol):
    """One connection that follows a table; `player` is its guest, who reads `language`."""

    player: str
    language: Language

    def send(self, text: str) -> None:
        """Hand over a message; never waits."""


class Audience:
    """The viewers of one table and its last events."""

    def __init__(self, history: Iterable[tuple[int, TableEvent]] = ()) -> None:
        self._viewers: dict[str, list[Viewer]] = {}
        self._recent: deque[tuple[int, TableEvent]] = deque(history, maxlen=KEPT)
        self._views: TableViews | None = None
        self._sheet = Written()
        self._talk = Written()

    def players(self) -> list[str]:
        """Return the guests who follow the table."""
        return list(self._viewers)

    def follows(self, player: str) -> bool:
        """Tell whether any connection of a guest follows the table."""
        return player in self._viewers

    def add(self, viewer: Viewer) -> bool:
        """Let a connection follow; True when it is its guest's first."""
        mine = self._viewers.setdefault(viewer.player, [])
        if viewer not in mine:
            mine.append(viewer)
        return len(mine) == 1

    def remove(self, viewer: Viewer) -> bool:
        """Forget a connection; True when it was its guest's last."""
        mine = self._viewers.get(viewer.player, [])
        if viewer not in mine:
            return False
        mine.remove(viewer)
        if not mine:
            del self._viewers[viewer.player]
        return not mine

    def show_out(self, state: TableState) -> None:
        """Let nobody follow any more who has to give the table's password first, and tell them so."""
        for player in [player for player in self._viewers if not may_enter(state, player)]:
            for viewer in self._viewers.pop(player):
                viewer.send(_PASSWORD)

    def publish(self, state: TableState, events: Sequence[TableEvent], now: int) -> None:
        """Send every viewer the state and the events that led to it, as they may see them."""
        news = tuple(enumerate(events, state.version - len(events) + 1))
        self._recent.extend(news)
        self._views = TableViews(state, self._views)
        known = {seat.player for seat in state.seats if seat.player} | {host(state), *state.banned}
        texts: dict[tuple[str, Language], str] = {}
        for player, viewers in self._viewers.items():
            for viewer in viewers:
                # Everyone who is neither seated nor the host, and not banned either, sees the same.
                key = player if player in known else "", viewer.language
                if key not in texts:
                    texts[key] = self._update(state, self._views, viewer, news, now)
                viewer.send(texts[key])

    def say(self, text: str) -> None:
        """Send every viewer the same message."""
        for viewers in self._viewers.values():
            for viewer in viewers:
                viewer.send(text)

    def catch_up(self, state: TableState, viewer: Viewer, since: int | None, now: int) -> str:
        """Return the state for a guest, with the events after `since` when all of them are still at hand."""
        missed: tuple[tuple[int, TableEvent], ...] = ()
        if since is not None and self._recent and self._recent[0][0] <= since + 1:
            missed = tuple(entry for entry in self._recent if entry[0] > since)
        return self._update(state, TableViews(state), viewer, missed, now)

    def forget_events(self) -> None:
        """Drop the last events: the table was read from the store again."""
        self._recent.clear()

    def _update(
        self, state: TableState, views: TableViews, viewer: Viewer, news: Sequence[tuple[int, TableEvent]], now: int
    ) -> str:
        shown, language = views.of(viewer.player), viewer.language
        sheet, talk = self._sheet.json(shown.sheet, language), self._talk.json(shown.talk, language)
        if language != "en":
            shown = in_language(replace(shown, sheet=None, talk=()), language)
        shown = replace(shown, sheet=sheet, talk=talk)
        events = tuple(
            [VersionedEvent(version, seen(state, viewer.player, version, event)) for version, event in news]
        )
        update = Update(state.config.table, state.version, now, events, Raw(_JSON.encode(shown)))
        return _JSON.encode(update).decode()


class Written:
    """The JSON of something that stays the same from one action to the next, written once a language."""

    def __init__(self) -> None:
        self._thing: object = None
        self._json: dict[Language, Raw] = {}

    def json(self, thing: object, language: Language) -> Raw:
        """Return its JSON in a language, which must hold nothing private: every viewer gets it."""
        if thing is not self._thing:
            self._thing, self._json = thing, {}
        if language not in self._json:
            self._json[language] = Raw(_JSON.encode(in_language(thing, language)))
        return self._json[language]
