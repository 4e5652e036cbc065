"""A tournament of nine at a date, with restarts of the server, on phones and on desktops (issue 32, shown by 5).

Chips and places are counted again from the histories of all its tables; see recount.py.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.recount import Deal, deal_from_history, places
from tests.browser.several_people import SIZES, look, together
from tests.browser.test_tournament_restarts import RestartableServer, set_all_cards
from tests.browser.test_tournaments import LONGEST, tournament_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.browser.people import Person

STACK, LEVELS, PRIZES = 60, "4 8 16 32 64 128 256 512", [10, 6, 4]
NINE = 9


@pytest.fixture
def restartable(tmp_path: Path) -> Iterator[RestartableServer]:
    with ExitStack() as stack:
        yield RestartableServer(tmp_path, stack)


@pytest.fixture(params=SIZES)
def players(
    request: pytest.FixtureRequest, browser: Browser, restartable: RestartableServer
) -> Iterator[list[Person]]:
    """Three players; the other six are bots."""
    with together(browser, restartable.server.url, ("Ann", "Ben", "Cid"), SIZES[request.param]) as people:
        yield people


def announce(ann: Person) -> tuple[str, datetime]:
    """Fill in the form: nine players, at a minute that comes soon; returns the tournament's page and that minute."""
    page = ann.page
    ann.come()
    ann.press("announce-cup")
    page.get_by_test_id("cup-preset").select_option("closed_basic")
    for field, value in (("name", "Nine"), ("most", str(NINE)), ("stack", str(STACK)), ("length", "2")):
        page.get_by_test_id(f"cup-{field}").fill(value)
    page.get_by_test_id("cup-levels").fill(LEVELS)
    page.get_by_test_id("cup-unlisted").check()
    page.get_by_test_id("new-cup").locator("summary").click()
    page.get_by_test_id("cup-fill").select_option("novice")
    page.get_by_test_id("cup-prize-kind").select_option("points")
    page.get_by_test_id("cup-prizes").fill(" ".join(map(str, PRIZES)))
    page.get_by_test_id("cup-begins").select_option("-1")
    begins = (datetime.now().astimezone() + timedelta(seconds=100)).replace(second=0, microsecond=0)
    page.get_by_test_id("cup-date").fill(begins.strftime("%Y-%m-%dT%H:%M"))
    look(ann, "nine-new")
    ann.press("create-cup")
    page.wait_for_url("**/cup/*")
    return page.url, begins


def histories(ann: Person, tournament: str) -> list[Deal]:
    """Return all deals of all tables, from the texts that anybody may fetch."""
    deals = []
    table = 1
    while (response := ann.page.context.request.get(f"/api/tables/{tournament}-{table}/deals")).ok:
        deals += [
            deal_from_history(
                ann.page.context.request.get(
                    f"/api/tables/{tournament}-{table}/deals/{deal['sheet']['deal']}/history"
                ).text()
            )
            for deal in response.json()
        ]
        table += 1
    return deals


@pytest.mark.slow  # it waits for its date
def test_places_of_a_dated_tournament_are_what_its_histories_say(
    players: list[Person], restartable: RestartableServer
) -> None:
    ann, ben, cid = players
    link, begins = announce(ann)
    tournament = link.rpartition("/")[2]
    for person in players:
        person.come(link)
        person.press("cup-register")
        person.sees("cup-withdraw")
    look(ben, "nine-announced")
    restartable.kill()
    assert tournament_of(restartable.server, tournament)["starts_at"] == begins.timestamp() * 1000
    for person in (cid, ben):
        person.page.wait_for_url("**/t/*", timeout=150_000)
        person.says("to-cup", "9 of 9")
    look(ben, "nine-seated")
    killed = False
    end = time.monotonic() + LONGEST
    while (now := restartable.tournament(tournament))["phase"] != "over":
        assert time.monotonic() < end, now
        if not killed and now["left"] < NINE:
            look(ann, "nine-course")
            restartable.kill()
            killed = True
        for person in players:
            set_all_cards(person)
        time.sleep(0.1)
    assert killed

    entries = {entry["name"]: entry for entry in now["entries"]}
    deals = histories(ann, tournament)
    worth = {points for deal in deals for points in deal.worth}
    assert worth <= {int(level) for level in LEVELS.split()}
    assert len(worth) > 1
    placed, chips = places(deals, dict.fromkeys(entries, STACK))
    assert sum(chips.values()) == NINE * STACK
    assert {name: entry["place"] for name, entry in entries.items()} == placed
    assert {name: entry["chips"] for name, entry in entries.items()} == chips
    assert sum(entry["prize"] for entry in entries.values()) == sum(PRIZES)
    for person in players:
        person.page.goto(link)
        person.says("cup-how", "won")
        rows = person.page.get_by_test_id("entry")
        expect(rows).to_have_count(NINE)
        standings = {
            row.get_by_role("rowheader").inner_text(): (
                int(row.get_by_test_id("entry-place").inner_text()),
                int(row.get_by_test_id("entry-counts").inner_text()),
            )
            for row in rows.all()
        }
        assert standings == {name: (placed[name], chips[name]) for name in placed}
    look(ann, "nine-over")
