"""What opens over a table, one's own pages, a tournament's: all fit a small phone in each language, and please axe.

Issue 11, shown by 4 and 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser import every_dialog
from tests.browser.accessibility import violations
from tests.browser.conftest import DESKTOP, PATIENCE
from tests.browser.overflow import spilled
from tests.browser.people import PICTURES
from tests.browser.servers import Server
from tests.browser.test_languages import LANGUAGES, SMALL
from tests.case_sample import sample_cases

if TYPE_CHECKING:
    from collections.abc import Callable

    from triptych.i18n.languages import Language

Looks = tuple[tuple[Literal["dark", "light"], ViewportSize], ...]
QUICK: Looks = (("dark", DESKTOP), ("light", SMALL))
EVERY: Looks = (("dark", DESKTOP), ("light", DESKTOP), ("dark", SMALL), ("light", SMALL))
# Finnish has the longest words; the slow walks go on in the other languages.
LANGUAGES_WALKED = [
    pytest.param("fi", QUICK),
    *(pytest.param(language, EVERY, marks=pytest.mark.slow) for language in LANGUAGES if language != "fi"),
]
WALKS: dict[str, Callable[[Page, every_dialog.Look], None]] = {
    "over a table": every_dialog.over_a_table,
    "newcomers": every_dialog.newcomers,
    "apart": every_dialog.apart,
    "tournaments": every_dialog.tournaments,
}


class PageFindings:
    """What has been found so far: by axe in every look, and what does not fit a small phone."""

    def __init__(self, page: Page, language: str, looks: Looks) -> None:
        self.page = page
        self.language = language
        self.looks = looks
        self.faults: list[str] = []

    def at(self, where: str) -> None:
        """Look at the page as it is, last as it was before."""
        self.page.wait_for_load_state("networkidle")
        self.faults += [f"{where}: {what}" for what in spilled(self.page)]
        for theme, size in self.looks:
            self.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            self.page.set_viewport_size(size)
            self.page.locator(f"html[data-theme={theme}]").wait_for()
            if PICTURES:
                self.page.screenshot(path=f"{PICTURES}/{self.language}-{where}-{theme}-{size['width']}.png")
            self.faults += [
                f"{where}, {theme}, {size['width']}: {fault['id']}: {node['html'][:160]}: {node['failureSummary']}"
                for fault in self._violations()
                for node in fault["nodes"]
            ]

    def _violations(self) -> list[dict[str, Any]]:
        """Return what axe finds; colours on their way from one look to the next are no fault, so it looks again."""
        for _ in range(10):
            faults = violations(self.page)
            if not faults:
                break
            self.page.wait_for_timeout(500)
        return faults


@pytest.fixture
def looked(browser: Browser, server: Server, language: Language, looks: Looks) -> Iterator[PageFindings]:
    context = browser.new_context(
        base_url=server.url, viewport=SMALL, locale=LANGUAGES[language], reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE)
    yield PageFindings(context.new_page(), language, looks)
    context.close()


@pytest.mark.parametrize(("language", "looks"), LANGUAGES_WALKED)
@pytest.mark.parametrize("walk", sample_cases(list(WALKS), ["over a table"]))
@pytest.mark.slow
def test_every_dialog_fits_and_is_accessible(looked: PageFindings, walk: str) -> None:
    WALKS[walk](looked.page, looked.at)
    assert looked.faults == []


@pytest.mark.slow
@pytest.mark.parametrize(("language", "looks"), LANGUAGES_WALKED)
def test_a_player_looked_at_closer_and_the_question_before_a_foul(looked: PageFindings, language: Language) -> None:
    every_dialog.over_a_staged_table(looked.page, looked.at, language)
    assert looked.faults == []
