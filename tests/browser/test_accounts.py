"""Being the same guest elsewhere, and one's results over all sessions (issue 11, part 3)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, ViewportSize, expect

from tests.browser.browsers import LAN
from tests.browser.conftest import PATIENCE, Check
from tests.browser.people import Person, begin_with_bots
from tests.browser.servers import Server, serve

SMALL = ViewportSize(width=360, height=640)
DESKTOP = ViewportSize(width=1280, height=800)
SPOKEN = "three rows, one table"


class GuestBrowsers:
    """Browsers that come to one server, each with a guest of its own."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._open: list[BrowserContext] = []

    def comes(self, name: str, url: str, size: ViewportSize = DESKTOP) -> Person:
        context = self._browser.new_context(base_url=url, viewport=size)
        context.set_default_timeout(PATIENCE)
        self._open.append(context)
        home = url.replace(LAN, "127.0.0.1") if LAN in url else ""
        return Person(context.new_page(), name, home=home)

    def close(self) -> None:
        for context in self._open:
            context.close()


@pytest.fixture
def browsers(browser: Browser) -> Iterator[GuestBrowsers]:
    browsers = GuestBrowsers(browser)
    yield browsers
    browsers.close()


def at(server: Server, host: str) -> str:
    return f"http://{host}:{urlsplit(server.url).port}"


def authenticator(page: Page) -> tuple[Any, str]:
    """Give a page an authenticator of its own, which says yes at once; returns its session and its id."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    reply = session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    return session, reply["authenticatorId"]


def fits(page: Page) -> None:
    """Nothing is wider than the screen."""
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.slow
def test_a_passkey_brings_the_seat_back(browsers: GuestBrowsers, server: Server) -> None:
    home = at(server, "localhost")  # a secure place, as https is
    ann = browsers.comes("Ann", home)
    session, key = authenticator(ann.page)
    link = ann.open_custom_table("pineapple")
    ann.sit(0)
    ann.sees("stack-0")
    ann.page.goto("/me")
    ann.press("keep-passkey")
    ann.sees("kept-passkey")
    ann.look("known")
    ann.press("sign-out")
    ann.press("sign-out")
    expect(ann.page.get_by_test_id("who")).to_contain_text("Guest")
    ann.page.get_by_text("Already have an account?").click()
    ann.press("sign-in-passkey")
    ann.says("who", "Ann")
    ann.page.goto(link)
    expect(ann.page.get_by_test_id("my-board").or_(ann.page.get_by_test_id("lounge")).first).to_be_visible()
    expect(ann.page.get_by_test_id("stack-0")).to_be_visible()
    # Another browser whose authenticator has the same passkey, as those that are kept in step.
    (credential,) = session.send("WebAuthn.getCredentials", {"authenticatorId": key})["credentials"]
    elsewhere = browsers.comes("Ann", home)
    other, copy = authenticator(elsewhere.page)
    other.send("WebAuthn.addCredential", {"authenticatorId": copy, "credential": credential})
    elsewhere.page.goto("/me")
    expect(elsewhere.page.get_by_test_id("who")).to_contain_text("Guest")
    elsewhere.page.get_by_text("Already have an account?").click()
    elsewhere.press("sign-in-passkey")
    elsewhere.says("who", "Ann")
    elsewhere.press("drop-passkey")
    elsewhere.press("proof-passkey")
    expect(elsewhere.page.get_by_test_id("kept-passkey")).to_have_count(0)


def signs_out_the_phone(ann: Person, phone: Person, axe: Check) -> None:
    """See it among her devices and sign it out; what she is known by changes with a proof only (issue 27.16)."""
    ann.page.goto("/me")
    ann.page.get_by_text("Your devices").click()
    ann.says("device-here", "This browser")
    ann.sees("device-other")
    ann.look("devices")
    ann.press("sign-out-device")
    expect(ann.page.get_by_test_id("device-other")).to_have_count(0)
    phone.page.reload()
    expect(phone.page.get_by_test_id("who")).to_contain_text("Guest")
    ann.press("drop-name")
    ann.page.get_by_test_id("proof-password").fill("not this one")
    ann.press("proof-confirm")
    expect(ann.page.get_by_text("This is not your current password.").first).to_be_visible()
    ann.page.get_by_test_id("proof-password").fill(SPOKEN)
    ann.look("proof")
    axe(ann.page)
    ann.press("proof-confirm")
    expect(ann.page.get_by_test_id("kept-name")).to_have_count(0)
    for _ in range(2):
        ann.press("sign-out-everywhere")
    expect(ann.page.get_by_text("You’re signed out everywhere else.")).to_be_visible()
    ann.says("who", "Ann")


def test_at_home_a_name_and_a_password_do_it(browsers: GuestBrowsers, server: Server, axe: Check) -> None:
    """Plain http under a LAN name is no secure place: browsers have no passkeys there, and none is offered."""
    home = at(server, LAN)
    ann = browsers.comes("Ann", home)
    link = ann.open_custom_table("pineapple")
    ann.sit(0)
    ann.sees("stack-0")
    ann.page.goto("/me")
    ann.sees("who")
    expect(ann.page.get_by_test_id("keep-passkey")).to_have_count(0)
    ann.page.get_by_text("Add a name and password").click()
    ann.page.get_by_test_id("keep-name-password").fill(SPOKEN)
    ann.press("keep-name")
    ann.says("kept-name", "Signed in as Ann")
    phone = browsers.comes("Bob", home, SMALL)
    phone.come("/me")
    phone.page.get_by_text("Already have an account?").click()
    phone.page.get_by_test_id("sign-in-name").fill("ann")
    phone.page.get_by_test_id("sign-in-password").fill("not this one")
    phone.press("sign-in")
    expect(phone.page.get_by_text("Wrong username or password.")).to_be_visible()
    fits(phone.page)
    phone.look("sign-in")
    phone.page.get_by_test_id("sign-in-password").fill(SPOKEN)
    phone.press("sign-in")
    phone.says("who", "Ann")
    phone.page.goto(link)
    expect(phone.page.get_by_test_id("stack-0")).to_be_visible()
    # Who has a seat leaves it first; then nothing is kept.
    phone.page.goto("/me")
    for _ in range(2):
        phone.press("delete-me")
    expect(phone.page.get_by_text("Leave your tables first")).to_be_visible()
    signs_out_the_phone(ann, phone, axe)


@pytest.mark.slow
def test_another_device_becomes_the_same_guest_and_both_say_so(
    browsers: GuestBrowsers, server: Server, axe: Check
) -> None:
    home = at(server, LAN)
    ann = browsers.comes("Ann", home)
    link = ann.open_custom_table("pineapple")
    ann.sit(0)
    ann.sees("stack-0")
    ann.page.get_by_role("button", name="Menu").click()
    ann.press("another-device")
    ann.sees("device-qr")
    ann.look("device")
    axe(ann.page)
    once = ann.page.get_by_test_id("device-link").input_value()
    assert once.startswith(f"{home}/device#")
    phone = browsers.comes("Bob", home, SMALL)
    phone.come(once)
    phone.sees("device-take")
    phone.says("device-owner", "Sign in as Ann")
    assert "#" not in phone.page.url
    fits(phone.page)
    phone.press("device-take")
    phone.says("device-done", "You’re signed in as Ann.")
    ann.says("device-used", "Your other device is signed in.")
    phone.page.goto(link)
    expect(phone.page.get_by_test_id("stack-0")).to_be_visible()
    late = browsers.comes("Cid", home)
    late.come(once)
    late.says("device-problem", "was used")
    log = server.log.read_text()
    assert once.partition("#")[2] not in log


def lay_out(person: Person) -> None:
    """Set the cards as they come, the back first."""
    person.expect_turn()
    rows = ["back"] * 5 + ["middle"] * 5 + ["front"] * 3
    person.lay(dict(zip(person.drawn(), rows, strict=True)))
    person.ready()
    anyway = person.page.get_by_test_id("foul-anyway")
    expect(anyway.or_(person.page.get_by_test_id("result")).first).to_be_visible()
    if anyway.count():
        anyway.click()


@pytest.mark.slow
def test_my_results_outlive_the_table_and_the_server(browsers: GuestBrowsers, tmp_path: Path, axe: Check) -> None:
    choices = {"clock.kind": "none", "stake.point": 0.5, "stake.unit": "EUR"}
    with serve(tmp_path) as server:
        port = urlsplit(server.url).port or 0
        ann = browsers.comes("Ann", at(server, LAN))
        ann.come("/me")
        ann.sees("no-results")
        link = begin_with_bots(
            ann, "closed_basic", 1, **{key.replace(".", "__"): value for key, value in choices.items()}
        )
        for _ in range(3):
            lay_out(ann)
            ann.sees("result")
            if _ < 2:
                ann.press("next-deal")
        ann.page.get_by_role("button", name="Menu").click()
        ann.press("close-table")
        ann.press("close-table")
        ann.sees("ending")
        cookies = ann.page.context.cookies()
    with serve(tmp_path, port=port):
        assert cookies == ann.page.context.cookies()
        ann.page.goto("/")
        expect(ann.page.get_by_role("link", name="View results")).to_be_visible()
        ann.press("to-me")
        ann.says("total-closed_basic", "3 deals", "EUR")
        for size in (SMALL, DESKTOP):
            ann.page.set_viewport_size(size)
            ann.sees("plot-line")
            ann.sees("plot-bars")
            fits(ann.page)
            ann.look(f"results-{size['width']}")
        axe(ann.page)
        ann.page.emulate_media(color_scheme="light")
        axe(ann.page)
        ann.page.get_by_test_id("sessions").get_by_role("link").first.click()
        ann.sees("deal-3")
        drawn = _signed(sum(_points(ann, number) for number in (1, 2, 3)))
        ann.says("plot-line", drawn)
        # A session comes in pages; what is drawn is all of it.
        ann.page.route("**/api/me/evenings/*?after=0", _only_its_first_deal)
        ann.page.reload()
        ann.says("plot-line", "Deal 3", drawn)
        for size in (SMALL, DESKTOP):
            ann.page.set_viewport_size(size)
            fits(ann.page)
            ann.look(f"session-{size['width']}")
        axe(ann.page)
        with ann.page.expect_download() as download:
            ann.page.goto("/me")
            ann.press("export-deals")
        assert download.value.suggested_filename == "triptych-deals.zip"
        ann.page.goto(f"/me/{link.rpartition('/')[2]}")
        ann.press("deal-2")
        expect(ann.page).to_have_url(f"{at(server, LAN)}/history/{link.rpartition('/')[2]}/2")


def _only_its_first_deal(route: Route) -> None:
    answer = route.fetch(
        url=route.request.url.replace(LAN, "127.0.0.1")
    )  # Playwright asks without the browser's names
    body = answer.json()
    first, *_ = body["deals"]
    route.fulfill(response=answer, json={**body, "deals": [first], "after": first["deal"]})


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"\N{MINUS SIGN}{-points}" if points else "0"


def _points(person: Person, deal: int) -> int:
    text = person.page.get_by_test_id(f"deal-{deal}").locator("b").inner_text()
    return int(text.replace("\N{MINUS SIGN}", "-"))


@pytest.mark.slow
def test_a_program_is_let_in_by_a_token_until_it_is_taken_back(browsers: GuestBrowsers, server: Server) -> None:
    """Issue 15, part 5. At home, on a phone: the clipboard is missing there, so the token can be selected."""
    ann = browsers.comes("Ann", at(server, LAN), SMALL)
    ann.come()
    ann.page.goto("/me")
    ann.page.get_by_text("API tokens").click()
    ann.page.get_by_test_id("token-label").fill("Tidy")
    fits(ann.page)
    ann.press("make-token")
    secret = ann.sees("token-secret").input_value()
    ann.says("kept-token", "Tidy", "view, play")
    ann.look("programs")
    options = {"headers": {"Authorization": f"Bearer {secret}"}}
    name = ann.page.evaluate("async (asked) => (await (await fetch('/api/me', asked)).json()).name", options)
    assert name == "Ann"
    ann.page.reload()
    ann.page.get_by_text("API tokens").click()
    ann.says("kept-token", "Tidy")
    expect(ann.page.get_by_test_id("token-secret")).to_have_count(0)
    ann.press("drop-token")
    expect(ann.page.get_by_test_id("kept-token")).to_have_count(0)
    ask = "async (asked) => (await fetch('/api/me', {...asked, credentials: 'omit'})).status"
    assert ann.page.evaluate(ask, options) == 401
