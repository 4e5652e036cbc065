"""At home: plain http under a name that is not localhost, and a network that dies silently (issue 11, part 1)."""

import re
import time
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, WebSocketRoute, expect

from tests.browser.browsers import LAN
from tests.browser.conftest import PATIENCE
from tests.browser.people import Person
from tests.browser.servers import Server

NOTICED = 10_000  # milliseconds: 5 s and what the browser of a busy machine takes to draw it


def at_home(server: Server) -> str:
    return f"http://{LAN}:{urlsplit(server.url).port}"


@pytest.mark.slow
def test_house_rules_are_stored_and_links_copied_under_a_lan_name(browser: Browser, server: Server) -> None:
    """Plain http on a home network: no crypto.randomUUID and no clipboard there, as for every friend."""
    context = browser.new_context(base_url=at_home(server))
    page_errors: list[str] = []
    context.on("weberror", lambda fault: page_errors.append(str(fault.error)))
    page = context.new_page()
    # The browser keeps who it is under that name too.
    page.goto("/")
    expect(page.get_by_test_id("my-name")).to_be_visible()
    assert context.cookies(at_home(server))
    ann = Person(page, "Ann", home=server.url)
    ann.open_custom_table("pineapple")
    context.set_default_timeout(PATIENCE)
    assert page.evaluate("[isSecureContext, location.hostname]") == [False, LAN]
    page.get_by_test_id("copy-link").first.click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    ann.press("table-qr")
    ann.sees("table-qr-code")
    ann.sit(0)
    page.goto("/rules/pineapple#clock.seconds=45")
    page.get_by_test_id("rules-title").fill("At home")
    page.get_by_test_id("save-rules").click()
    page.goto("/rules")
    expect(page.get_by_test_id("house-At home")).to_be_visible()
    assert page_errors == []
    context.close()


def test_a_silently_dead_network_is_noticed_within_five_seconds(browser: Browser, server: Server) -> None:
    """The connection hangs: nothing is closed, nothing comes. The person is told while their clock still runs."""
    context = browser.new_context(base_url=server.url)
    page = context.new_page()
    frozen: list[bool] = []
    # Between page and server: once frozen, neither side hears anything more, and neither is told.
    page.route_web_socket(re.compile("/ws$"), lambda line: _through(line, frozen))
    ann = Person(page, "Ann")
    ann.open_custom_table("pineapple")
    ann.sit(0)
    ann.add_bot(1, "random")
    ann.press("start")
    ann.sees("ready")
    frozen.append(True)
    lost = page.get_by_test_id("connection-lost")
    expect(lost).to_be_visible(timeout=NOTICED)
    expect(lost).to_contain_text("Your clock is still running")
    # What is laid meanwhile is told as soon as the connection is back.
    card = ann.drawn()[0]
    ann.lay({card: "back"})
    frozen.clear()
    expect(page.get_by_test_id("connection-back")).to_be_visible()
    ann.keeps({card: "back"})
    assert ann.row("back") == [card]
    context.close()


@pytest.mark.slow
def test_a_socket_that_is_never_greeted_is_given_up(browser: Browser, server: Server) -> None:
    """What lies between lost the first message, and passes on all that comes afterwards."""
    context = browser.new_context(base_url=server.url)
    page = context.new_page()
    lines: list[WebSocketRoute] = []
    page.route_web_socket(re.compile("/ws$"), lambda line: _without_greeting(line, lines))
    ann = Person(page, "Ann")
    ann.open_custom_table("pineapple")
    end = time.monotonic() + PATIENCE / 1000
    while len(lines) < 2:
        assert time.monotonic() < end, "no other socket was opened"
        page.wait_for_timeout(100)
    ann.sit(0)
    ann.sees("stack-0")
    expect(page.get_by_test_id("connection-lost")).to_have_count(0)
    context.close()


def _without_greeting(line: WebSocketRoute, lines: list[WebSocketRoute]) -> None:
    """Let everything through but the greeting of the first socket at a table."""
    server = line.connect_to_server()
    lines.append(line)
    first = len(lines) == 1
    line.on_message(server.send)
    server.on_message(lambda message: None if first and '"t":"hello"' in str(message) else line.send(message))


def _through(line: WebSocketRoute, frozen: list[bool]) -> None:
    server = line.connect_to_server()
    line.on_message(lambda message: None if frozen else server.send(message))
    server.on_message(lambda message: None if frozen else line.send(message))


@pytest.mark.slow
def test_an_unknown_address_shows_an_error(phone: BrowserContext) -> None:
    page = phone.new_page()
    for path in ("/cup/zzzzzzzz", "/no/such/page"):
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 404
        expect(page.get_by_test_id("lost")).to_be_visible()
    page.get_by_test_id("lost").get_by_role("link").click()
    expect(page.get_by_test_id("my-name")).to_be_visible()
    page.goto("/history/nowhere1/7#3")
    expect(page.get_by_role("alert")).to_contain_text("Table not found")
