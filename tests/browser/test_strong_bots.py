"""Against two strong bots; others are answered at the usual speed while they think (issue 5, shown by 6)."""

from __future__ import annotations

import time
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.people import Person
from tests.browser.servers import Server, serve

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serve(tmp_path, "--pause", "60", "--bot-delay", "0") as running:
        yield running


def _task(person: Person) -> dict[str, Any]:
    """Return what is asked of a person, from their own view of the table."""
    table = person.page.url.rsplit("/", 1)[1]
    view = person.page.request.get(f"/api/tables/{table}").json()
    task: dict[str, Any] = view["deal"]["tasks"][0]
    return task


def _play_street(person: Person) -> None:
    """Fill the rows from the back up."""
    person.expect_turn()
    task = _task(person)
    slots = [row for row in ("back", "middle", "front") for _ in range(task["open"][row])]
    person.lay(dict(zip(task["cards"][: task["place"]], slots, strict=False)))
    person.ready()
    foul = person.page.get_by_test_id("foul-anyway")
    person.page.wait_for_timeout(400)
    if foul.is_visible():  # a certain foul is asked about once more
        foul.click()


@pytest.mark.slow
def test_a_deal_against_two_strong_bots(desktop: BrowserContext, phone: BrowserContext) -> None:
    ann, watcher = Person(desktop.new_page(), "Ann"), Person(phone.new_page(), "Wanda", touch=True)
    link = ann.open_custom_table("pineapple")
    ann.sit(0)
    ann.add_bot(1, "strong")
    ann.add_bot(2, "strong")
    watcher.come(link)
    ann.press("start")
    answered: list[float] = []
    for street in range(5):
        _play_street(ann)
        # Both bots think now; whoever asks the server for anything is answered meanwhile.
        until = time.monotonic() + 1
        while time.monotonic() < until:
            began = time.monotonic()
            assert watcher.page.request.get(link).ok
            answered.append(time.monotonic() - began)
        if street < 4:
            ann.expect_turn()
    expect(ann.page.get_by_test_id("result").first).to_be_visible()
    assert len(answered) > 20
    assert median(answered) < 0.25, "the table waits for no bot"
