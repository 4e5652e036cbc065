"""A whole session's match in the browser: two people and a bot, fantasyland, a reload in mid-street.

Issue 2, shown by 2. The cards of the first two deals are stacked so that Ann reaches fantasyland with queens
(Rules §5, `unlimited`; source 002 L41) and the match has its second deal; everything else is the product itself.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.people import Person
from tests.browser.servers import Server, serve

# Deal order of the first deal: Ann, Bob, the bot (the button). Streets in the order in which they are dealt.
ANN = (
    {"Qs": "front", "Kc": "middle", "Kd": "middle", "As": "back", "Ah": "back"},
    {"Qh": "front", "Ad": "back"},
    {"7h": "middle", "7d": "middle"},
    {"4c": "back", "4d": "back"},
    {"3s": "middle", "2c": "front"},
)
ANN_DRAWS = ("AsAhKcKdQs", "QhAd2d", "7h7d3c", "4c4d5d", "3s2c8h")
BOB = (
    {"5s": "front", "8c": "middle", "8d": "middle", "Jc": "back", "Jd": "back"},
    {"6c": "back", "6d": "back"},
    {"Tc": "middle", "9c": "back"},
    {"3h": "middle", "6h": "front"},
    {"2h": "middle", "9d": "front"},
)
BOB_DRAWS = ("JcJd8c8d5s", "6c6d2s", "Tc9cTs", "3h6hTh", "2h9dTd")
BOT_DRAWS = ("AcKsQdJh9h", "5c4h3d", "8s7c4s", "9s5hKh", "JsQc7s")
# The second deal: Bob, the bot, then Ann's fantasyland of 14.
LAND = {
    "front": ("Jh", "Jd", "2c"),
    "middle": ("Qs", "Qh", "5c", "5d", "3s"),
    "back": ("As", "Ah", "Ad", "4c", "4d"),
}
LAND_DRAW = "AsAhAd4c4dQsQh5c5d3sJhJd2c9h"
BOB_AGAIN = (
    {"Jc": "back", "Ts": "back", "8c": "back", "8d": "back", "5s": "back"},
    {"6c": "middle", "6d": "middle"},
    {"Tc": "middle", "9c": "middle"},
    {"3h": "middle", "6h": "front"},
    {"2h": "front", "9d": "front"},
)
BOB_DRAWS_AGAIN = ("JcTs8c8d5s", "6c6d2s", "Tc9cTh", "3h6h7h", "2h9d7d")
BOT_AGAIN = ("AcKsQdJs9s", "5h4h3d", "8s7c4s", "KcKdKh", "Td8hQc")
DECKS = (
    "".join("".join(street) for street in zip(ANN_DRAWS, BOB_DRAWS, BOT_DRAWS, strict=True)),
    "".join("".join(street) for street in zip(BOB_DRAWS_AGAIN, BOT_AGAIN, strict=True)) + LAND_DRAW,
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server whose first two decks are stacked."""
    with serve(tmp_path, "--pause", "20", "--bot-delay", "0", stackable=True) as running:
        running.stack(*DECKS)
        yield running


@pytest.fixture
def people(desktop: BrowserContext, phone: BrowserContext) -> tuple[Person, Person]:
    """Ann at the desktop and Bob with the phone, both at a new table with a bot in the third seat."""
    ann, bob = Person(desktop.new_page(), "Ann"), Person(phone.new_page(), "Bob", touch=True)
    for person in (ann, bob):
        person.call_me()
    link = ann.open_table()
    ann.sit(0)
    bob.page.goto(link)
    bob.sit(1)
    ann.add_bot(2)
    for person in (ann, bob):
        person.press("start")
    return ann, bob


@pytest.mark.slow
def test_two_people_and_a_bot_play_a_match_with_fantasyland(
    people: tuple[Person, Person], axe: Callable[[Page], None]
) -> None:
    ann, bob = people
    bought_in = [ann.stack(seat) for seat in range(3)]
    for street in range(5):
        ann.place(ANN[street])
        if street == 2:
            # Bob's phone is reloaded while his cards lie in the rows: they lie there still.
            bob.expect_turn()
            bob.lay({"Tc": "middle"})
            bob.keeps({"Tc": "middle"})
            bob.page.reload()
            expect(bob.page.get_by_test_id("my-board").get_by_test_id("card-Tc")).to_be_visible()
            bob.lay({"9c": "back"})
            bob.ready()
        else:
            bob.place(BOB[street])
    expect(ann.page.get_by_test_id("splendour")).to_be_visible()
    ann.press("splendour")
    expect(ann.page.get_by_test_id("splendour")).to_have_count(0)
    # It goes by itself too, on a busy machine before Bob comes to it.
    expect(bob.page.get_by_test_id("splendour")).to_have_count(0)
    # Until the next deal begins the seat says what it is to have.
    expect(ann.page.get_by_test_id("fantasyland-0").first).to_be_visible()
    for person in people:
        person.press("next-deal")

    # Fantasyland: the others first, then Ann's fourteen cards.
    for rows in BOB_AGAIN:
        bob.expect_turn()
        expect(ann.page.get_by_test_id("tray")).to_have_count(0)
        bob.place(rows)
    ann.expect_turn()
    assert len(ann.drawn()) == 14
    axe(ann.page)
    ann.lay({card: row for row, cards in LAND.items() for card in cards})
    ann.ready()
    for person in people:
        expect(person.page.get_by_test_id("result").first).to_be_visible()
    for person in people:
        person.page.wait_for_timeout(4_000)  # the points have been counted up, nothing is faded any more
        axe(person.page)
    stacks = [ann.stack(seat) for seat in range(3)]
    assert sum(stacks) == sum(bought_in)
    assert stacks[0] > bought_in[0], "fantasyland pays Ann"
