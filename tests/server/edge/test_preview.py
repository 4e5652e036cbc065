"""What a link to a table shows where it is sent: title, host, game, seats; nothing of a private one (issue 11, 4)."""

from __future__ import annotations

import io
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from tests.server.in_process import QUICK, RunningServer, run_server
from triptych.server.static.client_files import load_client_files
from triptych.server.static.preview import BACKGROUND, SIZE, Preview, PreviewImages, base_url, inject_preview
from triptych.server.static.preview_drawing import render

if TYPE_CHECKING:
    import httpx

pytestmark = pytest.mark.anyio


class Tags(HTMLParser):
    """What a page's head says: meta tags by name, and every element that was opened."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.meta: dict[str, str] = {}
        self.opened: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.opened.append(tag)
        attributes = dict(attrs)
        name = attributes.get("property") or attributes.get("name")
        if tag == "meta" and name:
            self.meta[name] = attributes.get("content") or ""


@pytest.fixture(scope="module")
def ground() -> bytes:
    file = load_client_files().file(BACKGROUND)
    if file is None:
        pytest.skip("this package was built without the client")
    return file.content


async def opened(http: httpx.AsyncClient, **more: Any) -> str:
    body = {"name": "Friday", "rules": "pineapple", **more}
    answer = await http.post("/api/tables", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"])


async def looked_at(http: httpx.AsyncClient, path: str, **headers: str) -> Tags:
    return Tags((await http.get(path, headers=headers)).text)


async def test_a_table_says_title_host_game_and_seats(server: RunningServer, ground: bytes) -> None:
    assert ground
    async with server.person("Ann") as ann, server.guest() as crawler:
        table = await ann.open_table()
        await ann.watch(table)
        await ann.do(table, {"do": "sit", "seat": 1, "buy_in": 100})
        name = (await ann.http.get(f"/api/tables/{table}")).json()["name"]
        tags = await looked_at(crawler, f"/t/{table}")
        assert tags.meta["og:title"] == f"{name} · Triptych"
        assert tags.meta["og:description"] == "Pineapple · Host Ann · 1 of 3 seats taken"
        assert tags.meta["og:url"] == f"{server.url}/t/{table}"
        assert tags.meta["twitter:card"] == "summary_large_image"
        assert tags.meta["twitter:image"] == tags.meta["og:image"]
        assert tags.meta["og:image"].startswith(f"{server.url}/api/tables/{table}/preview.png")
        picture = await crawler.get(tags.meta["og:image"])
        assert picture.headers["content-type"] == "image/png"
        image = Image.open(io.BytesIO(picture.content))
        assert (image.format, image.size) == ("PNG", SIZE)
        assert image.tobytes() != Image.open(io.BytesIO(ground)).convert("RGB").tobytes(), "there are words on it"
        # Another guest sits down: another picture, under another address.
        async with server.person("Bob") as bob:
            await bob.watch(table)
            await bob.do(table, {"do": "sit", "seat": 0, "buy_in": 100})
            again = await looked_at(crawler, f"/t/{table}")
        assert "2 of 3" in again.meta["og:description"]
        assert again.meta["og:image"] != tags.meta["og:image"]


HOSTILE = '"><script>alert(1)</script>'
TITLES = [HOSTILE, "' onload='x", "</head><body>", "&lt;b&gt; & co", '\\"/><img src=x>', 'content="a" b']


@pytest.mark.parametrize("title", TITLES)
async def test_hostile_titles_stay_titles(server: RunningServer, title: str) -> None:
    async with server.guest() as http:
        await http.get("/api/me")
        table = await opened(http, name=title)
        tags = await looked_at(http, f"/t/{table}")
        if not tags.meta.get("og:title"):
            pytest.skip("this package was built without the client")
        plain = await looked_at(http, f"/t/{await opened(http, name='Friday')}")
        assert tags.meta["og:title"] == f"{title} · Triptych"
        assert [tag for tag in tags.opened if tag != "meta"] == [tag for tag in plain.opened if tag != "meta"]
        assert (await http.get(tags.meta["og:image"])).status_code == 200


@pytest.mark.parametrize("secret", [{"private": True}, {"password": "open sesame"}])
async def test_the_preview_of_a_private_table_says_only_that_it_is_private(
    server: RunningServer, ground: bytes, secret: dict[str, Any]
) -> None:
    assert ground
    async with server.guest() as http:
        await http.get("/api/me")
        await http.put("/api/me", json={"name": "Zacharias"})
        table = await opened(http, name="Whisper", rules="turbo", **secret)
        page = await http.get(f"/t/{table}")
        tags = Tags(page.text)
        assert tags.meta["og:title"] == "A private table · Triptych"
        assert tags.meta["og:image"] == f"{server.url}{BACKGROUND}"
        for word in ("Whisper", "Zacharias", "Turbo", "seats"):
            assert word not in page.text
        assert (await http.get(f"/api/tables/{table}/preview.png")).status_code == 404


async def test_addresses_are_whole_behind_a_proxy_and_on_a_lan(ground: bytes) -> None:
    assert ground
    async with run_server(settings=QUICK._replace(trust_proxy="127.0.0.1")) as server, server.guest() as http:
        await http.get("/api/me")
        table = await opened(http)
        headers = {"Host": "cards.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}
        proxied = await looked_at(http, f"/t/{table}", **headers)
        assert proxied.meta["og:url"] == f"https://cards.example/t/{table}"
        home = await looked_at(http, f"/t/{table}", Host="triptych.lan:8313")
        assert home.meta["og:image"].startswith("http://triptych.lan:8313/api/tables/")


@pytest.mark.parametrize(
    "host", ["", "a b", 'x"><script>', "evil.example/..", "user@host", "host:port", "[::1", "a\\b"]
)
def test_a_bad_host_header_gives_no_base_url(host: str) -> None:
    assert base_url("http", host) == ""
    page = inject_preview(b"<head></head>", Preview(), base_url("http", host), "/").decode()
    assert "og:image" not in page
    assert "og:title" in page


@pytest.mark.parametrize("host", ["cards.example", "triptych.lan:8313", "192.168.1.20:8313", "[::1]:8313", "my_pc"])
def test_a_host_as_people_have_it(host: str) -> None:
    assert base_url("https", host) == f"https://{host}"


async def test_an_unknown_table_and_other_pages_show_the_site(server: RunningServer) -> None:
    async with server.guest() as http:
        for path in ("/t/nowhere", "/", "/me"):
            tags = await looked_at(http, path)
            assert tags.meta.get("og:title", "Triptych") == "Triptych"
        assert (await http.get("/api/tables/nowhere/preview.png")).status_code == 404


async def test_pictures_are_drawn_once_and_forgotten_in_time(ground: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    drawings: list[tuple[str, ...]] = []

    def draw(_ground: bytes, lines: tuple[str, ...]) -> bytes:
        drawings.append(lines)
        return b"png"

    monkeypatch.setattr("triptych.server.static.preview_drawing.render", draw)
    pictures = PreviewImages(ground)
    for number in range(100):
        await pictures.get((f"table {number}",))
        await pictures.get((f"table {number}",))
    assert len(drawings) == 100
    await pictures.get(("table 99",))
    assert len(drawings) == 100
    await pictures.get(("table 0",))
    assert len(drawings) == 101, "the oldest was forgotten"
    assert await PreviewImages(None).get(("a",)) is None


@pytest.mark.parametrize("name", ["", "W" * 40, "\U0001f0cf\ufdfd", "Вечер", "茶馆", "a\u0301" * 20, "\u200fשלום"])
def test_any_name_fits_the_picture(ground: bytes, name: str) -> None:
    picture = Image.open(io.BytesIO(render(ground, (name, name, name, name))))
    assert picture.size == SIZE
    ground_picture = Image.open(io.BytesIO(ground)).convert("RGB")
    edge = (SIZE[0] - 40, 0, SIZE[0], SIZE[1])
    assert picture.crop(edge).tobytes() == ground_picture.crop(edge).tobytes(), "nothing runs over the edge"
