"""The course of a session in the browser: the server comes back, a second device, stakes of one's own, levels.

Issue 2, parts 6, 8 and 10; Rules §4 (per-pair stakes), 6 (tournament). What every run of the tests looks at: a page
whose connection is lost in test_lan.py, a server that comes back in tests/server/test_clocks.py.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PATIENCE
from tests.browser.people import Person, begin, begin_with_bots
from tests.browser.servers import serve

LONG = "--pause", "60", "--bot-delay", "0"


@pytest.mark.slow
def test_the_server_stops_and_comes_back_with_the_same_cards(browser: Browser, tmp_path: Path) -> None:
    with serve(tmp_path, *LONG) as first:
        context = browser.new_context(base_url=first.url)
        context.set_default_timeout(PATIENCE)
        port = int(first.url.rsplit(":", 1)[1])
        ann = Person(context.new_page(), "Ann")
        begin_with_bots(ann, "pineapple", 1)
        ann.expect_turn()
        expect(ann.page.get_by_test_id("draws").locator("[data-mine]")).to_have_count(5)
        cards = ann.drawn()
        ann.lay({cards[0]: "back", cards[1]: "middle"})
        expect(ann.page.get_by_test_id("row-back-name")).not_to_be_empty()
        ann.keeps({cards[0]: "back", cards[1]: "middle"})
    ann.sees("connection-lost")
    ann.look("connection-lost")
    ann.lay({cards[2]: "back"})  # goes on by hand meanwhile
    with serve(tmp_path, *LONG, port=port):
        ann.sees("connection-back")
        assert (ann.row("back"), ann.row("middle")) == ([cards[0], cards[2]], [cards[1]])
        assert ann.drawn() == cards[3:]
        ann.lay(dict.fromkeys(cards[3:], "front"))
        ann.ready()
        expect(ann.page.get_by_test_id("draws").locator("[data-mine]")).to_have_count(3)
    context.close()


@pytest.mark.slow
def test_two_devices_of_one_player_stay_together(ann: Person) -> None:
    link = begin_with_bots(ann, "pineapple", 1)
    ann.expect_turn()
    other = Person(ann.page.context.new_page(), "Ann")
    other.page.goto(link)
    other.expect_turn()
    cards = ann.drawn()
    assert other.drawn() == cards
    ann.lay({cards[0]: "middle"})
    expect(other.page.get_by_test_id("row-middle").get_by_test_id(f"card-{cards[0]}")).to_be_visible()
    other.lay(dict.fromkeys(cards[1:], "back"))
    other.ready()
    expect(ann.page.get_by_test_id("my-board").locator("button[data-mine]")).to_have_count(0)
    assert ann.row("back") == other.row("back")
    assert set(ann.row("back")) == set(cards[1:])


@pytest.mark.slow
def test_a_player_who_closes_the_tab_is_waited_for_once_and_has_a_clock_when_back(ann: Person, bob: Person) -> None:
    """Rules §6 (timeout.scope): one clock, then their cards are laid out at once. Issue 10, 1.1; issue 11, 1.3.

    What Bob had arranged before he went stands.
    """
    begin(ann, bob, "ofc_american", clock__seconds=30, clock__bank=0, clock__bank_refill=0, seats__max=2)
    # Everybody has the first five at once; Bob sees his before his turn.
    expect(bob.sees("tray-ahead").locator("[data-card]")).to_have_count(5)
    ann.expect_turn()
    ann.place(dict(zip(ann.drawn(), ["back", "back", "middle", "middle", "front"], strict=True)))
    bob.expect_turn()
    first = bob.drawn()[0]
    bob.lay({first: "front"})
    expect(ann.page.get_by_test_id("seat-1-front").get_by_test_id(f"card-{first}")).to_be_visible()
    context = bob.page.context
    link = bob.page.url
    bob.page.close()
    for row in ("back", "middle", "back"):
        expect(ann.page.get_by_test_id("draws").locator("[data-mine]")).to_have_count(1, timeout=60_000)
        assert ann.row("front", 1)[0] == first
        ann.place({ann.drawn()[0]: row})
    expect(ann.page.get_by_text("Bob ran out of time. Their cards")).to_have_count(1)
    again = Person(context.new_page(), "Bob")
    again.page.goto(link)
    again.says("prompt", "You ran out of time")
    again.press("return")
    ann.expect_turn()
    ann.place({ann.drawn()[0]: "middle"})
    again.expect_turn()
    assert again.row("front")[0] == first


@pytest.mark.slow
def test_two_players_agree_on_a_stake_of_their_own(ann: Person, bob: Person) -> None:
    levels = {"tournament__levels": "deals:2", "tournament__chips_per_point": [1, 2, 5], "seats__buy_in_min": 200}
    link = ann.open_custom_table("pineapple", **levels)
    ann.sit(0)
    bob.come(link)
    bob.sit(1)
    ann.press("open-seat-1")
    ann.page.get_by_test_id("stake-value").fill("5")
    ann.press("offer-stake")
    ann.look("stake-offered")
    bob.look("stake-asked")
    bob.press("agree-stake-0")
    bob.press("open-seat-0")
    bob.says("stake", "× 5")
    bob.look("stake-agreed")
    ann.says("stake", "× 5")
    ann.page.keyboard.press("Escape")
    bob.page.keyboard.press("Escape")
    for person in (ann, bob):
        person.press("start")
    ann.expect_turn()
    ann.says("level", "Level 1", "1 point = 1 chip", "Next: 2 chips, from deal 3 on")
    ann.look("level")
