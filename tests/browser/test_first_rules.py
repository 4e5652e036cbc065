"""The rules over the table: pictures of hands, and a summary whose every part explains itself (issue 11, part 2)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.people import Person, begin_with_bots
from tests.browser.test_first_deal import SMALL
from tests.seldom import seldom


def fits(page: Page) -> bool:
    """Tell whether nothing of the open drawer lies outside the screen, sideways."""
    found: bool = page.evaluate("""() => {
        const drawer = document.querySelector('dialog[open]');
        const right = [...drawer.querySelectorAll('*')].map((one) => one.getBoundingClientRect().right);
        return Math.max(...right) <= innerWidth + 1 && drawer.scrollWidth <= drawer.clientWidth;
    }""")
    return found


@pytest.mark.parametrize(
    "preset", seldom(["pineapple", "pineapple_27", "pineapple_joker", "closed_2_4"], ["pineapple_27"])
)
@pytest.mark.slow
def test_chart_and_rules_open_over_the_table_on_the_smallest_phone(
    preset: str, phone: BrowserContext, axe: Callable[[Page], None]
) -> None:
    page = phone.new_page()
    page.set_viewport_size(SMALL)
    ann = Person(page, f"rules-{preset}", touch=True)
    link = begin_with_bots(ann, preset, 1)
    ann.press("open-menu")
    ann.press("open-rules-here")
    ann.sees("chart")
    assert fits(page)
    ann.look("chart")
    axe(page)
    ann.press("show-words")
    ann.sees("rules-words")
    assert fits(page)
    axe(page)
    assert page.url.endswith(link), "the table was left"
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("drawer-rules")).to_have_count(0)
    ann.sees("my-board")


@pytest.mark.slow
def test_every_part_of_the_summary_explains_itself(desktop: BrowserContext, axe: Callable[[Page], None]) -> None:
    page = desktop.new_page()
    ann = Person(page, "summary")
    begin_with_bots(ann, "pineapple", 1)
    line = page.locator("aside").get_by_test_id("summary")
    expect(line).to_have_text("1 per row, 3 for a scoop · American royalties · fantasyland 14")
    words = page.locator("aside").get_by_test_id("summary-words")
    for part, sentence in enumerate(
        (
            "Each row won is 1 point; winning all three is a scoop and brings 3 more.",
            "Strong rows bring royalties, after the table american.",
            "It is earned by QQ or better in front, with 14 cards.",
        )
    ):
        line.get_by_test_id(f"summary-{part}").click()
        expect(words).to_be_visible()
        expect(words).to_contain_text(sentence)
        expect(words).to_be_focused()
        page.keyboard.press("Escape")
        expect(words).to_be_hidden()
    # By keyboard alone.
    line.get_by_test_id("summary-2").focus()
    page.keyboard.press("Enter")
    expect(words).to_be_visible()
    expect(line.get_by_test_id("summary-2")).to_have_attribute("aria-expanded", "true")
    ann.look("summary")
    axe(page)
    page.mouse.click(300, 300)
    expect(words).to_be_hidden()


def test_the_summary_is_explained_before_one_sits_down_too(phone: BrowserContext) -> None:
    page = phone.new_page()
    page.set_viewport_size(SMALL)
    ann = Person(page, "seat", touch=True)
    ann.found_table("ofc_finnish")
    ann.press("sit-0")
    dialog = page.get_by_test_id("sit-dialog")
    dialog.get_by_test_id("summary-2").tap()
    expect(dialog.get_by_test_id("summary-words")).to_contain_text("deuce of spades")
    box = dialog.get_by_test_id("summary-words").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= SMALL["width"]
    assert box["y"] + box["height"] <= SMALL["height"]
    ann.look("summary")


@pytest.mark.parametrize("device", seldom(["desktop", "phone"], ["phone"]))
def test_row_names_and_royalties_in_reach_stand_at_the_board_on_choice(
    device: str, request: pytest.FixtureRequest, axe: Callable[[Page], None]
) -> None:
    """Off until chosen, remembered; three of the first card's rank are in reach in front (LAW 4: 222 to AAA)."""
    context: BrowserContext = request.getfixturevalue(device)
    page = context.new_page()
    if device == "phone":
        page.set_viewport_size(SMALL)
    ann = Person(page, f"rows-{device}", touch=device == "phone")
    begin_with_bots(ann, "pineapple", 1, clock__kind="none")
    ann.expect_turn()
    expect(page.get_by_test_id("row-front-name")).not_to_contain_text("Front")
    ann.press("open-menu")
    page.get_by_test_id("rows-setting").check()
    page.keyboard.press("Escape")
    for row, name in (("front", "Front"), ("middle", "Middle"), ("back", "Back")):
        ann.says(f"row-{row}-name", name)
    card, other = ann.drawn()[:2]
    ann.lay({card: "front", other: "back"})
    ann.says("row-front-reach", card[0] * 3)
    ann.sees("row-back-reach")
    axe(page)
    ann.look("rows")
    page.reload()
    ann.says("row-front-reach", card[0] * 3)
