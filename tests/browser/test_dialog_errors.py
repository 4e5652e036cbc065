"""Every dialog says inside what it was refused, beside the field; number fields say their limits (28.1, 28.2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.people import Person
from tests.browser.scripted_table import ScriptedTable
from tests.table.session import FOUL, PLAIN, Session
from triptych.board import Layout
from triptych.cards import card_text, parse_cards
from triptych.deal.actions import Arrange
from triptych.server.wire.messages import WireError
from triptych.table.commands import OfferStake

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page, Route

    from tests.browser.servers import Server

WHY = "the server says no to this"
CLIENT = Path(__file__).parents[2] / "client" / "src"
# Dialogs with a test below; the others ask nothing that can be refused.
TESTED = {
    "BotDialog",
    "Drawer",
    "Editor",
    "FoulDialog",
    "LinkDevice",
    "NewTournament",
    "ProofDialog",
    "SeatDialog",
    "ShareDialog",
    "SitDialog",
    "TableMenu",
}
ASKS_NOTHING = {
    "App",
    "AuthorDialog",
    "DailyPage",
    "DuplicatePage",
    "FairnessDialog",
    "Keyboard",
    "SessionPanel",
    "SoloTable",
    "SoloTopBar",
}


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def opened(page: Page, session: Session, player: str = "ann", path: str = "$") -> ScriptedTable:
    """Open a table at which everything is refused."""
    stage = ScriptedTable(page, session, player)
    stage.open()
    stage.refusal = WireError("test.refused", WHY, path)
    return stage


def says_it(page: Page, field: str | None = None) -> Locator:
    """See the refusal in the open dialog, beside a field unless none is named."""
    dialog = page.locator("dialog[open]")
    message = dialog.get_by_test_id("refused" if field is None else f"refusal-{field}")
    expect(message).to_have_text(WHY)
    expect(dialog.get_by_text(WHY)).to_have_count(1)
    return dialog


def refuse(page: Page, address: str, path: str = "$") -> None:
    def answer(route: Route) -> None:
        body = {"error": {"code": "test.refused", "message": WHY, "path": path}}
        route.fulfill(status=400, content_type="application/json", body=json.dumps(body))

    page.route(address, lambda route: answer(route) if route.request.method != "GET" else route.continue_())


def test_every_dialog_is_tested_or_asks_nothing() -> None:
    """Whoever adds a dialog that asks something adds a test here."""
    dialogs = {file.stem for file in CLIENT.rglob("*.svelte") if "<Dialog" in file.read_text(encoding="utf-8")}
    assert dialogs == TESTED | ASKS_NOTHING


def shut(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    Person(page, "Ann").wait_until_closed()


def a_stake(page: Page, stage: ScriptedTable) -> None:
    stage.refusal = WireError("test.refused", WHY, "$.stake")
    page.get_by_test_id("open-seat-1").click()
    page.get_by_test_id("offer-stake").click()
    says_it(page, "stake")
    shut(page)


def what_the_menu_asks(page: Page, stage: ScriptedTable) -> None:
    stage.refusal = WireError("test.refused", WHY, "$")
    for button in ("sit-out", "pause", "unseat-1", "let-arrange"):
        page.get_by_test_id("open-menu").click()
        expect(page.locator("dialog[open]").get_by_text(WHY)).to_have_count(0)
        page.get_by_test_id(button).click()
        if button == "unseat-1":  # a match is on, so it asks first
            page.get_by_test_id(button).click()
        expect(says_it(page).get_by_test_id("refused")).to_be_in_viewport()
        shut(page)


def a_top_up_and_a_password(page: Page, stage: ScriptedTable) -> None:
    stage.refusal = WireError("test.refused", WHY, "$.points")
    refuse(page, "**/api/tables/*/password", "$.password")
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id("top-up").click()
    dialog = says_it(page, "points")
    dialog.get_by_text("Set a password").click()
    dialog.get_by_test_id("new-password").fill("secret")
    dialog.get_by_test_id("set-password").click()
    says_it(page, "password")
    shut(page)


def another_device(page: Page) -> None:
    refuse(page, "**/api/me/device")
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id("another-device").click()
    expect(page.locator("dialog[open]").get_by_role("alert").filter(has_text=WHY)).to_be_visible()
    shut(page)


def a_line_of_talk(page: Page, stage: ScriptedTable) -> None:
    stage.refusal = WireError("test.refused", WHY, "$.text")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_test_id("open-talk").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_test_id("say").fill("hello")
    dialog.get_by_test_id("say").press("Enter")
    says_it(page, "text")
    expect(dialog.get_by_test_id("say")).to_have_value("hello")


def test_errors_of_table_dialogs_are_shown(page: Page) -> None:
    stage = opened(page, Session(people=2, buy_in=50))
    a_stake(page, stage)
    what_the_menu_asks(page, stage)
    a_top_up_and_a_password(page, stage)
    another_device(page)
    a_line_of_talk(page, stage)


@pytest.mark.slow
def test_a_seat_a_name_and_a_bot(page: Page) -> None:
    stage = opened(page, Session(people=1), "bob", "$.buy_in")
    page.get_by_test_id("sit-1").click()
    page.get_by_test_id("confirm-sit").click()
    dialog = says_it(page, "buy_in")
    expect(dialog.get_by_test_id("buy-in")).to_have_attribute("aria-invalid", "true")
    expect(dialog.get_by_test_id("buy-in")).to_be_focused()
    # Whoever changes the field is told nothing old; what has no field stands below.
    dialog.get_by_test_id("sit-name").fill("Bob")
    expect(dialog.get_by_text(WHY)).to_have_count(0)
    stage.refusal = WireError("test.refused", WHY, "$.seat")
    dialog.get_by_test_id("confirm-sit").click()
    says_it(page)
    refuse(page, "**/api/me", "$.name")
    dialog.get_by_test_id("sit-name").fill("Somebody")
    dialog.get_by_test_id("confirm-sit").click()
    says_it(page, "name")
    page.unroute_all()
    opened(page, Session(people=1), path="$.level")
    page.get_by_test_id("add-bot-1").click()
    page.get_by_test_id("confirm-bot").click()
    says_it(page, "level")


@pytest.mark.slow
def test_a_placement_that_fouls(page: Page) -> None:
    """The dialog is over when the answer comes: it stands where the person looks then."""
    session = Session("closed_1_6", boards=[{0: FOUL, 1: PLAIN}])
    session.begin()
    stage = opened(page, session)
    stage.refusal = None
    page.set_viewport_size({"width": 1280, "height": 800})
    a_click_on_a_card_takes_the_keys_out_of_the_talk(page)
    rows = (tuple(map(card_text, parse_cards(row))) for row in FOUL.split("/"))
    session.ask("ann", Arrange(0, Layout(*rows)))
    stage.tell()
    page.get_by_test_id("ready").click()
    expect(page.get_by_test_id("foul-dialog")).to_be_visible()
    stage.refusal = WireError("test.refused", WHY)
    page.get_by_test_id("foul-anyway").click()
    expect(page.get_by_test_id("notices")).to_have_text(WHY)


def a_click_on_a_card_takes_the_keys_out_of_the_talk(page: Page) -> None:
    """Issue 28.2: a host lost whole streets, and the chat held "eqeqeqe"."""
    say = page.get_by_test_id("say")
    say.fill("good luck")
    say.press("Enter")
    expect(page.get_by_test_id("talk")).to_contain_text("good luck")
    expect(say).to_be_focused()
    page.get_by_test_id("draws").locator("[data-testid^='card-']").first.click()
    expect(say).not_to_be_focused()
    page.keyboard.press("e")
    expect(page.get_by_test_id("row-back").locator("[data-testid^='card-']")).to_have_count(1)
    expect(say).to_have_value("")


@pytest.mark.slow
def test_errors_of_dialogs_on_other_pages_are_shown(page: Page) -> None:
    page.add_init_script(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('no')); document.execCommand = () => false;"
    )
    a_table_by_rules_that_are_refused(page)
    a_tournament_that_cannot_be(page)
    the_question_for_a_password(page)
    a_link_that_cannot_be_copied(page)


def a_table_by_rules_that_are_refused(page: Page) -> None:
    refuse(page, "**/api/tables")
    page.goto("/rules/pineapple")
    page.get_by_test_id("open-table").click()
    page.get_by_test_id("create-dialog").get_by_test_id("create-table").click()
    says_it(page)
    page.unroute_all()


def a_tournament_that_cannot_be(page: Page) -> None:
    """Issue 28.1: an impossible league. The server itself says no."""
    page.goto("/")
    page.get_by_test_id("announce-cup").click()
    dialog = page.get_by_test_id("new-cup")
    dialog.locator("summary").click()
    what_is_missing_in_a_folded_part_is_named(dialog)
    dialog.get_by_test_id("cup-rounds").fill("3")
    dialog.get_by_test_id("cup-most").fill("7")
    dialog.get_by_test_id("create-cup").click()
    expect(dialog.get_by_test_id("refusal-most")).to_contain_text("two or more full tables of 3")
    expect(dialog.get_by_test_id("cup-most")).to_be_focused()
    dialog.get_by_test_id("cup-levels").fill("3 2 1")
    dialog.get_by_test_id("cup-rounds").fill("0")
    dialog.get_by_test_id("create-cup").click()
    expect(dialog.get_by_test_id("refusal-levels")).to_have_text("Each level raises what a point is worth.")
    expect(dialog.get_by_test_id("refusal-most")).to_be_empty()


def what_is_missing_in_a_folded_part_is_named(dialog: Locator) -> None:
    """A submit that is not disabled: the empty field is shown and has the focus."""
    kind = dialog.get_by_test_id("cup-prize-kind")
    before = kind.input_value()
    kind.select_option("shares")
    dialog.locator("summary").click()
    expect(dialog.get_by_test_id("cup-prizes")).to_be_hidden()
    dialog.get_by_test_id("create-cup").click()
    expect(dialog.get_by_test_id("cup-prizes")).to_be_visible()
    expect(dialog.get_by_test_id("cup-prizes")).to_be_focused()
    kind.select_option(before)


def the_question_for_a_password(page: Page) -> None:
    page.goto("/me")
    page.get_by_text("Add a name and password").click()
    page.get_by_test_id("keep-name-name").fill(f"Refused {uuid4().hex[:8]}")
    page.get_by_test_id("keep-name-password").fill("queens on top")
    page.get_by_test_id("keep-name").click()
    page.get_by_test_id("drop-name").click()
    refuse(page, "**/api/me/keys/**", "$.proof.password")
    page.get_by_test_id("proof-password").fill("kings on top")
    page.get_by_test_id("proof-confirm").click()
    says_it(page, "proof")


def a_link_that_cannot_be_copied(page: Page) -> None:
    page.goto("/rules/pineapple")
    page.get_by_test_id("share-rules").first.click()
    page.locator("dialog[open]").get_by_role("button", name="Copy").first.click()
    expect(page.locator("dialog[open]").get_by_test_id("refused")).not_to_be_empty()


@pytest.mark.slow
def test_a_number_beyond_its_limits_is_not_asked_and_stays_as_typed(page: Page) -> None:
    """Issue 28.2: a stake of 1.5 became × 2, 99999 was answered with the server's own type; 500 points became 81."""
    stage = opened(page, Session(people=2, buy_in=50))
    stage.refusal = None
    page.get_by_test_id("open-seat-1").click()
    dialog = page.locator("dialog[open]")
    field = dialog.get_by_test_id("stake-value")
    expect(dialog.get_by_text("A whole number from 1 to 10000")).to_be_visible()
    for typed in ("1.5", "99999", "0", ""):
        field.fill(typed)
        dialog.get_by_test_id("offer-stake").click()
        expect(field).to_be_focused()
        expect(field).to_have_value(typed)
    assert stage.asked == []
    field.fill("3")
    dialog.get_by_test_id("offer-stake").click()
    expect(dialog).to_contain_text("You offered")
    assert stage.asked == [{"do": "offer_stake", "seat": 1, "stake": 3}]
    # Once the other one agrees, the two play for it.
    stage.session.ask("bob", OfferStake(0, 3))
    stage.tell()
    expect(dialog.get_by_test_id("stake")).to_contain_text("× 3")
    shut(page)
    page.get_by_test_id("open-menu").click()
    most = stage.session.rules.seats.buy_in_max - 50
    expect(dialog.get_by_text(f"A whole number from 1 to {most}")).to_be_visible()
    for typed in ("500", "0", "2.5"):
        dialog.get_by_test_id("top-up-points").fill(typed)
        dialog.get_by_test_id("top-up").click()
        expect(dialog.get_by_test_id("top-up-points")).to_be_focused()
        expect(dialog.get_by_test_id("top-up-points")).to_have_value(typed)
    assert stage.asked[1:] == []
    dialog.get_by_test_id("top-up-points").fill("7")
    dialog.get_by_test_id("top-up").click()
    expect(page.get_by_test_id("stack-0")).to_contain_text("57")
    assert stage.asked[1:] == [{"do": "top_up", "points": 7}]


@pytest.mark.slow
def test_the_scorers_stake_says_its_limits_and_does_nothing_else(page: Page) -> None:
    """A number that acts as it is typed: what lies outside does nothing and stays."""
    page.goto("/score")
    expect(page.get_by_test_id("hand-0")).to_be_visible()
    assert page.evaluate("scrollY") == 0, "it opens at its head"
    field = page.locator("[data-testid^='stake-']").first
    name = field.get_attribute("data-testid")
    field.fill("1.5")
    expect(page.get_by_test_id(f"{name}-limits")).to_have_text("A whole number from 0 to 1000")
    field.blur()
    expect(field).to_have_value("1.5")
    field.fill("4")
    expect(page.get_by_test_id(f"{name}-limits")).to_have_count(0)
