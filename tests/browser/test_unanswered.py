"""A command that nobody answered is repeated, also by the page that a reload brings (issue 10, part 3, 3)."""

import signal
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser.people import Person
from tests.browser.servers import Server, serve

KEPT = "() => Object.keys(sessionStorage).some((key) => key.startsWith('triptych.unanswered.'))"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of its own: it is killed here."""
    with serve(tmp_path) as running:
        yield running


def wait_until_unanswered(page: Page, *, kept: bool) -> None:
    """Wait until the page keeps a command without an answer, or none any more."""
    while page.evaluate(KEPT) is not kept:  # pytest's own time-out ends it
        page.wait_for_timeout(50)


def test_a_command_outlives_its_page_and_the_server(ann: Person, server: Server) -> None:
    """The server stands still when Ann sits down, and is killed; her page goes, and the next one finds another one.

    The page goes before that server comes: else now and then its own repetition is the one that is answered.
    """
    link = ann.found_table("pineapple")
    ann.press("sit-0")
    ann.sees("confirm-sit")
    server.process.send_signal(signal.SIGSTOP)
    ann.press("confirm-sit")
    wait_until_unanswered(ann.page, kept=True)
    server.process.kill()
    server.process.wait()
    ann.page.goto("about:blank")
    with serve(server.log.parent, port=urlsplit(server.url).port or 0):
        ann.page.goto(link)
        wait_until_unanswered(ann.page, kept=False)
        table = ann.page.evaluate("(path) => fetch(path).then((answer) => answer.json())", f"/api/tables/{link[3:]}")
        assert (table["you"], table["seats"][0]["name"]) == (0, "Ann")
