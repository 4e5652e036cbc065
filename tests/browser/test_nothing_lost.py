"""What a player has done is not lost, and what a deal has brought can be read (issue 11, 1.2, 1.5 and 1.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.people import Person, begin_with_bots
from tests.browser.servers import Server, serve

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAUSE = 20
MINUTE = 60
SLOW = 8  # seconds that a busy machine may need to look
READ = 12_000  # milliseconds: longer than showdown and splendour together
BOARDS = ("2c3d4h/5s5d7c8c9d/JsJdJhKcKd", "2d3h4s/6s6d7d8h9s/QsQdQhAcAd")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serve(tmp_path, "--pause", str(PAUSE), "--bot-delay", "0", stackable=True) as running:
        yield running


def seconds_left(person: Person) -> int:
    """Return the seconds until the next deal, as the page counts them down."""
    return int("".join(filter(str.isdigit, person.sees("countdown").inner_text())))


def set_thirteen(person: Person) -> None:
    person.expect_turn()
    person.set(next(board for board in BOARDS if set(person.drawn()) >= {board[:2], board[-2:]}))


@pytest.mark.slow
def test_a_time_out_keeps_what_was_laid_and_lays_only_the_rest(desktop: BrowserContext, server: Server) -> None:
    """1.2: five cards in front and middle lie there when the time is over (Rules §6, timeout.layout)."""
    server.stack("2c3d4h5s7c")
    ann = Person(desktop.new_page(), "Ann")
    begin_with_bots(ann, "pineapple", 1, clock__seconds=25, clock__bank=0)
    ann.expect_turn()
    drawn = ann.drawn()
    assert len(drawn) == 5
    laid = dict(zip(drawn[:4], ("front", "front", "middle", "middle"), strict=True))
    ann.lay(laid)
    expect(ann.page.get_by_test_id("return")).to_be_visible()
    assert ann.row("front")[:2] == drawn[:2]
    assert ann.row("middle")[:2] == drawn[2:4]
    assert drawn[4] in ann.row("back")


@pytest.mark.slow
def test_a_result_stays_until_it_was_read(desktop: BrowserContext, phone: BrowserContext, server: Server) -> None:
    """1.5: the pause counts from when the numbers stand, and who wants a minute more says so, once a deal."""
    server.stack("".join(BOARDS).replace("/", ""))
    ann, bob = Person(desktop.new_page(), "Ann"), Person(phone.new_page(), "Bob", touch=True)
    link = ann.open_custom_table("closed_basic", clock__kind="none")
    ann.sit(0)
    bob.come(link)
    bob.sit(1)
    for person in (ann, bob):
        person.press("start")
    for person in (ann, bob):
        set_thirteen(person)
    for person in (ann, bob):
        person.sees("result")
    assert seconds_left(ann) > PAUSE - SLOW, "the pause counts from when the numbers stand"
    bob.press("wait")
    for person in (ann, bob):  # without a clock more time may be asked for again
        expect(person.page.get_by_test_id("wait")).to_be_visible()
    assert seconds_left(ann) > MINUTE - SLOW
    ann.page.wait_for_timeout(READ)
    for person in (ann, bob):
        expect(person.page.get_by_test_id("result")).to_be_visible()
    ann.press("next-deal")
    expect(ann.page.get_by_test_id("result")).to_be_visible()
    bob.press("next-deal")
    for person in (ann, bob):
        expect(person.page.get_by_test_id("result")).to_have_count(0)
        person.expect_turn()


@pytest.mark.slow
def test_the_lobby_announces_a_players_turn_and_lists_their_tables_first(
    desktop: BrowserContext, phone: BrowserContext
) -> None:
    """1.8: in mid-deal the lobby said `Watch` at one's own table."""
    ann, bob = Person(desktop.new_page(), "Ann"), Person(phone.new_page(), "Bob", touch=True)
    link = begin_with_bots(ann, "pineapple", 1, clock__kind="none")
    bob.open_custom_table("pineapple")
    ann.expect_turn()
    ann.page.goto("/")
    tables = ann.page.locator("[data-testid^='open-'][href^='/t/']")
    expect(tables).to_have_count(2)
    expect(tables.first).to_have_text("Your turn")
    expect(tables.first).to_have_attribute("href", link)
    tables.first.click()
    ann.expect_turn()
    expect(ann.page.get_by_test_id("my-board")).to_be_visible()
    bob.page.goto("/")
    others = bob.page.locator("[data-testid^='open-'][href^='/t/']")
    expect(others).to_have_count(2)
    expect(others.first).to_have_text("Return to table")
    expect(others.last).to_have_attribute("href", link)
    expect(others.last).not_to_have_text("Your turn")
