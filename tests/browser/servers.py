"""A server of its own for a test: `triptych` on a free port of loopback, with an empty database."""

import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.browser.browsers import LAN
from tests.browser.stacked_decks import with_decks
from tests.forked_command import Forked
from triptych.cli.entry_point import main

STARTS = 120  # seconds; a machine may be busy
ENDS = 30  # seconds


@dataclass(frozen=True)
class Server:
    """A running server: its address without a slash at the end, its process, and the file of what it printed."""

    url: str
    process: Forked
    log: Path
    decks: Path

    def stack(self, *decks: str) -> None:
        """Let the next deals come from these decks (the first cards of each, as text), whatever waited before."""
        self.decks.write_text("\n".join(decks))


@contextmanager
def serve(
    folder: Path, *options: str, port: int = 0, stackable: bool = False, database: str = ""
) -> Iterator[Server]:
    """Run `triptych --no-browser` with its database and log in a folder; ended when the block is left.

    The same folder again serves the same tables. With `stackable`, its next deals come from the decks of
    `Server.stack` instead of from the secure shuffle (stacked_decks.py). `database`: another one than the folder's.
    """
    log = folder / "server.log"
    decks = folder / "decks"
    location = database or str(folder / "triptych.sqlite3")
    place = ("--host", "127.0.0.1", "--port", str(port), "--allowed-host", LAN)
    arguments = ("--no-browser", *place, "--database", location, *options)
    if stackable:
        decks.touch()
    with log.open("ab") as output:
        start = output.tell()
        process = Forked(partial(with_decks, decks) if stackable else main, arguments, output)
    try:
        yield Server(_wait(process, log, start), process, log, decks)
    finally:
        process.terminate()
        try:
            process.wait(ENDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: Forked, log: Path, start: int) -> str:
    """Wait until the lobby answers, and return its address."""
    end = time.monotonic() + STARTS
    while process.poll() is None and time.monotonic() < end:
        log_text = log.read_bytes()[start:].decode()
        if address := re.search(r"http://127\.0\.0\.1:\d+", log_text):
            try:
                with urllib.request.urlopen(address[0], timeout=5):  # noqa: S310 - our own server
                    return address[0]
            except urllib.error.URLError:
                pass
        time.sleep(0.02)
    message = f"The server did not start (exit status {process.poll()}):\n{log.read_text()}"
    raise AssertionError(message)
