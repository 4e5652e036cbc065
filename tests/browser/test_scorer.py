"""The live scorer: real cards taken down by typing and tapping, and who pays whom. Issue 3, part 6."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.conftest import Check
from tests.browser.servers import Server, serve
from tests.score.deals import random_hands
from triptych.cards import cards_text
from triptych.rules.load import preset_names, resolve
from triptych.rules.model import Ruleset
from triptych.score.showdown import ScoredHand
from triptych.server.desks.scorer import form

BOARDS = {
    "Ann": "QhQd7c/8c8dTsTh2c/AhAcAd9d9h",
    "Bob": "KsJs5d/2d3c4c6c7d/2h6h9cTd3h",  # a foul
    "Cem": "5h5s4d/7h7s6d6s3d/JdJhJc4h4s",
    "Dee": "As5c2s/8h8s9sTc3s/KcKdKhQcQs",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the whole file."""
    with serve(tmp_path_factory.mktemp("scorer")) as running:
        yield running


def type_board(page: Page, seat: int, text: str) -> None:
    if not page.get_by_test_id(f"text-{seat}").is_visible():
        page.get_by_test_id(f"choose-{seat}").click()
    page.get_by_test_id(f"text-{seat}").fill(text)
    page.get_by_test_id(f"text-{seat}").press("Enter")


def four(page: Page) -> None:
    """Four players at 0.50 EUR a point; Ann and Bob count every point ten times."""
    page.goto("/score")
    page.get_by_test_id("add-player").click()
    page.get_by_test_id("add-player").click()
    page.get_by_test_id("stake-Ann-Bob").fill("10")
    page.get_by_test_id("point").fill("0.5")
    page.get_by_test_id("point").blur()
    page.get_by_test_id("unit").fill("EUR")
    page.get_by_test_id("unit").blur()
    expect(page.locator("summary").first).to_contain_text("0.50 EUR a point")


def test_four_players_with_their_own_stakes(desktop: BrowserContext, axe: Check) -> None:
    page = desktop.new_page()
    score_four(page, axe)
    axe(page)


def score_four(page: Page, axe: Check | None = None) -> None:
    """Ann scoops all (6 each), Bob fouls (6 to each), Cem beats Dee 2-1: worked by hand from LAW 4, 1-6."""
    four(page)
    for seat, text in enumerate(BOARDS.values()):
        type_board(page, seat, text)
    expect(page.get_by_test_id("draft-sheet")).to_contain_text("Ann – Bob")
    if axe is not None:
        axe(page)
    page.get_by_test_id("add-deal").click()
    # Ann: 6 x 10 from Bob, 6 from Cem, 6 from Dee = 72 points of 0.50.
    expect(page.get_by_test_id("ledger-Ann")).to_contain_text("+36")
    expect(page.get_by_test_id("ledger-Bob")).to_contain_text("−36")
    expect(page.get_by_test_id("ledger-Cem")).to_contain_text("+0.50")
    expect(page.get_by_test_id("ledger-Dee")).to_contain_text("−0.50")
    payments = page.get_by_test_id("payments").locator("li")
    expect(payments).to_have_text(["Bob pays Ann 36 EUR", "Dee pays Cem 0.50 EUR"])


def test_this_device_counts_what_the_room_counts(desktop: BrowserContext, tmp_path: Path) -> None:
    """Issue 14, part 7: an evening of all presets, counted by the room and, while its scorer is silent, by the page.

    Only the prize of a match to 11 is left to the room.
    """
    chance = Random(1)
    alone = [preset for preset in preset_names() if form(preset).own is not None]
    assert {*preset_names()} - {*alone} == {"first_to_11"}
    lines = [line_of(preset, chance) for preset in alone for _ in range(3)]
    file = tmp_path / "evening.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    page = desktop.new_page()
    page.goto("/score")
    page.get_by_test_id("import").set_input_files(file)
    told = counted(page, len(lines))
    silent: list[str] = []

    def abort(route: Route) -> None:
        silent.append(route.request.url)
        route.abort()

    for desk in ("deal", "evening"):
        page.route(f"**/api/score/{desk}", abort)
    page.reload()
    expect(page.get_by_test_id("sheet-1")).to_have_count(1)
    assert counted(page, len(lines)) == told
    assert silent


def counted(page: Page, deals: int) -> list[str]:
    """What the page says in numbers: ledgers, payments, and of each deal totals and every pair."""
    expect(page.locator("[data-testid^=sheet-]")).to_have_count(deals)
    numbers = page.locator(
        "[data-testid=ledger] td, [data-testid=payments] li, .pairs td, [data-testid^=sheet-] .sum, .totals li"
    )
    return [" ".join(text.split()) for text in numbers.all_text_contents()]


def line_of(preset: str, chance: Random) -> dict[str, Any]:
    """Return a random deal as a line: boards, naturals, surrenders, fantasylands, two boards a player, stakes."""
    rules = resolve(preset)
    names = ["Ann", "Bob", "Cem", "Dee"]
    hands = random_hands(rules, chance)
    players = {name: player(rules, hand) for name, hand in zip(names, hands, strict=False)}
    line: dict[str, Any] = {"rules": {"preset": preset, "stake.point": 0.05}, "players": players}
    if any(hand.owner not in (None, at) for at, hand in enumerate(hands)):
        line["owners"] = {name: names[hand.owner or 0] for name, hand in zip(names, hands, strict=False)}
    elif chance.random() < 0.5:
        line["stakes"] = {"Bob-Ann": 3, "default": 2}
    return line


def player(rules: Ruleset, hand: ScoredHand) -> dict[str, Any]:
    if hand.kind == "surrender":
        return {"surrender": True}
    if hand.kind == "natural":
        return {"natural": cards_text(hand.cards)}
    rows = {"front": hand.cards[:3], "middle": hand.cards[3:8], "back": hand.cards[8:]}
    found: dict[str, Any] = {row: cards_text(cards) for row, cards in rows.items()}
    if hand.fantasyland:
        found["fantasyland"] = {"cards": hand.fantasyland, "in_row": hand.in_row}
    if rules.royalties.declare == "must":
        found["declared"] = [row for at, row in enumerate(rows) if hand.declared >> at & 1]
    return found


def test_boards_are_tapped_and_cards_cannot_be_used_twice(phone: BrowserContext, axe: Check) -> None:
    page = phone.new_page()
    page.goto("/score")
    for row, cards in zip(("front", "middle", "back"), ("QhQd7c", "8c8dTsTh2c", "AhAcAd9d9h"), strict=True):
        page.get_by_test_id(f"row-0-{row}").click()
        for at in range(0, len(cards), 2):
            page.get_by_test_id(f"deck-{cards[at : at + 2]}").click()
    expect(page.get_by_test_id("next")).to_contain_text("Bob front, 13 cards to go")
    expect(page.get_by_test_id("deck-Ah")).to_be_disabled()
    axe(page)
    page.get_by_test_id("choose-0").click()
    page.get_by_test_id("lies-Ah").click()
    expect(page.get_by_test_id("deck-Ah")).to_be_enabled()
    expect(page.get_by_test_id("next")).to_contain_text("Ann back, 1 card to go")
    page.get_by_test_id("deck-Ah").click()
    page.get_by_test_id("mode-1").select_option("surrender")
    expect(page.get_by_test_id("draft-sheet")).to_contain_text("surrendered")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_deal_is_changed_taken_out_and_brought_back(desktop: BrowserContext) -> None:
    page = desktop.new_page()
    page.goto("/score")
    for _ in range(2):
        type_board(page, 0, BOARDS["Ann"])
        type_board(page, 1, BOARDS["Cem"])
        page.get_by_test_id("add-deal").click()
    expect(page.get_by_test_id("ledger-Ann")).to_contain_text("+12")
    page.get_by_test_id("deal-1").locator("summary").click()
    page.get_by_test_id("edit-1").click()
    type_board(page, 1, BOARDS["Bob"].replace("KsJs5d", "KsJs5h"))
    page.get_by_test_id("mode-1").select_option("surrender")
    page.get_by_test_id("add-deal").click()
    expect(page.get_by_test_id("ledger-Ann")).to_contain_text("+9")
    page.reload()
    expect(page.get_by_test_id("ledger-Ann")).to_contain_text("+9")
    page.get_by_test_id("deal-2").locator("summary").click()
    page.get_by_test_id("remove-2").click()
    expect(page.get_by_test_id("ledger-Ann")).to_contain_text("+3")
    page.get_by_test_id("bring-back").click()
    expect(page.get_by_test_id("ledger-Ann")).to_contain_text("+9")


def test_what_is_typed_wrong_is_said_beside_the_board(desktop: BrowserContext) -> None:
    page = desktop.new_page()
    page.goto("/score")
    type_board(page, 0, "QhQd7c/8c8dTsTh2c/AhAcAd9d1h")
    expect(page.get_by_test_id("hand-0")).to_contain_text("“1h” is no card")
    type_board(page, 0, "QhQd7c8c/8dTsTh2c/AhAcAd9d9h")
    expect(page.get_by_test_id("hand-0")).to_contain_text("The front has 3 cards, not 4")
    type_board(page, 0, BOARDS["Ann"])
    type_board(page, 1, BOARDS["Cem"].replace("5h5s4d", "Qh5s4d"))
    expect(page.get_by_test_id("hand-1")).to_contain_text("Qh is in two places")


def test_the_evening_is_saved_as_lines_for_the_scorer_and_read_again(
    desktop: BrowserContext, phone: BrowserContext, tmp_path: Path
) -> None:
    page = desktop.new_page()
    four(page)
    for seat, text in enumerate(BOARDS.values()):
        type_board(page, seat, text)
    page.get_by_test_id("add-deal").click()
    expect(page.get_by_test_id("ledger-Ann")).to_contain_text("+36")
    with page.expect_download() as download:
        page.get_by_test_id("export").click()
    file = tmp_path / "evening.jsonl"
    download.value.save_as(file)
    (line,) = [json.loads(text) for text in file.read_text().splitlines()]
    assert line["stakes"] == {"Ann-Bob": 10}
    other = phone.new_page()
    other.goto("/score")
    other.get_by_test_id("import").set_input_files(file)
    expect(other.get_by_test_id("ledger-Ann")).to_contain_text("+36")


@pytest.mark.parametrize(
    ("rules", "boards", "jokers"), [("Criss-cross", 4, 0), ("Joker Pineapple", 2, 2), ("Pineapple", 2, 0)]
)
def test_the_page_asks_what_the_rules_have(desktop: BrowserContext, rules: str, boards: int, jokers: int) -> None:
    page: Any = desktop.new_page()
    page.goto("/score")
    page.get_by_test_id("score-rules").select_option(label=rules)
    expect(page.locator("[data-testid^=hand-]")).to_have_count(boards)
    expect(page.locator("[data-testid^=deck-X]")).to_have_count(jokers)
    expect(page.get_by_test_id("land-0")).to_have_count(1 if "Pineapple" in rules else 0)
