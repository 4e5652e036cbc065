"""What an installed wheel is tried with, beside the examples of the pages; `scripts.wheels` runs it.

By the wheel's Python, in a folder with docs/ and nothing else of the repository: a pool of processes is given a bad
deal, the commands and programs of docs/examples do what the pages say, and a server serves its documents to them.
Exits with 1 at a fault.
"""

from __future__ import annotations

import asyncio
import doctest
import re
import subprocess
import sys
import sysconfig
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES: Final = Path("docs") / "examples"
SECONDS: Final = 120
TRIPTYCH: Final = str(Path(sysconfig.get_path("scripts")) / "triptych")
GOOD: Final = {"Ann": "QhQd7c/KsKc9d8c2c/AcAdTcJc2d", "Bob": "9h6c5d/9s9c8d7h2h/KdKhTdJs3d"}
BAD: Final = {**GOOD, "Bob": "Qh6c5d/9s9c8d7h2h/KdKhTdJs3d"}


def verify(*, fact: bool, what: str) -> None:
    """Say what is tried; end the program where it is not so."""
    print(f"  {'yes' if fact else 'NO'}: {what}", flush=True)
    if not fact:
        sys.exit(1)


def try_pool() -> None:
    """A bad deal is an error of its own in a pool of processes, and not the end of the pool."""
    import triptych  # noqa: PLC0415 - the wheel's, not what scripts.wheels runs with

    with ProcessPoolExecutor(1) as pool:
        bad, good = pool.submit(triptych.score, BAD), pool.submit(triptych.score, GOOD)
        error = bad.exception(SECONDS)
        verify(fact=getattr(error, "code", "") == "card.duplicate", what="a bad deal in a process pool is an error")
        verify(fact=good.result(SECONDS).totals == {"Ann": 13, "Bob": -13}, what="the pool goes on")


def commands() -> Iterator[tuple[str, ...]]:
    """Yield the commands and programs of the examples that need no room."""
    first_fit = f"cmd:{sys.executable} {EXAMPLES / 'first_fit.py'}"
    yield TRIPTYCH, "history", "check", str(EXAMPLES / "deal.toml")
    for file in sorted((EXAMPLES / "rules").glob("*.toml")):
        yield TRIPTYCH, "rules", "check", str(file)
    yield TRIPTYCH, "arena", first_fit, "random", "--deals", "10"
    yield sys.executable, str(EXAMPLES / "self_play.py"), "1"


def try_documents(url: str) -> None:
    """A server serves its documents."""
    import httpx  # noqa: PLC0415 - the wheel's

    for page in ("/docs", "/docs/openapi.json", "/docs/asyncapi.json", "/"):
        verify(fact=httpx.get(url + page).is_success, what=f"{page} is served")


async def try_server(url: str) -> None:
    """The programs of the examples play at a server."""
    from triptych.bots.levels import get_level  # noqa: PLC0415 - the wheel's
    from triptych.client.bot_loop import play  # noqa: PLC0415 - the wheel's
    from triptych.client.client import Client  # noqa: PLC0415 - the wheel's
    from triptych.table.commands import CloseTable  # noqa: PLC0415 - the wheel's

    async with Client(url, name="Ann") as ann:
        table = await ann.open_table(EXAMPLES / "rules" / "royalties.toml", pause=0, start="full")
        await table.sit()
        guest = await asyncio.create_subprocess_exec(sys.executable, EXAMPLES / "room_bot.py", url, table.id)
        await play(table, get_level("random").factory(1), deals=1)
        await table.execute(CloseTable())
        await play(table, get_level("random").factory(1))  # the deal that has begun
        verify(fact=await guest.wait() == 0, what="room_bot.py plays until the table closes")


def verify_run(*command: str) -> None:
    """A command ends well within its time."""
    ended = subprocess.run(command, check=False, timeout=SECONDS).returncode
    verify(fact=ended == 0, what=" ".join(Path(part).name if part == sys.executable else part for part in command))


def main() -> None:
    """Try everything."""
    try_pool()
    for command in commands():
        verify_run(*command)
    server_command = [TRIPTYCH, "--port", "0", "--no-browser", "--pause", "0", "--database", "room.sqlite3"]
    with subprocess.Popen(server_command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None  # noqa: S101 - for the type checker
            output = iter(server.stdout.readline, "")
            url = next(match[0] for line in output if (match := re.search(r"http://\S+", line)))
            try_documents(url)
            page = str(Path("docs") / "reference" / "python" / "client.md")
            verify(fact=doctest.testfile(page, module_relative=False, globs={"url": url}).failed == 0, what=page)
            verify_run(sys.executable, str(EXAMPLES / "session.py"), url, "--deals", "3")
            asyncio.run(asyncio.wait_for(try_server(url), SECONDS))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
