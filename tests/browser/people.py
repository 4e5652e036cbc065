"""What a person does at a table, by the page's own words and controls."""

from collections.abc import Mapping
from dataclasses import dataclass

from playwright.sync_api import Page, expect

CAPACITY = {"front": 3, "middle": 5, "back": 5}
ANIMATED = 400  # milliseconds until a slide is over


@dataclass(frozen=True)
class Person:
    """Somebody at a page. `touch`: taps instead of clicks."""

    page: Page
    name: str
    touch: bool = False

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
        self.press("create-table")
        self.page.wait_for_url("**/t/*")
        return self.page.url

    def sit(self, seat: int) -> None:
        """Take a seat with the buy-in that the table proposes."""
        self.press(f"sit-{seat}")
        self.press("confirm-sit")

    def add_bot(self, seat: int, level: str = "steady") -> None:
        """Put a bot into an empty seat."""
        self.press(f"add-bot-{seat}")
        self.page.get_by_test_id(f"level-{level}").click()
        self.press("confirm-bot")

    def expect_turn(self) -> None:
        """Wait until cards are there to be placed."""
        expect(self.page.get_by_test_id("tray")).to_be_visible()

    def drawn(self) -> list[str]:
        """Return the cards in the tray, as text."""
        cards = self.page.get_by_test_id("draws").locator("[data-testid^='card-']")
        return [str(card.get_attribute("data-testid")).removeprefix("card-") for card in cards.all()]

    def lay(self, rows: Mapping[str, str]) -> None:
        """Tap each card and its row; `rows`: card to row, in order."""
        for card, row in rows.items():
            self.press(f"card-{card}")
            self.press(f"place-{row}")

    def ready(self) -> None:
        """Confirm the street, a foul too."""
        expect(self.page.get_by_test_id("ready")).to_be_enabled()
        self.press("ready")

    def place(self, rows: Mapping[str, str]) -> None:
        """Wait for the turn, lay the cards and confirm."""
        self.expect_turn()
        for card in rows:
            expect(self.page.get_by_test_id("draws").get_by_test_id(f"card-{card}")).to_be_visible()
        self.lay(rows)
        self.ready()
