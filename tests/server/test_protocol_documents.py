"""The protocol as documents (issue 15, part 5): fresh, whole, true to the server's types, and served as they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, get_args

import jsonschema_rs
import msgspec
import pytest

from scripts.generated import stale
from scripts.protocol_pages import asyncapi, openapi
from scripts.protocol_pages.__main__ import FOLDER, pages
from scripts.protocol_pages.examples import EXAMPLES, REQUESTS, TOURNAMENT_REQUESTS, plain
from tests.case_notes import case
from triptych.i18n.messages import plain_text
from triptych.server.app import ROUTES
from triptych.server.endpoint import endpoint_of
from triptych.server.wire.messages import ClientMessage, ServerMessage, TournamentUpdate, Update
from triptych.table.commands import PlayerRequest
from triptych.table.view_types import TableView
from triptych.tournament.commands import TournamentRequest
from triptych.tournament.view_types import TournamentView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.server.in_process import RunningServer


@pytest.fixture(scope="module")
def http() -> dict[str, Any]:
    return openapi.document()


@pytest.fixture(scope="module")
def socket() -> dict[str, Any]:
    return asyncapi.document()


def test_they_are_fresh() -> None:
    assert stale(FOLDER, pages()) == []


def test_an_example_is_read_by_its_type() -> None:
    """As it goes over the wire, by those who leave out what may be left out."""
    for example in EXAMPLES:
        with case(type(example).__name__):
            read = msgspec.json.decode(msgspec.json.encode(plain(example), enc_hook=plain_text), type=type(example))
            assert msgspec.json.decode(msgspec.json.encode(read, enc_hook=plain_text)) == msgspec.json.decode(
                msgspec.json.encode(example, enc_hook=plain_text)
            )
            if isinstance(example, Update):
                assert msgspec.json.decode(example.view, type=TableView).v == example.v
            if isinstance(example, TournamentUpdate):
                assert msgspec.json.decode(example.view, type=TournamentView).v == example.v


def test_every_request_and_message_has_an_example() -> None:
    assert {type(request) for request in REQUESTS} == set(get_args(PlayerRequest))
    assert {type(request) for request in TOURNAMENT_REQUESTS} == set(get_args(TournamentRequest))
    kinds = {type(example) for example in EXAMPLES}
    assert kinds >= {*get_args(ClientMessage), *get_args(ServerMessage)}
    for operation in openapi.operations():
        takes = operation.contract.request
        assert takes is None or kinds >= set(get_args(takes) or (takes,)), operation.name


def examples(
    http: dict[str, Any], socket: dict[str, Any]
) -> Iterator[tuple[str, dict[str, Any], Any, dict[str, Any]]]:
    for path, methods in http["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            for name, example in content.get("examples", {}).items():
                yield f"{method} {path} {name}", content["schema"], example["value"], http
    for message in socket["components"]["messages"].values():
        for example in message["examples"]:
            yield f"{message['name']} {example['name']}", message["payload"], example["payload"], socket


def test_an_example_is_what_its_schema_says(http: dict[str, Any], socket: dict[str, Any]) -> None:
    kinds = set()
    for name, schema, value, document in examples(http, socket):
        kinds.add(document["info"]["title"])
        with case(name):
            validator = jsonschema_rs.Draft202012Validator({**schema, "components": document["components"]})
            assert [error.message for error in validator.iter_errors(value)] == []
    assert len(kinds) == 2


@pytest.mark.parametrize("name", ["http", "socket"])
def test_every_reference_leads_somewhere(name: str, request: pytest.FixtureRequest) -> None:
    document = request.getfixturevalue(name)
    for ref in set(re.findall(r'"\$ref":"#/([^"]+)"', msgspec.json.encode(document).decode())):
        target: Any = document
        for part in ref.split("/"):
            target = target[part]
        assert target


def test_every_address_of_the_interface_is_documented() -> None:
    paths = {operation.path for operation in openapi.operations()}
    for handler in ROUTES:
        for path in handler.paths:
            if path.startswith("/api"):
                assert endpoint_of(handler.opt) is not None, path
                assert re.sub(r":\w+", "", path) in paths
    names = [operation.name for operation in openapi.operations()]
    assert len(set(names)) == len(names)


@pytest.mark.anyio
async def test_they_are_served(server: RunningServer) -> None:
    """Also under another name and without gzip; nothing in the page comes from elsewhere."""
    async with server.guest() as http:
        page = await http.get("/docs", headers={"Host": "nas.local"})
        assert page.status_code == 200
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.text == (FOLDER / "index.html").read_text("utf-8")
        assert not re.findall(r'(?:src|href)="(?!/|#)[^"]*"', page.text)
        assert "<script" not in page.text
        for name, kind in (("openapi.json", "application/json"), ("style.css", "text/css; charset=utf-8")):
            answer = await http.get(f"/docs/{name}", headers={"Accept-Encoding": "identity"})
            assert answer.headers["content-type"] == kind
            assert answer.text == (FOLDER / name).read_text("utf-8")
            again = await http.get(f"/docs/{name}", headers={"If-None-Match": answer.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
        assert (await http.get("/docs/asyncapi.json")).text == (FOLDER / "asyncapi.json").read_text("utf-8")
        missing = await http.get("/docs/secret.json")
        assert (missing.status_code, missing.json()["error"]["code"]) == (404, "request.unknown")


def test_each_type_that_is_linked_is_there() -> None:
    page = (FOLDER / "index.html").read_text("utf-8")
    ids = set(re.findall(r' id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= ids
