"""Without a network: practice and analysis go on, and no old page stands before a newer server. Issue 14, part 7."""

from __future__ import annotations

import datetime as dt
import re
import shutil
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from tests.browser.conftest import PATIENCE
from tests.browser.cuttable_proxy import gate
from tests.browser.test_analyse import LAST_STREET, displayed_best
from tests.browser.test_daily import DAY
from tests.browser.test_lan import at_home
from tests.browser.test_lessons import walk_all
from tests.browser.test_practice import FIRST_DAY, position, solve
from tests.browser.test_scorer import score_four
from tests.browser.test_solo import first_cards, play_deal, play_to, review_deal
from triptych.rulesets.load import resolve
from triptych.solve.closed.settings import closed_position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Check
    from tests.browser.servers import Server

KEPT = """async () => {
  await navigator.serviceWorker.ready;
  const lists = { '/kept/api/presets': 1, '/puzzles/': 1 };
  const wanted = { ...lists, '/weights/': 2, '/fields/': 1, '/kept/api/analysis': 5, '/kept/api/score': 2 };
  for (;;) {
    const paths = (await (await caches.open('triptych-answers')).keys()).map(({ url }) => new URL(url).pathname);
    const kept = (one) => paths.filter((path) => path.startsWith(one)).length;
    if (Object.entries(wanted).every(([one, count]) => kept(one) >= count)) return;
    await new Promise((later) => setTimeout(later, 50));
  }
}"""
GAMES = ("pineapple", "turbo")
OLD = "async () => (await caches.open('triptych-answers')).put('/weights/old', new Response('old'))"
GONE = """async () => {
  const all = await caches.open('triptych-answers');
  while ((await all.match('/weights/old')) !== undefined) await new Promise((later) => setTimeout(later, 50));
  return (await all.keys()).filter(({ url }) => url.includes('/weights/')).length;
}"""
BEGUN = """async () => {
  await navigator.serviceWorker.ready;
  while (navigator.serviceWorker.controller === null) await new Promise((later) => setTimeout(later, 20));
}"""
STATIC = Path(str(resources.files("triptych") / "static"))


class Visit(NamedTuple):
    """A first visit after which the server is gone: what it asked for, and where two games' learned tables lie."""

    context: BrowserContext
    asked: list[str]
    pineapple: str
    turbo: str


@pytest.fixture(scope="module")
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """The lobby was opened once, nothing else; then the server is gone."""
    page_errors: list[str] = []
    paths: list[str] = []
    with gate(server.url) as way:
        context = browser.new_context(base_url=way.url, service_workers="allow", reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        context.on("weberror", lambda fault: page_errors.append(str(fault.error)))
        context.on("request", lambda request: paths.append(request.url.removeprefix(way.url)))
        page = context.new_page()
        page.goto("/")
        page.evaluate(KEPT)
        forms = [context.request.post("/api/analysis", data={"rules": {"preset": game}}) for game in GAMES]
        pineapple, turbo = (form.json()["weights"] for form in forms)
        way.shut()
        with pytest.raises(Error):
            context.request.get("/api/presets")
        yield Visit(context, paths, pineapple, turbo)
        context.close()
    assert page_errors == []


@pytest.fixture
def away(visit: Visit) -> BrowserContext:
    return visit.context


@pytest.mark.slow
def test_files_that_only_the_first_lessons_need_come_last(visit: Visit) -> None:
    """Turbo's learned table: behind all that most pages need."""
    needed = (visit.pineapple, "/puzzles/", "/fields/")
    first = [next(at for at, asked_path in enumerate(visit.asked) if asked_path.startswith(path)) for path in needed]
    assert max(first) < visit.asked.index(visit.turbo)


def test_practice_and_analysis_work_with_the_network_off(away: BrowserContext) -> None:
    page = away.new_page()
    page.goto("/")
    expect(page.get_by_text("games against the computer still work.")).to_be_visible()
    page.get_by_test_id("to-practice").click()
    page.clock.set_fixed_time(FIRST_DAY)
    solve(page, right=True)
    missed = solve(page, right=False)
    expect(position(page)).to_be_visible()
    # A day later, still without a network: what was missed comes first.
    page.clock.set_fixed_time(FIRST_DAY + dt.timedelta(days=1, minutes=5))
    page.reload()
    expect(page.get_by_test_id("practice-mistakes")).to_contain_text("(1)")
    expect(position(page)).to_have_attribute("data-puzzle", missed)
    # Rules that nobody had opened before: as `triptych solve closed` ranks them against unknown cards.
    page.goto("/analyse/closed_1_6#*//_!AsAdKhKdQs9s8s7s6s4h4d3c2d~//")
    ranking = closed_position("*// +AsAdKhKdQs9s8s7s6s4h4d3c2d | //", resolve("closed_1_6"), top=1)
    expect(page.get_by_test_id("value-0")).to_have_text(f"{ranking.settings[0].value:+.2f}".replace("-", "−"))


@pytest.mark.slow
def test_a_match_on_this_device_goes_on_deal_after_deal_with_the_network_off(away: BrowserContext) -> None:
    """Against each of the levels that the issue names; a reload between two deals loses nothing."""
    page = away.new_page()
    page.goto("/")
    page.get_by_test_id("to-solo").click()
    for level in ("strong", "medium", "fast"):
        page.get_by_test_id(f"solo-level-0-{level}").check()
        page.get_by_test_id("solo-start").click()
        play_deal(page)
        if level != "fast":
            page.get_by_test_id("open-menu").click()
            page.get_by_test_id("solo-again").click()
    page.reload()
    page.get_by_test_id("next-deal").click()
    expect(page.get_by_test_id("result")).to_have_count(0)
    play_deal(page)
    review_deal(page)


@pytest.mark.slow
def test_all_lessons_with_the_network_off(away: BrowserContext, axe: Check) -> None:
    page = away.new_page()
    page.goto("/")
    walk_all(page, wrong=False)
    axe(page)


@pytest.mark.slow
def test_a_street_is_measured_with_the_server_gone(away: BrowserContext) -> None:
    page = away.new_page()
    page.goto(LAST_STREET)
    displayed_best(page)


@pytest.mark.slow
def test_a_duplicate_match_to_its_end_with_the_network_off(away: BrowserContext) -> None:
    page = away.new_page()
    page.emulate_media(reduced_motion="reduce")
    page.goto("/duplicate/turbo#seed=00000000000000a1&deals=2&level=fast")
    page.get_by_test_id("duplicate-play-0").click()
    first_cards(page)
    play_to(page, "duplicate-result")
    expect(page.locator("[data-whole=true]")).to_be_visible()  # what the bot makes of both seats
    page.reload()
    expect(page.get_by_test_id("duplicate-result")).to_be_visible()


@pytest.mark.slow
def test_a_first_visit_that_is_cut_off_says_so_and_the_next_one_takes_in_the_rest(
    browser: Browser, server: Server
) -> None:
    """First before the page could be kept at all, then before the learned tables have come."""
    context = browser.new_context(base_url=server.url, service_workers="allow")
    page_errors: list[str] = []
    context.on("weberror", lambda fault: page_errors.append(str(fault.error)))
    page = context.new_page()
    page.goto("/")
    context.set_offline(True)
    page.get_by_test_id("to-learn").click()
    expect(page.get_by_test_id("unreached")).to_be_visible()
    page.get_by_test_id("unreached-again").click()
    expect(page.get_by_test_id("notices")).to_contain_text("Can’t reach")
    context.set_offline(False)
    page.get_by_test_id("unreached-again").click()
    expect(page.get_by_test_id("lesson-1")).to_be_visible()
    page.evaluate(BEGUN)
    context.set_offline(True)
    page.goto("/practice")
    expect(page.get_by_role("alert")).to_contain_text("Can’t reach")
    context.set_offline(False)
    page.evaluate(OLD)
    page.reload()
    page.evaluate(KEPT)
    # What an older version had fetched is dropped when this one's has come; what this one names stays.
    assert page.evaluate(GONE) >= len(GAMES)
    context.close()
    assert page_errors == []


@pytest.mark.slow
def test_a_session_is_scored_with_the_network_off(away: BrowserContext) -> None:
    """Four players with a price and stakes of their own that nobody asked the server about.

    Worked by hand, Rules §4.
    """
    page = away.new_page()
    score_four(page)
    page.reload()  # the session is on the device
    expect(page.get_by_test_id("ledger-Ann")).to_contain_text("+36")


@pytest.mark.slow
def test_the_daily_deal_with_the_network_off(away: BrowserContext) -> None:
    page = away.new_page()
    page.clock.set_fixed_time(DAY)
    page.goto("/")
    page.get_by_test_id("to-daily").click()
    page.get_by_test_id("daily-play").click()
    first_cards(page)
    play_to(page, "daily-result")
    expect(page.get_by_test_id("daily-better")).to_have_attribute("data-whole", "true")
    expect(page.get_by_test_id("daily-mine-4")).to_be_visible()


@pytest.mark.slow
def test_on_a_home_network_without_encryption_nothing_is_missed(browser: Browser, server: Server) -> None:
    """Plain http under another name: browsers have no service workers there."""
    context = browser.new_context(base_url=at_home(server), service_workers="allow")
    page_errors: list[str] = []
    context.on("weberror", lambda fault: page_errors.append(str(fault.error)))
    page = context.new_page()
    page.goto("/practice")
    assert page.evaluate("'serviceWorker' in navigator") is False
    solve(page, right=True)
    assert page_errors == []
    context.close()


@pytest.mark.slow
def test_a_newer_server_shows_its_own_page_and_nothing_reloads_by_itself(browser: Browser, tmp_path: Path) -> None:
    """Two versions of the client behind one address, one after the other."""
    for version in ("one", "two"):
        shutil.copytree(STATIC, tmp_path / version)
        index = tmp_path / version / "index.html"
        index.write_text(index.read_text().replace("<title>", f'<meta name="version" content="{version}" /><title>'))
    worker = tmp_path / "two" / "sw.js"
    worker.write_text(re.sub(r'VERSION = "\w+"', 'VERSION = "two"', worker.read_text()))
    context = browser.new_context(service_workers="allow")
    page = context.new_page()
    with serve_static(tmp_path / "one") as (url, port):
        page.goto(url)
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        assert version_of(page) == "one"
    # Nobody answers: the page that is kept.
    page.goto(url)
    assert version_of(page) == "one"
    with serve_static(tmp_path / "two", port):
        table = context.new_page()
        table.goto(f"{url}/t/somewhere")
        assert version_of(table) == "two"
        page.goto(f"{url}/practice")
        assert version_of(page) == "two"
        expect(page.get_by_test_id("new-version")).to_be_visible()
        expect(table.get_by_test_id("new-version")).to_have_count(0)
        table.evaluate("window.mine = true")
        page.evaluate("window.mine = true")
        page.get_by_test_id("new-version-reload").click()
        page.wait_for_function("window.mine === undefined")
        assert table.evaluate("window.mine") is True
    page.goto(url)
    assert version_of(page) == "two"
    context.close()


def version_of(page: Page) -> str | None:
    return page.locator("meta[name=version]").get_attribute("content")


class Static(SimpleHTTPRequestHandler):
    """The client's files as they lie there, and the page for all other addresses; no room behind them."""

    def do_GET(self) -> None:
        if self.path.startswith("/api/"):
            self.send_error(404)
            return
        if not Path(self.translate_path(self.path)).is_file():
            self.path = "/index.html"
        super().do_GET()

    def end_headers(self) -> None:
        """As the server says of its page; the library would let the browser guess."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serve_static(folder: Path, port: int = 0) -> Iterator[tuple[str, int]]:
    """A server of the client in a folder, on a port that the next one can have again."""
    with ThreadingHTTPServer(("127.0.0.1", port), partial(Static, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", server.server_port
        finally:
            server.shutdown()
            thread.join()
