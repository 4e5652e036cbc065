"""Finished deals watched again: each viewer sees what they knew, and no more (issue 3, part 7)."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from tests.server.in_process import PATIENCE, Person, RunningServer, play, run_server
from tests.table.session import SEATS, Session
from tests.table.test_tournament_orders import TournamentTable
from triptych.notation.history.read import parse_history
from triptych.notation.history.replay import check_history
from triptych.server.jobs.replay import deal_query, deal_text, replay_deal, replay_text
from triptych.server.wire.errors import ApiError
from triptych.store.types import StoredEvent
from triptych.table.codec import encode
from triptych.table.commands import MatchOrder, OfferStake, SeatAssignment
from triptych.table.view import view

pytestmark = pytest.mark.anyio


async def played(server: RunningServer, ann: Person, bob: Person, rules: object) -> str:
    """Play one deal between two people; the rules end the match with it."""
    table = await ann.open_table(rules=rules, bots_allowed=False)
    for seat, person in enumerate((ann, bob)):
        await person.watch(table)
        await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100})
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(play(ann, table, 1), play(bob, table, 1))
    assert server.url
    return table


async def replay(person: Person, table: str, deal: int = 1) -> dict[str, Any]:
    answer = await person.http.get(f"/api/tables/{table}/deals/{deal}/replay")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def discards(body: dict[str, Any], seat: int) -> set[str]:
    boards = [board for frame in body["frames"] for board in frame["view"]["boards"] if board["seat"] == seat]
    return {card for board in boards for card in board["discards"]}


async def test_each_player_sees_their_own_discards_and_a_spectator_sees_no_discards() -> None:
    async with (
        run_server() as server,
        server.person("Ann") as ann,
        server.person("Bob") as bob,
        server.person() as eve,
    ):
        table = await played(server, ann, bob, "pineapple")
        replays = {name: await replay(person, table) for name, person in (("Ann", ann), ("Bob", bob), ("Eve", eve))}
        assert [replays[name]["you"] for name in replays] == [0, 1, None]
        for own, other, name in ((0, 1, "Ann"), (1, 0, "Bob")):
            assert "??" not in discards(replays[name], own)
            assert len(discards(replays[name], own)) == 4
            assert discards(replays[name], other) == {"??"}
        assert discards(replays["Eve"], 0) == discards(replays["Eve"], 1) == {"??"}
        # Not a byte of the answer to one holds a card that only the other knew.
        for name, other in (("Ann", 1), ("Bob", 0), ("Eve", 0), ("Eve", 1)):
            hidden = discards(replays["Bob" if other else "Ann"], other)
            text = json.dumps(replays[name], ensure_ascii=False)
            assert not any(f'"{card}"' in text for card in hidden), name
        async with server.guest() as stranger:  # without any cookie
            anonymous = (await stranger.get(f"/api/tables/{table}/deals/1/replay")).json()
        assert anonymous == replays["Eve"]
        last = replays["Eve"]["frames"][-1]["view"]
        assert last["phase"] == "done"
        assert replays["Eve"]["sheet"]["deal"] == 1


async def test_with_show_all_everybody_sees_every_card_when_the_match_is_over() -> None:
    rules = {"preset": "pineapple", "match.show_all": True, "match.kind": "deals:1", "fantasyland.kind": "none"}
    async with (
        run_server() as server,
        server.person("Ann") as ann,
        server.person("Bob") as bob,
        server.person() as eve,
    ):
        table = await played(server, ann, bob, rules)
        for seat, person in enumerate((ann, bob)):
            await person.do(table, {"do": "leave"})
            assert "??" not in discards(await replay(eve, table), seat)
        assert (await replay(eve, table))["seen_by"] == "all"


async def test_a_closed_deal_shows_nothing_before_the_showdown() -> None:
    async with (
        run_server() as server,
        server.person("Ann") as ann,
        server.person("Bob") as bob,
        server.person() as eve,
    ):
        table = await played(server, ann, bob, {"preset": "closed_basic", "match.kind": "deals:1"})
        body = await replay(eve, table)
        *before, last = body["frames"]
        for frame in before:
            cards = [
                card
                for board in frame["view"]["boards"]
                for row in ("front", "middle", "back")
                for card in board[row]["cards"]
            ]
            assert set(cards) <= {"??"}
        assert all("??" not in board["back"]["cards"] for board in last["view"]["boards"])


async def test_history_text_is_what_the_viewer_knew_and_can_be_watched_again() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await played(server, ann, bob, "pineapple")
        answer = await ann.http.get(f"/api/tables/{table}/deals/1/history")
        assert answer.headers["content-type"].startswith("text/plain")
        history = parse_history(answer.text)
        check_history(history)
        assert history.seen_by == 0
        again = (await ann.http.post("/api/history/replay", json={"text": answer.text})).json()
        stored = await replay(ann, table)
        assert again["frames"] == stored["frames"]
        assert again["sheet"]["pairs"] == stored["sheet"]["pairs"]
        assert again["you"] == 0


@pytest.mark.parametrize("preset", ["closed_basic", "banker", "criss_cross"])
def test_a_history_of_own_stakes_is_read_again_and_pays_the_same(preset: str) -> None:
    """Issue 27.8: its sheet paid every pair a stake of one, and a banker's file with stakes could not be read."""
    people = 2 if preset == "criss_cross" else 3
    session = Session({"preset": preset, "seats.buy_in_min": 1, "stake.unit": "EUR"}, people=people, buy_in=7)
    session.ask("ann", OfferStake(people - 1, 10))
    session.ask(SEATS[people - 1], OfferStake(0, 10))
    session.play()
    stored = tuple(StoredEvent(*encode(event), version=number) for number, event in enumerate(session.log, 1))
    query = deal_query(session.state(), stored, 1, "ann")
    assert replay_text(deal_text(query)).sheet == replay_deal(query).sheet == session.state().sheet
    sheet = session.state().sheet
    assert sheet is not None
    assert {10} <= {pair.stake for pair in sheet.pairs}


async def test_texts_that_cannot_be_replayed_are_refused() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await played(server, ann, bob, "pineapple")
        text = (await ann.http.get(f"/api/tables/{table}/deals/1/history")).text
        cases: list[tuple[str, str, str]] = [
            (f"/api/tables/{table}/deals/99/replay", "table.no_deal", "$.deal"),
            (f"/api/tables/{table}/deals/99/history", "table.no_deal", "$.deal"),
            ("/api/tables/nowhere1/deals/1/replay", "table.unknown", "$.table"),
        ]
        for path, code, at in cases:
            answer = await ann.http.get(path)
            assert (answer.status_code, answer.json()["error"]["code"], answer.json()["error"]["path"]) == (
                404,
                code,
                at,
            )
        texts: list[tuple[object, str, str]] = [
            ("", "history.format", "$.format"),
            ("a =", "history.toml", "$"),
            (text.replace("deal = 1", "deal = -1", 1), "history.key", "$.deal"),
            (text.replace("seen_by", "seen_bye", 1), "history.key", "$.seen_bye"),
            (text.replace('seen_by = "seat 0"', 'seen_by = "seat 9"'), "history.key", "$.seen_by"),
            (text.replace("d dc p1", "d dc p4", 1), "history.action", "$.actions[0]"),
            (re.sub(r"points = \[-?\d+", "points = [99", text, count=1), "history.result", "$.result.points"),
            (7, "request.invalid", "$.text"),
        ]
        for wrong, code, at in texts:
            answer = await ann.http.post("/api/history/replay", json={"text": wrong})
            error = answer.json()["error"]
            assert (answer.status_code, error["code"], error["path"]) == (400, code, at), wrong


def test_a_league_shows_no_card_of_its_decks_before_it_is_over() -> None:
    """Other tables still play the same decks; `match.show_all` waits for the end (issue 14, Shown by 4)."""
    table = TournamentTable({"preset": "pineapple", "match.show_all": True}, duplicate=True)
    table.ask(MatchOrder(1, (SeatAssignment(0, "ann", "Ann", 100), SeatAssignment(1, "bob", "Bob", 100))))
    table.play()
    events = [StoredEvent(*encode(event), version=number) for number, event in enumerate(table.log, 1)]
    for closed in (False, True):
        if closed:
            table.ask(MatchOrder(2))
        deal = view(table.state, "eve").deal
        assert deal is None or ("??" in deal.boards[0].discards) == (not closed)
        assert replay_deal(deal_query(table.state, events, 1, "ann")).seen_by == ("all" if closed else "seat")
        if closed:
            assert replay_deal(deal_query(table.state, events, 1, "eve")).seen_by == "all"
        else:
            with pytest.raises(ApiError, match="Other tables of this league play the same cards"):
                replay_deal(deal_query(table.state, events, 1, "eve"))
