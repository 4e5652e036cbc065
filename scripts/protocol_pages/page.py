"""The documents as one page for people: plain HTML without a script, which needs nothing from elsewhere."""

from __future__ import annotations

import json
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from scripts.protocol_pages.asyncapi import INTRODUCTION as SOCKET
from scripts.protocol_pages.openapi import INTRODUCTION as HTTP
from triptych.deal import errors as deal_errors
from triptych.rulesets import errors as rules_errors
from triptych.server.edge import rate_limits
from triptych.server.edge.connection import CLOSE_CODES
from triptych.server.endpoint import SCOPES
from triptych.server.wire.errors import CODES
from triptych.table import errors as room_errors
from triptych.tournament import errors as cup_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_BEGIN: Final = """\
SERVER=http://127.0.0.1:8313
curl -c me.txt $SERVER/api/me
curl -b me.txt $SERVER/api/me/tokens -d '{"label": "my bot", "scopes": ["play"]}'
curl -H 'Authorization: Bearer tt_…' $SERVER/api/tables"""


def page(http: Mapping[str, Any], socket: Mapping[str, Any]) -> str:
    """Return the page of both documents."""
    return "\n".join(_lines(http, socket)) + "\n"


def _lines(http: Mapping[str, Any], socket: Mapping[str, Any]) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8"><title>Triptych: the protocol</title>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<link rel="stylesheet" href="/docs/style.css"></head><body>'
    yield '<header><a href="/">Triptych</a><h1>The protocol</h1>'
    yield "<p>How a program speaks with this room. For programs themselves: "
    yield '<a href="/docs/openapi.json">openapi.json</a> (HTTP) and '
    yield '<a href="/docs/asyncapi.json">asyncapi.json</a> (the socket).</p></header>'
    yield '<nav aria-label="On this page">'
    yield from (f'<a href="#{key}">{title}</a>' for key, title in _PARTS)
    yield "</nav><main>"
    yield from _beginning()
    yield from _http(http)
    yield from _socket(socket)
    yield from _limits()
    yield from _errors()
    yield from _types({**http["components"]["schemas"], **socket["components"]["schemas"]})
    yield "</main></body></html>"


_PARTS: Final = (
    ("begin", "To begin"),
    ("http", "HTTP"),
    ("socket", "Socket"),
    ("actions", "Actions"),
    ("limits", "Limits"),
    ("errors", "Errors"),
    ("types", "Types"),
)


def _beginning() -> Iterator[str]:
    yield '<section id="begin"><h2>To begin</h2>'
    yield "<p>Be a guest, make a token, ask with it. A token is shown once; the room keeps only its hash.</p>"
    yield f'<pre tabindex="0">{escape(_BEGIN)}</pre>'
    yield "<p>A token has scopes. Who sits down with one is shown as a bot.</p>"
    yield from _table(("scope", "what it allows"), ((_code(scope), _text(text)) for scope, text in SCOPES.items()))
    yield "</section>"


def _http(http: Mapping[str, Any]) -> Iterator[str]:
    yield f'<section id="http"><h2>HTTP</h2><p>{_text(HTTP)}</p>'
    every = [
        (path, method, operation) for path, methods in http["paths"].items() for method, operation in methods.items()
    ]
    order = {tag["name"]: number for number, tag in enumerate(http["tags"])}
    every.sort(key=lambda entry: order[entry[2]["tags"][0]])
    for tag, group in groupby(every, key=lambda entry: entry[2]["tags"][0]):
        yield f"<h3>{escape(tag.capitalize())}</h3>"
        for path, method, operation in group:
            yield from _operation(path, method, operation)
    yield "</section>"


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f'<details id="{operation["operationId"]}"><summary><b>{method.upper()}</b> <code>{escape(path)}</code>'
    yield f"<span>{_text(operation['summary'])}</span></summary>"
    if operation["description"].rstrip(".") != operation["summary"]:
        yield f"<p>{_text(operation['description'])}</p>"
    yield f"<p>{_who(operation['security'])}</p>"
    if "parameters" in operation:
        yield from _table(
            ("parameter", "in", "type"),
            (
                (
                    _code(each["name"]),
                    each["in"] + ("" if each["required"] else ", may be missing"),
                    _kind(each["schema"]),
                )
                for each in operation["parameters"]
            ),
        )
    if "requestBody" in operation:
        body = operation["requestBody"]["content"]["application/json"]
        yield f"<p>Takes {_kind(body['schema'])}:</p>"
        yield from (_json(example["value"]) for example in body["examples"].values())
    refused = ", ".join(_code(status) for status, answer in operation["responses"].items() if "content" not in answer)
    for status, answer in operation["responses"].items():
        for kind, content in answer.get("content", {}).items():
            content_kind = _kind(content["schema"]) if "schema" in content else _code(kind)
            yield f"<p>Answers {_code(status)} with {content_kind}; may be refused with {refused}.</p>"
    yield "</details>"


def _who(security: Iterable[Mapping[str, list[str]]]) -> str:
    requirements = list(security)
    scopes = [f"a token with <code>{each['token'][0]}</code>" for each in requirements if "token" in each]
    who = " or ".join(["the guest's cookie", *scopes])
    return f"Anybody; {who} says who asks." if {} in requirements else f"Asks for {who}."


def _socket(socket: Mapping[str, Any]) -> Iterator[str]:
    yield f'<section id="socket"><h2>Socket</h2><p>{_text(SOCKET)}</p>'
    for title, operation in (("To the server", "ask"), ("To the client", "hear")):
        yield f"<h3>{title}</h3>"
        for ref in socket["operations"][operation]["messages"]:
            name = ref["$ref"].rpartition("/")[2]
            message = socket["components"]["messages"][name]
            yield f"<details><summary><code>{name}</code><span>{_text(message['summary'])}</span></summary>"
            yield f"<p>{_kind(message['payload'])}</p>"
            yield _json(message["examples"][0]["payload"])
            yield "</details>"
    yield "<h3>Why a connection ends</h3>"
    yield from _table(("code", "why"), ((_code(code), _text(why)) for code, why in CLOSE_CODES.items()))
    yield '</section><section id="actions"><h2>Actions</h2><p>What can be asked of a table, each in a '
    yield f"{_code('do')} message.</p>"
    for example in socket["components"]["messages"]["do"]["examples"]:
        yield f"<details><summary><code>{example['name']}</code><span>{_text(example['summary'])}</span></summary>"
        yield f"{_json(example['payload'])}</details>"
    yield "</section>"


def _limits() -> Iterator[str]:
    yield '<section id="limits"><h2>Limits</h2>'
    yield "<p>Who asks too much is refused with <code>429</code> and told which limit it was and when to ask again: "
    yield "in <code>error.limit</code> (<code>key</code>, <code>seconds</code>), in <code>Retry-After</code>, "
    yield "and in <code>RateLimit</code>. "
    yield "These are counted by address, and some by guest too; this machine itself has none.</p>"
    yield from _table(
        ("key", "at once", "then one every"),
        (
            (_code(limit.name), str(limit.burst), f"{limit.seconds:g} s")
            for limit in vars(rate_limits).values()
            if isinstance(limit, rate_limits.RateLimit)
        ),
    )
    yield "<p>A connection sends 40 messages a second for long and 120 at once "
    yield "(<code>messages</code>); a table lets 32 commands of one guest wait.</p></section>"


def _errors() -> Iterator[str]:
    yield '<section id="errors"><h2>Errors</h2><p>Every refusal has a code, a message for people, and a path into '
    yield "what was sent.</p>"
    for title, codes in (
        ("The server", CODES),
        ("Tables", room_errors.CODES),
        ("Deals", deal_errors.CODES),
        ("Tournaments", cup_errors.CODES),
        ("Rules", rules_errors.CODES),
    ):
        yield f"<h3>{title}</h3>"
        yield from _table(("code", "meaning"), ((_code(code), _text(text)) for code, text in codes.items()))
    yield "</section>"


def _types(schemas: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield '<section id="types"><h2>Types</h2>'
    for name, schema in sorted(schemas.items(), key=lambda item: _short(item[0])):
        yield f'<details id="type-{name}"><summary><code>{_short(name)}</code></summary>'
        yield f"<p>{_text(schema.get('description', ''))}</p>"
        required = schema.get("required", [])
        yield from _table(
            ("field", "type", ""),
            (
                (_code(field), _kind(kind), "" if field in required else "may be missing")
                for field, kind in schema.get("properties", {}).items()
            ),
        )
        yield "</details>"
    yield "</section>"


def _kind(schema: Mapping[str, Any]) -> str:
    """Return a schema in a few words, with links to the types that it names."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f'<a href="#type-{name}">{_short(name)}</a>'
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(branch) for branch in schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(_code(json.dumps(value)) for value in schema["enum"])
    if schema.get("type") == "array":
        inside = schema.get("items") or {"anyOf": schema.get("prefixItems", [{}])}
        return f"list of {_kind(inside) if inside else 'anything'}"
    bounds = [f"{word} {schema[key]}" for key, word in _BOUNDS.items() if key in schema]
    return ", ".join([str(schema.get("type", "anything")), *bounds])


_BOUNDS: Final = {"minimum": "from", "maximum": "to", "minLength": "at least", "maxLength": "at most"}


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    yield "<table><thead><tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr></thead><tbody>"
    yield from ("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    yield "</tbody></table>"


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    flat = json.dumps(value, ensure_ascii=False)
    return f'<pre tabindex="0">{escape(flat if len(flat) < 90 else text)}</pre>'


def _code(text: object) -> str:
    return f"<code>{escape(str(text))}</code>"


def _text(text: str) -> str:
    """Return words as HTML, with `code` as in the documents."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
