"""A deal by keyboard alone, the help on `?`, the numbers on the cards while Shift is held (issue 11, part 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.people import Person, begin_with_bots
from tests.browser.servers import Server, serve

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TRIES = 400
ROW_KEYS = {"front": "q", "middle": "w", "back": "e"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("keys")
    with serve(folder, "--pause", "120", "--bot-delay", "0") as running:
        yield running


def task_of(person: Person) -> dict[str, Any] | None:
    """Return what is asked of a person, from their own view of the table."""
    table = person.page.url.rsplit("/", 1)[1]
    deal = person.page.request.get(f"/api/tables/{table}").json()["deal"]
    return deal["tasks"][0] if deal["tasks"] else None


def asked(person: Person) -> list[str]:
    """Return the cards that a person is to place, none when it is not their turn."""
    task = task_of(person)
    return [] if task is None else [str(card) for card in task["cards"]]


def keys(person: Person, *pressed: str) -> None:
    for key in pressed:
        person.page.keyboard.press(key)


def confirm(person: Person) -> None:
    """Enter; a sure foul is asked about once more, and confirmed by keys too."""
    expect(person.page.get_by_test_id("ready")).to_be_enabled()
    cards = asked(person)
    keys(person, "Enter")
    foul = person.page.get_by_test_id("foul-anyway")
    for _ in range(TRIES):
        if asked(person) != cards:
            return
        if foul.is_visible():
            keys(person, "Tab", "Enter")
        person.page.wait_for_timeout(50)
    pytest.fail(person.page.get_by_role("main").inner_text())


def test_two_deals_of_pineapple_by_keys_alone(desktop: BrowserContext) -> None:
    ann = Person(desktop.new_page(), "Ann")
    begin_with_bots(ann, "pineapple", 1, clock__kind="none", fantasyland__kind="none")
    for _ in range(2):
        for street in range(1, 6):
            expect(ann.page.get_by_test_id("prompt")).to_contain_text(f"Street {street}")
            ann.expect_turn()
            task = task_of(ann)
            assert task is not None
            rows = [row for row in ("back", "middle", "front") for _ in range(task["open"][row])]
            for number, row in enumerate(rows[: task["place"]], 1):
                keys(ann, str(number), ROW_KEYS[row])
            confirm(ann)
        ann.sees("result")
        keys(ann, "Enter")  # the next deal


def test_thirteen_cards_are_set_sorted_and_swapped_by_keys(desktop: BrowserContext) -> None:
    ann = Person(desktop.new_page(), "Ann")
    begin_with_bots(ann, "closed_basic", 1, clock__kind="none")
    ann.expect_turn()
    by_rank = ann.drawn()
    keys(ann, "r")
    expect(ann.page.get_by_test_id("sort-suit")).to_have_attribute("aria-pressed", "true")
    keys(ann, "r")
    assert ann.drawn() == by_rank
    keys(ann, "ArrowRight", "ArrowRight")
    expect(ann.page.get_by_test_id(f"card-{by_rank[1]}")).to_have_attribute("aria-pressed", "true")
    keys(ann, "Escape")
    for row in ("back", "middle"):
        for _ in range(5):
            keys(ann, "1", ROW_KEYS[row])
    back, middle = ann.row("back"), ann.row("middle")
    assert set(back) == set(by_rank[:5])
    keys(ann, "s")
    assert (ann.row("back"), ann.row("middle")) == (middle, back)
    keys(ann, "Backspace")
    assert (ann.row("back"), ann.row("middle")) == (back, middle)
    for _ in range(3):
        keys(ann, "1", "q")
    confirm(ann)
    ann.sees("result")


def test_a_card_is_discarded_and_taken_back_by_keys(desktop: BrowserContext) -> None:
    ann = Person(desktop.new_page(), "Ann")
    begin_with_bots(ann, "pineapple", 1, clock__kind="none")
    ann.expect_turn()
    for number, row in enumerate(("back", "back", "middle", "middle", "front"), 1):
        keys(ann, str(number), ROW_KEYS[row])
    confirm(ann)
    expect(ann.page.get_by_test_id("prompt")).to_contain_text("discard one")
    cards = asked(ann)
    keys(ann, "2", "d")
    expect(ann.page.get_by_test_id("discard").get_by_test_id(f"card-{cards[1]}")).to_be_visible()
    keys(ann, "2", "e", "1", "w")
    assert cards[1] in ann.row("back")
    expect(ann.page.get_by_test_id("discard").get_by_test_id(f"card-{cards[2]}")).to_be_visible()


def test_numbers_while_shift_is_held_and_help_on_a_question_mark(desktop: BrowserContext) -> None:
    ann = Person(desktop.new_page(), "Ann")
    begin_with_bots(ann, "pineapple", 1, clock__kind="none")
    ann.expect_turn()
    shown = ann.page.get_by_test_id("draws").locator("kbd")
    expect(shown).to_have_count(0)
    ann.page.keyboard.down("Shift")
    expect(shown).to_have_text(["1", "2", "3", "4", "5"])
    keys(ann, "3", "e")  # with Shift held, as the numbers are read
    expect(shown).to_have_text(["1", "2", "4", "5"])
    assert ann.row("back") == [asked(ann)[2]]
    ann.page.keyboard.up("Shift")
    expect(shown).to_have_count(0)
    keys(ann, "?")
    expect(ann.page.get_by_test_id("keys")).to_be_visible()
    keys(ann, "2", "e")  # nothing is placed behind the help
    keys(ann, "Escape")
    expect(ann.page.get_by_test_id("keys")).to_have_count(0)
    assert len(ann.row("back")) == 1


def test_letters_that_are_written_move_no_card(desktop: BrowserContext) -> None:
    ann = Person(desktop.new_page(), "Ann")
    begin_with_bots(ann, "pineapple", 1, clock__kind="none")
    ann.expect_turn()
    ann.page.get_by_role("textbox", name="Say something").press_sequentially("1e we 2q?")
    assert ann.row("back") == ann.row("front") == []
    expect(ann.page.get_by_test_id("keys")).to_have_count(0)
