"""A tournament in the browser: announced, joined, followed, hosted. Issue 11, 5, shown by 5."""

import json
import urllib.request
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.people import Person
from tests.browser.servers import Server

LONGEST = 600  # seconds, only for what hangs
# One action a deal, and nobody waits long for who does nothing.
HASTY = {"preset": "closed_basic", "clock.setting": 20, "clock.seconds": 20, "clock.bank": 0, "clock.bank_refill": 0}


def tournament_of(server: Server, tournament: str) -> dict[str, Any]:
    """Return the view of a tournament that a server sends."""
    with urllib.request.urlopen(f"{server.url}/api/cups/{tournament}", timeout=60) as answer:  # noqa: S310 - ours
        view: dict[str, Any] = json.load(answer)
        return view


def announced(person: Person, **more: object) -> str:
    """Announce a tournament and go to its page; returns its id."""
    person.sign_in()
    body = {
        "name": "Session cup",
        "rules": HASTY,
        "stack": 40,
        "levels": [1, 2, 4, 8, 16, 32, 64, 128, 256],
        "level_kind": "deals",
        "level_length": 2,
        "most": 18,
        "pause": 0,
        "prize_kind": "points",
        "prizes": [10, 6, 4],
    }
    answer = person.ask("POST", "/api/cups", body | more)
    person.page.goto(answer["link"])
    return str(answer["cup"])


def announces_with_choices(ann: Person, axe: Callable[[Page], None]) -> str:
    """Fill in the lobby's form for a tournament; its id."""
    ann.come()
    ann.press("announce-cup")
    page = ann.page
    page.get_by_test_id("cup-preset").select_option("closed_basic")
    page.get_by_test_id("cup-name").fill("Sunday cup")
    page.get_by_test_id("cup-most").fill("6")
    page.get_by_test_id("new-cup").locator("summary").click()
    for field, value in (("late", "2"), ("reentries", "1"), ("rest", "2"), ("rest-minutes", "3")):
        page.get_by_test_id(f"cup-{field}").fill(value)
    page.get_by_test_id("cup-fill").select_option("novice")
    page.get_by_test_id("cup-prize-kind").select_option("shares")
    page.get_by_test_id("cup-prizes").fill("60 30")
    expect(page.get_by_text("add up to 90")).to_be_visible()
    expect(page.get_by_test_id("create-cup")).to_be_disabled()
    page.get_by_test_id("cup-prizes").fill("60 40")
    page.get_by_test_id("cup-fee").fill("5")
    axe(page)
    ann.look("cup-choices")
    ann.press("create-cup")
    page.wait_for_url("**/cup/*")
    return page.url.rpartition("/")[2]


def test_a_tournament_is_announced_joined_followed_paused_and_rid_of_a_player(
    server: Server, ann: Person, bob: Person, axe: Callable[[Page], None]
) -> None:
    """Its host shares out a pool; the lobby tells of it, and who plays finds their table."""
    tournament = announces_with_choices(ann, axe)
    page = ann.page
    ann.says("cup-how", "0 of 6")
    bob.come()
    bob.says(f"cup-{tournament}", "Sunday cup", "Thirteen cards", "0 of 6")
    bob.press(f"open-cup-{tournament}")
    bob.press("cup-register")
    bob.says("cup-mine", "You’re registered")
    ann.says("cup-how", "1 of 6")
    ann.press("cup-begin")
    bob.page.wait_for_url("**/t/*")
    bob.press("to-cup")
    for person in (ann, bob):
        person.says("cup-how", "6 of 6 left")
    bob.says("cup-level", "Level 1", "Next")
    for width, height in ((1280, 800), (360, 640)):
        bob.page.set_viewport_size({"width": width, "height": height})
        assert bob.page.evaluate("document.documentElement.scrollWidth <= screen.width"), "the page scrolls sideways"
        bob.look(f"cup-{width}")
    ann.says("cup-prizes-are", "18, 12", "Pool: 30")
    view = tournament_of(server, tournament)
    expected = {"late": 2, "reentries": 1, "break_every": 2, "break_minutes": 3, "prize_kind": "shares"}
    assert {key: view[key] for key in expected} == expected
    bob.press("cup-my-table")
    expect(bob.page.get_by_test_id("to-cup")).to_contain_text("Level 1")
    bob.look("cup-table-360")
    ann.press("cup-pause")
    ann.says("cup-paused", "Paused")
    ann.look("cup-paused")
    bob.says("prompt", "paused")
    ann.press("cup-go-on")
    expect(page.get_by_test_id("cup-paused")).to_have_count(0)
    bob.press("to-cup")
    expect(bob.page.get_by_test_id("standings")).to_be_visible()
    other = page.get_by_test_id("entry").filter(has_not_text="Bob").first
    name = str(other.get_by_role("rowheader").inner_text())
    for _ in range(2):
        page.get_by_test_id("entry").filter(has_text=name).get_by_test_id("cup-remove").click()
    expect(page.get_by_test_id("entry").filter(has_text=name).get_by_test_id("cup-remove")).to_have_count(0)
    ann.look("cup-removed")
    axe(page)
    barred = [entry for entry in tournament_of(server, tournament)["entries"] if entry["barred"]]
    assert [entry["name"] for entry in barred] == [name]
    # Ann, who plays not, looks at a table and stays there.
    ann.press("cup-table-1")
    expect(page.get_by_test_id("to-cup")).to_contain_text("of 6 left")
