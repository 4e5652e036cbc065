"""The daily deal among people: rankings of a day and a week, days in a row, what is taken back (issue 32 A6)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.in_process import Person, RunningServer
from triptych.server.routes.daily import MAX_LINES, streak_until
from triptych.store.types import DailyResult

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)


def today() -> date:
    return datetime.now(UTC).date()


async def share(person: Person, day: date, points: object) -> httpx.Response:
    return await person.http.put(f"/api/daily/{day.isoformat()}", json={"points": points})


async def test_shared_results_are_ranked_and_unshared_ones_are_hidden(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob, server.person("Cem") as cem:
        nothing = (await ann.http.get(f"/api/daily/{today()}")).json()
        assert nothing["day"] == {"lines": [], "players": 0, "place": None}
        for person, points in ((ann, 7), (bob, 12), (cem, 7)):
            assert (await share(person, today(), points)).status_code == 200
        # The first result of a day counts.
        again = (await share(ann, today(), 99)).json()
        assert [(line["place"], line["name"], line["points"], line["mine"]) for line in again["day"]["lines"]] == [
            (1, "Bob", 12, False),
            *sorted(
                [(2, "Ann", 7, True), (2, "Cem", 7, False)], key=lambda line: (ann, cem)[line[1] == "Cem"].player
            ),
        ]
        assert (again["day"]["players"], again["day"]["place"], again["streak"]) == (3, 2, 1)
        # Taken back, or deleted with the account: nothing is left.
        withdrawn = (await ann.http.delete("/api/daily")).json()
        assert (withdrawn["day"]["players"], withdrawn["day"]["place"], withdrawn["longest"]) == (2, None, 0)
        assert (await bob.http.delete("/api/me")).status_code == 200
        left = (await cem.http.get(f"/api/daily/{today()}")).json()["day"]
        assert [(line["place"], line["name"]) for line in left["lines"]] == [(1, "Cem")]


async def test_a_week_adds_up_from_monday_and_shows_the_best_and_the_player(server: RunningServer) -> None:
    monday = date(2026, 11, 23)
    for number in range(MAX_LINES + 5):
        await server.store.daily.save(DailyResult(f"p{number:02}", monday.isoformat(), -number, 1))
    async with server.person("Ann") as ann:
        for day, points in ((monday - DAY, 500), (monday, -90), (monday + 6 * DAY, -10), (monday + 7 * DAY, 500)):
            await server.store.daily.save(DailyResult(ann.player, day.isoformat(), points, 1))
        week = (await ann.http.get(f"/api/daily/{monday + 3 * DAY}")).json()["week"]
        assert len(week["lines"]) == MAX_LINES + 1
        last = week["lines"][-1]
        assert (last["place"], last["points"], last["days"], last["mine"]) == (MAX_LINES + 6, -100, 2, True)
        sunday = (await ann.http.get(f"/api/daily/{monday - DAY}")).json()
        assert (sunday["week"]["lines"][0]["points"], sunday["streak"], sunday["longest"]) == (500, 1, 2)


@pytest.mark.parametrize(
    ("day", "points", "code", "path"),
    [
        ("2026-02-30", 1, "request.invalid", "$.day"),
        ("2026-01-01", 1, "daily.closed", "$.day"),
        (None, 1_001, "request.invalid", "$.points"),
        (None, "1", "request.invalid", "$.points"),
    ],
)
async def test_results_that_cannot_be_shared_are_refused(
    server: RunningServer, day: str | None, points: object, code: str, path: str
) -> None:
    async with server.person("Ann") as ann:
        answer = await ann.http.put(f"/api/daily/{day or today()}", json={"points": points})
        error = answer.json()["error"]
        assert (error["code"], error["path"]) == (code, path)
        assert (await share(ann, today() + DAY, 1)).status_code == 409
        assert (await share(ann, today() - DAY, 1)).status_code == 200


@given(st.sets(st.integers(0, 12)), st.integers(0, 13))
def test_days_in_a_row(numbers: set[int], last: int) -> None:
    """By the other way round: the longest run of days that ends with a day, or with the day before it."""
    first = date(2026, 11, 1)
    end = last if last in numbers else last - 1
    runs = [length for length in range(15) if all(end - back in numbers for back in range(length))]
    assert streak_until(first + last * DAY, [first + number * DAY for number in numbers]) == max(runs)
