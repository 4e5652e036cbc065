"""Moves set before one's turn, at the page: laid, confirmed, taken back, done at the turn (issue 11, part 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Person
from tests.browser.scripted_table import ScriptedTable
from tests.browser.servers import Server
from tests.table.session import Session, placing
from tests.table.test_premoves import CLOSED, FIRST_FIVE, TWO
from triptych.deal.actions import Announce
from triptych.deal.engine import acting_hands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def waiting(page: Page) -> tuple[ScriptedTable, Person, int]:
    """Return the page of who does not act first, at a table where all have their first five; and their hand."""
    session = Session(FIRST_FIVE)
    session.begin()
    deal = session.state().deal
    assert deal is not None
    (first,) = acting_hands(deal)
    waits = session.owner(1 - first)
    stage = ScriptedTable(page, session, waits.player)
    stage.open()
    page.get_by_test_id("tray-ahead").wait_for()
    return stage, Person(page, waits.name), 1 - first


def lay(person: Person) -> list[str]:
    cards = person.drawn()
    person.lay(dict(zip(cards, ("back", "back", "middle", "middle", "front"), strict=True)))
    return cards


@pytest.mark.slow
def test_ready_ahead_is_placed_when_the_turn_comes(page: Page) -> None:
    stage, person, hand = waiting(page)
    cards = lay(person)
    person.press("ready-ahead")
    expect(page.get_by_test_id("take-back")).to_be_visible()
    assert stage.session.hands()[hand].street == 0
    stage.session.ask(stage.session.owner(1 - hand).player, placing(stage.session))
    stage.tell()
    expect(page.get_by_test_id("tray-ahead")).to_have_count(0)
    assert stage.session.hands()[hand].street == 1
    assert person.row("front") == cards[4:]
    assert person.row("back") == cards[:2]


def test_play_is_announced_ahead_and_a_second_tap_takes_it_back(page: Page) -> None:
    session = Session(CLOSED, boards=[TWO])
    session.begin()
    me, other = session.owner(1), session.owner(0)
    session.ask(me.player, placing(session, 1))
    stage = ScriptedTable(page, session, me.player)
    stage.open()
    for pressed in ("true", "false", "true"):
        page.get_by_test_id("ahead-play").click()
        expect(page.get_by_test_id("ahead-play")).to_have_attribute("aria-pressed", pressed)
    session.ask(other.player, placing(session, 0))
    session.ask(other.player, Announce(0, play=True))
    stage.tell()
    expect(page.get_by_test_id("result").first).to_be_visible()
