"""The server's error codes, and the form in which errors are sent. Tables have their own codes."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from msgspec import UNSET

from triptych.errors import TriptychError
from triptych.i18n.messages import Message
from triptych.rulesets.errors import RulesError
from triptych.server.wire.messages import LimitHit, WireError
from triptych.store.leases.interface import ServerId

CODES: Final = {
    "request.json": "The message is not JSON.",
    "request.invalid": "The request body doesn’t match the schema; the path names the field.",
    "request.too_large": "The message is larger than the server reads.",
    "request.binary": "Messages are text frames.",
    "request.origin": "The page comes from another site.",
    "request.host": "The server does not serve the host name or address of the request.",
    "request.unknown": "There is nothing at this address.",
    "request.too_costly": "The request needs more time or memory than a request may take.",
    "request.slow": "The request, or the rest of a message, did not arrive in time.",
    "request.pieces": "The body arrived in too many small pieces; the connection is closed.",
    "request.method": "Method not allowed.",
    "address.too_many": "One address has opened too many tables, guests or connections, or sent too much.",
    "identity.missing": "The connection has no guest cookie; GET /api/me gives one.",
    "identity.wrong": "The name or the password is wrong.",
    "identity.name": "Somebody else has this name.",
    "identity.unknown": "The guest has no such way to sign in.",
    "daily.closed": "Only results of today's and yesterday's deal are accepted.",
    "identity.seated": "The guest still has a seat at a table.",
    "identity.signed_out": "This browser was signed out, here or from another device.",
    "identity.too_many": "The guest already has the maximum number of passkeys.",
    "passkey.invalid": "The passkey's response does not fit the challenge, or is not for this address.",
    "password.too_many": "Too many wrong passwords for this account or table; `limit` says how long to wait.",
    "password.short": "The password is too short.",
    "ticket.unknown": "The link or the challenge was used already, or has expired.",
    "arrange.not_allowed": "The host does not allow automatic arranging here.",
    "arrange.nothing": "The guest has no whole hand to set now.",
    "evening.unknown": "The guest has played no deal at this table.",
    "token.unknown": "The token is not valid, or was revoked.",
    "token.scope": "The token does not have the required scope, or no token may do this.",
    "token.seat": "A person sits there: a program plays only in a seat that it took itself.",
    "token.too_many": "The guest already has the maximum number of tokens.",
    "name.bad": "The name is empty, too long or has invisible characters.",
    "table.league": "The table belongs to a duplicate league in progress, and the guest does not sit there.",
    "password.wrong": "The password is wrong.",
    "table.open": "The table is not closed, so there is no rematch yet.",
    "table.unknown": "No table has this id.",
    "table.expired": "The table is closed, and its record has expired.",
    "table.no_deal": "The table has no finished deal of this number.",
    "review.held": "Other tables still play the same cards.",
    "review.playing": "Not available while you are playing.",
    "table.no_proofs": "The deck of the deal on the table was not committed before it was dealt.",
    "table.damaged": "The stored record of the table is damaged; it has stopped. Other tables aren’t affected.",
    "table.wrong": "An internal check failed; the table was stopped. Other tables aren’t affected.",
    "table.seats": "The rules have fewer seats than the players who would sit down.",
    "table.too_many": "The player already has as many open tables as a host may have.",
    "guide.nothing": "The hand is not yours, or is not to act now.",
    "guide.people": "The guide is not available while other people play.",
    "cup.unknown": "No tournament has this id.",
    "cup.expired": "The tournament is over, and its record has expired.",
    "cup.too_many": "The player already has as many tournaments as a host may have.",
    "level.unknown": "No bot that can be seated has this level.",
    "rules.contradiction": "The rules contradict themselves; the path names the option.",
    "socket.flood": "Too many messages or frames a second; the connection is closed.",
    "socket.too_many": "The player has too many connections; this one is closed.",
    "socket.slow": "The connection received messages too slowly and is closed.",
    "watch.missing": "The connection is not subscribed to this table.",
    "watch.too_many": "The connection is subscribed to too many tables.",
    "server.full": "The server has the maximum number of connections open.",
    "server.busy": "The server is busy with other requests; try again in a moment.",
    "server.elsewhere": "The table is on another server, which could not be reached now.",
    "server.failed": "The server could not do it; nothing has changed.",
    "server.unsure": "The server could not do it, and does not know whether something has changed.",
    "server.waiting": "The server cannot store moves at present; clocks stand still, and replies come later.",
    "server.not_built": "This server was built without the client.",
}


TOO_FAST: Final = WireError("request.too_fast", Message("error.request.too_fast"), limit=LimitHit("arrangements", 3))
# A limit on concurrent work, which is free again in a moment.
CONCURRENCY_LIMIT: Final = LimitHit("at_once", 1)
COMMAND_FAILED: Final = WireError("server.failed", Message("error.server.failed"))
OUTCOME_UNKNOWN: Final = WireError("server.unsure", Message("error.server.unsure"))
INVARIANT_ERROR: Final = WireError("table.wrong", Message("error.table.wrong"))
CORRUPT_ERROR: Final = WireError("table.damaged", Message("error.table.damaged"))
ELSEWHERE: Final = WireError("server.elsewhere", Message("error.server.elsewhere"))
STORE_UNAVAILABLE: Final = WireError("server.waiting", Message("error.server.waiting"))
# The key in a request's ASGI scope: the server that owns the requested table.
OWNER_KEY: Final = "triptych.owner"
# The key in a request's ASGI scope: this server was fenced when it received the request.
FENCED_KEY: Final = "triptych.over"
# A WebSocket's close code: connect again, then another server owns the table.
TRY_AGAIN: Final = 1013


class ApiError(TriptychError):
    """A request that the server rejects; `code` is one of CODES, `status` is for HTTP.

    `limit`: for a 429, the limit that was reached; without one, there are too many requests at once.
    """

    def __init__(
        self, code: str, message: str, path: str = "$", status: int = 400, limit: LimitHit | None = None
    ) -> None:
        super().__init__(code, message, path)
        self.status = status
        self.limit = limit or (CONCURRENCY_LIMIT if status == HTTPStatus.TOO_MANY_REQUESTS else None)


class RemoteOwnerError(ApiError):
    """Another server, `owner`, owns the requested table.

    Requests are usually proxied, so players seldom see this.
    """

    def __init__(self, owner: ServerId) -> None:
        super().__init__(ELSEWHERE.code, ELSEWHERE.message, status=503)
        self.owner = owner


def to_wire_error(error: TriptychError) -> WireError:
    """Return an error as it is sent."""
    limit = error.limit if isinstance(error, ApiError) else None
    return WireError(error.code, error.message, error.path, limit or UNSET)


def to_api_error(error: TriptychError) -> ApiError:
    """Return an error of the request's sender as an ApiError; paths of rules errors begin at `$.rules`."""
    if isinstance(error, ApiError):
        return error
    path = error.path.replace("$", "$.rules", 1) if isinstance(error, RulesError) else error.path
    return ApiError(error.code, error.message, path)
