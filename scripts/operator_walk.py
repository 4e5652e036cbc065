"""Walk through docs/how-to/host on one machine: `uv run python -m scripts.operator_walk [--older REV]`.

In a temporary folder: an older version is installed into an environment and started as deploy/triptych.service starts
it, behind a proxy with TLS on loopback. Programs play there. The database is copied while they play and the copy is
checked, by deploy/backup.sh. Then the new version is installed from the files that .dockerignore lets through and
serves the same database, the copy is restored and served, and the older version is rolled back to. REV is the newest
tag, or the commit of a day ago. Each step prints its seconds; exits with 1 at the first that fails. Needs uv and
openssl; no containers are started.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pathspec

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[1]
DEPLOY: Final = ROOT / "deploy"
SECONDS: Final = 120
# What a public server keeps to itself (deploy/Caddyfile).
PRIVATE: Final = (b"/metrics", b"/readyz", b"/healthz")


class WalkError(Exception):
    """A step that did not do what the pages say."""


@contextmanager
def step(name: str) -> Iterator[None]:
    """Print a step and how long it took."""
    began = time.monotonic()
    print(f"  … {name}", flush=True)
    yield
    print(f"{time.monotonic() - began:6.1f} s  {name}", flush=True)


def verify(*, fact: bool, what: str) -> None:
    """Raise WalkError unless it is so."""
    if not fact:
        raise WalkError(what)


def run(*command: str | Path, **more: Any) -> str:
    """Run a command to its end and return what it printed; raise WalkError when it fails."""
    completed = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if completed.returncode:
        raise WalkError(f"{shlex.join(map(str, command))}: {completed.stdout[-2000:]}{completed.stderr[-2000:]}")
    return str(completed.stdout) + str(completed.stderr)


def older_revision() -> str:
    """Return the newest tag, else the last commit of a day ago, else the first of all."""
    tag = subprocess.run(
        ["git", "describe", "--tags", "--abbrev=0"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if not tag.returncode:
        return tag.stdout.strip()
    before = run("git", "rev-list", "-1", "--before=1 day ago", "HEAD", cwd=ROOT).strip()
    return before or run("git", "rev-list", "--max-parents=0", "HEAD", cwd=ROOT).split()[-1]


def export(revision: str, folder: Path) -> None:
    """Write the files of a commit into a folder."""
    folder.mkdir(parents=True)
    archive = folder.with_suffix(".tar")
    run("git", "archive", "--output", archive, revision, cwd=ROOT)
    run("tar", "-xf", archive, "-C", folder)
    archive.unlink()


def context(folder: Path) -> None:
    """Copy what a container's build would be sent of this checkout: what .dockerignore lets through."""
    patterns = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line and line[0] != "#"]
    # A pattern there begins at the root, as one with a slash does in a .gitignore.
    rooted = [f"!/{line[1:]}" if line[0] == "!" else line if line[:2] == "**" else f"/{line}" for line in patterns]
    ignored = pathspec.GitIgnoreSpec.from_lines(rooted)
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in listed.splitlines():
        if (ROOT / name).is_file() and not ignored.match_file(name):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def install(source: Path, environment: Path) -> Path:
    """Install a version as docs/how-to/host/install.md says; return its program."""
    run("uv", "venv", "-q", "--python", sys.executable, environment)
    python = environment / "bin" / "python"
    run("uv", "pip", "install", "-q", "--python", python, source / "weights", f"{source}[room]")
    return environment / "bin" / "triptych"


def free_port() -> int:
    """Return a port that nobody has now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def served(program: Path, database: Path, port: int, log: Path) -> Iterator[None]:
    """Serve a database as the systemd unit does; SIGTERM ends it."""
    unit = (DEPLOY / "triptych.service").read_text("utf-8")
    start = re.search(r"^ExecStart=\S+ (.*)$", unit, re.MULTILINE)
    verify(fact=start is not None, what="triptych.service has no ExecStart")
    words = shlex.split(start[1]) if start else []
    words[words.index("--port") + 1] = str(port)
    words[words.index("--database") + 1] = str(database)
    with log.open("ab") as output, subprocess.Popen([program, *words], stdout=output, stderr=output) as process:
        try:
            _wait_ready(process, port, log)
            yield
            process.send_signal(signal.SIGTERM)
            verify(fact=process.wait(SECONDS) == 0, what=f"the server did not end well: {log.read_text()[-2000:]}")
        finally:
            process.kill()


def _wait_ready(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        verify(fact=process.poll() is None, what=f"the server has ended: {log.read_text()[-2000:]}")
        try:
            if fetch(f"http://127.0.0.1:{port}/readyz")[0] == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise WalkError("the server is not ready")


def fetch(url: str, certificate: Path | None = None, host: str = "") -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of an address, asked for under its own name or that of `host`."""
    request = urllib.request.Request(url, headers={"Host": host} if host else {})  # noqa: S310 - http of our own
    trusted = ssl.create_default_context(cafile=str(certificate)) if certificate else None
    try:
        with urllib.request.urlopen(request, timeout=10, context=trusted) as answer:  # noqa: S310 - as above
            return answer.status, {key.lower(): value for key, value in answer.headers.items()}, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, {key.lower(): value for key, value in error.headers.items()}, b""


def deals(port: int) -> dict[str, int]:
    """Return how many finished deals each open table has."""
    base = f"http://127.0.0.1:{port}/api/tables"
    tables = [table["table"] for table in json.loads(fetch(base)[2])]
    return {table: len(json.loads(fetch(f"{base}/{table}/deals")[2])) for table in tables}


class TlsProxy:
    """A proxy with TLS on loopback that passes connections on as deploy/Caddyfile does."""

    def __init__(self, folder: Path, upstream: int) -> None:
        self.certificate = folder / "certificate.pem"
        self._key = folder / "key.pem"
        self._upstream = upstream
        self.port = free_port()
        names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
        command = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext {names}"
        run(*command.split(), "-keyout", self._key, "-out", self.certificate)

    @contextmanager
    def running(self) -> Iterator[str]:
        """Serve in a thread; yield the address."""
        loop = asyncio.new_event_loop()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self._key)
        server = loop.run_until_complete(asyncio.start_server(self._pass_on, "127.0.0.1", self.port, ssl=context))
        thread = threading.Thread(target=loop.run_forever, daemon=True)
        thread.start()
        try:
            yield f"https://localhost:{self.port}"
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            server.close()
            tasks = asyncio.all_tasks(loop)
            for task in tasks:
                task.cancel()
            if tasks:
                loop.run_until_complete(asyncio.wait(tasks))
            with suppress(TimeoutError):
                loop.run_until_complete(asyncio.wait_for(server.wait_closed(), 5))
            loop.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            request, *headers = head.rstrip(b"\r\n").split(b"\r\n")
            if request.split(b" ")[1].partition(b"?")[0].rstrip(b"/") in PRIVATE:
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                await writer.drain()
                return
            upgrade = any(line.lower().startswith(b"upgrade:") for line in headers)
            dropped = (b"x-forwarded-",) if upgrade else (b"x-forwarded-", b"connection:")
            remaining = [line for line in headers if not line.lower().startswith(dropped)]
            own = [
                b"X-Forwarded-For: 192.0.2.7",
                b"X-Forwarded-Proto: https",
                *([] if upgrade else [b"Connection: close"]),
            ]
            back, forth = await asyncio.open_connection("127.0.0.1", self._upstream)
            forth.write(b"\r\n".join((request, *remaining, *own)) + b"\r\n\r\n")
            await asyncio.gather(_pump(reader, forth), _pump(back, writer))
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while piece := await reader.read(65_536):
            writer.write(piece)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


def play(program: Path, url: str, certificate: Path, count: int) -> None:
    """Let the two programs of docs/examples play some deals through the proxy."""
    example = next((ROOT / "docs" / "examples").glob("session.py"))
    environment = {**os.environ, "SSL_CERT_FILE": str(certificate)}
    run(program.with_name("python"), example, url, "--deals", str(count), env=environment, timeout=SECONDS)


def installed(older: str, folder: Path) -> tuple[Path, Path]:
    """Install the older version and this one; return their programs."""
    with step(f"install the older version, {older[:9]}"):
        export(older, folder / "older")
        old = install(folder / "older", folder / "opt-older")
    with step("install this version from what a container's build is sent"):
        context(folder / "newer")
        new = install(folder / "newer", folder / "opt-newer")
    return old, new


def walk(old: Path, new: Path, folder: Path) -> None:
    """Walk through the other pages with two installed programs; raise WalkError where one is wrong."""
    log, database, copies = folder / "log", folder / "room.db", folder / "copies"
    port = free_port()
    proxy = TlsProxy(folder, port)
    with served(old, database, port, log), proxy.running() as url:
        with step("health, TLS and what stays private"):
            # On localhost nobody is bound to TLS for a year.
            status, headers, _ = fetch(f"{url}/", proxy.certificate, "cards.example.org")
            verify(fact=status == 200, what=f"the lobby answers {status} through TLS")
            verify(fact="max-age=31536000" in headers.get("strict-transport-security", ""), what="no HSTS")
            for path in ("/metrics", "/readyz/", "/healthz"):
                verify(fact=fetch(f"{url}{path}", proxy.certificate)[0] == 404, what=f"{path} is open to the world")
        with step("play through the proxy"):
            play(old, url, proxy.certificate, 2)
        with step("back up while it is served, and check the copy"):
            run("/bin/sh", DEPLOY / "backup.sh", old, database, copies)
            (copy,) = copies.glob("room-*.db")
            saved = deals(port)
            verify(fact=bool(saved) and min(saved.values()) >= 2, what=f"deals before the copy: {saved}")
        with step("play on after the copy"):
            play(old, url, proxy.certificate, 1)
            later = deals(port)
    with step("upgrade: the new version on the same database"), served(new, database, port, log):
        count = deals(port)
        verify(fact=count == later, what=f"after the upgrade {count}, before {later}")
        with proxy.running() as url:
            play(new, url, proxy.certificate, 1)
    restored = folder / "restored.db"
    with step("restore the copy, and serve it"):
        run(new, "restore", copy, "--database", restored)
        with served(new, restored, port, log):
            verify(fact=deals(port) == saved, what=f"restored {deals(port)}, copied {saved}")
    with step("roll back: the older version on the copy, in the place of the database"):
        run(old, "restore", "--replace", copy, "--database", database)
        verify(fact=len(list(folder.glob("room.db.*/room.db"))) == 1, what="the database before is gone")
        with served(old, database, port, log):
            verify(fact=deals(port) == saved, what=f"rolled back {deals(port)}, copied {saved}")


def main() -> int:
    """Walk; 1 where a step fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--older", default="", help="the version to upgrade from (default: the newest tag)")
    parser.add_argument(
        "--programs", nargs=2, type=Path, help="two installed `triptych`, older and newer: nothing is installed"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="operator-") as folder:
        try:
            programs = options.programs
            if programs is None:
                older = run("git", "rev-parse", options.older or older_revision(), cwd=ROOT).strip()
                programs = installed(older, Path(folder))
            old, new = programs
            walk(old, new, Path(folder))
        except (WalkError, subprocess.TimeoutExpired, OSError) as error:
            print(f"Failed: {error}")
            return 1
    print("Every step did what the pages say.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
