"""What no command can use is said in one sentence that names it; nothing is half done (issue 4, Shown by 8)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from triptych.cli.main import COMMANDS, app

POSITION = "*Kd/7s7h3c/AhAd2c +Qc4s9h -2d | Th/8c8d5s/TcJcQd"
DEAL = '{"players":{"Ann":{"surrender":true},"Bob":{"surrender":true}},"rules":{"preset":"closed_1_6"},"id":"1"}'
HANDS = ("Ann=QhQd7c/8c8dTsTh2c/AhAcAd9d9h", "Bob=surrender")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which a command runs, with files that are none of what it wants."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("one line\nanother\n")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "list.jsonl").write_text('{"players": 5}\n[1]\n')
    (tmp_path / "session.jsonl").write_text(DEAL + "\n")
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE theirs (x)")
    return tmp_path


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str]:
    """Run the command line in this process; return its exit status and what it wrote on standard error."""
    with pytest.raises(SystemExit) as ended:
        app(arguments)
    return ended.value.code, capfd.readouterr().err


@pytest.mark.parametrize("command", [name for name, _, _ in COMMANDS])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        app([command, "--help"])
    assert ended.value.code in (0, None)
    assert f"Usage: triptych {command}" in capsys.readouterr().out


DATABASES = [
    ("missing.db", "there is no database missing.db"),
    ("folder", "there is no database folder"),
    ("empty", "empty is not a database of a Triptych server"),
    ("text", "cannot use the database text: file is not a database"),
    ("binary", "cannot use the database binary: file is not a database"),
    ("other.db", "other.db is not a database of a Triptych server"),
    ("sqlite:///folder", "there is no database folder"),
    ("mysql://host/name", "mysql:// is not supported"),
    ("postgresql://host:port/name", "this is not a database URL"),
    ("postgresql://ann:secret@127.0.0.1:1/name", "postgresql://ann:***@127.0.0.1:1/name: [Errno"),
]


@pytest.mark.parametrize("command", [("history", "export", "abc", "1"), ("rebuild",), ("backup", "copy.db")])
@pytest.mark.parametrize(("database", "words"), DATABASES)
def test_a_file_that_is_no_database_of_ours_stays_as_it_is(
    command: tuple[str, ...],
    database: str,
    words: str,
    here: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    if command[0] == "backup" and database.startswith(("mysql", "sqlite")):
        words = "give a file or postgresql://host/name"
    before = {file: file.read_bytes() for file in here.iterdir() if file.is_file()}
    status, printed = run(capfd, *command, "--database", database)
    assert status == 1
    assert printed.startswith("error: ")
    assert words in printed
    assert "secret" not in printed
    assert {file: file.read_bytes() for file in here.iterdir() if file.is_file()} == before


@pytest.mark.parametrize("file", ["missing.db", "folder", "empty", "text", "other.db"])
def test_a_file_that_is_no_backup_is_not_restored(file: str, here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, printed = run(capfd, "restore", file, "--database", "room.db")
    assert status == 1
    assert file in printed
    assert not (here / "room.db").exists()


@pytest.mark.parametrize("target", ["n" * 300, "text/copy.db", "folder", "nowhere/copy.db"])
def test_a_backup_that_cannot_be_written_says_where(
    target: str, here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(here / "room.db")) as database:
        database.execute("CREATE TABLE alembic_version (version_num)")
    status, printed = run(capfd, "backup", target, "--database", "room.db")
    assert status == 1
    assert target in printed


def test_a_server_does_not_open_another_programs_file(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = (here / "other.db").read_bytes()
    status, printed = run(capfd, "serve", "--no-browser", "--port", "0", "--database", "other.db")
    assert (status, printed) == (1, "triptych: this file is another program's database; nothing was written\n")
    with closing(sqlite3.connect(here / "other.db")) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("theirs",)]
    assert len((here / "other.db").read_bytes()) == len(before)


@pytest.mark.parametrize("file", ["text", "binary", "list.jsonl"])
@pytest.mark.parametrize(
    "command",
    [("undo",), ("change", "1", HANDS[0]), ("add", *HANDS, "--rules", "closed_1_6"), ("play", "Ann", "Bob")],
)
def test_a_file_that_is_no_session_stays_as_it_is(
    command: tuple[str, ...],
    file: str,
    here: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    before = (here / file).read_bytes()
    status, printed = run(capfd, "session", command[0], file, *command[1:])
    assert status == 1
    assert f"line 1 of {file} is not a deal; nothing was changed" in printed
    assert (here / file).read_bytes() == before


WRONG = [
    (("session", "add", "nowhere/session.jsonl", *HANDS, "--rules", "closed_1_6"), 1, "cannot use nowhere/session"),
    (("session", "add", "session.jsonl", *HANDS, "--rules", "folder.toml"), 2, "cannot read folder.toml"),
    (("session", "undo", "folder"), 1, "cannot use folder: Is a directory"),
    (("session", "change", "session.jsonl", "2", HANDS[0]), 1, "the session has 1 deals"),
    (("rules", ""), 1, "unknown preset ''"),
    (("analyse", POSITION, "--top", "99999999999999999999"), 2, "Must be <= 10000"),
    (("analyse", POSITION, "--error", "1e-300"), 2, "Must be >= 0.001"),
    (("analyse", POSITION, "--error", "nan"), 2, "Invalid value"),
    (("analyse", POSITION, "--preset", "closed_1_6"), 1, "closed"),
    (("puzzles", "pineapple", "--count", "99999999999999999999"), 2, "Must be <= 1000000"),
    (("puzzles", "pineapple", "--players", "-1"), 2, "Must be >= 2"),
    (("puzzles", "pineapple", "--workers", "0"), 2, "Must be >= 1"),
    (("puzzles", "pineapple", "--lead", "inf"), 2, "Must be <= 1000"),
    (("solve", "closed", "AhKhQhJhTh9s9d9c5s5d2c2d2h", "--samples", "empty"), 1, "there is no board in empty"),
    (("arena", "random", "random", "--land-value", "14=nan"), 1, "write CARDS=POINTS such as 14=11"),
    (("arena", "random", "random", "--land-value", "14=1e400"), 1, "write CARDS=POINTS such as 14=11"),
    (("arena", "random", "random", "--until", "nan"), 1, "the width to stop at must be above 0"),
    (("arena", "random", "random", "--until", "inf"), 1, "the width to stop at must be above 0"),
    (("arena", "random", "py:"), 1, "write a file or a class behind py:"),
]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("arguments", "status", "words"), WRONG, ids=[" ".join(case[0])[:60] for case in WRONG])
def test_a_wrong_value_is_named(
    arguments: tuple[str, ...],
    status: int,
    words: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    exit_status, printed = run(capfd, *arguments)
    assert exit_status == status, printed
    assert words in " ".join(printed.replace("│", " ").split())
