"""The seat of a tournament: one tap to register, none to come to the table, wherever one is (issue 32, part 12)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PHONE
from tests.browser.people import Person
from tests.browser.servers import Server
from tests.browser.test_create import count_taps, taps

pytestmark = pytest.mark.slow
LOOKS_AT = ("/learn", "/", "")  # where the three are when play begins; empty: on the tournament’s page


def test_everybody_is_taken_to_their_table(server: Server, browser: Browser) -> None:
    people = []
    for name in ("Ann", "Bob", "Cem"):
        context = browser.new_context(
            base_url=server.url, viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce"
        )
        people.append(count_taps(context, name, touch=True))
    ann = people[0]
    ann.come("/")
    ann.press("announce-cup")
    page = ann.page
    page.get_by_test_id("cup-preset").select_option("closed_basic")
    page.get_by_test_id("cup-name").fill("Late cup")
    page.get_by_test_id("cup-unlisted").check()
    page.get_by_test_id("cup-begins").select_option("-1")
    expect(page.get_by_test_id("cup-date")).to_have_value(re.compile(r"\d{4}-\d\d-\d\dT\d\d:00"))
    page.get_by_test_id("cup-begins").select_option("0")
    page.get_by_test_id("cup-most").fill("3")
    page.get_by_test_id("new-cup").locator("summary").click()
    page.get_by_test_id("cup-password").fill("secret")
    ann.look("cup-new")
    ann.press("create-cup")
    page.wait_for_url("**/cup/*")
    link = page.url
    ann.says("cup-format", "Starting chips", "200", "6 deals", "none")
    ann.look("cup-format")
    for person, elsewhere in zip(people, LOOKS_AT, strict=True):
        person.come(link)
        expect(person.page.get_by_test_id("cup-your-name")).to_have_value(person.name)
        person.page.get_by_test_id("cup-enter-password").fill("secret")
        person.press("cup-register")
        if person is not people[-1]:
            person.sees("cup-withdraw")
            assert taps(person.page) == 1
        if elsewhere:
            person.page.goto(elsewhere)
    for person in people:
        person.page.wait_for_url("**/t/*")
        person.sees("tray")
        person.look("cup-seated")
    assert ann.ask("GET", f"/api/cups/{link.rpartition('/')[2]}", None)["phase"] == "running"
    called_off_while_it_runs(ann, link)
    for person in people:
        person.page.context.close()


def called_off_while_it_runs(ann: Person, link: str) -> None:
    """The director ends it from its page, after a question."""
    ann.page.goto(link)
    ann.press("cup-call-off")
    ann.says("cup-call-off", "End it after the current matches?")
    ann.press("cup-call-off")
    ann.says("cup-how", "Cancelled")
