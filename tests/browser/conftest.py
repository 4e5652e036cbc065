"""Two people at a table: a desktop and a phone, each a browser context with its own guest; one server a worker."""

import os
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, ViewportSize, expect, sync_playwright

from tests.browser import browsers
from tests.browser.accessibility import violations
from tests.browser.people import Person
from tests.browser.servers import Server, serve

RESULTS = Path(__file__).parents[2] / "test-results"
DESKTOP = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)
PATIENCE = 180_000  # milliseconds, only for what hangs: a machine may be busy
SETTLED = ("--pause", "600", "--bot-delay", "0")
failed = pytest.StashKey[bool]()

Check = Callable[[Page], None]
expect.set_options(timeout=PATIENCE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[failed] = True
    return report


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The one server of this worker: each test opens its own tables there; `server.url` is its lobby.

    Nothing begins by itself: who left a table open gets no other deal. A server costs as much as two pages, so a test
    starts its own one only where it is about a server's life, what lies in its database or an empty lobby.
    """
    with serve(tmp_path_factory.mktemp("server"), *SETTLED) as running:
        yield running


@pytest.fixture(scope="session")
def _dealing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("dealing"), *SETTLED, stackable=True) as running:
        yield running


@pytest.fixture
def dealing(_dealing: Server) -> Server:
    """The other server of this worker, whose decks a test stacks; no deck of an earlier test waits there.

    A file that plays on it takes it for its `server`.
    """
    _dealing.stack()
    return _dealing


class _Running:
    """The browser, which stays open from one file of this folder to the next."""

    playwright: Playwright | None = None
    browser: Browser | None = None

    @classmethod
    def open(cls) -> Browser:
        if cls.browser is not None and cls.browser.is_connected():
            return cls.browser
        launch = browsers.find()
        cls.browser = cls.library().chromium.launch(
            executable_path=launch.executable,
            args=[*launch.arguments],
            env={**os.environ, **launch.environment},
        )
        # Nothing stands between page and server, and nobody fetches what is for later: test_offline.py asks for it.
        # Nothing slides either: to draw what moves costs more than all that a test does.
        cls.browser.new_context = partial(  # type: ignore[method-assign]
            cls.browser.new_context, service_workers="block", reduced_motion="reduce"
        )
        return cls.browser

    @classmethod
    def library(cls) -> Playwright:
        if cls.playwright is None:
            cls.playwright = sync_playwright().start()
        return cls.playwright

    @classmethod
    def close(cls) -> None:
        if cls.browser is not None:
            cls.browser.close()
        if cls.playwright is not None:
            cls.playwright.stop()
        cls.browser = cls.playwright = None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None]:
    """Not by session: while Playwright runs, no other test can run an event loop."""
    yield
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        _Running.close()


@pytest.fixture
def playwright() -> Playwright:
    """Playwright, for a browser of another kind."""
    return _Running.library()


@pytest.fixture
def alone() -> None:
    """Playwright does not run: the test starts it itself."""
    _Running.close()


@pytest.fixture(scope="module")
def browser() -> Browser:
    try:
        return _Running.open()
    except RuntimeError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture
def desktop(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """A person at a desktop (1280 x 800); `desktop.new_page().goto("/")` opens the lobby."""
    context = browser.new_context(base_url=server.url, viewport=DESKTOP, reduced_motion="reduce")
    yield from _person(request, context, server, "desktop")


@pytest.fixture
def phone(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """A person with a phone (390 x 844, touch)."""
    context = browser.new_context(
        base_url=server.url,
        viewport=PHONE,
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    yield from _person(request, context, server, "phone")


@pytest.fixture
def ann(desktop: BrowserContext) -> Person:
    """Ann at the desktop."""
    return Person(desktop.new_page(), "Ann")


@pytest.fixture
def bob(phone: BrowserContext) -> Person:
    """Bob with the phone."""
    return Person(phone.new_page(), "Bob", touch=True)


@pytest.fixture
def axe() -> Check:
    """A check that a page has no accessibility fault that axe calls serious or critical."""

    def check(page: Page) -> None:
        faults = [
            f"{fault['impact']}: {fault['help']}: {[node['html'] for node in fault['nodes']]}"
            for fault in violations(page)
            if fault["impact"] in ("serious", "critical")
        ]
        assert faults == []

    return check


def _person(
    request: pytest.FixtureRequest, context: BrowserContext, server: Server, name: str
) -> Iterator[BrowserContext]:
    """Lend a context; afterwards no page may have thrown, or asked anything of another host."""
    context.set_default_timeout(PATIENCE)
    page_errors: list[str] = []
    elsewhere: list[str] = []
    home = urlsplit(server.url).netloc
    context.on("weberror", lambda fault: page_errors.append(str(fault.error)))
    context.on(
        "request",
        lambda outgoing: elsewhere.append(outgoing.url) if urlsplit(outgoing.url).netloc not in (home, "") else None,
    )
    yield context
    if request.node.stash.get(failed, False):
        RESULTS.mkdir(exist_ok=True)
        for number, page in enumerate(context.pages):
            page.screenshot(path=RESULTS / f"{request.node.name}-{name}-{number}.png")
    context.close()
    assert page_errors == []
    assert elsewhere == []
