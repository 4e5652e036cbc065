"""A table in three taps: create with bots, join by link, join with a password (issue 32, part 7)."""

from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.people import Person

TAPS = "window.taps = 0; addEventListener('click', (event) => { if (event.isTrusted) window.taps += 1; }, true);"
MOST = 3


def taps(page: Page) -> int:
    count: int = page.evaluate("window.taps")
    return count


def count_taps(context: BrowserContext, name: str, *, touch: bool) -> Person:
    """Return a person whose taps are counted from each page that they open."""
    page = context.new_page()
    page.add_init_script(TAPS)
    return Person(page, name, touch=touch)


def test_a_table_of_four_with_bots_is_dealt_after_three_taps(phone: BrowserContext) -> None:
    ann = count_taps(phone, "Ann", touch=True)
    ann.come("/")
    ann.page.get_by_test_id("preset").select_option("ofc_american")
    ann.press("create-bots")
    ann.look("create")
    ann.press("create-table")
    expect(ann.page.get_by_test_id("tray")).to_be_visible()
    assert taps(ann.page) <= MOST
    seats = ann.ask("GET", f"/api/tables/{ann.page.url.rpartition('/')[2]}", None)["seats"]
    assert [seat["bot"] for seat in seats] == [False, True, True, True]


def test_a_friend_sits_down_with_one_tap_and_both_play(phone: BrowserContext, desktop: BrowserContext) -> None:
    ann, bob = Person(phone.new_page(), "Ann", touch=True), count_taps(desktop, "Bob", touch=False)
    ann.come("/")
    page = ann.page
    page.get_by_test_id("preset").select_option("pineapple")
    page.get_by_test_id("create-password").check()
    page.get_by_test_id("table-password").fill("secret")
    page.get_by_test_id("create-point").fill("0.25")
    page.get_by_test_id("create-unit").fill("EUR")
    page.get_by_text("More options").click()
    page.get_by_test_id("create-seats").select_option("2")
    ann.press("create-table")
    ann.says("local-link", "the network address that the server printed")
    ann.look("lounge")
    bob.come(page.url)
    bob.page.get_by_test_id("door-password").fill("secret")
    bob.press("door-enter")
    bob.says("join", "200 points (50 EUR)")
    bob.look("join")
    bob.press("join")
    for person in (ann, bob):
        expect(person.page.get_by_test_id("stage")).to_have_attribute("data-phase", "playing")
    assert taps(bob.page) == 2  # one for the password, one for the seat; none for Ready
    lobby: Any = bob.ask("GET", "/api/tables", None)
    table_id = page.url.rpartition("/")[2]
    # Seen by who plays there; other tests' tables are in the lobby too.
    assert [table["private"] for table in lobby if table["table"] == table_id] == [True]


def test_the_host_renames_and_lists_the_table_later(phone: BrowserContext) -> None:
    ann = Person(phone.new_page(), "Ann", touch=True)
    ann.come("/")
    ann.press("create-table")
    ann.press("open-menu")
    ann.page.get_by_test_id("new-name").fill("Friday")
    ann.press("set-name")
    ann.wait_until_closed()
    expect(ann.page.get_by_role("heading", name="Friday")).to_be_visible()
    ann.press("open-menu")
    ann.press("listed")
    table = ann.page.url.rpartition("/")[2]
    for _ in range(200):
        if not ann.ask("GET", f"/api/tables/{table}", None)["private"]:
            break
        ann.page.wait_for_timeout(20)
    assert not ann.ask("GET", f"/api/tables/{table}", None)["private"]


def test_a_rematch_takes_one_tap_each(phone: BrowserContext, desktop: BrowserContext) -> None:
    """Who played sits down again; the first card comes when all are back, though a seat stays free."""
    ann, bob = count_taps(phone, "Ann", touch=True), count_taps(desktop, "Bob", touch=False)
    for person in (ann, bob):
        person.come("/")
    rules = {"preset": "closed_basic", "seats.max": 3, "match.kind": "deals:1", "clock.kind": "none"}
    body = {"name": "Friday", "rules": rules, "arranging": True, "sit": True}
    link = str(ann.ask("POST", "/api/tables", body)["link"])
    for person in (ann, bob):
        person.page.goto(link)
    bob.press("join")
    ann.press("host-start")
    ann.press("open-menu")
    for _ in range(2):  # asked whether one is sure
        ann.press("close-table")
    for person in (ann, bob):
        person.press("arrange-me")
        person.ready()
    for person in (ann, bob):
        person.sees("ending")
        person.page.evaluate("window.taps = 0")
        person.press("rematch")
        expect(person.page).not_to_have_url(link)
    for person in (ann, bob):
        person.expect_turn()
        assert taps(person.page) == 1
