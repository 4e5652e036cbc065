"""The first five minutes (issue 11, part 2; shown by 3): Play now, and the guide that is always followed."""

import contextlib
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect
from playwright.sync_api import TimeoutError as Late

from tests.browser.people import Person, begin_with_bots
from tests.browser.servers import Server
from tests.browser.test_sizes import IN_FANTASYLAND, IN_PLAY, SIZES, check
from tests.case_sample import sample_cases

GAMES = ("pineapple", "ofc_american", "closed_2_4", "pineapple_27", "pineapple_joker")
SMALL = ViewportSize(width=360, height=640)
SHORT = 5_000  # milliseconds until a click on what is there has to have come through


def small(browser: Browser, server: Server) -> BrowserContext:
    """A person at the smallest phone that the table is made for."""
    return browser.new_context(base_url=server.url, viewport=SMALL, has_touch=True, is_mobile=True)


def placed(person: Person) -> int:
    """Return how many cards lie in the own rows."""
    return sum(len(person.row(row)) for row in ("front", "middle", "back"))


_MINE = """async () => {
    const deals = await (await fetch(`/api/tables/${location.pathname.split('/')[2]}/deals`)).json();
    return deals[0].sheet.hands.filter((hand) => hand.seat === 0).map((hand) => hand.status);
}"""


def follow(person: Person) -> list[str]:
    """Press what guide and table offer, without knowing rules, until a deal is over; returns the own boards' fate."""
    page = person.page
    # First what is asked in a dialog: a board that must foul is confirmed.
    offers = "foul-anyway", "natural", "announce-play", "declare", "guide-lay", "ready"
    over = page.get_by_test_id("stage").and_(page.locator("[data-phase=showdown]"))
    open_now = page.locator(",".join(f"[data-testid={offer}]:enabled" for offer in offers))
    while True:
        expect(over.or_(open_now).first).to_be_visible()
        if over.is_visible():
            fates: list[str] = page.evaluate(_MINE)
            return fates
        for offer in offers:
            # One question that does not wait: an offer that was just taken may vanish between two.
            control = page.locator(f"[data-testid={offer}]:enabled")
            if control.is_visible():
                # The table may take the offer back between the look and the click: then they look again.
                with contextlib.suppress(Late):
                    control.click(timeout=SHORT)
                break


def test_the_first_card_lies_after_two_clicks_and_the_guide_leads_to_the_end(phone: BrowserContext) -> None:
    """Open the lobby, press Play now, press what the guide proposes; and so on until the deal is over."""
    newcomer = Person(phone.new_page(), "newcomer", touch=True)
    newcomer.page.goto("/")
    newcomer.press("play-now")
    expect(newcomer.page.get_by_test_id("guide-why")).to_contain_text(re.compile(r"\w"))
    more = newcomer.page.get_by_test_id("guide-more")
    more.click()
    newcomer.says("guide-order", "Back must beat or equal middle")
    compared = newcomer.page.get_by_test_id("guide-compared")
    if compared.count():  # some streets have several placements that are equally good
        expect(compared).to_contain_text("Next best")
    details = newcomer.page.get_by_test_id("guide-details").bounding_box()
    board = newcomer.page.get_by_test_id("row-front").bounding_box()
    assert details is not None
    assert board is not None
    assert details["y"] + details["height"] <= board["y"], "the details cover the board"
    newcomer.look("guide-compared")
    more.click()
    expect(compared).to_have_count(0)
    newcomer.press("guide-lay")
    expect(newcomer.page.get_by_test_id("ready")).to_be_enabled()
    assert placed(newcomer) == 5
    newcomer.look("first-cards")
    assert follow(newcomer)


@pytest.mark.parametrize("preset", GAMES)
@pytest.mark.slow
def test_always_following_the_guide_finishes_the_deal(preset: str, desktop: BrowserContext) -> None:
    newcomer = Person(desktop.new_page(), "newcomer")
    begin_with_bots(newcomer, preset, 1, clock__kind="none")
    newcomer.press("open-menu")
    newcomer.press("guide-setting")
    newcomer.page.keyboard.press("Escape")
    assert follow(newcomer)


@pytest.mark.slow
def test_the_guide_is_switched_off_and_on_and_remembers_it(
    browser: Browser, server: Server, axe: Callable[[Page], None]
) -> None:
    context = small(browser, server)
    newcomer = Person(context.new_page(), "small", touch=True)
    newcomer.page.goto("/")
    newcomer.look("lobby")
    newcomer.press("play-now")
    newcomer.says("prompt", "Your turn: place five cards")
    axe(newcomer.page)
    newcomer.look("guide")
    newcomer.press("guide-more")
    axe(newcomer.page)
    newcomer.says("guide-points", "fantasyland")
    newcomer.look("guide-more")
    newcomer.press("guide-off")
    expect(newcomer.page.get_by_test_id("guide")).to_have_count(0)
    newcomer.page.reload()
    newcomer.expect_turn()
    expect(newcomer.page.get_by_test_id("guide")).to_have_count(0)
    newcomer.press("open-menu")
    newcomer.press("guide-setting")
    newcomer.page.keyboard.press("Escape")
    newcomer.sees("guide-lay")
    context.close()


@pytest.mark.slow
def test_the_guide_leaves_when_a_friend_sits_down(ann: Person, bob: Person) -> None:
    link = begin_with_bots(ann, "pineapple", 1)
    ann.press("open-menu")
    ann.press("guide-setting")
    ann.page.keyboard.press("Escape")
    ann.sees("guide-lay")
    bob.come(link)
    bob.sit(2)
    expect(ann.page.get_by_test_id("guide")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), sample_cases(SIZES, [(375, 553), (844, 390)]))
@pytest.mark.slow
def test_own_cards_stay_large_beside_the_guide(browser: Browser, server: Server, width: int, height: int) -> None:
    """Issue 11, 1.1: no guide makes them smaller, and tray and Ready stay in reach."""
    for preset, least in (("pineapple", IN_PLAY), ("closed_2_4", IN_FANTASYLAND)):
        context = browser.new_context(base_url=server.url, viewport=ViewportSize(width=width, height=height))
        context.add_init_script("localStorage.setItem('triptych.prefs', '{\"guide\": true}')")
        newcomer = Person(context.new_page(), f"{width}x{height}-{preset}")
        begin_with_bots(newcomer, preset, 1, clock__kind="none")
        natural = newcomer.page.get_by_test_id("natural")
        expect(newcomer.page.get_by_test_id("guide-lay").or_(natural).first).to_be_visible()
        check(newcomer.page, least)
        newcomer.look("beside")
        if natural.is_visible():  # dealt now and then: the guide says to take it, and the deal is over
            newcomer.press("natural")
            expect(newcomer.page.locator("[data-phase=showdown]")).to_be_visible()
        else:
            newcomer.press("guide-lay")
            expect(newcomer.page.get_by_test_id("ready")).to_be_enabled()
        newcomer.look("laid")
        context.close()
