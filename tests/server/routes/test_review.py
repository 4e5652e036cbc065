"""Reviews and analyses over HTTP: what the asker knew, never under way, and the command line's own numbers.

Issue 14, parts 2 and 8; its Shown by, line 4.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from tests.server.in_process import Person, run_server, seat_two
from tests.server.routes.me.test_me import KNOWN
from tests.server.routes.test_replay import discards, played, replay
from triptych.i18n.messages import plain_text
from triptych.notation.history.read import parse_history
from triptych.solve.analysis.analyse import SearchBudget, analyse
from triptych.solve.analysis.review import review

pytestmark = pytest.mark.anyio

ROWS = ("front", "middle", "back")
STREET = "*Kd/7s7h3c/AhAd2c +Qc4s9h -2d | Th/8c8d5s/TcJcQd"
QUICK = {"preset": "pineapple", "match.kind": "deals:1"}


async def form_of(person: Person, table: str, deal: int = 1) -> dict[str, Any]:
    answer = await person.http.get(f"/api/tables/{table}/deals/{deal}/review")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


async def refused(person: Person, method: str, path: str, body: object = None) -> tuple[int, str]:
    answer = await person.http.request(method, path, json=body)
    return answer.status_code, answer.json()["error"]["code"]


async def test_a_review_shows_a_player_their_own_streets_and_no_hidden_card() -> None:
    async with (
        run_server() as server,
        server.person("Ann") as ann,
        server.person("Bob") as bob,
        server.person() as eve,
    ):
        table = await played(server, ann, bob, QUICK)
        for person, seat in ((ann, 0), (bob, 1)):
            form = await form_of(person, table)
            assert (form["you"], form["seen_by"], form["rules"]["preset"]) == (seat, "seat", "pineapple")
            mine = {street["hand"] for street in form["streets"]}
            assert [form["hands"][hand]["seat"] for hand in mine] == [seat]
            assert [street["street"] for street in form["streets"]] == [1, 2, 3, 4, 5]
            hidden = discards(await replay(ann if seat else bob, table), 1 - seat) - {"??"}
            assert len(hidden) == 4
            written = json.dumps({**form, "analysis": None})
            assert not any(card in written for card in hidden)
        assert await refused(eve, "GET", f"/api/tables/{table}/deals/1/review") == (400, "review.spectator")
        assert await refused(eve, "POST", "/api/review", {"table": table, "deal": 1}) == (400, "review.spectator")


async def test_each_street_holds_only_what_lay_there_then() -> None:
    """The later cards of both hands are in no earlier position."""
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await played(server, ann, bob, QUICK)
        frames = (await replay(ann, table))["frames"]
        at = {street["street"]: street for street in (await form_of(ann, table))["streets"]}
        for frame in frames:
            board = next(board for board in frame["view"]["boards"] if board["seat"] == 0)
            street = at.get(board["street"]) if board["draws"] and board["acting"] else None
            if street is None:
                continue
            visible_cards = {card for each in frame["view"]["boards"] for row in ROWS for card in each[row]["cards"]}
            visible_cards |= {*board["draws"], *board["discards"]}
            word = street["position"].translate(dict.fromkeys(map(ord, "*/.+-|= "), ""))
            cards = {word[start : start + 2] for start in range(0, len(word), 2)}
            assert cards - {"??"} <= visible_cards
        last = at[5]
        assert sum(len(last["layout"][row]) for row in ROWS) == 2
        assert len(last["discards"]) == 1


async def test_no_review_of_a_deal_in_progress() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seat_two(ann, bob, QUICK)
        for person in (ann, bob):
            assert await refused(person, "GET", f"/api/tables/{table}/deals/1/review") == (404, "table.no_deal")
            body = {"table": table, "deal": 1}
            assert await refused(person, "POST", "/api/review", body) == (404, "table.no_deal")
            query = {"position": STREET}
            assert await refused(person, "POST", "/api/analyse", query) == (409, "review.playing")


async def test_a_text_without_a_result_has_no_review() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await played(server, ann, bob, QUICK)
        whole = (await ann.http.get(f"/api/tables/{table}/deals/1/history")).text
        lines = whole.splitlines()
        start, end = lines.index("actions = ["), lines.index("[result]")
        rules = next(at for at, line in enumerate(lines) if line.startswith("[fair]") or line == "[rules]")
        cut = "\n".join([*lines[: start + 4], "]", "", *lines[rules:]])
        assert end < rules
        for path in ("/api/history/review", "/api/review"):
            assert await refused(ann, "POST", path, {"text": cut}) == (400, "review.unfinished")
            assert await refused(ann, "POST", path, {"text": whole.replace("d dc p1", "d dc p4", 1)}) == (
                400,
                "history.action",
            )


async def test_a_review_over_http_is_that_of_the_command_line() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await played(server, ann, bob, QUICK | {"preset": "turbo"})  # three streets
        text = (await ann.http.get(f"/api/tables/{table}/deals/1/history")).text
        answer = await ann.http.post("/api/review", json={"table": table, "deal": 1, "error": 5, "seed": 5})
        assert answer.status_code == 200, answer.text
        deal_review = review(parse_history(text), SearchBudget(5, two_threads=False), seed=5)
        assert answer.json() == json.loads(msgspec.json.encode(deal_review, enc_hook=plain_text))
        assert len(deal_review.decisions) == 3
        form = await form_of(ann, table)
        assert [street["position"] for street in form["streets"]] == [
            street.position for street in deal_review.decisions
        ]
        assert [hand["result"] for hand in form["hands"]] == [share.result for share in deal_review.shares]
        assert (await ann.http.post("/api/history/review", json={"text": text})).json()["streets"] == form["streets"]


async def test_a_position_is_analysed_as_the_command_line_does_it() -> None:
    async with run_server() as server, server.person("Ann") as ann:
        body = {"position": STREET, "error": 4, "seed": 3, "top": 2}
        answer = await ann.http.post("/api/analyse", json=body)
        assert answer.status_code == 200, answer.text
        analysis = analyse(STREET, "pineapple", SearchBudget(4, top=2, two_threads=False), seed=3)
        assert answer.json() == json.loads(msgspec.json.encode(analysis, enc_hook=plain_text))
        for wrong, code in (
            ({"position": "AhAh//"}, "card.duplicate"),
            ({"position": "*// | //"}, "position.street"),
            ({"position": STREET, "rules": "closed_basic"}, "value.none"),
            ({"position": STREET, "error": 0.001}, "request.invalid"),
            ({}, "request.invalid"),
        ):
            assert await refused(ann, "POST", "/api/analyse", wrong) == (400, code)


async def test_an_account_keeps_reviews_of_its_own_deals() -> None:
    """Issue 32, part 3: on the server for accounts; a guest's stay on the device."""
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await played(server, ann, bob, QUICK)
        path, body = f"/api/tables/{table}/deals/1/saved-review", {"text": '{"version": "2"}'}
        assert (await ann.http.put(path, json=body)).json() == {"text": ""}
        assert (await ann.http.get(path)).json() == {"text": ""}
        assert (await ann.http.post("/api/me/keys", json=KNOWN)).status_code == 200
        assert (await ann.http.put("/api/tables/nowhere/deals/1/saved-review", json=body)).json() == {"text": ""}
        assert (await ann.http.put(path, json=body)).json() == body
        assert (await ann.http.get(path)).json() == body
        assert (await bob.http.get(path)).json() == {"text": ""}
        assert (await ann.http.put(path, json={"text": "x" * 60_001})).status_code == 400
