"""`triptych session`: real cards, deal by deal, into a file that `triptych score` reads (issue 3, part 6)."""

import io
import json
from itertools import combinations
from pathlib import Path

import pytest

from triptych.cli.score import score
from triptych.cli.session.command import add, change, play, restore, show, undo

ANN = "QhQd7c/8c8dTsTh2c/AhAcAd9d9h"
BOB = "KsJs5d/2d3c4c6c7d/2h6h9cTd3h"  # a foul
CEM = "5h5s4d/7h7s6d6s3d/JdJhJc4h4s"
DEE = "As5c2s/8h8s9sTc3s/KcKdKhQcQs"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "friday.jsonl"


def documents(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def four(file: Path) -> int:
    hands = (f"Ann={ANN}", f"Bob={BOB}", f"Cem={CEM}", f"Dee={DEE}")
    settings = ["stake.point=0.5", "stake.unit=EUR"]
    return add(file, *hands, rules="closed_1_6", set_=settings, stake=["Ann-Bob=10"])


def test_four_players_with_their_own_stakes(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ann scoops all (6 each), Bob fouls (6 to each), Cem beats Dee 2-1; Ann and Bob count ten times."""
    assert four(file) == 0
    assert "Bob" in capsys.readouterr().out
    assert show(file) == 0
    printed = capsys.readouterr().out
    assert "Bob pays Ann 36 EUR" in printed
    assert "Dee pays Cem 0.50 EUR" in printed


def test_a_match_to_eleven_pays_its_prize(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rules §6 (match.prize): three deals of 4 points; the two others are 11 short, at half a euro a point."""
    hands = ["KsKhKd/AsAdAcQsQd/JsJhJdJcTs", "2c3c4c/5c6c7c8c9d/2d3d4d5d7d", "2h3h5h/4h6h7h8h9h/2s3s4s5s7s"]
    hands.append("6s6d8d/9s9cThTd8s/TcQhQcKcAh")
    named = [f"{name}={board}" for name, board in zip(("Ann", "Bob", "Cem", "Dee"), hands, strict=True)]
    for _ in range(3):
        assert add(file, *named, rules="first_to_11", set_=["stake.point=0.5", "stake.unit=EUR"]) == 0
    capsys.readouterr()
    assert show(file) == 0
    printed = capsys.readouterr().out
    assert all(f"{name} pays Ann 5.50 EUR" in printed for name in ("Bob", "Cem", "Dee"))


def test_the_file_is_what_triptych_score_reads(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    four(file)
    capsys.readouterr()
    assert score(file) == 0


def test_rules_and_stakes_stay_until_others_are_given(file: Path) -> None:
    four(file)
    assert add(file, f"Ann={ANN}", f"Bob={CEM}") == 0
    assert add(file, f"Cem={ANN}", f"Bob={CEM}", set_=["stake.point=1"], stake=["Bob-Cem=3"]) == 0
    first, second, third = documents(file)
    assert second["rules"] == first["rules"]
    assert second["stakes"] == {"Ann-Bob": 10}
    assert third["rules"] == {**dict(first["rules"]), "stake.point": 1}  # type: ignore[call-overload]
    assert third["stakes"] == {"Bob-Cem": 3}


def test_a_wrong_hand_is_changed_and_a_deal_taken_out(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    four(file)
    add(file, f"Ann={ANN}", f"Bob={CEM}")
    assert change(file, 2, "Bob=surrender") == 0
    assert documents(file)[1]["players"] == {
        "Ann": dict(zip(("front", "middle", "back"), ANN.split("/"), strict=True)),
        "Bob": {"surrender": True},
    }
    assert undo(file) == 0
    assert [document.get("removed") for document in documents(file)] == [None, True]
    capsys.readouterr()
    undo(file)
    assert undo(file) == 1
    assert "no deal yet" in capsys.readouterr().err
    assert show(file) == 0
    assert "no deal yet" in capsys.readouterr().out


def test_points_alone_count_like_boards(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An evening on paper: the same totals and payments as the boards of `four`, by pair and by player."""
    four(file)
    capsys.readouterr()
    show(file)
    by_boards = capsys.readouterr().out
    file.unlink()
    pairs = ("Ann-Bob=6", "Cem-Ann=-6", "Ann-Dee=6", "Bob-Cem=-6", "Bob-Dee=-6", "Cem-Dee=1")
    settings = ["stake.point=0.5", "stake.unit=EUR"]
    assert add(file, *pairs, rules="closed_1_6", set_=settings, stake=["Ann-Bob=10"]) == 0
    capsys.readouterr()
    show(file)
    assert by_boards.partition("pair ")[0] == capsys.readouterr().out.partition("pair ")[0]
    # What is counted by player is settled already: without the stake, which goes on for boards and pairs.
    assert add(file, "Ann=+18", "Bob=-18", "Cem=1", "Dee=-1") == 0
    assert add(file, f"Ann={ANN}", f"Bob={BOB}") == 0
    assert [document.get("stakes") for document in documents(file)] == [{"Ann-Bob": 10}, None, {"Ann-Bob": 10}]
    capsys.readouterr()
    assert score(file) == 0
    totals = [json.loads(line)["totals"] for line in capsys.readouterr().out.splitlines()]
    assert totals[1] == {"Ann": 18, "Bob": -18, "Cem": 1, "Dee": -1}
    show(file)
    # By hand: 72 + 18 + 60 points of 0.50.
    assert "+75" in capsys.readouterr().out


def test_a_correction_leaves_the_old_value_who_and_when(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    four(file)
    add(file, "Ann=12", "Bob=-5", "Cem=-4", "Dee=-3")
    assert change(file, 1, "Bob=surrender", by="Ann") == 0
    assert change(file, 1, "Bob=surrender", by="Ann") == 0  # nothing changes, nothing is noted
    assert change(file, 2, "Ann=11", "Bob=-4", by="Bob") == 0
    assert change(file, 2, "Ann-Bob=1", "Ann-Cem=2", "Ann-Dee=3", "Bob-Cem=4", "Bob-Dee=5", "Cem-Dee=6", by="") == 0
    assert change(file, 2, "Bob-Ann=3", by="Cem") == 0
    assert undo(file, 1, by="Dee") == 0
    assert change(file, 1, "Bob=surrender", by="Dee") == 1
    assert restore(file, 1, by="Dee") == 0
    assert restore(file, 3) == 1
    capsys.readouterr()
    assert show(file) == 0
    corrected = capsys.readouterr().out.partition("Corrected\n")[2].splitlines()
    words = [line.strip().rpartition(" (")[0] for line in corrected]
    changes = (f"{a}-{b}: – → +{at}" for at, (a, b) in enumerate(combinations(("Ann", "Bob", "Cem", "Dee"), 2), 1))
    assert words == [
        f"deal 1: Bob: {BOB} → surrender",
        "deal 1: removed",
        "deal 1: restored",
        "deal 2: Ann: +12 → +11, Bob: -5 → -4",
        f"deal 2: Ann: +11 → –, Bob: -4 → –, Cem: -4 → –, Dee: -3 → –, {', '.join(changes)}",
        "deal 2: Ann-Bob: +1 → -3",
    ]
    assert all("(Dee, 20" in line for line in corrected[1:3])
    assert corrected[4].rpartition(" (")[2].startswith("20")  # nobody's name
    capsys.readouterr()
    assert score(file) == 0
    undo(file, 1)
    capsys.readouterr()
    assert score(file) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0]) == {"id": "1", "removed": True}


def test_naturals_fantasylands_and_two_boards_can_be_written(file: Path) -> None:
    assert add(file, f"Ann={ANN}", "Bob=natural:KsQsJsTc9s8s7s6s5s4s3s2sAs", rules="closed_1_6") == 0
    assert add(file, f"Ann={ANN}@14", f"Bob={CEM}", rules="pineapple") == 0
    assert add(file, f"Ann={ANN}@14:2", f"Bob={CEM}", rules="pineapple_russian") == 0
    assert add(file, f"Ann:1={ANN}", f"Bob:1={BOB}", f"Ann:2={CEM}", f"Bob:2={DEE}", rules="criss_cross") == 0
    deals = documents(file)
    assert deals[1]["players"]["Ann"]["fantasyland"] == {"cards": 14, "in_row": 1}  # type: ignore[index]
    assert deals[3]["owners"] == {"Ann 1": "Ann", "Bob 1": "Bob", "Ann 2": "Ann", "Bob 2": "Bob"}


def test_house_rules_are_read_from_a_file(file: Path, tmp_path: Path) -> None:
    own_rules = tmp_path / "house.toml"
    own_rules.write_text('extends = "closed_1_6"\n[surrender]\npoints = 4\n')
    assert add(file, f"Ann={ANN}", "Bob=surrender", rules=str(own_rules)) == 0
    assert documents(file)[0]["rules"] == {"preset": "closed_1_6", "surrender.points": 4}


def test_a_bad_line_is_reported_and_spoils_no_other(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    four(file)
    with file.open("a") as lines:
        lines.write("not json\n")
    capsys.readouterr()
    assert show(file, sheets=True) == 1
    captured = capsys.readouterr()
    assert "line 2" in captured.err
    assert "Bob pays Ann 36 EUR" in captured.out


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_boards_are_asked_for_until_an_empty_line(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, ANN, "back", ANN, "nonsense", CEM, ANN, ANN, ANN, "surrender", "")
    assert play(file, "Ann", "Bob", rules="closed_1_6", stake=["Ann-Bob=2"]) == 0
    captured = capsys.readouterr()
    assert "'nonsense' is not a board" in captured.out
    # The second deal was refused and asked again: nobody can have Ann's cards too.
    assert "in two places" in captured.err
    assert "Bob pays Ann 18 points" in captured.out
    assert [document.get("stakes") for document in documents(file)] == [{"Ann-Bob": 2}] * 2
    typed(monkeypatch, ANN, "surrender")
    assert play(file) == 0
    assert "Bob pays Ann 24 points" in capsys.readouterr().out


def test_points_are_typed_where_boards_are_asked_for(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By player one after the other, once for two boards; by pair in one line; what does not sum to 0 once more."""
    typed(monkeypatch, "+5", "-4", "+5", "-5", "Xia-Yan=3", ANN, BOB, CEM, DEE, "")
    assert play(file, "Xia:1", "Yan:1", "Xia:2", "Yan:2", rules="criss_cross") == 0
    assert "sum to 0, not to 1" in capsys.readouterr().err
    by_player, by_pair, boards = documents(file)
    assert by_player["points"] == {"Xia": 5, "Yan": -5}
    assert by_pair["pairs"] == {"Xia-Yan": 3}
    assert boards["owners"] == {"Xia 1": "Xia", "Yan 1": "Yan", "Xia 2": "Xia", "Yan 2": "Yan"}
    typed(monkeypatch, "1", "-1")
    assert play(file) == 0
    typed(monkeypatch, ANN, BOB, CEM, DEE)
    assert play(file) == 0
    assert documents(file)[4]["order"] == boards["order"]


def test_two_boards_of_a_player_are_asked_for_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, ANN, BOB, CEM, DEE, "")
    assert play(file, "Ann:1", "Bob:1", "Ann:2", "Bob:2", rules="criss_cross") == 0
    typed(monkeypatch, BOB, ANN, DEE, CEM, "")
    assert play(file) == 0
    assert [document["owners"] for document in documents(file)] == [
        {"Ann 1": "Ann", "Bob 1": "Bob", "Ann 2": "Ann", "Bob 2": "Bob"}
    ] * 2


def test_nobody_plays_without_a_name(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(file, rules="closed_1_6") == 1
    assert "name the players" in capsys.readouterr().err
    assert play(file, "Ann", "Bob", rules="closed") == 1
    assert "unknown preset 'closed'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("hands", "options", "words"),
    [
        ((f"Ann={ANN}", f"Bob={CEM}"), {}, "name the rules"),
        (("Ann", f"Bob={CEM}"), {"rules": "closed_1_6"}, "'Ann' is not a hand"),
        (("Ann=QhQd7c", f"Bob={CEM}"), {"rules": "closed_1_6"}, "'QhQd7c' is not a board"),
        ((f"Ann={ANN}", f"Ann={CEM}"), {"rules": "closed_1_6"}, "'Ann' is given twice"),
        ((f"Ann={ANN}", f"Bob={ANN}"), {"rules": "closed_1_6"}, "Qh is in two places"),
        ((f"Ann={ANN}",), {"rules": "closed_1_6"}, "two to four players"),
        (("Ann=3", "Bob=-2"), {"rules": "closed_1_6"}, "sum to 0, not to 1"),
        (("Ann=3", f"Bob={CEM}"), {"rules": "closed_1_6"}, "give boards, or points of all players"),
        (("Ann=3", "Ann-Bob=3"), {"rules": "closed_1_6"}, "give boards, or points of all players"),
        (("Ann=3", "Ann=-3"), {"rules": "closed_1_6"}, "given twice"),
        (("Ann-Bob=3", "Ann-Cem=3"), {"rules": "closed_1_6"}, "the points of Bob and Cem too"),
        (("Ann=3", "Bob=-3"), {"rules": "closed_1_6", "stake": ["Ann-Bob=2"]}, "stakes count for pairs"),
        ((f"Ann={ANN}", f"Bob={CEM}"), {"rules": "closed"}, "unknown preset 'closed'"),
        ((f"Ann={ANN}", f"Bob={CEM}"), {"rules": "nowhere.toml"}, "cannot read nowhere.toml"),
        ((f"Ann={ANN}", f"Bob={CEM}"), {"rules": "closed_1_6", "stake": ["Ann-Bob"]}, "is not a stake"),
        ((f"Ann={ANN}", f"Bob={CEM}"), {"rules": "closed_1_6", "stake": ["Ann-Cem=2"]}, "not a pair of players"),
        ((f"Ann={ANN}", "Bob=surrender"), {"rules": "pineapple"}, "do not allow to surrender"),
    ],
)
def test_bad_hands_are_refused_and_the_file_stays(
    file: Path, capsys: pytest.CaptureFixture[str], hands: tuple[str, ...], options: dict[str, object], words: str
) -> None:
    assert add(file, *hands, **options) == (2 if "cannot read" in words else 1)  # type: ignore[arg-type]
    assert words in capsys.readouterr().err
    assert not file.exists()
