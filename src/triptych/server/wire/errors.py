"""What the server itself refuses, and how every error is sent. The room has its own codes."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from msgspec import UNSET

from triptych.errors import TriptychError
from triptych.i18n.messages import Message
from triptych.rulesets.errors import RulesError
from triptych.server.wire.messages import LimitHit, WireError

CODES: Final = {
    "request.json": "The message is not JSON.",
    "request.invalid": "The request body doesn’t match the schema; the path names the field.",
    "request.too_large": "The message is larger than the server reads.",
    "request.binary": "Messages are text frames.",
    "request.origin": "The page comes from another site.",
    "request.host": "The server is not known by the name, or the address, under which it was asked.",
    "request.unknown": "There is nothing at this address.",
    "request.too_costly": "To work this out takes more time or memory than a request may take.",
    "request.slow": "The request, or a message that was begun, did not come in time.",
    "request.pieces": "The body came in too many small pieces; the connection is closed.",
    "request.method": "Method not allowed.",
    "address.too_many": "Too much comes from one address: tables, guests, connections or floods.",
    "identity.missing": "The connection has no guest cookie; GET /api/me gives one.",
    "identity.wrong": "The name and the password do not go together.",
    "identity.name": "Somebody else is known by this name.",
    "identity.unknown": "The guest is not known by this.",
    "daily.closed": "Results are taken of today's and yesterday's deal.",
    "identity.seated": "The guest still has a seat at a table.",
    "identity.signed_out": "This browser was signed out, here or from another device.",
    "identity.too_many": "The guest has as many passkeys as one may have.",
    "passkey.invalid": "The passkey's answer is not what was asked for, or not from this address.",
    "password.too_many": "Too many wrong passwords for this account or table; `limit` says how long to wait.",
    "password.short": "The password is too short.",
    "ticket.unknown": "The link or the challenge was used already, or is over.",
    "arrange.not_allowed": "The host does not allow automatic arranging here.",
    "arrange.nothing": "No whole hand of the guest is to be set now.",
    "evening.unknown": "The guest has played no deal at this table.",
    "token.unknown": "The token is none, or was taken back.",
    "token.scope": "The token has not the scope that this asks for, or no token may do it.",
    "token.seat": "A person sits there: a program plays where it took the seat itself.",
    "token.too_many": "The guest has as many tokens as one may have.",
    "name.bad": "The name is empty, too long or has characters that cannot be seen.",
    "table.league": "The table is a duplicate league's that goes on, and the guest does not sit there.",
    "password.wrong": "The password is not the right one.",
    "table.open": "The table is not closed, so it cannot be played once more.",
    "table.unknown": "No table has this id.",
    "table.expired": "The table is over, and its record was deleted: it was kept for a time only.",
    "table.no_deal": "The table has no finished deal of this number.",
    "review.held": "Other tables still play the same cards.",
    "review.playing": "Not available while you are playing.",
    "table.no_proofs": "The deck of the deal on the table was not committed before it was dealt.",
    "table.damaged": "The stored record of the table is damaged; it has stopped, other tables go on.",
    "table.wrong": "An internal check failed; the table was stopped. Other tables aren’t affected.",
    "table.seats": "The rules have fewer seats than players who are to sit down.",
    "table.too_many": "The player already has as many open tables as a host may have.",
    "guide.nothing": "Nothing is asked of this hand now, or it is not one's own: there is nothing to say about it.",
    "guide.people": "The guide is silent where another person plays.",
    "cup.unknown": "No tournament has this id.",
    "cup.expired": "The tournament is over, and its record was deleted: it was kept for a time only.",
    "cup.too_many": "The player already has as many tournaments as a host may have.",
    "level.unknown": "No bot that can be seated has this level.",
    "rules.contradiction": "The rules contradict themselves; the path names the option.",
    "socket.flood": "Too many messages or frames a second; the connection is closed.",
    "socket.too_many": "The player has too many connections; this one is closed.",
    "socket.slow": "The connection took messages too slowly and is closed.",
    "watch.missing": "The connection does not follow this table.",
    "watch.too_many": "The connection follows too many tables.",
    "server.full": "The server has as many connections open as it can have.",
    "server.busy": "The server works on what it was asked before; ask again in a moment.",
    "server.elsewhere": "The table is another server's, which could not be asked now.",
    "server.failed": "The server could not do it; nothing has changed.",
    "server.unsure": "The server could not do it, and does not know whether something has changed.",
    "server.waiting": "The server cannot store moves at present; clocks stand, and commands are answered later.",
    "server.not_built": "This server was built without the client.",
}


# Said only when the store has confirmed it.
TOO_FAST: Final = WireError("request.too_fast", Message("error.request.too_fast"), limit=LimitHit("arrangements", 3))
# What works on many things at once is free again in a moment.
CONCURRENCY_LIMIT: Final = LimitHit("at_once", 1)
COMMAND_FAILED: Final = WireError("server.failed", Message("error.server.failed"))
OUTCOME_UNKNOWN: Final = WireError("server.unsure", Message("error.server.unsure"))
INVARIANT_ERROR: Final = WireError(
    "table.wrong",
    Message("error.table.wrong"),
)
CORRUPT_ERROR: Final = WireError(
    "table.damaged",
    Message("error.table.damaged"),
)
STORE_UNAVAILABLE: Final = WireError("server.waiting", Message("error.server.waiting"))


class ApiError(TriptychError):
    """Something that the server does not do; `code` is one of CODES, `status` is for HTTP.

    `limit`: of a 429, which one was met; without one, too much is under way at once.
    """

    def __init__(
        self, code: str, message: str, path: str = "$", status: int = 400, limit: LimitHit | None = None
    ) -> None:
        super().__init__(code, message, path)
        self.status = status
        self.limit = limit or (CONCURRENCY_LIMIT if status == HTTPStatus.TOO_MANY_REQUESTS else None)


def to_wire_error(error: TriptychError) -> WireError:
    """Return an error as it is sent."""
    limit = error.limit if isinstance(error, ApiError) else None
    return WireError(error.code, error.message, error.path, limit or UNSET)


def to_api_error(error: TriptychError) -> ApiError:
    """Return what a request is told about an error that its sender made; rules stand in it at `$.rules`."""
    if isinstance(error, ApiError):
        return error
    path = error.path.replace("$", "$.rules", 1) if isinstance(error, RulesError) else error.path
    return ApiError(error.code, error.message, path)
