"""An evening under its host, at a home network's name: private, started, paused, handed over, ended, once more.

Issue 11, Shown by 2.
"""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.browsers import LAN
from tests.browser.conftest import PATIENCE
from tests.browser.people import Person
from tests.browser.servers import Server


@pytest.fixture
def company(browser: Browser, server: Server) -> Iterator[list[Person]]:
    """Four friends, each with a browser of their own."""
    home = f"http://{LAN}:{urlsplit(server.url).port}"
    contexts: list[BrowserContext] = []
    people: list[Person] = []
    for name in ("Ann", "Bob", "Cid", "Dan"):
        context = browser.new_context(base_url=home)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        people.append(Person(context.new_page(), name))
    yield people
    for context in contexts:
        context.close()


def menu(person: Person, *presses: str) -> None:
    """Open the menu, and press something once, or twice where it asks whether one is sure."""
    person.page.get_by_role("button", name="Menu").click()
    for testid in presses:
        person.press(testid)


def lay_out(person: Person) -> None:
    """Place what is asked for, the back first, as long as it is this person's turn."""
    tray = person.page.get_by_test_id("draws").locator("[data-testid^='card-']")
    while person.page.get_by_test_id("ready").count() and person.page.get_by_test_id("ready").is_disabled():
        if not tray.count():
            return
        tray.first.click()
        for row in ("back", "middle", "front"):
            place = person.page.get_by_test_id(f"place-{row}")
            if place.count():
                place.click()
                break


def test_an_evening_from_its_link_to_its_rematch(company: list[Person]) -> None:
    ann, bob, cid, dan = company
    ann.call_me()
    ann.page.get_by_test_id("preset").select_option("ofc_american")
    ann.page.get_by_test_id("private").check()
    ann.press("create-table")
    ann.page.wait_for_url("**/t/*")
    link = ann.page.url
    ann.sit(0)
    for seat, friend in ((1, bob), (2, cid)):
        friend.come(link)
        friend.sit(seat)
    # The lobby does not show it to strangers; who has a seat finds it there.
    dan.come()
    expect(dan.page.get_by_test_id("no-tables")).to_be_visible()
    cid.page.goto("/")
    expect(cid.page.get_by_role("link", name="Return")).to_be_visible()
    cid.page.goto(link)
    # Nothing begins before the host says so.
    expect(bob.page.get_by_test_id("prompt")).to_contain_text("Waiting for the host to start")
    ann.press("host-start")
    for person in (ann, bob, cid):
        expect(person.page.get_by_test_id("stage")).to_have_attribute("data-phase", "playing")
    menu(ann, "pause")
    expect(bob.page.get_by_test_id("prompt")).to_contain_text("paused")
    expect(bob.page.get_by_test_id("clock")).to_have_count(0)
    menu(ann, "go-on")
    expect(bob.page.get_by_test_id("clock").first).to_be_visible()
    # The host hands over and is gone for ever; the new one changes the rules and ends the evening.
    menu(ann, "hand-over-1", "hand-over-1")
    ann.page.close()
    menu(bob)
    expect(bob.page.get_by_test_id("hosting")).to_be_visible()
    bob.page.get_by_text("Other rules").click()
    bob.page.get_by_test_id("next-preset").select_option("turbo")
    bob.press("change-rules")
    expect(cid.page.get_by_test_id("talk").first).to_contain_text("From the next match on: Turbo")


def test_the_end_of_an_evening_shows_who_pays_whom(company: list[Person]) -> None:
    ann, bob, cid, _ = company
    link = ann.found_table("closed_basic", clock__kind="none", stake__point=2, stake__unit="euro")
    ann.sit(0)
    ann.add_bot(1, "random")
    bob.come(link)
    ann.expect_turn()
    menu(ann, "close-table", "close-table")
    lay_out(ann)
    ann.ready()
    anyway = ann.page.get_by_test_id("foul-anyway")
    expect(anyway.or_(ann.page.get_by_test_id("ending"))).to_be_visible()
    if anyway.count():
        anyway.click()
    for person in (ann, bob):
        person.sees("ending")
        person.look("ending")
        person.sees("final-standings")
        person.sees("home")
    for person in (ann, bob):
        person.press("rematch")
    expect(ann.page).not_to_have_url(link)
    expect(bob.page).to_have_url(ann.page.url)
    ann.press("sit-0")
    cid.come()
    ann.page.goto("/")
    expect(ann.page.get_by_role("link", name="Look back")).to_be_visible()
