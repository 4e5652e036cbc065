"""The socket as AsyncAPI 3.0: one channel, every message both ways, every request of a table as an example."""

from __future__ import annotations

import inspect
from typing import Any, Final, get_args

from scripts.protocol_pages.examples import REQUESTS, TABLE, examples_of, plain
from scripts.protocol_pages.openapi import VERSION
from scripts.protocol_pages.schemas import components
from triptych.server.edge.connection import CLOSE_CODES
from triptych.server.edge.guests import COOKIE
from triptych.server.wire.messages import ClientMessage, ServerMessage
from triptych.table.view_types import TableView
from triptych.tournament.view_types import TournamentView

INTRODUCTION: Final = (
    "`/ws` takes and gives one JSON object a text frame; `t` tells what it is. Who connects shows the guest's cookie "
    "or a token. A command is sent again with the same `cmd_id` until it is answered, and done at most once. "
    "New fields and messages may come: ignore what you do not know."
)


def document() -> dict[str, Any]:
    """Return the whole document."""
    received, sent = get_args(ServerMessage), get_args(ClientMessage)
    _, named = components([*received, TableView, TournamentView], sent)
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Triptych socket", "version": VERSION, "description": INTRODUCTION},
        "defaultContentType": "application/json",
        "channels": {
            "socket": {
                "address": "/ws",
                "messages": {
                    _tag(kind): {"$ref": f"#/components/messages/{_tag(kind)}"} for kind in (*sent, *received)
                },
                "bindings": {"ws": {"method": "GET", "headers": _HEADERS}},
                "x-close-codes": {str(code): why for code, why in CLOSE_CODES.items()},
            }
        },
        # Seen from the client, who reads this: it sends the first ones and receives the others.
        "operations": {
            "ask": {"action": "send", "channel": _CHANNEL, "messages": [_message(kind) for kind in sent]},
            "hear": {"action": "receive", "channel": _CHANNEL, "messages": [_message(kind) for kind in received]},
        },
        "components": {
            "messages": {
                _tag(kind): {
                    "name": _tag(kind),
                    "summary": describe(kind).partition(". ")[0].rstrip("."),
                    "payload": {"$ref": f"#/components/schemas/{kind.__name__}"},
                    "examples": _examples(kind),
                }
                for kind in (*sent, *received)
            },
            "schemas": named,
        },
    }


_CHANNEL: Final = {"$ref": "#/channels/socket"}
_HEADERS: Final = {
    "type": "object",
    "properties": {
        "Cookie": {"type": "string", "description": f"`{COOKIE}=…`, as `GET /api/me` gives it."},
        "Authorization": {"type": "string", "description": "`Bearer …`, a token in place of the cookie."},
    },
}


def describe(kind: type) -> str:
    """Return what a type says of itself, on one line."""
    return " ".join(inspect.cleandoc(kind.__doc__ or "").split())


def _tag(kind: type) -> str:
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]  # each is a struct


def _message(kind: type) -> dict[str, str]:
    return {"$ref": f"#/channels/socket/messages/{_tag(kind)}"}


def _examples(kind: type) -> list[dict[str, Any]]:
    if _tag(kind) != "do":
        return [{"name": name, "payload": value} for name, value in examples_of(kind).items()]
    return [
        {
            "name": str(type(request).__struct_config__.tag),
            "summary": describe(type(request)),
            "payload": {"t": "do", "cmd_id": f"a{number}", "table": TABLE, "seen": 41, "action": plain(request)},
        }
        for number, request in enumerate(REQUESTS, 1)
    ]
