"""What deploy/ tells other programs is what this one takes (issue 12, part 4)."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

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


def test_the_unit_waits_for_a_clock_that_is_right() -> None:
    """A machine without a clock of its own starts in another year (issue 27.4)."""
    for word in ("After", "Wants"):
        line = re.search(rf"^{word}=(.*)$", lines("triptych.service"), re.MULTILINE)
        assert line is not None
        assert "time-sync.target" in line[1].split()


def compose() -> dict[str, Any]:
    """Return the compose file's services, anchors resolved, as a host without settings of their own has them."""
    text = lines("compose.yaml")
    for name, value in (("POSTGRES_PASSWORD", "secret"), ("TRIPTYCH_DOMAIN", "cards.example.org")):
        text = re.sub(r"\$\{" + name + r"(:\?[^}]*)?\}", value, text)
    found: dict[str, Any] = yaml.safe_load(re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text))
    assert "${" not in json.dumps(found)
    return found


def rooms() -> dict[str, dict[str, object]]:
    """Return what the command line makes of each room's words, by the room's name."""
    entry = re.search(r"^ENTRYPOINT (\[.*\])$", lines("Dockerfile"), re.MULTILINE)
    assert entry is not None
    _, *words = json.loads(entry[1])
    services = compose()["services"]
    return {name: served([*words, *services[name]["command"]]) for name in services if name.startswith("room")}


def test_the_compose_files_rooms_find_database_bus_and_each_other() -> None:
    found, services = rooms(), compose()["services"]
    assert len(found) == 2
    proxy = services["proxy"]["networks"]["inside"]["ipv4_address"]
    for name, options in found.items():
        assert (options["host"], options["browser"]) == ("0.0.0.0", False)  # noqa: S104 - inside its container
        assert options["advertise"] == f"http://{name}:{options['port']}"
        database, bus = urlsplit(str(options["database"])), urlsplit(str(options["bus"]))
        secrets = services[database.hostname]["environment"]
        assert (database.scheme, database.username) == ("postgresql", secrets["POSTGRES_USER"])
        assert database.password == secrets["POSTGRES_PASSWORD"]
        assert database.path == f"/{secrets['POSTGRES_DB']}"
        assert (bus.scheme, bus.port) == ("nats", 4222)
        assert services[bus.hostname]["image"].startswith("nats:")
        assert set(services[name]["depends_on"]) == {database.hostname, bus.hostname}
        assert options["trust_proxy"] == proxy
        assert options["keep"] == 0  # nothing is deleted unless the host says so
        assert f"http://127.0.0.1:{options['port']}/readyz" in services[name]["healthcheck"]["test"][-1]
    inside = compose()["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert ip_address(proxy) in ip_network(inside)
    assert "/src[room,postgres,nats]" in lines("Dockerfile")


def test_the_proxy_sends_people_to_every_room() -> None:
    named = compose()["services"]["proxy"]["environment"]["TRIPTYCH_ROOMS"].split()
    assert named == [f"{name}:{options['port']}" for name, options in rooms().items()]
    assert set(compose()["services"]["proxy"]["depends_on"]) == set(rooms())
    caddy = lines("Caddyfile")
    assert "reverse_proxy {$TRIPTYCH_ROOMS:" in caddy
    assert "health_uri /readyz" in caddy
    # What is for the host's own tools is kept from the world with all slashes that the room lets pass (issue 27.20).
    inside = re.search(r"@inside path (.*)", caddy)
    assert inside is not None
    assert set(inside[1].split()) == {
        f"/{name}{end}" for name in ("metrics", "readyz", "healthz") for end in ("", "/*")
    }
    assert re.search(r"header .*Strict-Transport-Security max-age=\d+", caddy)
    # Nobody but the proxy is open to the world.
    assert [name for name, service in compose()["services"].items() if "ports" in service] == ["proxy"]


def test_the_backup_copies_the_rooms_database() -> None:
    backup = compose()["services"]["backup"]
    assert {options["database"] for options in rooms().values()} == {backup["command"][0]}


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's script")
def test_the_compose_files_backups_are_made(tmp_path: Path) -> None:
    """What its container runs, once and with this program; it goes on when a copy cannot be made."""
    shell, option, script = compose()["services"]["backup"]["entrypoint"]
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
    broken = script.replace(str(PROGRAM), "false")
    failed = subprocess.run([shell, option, broken, database], capture_output=True, text=True, check=True)
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
    failed = subprocess.run(
        ["/bin/sh", str(DEPLOY / "backup.sh"), "false", str(database), str(folder), "3"],
        capture_output=True,
        check=False,
    )
    assert failed.returncode != 0
    assert sorted(file.name for file in folder.iterdir()) == kept
