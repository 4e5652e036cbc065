"""What deploy/ tells other programs is what this one takes (issue 12, part 4; issue 34, part 7)."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pathspec
import pytest
import yaml
from nats.aio.client import Client
from packaging.requirements import Requirement

from scripts import facts
from tests.cli.test_backup import appends, fill
from tests.nats import Nats
from triptych.cli.main import app
from triptych.cli.serve import serve

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PROGRAM = Path(sys.executable).with_name("triptych")


def lines(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


def served(words: list[str]) -> dict[str, object]:
    """Return what the command line makes of the words of a `serve`. Raises SystemExit when it does not take them."""
    command, bound, _ = app.parse_args(words, exit_on_error=True, print_error=True)
    assert command is serve
    return dict(bound.arguments)


def test_the_unit_starts_a_server_that_its_proxy_finds() -> None:
    start = re.search(r"^ExecStart=\S+ (.*)$", lines("triptych.service"), re.MULTILINE)
    assert start is not None
    options = served(shlex.split(start[1]))
    assert (options["host"], options["browser"], options["trust_proxy"]) == ("127.0.0.1", False, "127.0.0.1")
    assert f"127.0.0.1:{options['port']}" in lines("Caddyfile")
    backup = lines("triptych-backup.service")
    assert f"\nEnvironment=TRIPTYCH_DATABASE={options['database']}\n" in backup
    assert " ${TRIPTYCH_DATABASE} " in backup


def test_the_backup_is_locked_in_as_the_server_is() -> None:
    """Issue 34: it ran as root, with the whole system open to it."""

    def settings(name: str) -> set[str]:
        _, _, service = lines(name).partition("[Service]")
        return {line for line in service.partition("[Install]")[0].splitlines() if "=" in line and line[0] != "#"}

    server, backup = settings("triptych.service"), settings("triptych-backup.service")
    kinds = (
        "Protect",
        "Private",
        "RestrictNamespaces",
        "RestrictRealtime",
        "RestrictSUIDSGID",
        "NoNew",
        "Cap",
        "Lock",
    )
    hardening = {line for line in server if line.startswith(kinds)}
    assert len(hardening) > 15
    assert hardening <= backup
    assert {"DynamicUser=yes", "User=triptych", "UMask=0077"} <= server & backup
    assert "PrivateNetwork=yes" in backup


def test_the_unit_waits_for_a_clock_that_is_right() -> None:
    """A machine without a clock of its own starts in another year (issue 27.4)."""
    for word in ("After", "Wants"):
        line = re.search(rf"^{word}=(.*)$", lines("triptych.service"), re.MULTILINE)
        assert line is not None
        assert "time-sync.target" in line[1].split()


def compose() -> dict[str, Any]:
    """Return the compose file's services, anchors resolved, as a host without settings of their own has them."""
    text = lines("compose.yaml")
    text = re.sub(r"\$\{TRIPTYCH_DOMAIN(:\?[^}]*)?\}", "cards.example.org", text)
    config: dict[str, Any] = yaml.safe_load(re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text))
    assert "${" not in json.dumps(config)
    return config


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what secrets.sh makes."""
    folder = tmp_path_factory.mktemp("deploy") / "secrets"
    subprocess.run([DEPLOY / "secrets.sh", folder], check=True)
    return folder


def rooms(secrets: Path) -> dict[str, dict[str, object]]:
    """Return what the command line makes of each server's words, by the server's name."""
    entry = re.search(r"^ENTRYPOINT (\[.*\])$", lines("Dockerfile"), re.MULTILINE)
    assert entry is not None
    _, *words = json.loads(entry[1])
    services = compose()["services"]
    return {
        name: served([*words, *(word.replace("/run/secrets", str(secrets)) for word in service["command"])])
        for name, service in services.items()
        if name.startswith("room")
    }


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's script")
def test_the_compose_files_rooms_find_database_bus_and_each_other(secrets: Path) -> None:
    server_options, services = rooms(secrets), compose()["services"]
    assert len(server_options) == 2
    proxy = services["proxy"]["networks"]["front"]["ipv4_address"]
    for name, options in server_options.items():
        assert (options["host"], options["browser"]) == ("0.0.0.0", False)  # noqa: S104 - inside its container
        assert options["advertise"] == f"http://{name}:{options['port']}"
        database, bus = urlsplit(str(options["database"])), urlsplit(str(options["bus"]))
        settings = services[database.hostname]["environment"]
        assert (database.scheme, database.username) == ("postgresql", settings["POSTGRES_USER"])
        assert database.password == (secrets / Path(settings["POSTGRES_PASSWORD_FILE"]).name).read_text()
        assert database.path == f"/{settings['POSTGRES_DB']}"
        assert (bus.scheme, bus.port) == ("nats", 4222)
        assert services[bus.hostname]["image"].startswith("nats:")
        assert set(services[name]["depends_on"]) == {database.hostname, bus.hostname}
        assert options["trust_proxy"] == proxy
        assert options["keep"] == 0  # nothing is deleted unless the host says so
        assert f"http://127.0.0.1:{options['port']}/readyz" in services[name]["healthcheck"]["test"][-1]
    front = compose()["networks"]["front"]["ipam"]["config"][0]["subnet"]
    assert ip_address(proxy) in ip_network(front)
    assert "/src[room,postgres,nats]" in lines("Dockerfile")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's script")
def test_secrets_are_files_that_services_name(secrets: Path) -> None:
    """Issue 34: passwords stood on command lines and in the environment."""
    config = compose()
    files = {name: Path(entry["file"]).name for name, entry in config["secrets"].items()}
    assert set(files.values()) == {file.name for file in secrets.iterdir()}
    for service in config["services"].values():
        text = json.dumps({key: service.get(key) for key in ("command", "entrypoint", "environment")})
        assert set(re.findall(r"/run/secrets/([\w.]+)", text)) == set(service.get("secrets", ()))
        assert 'PASSWORD"' not in text
    passwords = {urlsplit((secrets / name).read_text().strip()).password for name in ("bus_url", "database_url")}
    assert len(passwords) == 2
    assert all(len(password or "") == 48 for password in passwords)
    again = subprocess.run([DEPLOY / "secrets.sh", secrets], capture_output=True, check=False)
    assert again.returncode == 1


def test_database_and_bus_are_off_the_proxys_network() -> None:
    config = compose()
    networks = {name: set(service["networks"]) for name, service in config["services"].items()}
    assert networks["proxy"] == {"front"}
    assert networks["database"] == networks["bus"] == networks["backup"] == {"back"}
    assert networks["room1"] == networks["room2"] == {"front", "back"}
    assert config["networks"]["back"]["internal"] is True


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's script")
@pytest.mark.anyio
async def test_the_bus_takes_its_own_password_alone(secrets: Path, tmp_path: Path) -> None:
    server = Nats(tmp_path / "log", options=("--config", str(secrets / "nats.conf")))
    await server.start()
    try:
        own = urlsplit((secrets / "bus_url").read_text().strip())
        client = Client()
        await client.connect(f"nats://{own.username}:{own.password}@127.0.0.1:{server.port}")
        assert client.is_connected
        await client.close()
        # In its own words: a client that is refused leaves its socket open.
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b'CONNECT {"verbose": false}\r\nPING\r\n')
        reply = await reader.read()
        writer.close()
        await writer.wait_closed()
        assert b'"auth_required":true' in reply
        assert b"Authorization Violation" in reply
    finally:
        server.cut()


def test_images_and_packages_are_pinned() -> None:
    images = [
        *re.findall(r"image: (\S+)", lines("compose.yaml")),
        *re.findall(r"^ARG PYTHON=(\S+)", lines("Dockerfile"), re.MULTILINE),
    ]
    assert len(images) == 4
    assert [image for image in images if not re.search(r":\d+\.\d+", image)] == []
    assert re.findall(r"^FROM (\S+)", lines("Dockerfile"), re.MULTILINE) == ["${PYTHON}", "${PYTHON}"]
    pins = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", lines("constraints.txt"), re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [
        *project["dependencies"],
        *(text for name in ("cli", "client", "room", "nats", "postgres") for text in extras[name]),
    ]
    for requirement in map(Requirement, wanted):
        if requirement.name.startswith("triptych") or (requirement.marker and not requirement.marker.evaluate()):
            continue
        assert requirement.specifier.contains(pins[requirement.name.lower().replace("_", "-")]), requirement


def test_the_image_is_sent_what_it_is_built_from_and_nothing_else() -> None:
    """Issue 34: the whole checkout was sent, history and local databases too."""
    patterns = (line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#")
    rooted = [f"!/{line[1:]}" if line[0] == "!" else line if line[:2] == "**" else f"/{line}" for line in patterns]
    ignored = pathspec.GitIgnoreSpec.from_lines(rooted)
    sent = {file for file in facts._tracked(ROOT) if not ignored.match_file(file)}
    kept_out = (
        ".git/config",
        "room.db",
        "src/room.db-wal",
        ".venv/bin/python",
        "deploy/secrets/bus_url",
        "tests/conftest.py",
    )
    assert [file for file in kept_out if not ignored.match_file(file)] == []
    folders = (
        "src/",
        "native/include/",
        "native/bind/",
        "native/web/",
        "cmake/",
        "client/src/",
        "client/messages/",
        "weights/",
    )
    missing = [file for file in facts._tracked(ROOT) if file.startswith(folders) and file not in sent]
    assert missing == []
    for file in re.findall(r"(?:COPY|--constraint) (?:/src/)?(deploy/\S+)", lines("Dockerfile")):
        assert file in sent
    folders_sent = "client cmake deploy native src weights"
    assert {file.partition("/")[0] for file in sent} == {
        *folders_sent.split(),
        "CMakeLists.txt",
        "LICENSE",
        "README.md",
        "pyproject.toml",
    }


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's script")
def test_the_proxy_sends_people_to_every_server(secrets: Path) -> None:
    server_options = rooms(secrets)
    named = compose()["services"]["proxy"]["environment"]["TRIPTYCH_ROOMS"].split()
    assert named == [f"{name}:{options['port']}" for name, options in server_options.items()]
    assert set(compose()["services"]["proxy"]["depends_on"]) == set(server_options)
    caddy = lines("Caddyfile")
    assert "reverse_proxy {$TRIPTYCH_ROOMS:" in caddy
    assert "health_uri /readyz" in caddy
    # What is for the host's own tools is kept from the world with all slashes that a server accepts (issue 27.20).
    inside = re.search(r"@inside path (.*)", caddy)
    assert inside is not None
    assert set(inside[1].split()) == {
        f"/{name}{end}" for name in ("metrics", "readyz", "healthz") for end in ("", "/*")
    }
    assert re.search(r"header .*Strict-Transport-Security max-age=\d+", caddy)
    # Nobody but the proxy is open to the world.
    assert [name for name, service in compose()["services"].items() if "ports" in service] == ["proxy"]


def test_the_backup_copies_the_rooms_database() -> None:
    services = compose()["services"]
    (database,) = services["backup"]["command"]
    for name in ("room1", "room2"):
        command = services[name]["command"]
        assert command[command.index("--database") + 1] == database


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
    assert "COPY deploy/backup.sh /opt/triptych/deploy/" in lines("Dockerfile")
    assert "!deploy/backup.sh" in Path(DEPLOY.parent, ".dockerignore").read_text().split()
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
    assert "replayed 1 table " in run.stdout
    backups = sorted(file.name for file in folder.iterdir())
    assert backups[:2] == ["room-20260104T043000Z.db", "room-20260105T043000Z.db"]
    assert len(backups) == 3
    failed = subprocess.run(
        ["/bin/sh", str(DEPLOY / "backup.sh"), "false", str(database), str(folder), "3"],
        capture_output=True,
        check=False,
    )
    assert failed.returncode != 0
    assert sorted(file.name for file in folder.iterdir()) == backups
