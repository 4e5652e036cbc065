"""Take the pictures of docs/pictures from a real match: `uv run python -m scripts.pictures`.

Two people and a bot play the stacked match of tests/browser: lobby, table on a desktop and on a phone, fantasyland,
score sheet. Then a street, a fantasyland and a sheet at six sizes, and the analysis board,
practice, a review and the other pages of the teacher at three.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.browser import browsers
from tests.browser.people import Person
from tests.browser.scenes import PLAYER, my_turn, show
from tests.browser.servers import Server, serve
from tests.browser.test_daily import DAY
from tests.browser.test_duplicate import ANN as ANNS
from tests.browser.test_duplicate import BOB as BOBS
from tests.browser.test_duplicate import LINK, played
from tests.browser.test_match import ANN, BOB, BOB_AGAIN, DECKS, LAND
from tests.browser.test_practice import place, puzzle
from tests.browser.test_review import SESSIONS, against_a_bot
from tests.browser.test_scorer import score_four
from tests.browser.test_solo import place_street, play_to
from tests.table.session import LAND as LAND_BOARD
from tests.table.session import LOW, PLAIN, Session

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
DEAL = FOLDER.parent / "examples" / "deal.toml"
SETTLED = 700  # milliseconds until nothing slides any more
# Phones with their browser's bars, a tablet, a phone on its side, a desktop.
SIZES = ((390, 664), (375, 553), (360, 640), (820, 1180), (844, 390), (1440, 900))
# A desktop, a tablet, a phone.
PAGES = ((1280, 860), (820, 1180), (390, 844))
WIDE = 1000  # px from which on the sheet stands beside the table
POSITIONS = {
    "analyse": "/analyse/pineapple#*Kd/7s7h3c/AhAd2c_!Qc4s9h_-2d~Th/8c8d5s/TcJcQd",
    "analyse-closed": "/analyse/closed_1_6#*//_!AsAdKhKdQs9s8s7s6s4h4d3c2d~//",
    "analyse-land": "/analyse/pineapple#*//_!AsAdKhKdQs9s8s7s6s4h4d3c2d2h_=14~Qh/8c8d/JcJd",
}
LAID = {"back": "9s8s7s6s", "front": "AsAd"}  # of the fantasyland, by hand
DEALS = 8  # of whom the page of one's play is taken
PATIENCE = 60_000  # milliseconds: a machine may be busy
COUNTED = 5_000  # milliseconds until the points have been counted up


def _take(page: Page, name: str, wait: int = SETTLED) -> None:
    page.wait_for_timeout(wait)
    page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=90)
    print(f"docs/pictures/{name}.jpg")


def _sized(browser: Browser, url: str, sizes: Sequence[tuple[int, int]] = PAGES) -> Iterator[tuple[Page, str]]:
    """Yield a new person's page of each size, and how the size is written."""
    for width, height in sizes:
        context = browser.new_context(
            base_url=url, viewport=ViewportSize(width=width, height=height), color_scheme="dark"
        )
        yield context.new_page(), f"{width}x{height}"
        context.close()


def _sit_down(browser: Browser, url: str) -> tuple[Person, Person]:
    desktop = browser.new_context(base_url=url, viewport={"width": 1280, "height": 860}, color_scheme="dark")
    hand = browser.new_context(
        base_url=url,
        viewport={"width": 390, "height": 844},
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
        color_scheme="dark",
    )
    ann, bob = Person(desktop.new_page(), "Ann"), Person(hand.new_page(), "Bob", touch=True)
    for person in (ann, bob):
        person.call_me()
    options = {"name": "Friday evening", "rules": {"preset": "pineapple"}, "start": "full"}
    link = str(ann.ask("POST", "/api/tables", options)["link"])
    ann.page.goto(link)
    ann.sit(0)
    bob.page.goto(link)
    bob.sit(1)
    bob.page.goto("/")
    _take(bob.page, "lobby-phone")
    bob.page.goto(link)
    ann.add_bot(2)
    visitor = desktop.new_page()
    visitor.goto("/")
    _take(visitor, "lobby")
    visitor.close()
    for person in (ann, bob):
        person.press("start")
    return ann, bob


def _first_deal(ann: Person, bob: Person) -> None:
    for street, (hers, his) in enumerate(zip(ANN, BOB, strict=True)):
        for person, rows, name in ((ann, hers, "table"), (bob, his, "table-phone")):
            if street == 2:
                person.expect_turn()
                cards = iter(rows.items())
                person.lay(dict([next(cards)]))
                person.press(f"card-{next(cards)[0]}")
                _take(person.page, name)
                person.press("undo")
            person.place(rows)


def _fantasyland(ann: Person, bob: Person) -> None:
    expect(ann.page.get_by_test_id("splendour")).to_be_visible()
    _take(ann.page, "reached", 1_500)
    for person in (ann, bob):
        person.press("splendour")
    _take(bob.page, "showdown-phone", COUNTED)
    for person in (ann, bob):
        person.press("next-deal")
    for rows in BOB_AGAIN:
        bob.place(rows)
    ann.expect_turn()
    _take(ann.page, "fantasyland-fan")
    laid = [(card, row) for row, cards in LAND.items() for card in cards]
    ann.lay(dict(laid[:7]))
    _take(ann.page, "fantasyland")
    ann.lay(dict(laid[7:]))
    ann.ready()


def _score(ann: Person, bob: Person) -> None:
    for person in (ann, bob):
        expect(person.page.get_by_test_id("result").first).to_be_visible()
    ann.page.wait_for_timeout(COUNTED)
    ann.page.get_by_test_id("side-sheet").get_by_role("button").first.click()
    _take(ann.page, "score-sheet")
    bob.press("open-sheet")
    _take(bob.page, "score-sheet-phone")


def _sizes(browser: Browser, url: str) -> None:
    """A street of three, a fantasyland of 17 and a score sheet at six sizes of screens (issue 11, shown by 1)."""
    settled = Session("pineapple", people=3, boards=[{0: LAND_BOARD, 1: PLAIN, 2: LOW}])
    settled.play()
    scenes = {
        "street": (my_turn("pineapple", 3, street=4), "ready"),
        "land": (my_turn("pineapple", 3, fantasyland=17), "ready"),
        "sheet": (settled.see(PLAYER), "result"),
    }
    for name, (view, there) in scenes.items():
        for page, size in _sized(browser, url, SIZES):
            show(page, view)
            page.get_by_test_id(there).first.wait_for()
            if name == "sheet" and page.evaluate("innerWidth") < WIDE:
                page.get_by_test_id("open-sheet").click()
            _take(page, f"{name}-{size}")


def _analysis(browser: Browser, url: str) -> None:
    """The analysis board at three sizes: two placements compared, a fantasyland laid by hand (issue 14)."""
    for name, position in POSITIONS.items():
        for page, size in _sized(browser, url):
            page.goto(position)
            page.locator("[data-testid=answer][data-stage=done]").wait_for()
            page.get_by_test_id("line-2").click()
            testid, edge = "answer", "start"
            if name == "analyse-land":
                page.get_by_test_id("analyse-lay").click()
                for row, cards in LAID.items():
                    for at in range(0, len(cards), 2):
                        page.get_by_test_id(f"lay-{cards[at : at + 2]}").click()
                        page.get_by_test_id(f"lay-to-{row}").click()
                testid, edge = "lay-ready", "end"
            if page.evaluate("innerWidth") < WIDE:
                page.get_by_test_id(testid).evaluate("(part, block) => part.scrollIntoView({ block })", edge)
            else:
                page.evaluate("scrollTo(0, 0)")
            _take(page, f"{name}-{size}")


def _practice(browser: Browser, url: str) -> None:
    """A puzzle and its answer at three sizes (issue 14, shown by 5)."""
    for page, size in _sized(browser, url):
        page.goto("/practice")
        page.get_by_test_id("practice-theme").select_option("fantasyland_or_safety")
        page.get_by_test_id("practice-position").wait_for()
        _take(page, f"practice-{size}")
        place(page, puzzle(page).tempting)
        page.get_by_test_id("practice-answer").wait_for()
        _take(page, f"practice-answer-{size}")


def _review(browser: Browser, url: str) -> None:
    """A deal's review at three sizes, at its dearest mistake (issue 14, shown by 5)."""
    for page, size in _sized(browser, url):
        page.goto("/review")
        page.get_by_test_id("history-text").fill(DEAL.read_text())
        page.get_by_test_id("watch").click()
        page.get_by_test_id("review-hand").select_option("1")
        page.locator("[data-testid=review-page][data-stage=done]").wait_for()
        page.get_by_test_id("review-dearest").click()
        _take(page, f"review-{size}")


def _me(browser: Browser, server: Server) -> None:
    """How well somebody plays who places cards as they come, at three sizes (issue 14, shown by 5)."""
    context = browser.new_context(base_url=server.url, color_scheme="dark")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    for _ in range(DEALS):
        against_a_bot(server, page)
    page.goto("/score")
    page.evaluate(SESSIONS, DEALS)
    page.goto("/me")
    page.get_by_test_id("review-deals").click()
    expect(page.get_by_test_id("play")).to_contain_text("All your deals are reviewed.", timeout=DEALS * PATIENCE)
    page.get_by_test_id("let-strong-play").click()
    page.get_by_test_id("beside-means").wait_for()
    for width, height in PAGES:
        page.set_viewport_size(ViewportSize(width=width, height=height))
        page.get_by_test_id("my-rate").evaluate("(rate) => rate.scrollIntoView({ block: 'center' })")
        _take(page, f"me-{width}x{height}")
    context.close()


def _scorer(browser: Browser, url: str) -> None:
    """A session of real cards, scored, at three sizes (issue 14, shown by 5)."""
    for page, size in _sized(browser, url):
        score_four(page)
        page.evaluate("scrollTo(0, 0)")
        _take(page, f"scorer-{size}")


def _solo(browser: Browser, url: str) -> None:
    """A match on one's own device after its first street, and the first lesson."""
    for page, size in _sized(browser, url):
        page.set_default_timeout(PATIENCE)
        page.goto("/learn/1")
        page.get_by_test_id("tray").wait_for()
        _take(page, f"learn-{size}")
        page.goto("/solo")
        page.get_by_test_id("solo-start").click()
        page.get_by_test_id("tray").wait_for()
        place_street(page)
        page.get_by_test_id("discard").wait_for()
        _take(page, f"solo-{size}")


def _hint(browser: Browser, server: Server) -> None:
    """A hint at a table whose host allows it, at three sizes (issue 14, part 4)."""
    server.stack(*DECKS[:1])
    context = browser.new_context(base_url=server.url, color_scheme="dark")
    context.set_default_timeout(PATIENCE)
    ann = Person(context.new_page(), "Ann")
    ann.open_custom_table("pineapple", clock__kind="none")
    ann.sit(0)
    ann.add_bot(1)
    ann.page.get_by_role("button", name="Menu").click()
    ann.press("let-hint")
    ann.page.keyboard.press("Escape")
    ann.press("start")
    ann.expect_turn()
    ann.press("ask-hint")
    ann.page.locator("[data-testid=hint][data-stage=done]").wait_for()
    for width, height in PAGES:
        ann.page.set_viewport_size(ViewportSize(width=width, height=height))
        _take(ann.page, f"hint-{width}x{height}")
    context.close()


def _duplicate(browser: Browser, url: str) -> None:
    """A duplicate match of three, compared, at three sizes (issue 14, shown by 5)."""
    for page, size in _sized(browser, url):
        page.goto(LINK + played("Ann", 0, ANNS) + played("Bob", 0, BOBS) + played("Cid", 1, [3, -4, 9, -7]))
        page.get_by_test_id("duplicate-look").click()
        page.locator("[data-whole=true]").wait_for()
        _take(page, f"duplicate-{size}")


def _daily(browser: Browser, url: str) -> None:
    """The result of the daily deal of a fixed day, at three sizes (issue 14, shown by 5)."""
    for page, size in _sized(browser, url):
        page.clock.set_fixed_time(DAY)
        page.goto("/daily")
        page.get_by_test_id("daily-play").click()
        page.get_by_test_id("tray").wait_for()
        play_to(page, "daily-result")
        page.locator("[data-testid=daily-better][data-whole=true]").wait_for()
        _take(page, f"daily-{size}")


def main() -> None:
    """Play and take the pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    launch = browsers.find()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(serve(folder, "--pause", "30", "--bot-delay", "0", stackable=True))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=launch.executable, args=[*launch.arguments])
        _sizes(browser, server.url)
        _analysis(browser, server.url)
        _practice(browser, server.url)
        _review(browser, server.url)
        _daily(browser, server.url)
        _duplicate(browser, server.url)
        _scorer(browser, server.url)
        _me(browser, server)
        _solo(browser, server.url)
        _hint(browser, server)
        server.stack(*DECKS)  # for the next deals of the server
        ann, bob = _sit_down(browser, server.url)
        _first_deal(ann, bob)
        _fantasyland(ann, bob)
        _score(ann, bob)
        browser.close()


if __name__ == "__main__":
    main()
