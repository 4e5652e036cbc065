"""Tokens for programs: made, listed and taken back by their guest, never by a token."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Response, delete, get, post
from litestar.params import FromPath

from triptych.server.edge.api_tokens import KEPT, KeptToken, credential, kept_token, new_token, token_id
from triptych.server.edge.rate_limits import NAMES
from triptych.server.endpoint import contract
from triptych.server.schemas.identity import NewToken, TokenLine, WantedToken
from triptych.server.services import (
    AnyRequest,
    Desk,
    Services,
    address_of,
    answer,
    read_body,
    verify_guest,
    verify_same_site,
)
from triptych.server.wire.decoding import verify_name
from triptych.server.wire.errors import Refusal
from triptych.store.credentials import Credential

MOST: Final = 10
LONGEST_LABEL: Final = 40
_WANTED: Final = msgspec.json.Decoder(WantedToken)


@get("/api/me/tokens", opt=contract(tuple[TokenLine, ...], scope=None))
async def my_tokens(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Return the guest's tokens, the oldest first; what they are is told only when they are made."""
    return answer(await _lines(verify_guest(request, services), services))


@post("/api/me/tokens", opt=contract(NewToken, WantedToken, scope=None, status=201, refused=(409,)))
async def make_token(request: AnyRequest, services: Desk) -> Response[bytes]:
    """Make a token, which is told this once: with it a program is this guest, as far as the scopes allow."""
    wanted = await read_body(request, _WANTED)
    player = verify_guest(request, services)
    label = verify_name(wanted.label, "$.label", LONGEST_LABEL)
    for spender in (player, address_of(request)):  # each is written to the disk
        services.addresses.spend(NAMES, spender)
    async with services.turns.of(player):
        if len(await _kept(player, services)) >= MOST:
            raise Refusal("token.too_many", f"{MOST} tokens are kept for a guest; take one back first", status=409)
        token = new_token()
        stored = credential(token, player, KeptToken(label, tuple(sorted(set(wanted.scopes))), services.now()))
        await services.store.people.keep(stored)
    return answer(NewToken(token, _line(stored)), 201)


@delete("/api/me/tokens/{token:str}", status_code=200, opt=contract(tuple[TokenLine, ...], scope=None))
async def take_back(request: AnyRequest, services: Desk, token: FromPath[str]) -> Response[bytes]:
    """Take a token back, by its id; what is connected with it ends, at every server."""
    verify_same_site(request)
    player = verify_guest(request, services)
    found = next((one for one in await _kept(player, services) if token_id(one) == token), None)
    if found is None:
        raise Refusal("token.unknown", "you have no token of this id", "$.token", status=404)
    await services.store.people.drop(found)
    services.connections.taken_back(player, token)
    if services.company is not None:
        services.company.taken_back(player, token)
    return answer(await _lines(player, services))


async def take_back_all(player: str, services: Services) -> None:
    """Take all of a guest's tokens back."""
    for one in await _kept(player, services):
        await services.store.people.drop(one)
        services.connections.taken_back(player, token_id(one))
        if services.company is not None:
            services.company.taken_back(player, token_id(one))


async def _kept(player: str, services: Services) -> list[Credential]:
    return [one for one in await services.store.people.credentials(player) if one.name.startswith(KEPT)]


async def _lines(player: str, services: Services) -> tuple[TokenLine, ...]:
    lines = [_line(one) for one in await _kept(player, services)]
    return tuple(sorted(lines, key=lambda line: (line.made, line.token)))


def _line(stored: Credential) -> TokenLine:
    kept = kept_token(stored)
    return TokenLine(token_id(stored), kept.label, kept.scopes, kept.made)


HANDLERS: Final = (my_tokens, make_token, take_back)
