"""A deal against a bot, reviewed in the browser; its costliest mistake tried again. Issue 14, 2, Shown by 2, 4."""

from __future__ import annotations

import asyncio
import os
import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.numbers import as_text
from tests.browser.servers import Server
from tests.case_sample import sample_cases
from tests.memory_store.store import MemoryStore
from tests.server.in_process import RunningServer, play
from triptych.notation.history.read import parse_history
from triptych.notation.position import parse_position
from triptych.solve.analysis.analyse import SearchBudget
from triptych.solve.analysis.rating import error_rate
from triptych.solve.analysis.review import review
from triptych.solve.analysis.same_cards import compare_with_baseline, replay_with_baseline

if TYPE_CHECKING:
    from tests.browser.conftest import Check
    from triptych.notation.history.model import History

# Not `wait_for_function`: it takes the promise of an answer for the answer.
SESSIONS = """async (count) => {
  const seen = async () => (await (await fetch('/api/me/evenings?before=')).json()).evenings.length;
  while ((await seen()) < count) await new Promise((later) => setTimeout(later, 50));
}"""
RULES = {"match.kind": "deals:1", "clock.kind": "none"}


def against_a_bot(server: Server, page: Page, preset: str = "pineapple") -> str:
    """Let the page's guest play a deal against `fast` to its end, badly; return the table."""
    page.request.get("/api/me")
    cookie = page.context.cookies()[0].get("value", "")

    async def go() -> str:
        running = RunningServer(server.url, MemoryStore())
        async with running.guest() as http:
            http.cookies.set("triptych_guest", cookie)
            async with running.socket(http) as ann:
                table = await ann.open_table(RULES | {"preset": preset})
                await ann.watch(table)
                for action in ({"do": "sit", "seat": 0}, {"do": "seat_bot", "seat": 1, "level": "fast"}):
                    assert (await ann.do(table, {**action, "buy_in": 100}))["t"] == "ack"
                await play(ann, table, 1)
                return table

    # In a thread of its own: this one's event loop is Playwright's.
    with ThreadPoolExecutor() as threads:
        return threads.submit(asyncio.run, go()).result()


def all_judged(page: Page) -> list[float]:
    """Wait until every placement is measured; what each lost."""
    expect(page.get_by_test_id("review-page")).to_have_attribute("data-stage", "done")
    steps = page.locator("[data-testid^=moment-]")
    return [float(steps.nth(at).get_attribute("data-lost") or "") for at in range(steps.count())]


@pytest.mark.parametrize("who", sample_cases(["desktop", "phone"], ["phone"]))
def test_a_deal_is_reviewed_and_its_costliest_mistake_tried_again(
    request: pytest.FixtureRequest, server: Server, who: str, axe: Check
) -> None:
    context: BrowserContext = request.getfixturevalue(who)
    page = context.new_page()
    table = against_a_bot(server, page, "turbo" if who == "phone" else "pineapple")  # three streets or five
    page.goto(f"/t/{table}")
    if who == "phone":
        page.get_by_test_id("open-score").click()
    page.get_by_test_id("side-review-1" if who == "desktop" else "sheet-review-1").click()
    expect(page).to_have_url(re.compile(f"/review/{table}/1"))
    lost = all_judged(page)
    text = page.request.get(f"/api/tables/{table}/deals/1/history").text()
    answer = review(parse_history(text), SearchBudget(max_error=0.15))
    assert lost == pytest.approx([decision.lost for decision in answer.decisions], abs=1e-9)
    assert max(lost) > 0, "three streets as the clock lays them, and none of them is wrong"
    share = answer.shares[answer.decisions[0].hand]
    assert page.get_by_test_id("share-luck").inner_text() == signed(share.luck)
    assert page.get_by_test_id("share-result").inner_text() == signed(share.result)
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")

    # Opened again it stands at once: nothing is measured.
    kernels = [0]
    page.on("request", lambda request: kernels.append("kernel.wasm" in request.url))
    page.reload()
    assert all_judged(page) == lost
    assert not any(kernels)

    # With the arrow keys through the streets, and at one press to the costliest.
    page.keyboard.press("End")
    expect(page.get_by_test_id(f"moment-{len(lost) - 1}")).to_have_attribute("aria-current", "step")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id(f"moment-{len(lost) - 2}")).to_have_attribute("aria-current", "step")
    costliest = lost.index(max(lost))
    page.get_by_test_id("review-dearest").click()
    expect(page.get_by_test_id(f"moment-{costliest}")).to_have_attribute("aria-current", "step")
    expect(page.get_by_test_id("review-moment")).to_contain_text("played")
    expect(page.get_by_test_id("why")).to_contain_text("worse than the best: ")

    # Once more, with the answer hidden: what was best is known to the test alone.
    worst = answer.decisions[costliest]
    page.get_by_test_id("review-retry").click()
    expect(page.get_by_test_id("line-0")).to_have_count(0)
    if who == "desktop":
        axe(page)
    for row in ("front", "middle", "back"):
        for card in getattr(worst.best, row):
            page.get_by_test_id(f"lay-{card}").click()
            page.get_by_test_id(f"lay-to-{row}").click()
    page.get_by_test_id("lay-ready").click()
    expect(page.get_by_test_id("review-tried")).to_contain_text("Correct: nothing is better.")
    expect(page.get_by_test_id("line-0")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")


def test_a_closed_deal_is_compared_with_the_best_setting(phone: BrowserContext, server: Server, axe: Check) -> None:
    page = phone.new_page()
    table = against_a_bot(server, page, "closed_basic")
    page.goto(f"/review/{table}/1")
    (lost,) = all_judged(page)
    answer = review(parse_history(page.request.get(f"/api/tables/{table}/deals/1/history").text()))
    assert lost == answer.decisions[0].lost  # to the last bit
    assert page.get_by_test_id("share-result").inner_text() == signed(answer.shares[answer.decisions[0].hand].result)
    expect(page.get_by_test_id("review-exact")).to_contain_text("legal settings (exact)")
    expect(page.get_by_test_id("review-moment")).to_contain_text("played")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if pictures := os.environ.get("TRIPTYCH_PICTURES"):
        page.screenshot(path=f"{pictures}/closed-review.png", full_page=True)


def signed(points: float) -> str:
    text = as_text(abs(points))
    return text if text == "0.00" else f"{'+' if points > 0 else '−'}{text}"


@pytest.mark.slow
def test_the_bands_are_the_players_own_and_a_position_goes_to_the_analysis_board(
    server: Server, desktop: BrowserContext
) -> None:
    page = desktop.new_page()
    table = against_a_bot(server, page)
    page.goto(f"/history/{table}/1")
    page.get_by_test_id("review").click()
    lost = all_judged(page)
    worst = page.get_by_test_id(f"moment-{lost.index(max(lost))}")
    assert worst.get_attribute("data-band") not in ("best", "good")
    page.get_by_test_id("bands").locator("summary").click()
    page.get_by_test_id("band-good").fill("20")
    page.get_by_test_id("band-good").press("Enter")
    expect(worst).to_have_attribute("data-band", "good")
    page.reload()
    all_judged(page)
    expect(worst).to_have_attribute("data-band", "good")
    # The mistake is practised from now on, by itself or when asked for, and its answer is what the review said.
    text = page.request.get(f"/api/tables/{table}/deals/1/history").text()
    decisions = review(parse_history(text), SearchBudget(max_error=0.15)).decisions
    count = page.evaluate("JSON.parse(localStorage['triptych.practice'] ?? '{}').again?.length ?? 0")
    assert count == sum(decision.lost >= 0.5 and not decision.within_error for decision in decisions)
    page.get_by_test_id("review-dearest").click()
    page.get_by_test_id("review-practise").click()
    expect(page.get_by_test_id("review-practised")).to_be_visible()
    review_page = page.url
    page.goto("/practice")
    page.get_by_test_id("practice-mistakes").click()
    page.get_by_test_id("practice-show").click()
    expect(page.get_by_test_id("practice-answer")).to_have_attribute("data-right", "false")
    page.goto(review_page)
    all_judged(page)
    page.keyboard.press("Home")
    assert "/solo/pineapple#" in (page.get_by_test_id("review-play-on").get_attribute("href") or "")
    page.get_by_test_id("review-in-board").click()
    expect(page.get_by_test_id("answer")).to_have_attribute("data-stage", "done")


@pytest.mark.slow
def test_a_file_is_reviewed_and_holds_no_card_that_was_not_known(
    server: Server, desktop: BrowserContext, phone: BrowserContext
) -> None:
    """The text has `??` for the opponent's discards: no page that reads it can know them."""
    page = desktop.new_page()
    table = against_a_bot(server, page)
    text = page.request.get(f"/api/tables/{table}/deals/1/history").text()
    other = phone.new_page()
    other.goto("/review")
    other.get_by_test_id("history-text").fill(text)
    with other.expect_response("**/api/history/review") as answer:
        other.get_by_test_id("watch").click()
    form = answer.value.json()
    mine = form["streets"][0]["hand"]
    for street in form["streets"]:
        position = parse_position(street["position"])
        rival = position.hands[1 - mine]
        assert set(rival.discards) <= {"??"}
        assert set(rival.drawn) <= {"??"}
    assert len(all_judged(other)) == 5
    # Who had no cards in the deal is told so, and by a table's address too.
    other.goto(f"/review/{table}/1")
    expect(other.get_by_test_id("review-problem")).to_contain_text("You had no cards in this deal")
    other.goto(f"/review/{table}/2")
    expect(other.get_by_test_id("review-problem")).to_contain_text("no finished deal 2")


@pytest.mark.slow
def test_my_own_error_rate_over_all_my_deals(server: Server, phone: BrowserContext, axe: Check) -> None:
    """Issue 14, part 3: what Python says of the same histories, by street and game; kept on the device."""
    page = phone.new_page()
    tables = [against_a_bot(server, page) for _ in range(2)]
    # Sessions are written behind the commit.
    page.goto("/score")
    page.evaluate(SESSIONS, len(tables))
    page.goto(f"/me/{tables[0]}")
    expect(page.get_by_test_id("review-deals")).to_have_text("Review this session (1)")
    page.get_by_test_id("review-deals").click()
    page.get_by_test_id("all-sessions").click()  # it goes on behind
    expect(page.get_by_test_id("review-deals")).to_have_text("Review my deals (1)")
    page.get_by_test_id("review-deals").click()
    expect(page.get_by_test_id("my-rate")).to_be_visible()
    expect(page.get_by_test_id("play")).to_contain_text("All your deals are reviewed.")
    histories = [parse_history(page.request.get(f"/api/tables/{table}/deals/1/history").text()) for table in tables]
    answers = [review(history, SearchBudget(max_error=0.15)) for history in histories]
    rate = error_rate([answer.decisions for answer in answers])
    expect(page.get_by_test_id("my-rate")).to_contain_text(f"{as_text(rate.lost)} ± {as_text(rate.half)}")
    expect(page.get_by_test_id("my-level")).to_have_count(0)  # too few decisions
    third = error_rate([[decision for decision in answer.decisions if decision.street == 3] for answer in answers])
    row = page.get_by_test_id("rates").get_by_role("row").nth(2)
    expect(row.get_by_role("rowheader")).to_contain_text(f"Street 3 Decisions: {third.decisions}")
    expect(row.get_by_role("cell")).to_contain_text(as_text(third.lost))
    shares = [answer.shares[answer.decisions[0].hand] for answer in answers]
    sums = (
        sum(share.result for share in shares),
        sum(share.luck for share in shares),
        sum(share.skill for share in shares),
    )
    assert page.get_by_test_id("luck-and-play").locator("dd").all_inner_texts() == [signed(points) for points in sums]
    costly = page.get_by_test_id("costliest").get_by_role("link")
    most = max(decision.lost for answer in answers for decision in answer.decisions)
    expect(costly.first).to_contain_text(signed(-most))
    if pictures := os.environ.get("TRIPTYCH_PICTURES"):
        page.get_by_test_id("play").screenshot(path=f"{pictures}/my-play.png")
    page.get_by_test_id("rate-by-game").click()
    expect(page.get_by_test_id("rates").get_by_role("row")).to_have_count(1)
    beside(page, histories)
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= screen.width")
    page.reload()
    expect(page.get_by_test_id("beside-means")).to_contain_text("2 deals")
    expect(page.get_by_test_id("let-strong-play")).to_have_count(0)
    expect(page.get_by_test_id("my-rate")).to_contain_text(f"{as_text(rate.lost)} ± {as_text(rate.half)}")
    expect(page.get_by_test_id("review-deals")).to_have_count(0)


def beside(page: Page, histories: list[History]) -> None:
    """Let `strong` play the same cards: the same boards as Python says (issue 14, part 3)."""
    expect(page.get_by_test_id("let-strong-play")).to_have_text("Compare with Strong (2)")
    page.get_by_test_id("let-strong-play").click()
    expect(page.get_by_test_id("beside-means")).to_contain_text("2 deals")
    mine = [
        next(at for at, hand in enumerate(history.hands) if hand.seat == history.seen_by) for history in histories
    ]
    played = [replay_with_baseline(history, hand) for history, hand in zip(histories, mine, strict=True)]
    means = compare_with_baseline("me", [result for result in played if result is not None])
    assert means.deals == 2
    rows = page.get_by_test_id("beside-means").get_by_role("row")
    expect(rows.nth(1)).to_have_text(f"Fouls{means.fouls:.0%}{means.strong_fouls:.0%}")
    expect(rows.nth(2)).to_have_text(f"Fantasylands{means.fantasylands:.0%}{means.strong_fantasylands:.0%}")
    expect(rows.nth(3)).to_have_text(f"Royalties per deal{as_text(means.royalties)}{as_text(means.strong_royalties)}")
