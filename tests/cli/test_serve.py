"""`triptych` starts the server: links, ports, Ctrl-C, errors in one line (issue 2, part 9)."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.forked_command import finished
from triptych.cli.entry_point import main
from triptych.cli.server_process import ServeOptions, run_server

PROGRAM = Path(sys.executable).with_name("triptych")
PATIENCE = 120  # seconds, only for what hangs: a machine may be busy


def refuse(*options: str) -> str:
    done = finished(main, ("--no-browser", *options))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("triptych: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def test_opens_says_where_and_closes_on_ctrl_c(tmp_path: Path) -> None:
    log = tmp_path / "log"
    options = ("--no-browser", "--port", "0", "--database", tmp_path / "deep" / "room.db")
    with log.open("wb") as output, subprocess.Popen([PROGRAM, *options], stdout=output, stderr=output) as process:
        try:
            url = wait_for_link(log, process)
            with urllib.request.urlopen(url + "/api/me", timeout=PATIENCE) as answer:  # noqa: S310 - our own server
                cookie = answer.headers["Set-Cookie"].partition(";")[0]
                assert json.load(answer)["name"].startswith("Guest")
            with connect(
                url.replace("http", "ws") + "/ws", additional_headers={"Cookie": cookie}, proxy=None
            ) as line:
                assert json.loads(line.recv())["t"] == "hello"
                process.send_signal(signal.SIGINT)
                with pytest.raises(ConnectionClosed) as closed:
                    line.recv(timeout=PATIENCE)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1001
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
    text = log.read_text()
    assert "Ctrl-C stops the server" in text
    assert "--host 0.0.0.0" in text
    assert "Traceback" not in text
    assert (tmp_path / "deep" / "room.db").is_file()


@pytest.mark.parametrize(
    ("host", "proxy", "warned"),
    [("127.0.0.1", "", False), ("192.0.2.5", "", True), ("0.0.0.0", "", True), ("192.0.2.5", "192.0.2.1", False)],  # noqa: S104 - nothing listens there
)
def test_beyond_this_machine_without_tls_it_warns(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, host: str, proxy: str, *, warned: bool
) -> None:
    """Issue 27.16: on a network without TLS a cookie is copied by whoever listens."""
    bound = socket.create_server(("127.0.0.1", 0))
    monkeypatch.setattr("triptych.server.runner.bind_socket", lambda *_args, **_options: bound)
    monkeypatch.setattr("triptych.server.runner.run", lambda _server, _bound, ready: ready())
    monkeypatch.setattr("triptych.server.log.configure", lambda: None)
    wanted = ServeOptions(host, 0, str(tmp_path / "room.db"), False, 0, 0.0, proxy, 300, "", "", 0)
    with capture_logs() as lines:
        run_server(wanted)
    assert ["without TLS" in line["event"] for line in lines] == [True] * warned


def wait_for_link(log: Path, process: subprocess.Popen[bytes]) -> str:
    for _ in range(1000):
        match = re.search(r"http://127\.0\.0\.1:\d+", log.read_text())
        if match:
            return match[0]
        assert process.poll() is None, log.read_text()
        time.sleep(0.02)
    raise AssertionError(log.read_text())


def test_a_busy_port_says_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = refuse("--port", str(port), "--database", str(tmp_path / "room.db"))
    assert f"port {port} is in use" in message
    assert "--port" in message


@pytest.mark.parametrize(
    ("database", "says"),
    [("redis://somewhere", "redis:// is not supported"), ("/proc/nowhere/room.db", "cannot make the folder")],
)
def test_a_database_that_cannot_be(database: str, says: str) -> None:
    assert says in refuse("--port", "0", "--database", database)


def test_a_password_is_not_shown() -> None:
    message = refuse("--port", "0", "--database", "postgresql://ann:secret@127.0.0.1:1/room")
    assert "postgresql://ann:***@127.0.0.1:1/room" in message
    assert "secret" not in message


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "room.db").write_text("this is a letter to my aunt, and not a database at all\n" * 50)
    assert "file is not a database" in refuse("--port", "0", "--database", str(tmp_path / "room.db"))


def test_a_host_that_is_not_here(tmp_path: Path) -> None:
    assert "cannot listen on" in refuse("--host", "192.0.2.1", "--database", str(tmp_path / "room.db"))
