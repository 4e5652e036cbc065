"""`triptych rate`: rates of players over files, by groups (issue 14, part 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec.structs import replace

from tests.solve.analysis.played import played_history
from triptych.cli import rate
from triptych.cli.main import app
from triptych.notation.history.text import history_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from triptych.notation.history.model import History, Viewer


_THOUGHT: dict[object, object] = {}


@pytest.fixture(autouse=True)
def _once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Think each deal through once: the same deal and the same seed, the same answer."""
    for name in ("review", "replay_with_baseline"):
        monkeypatch.setattr(f"triptych.cli.rate.{name}", _remembered(name, vars(rate)[name]))


def _remembered(name: str, think: Callable[..., object]) -> Callable[..., object]:
    def thought(history: History, *rest: object, seed: int) -> object:
        key = (name, history_text(history), repr(rest), seed)
        if key not in _THOUGHT:
            _THOUGHT[key] = think(history, *rest, seed=seed)
        return _THOUGHT[key]

    return thought


def _rated(*arguments: str | Path) -> int:
    status: int = app(["rate", *map(str, arguments)], result_action="return_value")
    return status


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Two deals of two weeks at two tables; of the second only the first seat's cards are known."""
    written = []
    viewers: tuple[Viewer, ...] = ("all", 0)
    for number, seen_by in enumerate(viewers, start=1):
        history = played_history(("fast", "random"), seen_by, seed=number, rules="turbo")
        history = replace(history, table=f"t{number}", started=f"2026-11-{10 * number}T20:00:00+00:00")
        path = tmp_path / f"{number}.toml"
        path.write_text(history_text(history))
        written.append(path)
    return written


def test_players_are_rated_over_all_their_deals(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert _rated(*files, "--error", "5", "--json") == 0
    fast, rand = [msgspec.json.decode(line) for line in capsys.readouterr().out.splitlines()]
    assert (fast["player"], fast["rate"]["deals"], fast["result"]) == ("fast", 2, None)
    assert (rand["player"], rand["rate"]["deals"]) == ("random", 1)
    assert rand["luck"] + rand["skill"] == rand["result"]
    assert fast["rate"]["lost"] < rand["rate"]["lost"]
    assert fast["like"] is None, "six decisions name no level"


def test_it_fits_a_terminal(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert _rated(files[0], "--error", "5", "--by", "week") == 0
    title, head, *lines = capsys.readouterr().out.splitlines()
    assert title.strip() == "Points lost a decision"
    assert head.split() == ["player", "week", "deals", "decisions", "lost", "±", "result", "luck", "play", "like"]
    assert [line.split()[:3] for line in lines] == [["fast", "2026-W46", "1"], ["random", "2026-W46", "1"]]


def test_files_that_cannot_be_rated_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _rated() == 2
    assert "at least one" in capsys.readouterr().err
    assert _rated(tmp_path / "none.toml") == 2
    broken = tmp_path / "broken.toml"
    broken.write_text("nonsense")
    assert _rated(broken) == 1
    assert "broken.toml" in capsys.readouterr().err


def test_a_broken_file_stops_no_other(
    files: list[Path], tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Issue 28.17."""
    broken = tmp_path / "broken.toml"
    broken.write_text("nonsense")
    assert _rated(broken, files[0], tmp_path / "none.toml", "--error", "5", "--json") == 2
    failure, unread, fast, _ = [msgspec.json.decode(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert (failure["id"], failure["error"]["code"]) == (str(broken), "history.toml")
    assert (unread["id"], unread["error"]["code"]) == (str(tmp_path / "none.toml"), "file.read")
    assert (fast["player"], fast["rate"]["deals"]) == ("fast", 1)


def test_strong_plays_the_same_cards(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert _rated(files[0], "--error", "5", "--same-cards", "--json") == 0
    *_, fast, rand = [msgspec.json.decode(line) for line in capsys.readouterr().out.splitlines()]
    assert (fast["player"], fast["deals"], rand["player"], rand["deals"]) == ("fast", 1, "random", 1)
    assert rand["strong_fouls"] <= rand["fouls"]
    assert _rated(files[0], "--error", "5", "--same-cards") == 0
    printed = capsys.readouterr().out
    assert "Beside strong with the same cards" in printed
    assert max(map(len, printed.splitlines())) <= 80
