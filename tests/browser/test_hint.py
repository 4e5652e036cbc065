"""A hint at a table whose host allows it: worked out in the asker's browser, told to everybody. Issue 14, part 4."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Check
from tests.browser.people import Person, begin


def asks(person: Person, other: Person) -> None:
    """Ask for a hint, lay what it says and confirm it; the other one hears of it and has none."""
    person.expect_turn()
    person.press("ask-hint")
    hint = person.sees("hint")
    expect(hint).to_have_attribute("data-stage", "done")
    cards = set(person.drawn())
    person.look("hint")
    fits(person.page)
    person.press("hint-lay")
    laid = {card for row in ("front", "middle", "back") for card in person.row(row) if card}
    assert len(laid & cards) == 5
    expect(person.page.get_by_test_id("hint-lay")).to_have_count(0)
    back, over = person.sees("row-back").bounding_box(), hint.bounding_box()
    assert back is not None
    assert over is not None
    assert back["y"] + back["height"] <= over["y"], "what was laid lies in sight"
    expect(other.page.get_by_test_id("hint")).to_have_count(0)
    person.ready()
    expect(person.page.get_by_test_id("hint")).to_have_count(0)


def turns(*people: Person) -> list[Person]:
    """Return who is to place first, and then the other."""
    while True:  # pytest's own time-out ends it
        for at, person in enumerate(people):
            if person.page.get_by_test_id("tray").count():
                return [*people[at:], *people[:at]]
            person.page.wait_for_timeout(50)


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")


@pytest.mark.slow
def test_a_hint_where_the_host_lets_it(ann: Person, bob: Person, axe: Check) -> None:
    """At a desktop and on a phone; nobody has one before the host says so."""
    begin(ann, bob, "pineapple", clock__kind="none")
    first, second = turns(ann, bob)
    expect(first.page.get_by_test_id("ask-hint")).to_have_count(0)
    ann.page.get_by_role("button", name="Menu").click()
    ann.press("let-hint")
    ann.page.keyboard.press("Escape")
    first.sees("ask-hint")
    asks(first, second)
    asks(second, first)
    for person in (first, second):
        expect(ann.page.get_by_test_id("talk").last).to_contain_text(f"{person.name} asked for a hint")
    axe(ann.page)
