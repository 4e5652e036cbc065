"""The parts of the operator's walk (issue 34, part 7); the walk itself is one of the long proofs."""

from __future__ import annotations

import shutil
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from scripts import operator_walk
from scripts.operator_walk import ROOT, TlsProxy, WalkError, fetch, run, served, verify


class Echo(BaseHTTPRequestHandler):
    """Answers with the headers that a server takes from its proxy."""

    def do_GET(self) -> None:
        body = f"{self.path} {self.headers['X-Forwarded-Proto']} {self.headers['X-Forwarded-For']}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes the certificate")
def test_the_proxy_passes_on_what_is_public(tmp_path: Path) -> None:
    upstream = HTTPServer(("127.0.0.1", 0), Echo)
    thread = threading.Thread(target=upstream.serve_forever, daemon=True)
    thread.start()
    try:
        proxy = TlsProxy(tmp_path, upstream.server_port)
        with proxy.running() as url:
            assert fetch(f"{url}/tables?a=1", proxy.certificate)[2] == b"/tables?a=1 https 192.0.2.7"
            for path in ("/metrics", "/metrics/", "/readyz", "/healthz?a"):
                assert fetch(f"{url}{path}", proxy.certificate)[0] == 404
    finally:
        upstream.shutdown()
        upstream.server_close()
        thread.join()


def test_a_build_is_sent_the_packages_and_no_tests(tmp_path: Path) -> None:
    operator_walk.context(tmp_path)
    assert (tmp_path / "src" / "triptych" / "api.py").is_file()
    assert (tmp_path / "deploy" / "constraints.txt").is_file()
    assert not (tmp_path / "tests").exists()


def test_an_older_version_is_there_to_upgrade_from() -> None:
    assert run("git", "rev-parse", operator_walk.older_revision(), cwd=ROOT).strip()
    with pytest.raises(WalkError):
        run("git", "rev-parse", "no-such-version", cwd=ROOT)
    with pytest.raises(WalkError, match="wrong"):
        verify(fact=False, what="wrong")


def test_a_server_that_ends_at_once_is_reported(tmp_path: Path) -> None:
    program = tmp_path / "triptych"
    program.write_text("#!/bin/sh\necho no such option >&2\nexit 2\n")
    program.chmod(0o755)
    with pytest.raises(WalkError, match="no such option"), served(program, tmp_path / "room.db", 1, tmp_path / "log"):
        pass
