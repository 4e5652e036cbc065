"""The live scorer's addresses: what it asks under some rules, sheets, the ledger, and bad deals."""

from typing import Any

import pytest
from litestar.testing import TestClient

from triptych.rulesets.load import preset_names

ANN = {"front": "QhQd7c", "middle": "8c8dTsTh2c", "back": "AhAcAd9d9h"}
BOB = {"front": "KsJs5d", "middle": "2d3c4c6c7d", "back": "2h6h9cTd3h"}
DEAL: dict[str, Any] = {"rules": "closed_1_6", "players": {"Ann": ANN, "Bob": BOB}}


@pytest.mark.parametrize("preset", preset_names())
def test_every_preset_can_be_scored_by_hand(client: TestClient[Any], preset: str) -> None:
    form = client.post("/api/score/form", json={"rules": preset}).json()
    assert len(form["deck"]) in (52, 53, 54)
    assert form["boards"] * form["players_max"] == 4


def test_the_form_asks_only_what_the_rules_have(client: TestClient[Any]) -> None:
    """Rules §7: closed_1_6 has naturals and surrender 3; pineapple a fantasyland of 14; criss-cross two boards."""
    closed = client.post("/api/score/form", json={"rules": "closed_1_6"}).json()
    assert (closed["surrender"], closed["natural"], closed["fantasyland"]) == (3, True, [])
    open_face = client.post("/api/score/form", json={"rules": "pineapple"}).json()
    assert (open_face["surrender"], open_face["natural"], open_face["fantasyland"]) == (0, False, [14])
    assert client.post("/api/score/form", json={"rules": "pineapple_russian"}).json()["in_row"]
    assert client.post("/api/score/form", json={"rules": "criss_cross"}).json()["boards"] == 2
    assert len(client.post("/api/score/form", json={"rules": "pineapple_joker"}).json()["deck"]) == 54


def test_a_deal_gets_its_sheet(client: TestClient[Any]) -> None:
    """Ann scoops a foul: Rules §3, foul.points = scoop, 3 rows and 3 more."""
    sheet = client.post("/api/score/deal", json={"deal": DEAL, "number": 7}).json()
    assert sheet["deal"] == 7
    assert [hand["player"] for hand in sheet["hands"]] == ["Ann", "Bob"]
    (pair,) = sheet["pairs"]
    assert pair["points"] == 6 == sum(pair[cell]["points"] for cell in ("front", "middle", "back", "scoop", "other"))


def test_a_session_has_a_ledger_over_the_deals_that_can_be_scored(client: TestClient[Any]) -> None:
    bad = {**DEAL, "players": {"Ann": ANN, "Bob": {**BOB, "front": "KsJsQh"}}}
    body = client.post("/api/score/evening", json={"deals": [DEAL, bad, {**DEAL, "stakes": {"Ann-Bob": 10}}]}).json()
    assert [deal["error"] and deal["error"]["path"] for deal in body["deals"]] == [
        None,
        "$.players.Bob.front[2]",
        None,
    ]
    (tally,) = body["tallies"]
    assert {player["player"]: player["money"] for player in tally["players"]} == {"Ann": 66, "Bob": -66}
    assert tally["payments"] == [{"payer": "Bob", "payee": "Ann", "money": 66}]


def test_a_session_takes_points_alone_and_leaves_out_what_was_removed(client: TestClient[Any]) -> None:
    alone = {"rules": "closed_1_6", "points": {"Ann": -6, "Bob": 6}, "corrections": []}
    deals = [DEAL, alone, {**DEAL, "removed": True}]
    body = client.post("/api/score/evening", json={"deals": deals}).json()
    assert [(bool(deal["sheet"]), deal["error"]) for deal in body["deals"]] == [
        (True, None),
        (False, None),
        (False, None),
    ]
    assert [deal["points"] and deal["points"]["points"] for deal in body["deals"]] == [None, [-6, 6], None]
    assert [player["money"] for player in body["tallies"][0]["players"]] == [0, 0]
    assert not client.post("/api/score/form", json={"rules": "first_to_11"}).json()["zero_sum"]


def test_a_session_can_be_larger_than_other_requests(client: TestClient[Any]) -> None:
    assert len(client.post("/api/score/evening", json={"deals": [DEAL] * 500}).json()["deals"]) == 500


@pytest.mark.parametrize(
    ("path", "body", "code", "at"),
    [
        ("form", {}, "request.invalid", "$.rules"),
        ("form", {"rules": "poker"}, "rules.preset", "$.rules.preset"),
        ("form", {"rules": {"scoring.rows": 1}}, "rules.value", "$.rules.scoring.rows"),
        ("deal", {"deal": []}, "request.invalid", "$.deal"),
        ("deal", {"deal": DEAL, "number": 0}, "request.invalid", "$.number"),
        ("deal", {"deal": {}}, "line.missing", "$.rules"),
        ("deal", {"deal": {"rules": "closed_1_6"}}, "line.missing", "$.players"),
        ("deal", {"deal": {**DEAL, "rules": {"preset": "x"}}}, "rules.preset", "$.rules.preset"),
        ("deal", {"deal": {**DEAL, "colour": 1}}, "line.unknown_key", "$.colour"),
        ("deal", {"deal": {**DEAL, "players": {"Ann": ANN}}}, "players.count", "$.players"),
        ("deal", {"deal": {**DEAL, "players": {"Ann": ANN, "": BOB}}}, "players.name", "$.players"),
        ("deal", {"deal": {**DEAL, "players": {"Ann": ANN, "Bob": ANN}}}, "card.duplicate", "$.players.Bob.front[0]"),
        ("deal", {"deal": {**DEAL, "players": {"Ann": ANN, "Bob": {}}}}, "line.missing", "$.players.Bob.front"),
        (
            "deal",
            {"deal": {**DEAL, "players": {"Ann": ANN, "Bob": {**BOB, "back": "2h"}}}},
            "row.size",
            "$.players.Bob.back",
        ),
        (
            "deal",
            {"deal": {**DEAL, "players": {"Ann": ANN, "Bob": {**BOB, "back": "2h6h9cTd1h"}}}},
            "card.unknown",
            "$.players.Bob.back[4]",
        ),
        (
            "deal",
            {"deal": {**DEAL, "players": {"Ann": ANN, "Bob": {**BOB, "back": "2h6h9cTdX1"}}}},
            "card.joker",
            "$.players.Bob.back[4]",
        ),
        ("deal", {"deal": {**DEAL, "stakes": {"Ann-Cem": 2}}}, "player.unknown", "$.stakes.Ann-Cem"),
        ("deal", {"deal": {**DEAL, "stakes": {"Ann-Bob": -0.5}}}, "value.range", "$.stakes.Ann-Bob"),
        (
            "deal",
            {"deal": {**DEAL, "rules": "pineapple", "players": {"Ann": ANN, "Bob": {"surrender": True}}}},
            "player.surrender",
            "$.players.Bob.surrender",
        ),
        ("evening", {"deals": 1}, "request.invalid", "$.deals"),
        ("evening", {"deals": [DEAL] * 601}, "request.invalid", "$.deals"),
    ],
)
def test_bad_deals_are_refused_with_a_code_and_a_path(
    client: TestClient[Any], path: str, body: object, code: str, at: str
) -> None:
    response = client.post(f"/api/score/{path}", json=body)
    assert response.status_code == 400
    error = response.json()["error"]
    assert (error["code"], error["path"]) == (code, at)
