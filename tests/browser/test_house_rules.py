"""House rules: made in the editor, kept, sent as a link and a file, and played. Issue 3, part 5.

What an option does when it is changed: client/src/features/rules/parts/options.test.ts.
"""

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Check
from tests.browser.people import Person
from tests.browser.servers import Server


@pytest.fixture
def server(dealing: Server) -> Server:
    return dealing


def edit(page: Page) -> None:
    """Two-four scoring with a cheaper surrender, for two, under a name of its own."""
    page.goto("/rules")
    page.get_by_test_id("start-closed_1_6").click()
    page.get_by_test_id("toc-scoring").click()
    page.get_by_test_id("set-scoring.rows-two_four").check()
    page.get_by_test_id("toc-royalties").click()
    page.get_by_test_id("set-royalties.table.back.quads").fill("6")
    page.get_by_test_id("toc-seats").click()
    page.get_by_test_id("set-seats.max").fill("2")
    page.get_by_test_id("toc-surrender").click()
    page.get_by_test_id("set-surrender.points").fill("2")
    page.get_by_test_id("rules-title").fill("Sunday at Ann's")


@pytest.mark.slow
def test_the_words_follow_every_change_and_each_can_go_back(desktop: BrowserContext, axe: Check) -> None:
    page = desktop.new_page()
    edit(page)
    changes = page.get_by_test_id("changes")
    expect(changes.get_by_test_id("change-scoring.rows")).to_contain_text("winning two or three rows")
    words = page.get_by_test_id("words")
    expect(words).to_contain_text("winning two or three rows brings 1 more")
    # Rules §4: the seeds want a surrender between a 2-1 loss (2 under 2-4) and a scoop.
    expect(page.get_by_test_id("option-surrender.points").get_by_test_id("problem")).to_contain_text("2-1 loss (2)")
    axe(page)
    page.get_by_test_id("back-surrender.points").click()
    expect(changes.get_by_test_id("change-surrender.points")).to_have_count(0)
    expect(page.get_by_test_id("set-surrender.points")).to_have_value("3")
    page.get_by_test_id("start-over").click()
    expect(changes).to_contain_text("No changes")
    expect(page.get_by_test_id("set-scoring.rows-per_row_scoop3")).to_be_checked()


def test_house_rules_are_stored_sent_opened_and_played(
    server: Server, desktop: BrowserContext, phone: BrowserContext
) -> None:
    page = desktop.new_page()
    edit(page)
    page.get_by_test_id("back-surrender.points").click()
    expect(page.get_by_test_id("change-surrender.points")).to_have_count(0)
    page.get_by_test_id("save-rules").click()
    page.get_by_test_id("share-rules").click()
    link = page.get_by_test_id("rules-link").input_value()
    page.keyboard.press("Escape")
    Person(page, "Ann").wait_until_closed()
    page.get_by_test_id("open-table").click()
    page.get_by_test_id("create-dialog").get_by_test_id("create-table").click()
    page.wait_for_url("**/t/*")
    # The same rules are offered in the lobby.
    page.goto("/")
    page.get_by_test_id("preset").select_option(label="Sunday at Ann's")
    page.get_by_test_id("create-table").click()
    page.wait_for_url("**/t/*")
    rules = page.evaluate("fetch('/api/tables/' + location.pathname.split('/')[2] + '/rules').then((r) => r.json())")
    assert rules["title"] == "Sunday at Ann's"
    assert any("scoring.rows = two_four" in difference for difference in rules["differences"])
    friend = phone.new_page()
    friend.goto(link)
    expect(friend.get_by_test_id("rules-title")).to_have_value("Sunday at Ann's")
    # On a phone the sections are folded; what the game cannot use is left out.
    expect(friend.get_by_test_id("set-scoring.rows-two_four")).to_be_hidden()
    friend.get_by_test_id("group-scoring").click()
    expect(friend.get_by_test_id("set-scoring.rows-two_four")).to_be_checked()
    expect(friend.get_by_test_id("group-fantasyland")).to_have_count(0)
    assert friend.evaluate("document.documentElement.scrollWidth <= screen.width")
    play(server, Person(page, "Ann"), Person(friend, "Bob", touch=True))


@pytest.mark.slow
def test_a_file_of_rules_is_read_and_says_what_is_wrong_in_it(
    desktop: BrowserContext, phone: BrowserContext, axe: Check
) -> None:
    page = desktop.new_page()
    edit(page)
    page.get_by_test_id("share-rules").click()
    toml = page.get_by_test_id("rules-toml").input_value()
    friend = phone.new_page()
    friend.goto(page.get_by_test_id("rules-link").input_value())
    expect(friend.get_by_test_id("rules-title")).to_have_value("Sunday at Ann's")
    axe(friend)
    friend.goto("/rules")
    friend.get_by_test_id("toml").fill(toml.replace("two_four", "two_fore"))
    friend.get_by_test_id("read-toml").click()
    expect(friend.get_by_test_id("toml-problem")).to_contain_text("scoring.rows: unknown value 'two_fore'")
    friend.get_by_test_id("toml").fill(toml)
    friend.get_by_test_id("read-toml").click()
    expect(friend.get_by_test_id("set-royalties.table.back.quads")).to_have_value("6")


def play(server: Server, anne: Person, bob: Person) -> None:
    """Play a deal at Anne's table, and edit its rules."""
    page = anne.page
    bob.come(page.url)
    server.stack("QhQd7c8c8dTsTh2cAhAcAd9d9h" + "5h5s4d7h7s6d6s3dJdJhJc4h4s")
    bob.press("join")  # who sits down is ready: the deal begins
    anne.set("QhQd7c/8c8dTsTh2c/AhAcAd9d9h")
    bob.set("5h5s4d/7h7s6d6s3d/JdJhJc4h4s")
    anne.press("announce-play")
    bob.press("announce-play")
    for person in (anne, bob):
        person.sees("result")
    anne.press("open-rules")
    anne.press("edit-rules")
    expect(page.get_by_test_id("rules-title")).to_have_value("Sunday at Ann's")
    expect(page.get_by_test_id("set-scoring.rows-two_four")).to_be_checked()
    page.go_back()
    # Three rows won are 3 points and 1 more by 2-4; the game it came from would pay 6.
    assert anne.stack(0) - anne.stack(1) == 8


@pytest.mark.slow
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_pages_of_the_rules_are_accessible_and_fit(size: str, request: pytest.FixtureRequest, axe: Check) -> None:
    context: Any = request.getfixturevalue(size)
    page = context.new_page()
    page.goto("/rules")
    expect(page.get_by_test_id("start-pineapple")).to_be_visible()
    axe(page)
    page.goto("/rules/thirteen_water#deal.jokers=2")
    expect(page.get_by_test_id("option-naturals.table.entries")).to_be_attached()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")


@pytest.mark.slow
def test_a_link_to_rules_that_cannot_be_says_so_and_leads_on(desktop: BrowserContext) -> None:
    """Rules §2: four Pineapple players do not fit the deck."""
    page = desktop.new_page()
    page.goto("/rules/pineapple#seats.max=4")
    expect(page.get_by_test_id("option-seats.max").get_by_test_id("problem")).to_contain_text("the deck has 52")
    expect(page.get_by_test_id("open-table")).to_be_disabled()
    page.get_by_test_id("back-seats.max").click()
    expect(page.get_by_test_id("open-table")).to_be_enabled()
    page.goto("/")  # another address of the same page alone would load nothing
    page.goto("/rules/pineapple#scoring.colour=blue")
    expect(page.get_by_role("alert")).to_contain_text("colour")
    page.get_by_role("button", name="Reset to the original game").click()
    expect(page.get_by_test_id("rules-title")).to_have_value("Pineapple")
    page.goto("/rules/nothing")
    expect(page.get_by_role("alert")).to_contain_text("unknown preset 'nothing'")
    page.get_by_role("main").get_by_role("link", name="All games").click()
    expect(page.get_by_test_id("start-turbo")).to_be_visible()
