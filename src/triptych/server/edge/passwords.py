"""Passwords as argon2id hashes, made and checked in threads of their own: each takes some hundredths of a second."""

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

_Answer = TypeVar("_Answer")


class Passwords:
    """Makes and checks hashes. What people type in different ways for the same characters counts as the same."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="password")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """Return what a password is checked against later. Raises ApiError `server.busy`."""
        return await self._do(lambda: _hasher().hash(_normal(password)))

    async def verify(self, password: str, stored_hash: str) -> bool:
        """Return whether a password is the one of a hash; against the empty hash, false after the same time."""
        return await self._do(lambda: _fits(password, stored_hash))

    async def close(self) -> None:
        """Finish what was begun."""
        await asyncio.to_thread(self._threads.shutdown)

    async def _do(self, work: Callable[[], _Answer]) -> _Answer:
        if self._waiting >= MAX_WAITING:
            raise ApiError("server.busy", Message("error.server.busy_passwords"), status=429)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _normal(password: str) -> bytes:
    # A half of a pair of surrogates, which JSON can bring, is no character of any alphabet.
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher  # noqa: PLC0415 - most processes need none

    return PasswordHasher()


@cache
def _nobodys() -> str:
    return _hasher().hash(b"nobody")


def _fits(password: str, stored_hash: str) -> bool:
    from argon2.exceptions import VerifyMismatchError  # noqa: PLC0415 - as above

    try:
        _hasher().verify(stored_hash or _nobodys(), _normal(password))
    except VerifyMismatchError:
        return False
    return bool(stored_hash)
