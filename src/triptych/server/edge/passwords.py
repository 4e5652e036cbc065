"""Password hashes (argon2id), made and checked in threads of their own: each takes some hundredths of a second."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Final, TypeVar

from triptych.i18n.messages import Message
from triptych.server.wire.errors import ApiError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

THREADS: Final = 2  # each needs 64 MiB while it works
MAX_WAITING: Final = 32

_Result = TypeVar("_Result")


class Passwords:
    """Makes and checks hashes. Different ways to type the same characters (NFKC) count as the same password."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="password")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """Return the hash of a password. Raises ApiError `server.busy`."""
        return await self._run(lambda: _hasher().hash(_normalized(password)))

    async def verify(self, password: str, stored_hash: str) -> bool:
        """Return whether a password matches a hash; for an empty hash False, after the same time."""
        return await self._run(lambda: _matches(password, stored_hash))

    async def close(self) -> None:
        """Wait for the work under way, and stop the threads."""
        await asyncio.to_thread(self._threads.shutdown)

    async def _run(self, work: Callable[[], _Result]) -> _Result:
        if self._waiting >= MAX_WAITING:
            raise ApiError("server.busy", Message("error.server.busy_passwords"), status=429)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _normalized(password: str) -> bytes:
    # JSON can contain a lone surrogate, which is not a character.
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher  # noqa: PLC0415 - most processes need none

    return PasswordHasher()


@cache
def _dummy_hash() -> str:
    return _hasher().hash(b"nobody")


def _matches(password: str, stored_hash: str) -> bool:
    from argon2.exceptions import VerifyMismatchError  # noqa: PLC0415 - as above

    try:
        _hasher().verify(stored_hash or _dummy_hash(), _normalized(password))
    except VerifyMismatchError:
        return False
    return bool(stored_hash)
