"""Open games in the browser: a joker, a 2-7 middle, Turbo, two fantasylands at once, somebody who only watches.

Issue 3, shown by 3. The cards are stacked; everything else is the product itself. Rules §2, 3, 5.
"""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Person, begin, begin_with_bots
from tests.browser.servers import Server


@pytest.fixture
def server(dealing: Server) -> Server:
    """The server of this worker whose decks are stacked."""
    return dealing


def _dealt(*hands: str) -> str:
    """Return a deck from the cards of each hand in deal order, its streets apart by spaces."""
    return "".join("".join(street) for street in zip(*(hand.split() for hand in hands), strict=True))


@pytest.mark.slow
def test_a_joker_deal(server: Server, ann: Person) -> None:
    """Rules §3, `best_legal`: the joker beside an ace makes a pair of aces, and 7s X1 X2 would be three sevens."""
    server.stack(
        _dealt("X1AhKdKs9c Kh9d2c X2Ad3c 9h5c2d QhJs4d", "2s3h5d7cTs 4c6cJd 4h6dJc 7d8hQc 8c8dTd"),
    )
    begin_with_bots(ann, "pineapple_joker", 1)
    ann.expect_turn()
    ann.lay({"X1": "front", "Ah": "front"})
    ann.says("row-front-name", "Pair of aces")
    ann.look("joker-front")
    ann.lay({"Kd": "back", "Ks": "back", "9c": "middle"})
    ann.ready()
    ann.place({"Kh": "back", "9d": "middle"})
    ann.expect_turn()
    ann.lay({"X2": "middle"})
    ann.says("row-middle-name", "Three nines")
    ann.look("joker-middle")
    ann.lay({"Ad": "back"})
    ann.ready()
    ann.place({"9h": "middle", "5c": "middle"})
    ann.place({"Qh": "front", "Js": "back"})
    ann.sees("result")
    ann.says("row-front-name", "Pair of aces", "+9")
    # Four nines would beat the three kings in the back: the joker stands for what stays legal.
    ann.says("row-back-name", "Three kings")
    ann.look("joker-result")


@pytest.mark.slow
def test_a_2_7_deal_and_its_fantasyland(server: Server, bob: Person) -> None:
    """Rules §3, 5 (`deuce`): a pair disqualifies the middle; 75432 is worth 8 and brings fourteen cards."""
    server.stack(
        _dealt("7d5c4h3sAs 7hKdKc 2dKs9h QdQc6h 8sAc9c", "Th9sJhJc2h 3c6c2s 4c6dJd 4s8hTc 8c8dTd"),
    )
    begin_with_bots(bob, "pineapple_27", 1)
    bob.place({"7d": "middle", "5c": "middle", "4h": "middle", "3s": "middle", "As": "back"})
    bob.expect_turn()
    bob.lay({"7h": "middle"})
    bob.says("row-middle-name", "Not a low: pair of sevens")
    bob.look("low-warning")
    bob.press("undo")
    expect(bob.page.get_by_test_id("draws").get_by_test_id("card-7h")).to_be_visible()
    bob.lay({"Kd": "back", "Kc": "back"})
    bob.ready()
    bob.place({"2d": "middle", "Ks": "back"})
    bob.says("row-middle-name", "+8")
    bob.place({"Qd": "front", "Qc": "front"})
    bob.place({"8s": "front", "Ac": "back"})
    bob.rejoice()
    bob.look("low-result")
    bob.press("next-deal")
    # at_start_hidden: fourteen cards at once, while the other plays openly.
    bob.expect_turn()
    assert len(bob.drawn()) == 14
    bob.look("low-fantasyland")


@pytest.mark.slow
def test_turbo_and_two_fantasylands_at_once(server: Server, browser: Browser, ann: Person, bob: Person) -> None:
    """5 + 4 + 4; all but one in fantasyland: that one sets first and face down. Source 002 L37.7, L39.1-3."""
    server.stack(
        _dealt("QsQhAsAhKd Kc7hAd5c 7d2c2d9s", "QdQcJsJh8s Jd8h3c6c 3dTh6d9h", "4s5d6h7sTc 4h5hTd9c 2h3s8cKh"),
        "3c4c5s8s9s" + "TsJs7c6h" + "TcJd3d4d" + "9h9c2sKsKh5c5d3hAsAhAdJcTd" + "8h8c2hQsQh6c6d4hKcKd7s7h2d",
    )
    link = begin(ann, bob, "turbo", bots=1, fantasyland__order="after_others")
    ann.place({"Qs": "front", "Qh": "front", "As": "back", "Ah": "back", "Kd": "middle"})
    bob.place({"Qd": "front", "Qc": "front", "Js": "back", "Jh": "back", "8s": "middle"})
    bob.look("turbo-waiting")
    ann.look("turbo-waiting")
    ann.place({"Kc": "middle", "7h": "middle", "Ad": "back", "5c": "back"})
    bob.place({"Jd": "back", "8h": "middle", "3c": "middle", "6c": "back"})
    ann.place({"7d": "middle", "2c": "middle", "2d": "front", "9s": "back"})
    bob.place({"Th": "front", "9h": "middle", "3d": "middle", "6d": "back"})
    for person in (ann, bob):
        person.sees("splendour")
    for person in (ann, bob):
        expect(person.page.get_by_test_id("splendour")).to_have_count(0)
        person.press("next-deal")
    for person in (ann, bob):
        person.expect_turn()
        assert len(person.drawn()) == 13
    watcher = Person(browser.new_page(base_url=server.url), "Will")
    watcher.come(link)
    watcher.sees("seat-0")
    watcher.look("lands-watching")
    watcher.page.set_viewport_size({"width": 390, "height": 844})
    watcher.look("lands-watching-phone")
    assert watcher.page.locator("[data-testid^='card-']:not([data-testid='card-??'])").count() == 0
    ann.look("lands")
    bob.lay(dict.fromkeys(("Qs", "Qh", "6c", "6d", "4h"), "back") | dict.fromkeys(("8h", "8c", "2h"), "front"))
    bob.lay(dict.fromkeys(("Kc", "Kd", "7s", "7h", "2d"), "middle"))
    bob.look("lands")
    bob.press("swap-middle-back")
    bob.says("row-back-name", "Two pair")
    bob.ready()
    ann.look("lands-bob-set")
    ann.set("9h9c2s/KsKh5c5d3h/AsAhAdJcTd")
    for person in (ann, bob):
        person.sees("result")
        person.look("lands-result")
    watcher.sees("card-Ad")
    watcher.page.context.close()
