"""What the first start takes is measured as it is for a stranger (scripts/first_start.py), issue 29.1."""

from __future__ import annotations

import http.server
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.first_start import DROPPED, Step, fetch, fresh_environment, longest_steps, wait_for

LOG = """# ninja log v7
1\t8\t100\tcmake.verify_globs\taa
13\t16013\t101\tCMakeFiles/client\tbb
13\t16013\t101\t/build/CMakeFiles/client\tbb
13\t9013\t101\tunity_0.o\tcc
9013\t40000\t102\tanalysis.cpp.o\tdd
"""


def test_the_longest_steps_of_a_build_count_once_each() -> None:
    assert longest_steps(LOG, 3) == [
        Step(9.013, 40.0, "analysis.cpp.o"),
        Step(0.013, 16.013, "CMakeFiles/client"),
        Step(0.013, 9.013, "unity_0.o"),
    ]


def test_no_cache_of_this_machine_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in DROPPED:
        monkeypatch.setenv(name, "ccache")
    monkeypatch.setenv("UV_CACHE_DIR", "warm")
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://index.example")
    environment = fresh_environment(tmp_path)
    assert not set(DROPPED) & set(environment)
    assert Path(environment["UV_CACHE_DIR"]).parent == Path(environment["npm_config_cache"]).parent == tmp_path
    assert environment["UV_DEFAULT_INDEX"] == "https://index.example"


class _Lobby(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/" else 404)
        self.end_headers()
        self.wfile.write(b"<!doctype html>")

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def port() -> Iterator[int]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Lobby) as server:
        threading.Thread(target=server.serve_forever).start()
        yield server.server_port
        server.shutdown()


def test_only_the_right_answer_counts(port: int) -> None:
    assert fetch(port, "/") == b"<!doctype html>"
    assert fetch(port, "/kernel.wasm") is None
    with subprocess.Popen([sys.executable, "-c", "pass"]) as ended:
        ended.wait()
        assert wait_for(port, "/", b"<!doctype html", ended) > 0
        with pytest.raises(RuntimeError, match="ended with status 0"):
            wait_for(port, "/kernel.wasm", b"\0asm", ended)
