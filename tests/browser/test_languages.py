"""Every language on a small phone: nothing leaves the page, no word its button; a change keeps what I have laid."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.overflow import spilled
from tests.browser.people import PICTURES
from tests.browser.servers import Server
from tests.case_sample import sample_cases

SMALL = ViewportSize(width=360, height=640)
LANGUAGES = {"en": "en-GB", "zh": "zh-CN", "ru": "ru-RU", "es": "es-ES", "fi": "fi-FI", "vi": "vi-VN"}
TAGS = {**dict.fromkeys(LANGUAGES, ""), "zh": "zh-Hans"}


@pytest.fixture
def phone(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A small phone whose browser asks for the test's language."""
    context = browser.new_context(
        base_url=server.url, viewport=SMALL, has_touch=True, is_mobile=True, locale=LANGUAGES[request.param]
    )
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")
    yield page
    context.close()


def fits(page: Page, what: str, language: str) -> None:
    """Wait until the page has settled, leave a picture for the eye, and see that nothing spills."""
    page.wait_for_load_state("networkidle")
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{language}-{what}.png")
    assert spilled(page) == [], (language, what)


@pytest.mark.parametrize(
    ("phone", "language"),
    sample_cases([(language, language) for language in LANGUAGES], [("ru", "ru"), ("vi", "vi")]),
    indirect=["phone"],
)
@pytest.mark.slow
def test_the_pages_fit_a_small_phone(phone: Page, language: str) -> None:
    phone.goto("/")
    expect(phone.get_by_test_id("my-name")).to_be_visible()
    expect(phone.locator("html")).to_have_attribute("lang", TAGS[language] or language)
    expect(phone.get_by_test_id("preset-summary")).to_be_visible()
    fits(phone, "lobby", language)
    phone.locator("summary").first.click()
    fits(phone, "lobby-choices", language)
    phone.get_by_test_id("open-settings").click()
    expect(phone.get_by_test_id("language")).to_be_visible()
    fits(phone, "settings", language)
    for what, address, there in (
        ("rules", "/rules", "start-pineapple"),
        ("editor", "/rules/pineapple", "rules-title"),
        ("scorer", "/score", "score-rules"),
        ("analyse", "/analyse", "deck"),
        ("replay", "/history", "history-text"),
    ):
        phone.goto(address)
        expect(phone.get_by_test_id(there)).to_be_visible()
        fits(phone, what, language)


READY = {"en": "Ready", "zh": "准备好", "ru": "Готово", "es": "Listo", "fi": "Valmis", "vi": "Sẵn sàng"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("phone", "others"),
    sample_cases(
        [("ru", ("zh",)), ("ru", ("vi", "zh")), ("vi", ("fi", "ru")), ("en", ("es", "zh"))], [("ru", ("zh",))]
    ),
    indirect=["phone"],
)
def test_the_table_and_its_drawers_fit_and_a_change_of_language_keeps_what_i_have_laid(
    phone: Page, others: tuple[str, ...], request: pytest.FixtureRequest
) -> None:
    """Nothing of it needs a reload, and the choice is remembered."""
    phone.goto("/")
    phone.get_by_test_id("play-now").click()
    card = phone.get_by_test_id("draws").locator("[data-testid^='card-']").first
    name = str(card.get_attribute("data-testid"))
    card.tap()
    phone.get_by_test_id("place-back").tap()
    laid = phone.get_by_test_id("row-back").get_by_test_id(name)
    expect(laid).to_be_visible()
    phone.evaluate("window.here = true")
    first = request.node.callspec.params["phone"]
    prompt = phone.get_by_test_id("prompt").inner_text()
    for language in (first, *others):
        if language != first:
            phone.get_by_test_id("open-menu").click()
            phone.get_by_test_id("language").select_option(language)
            phone.keyboard.press("Escape")
            expect(phone.get_by_role("dialog")).to_have_count(0)
            expect(phone.get_by_test_id("prompt")).not_to_contain_text(prompt)
        expect(phone.get_by_test_id("ready")).to_have_text(READY[language])
        expect(laid).to_be_visible()
        table_and_drawers_fit(phone, language)
    assert phone.evaluate("window.here") is True
    phone.goto("/score")
    expect(phone.locator("html")).to_have_attribute("lang", TAGS[others[-1]] or others[-1])


def table_and_drawers_fit(phone: Page, language: str) -> None:
    fits(phone, "table", language)
    for drawer in ("open-score", "open-talk", "open-menu"):
        phone.get_by_test_id(drawer).click()
        expect(phone.get_by_role("dialog")).to_be_visible()
        fits(phone, drawer, language)
        phone.keyboard.press("Escape")
        expect(phone.get_by_role("dialog")).to_have_count(0)
