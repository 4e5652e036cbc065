"""The analysis board: a position is tapped and measured in the browser itself. Issue 14, part 4 and Shown by 2.

What a link, a card and other rules do to the board: client/src/features/analyse/model/board.test.ts.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.browsers import LAN
from tests.browser.conftest import PHONE
from tests.browser.people import press_all
from tests.browser.servers import Server
from tests.browser.test_lan import at_home
from tests.case_sample import sample_cases
from triptych.board import Layout
from triptych.cards import card_text, parse_cards
from triptych.rulesets.load import resolve
from triptych.solve.analysis.analyse import SearchBudget, analyse
from triptych.solve.closed.settings import closed_position

if TYPE_CHECKING:
    from tests.browser.conftest import Check

STREET = "*Kd/7s7h3c/AhAd2c +Qc4s9h -2d | Th/8c8d5s/TcJcQd"
LAST_STREET = "/analyse/pineapple#*Kd3h/7s7h3c6c/AhAd2c2hQs_!Qc4s9h~ThTd/8c8d5s8h/TcJcQdJsJd"  # exact and soon
LINK = "/analyse/pineapple#*Kd/7s7h3c/AhAd2c_!Qc4s9h_-2d~Th/8c8d5s/TcJcQd"


CLOSED = ("4h3c2d", "KhKd8s7s6s", "AsAdQs9s4d")
OWN = ("4h4d2c", "KhKd9s8s2d", "AsAdAc7s6s")


def tap(page: Page, place: str, cards: str) -> None:
    press_all(page, [place, *(f"deck-{cards[at : at + 2]}" for at in range(0, len(cards), 2))])


def lay_out(page: Page) -> None:
    """Lay out STREET by taps, from the lobby on; on a phone the opponent's board lies there by a link."""
    page.goto("/")
    page.get_by_test_id("to-analyse").click()
    expect(page.get_by_test_id("deck")).to_be_visible()
    hands = [("Kd", "7s7h3c", "AhAd2c"), ("Th", "8c8d5s", "TcJcQd")]
    if page.viewport_size == PHONE:
        page.goto("/analyse/pineapple#*//~Th/8c8d5s/TcJcQd")
        page.reload()
        hands.pop()
    for hand, rows in enumerate(hands):
        for row, cards in zip(("front", "middle", "back"), rows, strict=True):
            tap(page, f"fill-{hand}-{row}", cards)
    tap(page, "fill-0-discards", "2d")
    tap(page, "fill-0-drawn", "Qc4s9h")


def lay_own(page: Page, front: str, middle: str, back: str) -> None:
    """Lay a placement of one's own, and wait until its value is shown."""
    rows = (("front", front), ("middle", middle), ("back", back))
    laid = [(f"lay-{cards[at : at + 2]}", f"lay-to-{row}") for row, cards in rows for at in range(0, len(cards), 2)]
    press_all(page, ["analyse-lay", *(testid for row in laid for testid in row), "lay-ready"])
    expect(page.locator("[data-testid^=line-]", has_text="yours")).to_have_count(1)
    expect(page.get_by_test_id("answer")).to_have_attribute("data-stage", "done")


def own_value(page: Page) -> float:
    """Return the points of one's own placement, as the comparison has them."""
    own = page.get_by_test_id("compared-1")
    return float(own.locator("dd b").first.inner_text().replace("−", "-"))


def displayed_best(page: Page) -> float:
    """Wait until everything is measured; the best placement's points."""
    expect(page.get_by_test_id("answer")).to_have_attribute("data-stage", "done")
    return float(page.get_by_test_id("value-0").inner_text().replace("−", "-"))


def numbers(page: Page, row: str) -> list[float]:
    return [float(cell.rstrip("%")) for cell in page.get_by_test_id(row).locator("td").all_inner_texts()]


def names_the_largest_difference(page: Page) -> None:
    """Issue 28.7: the reason named fantasyland and fouls alone, and own parts together with the opponents'."""
    parts = [sided(page.get_by_test_id(f"compared-{at}").locator("dl > div").evaluate_all(PARTS)) for at in (0, 1)]
    largest = max(parts[0], key=lambda part: abs(parts[1][part] - parts[0][part]))
    sign = "+" if parts[1][largest] > parts[0][largest] else "−"
    expect(page.get_by_test_id("why")).to_contain_text(f"worse than the best: {largest} {sign}")


def sided(parts: list[tuple[str, str]]) -> dict[str, float]:
    """Return the points of a placement's parts by name, from its figures: each part but rows with its two sides."""
    figures = [(part, float(points.split()[-1].replace("−", "-"))) for part, points in parts[1:]]
    (rows, won), *others = figures
    sides = {rows: won}
    for (part, net), (_, own), (_, opponents) in zip(others[::3], others[1::3], others[2::3], strict=True):
        assert own + opponents == pytest.approx(net, abs=0.011)
        sides |= {f"own {part}": own, f"opponents’ {part}": opponents}
    return sides


PARTS = "all => all.map(one => [one.children[0].innerText, one.children[1].innerText])"


@pytest.mark.parametrize("who", sample_cases(["desktop", "phone"], ["phone"]))
def test_a_position_is_tapped_measured_and_two_placements_compared(
    request: pytest.FixtureRequest, who: str, axe: Check, tmp_path: Path
) -> None:
    context: BrowserContext = request.getfixturevalue(who)
    page = context.new_page()
    lay_out(page)
    expect(page.get_by_test_id("analyse-next")).to_have_count(0)
    assert page.url.endswith(LINK)
    best = displayed_best(page)
    analysis = analyse(STREET, "pineapple", SearchBudget(max_error=0.15))
    assert abs(best - analysis.placements[0].value) < 0.7  # two samples, within 0.1 and 0.15
    expect(page.get_by_test_id("line-4")).to_have_count(0)
    page.get_by_test_id("line-1").click()
    expect(page.get_by_test_id("compared-0")).to_be_visible()
    names_the_largest_difference(page)
    # Street by street: fouls that nothing mends only grow; at the end fantasyland is as likely as the whole says.
    expect(page.get_by_test_id("course-5")).to_be_visible()
    streets = [numbers(page, f"course-{street}") for street in (3, 4, 5)]
    for sooner, later in pairwise(streets):
        assert all(a <= b for a, b in zip(sooner[2:4], later[2:4], strict=True))
    enters = page.get_by_test_id("compared-0").get_by_text("%").first.inner_text()
    assert abs(streets[-1][0] - float(enters.rstrip("%"))) < 6
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    # One of the reader's own, laid by taps.
    own = analysis.placements[3]
    lay_own(page, *own.text.partition(" ")[0].split("/"))
    assert own_value(page) == pytest.approx(own.value, abs=5 * (own.error + 0.1))
    expect(page.get_by_test_id("course-5")).to_be_visible()
    assert displayed_best(page) == best
    file = saved_file(page, tmp_path)
    saved = json.loads(file.read_text())
    assert (saved["position"], saved["preset"], saved["hand"]) == (STREET, "pineapple", 0)
    assert max(placement["value"] for placement in saved["placements"]) == pytest.approx(best, abs=0.006)
    page.get_by_test_id("analyse-play-on").click()
    expect(page.get_by_test_id("solo-start")).to_be_visible()
    assert page.url.endswith(LINK.replace("/analyse/", "/solo/"))


@pytest.mark.slow
def test_one_that_was_not_measured_to_the_end_is_measured_beside_the_others(desktop: BrowserContext) -> None:
    page = desktop.new_page()
    page.goto(LINK)
    best = displayed_best(page)
    # One that is not among those measured to the end: it gets the same cards, so the others stay as they are.
    options = page.get_by_test_id("analyse-other").locator("option")
    before, mine = options.count(), options.last.get_attribute("value")
    page.get_by_test_id("analyse-other").select_option(mine)
    expect(options).to_have_count(before - 1)
    expect(page.locator("[data-testid^=line-]")).to_have_count(5)
    assert displayed_best(page) == best


@pytest.mark.slow
def test_the_command_reads_the_file_that_the_page_has_saved(desktop: BrowserContext, tmp_path: Path) -> None:
    page = desktop.new_page()
    page.goto(LINK)
    best = displayed_best(page)
    file = saved_file(page, tmp_path)
    command = [sys.executable, "-c", "from triptych.cli.main import main; main()", "analyse", str(file), "--json"]
    again = json.loads(subprocess.run([*command, "--error", "0.3"], capture_output=True, check=True).stdout)
    assert again["position"] == STREET
    assert abs(again["placements"][0]["value"] - best) < 1.2


@pytest.mark.slow
def test_a_link_opens_the_same_position_elsewhere(browser: Browser, server: Server, desktop: BrowserContext) -> None:
    """Copied under the name of a home network over plain http: no clipboard, but workers and the kernel run."""
    context = browser.new_context(base_url=at_home(server))
    page = context.new_page()
    page.goto(LINK)
    best = displayed_best(page)
    assert page.evaluate("[isSecureContext, location.hostname]") == [False, LAN]
    page.get_by_test_id("analyse-copy").click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    context.close()
    other = desktop.new_page()
    other.goto(LINK)
    expect(other.get_by_test_id("analyse-hand-0").locator("[data-testid^=lies-]")).to_have_count(11)
    for card in re.findall("[2-9TJQKA][cdhs]", STREET):
        expect(other.get_by_test_id(f"lies-{card}")).to_be_visible()
    assert displayed_best(other) == pytest.approx(best, abs=0.5)


@pytest.mark.slow
def test_a_placement_is_played_and_a_change_restarts_the_analysis(desktop: BrowserContext) -> None:
    page = desktop.new_page()
    page.goto(LINK)
    displayed_best(page)
    page.get_by_test_id("place-best").click()
    expect(page.get_by_test_id("analyse-told")).to_contain_text("Add 3 more cards")
    expect(page.get_by_test_id("line-0")).to_have_count(0)
    page.get_by_test_id("analyse-deal").click()
    expect(page.get_by_test_id("analyse-told")).to_contain_text(
        "Opponent 1: the board should have 9 or 11 cards on this street"
    )
    page.get_by_test_id("analyse-clear").click()
    page.get_by_test_id("analyse-deal").click()
    displayed_best(page)
    page.get_by_test_id("analyse-preset").select_option("ofc_27")
    expect(page.get_by_test_id("analyse-told")).to_contain_text("No analysis data")


@pytest.mark.slow
def test_the_order_of_streets_stays_as_long_as_it_is_known(desktop: BrowserContext) -> None:
    """Dots between streets (docs: notation): a placement goes on from them, other cards or rules drop them."""
    page = desktop.new_page()
    page.goto("/analyse/pineapple#*Kd/7s7h.3c/AhAd.2c_!Qc4s9h_-5d~Th/8c8d.5s/TcJc.Qd")
    displayed_best(page)
    expect(page.get_by_test_id("analyse-hand-0").locator("[data-testid^=lies-]")).to_have_count(11)
    expect(page).to_have_url(re.compile(r"#\*Kd/7s7h\.3c/AhAd\.2c_!Qc4s9h_-5d~Th/8c8d\.5s/TcJc\.Qd$"))
    page.get_by_test_id("place-best").click()
    expect(page).to_have_url(re.compile(r"#\*[^~]*\.[^~.]*\.[^~]*~Th/8c8d\.5s/TcJc\.Qd$"))
    page.get_by_test_id("lies-5s").click()
    expect(page).to_have_url(re.compile(r"#\*[^~]*\.[^~]*~Th/8c8d/TcJcQd$"))
    page.get_by_test_id("analyse-preset").select_option("ofc_american")  # a card a street
    expect(page).to_have_url(re.compile(r"/analyse/ofc_american#[^.]*$"))
    expect(page.get_by_test_id("analyse-problem")).to_have_count(0)
    # Neither is a link refused whose order these rules do not have.
    page.goto("/")
    page.goto("/analyse/ofc_american#*Kd/7s7h.3c/AhAd.2c_!Qc~Th/8c8d5s/TcJcQd")
    displayed_best(page)
    expect(page).to_have_url(re.compile(r"#[^.]*$"))
    expect(page.get_by_test_id("analyse-problem")).to_have_count(0)


@pytest.mark.slow
def test_a_typed_position_is_measured_and_a_bad_link_is_reported(desktop: BrowserContext) -> None:
    page = desktop.new_page()
    page.goto("/analyse/pineapple#AhAh/nonsense")
    expect(page.get_by_test_id("analyse-problem")).to_contain_text("can’t be read")
    expect(page.get_by_test_id("deck")).to_be_visible()
    page.keyboard.type("asksqhjd2c")
    expect(page.get_by_test_id("analyse-problem")).to_have_count(0)
    expect(page.get_by_test_id("line-0")).to_be_visible()
    assert page.url.endswith("#*//_!AsKsQhJd2c~//")
    page.get_by_test_id("lies-2c").press("Enter")
    expect(page.get_by_test_id("analyse-told")).to_contain_text("Add 1 more card")
    # Neither does one whose position these rules have no place for: three sit at Pineapple.
    # Whose turn it is stays the reader's, also as the fourth.
    page.goto("/")
    page.goto("/analyse/pineapple#Kd/7s/Ah~Th//~9c//~*Jh/4h/2s_!Qc4s9h")
    expect(page.get_by_test_id("analyse-problem")).to_contain_text("was left out")
    expect(page.get_by_test_id("analyse-me")).to_have_value("2")
    expect(page).to_have_url(re.compile(re.escape("#Kd/7s/Ah~Th//~*Jh/4h/2s_!Qc4s9h")))


@pytest.mark.slow
def test_custom_rules_are_analysed_and_stored_in_the_link(desktop: BrowserContext) -> None:
    """A foul costs so much more here that the answer has to change."""
    page = desktop.new_page()
    page.goto(LINK)
    plain = displayed_best(page)
    page.goto("/")
    with page.expect_request("**/api/analysis") as request_info:
        page.goto(f"{LINK}&foul.points=30")
    assert (request_info.value.post_data_json or {})["rules"] == {"preset": "pineapple", "foul.points": 30}
    assert displayed_best(page) < plain - 1
    page.get_by_test_id("analyse-preset").select_option("turbo")
    expect(page).to_have_url(re.compile(r"/analyse/turbo#[^&]*$"))


@pytest.mark.slow
def test_a_fantasyland_is_set_against_what_lies_there(phone: BrowserContext) -> None:
    """Rules §5: exact against a finished board, sampled beside one that grows, exact alone: as `triptych analyse`."""
    cards, board = "AsAdAcKhKd9s8s7s6s5s4h4d2c2d", "QhQd7c/8c8dTsTh2h/JcJdJh9d9h"
    page = phone.new_page()
    page.goto(f"/analyse/pineapple#*//_=14~{board}")
    expect(page.get_by_test_id("analyse-told")).to_contain_text("Add 14 more cards")
    for at in range(0, len(cards), 2):
        page.get_by_test_id(f"deck-{cards[at : at + 2]}").click()
    mine = f"*// +{cards} =14"
    assert displayed_best(page) == pytest.approx(expected_best(f"{mine} | {board}"), abs=0.006)
    expect(page.get_by_test_id("analyse-told")).to_contain_text("exact")
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    page.get_by_test_id("line-2").click()
    expect(page.get_by_test_id("compared-1")).to_be_visible()
    expect(page.get_by_test_id("place-1")).to_have_count(0)
    # A setting that nobody would try: it is measured all the same.
    lay_own(page, *OWN)
    analysis = analyse(f"{mine} | {board}", also=Layout(*(tuple(map(card_text, parse_cards(row))) for row in OWN)))
    own = next(placement.value for placement in analysis.placements if placement.text.startswith("/".join(OWN)))
    assert own_value(page) == pytest.approx(own, abs=0.006)
    page.get_by_test_id("analyse-players").select_option("1")
    expect(page.get_by_test_id("value-0")).to_have_text(f"{expected_best(mine):+.2f}")
    page.goto(f"/analyse/pineapple#*//_!{cards}_=14~Qh/8c8d/JcJd")
    page.reload()
    assert displayed_best(page) == pytest.approx(expected_best(f"{mine} | Qh/8c8d/JcJd"), abs=0.5)


def expected_best(position: str) -> float:
    return analyse(position).placements[0].value


def saved_file(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_test_id("analyse-json").click()
    file = folder / "position.json"
    download.value.save_as(file)
    return file


@pytest.mark.slow
def test_a_players_closed_setting_is_shown_beside_the_best(phone: BrowserContext) -> None:
    """One far down among the 72,072, as `triptych solve closed` ranks them."""
    page = phone.new_page()
    page.goto("/analyse/closed_1_6#*//_!AsAdKhKdQs9s8s7s6s4h4d3c2d~//")
    lay_own(page, *CLOSED)
    ranking = closed_position("*// +AsAdKhKdQs9s8s7s6s4h4d3c2d | //", resolve("closed_1_6"), top=72_072)
    rows = [{*parse_cards(row)} for row in CLOSED]
    place = next(
        at
        for at, setting in enumerate(ranking.settings)
        if [{*setting.front}, {*setting.middle}, {*setting.back}] == rows
    )
    assert own_value(page) == pytest.approx(ranking.settings[place].value, abs=0.006)
    expect(page.get_by_test_id("analyse-laid")).to_contain_text(f"{place:,} of 72,072")


@pytest.mark.slow
@pytest.mark.parametrize("who", sample_cases(["desktop", "phone"], ["phone"]))
def test_a_closed_hand_is_tapped_ranked_saved_and_opened_elsewhere(
    request: pytest.FixtureRequest, who: str, axe: Check, tmp_path: Path
) -> None:
    """As `triptych solve closed`: against one whose cards are not known, then against a board; 72,072 settings."""
    context: BrowserContext = request.getfixturevalue(who)
    cards, board = "AsAdKhKdQs9s8s7s6s4h4d3c2d", "QhQd7c/8c8dTsTh2h/JcJdJh9d9h"
    page = context.new_page()
    page.goto("/analyse")
    page.get_by_test_id("analyse-preset").select_option("closed_1_6")
    expect(page.get_by_test_id("analyse-told")).to_contain_text("Add 13 more cards")
    tap(page, "fill-0-drawn", cards)
    mine, rules = f"*// +{cards}", resolve("closed_1_6")
    ranking = closed_position(f"{mine} | //", rules, top=8)
    expect(page.get_by_test_id("value-0")).to_have_text(f"{ranking.settings[0].value:+.2f}".replace("-", "−"))
    expect(page.get_by_test_id("analyse-told")).to_contain_text(f"{ranking.legal:,} legal settings")
    page.get_by_test_id("line-1").click()
    expect(page.get_by_test_id("why")).to_have_text("0.01 worse than the best.")  # a kicker in front
    page.get_by_test_id("line-2").click()  # kings in front, aces in the middle
    expect(page.get_by_test_id("why")).to_contain_text("Rows: front −")
    for row, laid in zip(("front", "middle", "back"), board.split("/"), strict=True):
        tap(page, f"fill-1-{row}", laid)
    ranking = closed_position(f"{mine} | {board}", rules, top=8)
    expect(page.get_by_test_id("value-0")).to_have_text(f"{ranking.settings[0].value:+.2f}".replace("-", "−"))
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    # Kept under a name, renamed, removed and brought back; opened again on another day.
    page.get_by_test_id("saved").locator("summary").click()
    page.get_by_test_id("saved-name").fill("Kings up")
    page.get_by_test_id("saved-save").click()
    page.get_by_test_id("saved-rename").click()
    page.get_by_test_id("saved-new-name").fill("Aces and kings")
    page.get_by_test_id("saved-new-name").press("Enter")
    page.get_by_test_id("saved-remove").click()
    expect(page.get_by_test_id("saved-one")).to_have_count(0)
    page.get_by_test_id("saved-undo").click()
    file, link = saved_file(page, tmp_path), page.url
    page.goto("/analyse")
    page.get_by_test_id("saved").locator("summary").click()
    expect(page.get_by_test_id("saved-open")).to_have_text("Aces and kings")
    axe(page)
    page.get_by_test_id("saved-open").click()
    expect(page).to_have_url(link)
    expect(page.get_by_test_id("line-0")).to_be_visible()
    # The file opens on the page too; one that holds no position is refused.
    page.goto("/analyse/turbo")
    page.get_by_test_id("saved").locator("summary").click()
    page.get_by_test_id("saved-file").set_input_files(file)
    expect(page).to_have_url(link)
    expect(page.get_by_test_id("line-0")).to_be_visible()
    file.write_text('{"position": "nonsense", "preset": "pineapple"}')
    page.get_by_test_id("saved-file").set_input_files(file)
    expect(page.get_by_text("This file doesn’t contain a position.")).to_be_visible()
