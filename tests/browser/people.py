"""What a person does at a table, by the page's own words and controls."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.browsers import LAN

# Names a folder: then `Person.look` leaves a picture there, in dark and in light.
PICTURES = os.environ.get("TRIPTYCH_PICTURES", "")
ROWS = ("front", "middle", "back")
# Presses one control after the other as a keyboard does, all before the page is drawn again: to draw each step, and
# to lead a pointer there, costs far more than the moves themselves.
_PRESS = """async (testids) => {
    for (const testid of testids) {
        const find = () => document.querySelector(`[data-testid="${testid}"]:enabled`);
        for (let tries = 0; find() === null; tries++) {
            if (tries === 5000) throw new Error(`nothing to press: ${testid}`);
            await (tries < 10 ? null : new Promise((later) => setTimeout(later)));
        }
        find().click();
        await null;
    }
}"""


def press_all(page: Page, testids: Sequence[str]) -> None:
    """Press controls one after the other, without a pointer; each may come only by the one before."""
    page.evaluate(_PRESS, testids)


@dataclass(frozen=True)
class Person:
    """Somebody at a page. `touch`: taps instead of clicks.

    `home`: the server's address where the page's own is a name that only the browser knows.
    """

    page: Page
    name: str
    touch: bool = False
    home: str = ""

    def press(self, testid: str) -> None:
        """Click or tap a control."""
        control = self.page.get_by_test_id(testid)
        if self.touch:
            control.tap()
        else:
            control.click()

    def call_me(self) -> None:
        """Say in the lobby what to be called."""
        self.page.goto("/")
        self.page.get_by_test_id("my-name").fill(self.name)
        self.page.get_by_test_id("my-name").press("Enter")

    def open_table(self, preset: str = "pineapple", **choices: str) -> str:
        """Open a table in the lobby; returns its address."""
        self.page.get_by_test_id("preset").select_option(preset)
        for testid, value in choices.items():
            self.page.get_by_test_id(testid.replace("_", "-")).fill(value)
        self.press("create-sits")  # this person takes a seat later
        self.page.get_by_text("More options").click()
        self.page.get_by_test_id("starts-itself").check()
        self.press("create-table")
        self.page.wait_for_url("**/t/*")
        return self.page.url

    def come(self, link: str = "/") -> None:
        """Come to a page under one's name, without typing it."""
        self.page.emulate_media(reduced_motion="reduce")
        self.sign_in()
        self.page.goto(link)

    def sign_in(self) -> None:
        """Be a guest of this name: without a page where that goes, since each costs more than all else here."""
        context = self.page.context
        context.request.get(f"{self.home}/api/me")
        if self.home:
            for cookie in context.cookies(self.home):
                name, value = cookie.get("name", ""), cookie.get("value", "")
                context.add_cookies([{"name": name, "value": value, "domain": LAN, "path": "/"}])
        self.ask("PUT", "/api/me", {"name": self.name})

    def ask(self, method: str, path: str, body: object) -> dict[str, Any]:
        """Ask the server for something as the page would; returns its answer."""
        answer: dict[str, Any] = self.page.context.request.fetch(self.home + path, method=method, data=body).json()
        return answer

    def open_custom_table(self, preset: str, **choices: object) -> str:
        """Open a table with any rules (`scoring__rows="per_row"`) and go there; returns its link."""
        rules = {"preset": preset, **{key.replace("__", "."): value for key, value in choices.items()}}
        self.page.emulate_media(reduced_motion="reduce")
        self.sign_in()
        answer = self.ask("POST", "/api/tables", {"name": f"{self.name}’s table", "rules": rules, "start": "full"})
        self.page.goto(answer["link"])
        return str(answer["link"])

    def sees(self, testid: str) -> Locator:
        """Wait until something is there, and return it."""
        locator = self.page.get_by_test_id(testid).first
        expect(locator).to_be_visible()
        return locator

    def says(self, testid: str, *words: str) -> None:
        """Wait until something says these words."""
        for word in words:
            expect(self.page.get_by_test_id(testid).first).to_contain_text(word)

    def row(self, row: str, seat: int | None = None) -> list[str]:
        """Return the cards of an own row as text, or of another seat's."""
        place = f"row-{row}" if seat is None else f"seat-{seat}-{row}"
        cards = self.page.get_by_test_id(place).locator("[data-testid^='card-']")
        return [str(card.get_attribute("data-testid")).removeprefix("card-") for card in cards.all()]

    def rejoice(self) -> None:
        """See who reached fantasyland, and go on."""
        expect(self.page.get_by_test_id("splendour")).to_be_visible()
        expect(self.page.get_by_test_id("splendour")).to_have_count(0)

    def stack(self, seat: int) -> int:
        """Return the points that lie before a seat."""
        return int(re.findall(r"\d+", self.page.get_by_test_id(f"stack-{seat}").inner_text())[0])

    def look(self, name: str) -> None:
        """Leave a picture for the eye in the folder that TRIPTYCH_PICTURES names; else nothing."""
        if not PICTURES:
            return
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            self.page.wait_for_timeout(500)
            self.page.screenshot(path=Path(PICTURES) / f"{name}-{self.name}-{scheme}.png")

    def sit(self, seat: int) -> None:
        """Take a seat with the buy-in that the table proposes."""
        press_all(self.page, [f"sit-{seat}", "confirm-sit"])
        self.wait_until_closed()

    def wait_until_closed(self) -> None:
        """Wait until nothing lies over the page, and the step back in its history that closing takes is done.

        Going elsewhere at once would be aborted by that step.
        """
        # Not by `wait_for_function`: it evaluates a string in the page, which the page's policy forbids.
        for _ in range(500):
            if not self.page.evaluate("history.state?.over === true"):
                return
            self.page.wait_for_timeout(20)
        message = "something still lies over the page"
        raise AssertionError(message)

    def add_bot(self, seat: int, level: str = "fast") -> None:
        """Put a bot into an empty seat."""
        press_all(self.page, [f"add-bot-{seat}", f"level-{level}", "confirm-bot"])
        self.wait_until_closed()

    def expect_turn(self) -> None:
        """Wait until cards are there to be placed."""
        expect(self.page.get_by_test_id("tray")).to_be_visible()

    def drawn(self) -> list[str]:
        """Return the cards in the tray, as text."""
        cards = self.page.get_by_test_id("draws").locator("[data-testid^='card-']")
        return [str(card.get_attribute("data-testid")).removeprefix("card-") for card in cards.all()]

    def tap(self, rows: Mapping[str, str]) -> None:
        """Tap each card and its row; `rows`: card to row, in order."""
        for card, row in rows.items():
            self.press(f"card-{card}")
            self.press(f"place-{row}")

    def lay(self, rows: Mapping[str, str]) -> None:
        """Put cards into rows without a pointer, a twentieth of the work of taps; `rows`: card to row, in order."""
        press_all(self.page, [testid for card, row in rows.items() for testid in (f"card-{card}", f"place-{row}")])

    def keeps(self, rows: Mapping[str, str]) -> None:
        """Wait until the server knows that these cards lie in these rows, confirmed or not."""
        table = self.page.url.rpartition("/")[2]
        while True:  # pytest's own time-out ends it
            view = self.page.context.request.get(f"/api/tables/{table}").json()
            layout = view["deal"]["tasks"][0]["layout"]
            if all(card in layout[row] for card, row in rows.items()):
                return
            self.page.wait_for_timeout(50)

    def ready(self) -> None:
        """Confirm the street, a foul too."""
        expect(self.page.get_by_test_id("ready")).to_be_enabled()
        self.press("ready")

    def set(self, board: str) -> None:
        """Lay out `QhQd7c/QsQc9d8c2c/8c9cTcJc2c` (front, middle, back) and confirm."""
        rows = zip(ROWS, board.split("/"), strict=True)
        layout = {cards[i : i + 2]: row for row, cards in rows for i in range(0, len(cards), 2)}
        self.place(layout)

    def place(self, rows: Mapping[str, str]) -> None:
        """Wait for the turn, lay the cards and confirm."""
        self.expect_turn()
        first = next(iter(rows))  # the others come with it
        expect(self.page.get_by_test_id("draws").get_by_test_id(f"card-{first}")).to_be_visible()
        self.lay(rows)
        self.ready()


def begin(ann: Person, bob: Person, preset: str, *, bots: int = 0, **choices: object) -> str:
    """Seat two people and bots at a new table, in this order, and begin; returns the table's link."""
    link = ann.open_custom_table(preset, **choices)
    ann.sit(0)
    bob.come(link)
    bob.sit(1)
    for seat in range(2, 2 + bots):
        ann.add_bot(seat)
    for person in (ann, bob):
        person.press("start")
    return link


def begin_with_bots(person: Person, preset: str, bots: int, **choices: object) -> str:
    """Seat a person with bots at a new table, and begin; returns the table's link."""
    link = person.open_custom_table(preset, **choices)
    person.sit(0)
    for seat in range(1, 1 + bots):
        person.add_bot(seat, "random")
    person.press("start")
    return link
