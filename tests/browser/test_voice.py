"""The table calls for its player: sounds, shakes, notifications, the title (issue 11, part 4)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.browser.servers import Server, serve
from tests.browser.stage import Stage
from tests.room.evening import FOUL, LAND, LOW, PLAIN, Evening

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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("voice")) as running:
        yield running


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    context.add_init_script(WATCHED)
    yield context.new_page()
    context.close()


def heard(page: Page) -> list[str]:
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


def gesture(page: Page) -> None:
    """Make the first gesture: from now on the page may be heard."""
    page.get_by_test_id("prompt").click()
    page.wait_for_timeout(SOON)


def quiet(**clock: object) -> Evening:
    return Evening({"preset": "pineapple", "clock.kind": "none", **clock}, boards=list(DEALS))


# Queens in front: a fantasyland is reached; Bob fouls during it; a deal with neither.
DEALS = ({0: LAND, 1: LOW}, {0: LAND, 1: FOUL}, {0: PLAIN, 1: LOW})


def test_each_event_has_its_sound_over_several_deals(page: Page) -> None:
    stage = Stage(page, quiet())
    stage.open()
    gesture(page)
    expected = (
        {"deal": 1, "turn": 5, "fantasyland": 1},
        {"deal": 1, "turn": 1, "foul": 1},
        {"deal": 1, "turn": 5},
    )
    before: Counter[str] = Counter()
    for sounds in expected:
        stage.play()
        now = Counter(heard(page))
        assert now - before == Counter(sounds)
        before = now


def test_a_sound_is_made_of_notes_that_end(page: Page) -> None:
    """The mark is no word only: as many notes are struck as stopped."""
    page.add_init_script("""
      window.struck = [];
      for (const name of ['start', 'stop']) {
        const real = OscillatorNode.prototype[name];
        OscillatorNode.prototype[name] = function (at) { struck.push([name, at]); return real.call(this, at); };
      }
    """)
    stage = Stage(page, quiet())
    stage.open()
    gesture(page)
    stage.evening.begin()
    stage.tell()
    assert heard(page)
    struck = page.evaluate("struck")
    starts, stops = ([at for name, at in struck if name == wanted] for wanted in ("start", "stop"))
    assert len(starts) == len(stops) > 1
    assert all(start < stop < start + 2 for start, stop in zip(starts, stops, strict=True))


def test_nothing_is_heard_before_a_gesture_or_with_sounds_off(page: Page) -> None:
    stage = Stage(page, quiet())
    stage.open()
    stage.play()
    assert heard(page) == []
    page.get_by_test_id("sound-switch").click()
    expect(page.get_by_test_id("sound-switch")).to_have_attribute("aria-pressed", "false")
    stage.play()
    assert heard(page) == []
    page.reload()
    expect(page.get_by_test_id("sound-switch")).to_have_attribute("aria-pressed", "false")
    page.get_by_test_id("sound-switch").click()
    stage.play()
    assert Counter(heard(page)) == Counter({"deal": 1, "turn": 5})


def test_nothing_old_and_nothing_of_other_tables_is_heard(page: Page) -> None:
    """A connection that comes back, a repeated view, another table's view, a page that is opened in mid-turn."""
    stage = Stage(page, quiet())
    stage.evening.begin()
    stage.open()
    gesture(page)
    stage.tell()
    assert heard(page) == []
    for _ in range(3):
        stage.evening.act()
    stage.cut()
    expect(page.get_by_test_id("connection-back")).to_be_visible()
    assert heard(page) == []
    other = quiet()
    other.begin()
    stage.tell(other.see("ann"), table="another")
    assert heard(page) == []
    stage.act()
    assert Counter(heard(page)) <= Counter({"turn": 1})


@pytest.mark.parametrize("answers", [False, True])
@pytest.mark.slow
def test_time_running_out_is_heard_once(page: Page, *, answers: bool) -> None:
    """Half of a clock of eight seconds; not when the street was answered before."""
    stage = Stage(page, Evening({"preset": "pineapple", "clock.seconds": 8, "clock.bank": 0}))
    stage.open()
    gesture(page)
    stage.evening.begin()
    while stage.evening.see("ann").clocks[0].seat != 0:
        stage.evening.act()
    stage.tell()
    if answers:
        stage.act()
        page.wait_for_timeout(5_000)
        assert "time" not in heard(page)
        return
    until(page, f"({SOUNDS}).includes('sound.time')")
    page.wait_for_timeout(3_000)
    assert heard(page).count("time") == 1


def test_the_phone_shakes_at_ones_turn_unless_switched_off(page: Page) -> None:
    stage = Stage(page, quiet())
    stage.open()
    gesture(page)
    stage.play()
    shakes = [told for told in page.evaluate("told") if told[0] == "vibrate"]
    assert len(shakes) == 5
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id("vibration").uncheck()
    page.keyboard.press("Escape")
    stage.play()
    assert len([told for told in page.evaluate("told") if told[0] == "vibrate"]) == 5


def test_a_notification_comes_only_when_wanted_and_only_to_a_hidden_page(page: Page) -> None:
    stage = Stage(page, quiet())
    stage.open()
    stage.play()
    assert page.evaluate("told.filter(([what]) => what !== 'vibrate')") == [], "nobody was asked"
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id("notifications").check()
    page.keyboard.press("Escape")
    assert page.evaluate("told.filter(([what]) => what !== 'vibrate')") == [["ask"]]
    stage.evening.begin()
    stage.tell()
    assert page.evaluate("told.filter(([what]) => what === 'notify')") == [], "the page is seen"
    while stage.evening.see("ann").yours:
        stage.act()
    page.evaluate("hide(true)")
    while not stage.evening.see("ann").yours:
        stage.act()
    until(page, "told.some(([what]) => what === 'notify')")
    assert page.evaluate("told.filter(([what]) => what === 'notify')[0]")[:2] == ["notify", "Our table"]
    page.evaluate("hide(false)")
    assert page.evaluate("told.at(-1)") == ["close"]


def test_the_title_says_whose_turn_it_is_and_forgets_it(page: Page) -> None:
    stage = Stage(page, quiet())
    stage.open()
    expect(page).to_have_title("Our table · Triptych")
    stage.evening.begin()
    for _ in range(4):
        yours = bool(stage.evening.see("ann").deal.tasks)  # type: ignore[union-attr]
        stage.tell()
        expect(page).to_have_title(f"{'● Your turn · ' if yours else ''}Our table · Triptych")
        stage.evening.act()
