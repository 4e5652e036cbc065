"""The page keeps its view by the parts that changed, and proves that it holds what the server does (issue 12, 1c)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.servers import Server, serve
from tests.browser.stage import Stage
from tests.room.evening import Evening
from triptych.room import commands as c

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("parts")) as running:
        yield running


@pytest.fixture
def stage(browser: Browser, server: Server) -> Iterator[Stage]:
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    stage = Stage(context.new_page(), Evening({"preset": "pineapple", "stake.point": 0.25}))
    stage.open()
    yield stage
    context.close()


def test_a_page_that_is_told_parts_holds_the_whole(stage: Stage) -> None:
    """Every update of two deals is proved; a page that came to another number would ask for the whole."""
    evening = stage.evening
    for said in ("ä“\\\u2028\u0007", "牌 🂡 </p>"):
        before = evening.state()
        evening.ask("bob", c.Say(said))
        stage.tell_parts(before)
    for price in (0.25, 2):
        before = evening.state()
        evening.ask("ann", c.ChangeRules({"stake.point": price}))
        evening.begin()
        stage.tell_parts(before)
        while not evening.state().settled:
            before = evening.state()
            evening.act()
            stage.tell_parts(before)
    expect(stage.page.get_by_test_id("stage")).to_have_attribute("data-phase", "showdown")
    expect(stage.page.get_by_test_id("talk")).to_contain_text("牌 🂡 </p>")
    assert [asked["whole"] for asked in stage.watches] == [False]


def test_a_page_that_missed_something_asks_for_the_whole_once(stage: Stage) -> None:
    evening, talk = stage.evening, stage.page.get_by_test_id("talk")
    evening.ask("bob", c.Say("one"))
    for said in ("two", "three"):
        before = evening.state()
        evening.ask("bob", c.Say(said))
        stage.tell_parts(before)
    expect(talk).to_contain_text("three")
    expect(talk).to_contain_text("one")
    assert len(stage.watches) == 2


def test_a_page_that_cannot_prove_what_it_holds_asks_for_the_whole(stage: Stage) -> None:
    before = stage.evening.state()
    stage.evening.ask("bob", c.Say("hello"))
    stage.tell_parts(before, wrong=1)
    expect(stage.page.get_by_test_id("talk")).to_contain_text("hello")
    assert len(stage.watches) == 2
