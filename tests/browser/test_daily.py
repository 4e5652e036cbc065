"""The daily deal: the same cards for everybody, and what the levels make of them. Issue 14, part 5."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Route, expect

from tests.browser.test_solo import first_cards, place_street, play_to
from triptych.cards import card_text
from triptych.deal.seeding import seeded_deck

if TYPE_CHECKING:
    from tests.browser.conftest import Check
    from tests.browser.servers import Server

DAY = dt.datetime(2030, 3, 1, 20, tzinfo=dt.UTC)


def words(line: Locator) -> str:
    """What the page says of a street: which cards went where."""
    return line.get_by_role("img").first.get_attribute("aria-label") or ""


def shared_today(route: Route) -> None:
    """Let the page's day be the server's, whose clock is the true one."""
    today = dt.datetime.now(dt.UTC).date().isoformat()
    route.continue_(url=route.request.url.replace("2030-03-01", today))


@pytest.mark.slow
def test_everybody_plays_the_same_cards_and_sees_what_others_made_of_them(
    desktop: BrowserContext, browser: Browser, server: Server, axe: Check
) -> None:
    page = desktop.new_page()
    page.clock.set_fixed_time(DAY)
    page.emulate_media(reduced_motion="reduce")  # the bots answer at once
    page.goto("/")
    page.get_by_test_id("to-daily").click()
    expect(page.get_by_test_id("daily-about")).to_contain_text("Everyone plays the same cards today")
    page.get_by_test_id("daily-play").click()
    cards = first_cards(page)
    # Somebody else, later on the same day; and the day after.
    context = browser.new_context(base_url=server.url)
    for later, same in ((dt.timedelta(hours=3), True), (dt.timedelta(hours=5), False)):
        other = context.new_page()
        other.clock.set_fixed_time(DAY + later)
        other.goto("/daily")
        other.get_by_test_id("daily-play").click()
        assert (first_cards(other) == cards) == same
        other.close()
    context.close()
    # What is not dealt yet stands nowhere on the page: only the five, and the opponent's if that has begun.
    shown_cards = page.locator("[data-card], [data-mine]")
    texts = {*shown_cards.evaluate_all("all => all.map(one => one.dataset.card ?? one.dataset.mine)")} - {"??"}
    deck = [card_text(card) for card in seeded_deck(int(hashlib.sha256(b"triptych 2030-03-01").hexdigest()[:16], 16))]
    assert {*cards} <= texts <= {*deck[:10]}
    play_to(page, "daily-result")
    expect(page.get_by_test_id("daily-better")).to_have_attribute("data-whole", "true")
    points = page.get_by_test_id("daily-points").inner_text()
    expect(page.get_by_test_id("daily-better")).to_contain_text("of the 15 bots")
    # The best line and mine, street by street: the same cards for both, each with a way to the analysis board.
    for street in range(5):
        lines = [page.get_by_test_id(f"daily-{who}-{street}") for who in ("strong", "mine")]
        card_names = [{*filter(None, re.findall(r"\w+ of \w+", words(line)))} for line in lines]
        assert card_names[0] == card_names[1]
        assert len(card_names[0]) == (5 if street == 0 else 3)
    link = page.get_by_test_id("daily-mine-4").get_by_role("link").get_attribute("href")
    assert link is not None
    assert link.startswith("/analyse/pineapple#")
    # Among people: only after the player has agreed, and until they take it back.
    expect(page.get_by_test_id("daily-place")).to_have_count(0)
    page.clock.set_fixed_time(DAY)
    page.route("**/api/daily/*", shared_today)
    page.get_by_test_id("daily-share").click()
    expect(page.get_by_test_id("daily-place")).to_have_text("Place 1 of 1.")
    page.get_by_test_id("daily-week").click()
    expect(page.get_by_test_id("daily-ranking")).to_contain_text("deals: 1")
    axe(page)
    page.get_by_test_id("daily-withdraw").click()
    page.get_by_test_id("daily-withdraw").click()
    expect(page.get_by_test_id("daily-place")).to_have_count(0)
    page.get_by_test_id("daily-copy").click()
    expect(page.get_by_role("button", name="Result copied.")).to_be_visible()
    # It stays; nobody plays a day twice.
    page.reload()
    expect(page.get_by_test_id("daily-points")).to_have_text(points)
    # Whose app lies open over midnight is led to the next one.
    page.clock.set_fixed_time(DAY + dt.timedelta(days=1))
    page.get_by_test_id("daily-next").click()
    page.get_by_test_id("daily-play").click()
    assert first_cards(page) != cards


@pytest.mark.slow
def test_a_daily_deal_is_opened_from_the_lobby_and_goes_on_after_a_reload(desktop: BrowserContext) -> None:
    """Midnight, results, and what others made of the cards: client/src/features/daily/model/daily.test.ts."""
    page = desktop.new_page()
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    page.get_by_test_id("to-daily").click()
    expect(page.get_by_test_id("daily-about")).to_contain_text("Everyone plays the same cards today")
    page.get_by_test_id("daily-play").click()
    cards = first_cards(page)
    place_street(page)
    lying = page.locator("[data-testid^=row-] [data-card]")
    expect(lying).to_have_count(5)
    expect(page.get_by_test_id("my-board").locator("button[data-mine]")).to_have_count(0)
    page.reload()
    expect(lying).to_have_count(5)
    assert sorted(lying.evaluate_all("all => all.map(one => one.dataset.card)")) == sorted(cards)
