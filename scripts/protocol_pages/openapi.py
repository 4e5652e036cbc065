"""The HTTP interface as OpenAPI 3.1: every handler with a contract, its types, its statuses and its examples."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from scripts.protocol_pages.examples import examples_of
from scripts.protocol_pages.schemas import components
from triptych.server.app import ROUTES
from triptych.server.edge.guests import COOKIE
from triptych.server.endpoint import SCOPES, EndpointSpec, endpoint_of
from triptych.server.wire.bodies import ErrorBody

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION: Final = "1"
INTRODUCTION: Final = (
    "A Triptych room over HTTP. What is played goes over the socket (asyncapi.json); here is everything around it. "
    "`GET /api/me` makes a guest and gives the cookie that everything else goes by; a program takes a token instead. "
    "Every answer that is not a success is an ErrorBody, and new fields may come: ignore what you do not know."
)
_PARAMETER: Final = re.compile(r"\{(\w+):(\w+)\}")
_PATH_TYPES: Final = {"str": {"type": "string"}, "int": {"type": "integer"}}
_QUERY_TYPES: Final = {str: {"type": "string"}, int: {"type": "integer", "format": "int64"}}
_EXAMPLES: Final = {"table": "k3fq9xwm", "cup": "c7x2mmqd", "deal": 1, "preset": "pineapple", "hand": 0}
_TAGS: Final = (
    (r"/api/me.*|/api/sign.*", "identity"),
    (r"/api/(tables|play|levels).*", "tables"),
    (r"/api/cups.*", "tournaments"),
    (r"/api/(rules|presets).*", "rules"),
    (r"/api/(score|history).*", "scoring and histories"),
    (r"/api/(analys[ei]|review|puzzles).*|/(weights|fields|puzzles)/.*", "analysis"),
    (r".*", "running a server"),
)
_TEXTS: Final = {
    400: "What was sent cannot be read; `path` names the field.",
    401: "It is not known who asks: no cookie, or a token that is none.",
    403: "Whoever asks may not: the token's scopes, another site's page, not the host, a wrong password.",
    404: "There is no such thing.",
    409: "Not as things are now.",
    410: "It was there, and is no more.",
    413: "The body is too large.",
    429: "Too much in a short time: `error.limit` names the limit and when to ask again, `Retry-After` says it too.",
    500: "The server could not do it.",
    503: "Not at this moment; ask again.",
}


class Operation(NamedTuple):
    """One address and method with its contract; `name` is unique, `told` the handler's own words."""

    path: str
    method: str
    name: str
    told: str
    contract: EndpointSpec
    parameters: tuple[tuple[str, str], ...]


def operations() -> Iterator[Operation]:
    """Yield every operation of the interface, in the order of the handlers."""
    for handler in ROUTES:
        contract = endpoint_of(handler.opt)
        if contract is None:
            continue
        function = handler.fn
        description = " ".join((function.__doc__ or "").split())
        (raw,) = handler.paths
        (method,) = handler.http_methods - {"HEAD"}  # type: ignore[union-attr]  # the socket has no contract
        parameters = tuple(_PARAMETER.findall(raw))
        yield Operation(
            _PARAMETER.sub(r"{\1}", raw), method.lower(), function.__name__, description, contract, parameters
        )


def document() -> dict[str, Any]:
    """Return the whole document."""
    every = list(operations())
    gives: list[Any] = [
        operation.contract.response for operation in every if not isinstance(operation.contract.response, str)
    ]
    takes: list[Any] = [operation.contract.request for operation in every if operation.contract.request is not None]
    refs, named = components([*gives, ErrorBody], takes)
    paths: dict[str, dict[str, Any]] = {}
    for operation in every:
        paths.setdefault(operation.path, {})[operation.method] = _operation(operation, refs)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Triptych room", "version": VERSION, "description": INTRODUCTION},
        "servers": [{"url": "/"}],
        "tags": [{"name": name} for name in dict.fromkeys(name for _, name in _TAGS)],
        "paths": paths,
        "components": {
            "schemas": named,
            "securitySchemes": {
                "guest": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "Given by `GET /api/me`."},
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token of `POST /api/me/tokens`, in place of the cookie. Scopes: "
                    + "; ".join(f"`{scope}`: {text}" for scope, text in SCOPES.items())
                    + ".",
                },
            },
            "responses": {
                str(status): {
                    "description": text,
                    "content": {"application/json": {"schema": refs[id(ErrorBody)]}},
                    **({"headers": _LIMIT_HEADERS} if status == HTTPStatus.TOO_MANY_REQUESTS else {}),
                }
                for status, text in _TEXTS.items()
            },
        },
    }


_LIMIT_HEADERS: Final = {
    "Retry-After": {"schema": {"type": "integer"}, "description": "Seconds until it may be asked again."},
    "RateLimit": {"schema": {"type": "string"}, "description": 'The limit, and what is left: `"tables";r=0;t=42`.'},
}


def _operation(operation: Operation, refs: dict[int, Any]) -> dict[str, Any]:
    contract = operation.contract
    written: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [next(name for pattern, name in _TAGS if re.fullmatch(pattern, operation.path))],
        "summary": operation.told.partition(". ")[0].rstrip("."),
        "description": operation.told,
        "security": _security(contract),
        "responses": {str(contract.status): {"description": "Done.", "content": _answer(contract, refs)}},
    }
    if parameters := [*_path_parameters(operation), *_query(contract)]:
        written["parameters"] = parameters
    if contract.request is not None:
        examples = {name: {"value": value} for name, value in examples_of(contract.request).items()}
        content = {"application/json": {"schema": refs[id(contract.request)], "examples": examples}}
        written["requestBody"] = {"required": True, "content": content}
    for status in statuses(operation):
        written["responses"][str(status)] = {"$ref": f"#/components/responses/{status}"}
    return written


def statuses(operation: Operation) -> list[int]:
    """Return with which statuses an operation may be refused."""
    codes = {401, 403, 429, 500, 503, *operation.contract.error_statuses}
    if operation.contract.request is not None:
        codes |= {400, 413}
    if operation.parameters:
        codes |= {404, 410}
    return sorted(codes)


def _security(contract: EndpointSpec) -> list[dict[str, list[str]]]:
    requirements: list[dict[str, list[str]]] = [{"guest": []}]
    if contract.scope is not None:
        requirements.append({"token": [contract.scope]})
    return requirements if contract.guest else [{}, *requirements]


def _answer(contract: EndpointSpec, refs: dict[int, Any]) -> dict[str, Any]:
    if isinstance(contract.response, str):
        return {contract.response: {}}
    return {"application/json": {"schema": refs[id(contract.response)]}}


def _path_parameters(operation: Operation) -> Iterator[dict[str, Any]]:
    for name, kind in operation.parameters:
        yield {
            "name": name,
            "in": "path",
            "required": True,
            "schema": _PATH_TYPES[kind],
            **({"example": _EXAMPLES[name]} if name in _EXAMPLES else {}),
        }


def _query(contract: EndpointSpec) -> Iterator[dict[str, Any]]:
    for name, kind in contract.query:
        yield {
            "name": name.rstrip("?"),
            "in": "query",
            "required": not name.endswith("?"),
            "schema": _QUERY_TYPES[kind],
            **({"example": _EXAMPLES[name]} if name in _EXAMPLES else {}),
        }
