"""The live scorer: real cards taken down by typing and tapping, and who pays whom. Issue 3, part 6.

Which cards can still be tapped, and where each goes: client/src/features/scorer/model/scorer.test.ts.
"""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Check
from tests.browser.people import press_all

BOARDS = {
    "Ann": "QhQd7c/8c8dTsTh2c/AhAcAd9d9h",
    "Bob": "KsJs5d/2d3c4c6c7d/2h6h9cTd3h",  # a foul
    "Cem": "5h5s4d/7h7s6d6s3d/JdJhJc4h4s",
    "Dee": "As5c2s/8h8s9sTc3s/KcKdKhQcQs",
}


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
    score_four(page)
    axe(page)


def score_four(page: Page) -> None:
    """Ann scoops all (6 each), Bob fouls (6 to each), Cem beats Dee 2-1: worked by hand from Rules §4, 1-6."""
    four(page)
    for seat, text in enumerate(BOARDS.values()):
        type_board(page, seat, text)
    expect(page.get_by_test_id("draft-sheet")).to_contain_text("Ann – Bob")
    page.get_by_test_id("add-deal").click()
    # Ann: 6 x 10 from Bob, 6 from Cem, 6 from Dee = 72 points of 0.50.
    expect(page.get_by_test_id("ledger-Ann")).to_contain_text("+36")
    expect(page.get_by_test_id("ledger-Bob")).to_contain_text("−36")
    expect(page.get_by_test_id("ledger-Cem")).to_contain_text("+0.50")
    expect(page.get_by_test_id("ledger-Dee")).to_contain_text("−0.50")
    payments = page.get_by_test_id("payments").locator("li")
    expect(payments).to_have_text(["Bob pays Ann 36 EUR", "Dee pays Cem 0.50 EUR"])


def test_the_row_that_the_next_card_goes_to_is_above_the_deck(phone: BrowserContext) -> None:
    page = phone.new_page()
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto("/score")
    page.wait_for_load_state("networkidle")
    for seat, row, card in ((0, "front", "Qh"), (0, "back", "Ah"), (1, "back", "Kd")):
        if seat:
            page.get_by_test_id(f"choose-{seat}").click()
        page.get_by_test_id(f"row-{seat}-{row}").click()
        page.get_by_test_id(f"deck-{card}").click()
        expect(page.get_by_test_id(f"row-{seat}-{row}")).to_be_in_viewport(ratio=1)
        here = page.get_by_test_id(f"row-{seat}-{row}").bounding_box()
        deck = page.get_by_test_id("next").bounding_box()
        assert here is not None
        assert deck is not None
        assert here["y"] + here["height"] <= deck["y"], (row, here, deck)


@pytest.mark.slow
def test_boards_are_tapped_and_cards_cannot_be_used_twice(phone: BrowserContext, axe: Check) -> None:
    page = phone.new_page()
    page.goto("/score")
    for row, cards in zip(("front", "middle", "back"), ("QhQd7c", "8c8dTsTh2c", "AhAcAd9d9h"), strict=True):
        press_all(page, [f"row-0-{row}", *(f"deck-{cards[at : at + 2]}" for at in range(0, len(cards), 2))])
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
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")


@pytest.mark.slow
def test_a_session_on_paper_is_entered_by_points_and_corrected(phone: BrowserContext, axe: Check) -> None:
    """Issue 32 B11: boards and points mixed; who corrected, when, and the old value are shown."""
    page = phone.new_page()
    score_four(page)
    page.get_by_test_id("entry").select_option("points")
    for name, points in (("Ann", 3), ("Bob", 1), ("Cem", 2), ("Dee", 1)):
        page.get_by_test_id(f"points-{name}").fill(str(points))
    expect(page.get_by_test_id("excess")).to_contain_text("+7")
    expect(page.get_by_test_id("add-points")).to_be_disabled()
    for name in ("Bob", "Cem"):
        page.get_by_test_id(f"side-{name}").click()
    page.get_by_test_id("side-Dee").click()
    expect(page.get_by_test_id("excess")).to_contain_text("−1")
    page.get_by_test_id("points-Dee").fill("0")
    axe(page)
    page.get_by_test_id("add-points").click()
    # By hand: 36 EUR and 3 points of 0.50 more.
    expect(page.get_by_test_id("ledger-Ann")).to_contain_text("+37.50")
    page.get_by_test_id("deal-1").locator("summary").first.click()
    page.get_by_test_id("edit-1").click()
    page.get_by_test_id("mode-1").select_option("surrender")
    page.get_by_test_id("add-deal").click()
    page.get_by_test_id("author-0").click()
    page.get_by_test_id("deal-2").locator("summary").first.click()
    page.get_by_test_id("remove-2").click()
    expect(page.get_by_test_id("deal-2")).to_contain_text("Removed by Ann")
    expect(page.get_by_test_id("corrected-1")).to_be_visible()
    corrections = page.get_by_test_id("deal-1").get_by_test_id("corrections")
    expect(corrections).to_contain_text("Corrected by Ann")
    expect(corrections.locator("del")).to_have_text(BOARDS["Bob"])
    axe(page)
    page.get_by_test_id("restore-2").click()
    expect(page.get_by_test_id("ledger-Cem")).to_contain_text("2")
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
