"""Placing by drag, by finger and by keyboard, taking back, a connection lost (issue 2, part 8)."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, WebSocketRoute, expect

from tests.browser.people import Person
from tests.browser.servers import Server, serve

PLACES = (("front", "q"), ("middle", "w"), ("back", "e"))


def _at_the_table(person: Person) -> Person:
    """Sit down against a bot and wait for the first five cards; nothing slides, so that places can be measured."""
    person.page.emulate_media(reduced_motion="reduce")
    person.call_me()
    person.open_table()
    person.sit(0)
    person.add_bot(1, "random")
    person.press("start")
    person.expect_turn()
    expect(person.page.get_by_test_id("draws").locator("[data-mine]")).to_have_count(5)
    return person


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server whose bots do not hesitate."""
    with serve(tmp_path, "--bot-delay", "0") as running:
        yield running


@pytest.fixture
def ann(desktop: BrowserContext) -> Person:
    """Ann at the desktop, with five cards to place."""
    return _at_the_table(Person(desktop.new_page(), "Ann"))


def _in_row(page: Page, row: str, card: str) -> Locator:
    return page.get_by_test_id(f"row-{row}").get_by_test_id(f"card-{card}")


def _middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_card_is_dragged_with_the_mouse(ann: Person) -> None:
    page, card = ann.page, ann.drawn()[0]
    for row in ("front", "back"):
        start, end = _middle(page.get_by_test_id(f"card-{card}")), _middle(page.get_by_test_id(f"row-{row}"))
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*end, steps=6)
        page.mouse.up()
        expect(_in_row(page, row, card)).to_be_visible()
    page.mouse.move(*_middle(_in_row(page, "back", card)))
    page.mouse.down()
    page.mouse.move(*_middle(page.get_by_test_id("prompt")), steps=6)
    page.mouse.up()
    expect(page.get_by_test_id("draws").get_by_test_id(f"card-{card}")).to_be_visible()


def test_a_card_is_dragged_with_a_finger(phone: BrowserContext) -> None:
    bob = _at_the_table(Person(phone.new_page(), "Bob", touch=True))
    page, card = bob.page, bob.drawn()[2]
    (x, y), (to_x, to_y) = _middle(page.get_by_test_id(f"card-{card}")), _middle(page.get_by_test_id("row-middle"))
    finger = phone.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 9):
        point = {"x": x + (to_x - x) * step / 8, "y": y + (to_y - y) * step / 8}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(_in_row(page, "middle", card)).to_be_visible()


def test_keys_place_take_back_and_confirm(ann: Person) -> None:
    page, cards = ann.page, ann.drawn()
    for number, (row, key) in enumerate(PLACES):
        page.keyboard.press(str(number + 1))
        page.keyboard.press(key)
        expect(_in_row(page, row, cards[number])).to_be_visible()
    page.keyboard.press("Backspace")
    expect(page.get_by_test_id("draws").get_by_test_id(f"card-{cards[2]}")).to_be_visible()
    for number in (2, 3, 4):
        page.keyboard.press(str(number + 1))
        page.keyboard.press("e")
    expect(page.get_by_test_id("ready")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("my-board").locator("button[data-mine]")).to_have_count(0)
    expect(_in_row(page, "back", cards[4])).to_be_visible()


def test_a_tap_takes_back_and_a_full_row_takes_no_more(ann: Person) -> None:
    page, cards = ann.page, ann.drawn()
    ann.lay(dict.fromkeys(cards[:3], "front"))
    ann.press(f"card-{cards[3]}")
    expect(page.get_by_test_id("place-front")).to_have_count(0)
    expect(page.get_by_test_id("place-back")).to_have_count(1)
    page.keyboard.press("Escape")
    ann.press(f"card-{cards[0]}")
    expect(page.get_by_test_id("draws").get_by_test_id(f"card-{cards[0]}")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("place-front")).to_have_count(1)


def test_the_screen_reader_is_told(ann: Person, axe: Callable[[Page], None]) -> None:
    page = ann.page
    expect(page.get_by_test_id("prompt")).to_have_attribute("aria-live", "polite")
    ann.press(f"card-{ann.drawn()[0]}")
    expect(page.get_by_role("button", name="Place in front")).to_be_visible()
    axe(page)


def test_the_connection_is_lost_and_comes_back(desktop: BrowserContext) -> None:
    page = desktop.new_page()
    lines: list[WebSocketRoute] = []

    def through(line: WebSocketRoute) -> None:
        line.connect_to_server()
        lines.append(line)

    page.route_web_socket("**/ws", through)
    ann = _at_the_table(Person(page, "Ann"))
    cards = ann.drawn()
    lines[-1].close()
    expect(page.get_by_test_id("connection-lost").or_(page.get_by_test_id("connection-back"))).to_be_visible()
    # What is laid meanwhile is told as soon as the connection is back.
    ann.lay({cards[0]: "back"})
    expect(page.get_by_test_id("row-back-name")).not_to_be_empty()
    page.reload()
    expect(_in_row(page, "back", cards[0])).to_be_visible()
