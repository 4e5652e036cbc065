"""The table calls for its player: sounds, shakes, notifications, the title (issue 11, part 4).

What is worth a sound, when and how often: client/src/features/table/model/soundEvents.test.ts, voice.test.ts.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.browser.scripted_table import ScriptedTable
from tests.browser.servers import Server
from tests.table.session import FOUL, LAND, LOW, Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

# What a browser would do outside the page is written down instead.
WATCHED = """
  window.told = [];
  navigator.vibrate = (shake) => told.push(['vibrate', shake]) > 0;
  let hidden = false;
  Object.defineProperty(document, 'hidden', { get: () => hidden });
  window.hide = (now) => { hidden = now; document.dispatchEvent(new Event('visibilitychange')); };
  window.Notification = class {
    static permission = 'default';
    static async requestPermission() { told.push(['ask']); return (Notification.permission = 'granted'); }
    constructor(title, options) { told.push(['notify', title, options.body]); }
    close() { told.push(['close']); }
  };
"""
SOUNDS = "performance.getEntriesByType('mark').map((mark) => mark.name).filter((name) => name.startsWith('sound.'))"
SOON = 400  # milliseconds in which a sound that must not come would have come
# Queens in front: a fantasyland is reached; Bob fouls during it.
DEALS = ({0: LAND, 1: LOW}, {0: LAND, 1: FOUL})


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    context.add_init_script(WATCHED)
    yield context.new_page()
    context.close()


def sounds(page: Page) -> list[str]:
    """Return the sounds so far, in their order, after what is under way has come."""
    page.wait_for_timeout(SOON)
    return [name.removeprefix("sound.") for name in page.evaluate(SOUNDS)]


def until(page: Page, holds: str) -> None:
    """Wait until an expression holds on the page."""
    for _ in range(10_000 // 50):
        if page.evaluate(holds):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"{holds}: {page.evaluate('[told, document.title]')}")


@pytest.mark.slow
def test_a_table_sounds_vibrates_and_notifies_behind_other_windows(page: Page) -> None:
    stage = ScriptedTable(page, Session({"preset": "pineapple", "clock.kind": "none"}, boards=list(DEALS)))
    stage.open()
    expect(page).to_have_title("Our table · Triptych")
    stage.session.begin()
    stage.tell()
    while not stage.session.see("ann").yours:
        stage.act()
    expect(page).to_have_title("● Your turn · Our table · Triptych")
    assert sounds(page) == [], "nothing was touched yet"
    # Wanted, and only then, the system is asked; that is a gesture too.
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id("notifications").check()
    page.keyboard.press("Escape")
    page.wait_for_timeout(SOON)
    stage.play()
    assert Counter(sounds(page)) == Counter({"turn": 4, "fantasyland": 1})
    stage.play()
    assert Counter(sounds(page)) == Counter({"deal": 1, "turn": 5, "fantasyland": 1, "foul": 1})
    counts = Counter(what for what, *_ in page.evaluate("told"))
    assert counts == Counter({"ask": 1, "vibrate": 6}), "a shake a turn, and no call while the page is seen"
    # Hidden, it calls; seen again, the call is gone. Silent by its switch, also after a reload.
    page.get_by_test_id("sound-switch").click()
    page.reload()
    expect(page.get_by_test_id("sound-switch")).to_have_attribute("aria-pressed", "false")
    page.evaluate("Notification.permission = 'granted'; hide(true)")
    stage.session.begin()
    stage.tell()
    while not stage.session.see("ann").yours:
        stage.act()
    until(page, "told.some(([what]) => what === 'notify')")
    assert page.evaluate("told.filter(([what]) => what === 'notify')[0]")[:2] == ["notify", "Our table"]
    page.evaluate("hide(false)")
    assert page.evaluate("told.at(-1)") == ["close"]
    assert sounds(page) == []
