"""A duplicate match: the same decks for friends, compared deal by deal through a link. Issue 14, part 5 (d)."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.test_solo import first_cards, play_to

if TYPE_CHECKING:
    from tests.browser.conftest import Check
    from tests.browser.servers import Server

ANN, BOB = [5, -3, 8, 0], [1, -6, 9, -2]
T_975 = 3.182  # Student's t of three degrees of freedom
LINK = "/duplicate/turbo#seed=00000000000000a1&deals=4&level=fast"


def played(name: str, seat: int, points: list[int]) -> str:
    return f"&played={name}:{seat}:{','.join(map(str, points))}"


def points(page: Page, player: int, deals: int) -> list[int]:
    texts = [page.get_by_test_id(f"duplicate-{player}-{deal}").inner_text() for deal in range(deals)]
    return [int(text.replace("−", "-")) for text in texts]


@pytest.mark.slow
def test_two_friends_play_the_same_decks_from_both_seats(
    desktop: BrowserContext, browser: Browser, server: Server, axe: Check
) -> None:
    ann = desktop.new_page()
    ann.emulate_media(reduced_motion="reduce")  # the bots answer at once
    ann.goto("/")
    ann.get_by_test_id("to-duplicate").click()
    ann.get_by_test_id("solo-preset").select_option("turbo")
    ann.get_by_test_id("solo-level-0-fast").check()
    ann.get_by_test_id("duplicate-deals").select_option("2")
    ann.get_by_test_id("duplicate-start").click()
    cards = first_cards(ann)
    # One deal is enough here: the same match by its link, and so the same cards.
    link = ann.url.replace("deals=2", "deals=1")
    ann.goto("/")
    ann.goto(link)
    ann.get_by_test_id("duplicate-play-0").click()
    assert first_cards(ann) == cards
    play_to(ann, "duplicate-result")
    ann.get_by_test_id("duplicate-name").fill("Ann")
    ann.get_by_test_id("duplicate-name").press("Tab")
    hers = points(ann, 0, 1)
    expect(ann.locator("[data-whole=true]")).to_be_visible()
    # It stays, and its link is for others: with the cards that were the bot's, they come to the same.
    ann.reload()
    expect(ann.get_by_test_id("duplicate-result")).to_be_visible()
    assert points(ann, 0, 1) == hers
    context = browser.new_context(
        base_url=server.url, viewport={"width": 390, "height": 844}, reduced_motion="reduce"
    )
    bob = context.new_page()
    bob.goto(link + played("Ann", 0, hers))
    expect(bob.get_by_test_id("duplicate-played-0")).to_contain_text("Ann")
    expect(bob.get_by_text(f"{hers[0]}")).to_have_count(0)
    bob.get_by_test_id("duplicate-play-1").click()
    assert not {*first_cards(bob)} & {*cards}
    play_to(bob, "duplicate-result")
    expect(bob.get_by_test_id("duplicate-pair")).to_contain_text("vs Ann")
    assert points(bob, 1, 1) == hers
    assert bob.evaluate("document.documentElement.scrollWidth <= screen.width")
    axe(bob)
    context.close()


@pytest.mark.slow
def test_results_are_compared_deal_by_deal_with_an_interval(desktop: BrowserContext, tmp_path: Path) -> None:
    page = desktop.new_page()
    page.goto(LINK + played("Ann", 0, ANN) + played("Bob", 0, BOB))
    page.get_by_test_id("duplicate-look").click()
    ahead = [ann - other for ann, other in zip(ANN, BOB, strict=True)]
    half = T_975 * stdev(ahead) / sqrt(len(ahead))
    low, high = (f"{mean(ahead) + side * half:+.2f}".replace("-", "−") for side in (-1, 1))
    expect(page.get_by_test_id("duplicate-pair")).to_have_text(
        f"Ann vs Bob: +{mean(ahead):.0f} (95 %: {low} to {high}) points per deal"
    )
    expect(page.get_by_test_id("duplicate-total-0")).to_have_text("+10")
    expect(page.locator("[data-whole=true]")).to_be_visible()
    with page.expect_download() as saving:
        page.get_by_test_id("duplicate-save").click()
    saving.value.save_as(tmp_path / "kept.json")
    document = json.loads((tmp_path / "kept.json").read_text())
    assert [player["points"] for player in document["players"]] == [ANN, BOB]
    assert document["pairs"][0]["ahead"] == ahead
    # Par is the bot's own result in that seat; of the other seat it is the other way round.
    assert document["players"][0]["above_par"] == [own - par for own, par in zip(ANN, document["par"], strict=True)]
    page.goto("/")
    page.goto(LINK + played("Ann", 0, document["par"]) + played("Bob", 1, [-points for points in document["par"]]))
    page.get_by_test_id("duplicate-look").click()
    expect(page.get_by_test_id("duplicate-pair").last).to_contain_text("0 (95 %: 0 to 0)")


@pytest.mark.parametrize("broken", [LINK.replace("deals=4", "deals=4x"), LINK + "&played=Ann:0:5,-3,8"])
@pytest.mark.slow
def test_a_link_that_was_cut_says_so(desktop: BrowserContext, broken: str) -> None:
    page = desktop.new_page()
    page.goto(broken)
    expect(page.get_by_test_id("duplicate-problem")).to_contain_text("incomplete")
