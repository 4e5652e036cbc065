"""A page of one server shows a table that another one owns; that one dies, and play goes on (issue 12, part 2).

At phone size, over a real PostgreSQL and a real NATS.
"""

from __future__ import annotations

import re
import socket
import time
import urllib.request
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.people import Person
from tests.browser.servers import ENDS, Server, serve
from tests.nats import PROGRAM
from tests.processes import started
from tests.server.server_process import free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PATIENCE = 60.0


class ServerPair(NamedTuple):
    """Two servers of one cluster: the one that a page comes from, and another one."""

    here: Server
    there: Server


@pytest.fixture
def pair(postgres: Callable[[str], str], tmp_path: Path) -> Iterator[ServerPair]:
    database, bus = postgres(f"t{uuid4().hex}"), free_port()
    with (tmp_path / "nats.log").open("ab") as log:
        nats = started([PROGRAM, "--addr", "127.0.0.1", "--port", str(bus)], log)
    try:
        listens(bus)
        options = ("--bus", f"nats://127.0.0.1:{bus}", "--pause", "0", "--bot-delay", "0")
        with ExitStack() as stack:
            servers = []
            for name in ("here", "there"):
                (tmp_path / name).mkdir()
                servers.append(stack.enter_context(serve(tmp_path / name, *options, database=database)))
            yield ServerPair(*servers)
    finally:
        nats.kill()
        nats.wait()


@pytest.fixture
def server(pair: ServerPair) -> Server:
    """The server that the pages of the browser come from."""
    return pair.here


def listens(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise TimeoutError


def in_memory(server: Server) -> int:
    """Return how many tables a server has in its own memory: those that it owns and that are in use."""
    with urllib.request.urlopen(server.url + "/metrics") as answer:  # noqa: S310 - our own server
        match = re.search(r"^triptych_tables_in_memory ([\d.]+)$", answer.read().decode(), re.MULTILINE)
    assert match is not None
    return int(float(match[1]))


def opened_at(server: Server, context: BrowserContext) -> str:
    """Open a table at a server as the guest of a browser; return its path."""
    cookies = {each["name"]: each["value"] for each in context.cookies()}
    rules = {"preset": "pineapple", "clock.kind": "none"}
    body = {"name": "Ann’s table", "rules": rules, "start": "full"}
    answer = httpx.post(f"{server.url}/api/tables", json=body, cookies=cookies, timeout=60)
    assert answer.status_code == 201, answer.text
    return f"/t/{answer.json()['table']}"


def drawn(ann: Person, number: int) -> list[str]:
    """Wait for so many cards, and return them."""
    expect(ann.page.get_by_test_id("draws").locator("[data-testid^='card-']")).to_have_count(number)
    return ann.drawn()


def on_board(ann: Person) -> set[str]:
    return {card for row in ("front", "middle", "back") for card in ann.row(row)}


@pytest.mark.slow
def test_play_goes_on_where_the_tables_server_died(phone: BrowserContext, pair: ServerPair) -> None:
    ann = Person(phone.new_page(), "Ann", touch=True)
    ann.come()
    ann.page.goto(opened_at(pair.there, phone))
    ann.sit(0)
    ann.add_bot(1, "random")
    laid = drawn(ann, 5)
    ann.place(dict(zip(laid, ("back", "back", "back", "middle", "middle"), strict=True)))
    second = drawn(ann, 3)
    assert set(laid) <= on_board(ann)
    assert (in_memory(pair.here), in_memory(pair.there)) == (0, 1)

    ann.lay({second[0]: "middle"})  # not confirmed: it is hers to go on with
    pair.there.process.kill()
    pair.there.process.wait(ENDS)
    while not in_memory(pair.here):
        ann.page.wait_for_timeout(50)

    # The same cards; what was confirmed lies, so does what was not yet, and play goes on at the other server.
    assert drawn(ann, 2) == second[1:]
    assert {*laid, second[0]} <= on_board(ann)
    ann.lay({second[1]: "front"})
    ann.ready()
    third = drawn(ann, 3)
    assert {*laid, *second[:2]} <= on_board(ann)
    # Who opens the page again comes to the same deal.
    ann.page.reload()
    assert drawn(ann, 3) == third
    assert {*laid, *second[:2]} <= on_board(ann)
