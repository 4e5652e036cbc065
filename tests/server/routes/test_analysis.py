"""What a browser analyses with: the rules' own part, and the table that never changes. Issue 14, parts 1 and 4."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest
from litestar.testing import TestClient

from tests.case_sample import sample_cases
from tests.server.in_process import QUICK, run_server
from tests.web_kernel.host import browser_bundle
from triptych.rulesets.load import preset_names, resolve
from triptych.server.edge.rate_limits import WEIGHTS
from triptych.solve.value.carried import rules_bytes

if TYPE_CHECKING:
    from litestar.testing import TestClient

    from tests.server.routes.conftest import Posted


@pytest.mark.parametrize("rules", ["turbo", {"preset": "pineapple", "foul.points": 3}])
def test_both_parts_together_are_what_the_kernel_takes(client: TestClient[Any], posted: Posted, rules: Any) -> None:
    form = posted("/api/analysis", {"rules": rules})
    table = client.get(form["weights"])
    assert table.headers["content-encoding"] == "gzip"
    assert table.headers["content-type"] == "application/octet-stream"
    assert "immutable" in table.headers["cache-control"]
    assert base64.b64decode(form["player"]) + table.content == browser_bundle(resolve(rules))


@pytest.mark.parametrize(
    "preset", sample_cases(preset_names(), ["turbo", "pineapple_27", "ofc_american", "closed_1_6"])
)
def test_every_preset_says_whether_it_can_be_analysed(posted: Posted, preset: str) -> None:
    form = posted("/api/analysis", {"rules": preset})
    assert (form["player"] is None) == (form["weights"] is None) == (browser_bundle(resolve(preset)) is None)
    assert sum(street["placed"] for street in form["streets"]) in (0, 13)
    assert base64.b64decode(form["rules"]) == rules_bytes(resolve(preset))
    assert all(form["land_value"][size] > 0 for size in form["fantasyland"])


def test_own_rules_share_the_table_of_their_family_and_have_a_part_of_their_own(posted: Posted) -> None:
    """What a foul costs changes what the kernel counts, not what was learned of pineapple."""
    plain = posted("/api/analysis", {"rules": "pineapple"})
    own = posted("/api/analysis", {"rules": {"preset": "pineapple", "foul.points": 3}})
    assert plain["weights"] == own["weights"]
    assert plain["player"] != own["player"]


def test_a_table_is_sent_once(client: TestClient[Any], posted: Posted) -> None:
    address = posted("/api/analysis", {"rules": "pineapple"})["weights"]
    first = client.get(address)
    again = client.get(address, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = client.get(address, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == first.content
    assert int(first.headers["content-length"]) < len(first.content) / 2


@pytest.mark.parametrize("name", ["pineapple", "0123456789abcdef", "%00", "a" * 300])
def test_a_name_of_no_table_is_not_found(client: TestClient[Any], name: str) -> None:
    answer = client.get(f"/weights/{name}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "request.unknown")


def test_wrong_rules_are_refused_with_their_path(client: TestClient[Any]) -> None:
    answer = client.post("/api/analysis", json={"rules": {"preset": "pineapple", "foul.points": "many"}})
    assert answer.status_code == 400
    assert answer.json()["error"]["path"].startswith("$")


@pytest.mark.anyio
async def test_repeated_requests_for_tables_are_limited() -> None:
    """From one address; the names need not be those of tables."""
    async with run_server(settings=QUICK._replace(trust_proxy="127.0.0.1")) as server, server.guest() as http:
        headers = {"X-Forwarded-For": "203.0.113.7"}
        answers = [(await http.get("/weights/none", headers=headers)).status_code for _ in range(WEIGHTS.burst + 1)]
    assert answers == [404] * WEIGHTS.burst + [429]
