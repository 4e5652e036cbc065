"""The rules over the table: pictures of hands, and a summary whose every part explains itself (issue 11, part 2)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.people import Person, begin_with_bots
from tests.browser.test_first_deal import SMALL
from tests.case_sample import sample_cases


def fits(page: Page) -> bool:
    """Return whether nothing of the open drawer lies outside the screen, sideways."""
    inside: bool = page.evaluate("""() => {
        const drawer = document.querySelector('dialog[open]');
        const right = [...drawer.querySelectorAll('*')].map((one) => one.getBoundingClientRect().right);
        return Math.max(...right) <= screen.width + 1 && drawer.scrollWidth <= drawer.clientWidth;
    }""")
    return inside


@pytest.mark.parametrize(
    "preset", sample_cases(["pineapple", "pineapple_27", "pineapple_joker", "closed_2_4"], ["pineapple_27"])
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
    expect(line).to_have_text("1 per row, +3 scoop · American royalties · fantasyland 14")
    words = page.locator("aside").get_by_test_id("summary-words")
    for part, sentence in enumerate(
        (
            "Each row won is 1 point; winning all three is a scoop and brings 3 more.",
            "Strong rows earn royalties (table: American).",
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


@pytest.mark.slow
@pytest.mark.parametrize("device", sample_cases(["desktop", "phone"], ["phone"]))
def test_the_summary_explains_itself_before_one_sits_down_and_row_names_stand_at_the_board_on_choice(
    device: str, request: pytest.FixtureRequest, axe: Callable[[Page], None]
) -> None:
    """Row names and royalties in reach: off until chosen, remembered.

    Three of the first card's rank are in reach in front (Rules §4: 222 to AAA).
    """
    context: BrowserContext = request.getfixturevalue(device)
    page = context.new_page()
    if device == "phone":
        page.set_viewport_size(SMALL)
    ann = Person(page, f"rows-{device}", touch=device == "phone")
    ann.open_custom_table("pineapple", clock__kind="none")
    ann.press("sit-0")
    the_summary_is_explained(page)
    ann.press("confirm-sit")
    ann.wait_until_closed()
    ann.add_bot(1, "random")
    ann.press("start")
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


def the_summary_is_explained(page: Page) -> None:
    """In the dialog for a seat, within the screen."""
    dialog = page.get_by_test_id("sit-dialog")
    dialog.get_by_test_id("summary-2").click()
    words = dialog.get_by_test_id("summary-words")
    expect(words).to_contain_text("QQ or better in front, with 14 cards")
    box, size = words.bounding_box(), page.viewport_size
    assert box is not None
    assert size is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]
    page.keyboard.press("Escape")
    expect(words).to_be_hidden()
    expect(dialog).to_be_visible()
