"""Closed games in the browser: a surrender, a natural, royalties to declare, two boards each, first to eleven.

Issue 3, shown by 3. The cards are stacked; everything else is the product itself. RULEBOOK 2, 4; seeds 000, 003, 004.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.people import Person
from tests.browser.servers import Server, serve


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the whole file; each test stacks its own decks."""
    with serve(tmp_path_factory.mktemp("closed"), "--pause", "60", "--bot-delay", "0", stackable=True) as running:
        yield running


@pytest.fixture
def ann(desktop: BrowserContext) -> Person:
    """Ann at the desktop."""
    return Person(desktop.new_page(), "Ann")


@pytest.fixture
def bob(phone: BrowserContext) -> Person:
    """Bob with the phone."""
    return Person(phone.new_page(), "Bob", touch=True)


def _begin(ann: Person, bob: Person, preset: str, *, bots: int = 0, **choices: object) -> None:
    """Seat Ann, Bob and bots at a new table, and begin."""
    link = ann.found_table(preset, **choices)
    ann.sit(0)
    bob.come(link)
    bob.sit(1)
    for seat in range(2, 2 + bots):
        ann.add_bot(seat)
    for person in (ann, bob):
        person.press("start")


def test_a_closed_deal_with_a_surrender_and_a_natural(server: Server, ann: Person, bob: Person) -> None:
    """RULEBOOK 4: surrender 3; a natural is paid before surrender and plays no rows. Seed 003 L41 (dragon 13)."""
    dragon = "AsKhQdJcTs9h8d7c6s5h4d3c2s"
    server.stack("AdAcKdQs9s8c6h5d3s2c4h7hJh" + dragon)
    _begin(ann, bob, "closed_1_6", bots=2)
    bob.says("natural", "Dragon")
    bob.look("closed-natural")
    ann.look("closed-setting")
    bob.press("natural")
    ann.set("KdQsJh/9s8c7h4h2c/AdAc6h5d3s")
    bob.look("closed-waiting")
    # The natural lies open before anybody surrenders.
    assert len(ann.row("back", 1)) in (0, 5)
    ann.says("prompt", "Play your board, or surrender it for 3 points")
    ann.look("closed-announce")
    ann.press("announce-surrender")
    for person in (ann, bob):
        person.sees("result")
        person.look("closed-result")
    assert ann.stack(1) - ann.stack(0) > 13
    bob.page.get_by_test_id("open-sheet").tap()
    bob.look("closed-sheet")
    assert sum(ann.stack(seat) for seat in range(4)) == 400
    expect(ann.page.get_by_test_id("seat-1")).to_contain_text("Dragon")


def test_royalties_are_declared_row_by_row(server: Server, ann: Person, bob: Person) -> None:
    """RULEBOOK 4, `royalties.declare = must`: what is not named is not paid. Seed 003 L36."""
    server.stack("AsAhAdAcKs2c2d2h7s7dQcQd9h" + "KhKdKc3s3h4c5d6h8s9cTdJcQh")
    _begin(ann, bob, "closed_1_6", royalties__declare="must")
    ann.set("QcQd9h/2c2d2h7s7d/AsAhAdAcKs")
    bob.set("KhQhJc/3s3h9c8s6h/KdKcTd5d4c")
    ann.press("announce-play")
    bob.press("announce-play")
    ann.sees("declare")
    ann.look("declare")
    ann.page.get_by_label("back").check()
    ann.press("declare")
    bob.sees("declare")
    bob.look("declare")
    bob.press("declare")
    ann.sees("result")
    ann.look("declared")
