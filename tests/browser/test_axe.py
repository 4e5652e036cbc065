"""axe finds nothing on any page, dialog and drawer, in any look (issue 11, shown by 4)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.accessibility import violations
from tests.browser.conftest import DESKTOP, PATIENCE, PHONE
from tests.browser.people import Person
from tests.browser.scenes import my_turn, show
from tests.browser.scripted_table import ScriptedTable
from tests.browser.servers import Server
from tests.table.session import LAND, LOW, PLAIN, Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from triptych.table.view_types import TableView

LOOKS = {
    "dark": {"theme": "dark", "fourColours": True},
    "light": {"theme": "light", "fourColours": True},
    "two colours, letters": {"theme": "light", "fourColours": False, "letters": True},
}
LOOKED_AT = [
    pytest.param(("dark", "desktop"), marks=pytest.mark.slow),
    ("light", "phone"),
    pytest.param(("two colours, letters", "phone"), marks=pytest.mark.slow),
    pytest.param(("light", "desktop"), marks=pytest.mark.slow),
]
DEVICES: dict[str, ViewportSize] = {"desktop": DESKTOP, "phone": PHONE}


@pytest.fixture(params=LOOKED_AT, ids="-".join)
def page(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[Page]:
    look, device = request.param
    context = browser.new_context(base_url=server.url, viewport=DEVICES[device], reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(f"localStorage.setItem('triptych.prefs', {json.dumps(json.dumps(LOOKS[look]))})")
    yield context.new_page()
    context.close()


class AxeFindings:
    """What axe has found so far, by where."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []

    def at(self, where: str) -> None:
        """Look at the page as it is; what is wrong only while it takes on its look is none."""
        if self._faults(where):
            self.page.wait_for_timeout(500)
            self.faults += self._faults(where)

    def _faults(self, where: str) -> list[str]:
        return [
            f"{where}: {fault['id']}: {node['html'][:160]}: {node['failureSummary'][:200]}"
            for fault in violations(self.page)
            for node in fault["nodes"]
        ]

    def check_dialog(self, where: str, testid: str) -> None:
        """Open something over the page, look at it, and close it; what is not there on this device is passed over."""
        opener = self.page.get_by_test_id(testid).first
        if not opener.is_visible():
            return
        opener.click()
        expect(self.page.locator("dialog[open]")).to_be_visible()
        self.at(where)
        self.page.keyboard.press("Escape")
        expect(self.page.locator("dialog[open]")).to_have_count(0)


def test_the_table_and_its_dialogs(page: Page) -> None:
    looked = AxeFindings(page)
    session = Session({"preset": "pineapple", "clock.kind": "none"}, people=3, boards=[{0: LAND, 1: PLAIN, 2: LOW}])
    stage = ScriptedTable(page, session)
    stage.open()
    looked.at("waiting")
    session.begin()
    while not session.see("ann").yours:
        session.act()
    stage.tell()
    page.get_by_test_id("ready").wait_for()
    looked.at("street")
    page.keyboard.press("?")
    looked.at("keys")
    page.keyboard.press("Escape")
    page.keyboard.down("Shift")
    looked.at("numbers")
    page.keyboard.up("Shift")
    for name in ("menu", "score", "talk", "rules", "history"):
        looked.check_dialog(name, f"open-{name}")
    stage.play()
    page.get_by_test_id("result").wait_for()
    page.get_by_test_id("splendour").wait_for()
    looked.at("splendour")
    expect(page.get_by_test_id("splendour")).to_have_count(0)
    looked.at("showdown")
    looked.check_dialog("score sheet", "open-sheet")
    assert looked.faults == []


@pytest.mark.slow
def test_fantasyland_and_a_closed_game(page: Page) -> None:
    looked = AxeFindings(page)
    looks_at_turns(looked, fantasyland=my_turn("pineapple", 3, fantasyland=17), closed=my_turn("closed_1_6", 4))


@pytest.mark.slow
def test_two_boards_and_first_cards(page: Page) -> None:
    looked = AxeFindings(page)
    looks_at_turns(looked, criss_cross=my_turn("criss_cross", 2), first_cards=my_turn("ofc_american", 4))


def looks_at_turns(looked: AxeFindings, **views: TableView) -> None:
    for where, view in views.items():
        looked.page.unroute_all()
        show(looked.page, view)
        looked.page.get_by_test_id("ready").wait_for()
        looked.at(where)
    assert looked.faults == []


@pytest.mark.slow
def test_a_custom_table_is_accessible(page: Page) -> None:
    looked = AxeFindings(page)
    ann = Person(page, "Ann")
    ann.open_custom_table("closed_basic", clock__kind="none")
    looked.check_dialog("sit", "sit-0")
    ann.sit(0)
    looked.check_dialog("bot", "add-bot-1")
    looked.check_dialog("host’s menu", "open-menu")
    ann.add_bot(1, "random")
    ann.press("start")
    ann.expect_turn()
    cards = ann.drawn()
    # The worst back that there is, so that Ready asks.
    rows = ["front"] * 3 + ["middle"] * 5 + ["back"] * 5
    ann.lay(dict(zip(cards, rows, strict=True)))
    looked.at("set")
    ann.ready()
    foul = page.get_by_test_id("foul-anyway")
    result = page.get_by_test_id("result")
    expect(foul.or_(result).first).to_be_visible()
    if foul.is_visible():
        looked.at("foul")
        foul.click()
    result.wait_for()
    for name in ("score", "history", "talk"):
        looked.check_dialog(f"{name} after a deal", f"open-{name}")
    address = page.url.rsplit("/", 1)[1]
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id("close-table").click()
    page.get_by_test_id("close-table").click()
    page.get_by_test_id("ending").wait_for()
    looked.at("ending")
    page.goto(f"/history/{address}/1")
    page.get_by_test_id("moment").wait_for()
    looked.at("replay")
    page.goto("/")
    page.get_by_role("link", name="View results").first.wait_for()
    looked.at("lobby with a table")
    assert looked.faults == []


PAGES: dict[str, Callable[[Page], None]] = {
    "/": lambda page: page.get_by_test_id("create-table").wait_for(),
    "/rules": lambda page: page.get_by_role("heading", level=1).wait_for(),
    "/rules/pineapple": lambda page: page.get_by_test_id("rules-title").wait_for(),
    "/analyse": lambda page: page.get_by_test_id("deck").wait_for(),
    "/score": lambda page: page.get_by_test_id("hand-0").wait_for(),
    "/history": lambda page: page.get_by_test_id("history-text").wait_for(),
    "/no/such/page": lambda page: page.get_by_test_id("lost").wait_for(),
    "/t/nowhere": lambda page: page.get_by_role("status").get_by_role("heading").wait_for(),
}
MAIN = ("/", "/rules/pineapple", "/analyse", "/score", "/history")


def looks_at_pages(looked: AxeFindings, paths: Iterable[str]) -> None:
    for path in paths:
        looked.page.goto(path)
        PAGES[path](looked.page)
        looked.at(path)
    assert looked.faults == []


def test_the_main_pages(page: Page) -> None:
    looks_at_pages(AxeFindings(page), MAIN)


@pytest.mark.slow
def test_every_other_page(page: Page) -> None:
    looked = AxeFindings(page)
    looks_at_pages(looked, [path for path in PAGES if path not in MAIN])
    page.goto("/")
    page.get_by_text("More options").click()
    looked.at("more choices")
    looked.check_dialog("settings", "open-settings")
    assert looked.faults == []
