"""Tokens for programs: created, listed and revoked by their guest, never by a token."""

from __future__ import annotations

from typing import Final

from litestar import Response, delete, get, post
from litestar.params import FromPath

from triptych.server.edge.api_tokens import (
    CREDENTIAL_PREFIX,
    StoredToken,
    from_credential,
    new_token,
    to_credential,
    token_id,
)
from triptych.server.edge.rate_limits import NAMES
from triptych.server.endpoint import endpoint
from triptych.server.schemas.identity import CreatedToken, NewTokenRequest, TokenItem
from triptych.server.services import (
    AnyRequest,
    Services,
    ServicesDep,
    decode_body,
    json_response,
    require_guest,
    spend,
    verify_same_site,
)
from triptych.server.wire.decoding import verify_name
from triptych.server.wire.errors import ApiError
from triptych.store.types import Credential

MAX_TOKENS: Final = 10
MAX_LABEL: Final = 40


@get("/api/me/tokens", opt=endpoint(tuple[TokenItem, ...], scope=None))
async def my_tokens(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Return the guest's tokens, the oldest first, without their secrets."""
    return json_response(await _lines(require_guest(request, services), services))


@post("/api/me/tokens", opt=endpoint(CreatedToken, NewTokenRequest, scope=None, status=201, error_statuses=(409,)))
async def create_token(request: AnyRequest, services: ServicesDep) -> Response[bytes]:
    """Create a token, shown only now: with it a program acts as this guest within its scopes."""
    body = await decode_body(request, NewTokenRequest)
    player = require_guest(request, services)
    label = verify_name(body.label, "$.label", MAX_LABEL)
    spend(NAMES, request, player, services)  # each is written to the disk
    async with services.guests.lock(player):
        if len(await _token_credentials(player, services)) >= MAX_TOKENS:
            raise ApiError(
                "token.too_many", f"{MAX_TOKENS} tokens are kept for a guest; take one back first", status=409
            )
        token = new_token()
        stored = to_credential(token, player, StoredToken(label, tuple(sorted(set(body.scopes))), services.now()))
        await services.store.credentials.put(stored)
    return json_response(CreatedToken(token, _line(stored)), 201)


@delete("/api/me/tokens/{token:str}", status_code=200, opt=endpoint(tuple[TokenItem, ...], scope=None))
async def revoke_token(request: AnyRequest, services: ServicesDep, token: FromPath[str]) -> Response[bytes]:
    """Revoke a token by its id; connections that use it close at every server."""
    verify_same_site(request)
    player = require_guest(request, services)
    credentials = await _token_credentials(player, services)
    credential = next((each for each in credentials if token_id(each) == token), None)
    if credential is None:
        raise ApiError("token.unknown", "you have no token of this id", "$.token", status=404)
    await services.store.credentials.delete(credential)
    services.connections.disconnect_token(player, token)
    if services.cluster is not None:
        services.cluster.publish_revocation(player, token)
    return json_response(await _lines(player, services))


async def revoke_all_tokens(player: str, services: Services) -> None:
    """Revoke all of a guest's tokens."""
    for credential in await _token_credentials(player, services):
        await services.store.credentials.delete(credential)
        services.connections.disconnect_token(player, token_id(credential))
        if services.cluster is not None:
            services.cluster.publish_revocation(player, token_id(credential))


async def _token_credentials(player: str, services: Services) -> list[Credential]:
    credentials = await services.store.credentials.credentials(player)
    return [credential for credential in credentials if credential.name.startswith(CREDENTIAL_PREFIX)]


async def _lines(player: str, services: Services) -> tuple[TokenItem, ...]:
    items = [_line(credential) for credential in await _token_credentials(player, services)]
    return tuple(sorted(items, key=lambda item: (item.made, item.token)))


def _line(stored: Credential) -> TokenItem:
    token = from_credential(stored)
    return TokenItem(token_id(stored), token.label, token.scopes, token.made)


HANDLERS: Final = (my_tokens, create_token, revoke_token)
