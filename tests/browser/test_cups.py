"""Tournaments in the browser: announced, joined, followed; one of 18 to its winner. Issue 11, 5, shown by 5."""

import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Error, Page, expect

from tests.browser.numbers import as_shown
from tests.browser.people import Person
from tests.browser.servers import Server, serve
from tests.server.program import free_port

LONGEST = 600  # seconds, only for what hangs
# One action a deal, and nobody waits long for who does nothing.
HASTY = {"preset": "closed_basic", "clock.setting": 20, "clock.seconds": 20, "clock.bank": 0, "clock.bank_refill": 0}
OPTIONS = ("--pause", "0", "--bot-delay", "0")
_POST = """async ([path, body]) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return await answer.json();
}"""


class House:
    """A server that a test may kill and start again, at the same address with the same database."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.port = free_port()
        self.stack = stack
        self.server = self.start()

    def start(self) -> Server:
        return self.stack.enter_context(serve(self.folder, *OPTIONS, port=self.port))

    def kill(self) -> None:
        """End it as a power cut does, and start it again."""
        self.server.process.kill()
        self.server.process.wait()
        self.server = self.start()

    def cup(self, cup: str) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.server.url}/api/cups/{cup}", timeout=60) as answer:  # noqa: S310 - ours
            found: dict[str, Any] = json.load(answer)
            return found


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with ExitStack() as stack:
        yield House(tmp_path, stack)


@pytest.fixture
def server(house: House) -> Server:
    return house.server


def _play(person: Person) -> None:
    """Set thirteen cards if they are there, the first ones behind; whoever is too slow has the clock do it."""
    foul = person.page.get_by_test_id("foul-anyway")  # the house asks when it has seen the whole board
    if foul.is_visible():
        foul.click()
    cards = person.drawn()
    if len(cards) != 13:
        return
    rows = ["back"] * 5 + ["middle"] * 5 + ["front"] * 3
    try:
        for card, row in zip(cards, rows, strict=True):
            person.page.get_by_test_id(f"card-{card}").click(timeout=2_000)
            person.page.get_by_test_id(f"place-{row}").click(timeout=2_000)
        person.page.get_by_test_id("ready").click(timeout=2_000)
    except Error:
        pass


def announced(person: Person, **more: object) -> str:
    person.come()
    body = {
        "name": "Evening cup",
        "rules": HASTY,
        "stack": 40,
        "levels": [1, 2, 4, 8, 16, 32, 64, 128, 256],
        "level_kind": "deals",
        "level_length": 2,
        "most": 18,
        "pause": 0,
        "prize_kind": "points",
        "prizes": [10, 6, 4],
    }
    answer = person.page.evaluate(_POST, ["/api/cups", body | more])
    person.page.goto(answer["link"])
    return str(answer["cup"])


@pytest.mark.slow
def test_eighteen_play_to_the_winner_while_the_server_is_killed_twice(house: House, ann: Person, bob: Person) -> None:
    cup = announced(ann)
    ann.press("cup-register")
    bob.come(f"/cup/{cup}")
    bob.press("cup-register")
    ann.says("cup-how", "2 of 18")
    ann.press("cup-add-bots")
    for person in (ann, bob):
        person.press("cup-my-table")
        expect(person.page.get_by_test_id("to-cup")).to_contain_text("18 of 18")
    assert len(house.cup(cup)["tables"]) == 5
    tables = {ann.page.url, bob.page.url}
    kills = 0
    played = 0
    end = time.monotonic() + LONGEST
    while (now := house.cup(cup))["phase"] != "over":
        assert time.monotonic() < end, now
        if now["left"] <= (17, 9)[kills] if kills < 2 else False:
            house.kill()
            kills += 1
        for person in (ann, bob):
            if person is ann or played < 2:
                _play(person)
        played += 1
        tables |= {ann.page.url, bob.page.url}
        time.sleep(0.2)
    assert kills == 2
    assert sorted(entry["chips"] for entry in now["entries"]) == [0] * 17 + [18 * 40]
    places = [entry["place"] for entry in now["entries"]]
    assert all(place == 1 + sum(one < place for one in places) for place in places)
    assert sum(entry["prize"] for entry in now["entries"]) == 20
    for person in (ann, bob):
        person.page.goto(f"/cup/{cup}")
        person.says("cup-how", f"{now['entries'][0]['name']} has won")
        expect(person.page.get_by_test_id("entry")).to_have_count(18)
        person.says("cup-mine", "You")
        person.look("cup-over")


def test_a_tournament_is_announced_in_the_lobby_joined_and_followed(
    house: House, ann: Person, bob: Person, axe: Callable[[Page], None]
) -> None:
    ann.come()
    ann.press("announce-cup")
    ann.page.get_by_test_id("cup-preset").select_option("turbo")
    ann.page.get_by_test_id("cup-name").fill("Sunday cup")
    ann.page.get_by_test_id("cup-most").fill("6")
    axe(ann.page)
    ann.look("cup-new")
    ann.press("create-cup")
    ann.page.wait_for_url("**/cup/*")
    cup = ann.page.url.rpartition("/")[2]
    ann.says("cup-how", "0 of 6", "as soon as it is full")
    bob.come()
    bob.says(f"cup-{cup}", "Sunday cup", "Turbo", "0 of 6")
    bob.press(f"open-cup-{cup}")
    bob.press("cup-register")
    bob.says("cup-mine", "You are in")
    ann.says("cup-how", "1 of 6")
    ann.press("cup-add-bots")
    # Bob's place is the sixth but five: the tournament is full and begins.
    bob.says("cup-how", "6 of 6 still in")
    bob.says("cup-level", "Level 1", "Next")
    for width, height in ((360, 640), (1280, 800)):
        bob.page.set_viewport_size({"width": width, "height": height})
        assert bob.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
        bob.look(f"cup-{width}")
    axe(bob.page)
    bob.page.set_viewport_size({"width": 360, "height": 640})
    bob.press("cup-my-table")
    expect(bob.page.get_by_test_id("to-cup")).to_contain_text("Level 1")
    bob.look("cup-table-360")
    bob.press("to-cup")
    expect(bob.page.get_by_test_id("standings")).to_be_visible()
    # Ann, who plays not, looks at a table and stays there.
    ann.press("cup-table-1")
    expect(ann.page.get_by_test_id("to-cup")).to_contain_text("still in")
    assert house.cup(cup)["phase"] == "running"


def test_its_host_shares_out_a_pool_pauses_it_and_takes_a_player_out(
    house: House, ann: Person, axe: Callable[[Page], None]
) -> None:
    ann.come()
    ann.press("announce-cup")
    page = ann.page
    page.get_by_test_id("cup-preset").select_option("closed_basic")
    page.get_by_test_id("cup-most").fill("6")
    page.get_by_test_id("new-cup").locator("summary").click()
    for field, value in (("late", "2"), ("reentries", "1"), ("rest", "2"), ("rest-minutes", "3")):
        page.get_by_test_id(f"cup-{field}").fill(value)
    page.get_by_test_id("cup-fill").select_option("novice")
    page.get_by_test_id("cup-prize-kind").select_option("shares")
    page.get_by_test_id("cup-prizes").fill("60 30")
    expect(page.get_by_text("add up to 90")).to_be_visible()
    expect(page.get_by_test_id("create-cup")).to_be_disabled()
    page.get_by_test_id("cup-prizes").fill("60 40")
    page.get_by_test_id("cup-fee").fill("5")
    axe(page)
    ann.look("cup-choices")
    ann.press("create-cup")
    page.wait_for_url("**/cup/*")
    cup = page.url.rpartition("/")[2]
    ann.press("cup-register")
    ann.press("cup-begin")
    ann.says("cup-how", "6 of 6 still in")
    ann.says("cup-prizes-are", "18, 12", "Pool: 30")
    found = house.cup(cup)
    wanted = {"late": 2, "reentries": 1, "break_every": 2, "break_minutes": 3, "prize_kind": "shares"}
    assert {key: found[key] for key in wanted} == wanted
    ann.press("cup-pause")
    ann.says("cup-paused", "no clock runs")
    mine = page.get_by_test_id("cup-my-table").get_attribute("href")
    ann.look("cup-paused")
    page.goto(str(mine))
    ann.says("prompt", "paused")
    ann.press("to-cup")
    ann.press("cup-go-on")
    expect(page.get_by_test_id("cup-paused")).to_have_count(0)
    other = page.get_by_test_id("entry").filter(has_not_text="Ann").first
    name = str(other.get_by_role("rowheader").inner_text())
    for _ in range(2):
        page.get_by_test_id("entry").filter(has_text=name).get_by_test_id("cup-remove").click()
    expect(page.get_by_test_id("entry").filter(has_text=name).get_by_test_id("cup-remove")).to_have_count(0)
    ann.look("cup-removed")
    axe(page)
    barred = [entry for entry in house.cup(cup)["entries"] if entry["barred"]]
    assert [entry["name"] for entry in barred] == [name]


@pytest.mark.slow
def test_a_duplicate_league_is_opened_played_two_rounds_and_read(house: House, ann: Person) -> None:
    ann.come()
    ann.press("announce-cup")
    page = ann.page
    page.get_by_test_id("cup-preset").select_option("closed_basic")
    page.get_by_test_id("cup-most").fill("8")
    page.get_by_test_id("new-cup").locator("summary").click()
    page.get_by_test_id("cup-rounds").fill("2")
    ann.press("create-cup")
    page.wait_for_url("**/cup/*")
    cup = page.url.rpartition("/")[2]
    expect(page.get_by_test_id("cup-league")).to_be_visible()
    ann.press("cup-register")
    ann.press("cup-add-bots")
    ann.says("cup-how", "Round 1 of 2")
    rounds = {1}
    ann.press("cup-my-table")
    end = time.monotonic() + LONGEST
    while (now := house.cup(cup))["phase"] == "running":
        assert time.monotonic() < end, now
        rounds.add(now["round"])
        _play(ann)
        time.sleep(0.2)
    assert rounds == {1, 2}
    page.goto(f"/cup/{cup}")
    winners = [entry["name"] for entry in now["entries"] if entry["place"] == 1]
    ann.says("cup-how", *winners, "share first place" if len(winners) > 1 else "has won")
    rows = page.get_by_test_id("entry")
    expect(rows).to_have_count(8)
    shown = [row.get_by_test_id("entry-counts").inner_text() for row in rows.all()]
    # Two rounds are too few for an interval; what one has gained on the same cards, others have lost.
    assert shown == [as_shown(entry["mean"], 1) for entry in now["entries"]]
    assert abs(sum(entry["mean"] for entry in now["entries"])) < 1e-6
    assert [entry["reach"] for entry in now["entries"]] == [None] * 8
    places = [int(row.get_by_test_id("entry-place").inner_text()) for row in rows.all()]
    assert places == sorted(places)
    ann.look("cup-league-over")


def test_an_unknown_tournament_is_nowhere(phone: BrowserContext) -> None:
    page = phone.new_page()
    answer = page.goto("/cup/zzzzzzzz")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_test_id("lost")).to_be_visible()
