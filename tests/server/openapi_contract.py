"""Asks every operation of the HTTP interface as openapi.json tells it, and looks at what is answered."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import checks

from scripts.protocol_pages.openapi import document
from tests.memory_store.store import MemoryStore
from tests.server.in_process import PATIENCE, play, run_server, seat_two

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from schemathesis import Case

CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]
SCHEMA = schemathesis.openapi.from_dict(document())
OPERATIONS = {result.ok().label: result.ok() for result in SCHEMA.get_all_operations() if isinstance(result, Ok)}
# Whoever asks these is somebody else afterwards, or nobody.
LAST = {"DELETE /api/me", "POST /api/signout"}


class ContractServer(NamedTuple):
    """A server; `people`: headers by who asks; `known`: what is there, by the name of a path's parameter."""

    url: str
    people: dict[str, dict[str, str]]
    known: dict[str, str | int]


@contextlib.asynccontextmanager
async def opened() -> AsyncIterator[ContractServer]:
    async with run_server(MemoryStore()) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seat_two(ann, bob, {"preset": "pineapple", "clock.kind": "none"})
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(play(ann, table, 2), play(bob, table, 2))
        token = await ann.http.post("/api/me/tokens", json={"label": "bot", "scopes": ["play", "host"]})
        tournament = {"name": "Cup", "rules": "pineapple", "stack": 100, "levels": [10], "level_kind": "deals"}
        tournament |= {"level_length": 2, "most": 4}
        path_values: dict[str, str | int] = {"table": table, "deal": 1, "preset": "pineapple"}
        path_values["cup"] = (await ann.http.post("/api/cups", json=tournament)).json()["cup"]
        cookie = "; ".join(f"{key}={value}" for key, value in ann.http.cookies.items())
        bearer = {"Authorization": f"Bearer {token.json()['secret']}"}
        yield ContractServer(server.url, {"guest": {"Cookie": cookie}, "token": bearer, "nobody": {}}, path_values)


def verify_contract(server: ContractServer, label: str, examples: int) -> None:
    operation = OPERATIONS[label]
    parameters = {name: server.known[name] for name in server.known if f"{{{name}}}" in operation.path}
    right = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    there = operation.as_strategy(generation_mode=GenerationMode.POSITIVE, path_parameters=parameters or None)
    wrong = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    takes = list(operation.body) or list(operation.query)

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of(right, there, wrong) if takes else st.one_of(right, there), st.sampled_from(list(server.people)))
    def call_and_validate(case: Case[Any], who: str) -> None:
        headers: dict[str, Any] = {} if label in LAST else server.people[who]
        answer = case.call(base_url=server.url, headers=headers, timeout=PATIENCE)
        case.validate_response(answer, checks=CHECKS)

    call_and_validate()
