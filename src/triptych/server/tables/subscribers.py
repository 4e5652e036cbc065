"""The subscribers of a table, and the views or patches that each is sent.

Subscribers who see the same and read the same language get the same text, encoded once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final, Protocol
from zlib import crc32

import msgspec
from msgspec import UNSET, Raw
from msgspec.structs import replace

from triptych.i18n.languages import Language
from triptych.i18n.messages import plain_text
from triptych.server.wire.errors import to_wire_error
from triptych.server.wire.localization import localize
from triptych.server.wire.messages import ErrorMessage, Update, VersionedEvent, ViewPatch, WireError
from triptych.table.access import verify_access, visible_event
from triptych.table.errors import TableError
from triptych.table.events import TableEvent
from triptych.table.state import TableState
from triptych.table.view import TableViews
from triptych.table.view_diff import ViewDiff
from triptych.table.view_paths import PATHS

# Events in memory: about a deal's. A subscriber that was away for longer gets the whole view without them.
RECENT_EVENTS: Final = 96
# After so many changes, patches contain a checksum with which clients verify their view.
CHECKSUM_EVERY: Final = 32
_JSON: Final = msgspec.json.Encoder(enc_hook=plain_text)


class Subscriber(Protocol):
    """A connection that gets a table's updates; `player`: its guest, who reads `language`."""

    player: str
    language: Language

    def send(self, text: str) -> None:
        """Send the text of a message; never waits."""

    def send_message(self, message: ErrorMessage) -> None:
        """Send a message, localized to the connection's language; never waits."""


class Subscribers:
    """The subscribers of one table and its last events."""

    def __init__(self, history: Iterable[tuple[int, TableEvent]] = ()) -> None:
        # Whether a connection wants whole views, by guest.
        self._viewers: dict[str, dict[Subscriber, bool]] = {}
        self._recent: deque[tuple[int, TableEvent]] = deque(history, maxlen=RECENT_EVENTS)
        # The views that subscribers of patches have.
        self._views: TableViews | None = None
        self._changes = 0
        self._sheet = JsonCache()
        self._talk = JsonCache()

    def watchers(self) -> list[str]:
        """Return the guests who watch the table."""
        return list(self._viewers)

    @property
    def is_watched(self) -> bool:
        """Return whether the table has any subscriber."""
        return bool(self._viewers)

    def is_watching(self, player: str) -> bool:
        """Return whether any connection of a guest is subscribed."""
        return player in self._viewers

    def add(self, viewer: Subscriber, *, whole: bool = True) -> bool:
        """Add a connection; True when it is its guest's first. A full update has to be sent to it next."""
        connections = self._viewers.setdefault(viewer.player, {})
        connections[viewer] = whole
        return len(connections) == 1

    def remove(self, viewer: Subscriber) -> bool:
        """Remove a connection; True when it was its guest's last."""
        connections = self._viewers.get(viewer.player, {})
        if viewer not in connections:
            return False
        del connections[viewer]
        if not connections:
            del self._viewers[viewer.player]
        return not connections

    def remove_unauthorized(self, state: TableState) -> None:
        """Remove the subscribers that have lost access, with an error that says why."""
        for player in tuple(self._viewers):
            try:
                verify_access(state, player)
            except TableError as error:
                message = ErrorMessage(to_wire_error(error))
                for viewer in self._viewers.pop(player):
                    viewer.send_message(message)

    def broadcast(self, state: TableState, events: Sequence[TableEvent], now: int) -> None:
        """Send every subscriber the state and the events that led to it, as they may see them."""
        news = tuple(enumerate(events, state.version - len(events) + 1))
        self._recent.extend(news)
        before, self._views = self._views, TableViews(state, self._views)
        self._changes += 1
        # All who are neither seated nor the host nor banned see the same, in this state and the one before.
        players = self._views.guests_with_own_view
        if before is not None and before.guests_with_own_view is not players:
            players |= before.guests_with_own_view
        patches: PatchTexts | None = None
        texts: dict[tuple[str, Language, bool], str] = {}
        for player, viewers in self._viewers.items():
            for viewer, whole in viewers.items():
                key = player if player in players else "", viewer.language, whole
                text = texts.get(key)
                if text is None:
                    if whole or before is None:
                        text = self._update(self._views, viewer, news, now, whole=whole)
                    else:
                        patches = patches or PatchTexts(before, self._views, now)
                        text = self._patch(patches, viewer)
                    texts[key] = text
                viewer.send(text)

    def broadcast_error(self, error: WireError) -> None:
        """Send every subscriber an error."""
        message = ErrorMessage(error)
        for viewers in self._viewers.values():
            for viewer in viewers:
                viewer.send_message(message)

    def full_update(self, state: TableState, viewer: Subscriber, since: int | None, now: int) -> str:
        """Return the whole view for a guest, with the events after `since` if all of them are still in memory."""
        missed: tuple[tuple[int, TableEvent], ...] = ()
        if since is not None and self._recent and self._recent[0][0] <= since + 1:
            missed = tuple(entry for entry in self._recent if entry[0] > since)
        if self._views is None or self._views.state is not state:
            self._views = TableViews(state, self._views)
        whole = self._viewers.get(viewer.player, {}).get(viewer, True)
        return self._update(self._views, viewer, missed, now, whole=whole)

    def clear_recent(self) -> None:
        """Drop the last events, after the table was read from the store again."""
        self._recent.clear()

    def _update(
        self, views: TableViews, viewer: Subscriber, news: Sequence[tuple[int, TableEvent]], now: int, *, whole: bool
    ) -> str:
        state = views.state
        events = tuple(
            [VersionedEvent(version, visible_event(state, viewer.player, version, event)) for version, event in news]
        )
        view = Raw(self._full_view(views, viewer))
        paths = UNSET if whole else PATHS
        return _JSON.encode(Update(state.config.table, state.version, now, events, view, paths)).decode()

    def _patch(self, patches: PatchTexts, viewer: Subscriber) -> str:
        proof = crc32(self._full_view(patches.views, viewer)) if self._changes % CHECKSUM_EVERY == 0 else None
        return patches.text(viewer, proof)

    def _full_view(self, views: TableViews, viewer: Subscriber) -> bytes:
        view, language = views.of(viewer.player), viewer.language
        sheet, talk = self._sheet.json(view.sheet, language), self._talk.json(view.talk, language)
        if language != "en":
            view = localize(replace(view, sheet=None, talk=()), language)
        return _JSON.encode(replace(view, sheet=sheet, talk=talk))


class PatchTexts:
    """Messages with the changes between two versions of a table's views; shared changes are encoded once."""

    def __init__(self, before: TableViews, after: TableViews, now: int) -> None:
        state = after.state
        self.views = after
        self._changes = ViewDiff(before, after, now)
        self._head = state.config.table, state.version, before.state.version, now
        self._shared: dict[Language, Raw] = {}

    def text(self, viewer: Subscriber, proof: int | None) -> str:
        """Return the message for a viewer."""
        language = viewer.language
        shared, own = self._changes.for_player(viewer.player)
        if language not in self._shared:
            self._shared[language] = Raw(_JSON.encode(localize(shared, language))[1:-1])
        parts = own if language == "en" else localize(own, language)
        if shared:
            # The raw text of several list elements, inserted as one element.
            parts.insert(0, self._shared[language])
        return _JSON.encode(ViewPatch(*self._head, parts, proof)).decode()


class JsonCache:
    """The JSON of a value that seldom changes, encoded once a language."""

    def __init__(self) -> None:
        self._value: object = None
        self._json: dict[Language, Raw] = {}

    def json(self, value: object, language: Language) -> Raw:
        """Return a value's JSON in a language. It must contain nothing private: every subscriber gets it."""
        if value is not self._value:
            self._value, self._json = value, {}
        if language not in self._json:
            self._json[language] = Raw(_JSON.encode(localize(value, language)))
        return self._json[language]
