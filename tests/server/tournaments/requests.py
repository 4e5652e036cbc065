"""Tournaments over HTTP and the live link, as a client asks for them."""

from __future__ import annotations

from typing import Any

import httpx

from tests.server.in_process import Person

QUICK: dict[str, Any] = {
    "name": "Session cup",
    "rules": "closed_1_6",
    "stack": 60,
    "levels": [1, 3, 10, 30, 100, 300, 1000],
    "level_kind": "deals",
    "level_length": 2,
    "most": 9,
    "pause": 0,
}


async def announce(http: httpx.AsyncClient, **more: Any) -> str:
    """Announce a tournament and return its id."""
    answer = await http.post("/api/cups", json=QUICK | more)
    assert answer.status_code == 201, answer.text
    tournament: str = answer.json()["cup"]
    return tournament


async def send_request(http: httpx.AsyncClient, tournament: str, do: str, **more: Any) -> dict[str, Any]:
    """Ask something of a tournament, and return what comes back."""
    answer = await http.post(f"/api/cups/{tournament}", json={"do": do, **more})
    body: dict[str, Any] = answer.json()
    return body


async def follow(person: Person, tournament: str) -> dict[str, Any]:
    """Follow a tournament and return how it stands at first."""
    await person.send({"t": "watch", "table": f"cup:{tournament}"})
    return (await person.until(lambda: newest(person, tournament)))["view"]  # type: ignore[no-any-return]


def newest(person: Person, tournament: str) -> dict[str, Any] | None:
    """Return the newest message about a tournament that a connection has received."""
    mine = (
        message
        for message in reversed(person.said)
        if message["t"] == "cup" and message["cup"] == f"cup:{tournament}"
    )
    return next(mine, None)


async def until(person: Person, tournament: str, **expected: object) -> dict[str, Any]:
    """Wait until a tournament that is followed stands so."""

    def matching_view() -> dict[str, Any] | None:
        message = newest(person, tournament)
        right = message is not None and all(message["view"][key] == value for key, value in expected.items())
        return message["view"] if message is not None and right else None

    return await person.until(matching_view)
