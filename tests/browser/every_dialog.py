"""Walks past what other tests only use: all that opens over a table, one's own pages, a tournament's pages.

At each place the walk calls `look` with its name; the page is as a person would see it then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Page, expect

from tests.browser.people import Person
from tests.browser.scripted_table import ScriptedTable
from tests.table.session import FOUL, LAND, Session
from triptych.table.commands import OfferStake

if TYPE_CHECKING:
    from triptych.i18n.languages import Language

Look = Callable[[str], None]
LONGEST = 300  # seconds, only for what hangs
_POST = """async ([path, body]) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return await answer.json();
}"""
_TOURNAMENT = {
    "name": "A session cup",
    "rules": {"preset": "closed_basic", "clock.kind": "none"},
    "stack": 20,
    "levels": [1, 5, 20, 100],
    "level_kind": "deals",
    "level_length": 1,
    "pause": 0,
}


def over_a_staged_table(page: Page, look: Look, language: Language) -> None:
    """See a player enlarged who offers a stake, and the question before a foul."""
    session = Session({"preset": "pineapple", "clock.kind": "none"}, people=3)
    stage = ScriptedTable(page, session, language=language)
    stage.open()
    session.ask("bob", OfferStake(0, 10_000))
    session.begin()
    while not session.see("ann").yours:
        session.act()
    stage.tell()
    _open(page, "open-seat-1")
    expect(page.get_by_test_id("accept-stake")).to_be_visible()
    look("seat")
    page.unroute_all()
    session = Session({"preset": "closed_basic", "clock.kind": "none"}, people=2, boards=[{0: FOUL, 1: LAND}])
    stage = ScriptedTable(page, session, language=language)
    stage.open()
    session.begin()
    stage.tell()
    ann = Person(page, "Ann")
    rows = zip(("front", "middle", "back"), FOUL.split("/"), strict=True)
    ann.place({cards[at : at + 2]: row for row, cards in rows for at in range(0, len(cards), 2)})
    ann.sees("foul-anyway")
    look("foul")


def over_a_table(page: Page, look: Look) -> None:
    """See what opens over a table before, in and after a deal; then its end, its session and one's results."""
    ann = Person(page, "Ann")
    unit = {"stake.point": 0.5, "stake.unit": "EUR", "clock.kind": "none"}
    link = ann.open_custom_table("closed_basic", **{key.replace(".", "__"): value for key, value in unit.items()})
    _open(page, "sit-0")
    expect(page.get_by_test_id("sit-name")).to_have_value("Ann")
    look("sit")
    ann.press("confirm-sit")
    _open(page, "add-bot-1")
    ann.sees("level-random")
    look("bot")
    ann.press("level-random")
    ann.press("confirm-bot")
    _open(page, "open-menu")
    look("invite and host")
    ann.press("another-device")
    ann.sees("device-link")
    look("device")
    _shut(page)
    ann.press("start")
    ann.expect_turn()
    cards = ann.drawn()
    ann.lay(dict(zip(cards, ["back"] * 5 + ["middle"] * 5 + ["front"] * 3, strict=True)))
    ann.ready()
    anyway = page.get_by_test_id("foul-anyway")
    expect(anyway.or_(page.get_by_test_id("result")).first).to_be_visible()
    if anyway.count():
        anyway.click()
    ann.sees("result")
    _open(page, "open-menu")
    ann.press("open-history-here")
    ann.sees("drawer-history")
    ann.sees("accounts")
    look("history")
    _shut(page)
    _open(page, "open-menu")
    for _ in range(2):
        ann.press("close-table")
    ann.sees("ending")
    look("ending")
    page.goto(f"/me/{link.rpartition('/')[2]}")
    ann.sees("deal-1")
    look("session")
    page.goto("/me")
    ann.sees("plot-line")
    ann.sees("who")
    for closed in page.locator("details").all():
        closed.locator("summary").click()
    look("me")
    ann.press("another-device")
    ann.sees("device-link")
    look("device of mine")


def newcomers(page: Page, look: Look) -> None:
    """See the guide, the chart and the rules in words over a first table."""
    ann = Person(page, "Ann")
    ann.come("/")
    ann.press("play-now")
    ann.sees("guide-lay")
    look("guide")
    _open(page, "open-menu")
    ann.press("open-rules-here")
    ann.sees("chart")
    look("chart")
    ann.press("show-words")
    ann.sees("rules-words")
    look("rules")


def apart(page: Page, look: Look) -> None:
    """See a password's door, rules to be shared, and a link to another device that is none."""
    ann = Person(page, "Ann")
    ann.come("/")
    table = _posted(page, "/api/tables", {"name": "Ann’s table", "rules": "pineapple", "password": "three rows"})
    page.context.clear_cookies()
    page.goto(table["link"])
    ann.sees("door")
    look("door")
    page.get_by_test_id("door-password").fill("four rows")
    ann.press("door-enter")
    expect(page.get_by_test_id("door-password")).to_have_attribute("aria-invalid", "true")
    look("door, shut")
    page.goto("/rules/pineapple")
    ann.sees("rules-title")
    _open(page, "share-rules")
    look("share")
    page.goto("/device#nothing")
    ann.sees("device-problem")
    look("device-problem")


def tournaments(page: Page, look: Look) -> None:
    """See a tournament announced, open, played and won, its table, and a league."""
    ann = Person(page, "Ann")
    ann.come("/")
    _open(page, "announce-cup")
    page.get_by_test_id("new-cup").locator("summary").click()
    page.get_by_test_id("cup-prize-kind").select_option("shares")
    page.get_by_test_id("cup-prizes").fill("50 30")
    page.get_by_test_id("cup-fee").scroll_into_view_if_needed()
    look("cup-new")
    tournament = _posted(
        page, "/api/cups", _TOURNAMENT | {"most": 4, "fee": 3, "prize_kind": "shares", "prizes": [70, 30]}
    )
    page.goto(tournament["link"])
    ann.press("cup-register")
    ann.sees("cup-withdraw")
    look("cup-open")
    ann.press("cup-add-bots")
    page.wait_for_url("**/t/*")
    page.goto(tournament["link"])
    ann.sees("cup-my-table")
    page.get_by_test_id("cup-remove").first.click()  # asks first
    look("cup-running")
    ann.press("cup-pause")
    ann.sees("cup-paused")
    look("cup-paused")
    ann.press("cup-go-on")
    expect(page.get_by_test_id("cup-paused")).to_have_count(0)
    ann.press("cup-my-table")
    ann.sees("to-cup")
    ann.expect_turn()
    look("cup-table")
    for name, more in (("won", {"most": 3}), ("league", {"most": 4, "seats": 2, "rounds": 3, "levels": [1]})):
        stack = 10_000 if "rounds" in more else 20
        tournament = _posted(page, "/api/cups", _TOURNAMENT | {"stack": stack} | more)
        page.goto(tournament["link"])
        ann.press("cup-add-bots")
        expect(page.get_by_test_id("cup")).to_have_attribute("data-phase", "over", timeout=LONGEST * 1000)
        look(f"cup-{name}")
    page.goto("/")
    ann.sees(f"open-cup-{tournament['cup']}")
    look("lobby with tournaments")


def _posted(page: Page, path: str, body: dict[str, object]) -> dict[str, Any]:
    reply: dict[str, Any] = page.evaluate(_POST, [path, body])
    assert "link" in reply, reply
    return reply


def _open(page: Page, testid: str) -> None:
    page.get_by_test_id(testid).first.click()
    expect(page.locator("dialog[open]")).to_be_visible()


def _shut(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
