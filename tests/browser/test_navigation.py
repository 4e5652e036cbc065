"""From any page to any other in two taps, and from the lobby to the first card in two (issue 31, shown by 4)."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.case_sample import sample_cases

# The areas of the header and their pages (client/src/shared/siteMap.ts).
PAGES = {
    "play": ["/", "/solo", "/daily", "/duplicate", "/#tournaments"],
    "learn": ["/learn", "/practice", "/help"],
    "tools": ["/analyse", "/score", "/rules", "/history"],
    "you": ["/me", "/review", "/me#account"],
}
WAYS = [(area, path) for area, paths in PAGES.items() for path in paths]


# A deal that is played has no header: its menu lists the pages.
TABLES = {"/daily"}


def _taps(page: Page, area: str, path: str) -> None:
    """Go to a page by two taps: its area or the table's menu, then its link."""
    expect(page.get_by_test_id("site-nav").or_(page.get_by_test_id("open-menu")).first).to_be_visible()
    header = page.get_by_test_id("site-nav").is_visible()
    page.get_by_test_id(f"area-{area}" if header else "open-menu").click()
    page.get_by_test_id(f"nav-{path}").click()
    expect(page).to_have_url(re.compile(re.escape(path) + r"(/[\w-]+)?(#.*)?$"))
    if path in TABLES:
        page.get_by_test_id("daily-play").click()
    expect(page.get_by_test_id("open-menu" if path in TABLES else "site-nav")).to_be_visible()
    expect(page.locator("main").first).to_be_visible()


def _small_targets(page: Page) -> list[str]:
    """Return the links and buttons of the header that are smaller than 44 x 44 px."""
    targets: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('header a, header button')].filter((one) => {
          const { width, height } = one.getBoundingClientRect();
          return width > 0 && !one.classList.contains('skip') && (width < 44 || height < 44);
        }).map((one) => one.outerHTML.slice(0, 90))"""
    )
    return targets


def _opened(person: BrowserContext, language: str) -> Page:
    """Open the lobby and choose a language there."""
    page = person.new_page()
    page.goto("/")
    if language != "en":
        page.get_by_test_id("open-settings").click()
        page.get_by_test_id("language").select_option(language)
        page.keyboard.press("Escape")
        expect(page.locator("html")).to_have_attribute("lang", re.compile(f"^{language}"))
    return page


@pytest.mark.parametrize(
    ("device", "language"),
    sample_cases([("desktop", "en"), ("phone", "en"), ("phone", "es"), ("phone", "zh")], [("phone", "en")]),
)
def test_every_page_leads_to_every_area_and_every_link_to_its_page(
    device: str, language: str, request: pytest.FixtureRequest
) -> None:
    """All pages have the same header: a walk over all links that opens every area on its way proves all pairs."""
    person: BrowserContext = request.getfixturevalue(device)
    page = _opened(person, language)
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    walk: list[str] = []
    for area, path in WAYS:
        _taps(page, area, path)
        assert page.evaluate("document.documentElement.scrollWidth <= screen.width"), f"{path} scrolls sideways"
        if path in TABLES:
            continue
        expect(page.get_by_test_id(f"area-{area}")).to_have_class(re.compile(r"\bhere\b"))
        for other, paths in PAGES.items():
            button = page.get_by_test_id(f"area-{other}")
            button.click()
            links = page.locator(f"#pages-{other} a:visible")
            expect(links).to_have_count(len(paths))
            walk += [f"{path}: {other}: {text}" for text in links.all_inner_texts()]
            # The current page is marked, and nothing else.
            marked = page.locator(f"#pages-{other} a[aria-current=page]")
            expect(marked).to_have_count(1 if other == area else 0)
            button.click()
        assert not _small_targets(page), path
    assert not faults
    print("\n".join(walk))  # noqa: T201 (`pytest -rP` shows the texts, for reading)
    assert len(walk) == len(WAYS) * (len(WAYS) - len(TABLES))


@pytest.mark.parametrize("language", sample_cases(["en", "es", "zh"], ["en"]))
def test_the_first_card_is_two_taps_from_the_lobby_and_a_table_leads_to_every_page(
    phone: BrowserContext, language: str
) -> None:
    page = _opened(phone, language)
    page.get_by_test_id("play-now").click()
    expect(page.get_by_test_id("draws").locator("[data-card]").first).to_be_visible(timeout=30_000)
    page.get_by_test_id("open-menu").click()
    links = page.get_by_test_id("site-links").locator("a")
    expect(links).to_have_count(len(WAYS))
    print("\n".join(links.all_inner_texts()))  # noqa: T201
    page.get_by_test_id("site-links").get_by_test_id("nav-/score").click()
    expect(page).to_have_url(re.compile("/score$"))


def test_the_settings_are_one_tap_away_and_stay_open_when_the_language_changes(phone: BrowserContext) -> None:
    page = phone.new_page()
    page.goto("/score")
    page.get_by_test_id("open-settings").click()
    page.get_by_test_id("language").select_option("fi")
    expect(page.get_by_test_id("area-tools")).to_contain_text("Työkalut")
    expect(page.get_by_test_id("language")).to_be_visible()
    page.keyboard.press("Escape")
    # Escape also closes an area, and gives the focus back.
    page.get_by_test_id("area-learn").click()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("area-learn")).to_be_focused()
    expect(page.locator("#pages-learn")).to_be_hidden()
