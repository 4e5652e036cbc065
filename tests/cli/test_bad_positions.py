"""Every solving command refuses a bad question with one clear error, in words and as JSON (issue 4, shown by 8)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych.cli.main import app
from triptych.solve.errors import CODES

FOURTEEN = "AhKhQhJhTh9s9d9c5s5d2c2d2h3c"
EIGHTEEN = '[{ row = "back", least = "quads", cards = 18 }]'
THIRTEEN = FOURTEEN[:-2]
BOARD = "QdQs7c/7s7h4d4c3d/6s6h8s8d8h"
ROWS = "QhQd/9d8c2c/TcJsJcJd"
BETWEEN = "QhQd/9d8c2c/Tc9cJcJd"
THIRTEEN_SET = f"*// +{THIRTEEN} | //"
TABLE = "*Kd/7s7h/AhAd +Qc4s9h | As/8c8d/TcJc"

FANTASYLAND = [
    ((FOURTEEN[:24],), "cards.count", "$.cards"),
    ((FOURTEEN + "4c4d4h4s",), "cards.count", "$.cards"),
    (("",), "cards.count", "$.cards"),
    ((FOURTEEN.replace("3c", "3z"),), "card.unknown", "$.cards[13]"),
    ((FOURTEEN[:-1],), "card.unknown", "$.cards[13]"),
    ((FOURTEEN.replace("3c", "Ah"),), "card.duplicate", "$.cards[13]"),
    ((FOURTEEN.replace("3c", "X1"),), "card.joker", "$.cards[13]"),
    ((FOURTEEN, "--preset", "nope"), "rules.preset", "$.preset"),
    ((FOURTEEN, "--preset", ""), "rules.preset", "$.preset"),
    ((FOURTEEN, "--set", "x"), "rules.set", "$"),
    ((FOURTEEN, "--set", "scoring.rows=zzz"), "rules.value", "$.scoring.rows"),
    ((FOURTEEN, "--set", f"fantasyland.repeat={EIGHTEEN}"), "rules.range", "$.fantasyland.repeat[0].cards"),
    ((FOURTEEN, "--repeat-value", "nan"), "value.range", "$.repeat_value"),
    ((FOURTEEN, "--repeat-value", "inf"), "value.range", "$.repeat_value"),
    ((FOURTEEN, "--repeat-value", "-1e9"), "value.range", "$.repeat_value"),
    ((FOURTEEN, "--against", "QdQs7c"), "row.size", "$.against[0]"),
    ((FOURTEEN, "--against", BOARD.replace("7c", "")), "row.size", "$.against[0].front"),
    ((FOURTEEN, "--against", BOARD.replace("Qd", "Ah")), "card.duplicate", "$.against[0].front[0]"),
    ((FOURTEEN, "--against", BOARD, "--against", BOARD), "card.duplicate", "$.against[1].front[0]"),
    ((FOURTEEN, *["--against", BOARD] * 4), "against.count", "$.against"),
]
CLOSED = [
    ((THIRTEEN[:-2],), "cards.count", "$.cards"),
    ((FOURTEEN,), "cards.count", "$.cards"),
    ((THIRTEEN.replace("Kh", "Ah"),), "card.duplicate", "$.cards[1]"),
    ((THIRTEEN.replace("Kh", "Kx"),), "card.unknown", "$.cards[1]"),
    ((THIRTEEN.replace("Kh", "X2"),), "card.joker", "$.cards[1]"),
    ((THIRTEEN, "--preset", "pineapple"), "game.open", "$.rules"),
    ((THIRTEEN, "--top", "0"), "value.range", "$.top"),
    ((THIRTEEN, "--top", "72073"), "value.range", "$.top"),
    ((THIRTEEN, "--opponents", "0"), "against.count", "$.opponents"),
    ((THIRTEEN, "--opponents", "4"), "against.count", "$.opponents"),
    ((THIRTEEN, "--against", BOARD.replace("Qd", "Ah")), "card.duplicate", "$.against[0].front[0]"),
    ((THIRTEEN, "--against", "///"), "row.size", "$.against[0]"),
    ((THIRTEEN, "--samples", "no-such-file"), "samples.file", "$.samples"),
]
STREET = [
    ((ROWS, "9h8h"), "cards.count", "$.cards"),
    ((ROWS, "9h8hQh"), "card.duplicate", "$.cards[2]"),
    ((ROWS, "9h8h2s", "--dead", "Qh"), "card.duplicate", "$.dead[0]"),
    ((ROWS, "9h8h2s", "--dead", "2s"), "card.duplicate", "$.dead[0]"),
    ((ROWS, "9h8h2s", "--dead", "zz"), "card.unknown", "$.dead[0]"),
    ((ROWS, "9h8h2s", "--land-value", "nan"), "value.range", "$.land_value"),
    ((ROWS, "9h8h2s", "--land-value", "1e7"), "value.range", "$.land_value"),
    ((ROWS, "9h8h2s", "--top", "0"), "value.range", "$.top"),
    ((ROWS, "9h8h2s", "--against", BOARD), "card.duplicate", "$.against[0].front[0]"),
    ((ROWS, "9h8h2s", "--preset", "closed_1_6"), "street.closed", "$.rules"),
    ((ROWS, "9h8h2s", "--preset", "ofc_american"), "cards.count", "$.cards"),
    (("QhQd/9d8c2c", "9h8h2s"), "row.size", "$.rows"),
    (("QhQdQs2h/9d8c2c/TcJs", "9h8h2s"), "row.size", "$.front"),
    (("//", "AhKhQhJhTh"), "street.early", "$.cards"),
    (("QhQd/9d8c/TcJs", "9h8h2s"), "cards.count", "$"),
]
OUTS = [
    (("QhQd",), "row.size", "$.rows"),
    (("QhQd/9d8c2c/Tc9cJc",), "cards.count", "$"),
    (("QhQd7c/9d8c2c4s3s/Tc9hJcJd5d",), "cards.count", "$"),
    (("QhQd7c5c/9d8c2c/Tc9cJc",), "row.size", "$.front"),
    ((BETWEEN, "--dead", "Qh"), "card.duplicate", "$.dead[0]"),
    ((BETWEEN, "--dead", "Q"), "card.unknown", "$.dead[0]"),
    ((BETWEEN, "--preset", "closed_1_6"), "street.closed", "$.rules"),
    ((BETWEEN, "--preset", "nope"), "rules.preset", "$.preset"),
    ((BETWEEN.replace("Qh", "X1"),), "card.joker", "$.front[0]"),
]
ANALYSE = [
    (("",), "position.hand", "$.hands[0]"),
    (("zz",), "position.hand", "$.hands[0]"),
    ((TABLE.replace("Jc", "XX"),), "card.unknown", "$.hands[1].back[1]"),
    ((TABLE.replace("As", "Ad"),), "card.duplicate", "$.hands[1].front[0]"),
    ((TABLE.replace("As", "As2d3d4d"),), "row.size", "$.hands[1].front"),
    ((TABLE.replace("As", "X1"),), "card.joker", "$.hands[1]"),
    ((TABLE.replace("4s9h", "4s"),), "position.street", "$.hands[0]"),
    ((TABLE.replace("Jc", "Jc4c"),), "position.street", "$.hands[1]"),
    ((TABLE.replace("*", ""),), "position.acting", "$.position"),
    ((TABLE.split(" |", maxsplit=1)[0],), "position.street", "$.hands"),
    ((TABLE, "--hand", "5"), "position.acting", "$.hand"),
    ((TABLE, "--preset", "closed_1_6"), "position.street", "$.hands[0]"),
    ((THIRTEEN_SET, "--preset", "closed_1_6", "--stacks", "40,25"), "line.unknown_key", "$.stacks"),
    ((THIRTEEN_SET, "--preset", "closed_1_6", "--seed", "1"), "line.unknown_key", "$.seed"),
    ((THIRTEEN_SET, "--preset", "closed_1_6", "--error", "0.1"), "line.unknown_key", "$.error"),
    ((THIRTEEN_SET, "--preset", "closed_1_6", "--hand", "2"), "position.acting", "$.hand"),
    (("position.json", "--preset", "closed_1_6"), "line.unknown_key", "$.preset"),
    (("position.json", "--set", "foul.points=3"), "line.unknown_key", "$.set"),
    ((TABLE, "--preset", "nope"), "rules.preset", "$.preset"),
    ((TABLE, "--seed", "99999999999999999999"), "value.range", "$.seed"),
]
BAD = [
    (command, *case)
    for command, cases in (
        (("solve", "fantasyland"), FANTASYLAND),
        (("solve", "closed"), CLOSED),
        (("solve", "street"), STREET),
        (("outs",), OUTS),
        (("analyse",), ANALYSE),
    )
    for case in cases
]


def _status(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stopped:
        app(list(arguments))
    return stopped.value.code


@pytest.mark.parametrize(("command", "arguments", "code", "path"), BAD)
def test_one_clear_error(
    command: tuple[str, ...],
    arguments: tuple[str, ...],
    code: str,
    path: str,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    assert _status(*command, *arguments) == 1
    captured = capfdbinary.readouterr()
    assert captured.out == b""
    (line,) = captured.err.decode().splitlines()
    assert line.startswith("error: " if path == "$" else f"error: {path}: ")
    assert line.endswith(f"({code})")
    assert code in CODES or code.startswith(("rules.", "position."))

    assert _status(*command, *arguments, "--json") == 1
    captured = capfdbinary.readouterr()
    assert captured.err == b""
    (answer,) = captured.out.splitlines()
    error = json.loads(answer)["error"]
    assert (error["code"], error["path"]) == (code, path)
    assert error["message"]


def test_boards_or_samples(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    file = tmp_path / "boards"
    file.write_text(BOARD)
    assert _status("solve", "closed", THIRTEEN, "--against", BOARD, "--samples", str(file)) == 1
    assert b"$.samples: boards or samples of boards, not both (against.count)" in capfdbinary.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("solve", "fantasyland"), "CARDS requires an argument"),
        (("solve", "fantasyland", FOURTEEN, "more"), "Unused Tokens"),
        (("solve", "fantasyland", FOURTEEN, "--nope"), "Unknown option"),
        (("solve", "fantasyland", FOURTEEN, "--repeat-value", "much"), "--repeat-value"),
        (("solve", "closed", THIRTEEN, "--top", "x"), "--top"),
        (("solve", "street", ROWS), "CARDS requires an argument"),
        (("analyse", TABLE, "--error", "0"), "--error"),
        (("analyse", TABLE, "--error", "nan"), "--error"),
    ],
)
def test_bad_command_lines_are_refused(
    arguments: tuple[str, ...], words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Status 2, and one box that names the argument."""
    assert _status(*arguments) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert captured.err.count("Error") == 1
