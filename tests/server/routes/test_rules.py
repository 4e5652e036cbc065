"""The house rules editor's addresses: what they answer, and what they say to bad rules."""

from typing import Any

import pytest
from litestar.testing import TestClient

from tests.server.routes.conftest import Posted
from triptych.rulesets.diff import overrides
from triptych.rulesets.load import preset_names, read_toml, resolve
from triptych.rulesets.options import OPTIONS
from triptych.rulesets.text import to_toml
from triptych.server.content.rules_editor import editor_state as edited_rules


def test_every_option_is_offered_with_its_words(client: TestClient[Any]) -> None:
    offered = client.get("/api/rules/options").json()
    assert [option["key"] for option in offered] == [option.key for option in OPTIONS]
    assert all(option["about"] for option in offered)


@pytest.mark.parametrize("preset", preset_names())
def test_a_preset_differs_in_nothing_from_itself(posted: Posted, preset: str) -> None:
    body = posted("/api/rules/edit", {"spec": preset})
    assert body["overrides"] == {}
    assert body["changes"] == []
    assert not any(sentence["changed"] for part in body["sections"] for sentence in part["sentences"])


def test_changes_come_back_as_the_fewest_overrides(posted: Posted) -> None:
    spec = {"preset": "pineapple", "scoring.rows": "two_four", "clock.bank": 120, "royalties": {"rule": "row_winner"}}
    body = posted("/api/rules/edit", {"spec": spec})
    assert body["overrides"] == {"scoring.rows": "two_four", "royalties.rule": "row_winner"}
    assert {"key": "scoring.rows", "now": "two_four", "before": "per_row_scoop3"} in body["changes"]
    assert body["values"]["scoring.rows"] == "two_four"
    assert any(sentence["changed"] for part in body["sections"] for sentence in part["sentences"])
    assert read_toml(body["toml"]) == resolve(spec)


@pytest.mark.parametrize("preset", preset_names())
def test_any_game_can_be_made_of_any_other(preset: str) -> None:
    """What the editor keeps and sends (overrides, the file) is the same rules again."""
    for other in preset_names():
        body = edited_rules({"preset": preset, **overrides(resolve(other), resolve(preset))})
        assert resolve({"preset": preset, **body.overrides}) == resolve(other)
        assert read_toml(body.toml) == resolve(other)


def test_choosing_a_named_table_says_which_options_start_afresh(client: TestClient[Any]) -> None:
    resets = {
        option["key"]: option["resets"] for option in client.get("/api/rules/options").json() if option["resets"]
    }
    assert set(resets) == {"royalties.table", "naturals.table", "fantasyland.kind"}
    assert "royalties.table.back.quads" in resets["royalties.table"]
    assert "royalties.rule" not in resets["royalties.table"]
    assert "fantasyland.order" not in resets["fantasyland.kind"]


def test_a_contradiction_stands_at_its_option(posted: Posted) -> None:
    """Rules §2: four Pineapple players do not fit the deck."""
    (problem,) = posted("/api/rules/edit", {"spec": {"preset": "pineapple", "seats.max": 4}})["problems"]
    assert (problem["level"], problem["code"], problem["path"]) == ("error", "check.deck", "$.seats.max")


def test_a_rules_file_is_read_against_the_preset_it_extends(client: TestClient[Any]) -> None:
    text = 'extends = "closed_1_6"\ntitle = "Sunday"\n[surrender]\npoints = 0\n'
    body = client.post("/api/rules/read", json={"toml": text}).json()
    assert body["preset"] == "closed_1_6"
    assert body["title"] == "Sunday"
    assert body["overrides"] == {"title": "Sunday", "surrender.points": 0}


def test_a_rules_file_in_full_is_read_against_the_default(client: TestClient[Any]) -> None:
    text = client.post("/api/rules/read", json={"toml": 'name = "mine"\n[deal]\ngame = "closed"\n'}).json()
    assert text["preset"] == "pineapple"
    assert text["values"]["deal.game"] == "closed"


def test_a_table_s_rules_in_full_are_read_against_their_preset(client: TestClient[Any]) -> None:
    rules = resolve({"preset": "malayan", "surrender.points": 2})
    body = client.post("/api/rules/read", json={"toml": to_toml(rules)}).json()
    assert (body["preset"], body["overrides"]) == ("malayan", {"surrender.points": 2})


@pytest.mark.parametrize(
    ("path", "body", "code", "at"),
    [
        ("edit", "not json", "request.json", "$"),
        ("edit", {}, "request.invalid", "$.spec"),
        ("edit", {"spec": 7}, "request.invalid", "$.spec"),
        ("edit", {"spec": "pineaple"}, "rules.preset", "$.rules.preset"),
        ("edit", {"spec": {"preset": 3}}, "rules.extends", "$.rules.preset"),
        ("edit", {"spec": {"scoring.rows": "three"}}, "rules.value", "$.rules.scoring.rows"),
        ("edit", {"spec": {"scoring.row": "per_row"}}, "rules.unknown_key", "$.rules.scoring.row"),
        ("edit", {"spec": {"clock.seconds": 0}}, "rules.range", "$.rules.clock.seconds"),
        ("edit", {"spec": {"clock.seconds": 1.5}}, "rules.type", "$.rules.clock.seconds"),
        ("edit", {"spec": {"clock": 5}}, "rules.type", "$.rules.clock"),
        ("edit", {"spec": {"royalties.table": "grand"}}, "rules.value", "$.rules.royalties.table"),
        ("edit", {"spec": {"fantasyland.entry": [{}] * 17}}, "rules.range", "$.rules.fantasyland.entry"),
        ("edit", {"spec": "pineapple", "more": 1}, "request.invalid", "$.more"),
        ("read", {}, "request.invalid", "$.toml"),
        ("read", {"toml": "a ="}, "rules.toml", "$.rules"),
        ("read", {"toml": 'extends = "nothing"'}, "rules.preset", "$.rules.extends"),
        ("read", {"toml": "x" * 40_000}, "request.invalid", "$.toml"),
    ],
)
def test_bad_rules_are_refused_with_a_code_and_a_path(
    client: TestClient[Any], path: str, body: object, code: str, at: str
) -> None:
    content = {"content": body} if isinstance(body, str) else {"json": body}
    response = client.post(f"/api/rules/{path}", **content)
    assert response.status_code == 400
    error = response.json()["error"]
    assert (error["code"], error["path"]) == (code, at)
    assert error["message"]
