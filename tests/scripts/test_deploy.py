"""What deploy/ tells other programs is what this one takes (issue 12, part 4)."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_backup import appends, fill
from triptych.cli.main import app
from triptych.cli.serve import serve

DEPLOY = Path(__file__).parents[2] / "deploy"
PROGRAM = Path(sys.executable).with_name("triptych")


def lines(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


def served(words: list[str]) -> dict[str, object]:
    """Return what the command line makes of the words of a `serve`. Raises SystemExit when it does not take them."""
    command, bound, _ = app.parse_args(words, exit_on_error=True, print_error=True)
    assert command is serve
    return dict(bound.arguments)


def test_the_unit_starts_a_room_that_its_proxy_finds() -> None:
    start = re.search(r"^ExecStart=\S+ (.*)$", lines("triptych.service"), re.MULTILINE)
    assert start is not None
    options = served(shlex.split(start[1]))
    assert (options["host"], options["browser"], options["trust_proxy"]) == ("127.0.0.1", False, "127.0.0.1")
    assert f"127.0.0.1:{options['port']}" in lines("Caddyfile")
    backup = lines("triptych-backup.service")
    assert str(options["database"]) in backup


def test_the_image_starts_a_room_that_the_compose_file_names() -> None:
    entry = re.search(r"^ENTRYPOINT (\[.*\])$", lines("Dockerfile"), re.MULTILINE)
    command = re.search(r"^    command: (\[.*\])$", lines("compose.yaml"), re.MULTILINE)
    assert entry is not None
    assert command is not None
    words = [*re.findall(r'"([^"]*)"', entry[1])[1:], *re.findall(r'"([^"]*)"', command[1])]
    options = served(words)
    assert options["host"] == "0.0.0.0"  # noqa: S104 - inside its container
    assert str(options["database"]).startswith("postgresql://")
    assert f"ipv4_address: {options['trust_proxy']}" in lines("compose.yaml")
    assert f"TRIPTYCH_ROOM: room:{options['port']}" in lines("compose.yaml")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's script")
def test_the_compose_files_backups_are_made(tmp_path: Path) -> None:
    """What its container runs, once and with this program; it goes on when a copy cannot be made."""
    entry = re.search(r"^    entrypoint: (\[.*\])$", lines("compose.yaml"), re.MULTILINE)
    assert entry is not None
    shell, option, script = json.loads(entry[1])
    for there, here in (
        ("/opt/triptych/deploy", DEPLOY),
        ("/opt/triptych/bin/triptych", PROGRAM),
        ("/backups", tmp_path),
    ):
        assert there in script
        script = script.replace(there, str(here))
    script = script.replace("$$", "$").replace("sleep 86400", "exit")
    assert "/opt/triptych/deploy/backup.sh" in lines("Dockerfile")
    database = tmp_path / "room.db"
    failed = subprocess.run([shell, option, script, database], capture_output=True, text=True, check=True)
    assert "no backup was made" in failed.stderr
    asyncio.run(fill(database, appends("t1", 1)))
    subprocess.run([shell, option, script, database], check=True)
    assert len(list(tmp_path.glob("room-*.db"))) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's script")
def test_the_nightly_script_keeps_the_newest_sound_copies(tmp_path: Path) -> None:
    database, folder = tmp_path / "room.db", tmp_path / "kept"
    asyncio.run(fill(database, appends("t1", 1)))
    folder.mkdir()
    for day in range(1, 6):
        (folder / f"room-2026010{day}T043000Z.db").touch()
    run = subprocess.run(
        ["/bin/sh", str(DEPLOY / "backup.sh"), str(PROGRAM), str(database), str(folder), "3"],
        env={**os.environ, "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "1 tables" in run.stdout
    kept = sorted(file.name for file in folder.iterdir())
    assert kept[:2] == ["room-20260104T043000Z.db", "room-20260105T043000Z.db"]
    assert len(kept) == 3
    (database).write_bytes(b"no database")
    failed = subprocess.run(
        ["/bin/sh", str(DEPLOY / "backup.sh"), str(PROGRAM), str(database), str(folder), "3"],
        capture_output=True,
        check=False,
    )
    assert failed.returncode != 0
    assert sorted(file.name for file in folder.iterdir()) == kept
