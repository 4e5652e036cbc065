"""The cards that people are shown are proved to them, by their own browsers (issue 12, part 5; docs: fairness)."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.browsers import LAN
from tests.browser.people import Person
from tests.browser.servers import Server

# Over at once: everybody's cards lie where the clock puts them. Nobody surrenders: a random bot did now and then, and
# its cards were never shown.
QUICK = {
    "surrender__points": 0,
    "clock__setting": 1,
    "clock__seconds": 1,
    "clock__bank": 0,
    "clock__bank_refill": 0,
    "timeout__after": "none",
}


def play_on(person: Person, deals: int) -> None:
    """Let deals pass, each to its showdown."""
    for _ in range(deals):
        expect(person.page.get_by_test_id("result")).to_be_visible()
        person.press("next-deal")
        expect(person.page.get_by_test_id("result")).to_have_count(0)
    expect(person.page.get_by_test_id("result")).to_be_visible()


def test_a_deal_is_cut_by_its_players_and_each_shown_card_is_proved(browser: Browser, server: Server) -> None:
    """Plain http under a LAN name: no WebCrypto there. Ann and a bot, which adds nothing; several deals in a row."""
    context = browser.new_context(base_url=f"http://{LAN}:{urlsplit(server.url).port}")
    page_errors: list[str] = []
    context.on("weberror", lambda fault: page_errors.append(str(fault.error)))
    lost: list[str] = []

    def lose_the_first(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.request.url)
            route.abort()

    context.route(re.compile("/proofs$"), lose_the_first)
    ann = Person(context.new_page(), "Ann", home=server.url)
    ann.open_custom_table("closed_1_6", **QUICK)
    ann.sit(0)
    ann.add_bot(1, "random")
    ann.press("start")
    ann.press("fair-mark")
    ann.says("fair", "Cut by Ann")
    # The page about it lies open from the deal's beginning; the other thirteen are asked about when they are shown.
    ann.says("fair-found", "of the 26 cards you saw, 26 are verified")
    ann.page.keyboard.press("Escape")
    ann.wait_until_closed()
    play_on(ann, 0)
    ann.says("fair-mark", "26 cards verified")
    # The page comes back: the same chain goes on, and nothing of it is given twice.
    ann.page.reload()
    play_on(ann, 1)
    ann.press("fair-mark")
    ann.says("fair", "Cut by Ann")
    assert page_errors == []
    assert lost, "nothing was asked twice"
    context.close()


@pytest.mark.slow
def test_a_false_proof_is_reported_to_the_player(browser: Browser, server: Server) -> None:
    """A server that shows another deck than it committed is found out by the page alone."""

    def lie(route: Route) -> None:
        body = route.fetch().json()
        first = body["record"]["openings"][0]
        first["salt"] = ("1" if first["salt"][0] == "0" else "0") + first["salt"][1:]
        route.fulfill(json=body)

    context = browser.new_context(base_url=server.url)
    page = context.new_page()
    page.route(re.compile("/proofs$"), lie)
    ann = Person(page, "Ann")
    ann.open_custom_table("closed_1_6", **QUICK)
    ann.sit(0)
    ann.add_bot(1, "random")
    ann.press("start")
    expect(page.get_by_text("Verification failed for deal 1").first).to_be_visible()
    ann.says("fair-mark", "failed")
    context.close()
