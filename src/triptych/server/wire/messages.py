"""The messages of the WebSocket, both ways. JSON tag: `t`. The client's types are generated from this file.

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
    """Follow a table, or hear it in another language; with `since`, the events after that version come too.

    `whole`: each update is the whole view with its events; else only the first is, and then comes what changed.
    """

    table: Id
    since: int | None = None
    language: Language = "en"
    whole: bool = True


class Unsubscribe(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="unwatch"):
    """Stop following a table."""

    table: Id


class CommandMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="do"):
    """Ask something of a table. Sent again with the same `cmd_id` until it is answered; done at most once.

    `seen`: the version the player was looking at.
    """

    cmd_id: Id
    table: Id
    seen: int
    action: PlayerRequest


class Ping(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="ping"):
    """Keep the connection alive; answered by `Pong`."""


ClientMessage = Subscribe | Unsubscribe | CommandMessage | Ping


class LimitHit(Struct, frozen=True):
    """A limit that was met: its name, and after how many seconds it may be tried again."""

    key: str
    seconds: int


class WireError(Struct, frozen=True):
    """What went wrong, where, and what to do. `limit`: when it was too much in a short time."""

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
    """One version of a table; `e` is missing when the viewer may not see it, so versions have no holes."""

    v: int
    e: Any = None


class Update(Struct, frozen=True, tag_field="t", tag="update"):
    """A table as the viewer may see it now (`view` is a TableView), and the events that led here (may be empty).

    `now`: the table's own clock in ms, as all times of the view; it may be ahead of the server's (`Pong`). `paths`:
    for a viewer who gets parts from now on, the paths that they name by number, and the form of what stands there.
    """

    table: str
    v: int
    now: int
    events: tuple[VersionedEvent, ...]
    view: Annotated[Raw, Meta(extra={"typescript": "TableView"})]
    paths: tuple[tuple[str, Any], ...] | UnsetType = UNSET


class ViewPatch(Struct, frozen=True, omit_defaults=True, tag_field="t", tag="parts"):
    """What changed in a table as the viewer may see it, between version `after`, which they hold, and `v`.

    `parts`: by turns a path and what now stands there. A path is its number in the update's `paths`, or text such as
    `rules.title`. One that ends with a point, such as `deal.boards.1.`, has parts of its own, by their paths from
    there; at `laid.+` stands what comes behind the others in a list; at `may.~` a place in the list, how many are
    gone from there on, and what comes in their stead. The view's own `v` is in no part. The form of a numbered path
    says how to read what stands there: 0 as it is, 1 as a time in ms after `now`, 2 as a boolean, 1 or 0, 3 as cards
    in one text or how many unknown ones, `[form]` as a list of such, and an object as a list of its values, in the
    order of the fields; fields beyond its end are absent. `proof`: now and then, the CRC-32 of the view's text after
    that; whoever holds another view watches again.
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
    """A message could not be read or followed."""

    error: WireError


class Pong(Struct, frozen=True, tag_field="t", tag="pong"):
    """The server's clock in ms."""

    now: int


class TournamentUpdate(Struct, frozen=True, tag_field="t", tag="cup"):
    """A tournament as the viewer may see it now (`view`: a TournamentView); followed as a table is, by `cup:<id>`."""

    cup: str
    v: int
    now: int
    view: Annotated[Raw, Meta(extra={"typescript": "TournamentView"})]


ServerMessage = Hello | Update | ViewPatch | TournamentUpdate | Ack | Rejected | ErrorMessage | Pong
