"""A tournament's times, re-entry and shared places in the browser. Issue 27.10; issue 28.16.

The words of times and shared places: client/src/features/tournament/model/format.test.ts. Who shares:
tests/server/tournaments/test_http.py.
"""

import re
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Error, expect

from tests.browser.people import Person
from tests.browser.servers import Server
from tests.browser.test_tournaments import LONGEST, announced, tournament_of

RANKS = "23456789TJQKA"
# The best three cards of either hand are too much for the front: who sets them there fouls, and the bot does not.
DECK = "AsAhKd9c8d7h5s4c3d2h6sJcTh" + "AcAdKs9h8c7s5d4h3c2s6dJhTc"


@pytest.fixture
def server(dealing: Server) -> Server:
    """The server of this worker whose decks are stacked."""
    return dealing


def foul(person: Person) -> None:
    """Set the best cards in front, where they foul: whoever does so is soon out."""
    anyway = person.page.get_by_test_id("foul-anyway")
    if anyway.is_visible():
        with suppress(Error):  # the time ran out
            anyway.click(timeout=2_000)
    cards = sorted(person.drawn(), key=lambda card: RANKS.index(card[0]), reverse=True)
    if len(cards) != 13:
        return
    person.lay(dict(zip(cards, ["front"] * 3 + ["middle"] * 5 + ["back"] * 5, strict=True)))
    with suppress(Error):  # the time ran out
        person.page.locator("[data-testid='ready']:enabled").click(timeout=2_000)


@pytest.mark.slow
def test_a_time_that_is_not_today_carries_its_day_in_the_readers_zone(browser: Browser, server: Server) -> None:
    """Issue 28.16: tournaments in 1, 3 and 100 days all began "at 04:32 AM"."""
    now = datetime.now(UTC)
    shift = 12 - now.hour  # where it is about noon now, an hour from now is today
    zone = timedelta(hours=shift)
    context = browser.new_context(base_url=server.url, timezone_id=f"Etc/GMT{-shift:+d}")
    noon = Person(context.new_page(), "Ann")
    for ahead in (timedelta(hours=1), timedelta(days=1), timedelta(days=100)):
        tournament = announced(noon, starts_at=round((now + ahead).timestamp() * 1000))
        begins = noon.sees("cup-how").inner_text().partition(" · ")[2]
        local = now + ahead + zone
        clock = local.strftime("%I:%M %p") if "M" in begins.split()[-1] else local.strftime("%H:%M")
        if ahead < timedelta(days=1):
            assert begins == f"Starts at {clock}"
        else:
            assert re.fullmatch(rf"Starts on {local:%a}, .*{local:%b}.* at {clock}", begins), begins
            assert str(local.day) in begins
            assert (str(local.year) in begins) is (local.year != (now + zone).year)
    noon.page.goto("/")
    noon.says(f"cup-{tournament}", begins)
    context.close()


@pytest.mark.slow
def test_an_eliminated_player_reenters_from_the_table_though_one_player_is_left(server: Server, bob: Person) -> None:
    """Issue 27.10: re-entry stays open for the whole of its level, also when all others are out."""
    tournament = announced(bob, seats=2, most=2, stack=6, levels=[10, 20], level_length=5, late=1, reentries=1)
    server.stack(DECK, DECK, DECK)
    bob.press("cup-register")
    bob.says("cup-how", "1 of 2")
    bob.press("cup-add-bots")
    bob.page.wait_for_url("**/t/*")
    bob.page.set_viewport_size({"width": 360, "height": 640})
    back = bob.page.get_by_test_id("come-back")
    end = time.monotonic() + LONGEST
    while not back.is_visible():
        assert time.monotonic() < end
        assert tournament_of(server, tournament)["phase"] == "running", "the bot cannot win while Bob may come again"
        foul(bob)
        time.sleep(0.1)
    bob.says("prompt", "in place 2")
    assert bob.page.evaluate("document.documentElement.scrollWidth <= screen.width"), "the page scrolls sideways"
    bob.look("cup-come-back")
    back.tap()
    expect(bob.page.get_by_test_id("to-cup")).to_be_visible()
    expect(bob.page.locator("[data-testid^=card-]")).to_have_count(13)
    assert [entry["entries"] for entry in tournament_of(server, tournament)["entries"] if entry["name"] == "Bob"] == [
        2
    ]


@pytest.mark.slow
def test_equal_players_on_top_of_a_league_share_the_first_place(server: Server, ann: Person) -> None:
    """Issue 27.10: of four who were equal one "has won". The same bots make the same of the same cards."""
    tournament = announced(ann, rules="closed_1_6", seats=2, most=4, levels=[1], rounds=1)
    ann.says("cup-how", "0 of 4")
    ann.press("cup-add-bots")
    ann.says("cup-how", "share first place")
    winners = [entry["name"] for entry in tournament_of(server, tournament)["entries"] if entry["place"] == 1]
    assert len(winners) == 4
    ann.says("cup-how", *winners)
    ann.page.goto("/")
    ann.says(f"cup-{tournament}", *winners, "share first place")
    # A league's table shows what was won or lost, and no chips of its own.
    ann.page.goto(f"/t/{tournament}-1")
    expect(ann.page.get_by_test_id("ending")).to_be_visible()
    ann.press("open-history")
    expect(ann.page.get_by_test_id("history")).to_contain_text("balance")
