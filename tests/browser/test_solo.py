"""Matches on a person's own device. Issue 14, parts 5 to 7."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from msgspec import convert
from playwright.sync_api import BrowserContext, Page, expect

from triptych.board import Layout
from triptych.notation.position import parse_position
from triptych.solve.analysis.analyse import SearchBudget, analyse
from triptych.solve.analysis.review import SCREENING_ROLLOUTS

if TYPE_CHECKING:
    from tests.browser.conftest import Check


KEYS = {"back": "e", "middle": "w", "front": "q"}
SLOTS = {"back": 5, "middle": 5, "front": 3}
MOST_KEYS = 5  # cards that keys lift
# All keys of a street at once: each card and its row, until nothing more is to be placed.
TYPE = """async (pairs) => {
  for (const pair of pairs) {
    if (document.querySelector('[data-testid=ready]')?.disabled === false) return;
    for (const key of pair) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    await new Promise((drawn) => setTimeout(drawn));
  }
}"""


def place_street(page: Page) -> None:
    """Put the street's cards into the backmost rows that have room, by keys or taps, and confirm it."""
    ready, left = page.get_by_test_id("ready"), page.get_by_test_id("draws").locator("[data-mine]")
    expect(left.first).to_be_visible()
    if left.count() <= MOST_KEYS:
        free = [
            key
            for row, key in KEYS.items()
            for _ in range(SLOTS[row] - page.get_by_test_id(f"row-{row}").locator("[data-card]").count())
        ]
        page.evaluate(TYPE, [[str(at), key] for at, key in enumerate(free[: left.count()], 1)])
    while not ready.is_enabled():
        count = left.count()
        left.first.click()
        rows = page.get_by_test_id(re.compile("^place-(front|middle|back)$"))
        expect(rows.last).to_be_visible()
        rows.last.click()
        expect(left).not_to_have_count(count)
    ready.click()


def play_deal(page: Page) -> None:
    """Place street after street until the deal is scored."""
    while True:
        turn = page.locator("[data-testid=tray] [data-testid=ready], [data-testid=foul-dialog], [data-testid=result]")
        expect(turn.first).to_be_visible()
        if page.get_by_test_id("result").is_visible():
            return
        if page.get_by_test_id("draws").locator("[data-mine]").count():
            place_street(page)
        anyway = page.get_by_test_id("foul-anyway")
        if anyway.is_visible():
            anyway.click()


def play_to(page: Page, end: str) -> None:
    """Play deals and the fantasylands that they bring, until something with this test id lies open."""
    result = page.get_by_test_id(end)
    while not result.is_visible():
        play_deal(page)
        onward = page.get_by_test_id("next-deal")
        expect(result.or_(onward).first).to_be_visible()
        if not result.is_visible():
            onward.click()
            # Until the next deal lies there, the one before still offers itself.
            expect(page.get_by_test_id("result")).to_be_hidden()


def first_cards(page: Page) -> list[str]:
    """Return the cards of the first street."""
    drawn = page.get_by_test_id("draws").locator("[data-mine]")
    expect(drawn).to_have_count(5)
    cards: list[str] = drawn.evaluate_all("all => all.map(one => one.dataset.mine)")
    return cards


@pytest.mark.slow
@pytest.mark.parametrize("who", ["desktop", "phone"])
def test_a_deal_against_strong_and_a_reload_in_its_middle(
    request: pytest.FixtureRequest, who: str, axe: Check
) -> None:
    context: BrowserContext = request.getfixturevalue(who)
    page = context.new_page()
    page.goto("/")
    page.get_by_test_id("to-solo").click()
    page.get_by_test_id("solo-level-0-strong").check()
    axe(page)
    page.get_by_test_id("solo-start").click()
    expect(page.get_by_test_id("tray")).to_be_visible()
    axe(page)
    place_street(page)
    expect(page.get_by_test_id("prompt")).to_contain_text("discard")
    cards = page.locator("[data-testid^=row-] [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
    assert len(cards) == 5
    page.reload()
    expect(page.get_by_test_id("prompt")).to_contain_text("discard")
    after = page.locator("[data-testid^=row-] [data-card]").evaluate_all("all => all.map(one => one.dataset.card)")
    assert sorted(after) == sorted(cards)
    play_deal(page)
    expect(page.get_by_test_id("stage")).to_have_attribute("data-phase", "showdown")
    axe(page)
    # What each placement was worth, as `triptych analyse` has it; what Strong threw away is not known.
    review_deal(page)
    streets = page.evaluate("history.state.form.streets")
    position = parse_position(streets[-1]["position"])
    assert set(position.hands[1 - streets[-1]["hand"]].discards) == {"??"}
    page.get_by_test_id("moment-0").click()
    budget = SearchBudget(max_error=0.15, by_loss=True, screening_rollouts=SCREENING_ROLLOUTS)
    analysis = analyse(streets[0]["position"], "pineapple", budget, also=convert(streets[0]["layout"], Layout))
    assert page.get_by_test_id("value-0").inner_text() == f"{analysis.placements[0].value:+.2f}".replace("-", "−")
    # The dearest once more, with the answer hidden; after a reload, and for who comes back, it is still there.
    page.get_by_test_id("review-dearest").click()
    page.get_by_test_id("review-retry").click()
    expect(page.get_by_test_id("line-0")).to_have_count(0)
    page.reload()
    page.get_by_test_id("review-dearest").click()
    page.get_by_test_id("review-play-on").click()
    page.get_by_test_id("solo-start").click()
    expect(page.get_by_test_id("tray")).to_be_visible()
    page.go_back()
    page.get_by_test_id("review-match").click()
    expect(page.get_by_test_id("next-deal")).to_be_visible()


# Whatever goes where, the next deal is a fantasyland.
NEARLY = "*QcQd3s/KsKh7d7c/AsAh9c9d_!2c2d4h_-5c6c8c~Th6d/8h8d5s4s/TcJcQh2h3h"


@pytest.mark.slow
def test_a_players_fantasyland_is_reviewed_on_a_narrow_phone(phone: BrowserContext, axe: Check) -> None:
    page = phone.new_page()
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"/solo/pineapple#{NEARLY}")
    page.get_by_test_id("solo-start").click()
    play_deal(page)
    page.get_by_test_id("next-deal").click()
    expect(page.get_by_test_id("fantasyland-0")).to_be_visible()
    play_deal(page)
    review_deal(page)
    (street,) = page.evaluate("history.state.form.streets")
    assert len(parse_position(street["position"]).hands[street["hand"]].drawn) == 14
    expect(page.get_by_test_id("line-0")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    axe(page)


def review_deal(page: Page) -> None:
    """Open the review of the deal that lies open, and wait until all of it is measured."""
    link = page.get_by_test_id("solo-review")
    if page.evaluate("innerWidth < 1000"):  # else it stands beside the table
        page.get_by_test_id("open-sheet").click()
    link.last.click()
    expect(page.get_by_test_id("review-page")).to_have_attribute("data-stage", "done")
