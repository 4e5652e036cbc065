"""A tournament's levels, breaks, late entry and re-entry in the browser, counted again from its events; its times.

Issue 27.10, shown by 3; issue 28.16.
"""

import re
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Error, expect

from tests.browser.people import Person
from tests.browser.test_cups import LONGEST, House, announced, house, server
from tests.cup.recount import final_places, verify_course
from triptych.cup import events as e
from triptych.cup.codec import decode
from triptych.room.events import Ordered, PlaceAnnounced

__all__ = ["house", "server"]

RANKS = "23456789TJQKA"
LEVEL = re.compile(r"Level (\d+)")


def streams(database: Path) -> dict[str, list[bytes]]:
    """Return the public events of every stream, by its name."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as kept:
        rows = kept.execute("SELECT table_id, payload FROM events ORDER BY version").fetchall()
    found: dict[str, list[bytes]] = {}
    for name, payload in rows:
        appended = msgspec.msgpack.decode(payload)
        found.setdefault(name, []).extend(one for kind, _, one in appended if kind == "public")
    return found


def foul(person: Person) -> None:
    """Set the best cards in front, where they foul: whoever does so is soon out."""
    anyway = person.page.get_by_test_id("foul-anyway")
    if anyway.is_visible():
        anyway.click()
    cards = sorted(person.drawn(), key=lambda card: RANKS.index(card[0]), reverse=True)
    if len(cards) != 13:
        return
    rows = ["front"] * 3 + ["middle"] * 5 + ["back"] * 5
    try:
        for card, row in zip(cards, rows, strict=True):
            person.page.get_by_test_id(f"card-{card}").click(timeout=2_000)
            person.page.get_by_test_id(f"place-{row}").click(timeout=2_000)
        person.page.get_by_test_id("ready").click(timeout=2_000)
    except Error:  # the time ran out
        pass


def one_level_on_the_screen(person: Person) -> None:
    """At a table the head and the side say the same level, or a break."""
    texts = person.page.evaluate(
        "() => ['to-cup', 'level'].map((id) => document.querySelector(`[data-testid=${id}]`)?.textContent ?? '')"
    )
    levels = {int(found[1]) for text in texts if (found := LEVEL.search(text))}
    assert len(levels) <= 1, texts


@pytest.mark.slow  # two breaks of a minute
def test_breaks_levels_of_a_deal_late_entry_and_reentry_are_what_the_events_say(
    house: House, ann: Person, bob: Person
) -> None:
    cup = announced(
        ann,
        stack=60,
        seats=3,
        most=6,
        levels=[6, 7, 8, 9, 40, 100, 200, 400, 800, 1600],
        level_length=1,
        break_every=2,
        break_minutes=1,
        late=4,
        reentries=1,
    )
    ann.press("cup-register")
    ann.says("cup-how", "1 of 6")
    ann.page.evaluate(
        "cup => fetch(`/api/cups/${cup}`, {method: 'POST', headers: {'content-type': 'application/json'}, "
        "body: JSON.stringify({do: 'add_bots', level: 'novice', count: 4})})",
        cup,
    )
    ann.says("cup-how", "5 of 6")
    ann.press("cup-begin")
    ann.press("cup-my-table")
    bob.come(f"/cup/{cup}")
    came, breaks = False, set()
    end = time.monotonic() + LONGEST
    while (now := house.cup(cup))["phase"] == "running":
        assert time.monotonic() < end, now
        if now["rest_ends"] is not None and now["rest_ends"] not in breaks:
            breaks.add(now["rest_ends"])
            expect(ann.page.get_by_test_id("to-cup")).to_contain_text("Break until")
        if not came and now["level"]["number"] >= 2:
            bob.press("cup-register")  # in the second level
            came = True
        one_level_on_the_screen(ann)
        foul(ann)
        back = ann.page.get_by_test_id("come-back")
        if back.is_visible():
            back.click()
        time.sleep(0.1)
    assert came
    kept = wait_for_the_end(house.folder / "triptych.sqlite3", cup)
    events = [decode(one) for one in kept[f"cup:{cup}"]]
    found = verify_course(events)
    assert found.levels == list(range(1, now["level"]["number"] + 1))
    assert len(breaks) == found.breaks_taken >= 1
    assert found.breaks_due - found.breaks_taken <= 1  # the last one is due when it is won
    names = {one.player: one.name for one in events if isinstance(one, e.Registered)}
    assert [names[one.player] for one in events if isinstance(one, e.Reentered)] == ["Ann"]
    placed = {names[player]: place for player, place in final_places(events).items()}
    assert {entry["name"]: entry["place"] for entry in now["entries"]} == placed
    verify_talk(kept, cup, found.places, names)
    ann.page.goto(f"/cup/{cup}")
    ann.says("cup-how", "has won")
    rows = ann.page.get_by_test_id("entry").all()
    shown = [int(row.get_by_test_id("entry-place").inner_text()) for row in rows]
    assert shown == sorted(placed.values())


def wait_for_the_end(database: Path, cup: str) -> dict[str, list[bytes]]:
    """Return all events when the last ones are there: they are written behind the answers."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        kept = streams(database)
        if any(isinstance(decode(one), e.CupEnded) for one in kept.get(f"cup:{cup}", ())):
            return kept
        time.sleep(0.1)
    message = "the tournament's end is not stored"
    raise AssertionError(message)


def verify_talk(kept: dict[str, list[bytes]], cup: str, exits: list[tuple[str, int]], names: dict[str, str]) -> None:
    """The tables' own events: levels rise one by one for the tournament, and each exit is told with its place."""
    said, levels = [], set()
    for name, payloads in kept.items():
        if not name.startswith(f"{cup}-"):
            continue
        for one in payloads:
            kind = msgspec.json.decode(one)["e"]
            if kind == "place_announced":
                told = msgspec.json.decode(one, type=PlaceAnnounced)
                said.append((told.name, told.place))
            elif kind == "ordered":
                levels.add(msgspec.json.decode(one, type=Ordered).level.number)
    assert sorted(said) == sorted((names[player], place) for player, place in exits)
    assert levels == set(range(1, max(levels) + 1))


def test_a_time_that_is_not_today_carries_its_day_in_the_readers_zone(browser: Browser, house: House) -> None:
    """Issue 28.16: tournaments in 1, 3 and 100 days all began "at 04:32 AM"."""
    now = datetime.now(UTC)
    shift = 12 - now.hour  # where it is about noon now, an hour from now is today
    zone = timedelta(hours=shift)
    context = browser.new_context(base_url=house.server.url, timezone_id=f"Etc/GMT{-shift:+d}")
    noon = Person(context.new_page(), "Ann")
    wanted = {"Hour": timedelta(hours=1), "Day": timedelta(days=1), "Days": timedelta(days=100)}
    cups: dict[str, str] = {}
    for name, ahead in wanted.items():
        cups[name] = announced(noon, name=name, starts_at=round((now + ahead).timestamp() * 1000))
    shown: dict[str, Any] = {}
    for name, cup in cups.items():
        noon.page.goto(f"/cup/{cup}")
        shown[name] = noon.sees("cup-how").inner_text()
    noon.page.goto("/")
    for name, cup in cups.items():
        begins = shown[name].partition(" · ")[2]
        noon.says(f"cup-{cup}", begins)
        local = now + wanted[name] + zone
        clock = local.strftime("%I:%M %p") if "M" in begins.split()[-1] else local.strftime("%H:%M")
        if name == "Hour":
            assert begins == f"Begins at {clock}"
        else:
            assert re.fullmatch(rf"Begins on {local:%a}, .*{local:%b}.* at {clock}", begins), begins
            assert str(local.day) in begins
            assert (str(local.year) in begins) is (local.year != (now + zone).year)
    context.close()


def test_who_is_out_comes_in_again_from_the_table_though_one_player_alone_is_left(house: House, bob: Person) -> None:
    """Issue 27.10: re-entry stays open for the whole of its level, also when all others are out."""
    cup = announced(bob, seats=2, most=2, stack=6, level_length=5, late=1, reentries=1)
    bob.press("cup-register")
    bob.says("cup-how", "1 of 2")
    bob.press("cup-add-bots")
    bob.press("cup-my-table")
    bob.page.set_viewport_size({"width": 360, "height": 640})
    back = bob.page.get_by_test_id("come-back")
    end = time.monotonic() + LONGEST
    while not back.is_visible():
        assert time.monotonic() < end
        assert house.cup(cup)["phase"] == "running", "the bot cannot win while Bob may come again"
        foul(bob)
        time.sleep(0.1)
    bob.says("prompt", "in place 2")
    assert bob.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    bob.look("cup-come-back")
    back.tap()
    expect(bob.page.get_by_test_id("to-cup")).to_be_visible()
    expect(bob.page.locator("[data-testid^=card-]")).to_have_count(13)
    assert [entry["entries"] for entry in house.cup(cup)["entries"] if entry["name"] == "Bob"] == [2]


def test_who_are_equal_on_top_of_a_league_share_the_first_place(house: House, ann: Person) -> None:
    """Issue 27.10: of four who were equal one "has won". The same bots make the same of the same cards."""
    cup = announced(ann, rules="closed_1_6", seats=2, most=4, levels=[1], rounds=1)
    ann.says("cup-how", "0 of 4")
    ann.press("cup-add-bots")
    ann.says("cup-how", "share first place")
    winners = [entry["name"] for entry in house.cup(cup)["entries"] if entry["place"] == 1]
    assert len(winners) == 4
    ann.says("cup-how", *winners)
    ann.page.goto("/")
    ann.says(f"cup-{cup}", *winners, "share first place")
    # A league's table shows what was won or lost, and no chips of its own.
    ann.page.goto(f"/t/{cup}-1")
    expect(ann.page.get_by_test_id("ending")).to_be_visible()
    ann.press("open-history")
    expect(ann.page.get_by_test_id("history")).to_contain_text("on the book")
