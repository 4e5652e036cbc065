"""Every page in every language, on four widths, light and dark, fits and is for everybody (issue 31, shown by 2).

The routes are those of `client/src/shared/routes.json`: a new one without an address here fails.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.accessibility import violations
from tests.browser.conftest import PATIENCE
from tests.browser.overflow import spilled
from tests.browser.people import Person
from tests.browser.servers import Server
from tests.browser.test_languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable

ROUTES = Path(__file__).parents[2] / "client" / "src" / "shared" / "routes.json"
Theme = Literal["light", "dark"]
# The address of each route; a table's and a tournament's are made first.
ADDRESSES = {
    "/": "/",
    "/t/{table}": "",
    "/cup/{cup}": "",
    "/solo/{preset?}": "/solo",
    "/daily": "/daily",
    "/duplicate/{preset?}": "/duplicate",
    "/learn/{lesson?}": "/learn",
    "/help/{topic?}": "/help/game",
    "/practice": "/practice",
    "/analyse/{preset?}": "/analyse",
    "/score": "/score",
    "/rules/{preset?}": "/rules",
    "/history": "/history",
    "/history/{table}/{deal:number}": "/history/nowhere/1",
    "/review": "/review",
    "/review/{table}/{deal:number}": "/review/nowhere/1",
    "/me/{table?}": "/me",
    "/device": "/device",
}
MORE = ("/rules/pineapple", "/solo/pineapple", "/no/such/page")
WIDTHS = {360: 640, 390: 844, 820: 1180, 1440: 900}
TOURNAMENT = {
    "name": "Friday cup",
    "rules": {"preset": "pineapple"},
    "stack": 100,
    "levels": [1, 5],
    "level_kind": "deals",
    "level_length": 1,
    "pause": 0,
    "most": 4,
}

# What a finger is to hit, without links in a sentence, cards (their number decides their size) and what is hidden.
_SMALL = """() => {
  const places = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button]';
  const inSentence = (one) => {
    if (!/^inline/.test(getComputedStyle(one).display) || one.tagName === 'INPUT') return false;
    const around = one.closest('p, li, dd, td, label, small, figcaption');
    return around !== null && around.textContent.trim().length > one.textContent.trim().length + 3;
  };
  const found = [];
  for (const one of document.querySelectorAll(places)) {
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (one.closest('.skip, .unseen, [aria-hidden=true]')) continue;
    if (one.closest('[data-slot], [data-mine], [data-card]') || inSentence(one)) continue;
    const tick = /^(checkbox|radio)$/.test(one.type ?? '') ? one.closest('label') ?? one : one;
    const { width, height } = tick.getBoundingClientRect();
    if (width < 2 || height < 2 || (width >= 43.5 && height >= 43.5)) continue;
    found.push(`${Math.round(width)} x ${Math.round(height)}: ${one.outerHTML.slice(0, 110)}`);
  }
  return found;
}"""
# A message's key where its words should be.
_KEYS = """() => {
  const words = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    const around = node.parentElement;
    if (around === null || around.closest('code, pre, textarea, script, style, kbd, input')) continue;
    words.push(...(node.data.match(/(?<![\\w./:@-])[a-z]+(?:[_.][a-z0-9]+)*_[a-z0-9_.]+(?![\\w/])/g) ?? []));
  }
  // The values of options are names that the page explains.
  const values = new Set([...document.querySelectorAll('code')].map((one) => one.textContent.trim()));
  return words.filter((word) => !values.has(word));
}"""


def paths() -> list[str]:
    """Return the paths of the client's table of routes."""
    return [route["path"] for route in json.loads(ROUTES.read_text())]


def test_every_route_has_an_address_here() -> None:
    assert sorted(ADDRESSES) == sorted(paths())


class RouteWalk:
    """One person in one language; `faults` is what has been found so far, by where."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []
        self._where = ""
        page.on("console", lambda message: self._hear(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self._hear(str(error)))

    def _hear(self, text: str) -> None:
        # What the server does not have is told by the page: the browser's own line about it is no fault.
        if "the server responded with a status of 4" not in text:
            self.faults.append(f"{self._where}: console: {text}")

    def at(self, address: str, widths: Iterable[int], themes: Iterable[Theme]) -> None:
        """Open an address and look at it in every width and theme."""
        page = self.page
        self._where = address
        page.goto(address)
        expect(page.locator("main").first).to_be_visible()
        page.wait_for_load_state("networkidle")
        for width in widths:
            page.set_viewport_size(ViewportSize(width=width, height=WIDTHS[width]))
            for theme in themes:
                self._where = f"{address} {width} {theme}"
                page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                page.locator(f"html[data-theme={theme}]").wait_for()
                page.evaluate(_DRAWN)  # the media queries of a new width hold from the next frame on
                self._look()

    def _look(self) -> None:
        problems = [
            *spilled(self.page),
            *self.page.evaluate(_SMALL),
            *(f"raw key {key}" for key in self.page.evaluate(_KEYS)),
        ]
        problems += [f"{fault['id']}: {node['html'][:120]}" for fault in self._axe() for node in fault["nodes"]]
        self.faults += [f"{self._where}: {what}" for what in problems]

    def _axe(self) -> list[dict[str, Any]]:
        """Return what axe finds; colours on their way from one theme to the other are no fault."""
        faults = violations(self.page)
        if faults:
            self.page.wait_for_timeout(400)
            faults = violations(self.page)
        return faults


_DRAWN = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
_POST = """async ([path, body]) => {
    const headers = { 'content-type': 'application/json' };
    return await (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}"""


def walked(
    browser: Browser, server: Server, language: str, widths: Iterable[int], themes: Iterable[Theme]
) -> list[str]:
    """Return the faults of all pages in one language."""
    context = browser.new_context(base_url=server.url, locale=LANGUAGES[language])
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    ann = Person(page, "Ann")
    table = ann.open_custom_table("pineapple")
    tournament: str = page.evaluate(_POST, ["/api/cups", TOURNAMENT])["link"]
    walk = RouteWalk(page)
    for address in (*(address for address in ADDRESSES.values() if address), table, tournament, *MORE):
        walk.at(address, widths, themes)
    context.close()
    return walk.faults


def test_the_scorer_and_the_rules_on_a_small_phone(browser: Browser, server: Server) -> None:
    """A sample of the walk for every run."""
    context = browser.new_context(base_url=server.url, locale=LANGUAGES["ru"])
    walk = RouteWalk(context.new_page())
    for address in ("/score", "/rules/pineapple"):
        walk.at(address, (360,), ("light",))
    context.close()
    assert walk.faults == []


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_and_is_accessible(browser: Browser, server: Server, language: str) -> None:
    assert walked(browser, server, language, WIDTHS, ("light", "dark")) == []
