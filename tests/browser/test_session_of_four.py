"""An evening of four, on phones and on desktops: its money counted again from the histories (issue 32, shown by 5).

Private, with rules of their own, the price of a point changed, one bust and back, one gone, one who watches, and two
fantasylands; recount.py counts.
"""

from __future__ import annotations

import time
from collections import defaultdict
from csv import DictReader
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.people import ROWS, Person
from tests.browser.recount import Deal, Paid, deal_from_history, paid
from tests.browser.several_people import SIZES, look, together
from tests.browser.test_money import history, standings_are
from tests.table.session import stacked
from triptych.cards import card_text
from triptych.deal.state import HandStart
from triptych.rulesets.load import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from playwright.sync_api import Browser

    from tests.browser.servers import Server

SPOKEN = "queens on top"
BUY_IN = 40
LONGEST = 100  # seconds for a deal, only for what hangs
RULES = {
    "match.kind": "deal_group",
    "clock.kind": "none",
    "fantasyland.order": "after_others",
    "seats.buy_in_min": 20,
    "seats.buy_in_max": BUY_IN,
    "stake.unit": "EUR",
    "stake.point": 0.25,
}
# All 52 cards: queens in front that reach fantasyland once, a foul, and two plain boards.
QUEENS = "QhQd2c/KsKd3c4c5h/AsAdAh7h8h"
FOULS = "JsJh2s/3s4d6d8d9c/TsTh5s7dQs"
SIXES = "Kh3h2d/5d5c8s9dJc/6s6h7s7cQc"
TENS = "3d6c8c/2h4s4hKcJd/9s9hTdTcAc"


@pytest.fixture
def server(dealing: Server) -> Server:
    """The server of this worker whose decks are stacked."""
    return dealing


@pytest.fixture(params=SIZES)
def players(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[list[Person]]:
    """Four who play and one who watches."""
    with together(browser, server.url, ("Ann", "Ben", "Cid", "Dan", "Eve"), SIZES[request.param]) as people:
        yield people


def enter(person: Person, link: str) -> None:
    person.come(link)
    person.page.get_by_test_id("door-password").fill(SPOKEN)
    person.press("door-enter")


def create(ann: Person) -> str:
    """Make rules of one's own, and an unlisted table with a password for them; returns its link."""
    page = ann.page
    ann.come("/rules/turbo#" + "&".join(f"{key}={value}" for key, value in RULES.items()))
    page.get_by_test_id("rules-title").fill("Friday")
    ann.press("save-rules")
    page.goto("/")
    page.get_by_test_id("preset").select_option(label="Friday")
    page.get_by_test_id("create-password").check()
    page.get_by_test_id("table-password").fill(SPOKEN)
    look(ann, "evening-create")
    ann.press("create-table")
    page.wait_for_url("**/t/*")
    ann.sees("stack-0")
    return page.url


def deck(boards: Mapping[str, str], order: str, fantasyland: str = "") -> str:
    """Return the deck from which these boards come; `order`: first letters from the button's left."""
    names = [next(name for name in boards if name[0] == letter) for letter in order]
    hands = tuple(
        HandStart(seat, 13, 1) if name == fantasyland else HandStart(seat) for seat, name in enumerate(names)
    )
    cards = stacked(resolve({"preset": "turbo", **RULES}), hands, [boards[name] for name in names])
    return "".join(map(card_text, cards))


def play(people: list[Person], boards: Mapping[str, str], watched: tuple[Person, str] | None = None) -> None:
    """Let all place their boards, whoever's turn it is; `watched`: who looks on, at whose fantasyland."""
    left = {person.name: 13 for person in people}
    has_looked = watched is None
    rows = {
        name: {
            cards[at : at + 2]: row
            for row, cards in zip(ROWS, board.split("/"), strict=True)
            for at in range(0, len(cards), 2)
        }
        for name, board in boards.items()
    }
    end = time.monotonic() + LONGEST
    while any(left.values()):
        assert time.monotonic() < end, left
        acted = False
        for person in people:
            tray = person.page.locator("[data-testid='tray']:not(.sent) [data-testid='draws'] [data-testid^='card-']")
            if not left[person.name] or not tray.count():
                continue
            if watched is not None and not has_looked and person.name == watched[1]:
                watches(*watched, people)
                has_looked = True
            cards = person.drawn()
            person.lay({card: rows[person.name][card] for card in cards})
            person.ready()
            left[person.name] -= len(cards)
            anyway = person.page.get_by_test_id("foul-anyway")
            sent = person.page.locator("[data-testid='ready']:enabled")
            expect(anyway.or_(person.page.locator("body").filter(has_not=sent)).first).to_be_attached()
            if anyway.count():
                person.press("foul-anyway")
            acted = True
        if not acted:
            people[0].page.wait_for_timeout(50)
    assert has_looked


def watches(eve: Person, name: str, people: list[Person]) -> None:
    """See a fantasyland while it is played: badge, card backs and words, whoever looks on."""
    seat = [person.name for person in people].index(name)
    for person in (eve, *people):
        if person.name != name:
            person.says(f"setting-{seat}", "13 cards")
            expect(person.page.get_by_test_id(f"setting-{seat}").locator(".backs > *")).to_have_count(13)
            person.sees(f"fantasyland-{seat}")
    for person in (eve, *people[:3]):
        look(person, "evening-fantasyland")


def menu(person: Person, *presses: str) -> None:
    person.press("open-menu")
    for testid in presses:
        person.press(testid)


def another_price(ann: Person) -> None:
    """The host raises the price; it holds from the next match."""
    menu(ann)
    ann.says("host-viewer", "Eve")
    ann.page.get_by_text("Change rules").click()
    ann.page.get_by_test_id("next-stake").fill("0.5")
    ann.says("next-changes", "0.25 EUR → 0.50 EUR")
    ann.press("change-rules")
    ann.wait_until_closed()


def buys_in_again(ben: Person) -> None:
    """Who is bust is asked at once, and keeps the seat."""
    points = ben.page.get_by_test_id("top-up-points")
    expect(points).to_be_visible()
    points.fill(str(BUY_IN))
    look(ben, "evening-bust")
    ben.press("top-up")
    expect(points).to_have_count(0)


def settle(people: list[Person], number: int, table: str, held: dict[str, int]) -> tuple[Deal, Paid]:
    """Count a deal from its file; every page shows the stacks that come of it."""
    ann = people[0]
    deal = deal_from_history(history(ann, table, number))
    won = paid(deal, held)
    for name, points in won.items():
        held[name] += points
    seats = {"Ann": 0, "Ben": 1, "Cid": 2, "Dan": 3}
    for person in people:
        for name in won:
            person.says(f"stack-{seats[name]}", str(held[name]))
    return deal, won


def same_rows(boards: Mapping[str, str]) -> dict[str, list[list[str]]]:
    """Return boards whatever the order of a row's cards."""
    return {
        name: [sorted(row[at : at + 2] for at in range(0, len(row), 2)) for row in board.split("/")]
        for name, board in sorted(boards.items())
    }


def go_on(people: list[Person]) -> None:
    for person in people:
        person.page.locator("[data-testid='next-deal'], [data-testid='start']").first.click()


@pytest.mark.slow
def test_the_money_of_a_session_is_what_its_histories_say(players: list[Person], server: Server) -> None:
    ann, ben, cid, dan, eve = players
    four = [ann, ben, cid, dan]
    first = {"Ann": QUEENS, "Ben": FOULS, "Cid": SIXES, "Dan": TENS}
    second = {"Ann": FOULS, "Ben": QUEENS, "Cid": SIXES, "Dan": TENS}
    third = {"Ann": TENS, "Ben": SIXES, "Cid": FOULS}
    server.stack(
        deck(first, "ABCD"),
        deck(first, "ABCD", "Ann"),
        deck(second, "BCDA"),
        deck(second, "BCDA", "Ben"),
        deck(third, "CAB"),
    )
    link = create(ann)
    table = link.rpartition("/")[2]
    enter(eve, link)
    eve.sees("sit-1")
    for friend in (ben, cid, dan):
        enter(friend, link)
        friend.says("join", f"{BUY_IN} points (10 EUR)")
        look(friend, "evening-sit")
        friend.press("join")
    held = {person.name: BUY_IN for person in four}
    brought = dict(held)
    recounted: list[tuple[Deal, Paid]] = []

    play(four, first)
    another_price(ann)
    recounted.append(settle(four, 1, table, held))
    go_on(four)
    play(four, first, (eve, "Ann"))
    recounted.append(settle(four, 2, table, held))
    assert held["Ben"] == 0
    buys_in_again(ben)
    held["Ben"], brought["Ben"] = BUY_IN, 2 * BUY_IN
    go_on(four)
    play(four, second)
    recounted.append(settle(four, 3, table, held))
    go_on(four)
    play(four, second, (eve, "Ben"))
    recounted.append(settle(four, 4, table, held))

    menu(dan, "leave")
    dan.wait_until_closed()
    three = [ann, ben, cid]
    go_on(three)
    expect(ann.page.get_by_test_id("stage")).to_have_attribute("data-phase", "playing")
    menu(ann, "close-table", "close-table")
    ann.wait_until_closed()
    play(three, third)
    for person in three:
        person.sees("ending")
    last = deal_from_history(history(ann, table, 5))
    recounted.append((last, paid(last, held)))

    deals = [deal for deal, _ in recounted]
    laid = [first, first, second, second, third]
    assert [same_rows(deal.boards) for deal in deals] == [same_rows(boards) for boards in laid]
    assert [deal.fantasylands for deal in deals] == [{}, {"Ann": 13}, {}, {"Ben": 13}, {}]
    assert [float(deal.price) for deal in deals] == [0.25, 0.25, 0.5, 0.5, 0.5]
    assert {deal.unit for deal in deals} == {"EUR"}
    verify_shown_and_stored(players[:4], link, recounted, brought)


def verify_shown_and_stored(
    four: list[Person], link: str, recounted: list[tuple[Deal, Paid]], brought: dict[str, int]
) -> None:
    """The last pages, the table's ledger and everybody's own file say what was counted."""
    money: defaultdict[str, Decimal] = defaultdict(Decimal)
    for deal, won in recounted:
        for name, change in won.items():
            money[name] += change * deal.price
    points = {person.name: sum(won.get(person.name, 0) for _, won in recounted) for person in four}
    assert sum(points.values()) == sum(money.values()) == 0
    view = four[0].ask("GET", f"/api/tables/{link.rpartition('/')[2]}", None)
    ledger = {
        account["name"]: (account["brought"], account["points"], account["money"]) for account in view["accounts"]
    }
    assert ledger == {
        name: (brought[name], points[name], [{"amount": float(amount), "unit": "EUR"}])
        for name, amount in money.items()
    }
    for person in four:
        person.page.goto(link)
        standings_are(person, [won for _, won in recounted], money)
        text = person.page.context.request.get("/api/me/results.csv").text()
        own = DictReader(text.splitlines())
        assert sum((Decimal(row["money"]) for row in own), Decimal()) == money[person.name]
    look(four[0], "evening-end")
