"""The messages of the WebSocket, both ways.

JSON tag: `t`. The client's types are generated from this file.

Named by the receiver: `ToServer` is what the server gets, `ToClient` what a client gets. Bots speak the same
messages, one JSON object a line.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from triptych.i18n.languages import Language
from triptych.table.commands import PlayerRequest

Id = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$")]


class Subscribe(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="watch"):
    """Subscribe to a table, or change the language; with `since`, the events after that version are sent too.

    `whole`: each update is the whole view with its events; otherwise only the first is, and patches follow.
    """

    table: Id
    since: int | None = None
    language: Language = "en"
    whole: bool = True


class Unsubscribe(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="unwatch"):
    """Unsubscribe from a table."""

    table: Id


class CommandMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="do"):
    """Send a command to a table.

    Repeat it with the same `cmd_id` until there is a reply; it is done at most once.

    `seen`: the version that the player saw.
    """

    cmd_id: Id
    table: Id
    seen: int
    action: PlayerRequest


class Ping(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="ping"):
    """Keep the connection alive; the reply is `Pong`."""


ClientMessage = Subscribe | Unsubscribe | CommandMessage | Ping


class LimitHit(Struct, frozen=True):
    """A limit that was reached: its name, and after how many seconds to try again."""

    key: str
    seconds: int


class WireError(Struct, frozen=True):
    """What went wrong, where, and what to do. `limit`: the limit that was reached, if any."""

    code: str
    message: str
    path: str = "$"
    limit: LimitHit | UnsetType = UNSET


class Hello(Struct, frozen=True, tag_field="t", tag="hello"):
    """The first message of a connection: who the viewer is, and the server's clock in ms."""

    player: str
    name: str
    now: int


class VersionedEvent(Struct, frozen=True, omit_defaults=True):
    """One version of a table; `e` is missing if the viewer may not see the event, so versions have no gaps."""

    v: int
    e: Any = None


class Update(Struct, frozen=True, tag_field="t", tag="update"):
    """A table as the viewer may see it now (`view` is a TableView), and the events that led here (may be empty).

    `now`: the table's own clock in ms, as all times of the view; it may be ahead of the server's (`Pong`). `paths`:
    for a viewer who gets patches from now on, the numbered paths, and the form of the values at each.
    """

    table: str
    v: int
    now: int
    events: tuple[VersionedEvent, ...]
    view: Annotated[Raw, Meta(extra={"typescript": "TableView"})]
    paths: tuple[tuple[str, Any], ...] | UnsetType = UNSET


class ViewPatch(Struct, frozen=True, omit_defaults=True, tag_field="t", tag="parts"):
    """The changes of a table as the viewer may see it, between version `after`, which they have, and `v`.

    `parts`: paths and their new values, alternating. A path is its number in the update's `paths`, or text such as
    `rules.title`. The value of a path that ends with a point, such as `deal.boards.1.`, is a list of parts with paths
    relative to it; `laid.+` has the elements appended to a list; `may.~` an index in the list, how many elements are
    removed from there, and their replacements. The view's own `v` is in no part. The form of a numbered path says how
    to read its value: 0 as it is, 1 as a time in ms after `now`, 2 as a boolean (1 or 0), 3 as cards in one text or
    the number of unknown cards, `[form]` as a list of such values, and an object as a list of the values of its
    fields in this order; missing trailing fields are absent. `proof`: sometimes, the CRC-32 of the view's text after
    the patch; a client whose view differs subscribes again.
    """

    table: str
    v: int
    after: int
    now: int
    parts: list[Any]
    proof: int | None = None


class Ack(Struct, frozen=True, tag_field="t", tag="ack"):
    """A command was done and stored, as version `v`."""

    cmd_id: str
    table: str
    v: int


class Rejected(Struct, frozen=True, tag_field="t", tag="refused"):
    """A command was not done; nothing has changed."""

    cmd_id: str
    table: str
    error: WireError


class ErrorMessage(Struct, frozen=True, tag_field="t", tag="problem"):
    """A message could not be read or executed."""

    error: WireError


class Pong(Struct, frozen=True, tag_field="t", tag="pong"):
    """The server's clock in ms."""

    now: int


class TournamentUpdate(Struct, frozen=True, tag_field="t", tag="cup"):
    """A tournament as the viewer may see it now (`view`: a TournamentView); subscribe to it with `cup:<id>`."""

    cup: str
    v: int
    now: int
    view: Annotated[Raw, Meta(extra={"typescript": "TournamentView"})]


ServerMessage = Hello | Update | ViewPatch | TournamentUpdate | Ack | Rejected | ErrorMessage | Pong
