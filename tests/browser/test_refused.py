"""Every dialog says inside what it was refused, beside the field; number fields say their limits (28.1, 28.2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.servers import Server, serve
from tests.browser.stage import Stage
from tests.room.evening import FOUL, PLAIN, Evening
from triptych.server.wire.messages import WireError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page, Route

WHY = "the server says no to this"
VIEWS = Path(__file__).parents[2] / "client" / "src" / "view"
# Dialogs with a test below; the others ask nothing that can be refused.
TESTED = {
    "cup/NewCup",
    "me/Device",
    "me/ProofDialog",
    "rules/Share",
    "table/BotDialog",
    "table/Drawer",
    "table/FoulDialog",
    "table/Menu",
    "table/SeatDialog",
    "table/SitDialog",
}
ASKS_NOTHING = {
    "daily/DailyPage",
    "duplicate/DuplicatePage",
    "lobby/Lobby",
    "rules/Editor",
    "scorer/EveningPanel",
    "solo/SoloHead",
    "solo/SoloTable",
    "table/FairDialog",
    "table/Keyboard",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("refused")) as running:
        yield running


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def opened(page: Page, evening: Evening, player: str = "ann", path: str = "$") -> Stage:
    """Open a table at which everything is refused."""
    stage = Stage(page, evening, player)
    stage.open()
    stage.refusal = WireError("test.refused", WHY, path)
    return stage


def says_it(page: Page, field: str | None = None) -> Locator:
    """See the refusal in the open dialog, beside a field unless none is named."""
    dialog = page.locator("dialog[open]")
    told = dialog.get_by_test_id("refused" if field is None else f"refusal-{field}")
    expect(told).to_have_text(WHY)
    expect(dialog.get_by_text(WHY)).to_have_count(1)
    return dialog


def refuse(page: Page, address: str, path: str = "$") -> None:
    def answer(route: Route) -> None:
        body = {"error": {"code": "test.refused", "message": WHY, "path": path}}
        route.fulfill(status=400, content_type="application/json", body=json.dumps(body))

    page.route(address, lambda route: answer(route) if route.request.method != "GET" else route.continue_())


def test_every_dialog_is_tested_or_asks_nothing() -> None:
    """Whoever adds a dialog that asks something adds a test here."""
    found = {
        str(file.relative_to(VIEWS)).removesuffix(".svelte")
        for file in VIEWS.rglob("*.svelte")
        if "<Dialog" in file.read_text(encoding="utf-8")
    }
    assert found == TESTED | ASKS_NOTHING


def test_the_question_for_a_password(page: Page) -> None:
    page.goto("/me")
    page.get_by_text("Keep with a name and a password").click()
    page.get_by_test_id("keep-name-name").fill("Refused")
    page.get_by_test_id("keep-name-password").fill("queens on top")
    page.get_by_test_id("keep-name").click()
    page.get_by_test_id("drop-name").click()
    refuse(page, "**/api/me/keys/**", "$.proof.password")
    page.get_by_test_id("proof-password").fill("kings on top")
    page.get_by_test_id("proof-confirm").click()
    says_it(page, "proof")


def test_a_seat(page: Page) -> None:
    stage = opened(page, Evening(people=1), "bob", "$.buy_in")
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


def test_a_seat_under_a_name_that_is_refused(page: Page) -> None:
    opened(page, Evening(people=1), "bob")
    refuse(page, "**/api/me", "$.name")
    page.get_by_test_id("sit-1").click()
    page.get_by_test_id("sit-name").fill("Somebody")
    page.get_by_test_id("confirm-sit").click()
    says_it(page, "name")


def test_a_bot(page: Page) -> None:
    opened(page, Evening(people=1), path="$.level")
    page.get_by_test_id("add-bot-1").click()
    page.get_by_test_id("confirm-bot").click()
    says_it(page, "level")


def test_a_stake(page: Page) -> None:
    opened(page, Evening(people=2), path="$.stake")
    page.get_by_test_id("open-seat-1").click()
    page.get_by_test_id("offer-stake").click()
    says_it(page, "stake")


@pytest.mark.parametrize("button", ["sit-out", "pause", "unseat-1", "let-arrange"])
def test_what_the_menu_asks(page: Page, button: str) -> None:
    opened(page, Evening(people=2))
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id(button).click()
    expect(says_it(page).get_by_test_id("refused")).to_be_in_viewport()


def test_a_top_up_and_a_password(page: Page) -> None:
    opened(page, Evening(people=2, buy_in=50), path="$.points")
    refuse(page, "**/api/tables/*/password", "$.password")
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id("top-up").click()
    dialog = says_it(page, "points")
    dialog.get_by_text("Give the table a password").click()
    dialog.get_by_test_id("new-password").fill("secret")
    dialog.get_by_test_id("set-password").click()
    says_it(page, "password")


def test_a_line_of_talk(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, Evening(people=2), path="$.text")
    page.get_by_test_id("open-talk").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_test_id("say").fill("hello")
    dialog.get_by_test_id("say").press("Enter")
    says_it(page, "text")
    expect(dialog.get_by_test_id("say")).to_have_value("hello")


def test_a_placement_that_fouls(page: Page) -> None:
    """The dialog is over when the answer comes: it stands where the person looks then."""
    evening = Evening("closed_1_6", boards=[{0: FOUL, 1: PLAIN}])
    evening.begin()
    stage = opened(page, evening)
    stage.refusal = None
    front, middle, back = FOUL.split("/")
    for row, cards in (("front", front), ("middle", middle), ("back", back)):
        for card in (cards[at : at + 2] for at in range(0, len(cards), 2)):
            page.get_by_test_id(f"card-{card}").click()
            page.get_by_test_id(f"place-{row}").click()
    page.get_by_test_id("ready").click()
    expect(page.get_by_test_id("foul-dialog")).to_be_visible()
    stage.refusal = WireError("test.refused", WHY)
    page.get_by_test_id("foul-anyway").click()
    expect(page.get_by_test_id("notices")).to_have_text(WHY)


def test_a_tournament_that_cannot_be(page: Page) -> None:
    """Issue 28.1: an impossible league. The server itself says no."""
    page.goto("/")
    page.get_by_test_id("announce-cup").click()
    dialog = page.get_by_test_id("new-cup")
    dialog.locator("summary").click()
    dialog.get_by_test_id("cup-rounds").fill("3")
    dialog.get_by_test_id("cup-most").fill("7")
    dialog.get_by_test_id("create-cup").click()
    expect(dialog.get_by_test_id("refusal-most")).to_contain_text("two or more full tables of 3")
    expect(dialog.get_by_test_id("cup-most")).to_be_focused()
    dialog.get_by_test_id("cup-levels").fill("3 2 1")
    dialog.get_by_test_id("cup-rounds").fill("0")
    dialog.get_by_test_id("create-cup").click()
    expect(dialog.get_by_test_id("refusal-levels")).to_have_text("each level raises what a point is worth")
    expect(dialog.get_by_test_id("refusal-most")).to_be_empty()


def test_what_is_missing_in_a_folded_part_is_named(page: Page) -> None:
    """A submit that is not disabled: the empty field is shown and has the focus."""
    page.goto("/")
    page.get_by_test_id("announce-cup").click()
    dialog = page.get_by_test_id("new-cup")
    dialog.locator("summary").click()
    dialog.get_by_test_id("cup-prize-kind").select_option("shares")
    dialog.locator("summary").click()
    dialog.get_by_test_id("create-cup").click()
    expect(dialog.get_by_test_id("cup-prizes")).to_be_visible()
    expect(dialog.get_by_test_id("cup-prizes")).to_be_focused()


def test_another_device(page: Page) -> None:
    opened(page, Evening(people=2))
    refuse(page, "**/api/me/device")
    page.get_by_test_id("open-menu").click()
    page.get_by_test_id("another-device").click()
    expect(page.locator("dialog[open]").get_by_role("alert").filter(has_text=WHY)).to_be_visible()


def test_a_link_that_cannot_be_copied(page: Page) -> None:
    page.add_init_script(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('no')); document.execCommand = () => false;"
    )
    page.goto("/rules/pineapple")
    page.get_by_test_id("share-rules").first.click()
    page.locator("dialog[open]").get_by_role("button", name="Copy").first.click()
    expect(page.locator("dialog[open]").get_by_test_id("refused")).not_to_be_empty()


def test_a_stake_that_is_none_is_not_offered_and_stays_as_typed(page: Page) -> None:
    """Issue 28.2: 1.5 became × 2, and 99999 was answered with the server's own type."""
    stage = opened(page, Evening(people=2))
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
    expect(dialog).to_contain_text("You have offered")
    assert stage.asked == [{"do": "offer_stake", "seat": 1, "stake": 3}]


def test_a_top_up_beyond_the_limit_is_not_asked_and_stays_as_typed(page: Page) -> None:
    """Issue 28.2: 500 became 81."""
    stage = opened(page, Evening(people=2, buy_in=50))
    stage.refusal = None
    page.get_by_test_id("open-menu").click()
    dialog = page.locator("dialog[open]")
    most = stage.evening.rules.seats.buy_in_max - 50
    expect(dialog.get_by_text(f"A whole number from 1 to {most}")).to_be_visible()
    for typed in ("500", "0", "2.5"):
        dialog.get_by_test_id("top-up-points").fill(typed)
        dialog.get_by_test_id("top-up").click()
        expect(dialog.get_by_test_id("top-up-points")).to_be_focused()
        expect(dialog.get_by_test_id("top-up-points")).to_have_value(typed)
    assert stage.asked == []
    dialog.get_by_test_id("top-up-points").fill("7")
    dialog.get_by_test_id("top-up").click()
    expect(page.get_by_test_id("stack-0")).to_contain_text("57")
    assert stage.asked == [{"do": "top_up", "points": 7}]


def test_the_scorers_stake_says_its_limits_and_does_nothing_else(page: Page) -> None:
    """A number that acts as it is typed: what lies outside does nothing and stays."""
    page.goto("/score")
    field = page.locator("[data-testid^='stake-']").first
    name = field.get_attribute("data-testid")
    field.fill("1.5")
    expect(page.get_by_test_id(f"{name}-limits")).to_have_text("A whole number from 0 to 1000")
    field.blur()
    expect(field).to_have_value("1.5")
    field.fill("4")
    expect(page.get_by_test_id(f"{name}-limits")).to_have_count(0)


def test_a_click_on_a_card_takes_the_keys_out_of_the_talk(page: Page) -> None:
    """Issue 28.2: a host lost whole streets, and the chat held "eqeqeqe"."""
    page.set_viewport_size({"width": 1280, "height": 800})
    evening = Evening(people=2)
    evening.begin()
    stage = opened(page, evening)
    stage.refusal = None
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
