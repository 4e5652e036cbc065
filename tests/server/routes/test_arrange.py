"""A whole hand arranged by the server, where the host lets it (issue 11, part 3)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.in_process import Person, RunningServer, newer
from tests.table.session import LAND, PLAIN, Session
from triptych.board import ROWS
from triptych.bots.levels import get_level
from triptych.cards import parse_cards
from triptych.deal.actions import Place
from triptych.deal.view_types import DealView
from triptych.scoring.partial import row_status
from triptych.server.bots.advice import LEVEL
from triptych.server.routes.guide import is_full_board

pytestmark = pytest.mark.anyio


async def dealt(ann: Person, bob: Person, rules: str, **more: object) -> str:
    table = await ann.open_table(rules, **more)
    for seat, person in enumerate((ann, bob)):
        await person.watch(table)
        await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100})
    for person in (ann, bob):
        await person.until(lambda person=person: bool(person.views[table]["deal"]))  # type: ignore[misc]
    return table


def code(answer: Any) -> tuple[int, str, str]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["path"]


async def test_a_closed_hand_is_arranged_and_not_set(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await dealt(ann, bob, "closed_basic", arranging=True)
        before = ann.views[table]["v"]
        arrangement = (await ann.http.get(f"/api/tables/{table}/arranged?hand=0")).json()
        hand = next(task for task in ann.views[table]["deal"]["tasks"])
        if arrangement["hand"] != hand["hand"]:  # Ann has the other board
            arrangement = (await ann.http.get(f"/api/tables/{table}/arranged?hand={hand['hand']}")).json()
        assert ann.views[table]["v"] == before
        layout = arrangement["layout"]
        assert {row: len(layout[row]) for row in ROWS} == {"front": 3, "middle": 5, "back": 5}
        assert sorted(card for row in ROWS for card in layout[row]) == sorted(hand["cards"])
        status = row_status(Session("closed_basic").rules, *(parse_cards("".join(layout[row])) for row in ROWS))
        assert not status.fouled
        again = (await ann.http.get(f"/api/tables/{table}/arranged?hand={hand['hand']}")).json()
        assert again == arrangement
        placed = await ann.do(table, {"do": "place", "hand": hand["hand"], "layout": layout})
        assert placed["t"] == "ack"


async def test_arranging_needs_a_whole_hand_of_the_player_and_the_hosts_permission(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob, server.person("Cid") as cid:
        table = await dealt(ann, bob, "closed_basic")
        mine = ann.views[table]["deal"]["tasks"][0]["hand"]
        path = f"/api/tables/{table}/arranged?hand="
        assert code(await ann.http.get(f"{path}{mine}")) == (403, "arrange.not_allowed", "$")
        version = ann.views[table]["v"]
        await ann.do(table, {"do": "let_arrange", "allowed": True})
        await ann.until(newer(ann, table, version))
        assert ann.views[table]["arranging"]
        assert (await ann.http.get(f"{path}{mine}")).status_code == 200
        for person, hand in ((bob, mine), (ann, 1 - mine), (cid, mine), (ann, 7), (ann, -1)):
            assert code(await person.http.get(f"{path}{hand}")) == (409, "arrange.nothing", "$.hand")
        for odd in ("x", "", "9" * 400):
            assert code(await ann.http.get(f"{path}{odd}"))[:2] in (
                (400, "request.invalid"),
                (409, "arrange.nothing"),
            )
        await ann.do(table, {"do": "let_arrange", "allowed": False})
        assert code(await ann.http.get(f"{path}{mine}")) == (403, "arrange.not_allowed", "$")


async def test_a_street_is_not_arranged_by_the_server(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await dealt(ann, bob, "pineapple", arranging=True)
        for person in (ann, bob):
            answer = await person.http.get(f"/api/tables/{table}/arranged?hand=0")
            assert code(answer) == (409, "arrange.nothing", "$.hand")


def test_a_fantasyland_is_a_whole_hand_and_its_arrangement_is_legal() -> None:
    """Queens in front bring 14 cards (Rules §5)."""
    session = Session(boards=[{0: LAND, 1: PLAIN}])
    session.play()
    session.begin()
    while not (tasks := deal_view(session, "ann").tasks):
        # Nobody else is asked for a whole board.
        assert not any(is_full_board(task) for task in deal_view(session, "bob").tasks)
        session.act()
    (task,), deal = tasks, deal_view(session, "ann")
    assert (len(task.cards), is_full_board(task)) == (14, True)
    best = get_level(LEVEL).factory(1).choose(session.rules, deal, task, 1000)
    assert isinstance(best, Place)
    rows = [parse_cards("".join(getattr(best.layout, row))) for row in ROWS]
    assert not row_status(session.rules, *rows).fouled


def deal_view(session: Session, player: str) -> DealView:
    deal = session.see(player).deal
    assert deal is not None
    return deal
