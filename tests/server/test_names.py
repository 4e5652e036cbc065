"""Who is who at a table, in the talk and in the lobby (issue 10, part 3, point 7)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.in_process import Person, RunningServer

pytestmark = pytest.mark.anyio
LOOKALIKE = "Аnn"  # a Cyrillic А


async def lobby(person: Person, table: str) -> dict[str, Any]:
    lines = (await person.http.get("/api/tables")).json()
    item: dict[str, Any] = next(line for line in lines if line["table"] == table)
    return item


def names(person: Person, table: str) -> list[str]:
    return [seat["name"] for seat in person.views[table]["seats"] if seat["name"]]


async def test_no_two_are_called_alike_at_a_table(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person(LOOKALIKE) as other, server.person("Eve") as eve:
        table = await ann.open_table()
        for seat, person in enumerate((ann, other)):
            await person.watch(table)
            assert (await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100}))["t"] == "ack"
        await ann.until(lambda: names(ann, table) == ["Ann", f"{LOOKALIKE} (2)"])
        # A spectator who takes the name afterwards is not taken for her either.
        await eve.http.put("/api/me", json={"name": "ANN"})
        await eve.watch(table)
        for person in (ann, other, eve):
            assert (await person.do(table, {"do": "say", "text": "it is me"}))["t"] == "ack"
        talk = await ann.until(
            lambda: (
                [line for line in ann.views[table]["talk"] if line["who"]]
                if sum(bool(line["who"]) for line in ann.views[table]["talk"]) == 3
                else None
            )
        )
        assert [(line["who"], line["seat"]) for line in talk] == [
            ("Ann", 0),
            (f"{LOOKALIKE} (2)", 1),
            ("ANN (3)", None),
        ]
        # A new name at the table is held against the others' too.
        await other.http.put("/api/me", json={"name": "Ánn"})
        await ann.until(lambda: names(ann, table) == ["Ann", "Ánn (2)"])


@pytest.mark.parametrize("unseen", ["\u3164", "\u2800", "\uffa0", "\u115f", "\u17b4", "\u202e", "\u2066"])
async def test_no_name_and_no_title_hides_or_turns_anything(server: RunningServer, unseen: str) -> None:
    async with server.person("Ann") as ann:
        bodies = (
            ("$.name", {"name": f"My{unseen}table", "rules": "pineapple"}),
            ("$.rules.title", {"name": "Table", "rules": {"preset": "pineapple", "title": f"Pine{unseen}apple"}}),
        )
        for path, body in bodies:
            error = (await ann.http.post("/api/tables", json=body)).json()["error"]
            assert (error["code"], error["path"]) == ("name.bad", path)
        assert (await ann.http.put("/api/me", json={"name": f"A{unseen}nn"})).json()["error"]["code"] == "name.bad"
        table = await ann.open_table()
        await ann.watch(table)
        assert (await ann.do(table, {"do": "say", "text": unseen}))["error"]["code"] == "talk.empty"


async def test_the_lobby_says_when_rules_are_not_the_presets(server: RunningServer) -> None:
    async with server.person("Ann") as ann:
        plain = await ann.open_table("pineapple")
        changed = await ann.open_table({"preset": "pineapple", "scoring.rows": "two_four", "clock.bank": 7})
        own = await ann.open_table({"preset": "pineapple", "name": "house"})
        titled = await ann.open_table({"preset": "pineapple", "title": "Ann's own"})
        assert [(await lobby(ann, table))["changes"] for table in (plain, changed, own, titled)] == [0, 2, None, 0]
