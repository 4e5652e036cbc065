"""The contract of an HTTP route: its types, statuses and scope, given in the `opt` of its handler.

The OpenAPI document (src/triptych/server/docs/openapi.json) and the client's types are generated from it, and tokens
without the scope are rejected by it.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

Scope = Literal["read", "play", "host"]
SCOPES: Final[dict[Scope, str]] = {
    "read": "read: the lobby, tables, rules, your own results; every token has it",
    "play": "take a seat and play, talk, ask for advice on your own cards",
    "host": "open tables and tournaments, and do what a table's host may",
}
OPT: Final = "contract"


class EndpointSpec(NamedTuple):
    """The contract of one path and method.

    `response`: the type of the JSON answer, or a media type such as `text/csv`. `request`: the type of the body.
    `scope`: which tokens are accepted, None for only the guest's cookie. `guest`: whether the request needs a guest.
    `error_statuses`: statuses in addition to those that follow from the rest. `query`: parameters by name, and their
    type; a name that ends in `?` is optional.
    """

    response: Any
    request: Any = None
    scope: Scope | None = "read"
    guest: bool = True
    status: int = 200
    error_statuses: tuple[int, ...] = ()
    query: tuple[tuple[str, type], ...] = ()


def endpoint(
    response: Any,  # noqa: ANN401 - a type as annotations have it
    request: Any = None,  # noqa: ANN401 - as above
    *,
    scope: Scope | None = "read",
    guest: bool = True,
    status: int = 200,
    error_statuses: tuple[int, ...] = (),
    query: tuple[tuple[str, type], ...] = (),
) -> dict[str, EndpointSpec]:
    """Return the `opt` of a handler."""
    return {OPT: EndpointSpec(response, request, scope, guest, status, error_statuses, query)}


def endpoint_of(opt: dict[str, Any]) -> EndpointSpec | None:
    """Return the contract in a handler's `opt`; None for routes outside the API, such as the client's files."""
    spec: EndpointSpec | None = opt.get(OPT)
    return spec
