"""A session of four with another price, other rules, stakes and people, its money recounted (issue 27.7 to 27.9).

What is recounted comes from the deals' own history files, by a few lines that know nothing of Triptych.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from csv import DictReader
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ViewportSize, expect

from tests.browser.conftest import PATIENCE, PHONE
from tests.browser.people import Person
from tests.browser.servers import Server, serve
from tests.table.session import LOW, PLAIN, THIRD
from tests.table.test_matches import ELEVEN

SCREEN = ViewportSize(width=1440, height=900)
RULES = {
    "preset": "closed_basic",
    "title": "Friday",
    "clock.kind": "none",
    "seats.min": 3,
    "seats.buy_in_max": 60,
    "match.kind": "deals:1",
    "stake.point": 0.25,
    "stake.unit": "EUR",
}
_OPEN = """async (rules) => {
    const body = JSON.stringify({ name: 'Friday', rules, start: 'full', pause: 600, arranging: true });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/api/tables', { method: 'POST', headers, body });
    return await answer.json();
}"""
_READ = "async (path) => (await fetch(path)).text()"


def deck(*boards: str) -> str:
    """Return a deck that deals the cards of these boards to the hands in order."""
    return "".join(board.replace("/", "") for board in boards)


def recount(histories: list[str]) -> tuple[list[dict[str, int]], dict[str, Decimal]]:
    """Return what each deal paid whom in points, and what all of them come to in money."""
    deals: list[dict[str, int]] = []
    money: defaultdict[str, Decimal] = defaultdict(Decimal)
    for text in histories:
        deal: dict[str, Any] = tomllib.loads(text, parse_float=Decimal)
        names, start = deal["players"], deal["stacks"]
        assert deal["rules"]["settlement"]["cap"] == "min_stack_at_start"
        pairs = list(combinations(range(len(names)), 2))
        now = list(start)
        for (a, b), points, stake in zip(
            pairs, deal["result"]["pairs"], deal.get("stakes") or [1] * len(pairs), strict=True
        ):
            payer, taker = (b, a) if points > 0 else (a, b)
            amount = min(abs(points * stake), now[payer], start[payer], start[taker])
            now[payer] -= amount
            now[taker] += amount
        paid = {name: after - before for name, before, after in zip(names, start, now, strict=True)}
        deals.append(paid)
        assert deal["rules"]["stake"]["unit"] == "EUR"
        for name, points in paid.items():
            money[name] += points * Decimal(deal["rules"]["stake"]["point"])
    return deals, money


def signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"\N{MINUS SIGN}{-points}" if points < 0 else "0"


def euros(amount: Decimal) -> str:
    size = abs(amount)
    text = f"{size:.0f} EUR" if size == int(size) else f"{size:.2f} EUR"
    return f"\N{MINUS SIGN}{text}" if amount < 0 else text


@pytest.fixture
def stacked(tmp_path: Path) -> Iterator[Server]:
    with serve(tmp_path, stackable=True) as server:
        yield server


@pytest.fixture
def players(browser: Browser, stacked: Server) -> Iterator[list[Person]]:
    contexts: list[BrowserContext] = []
    people: list[Person] = []
    for name, size in (("Anna", SCREEN), ("Ben", PHONE), ("Cid", SCREEN), ("Dan", SCREEN)):
        context = browser.new_context(base_url=stacked.url, viewport=size)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        people.append(Person(context.new_page(), name))
    yield people
    for context in contexts:
        context.close()


def play(people: list[Person], *, last: bool = False) -> None:
    for person in people:
        person.expect_turn()
        person.press("arrange-me")
        expect(person.page.locator("[data-testid='ready']:enabled")).to_be_visible()
        person.ready()
    for person in people:
        person.sees("ending" if last else "result")


def go_on(person: Person) -> None:
    """Be ready for the next deal; after one, or at a table where a newcomer has cleared it away."""
    person.page.locator("[data-testid='next-deal'], [data-testid='start']").first.click()


def other_rules(host: Person) -> None:
    """Open the form for the next match's rules."""
    host.page.get_by_role("button", name="Menu").click()
    host.page.get_by_text("Change rules").click()
    expect(host.page.get_by_test_id("next-stake")).to_be_enabled()


def history(person: Person, table: str, deal: int) -> str:
    return str(person.page.evaluate(_READ, f"/api/tables/{table}/deals/{deal}/history"))


def meet(anna: Person, ben: Person, cid: Person) -> str:
    """Seat three at Anna's table, five hundred times the stake between her and Ben; returns its link."""
    anna.come()
    link = str(anna.page.evaluate(_OPEN, RULES)["link"])
    for seat, person in enumerate((anna, ben, cid)):
        person.come(link)
        person.sit(seat)
    anna.press("open-seat-1")
    anna.page.get_by_test_id("stake-value").fill("500")
    anna.press("offer-stake")
    anna.page.keyboard.press("Escape")
    ben.press("open-seat-0")
    ben.press("accept-stake")
    ben.says("stake", "× 500")
    ben.page.keyboard.press("Escape")
    return link


def says_what_was_paid(anna: Person, ben: Person, paid: dict[str, int]) -> None:
    """The first match: more was due than Ben could pay, and everything tells what was paid."""
    lines = anna.page.get_by_test_id("side-sheet").locator(".totals li")
    for line, name in zip(lines.all(), ("You", "Ben", "Cid"), strict=True):
        expect(line).to_have_text(f"{name} {signed(paid['Anna' if name == 'You' else name])}")
    anna.says("side-sheet", "500 were due; Ben had 55 left")
    ranked = sorted(paid.items(), key=lambda item: -item[1])
    others = " and ".join(signed(points) for _, points in ranked[1:])
    for person in (anna, ben):
        person.says("prompt", f"Anna wins the match, {signed(paid['Anna'])} to {others}")
    anna.says("talk", f"Match 1 is over: {', '.join(f'{name} {signed(points)}' for name, points in ranked)}")
    anna.look("paid")
    ben.press("open-sheet")
    ben.says("sheet", "500 were due; Ben had 55 left")
    ben.look("paid")
    ben.page.keyboard.press("Escape")


def another_price(anna: Person) -> None:
    """Only the price is changed: the table's own rules stay."""
    other_rules(anna)
    anna.page.get_by_test_id("next-stake").fill("0.5")
    anna.says("next-changes", "0.25 EUR → 0.50 EUR")
    expect(anna.page.get_by_test_id("next-dropped")).to_have_count(0)
    anna.look("next-rules")
    anna.press("change-rules")
    anna.wait_until_closed()


def another_game(anna: Person) -> None:
    """Another game drops rules of the table's own: it asks, and takes no for an answer."""
    other_rules(anna)
    form = anna.page.get_by_test_id("next-preset")
    form.select_option("malayan")
    anna.says("next-dropped", "Match · Kind", "Seats · Buy in max")
    expect(anna.page.get_by_test_id("next-stake")).to_have_value("0.5")
    anna.press("change-rules")
    anna.look("next-asks")
    anna.page.set_viewport_size(PHONE)
    anna.look("next-asks-phone")
    anna.page.set_viewport_size(SCREEN)
    anna.press("keep-rules")
    expect(form).to_have_value("")
    expect(anna.page.get_by_test_id("change-rules")).to_be_disabled()
    form.select_option("malayan")
    expect(anna.page.get_by_test_id("next-dropped")).to_be_visible()
    anna.press("change-rules")
    anna.press("drop-rules")
    anna.wait_until_closed()


def standings_are(person: Person, deals: list[dict[str, int]], money: dict[str, Decimal]) -> None:
    person.sees("final-standings")
    lines = person.page.get_by_test_id("final-standings").locator("li")
    expect(lines).to_have_count(len(money))
    for line, (name, amount) in zip(lines.all(), sorted(money.items(), key=lambda item: -item[1]), strict=True):
        points = sum(deal.get(name, 0) for deal in deals)
        expect(line).to_have_text(f"{name} {signed(points)} {euros(amount)}")
    settled: defaultdict[str, Decimal] = defaultdict(Decimal)
    for payment in person.page.get_by_test_id("final-debts").locator("li").all_inner_texts():
        payer, _, payee, text, unit = payment.split()
        assert unit == "EUR"
        settled[payer] -= Decimal(text)
        settled[payee] += Decimal(text)
    assert {name: amount for name, amount in money.items() if amount} == settled
    person.look("final")


def own_results_are(person: Person, histories: list[str], amount: Decimal) -> None:
    """One's own results: the parts of the session, and the file to take along."""
    rows = list(DictReader(str(person.page.evaluate(_READ, "/api/me/results.csv")).splitlines()))
    assert sum((Decimal(row["money"]) for row in rows), Decimal()) == amount
    person.page.goto("/me")
    person.sees("sessions")
    parts = person.page.get_by_test_id("results").locator(".totals li")
    expect(parts).to_have_count(len(rows))  # each deal had a price or a game of its own
    for row in rows:
        _, money = recount([histories[int(row["deal"]) - 1]])
        expect(parts.filter(has_text=euros(money[person.name])).first).to_be_visible()
    person.look("me")


@pytest.mark.slow
def test_the_money_of_a_session_is_what_its_deals_paid(stacked: Server, players: list[Person]) -> None:
    anna, ben, cid, dan = players
    strong, weak, weaker = (ELEVEN[seat] for seat in (0, 1, 2))
    stacked.stack(deck(strong, weak, weaker), deck(weak, strong, weaker), deck(LOW, PLAIN, THIRD))
    link = meet(anna, ben, cid)
    table = link.rpartition("/")[2]
    for person in (anna, ben, cid):
        person.press("start")
    play([anna, ben, cid])
    (first,), money = recount([history(anna, table, 1)])
    says_what_was_paid(anna, ben, first)

    another_price(anna)
    ben.page.get_by_role("button", name="Menu").click()
    ben.press("leave")
    ben.wait_until_closed()
    dan.come(link)
    dan.sit(1)
    dan.says("talk", "each point is worth 0.5 EUR")
    # What was played before is counted at its own price, on its sheet too.
    anna.press("open-history")
    for name, amount in money.items():
        anna.says("accounts", "You" if name == "Anna" else name, euros(amount))
    anna.page.get_by_test_id("history").locator("summary").first.click()
    anna.says("sheet-1", euros(first["Anna"] * Decimal("0.25")))
    anna.page.keyboard.press("Escape")
    for person in (anna, cid, dan):
        go_on(person)
    play([anna, dan, cid])
    assert "deals:1" in anna.page.evaluate(_READ, f"/api/tables/{table}/rules")

    another_game(anna)
    for person in (anna, cid, dan):
        go_on(person)
    for person in (anna, cid, dan):
        person.expect_turn()
    anna.page.get_by_role("button", name="Menu").click()
    anna.press("close-table")
    anna.press("close-table")
    anna.wait_until_closed()
    play([anna, dan, cid], last=True)

    histories = [history(anna, table, number) for number in (1, 2, 3)]
    deals, money = recount(histories)
    assert sum(money.values()) == 0
    for person in players:
        person.page.goto(link)
        standings_are(person, deals, money)
        own_results_are(person, histories, money[person.name])
