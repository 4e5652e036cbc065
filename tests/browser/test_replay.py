"""A finished deal watched again: found under History, stepped, linked to, saved and read as text. Issue 3, part 7."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Check
from tests.browser.servers import Server
from tests.memory_store.store import MemoryStore
from tests.server.in_process import RunningServer, play


def played(server: Server, page: Page) -> str:
    """Let two people play a deal over sockets, the page's guest being one of them; return the table."""
    page.request.get("/api/me")
    cookie = page.context.cookies()[0].get("value", "")

    async def go() -> str:
        running = RunningServer(server.url, MemoryStore())
        async with running.guest() as http, running.person("Bob") as bob:
            http.cookies.set("triptych_guest", cookie)
            await http.put("/api/me", json={"name": "Ann"})
            async with running.socket(http) as ann:
                table = await ann.open_table()
                for seat, person in enumerate((ann, bob)):
                    await person.watch(table)
                    await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100})
                await asyncio.gather(play(ann, table, 1), play(bob, table, 1))
                return table

    # In a thread of its own: this one's event loop is Playwright's.
    with ThreadPoolExecutor() as threads:
        return threads.submit(asyncio.run, go()).result()


def test_a_deal_is_stepped_through_a_moment_sent_and_a_file_watched(
    server: Server, desktop: BrowserContext, phone: BrowserContext, axe: Check, tmp_path: Path
) -> None:
    page = desktop.new_page()
    table = played(server, page)
    page.goto(f"/t/{table}")
    page.get_by_test_id("open-history").click()
    page.get_by_test_id("history").locator("summary").first.click()
    page.get_by_test_id("replay-1").click()
    expect(page.get_by_test_id("moment")).to_have_text("1 of 11")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("said")).to_contain_text("places")
    page.get_by_test_id("step-on").click()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("moment")).to_have_text("2 of 11")
    page.get_by_test_id("step-4").click()
    assert page.url.endswith(f"/history/{table}/1#4")
    mine = page.get_by_role("article", name="Ann")
    theirs = page.get_by_role("article", name="Bob")
    expect(mine.get_by_label("Discarded").get_by_role("img", name="face-down card")).to_have_count(0)
    expect(mine.get_by_label("Discarded").get_by_role("img")).to_have_count(1)
    page.keyboard.press("End")
    expect(page.get_by_test_id("replay-score")).to_contain_text("You – Bob")
    expect(theirs.get_by_label("Discarded").get_by_role("img", name="face-down card")).to_have_count(4)
    plays_by_itself(page)
    with page.expect_download() as download:
        page.get_by_test_id("save-history").click()
    file = tmp_path / "deal.toml"
    download.value.save_as(file)

    friend = phone.new_page()
    friend.goto(f"/history/{table}/1#4")
    expect(friend.get_by_test_id("moment")).to_have_text("5 of 11")
    expect(friend.get_by_role("article", name="Ann").get_by_role("img", name="face-down card")).not_to_have_count(0)
    axe(friend)
    assert friend.evaluate("document.documentElement.scrollWidth <= screen.width")
    watches_a_file(friend, file)
    # Who had no cards in a deal has nothing to be reviewed, and is told so.
    friend.goto(f"/review/{table}/1")
    expect(friend.get_by_test_id("review-problem")).to_contain_text("You had no cards in this deal")


def plays_by_itself(page: Page) -> None:
    """From the last step but one on, and it pauses."""
    page.keyboard.press("ArrowLeft")
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("moment")).to_have_text("11 of 11")
    expect(page.get_by_test_id("play")).to_have_accessible_name("Play")
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("play")).to_have_accessible_name("Pause")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("play")).to_have_accessible_name("Play")


def watches_a_file(page: Page, file: Path) -> None:
    """A text that is not a deal is refused by its place."""
    page.goto("/history")
    page.get_by_test_id("history-text").fill(file.read_text().replace("deal = 1", "deal = -1"))
    page.get_by_test_id("watch").click()
    expect(page.get_by_test_id("history-problem")).to_have_text(re.compile("^deal: "))
    page.get_by_test_id("history-file").set_input_files(file)
    expect(page.get_by_test_id("moment")).to_have_text("1 of 11")
