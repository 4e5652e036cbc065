"""The kernel of the browsers, run by Node: bytes in, bytes out."""

from __future__ import annotations

import os
import struct
import subprocess
import time
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import pytest

from scripts.node import NODE
from triptych import _kernel
from triptych.solve.value.carried import browser_bundle_parts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from triptych.rulesets.model import Ruleset

HOST = Path(__file__).with_name("host.mjs")


class RefusedError(Exception):
    """A question that the kernel did not answer: a status of native/web/bytes.hpp, and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(status, why)
        self.status = status
        self.why = why


@contextmanager
def module_file() -> Iterator[Path]:
    """Give the module's file; skips the test where the client was left out."""
    module = resources.files("triptych") / "static" / "kernel.wasm"
    if not module.is_file() and os.environ.get("TRIPTYCH_SKIP_WEB"):
        pytest.skip("this package was built without the client")
    with resources.as_file(module) as file:
        yield file


class WebKernel:
    """One instance of the module in a process of its own."""

    def __init__(self) -> None:
        with module_file() as module:
            self._node = subprocess.Popen(
                [str(NODE), str(HOST), str(module)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._node.kill()
        self._node.communicate()

    def ask(self, name: str, *parts: bytes, times: int = 1) -> bytes:
        """Return the answer to a question, asked so many times. Raises RefusedError."""
        question = b"".join(parts)
        assert self._node.stdin is not None
        self._node.stdin.write(struct.pack("<III", len(name), len(question), times) + name.encode() + question)
        self._node.stdin.flush()
        status, size = struct.unpack("<iI", self._read(8))
        answer = self._read(size)
        if status != 0:
            raise RefusedError(status, answer.decode())
        return answer

    def seconds(self) -> float:
        """Return how long the process has used a processor; only on Linux."""
        return time.clock_gettime((~self._node.pid << 3) | 2)  # as clock_getcpuclockid(3) names a process

    def keep(self, name: str, *parts: bytes) -> int:
        """Return the number under which the kernel keeps what a question gives it."""
        return int.from_bytes(self.ask(name, *parts)[:4], "little")

    def _read(self, size: int) -> bytes:
        assert self._node.stdout is not None
        data = self._node.stdout.read(size)
        assert len(data) == size, f"the kernel died, status {self._node.wait()}"
        return data


_PARTS: Final = {name: [kind for _, kind in parts] for name, parts in _kernel.RESULTS}
_FORMATS: Final = {"bool": "?", "u8": "B", "i32": "i", "u32": "I", "u64": "Q", "i64": "q", "f32": "f", "f64": "d"}


def packed(kind: str, value: Any) -> bytes:
    """Return a result of `_kernel`, or a part of one, as the browsers' kernel writes it."""
    if kind in _PARTS:
        return b"".join(packed(part, item) for part, item in zip(_PARTS[kind], value, strict=True))
    if kind == "cards":
        return cards_of(value)
    if kind.endswith("[]"):
        return u32(len(value)) + b"".join(packed(kind[:-2], item) for item in value)
    item, star, _ = kind.rpartition("*")
    if star:
        return b"".join(packed(item, element) for element in value)
    return struct.pack("<" + _FORMATS[kind], value)


def unpacked(kind: str, data: bytes) -> Any:
    """Return an answer of the browsers' kernel by the names of its parts."""
    value, end = _unpacked(kind, data, 0)
    assert end == len(data), "the answer is longer than its result"
    return value


def _unpacked(kind: str, data: bytes, at: int) -> tuple[Any, int]:
    if kind == "cards":
        return data[at + 1 : at + 1 + data[at]], at + 1 + data[at]
    if kind in _FORMATS:
        (number,) = struct.unpack_from("<" + _FORMATS[kind], data, at)
        return number, at + struct.calcsize(_FORMATS[kind])
    kinds = _PARTS.get(kind)
    if kinds is None:
        if kind.endswith("[]"):
            kinds, at = [kind[:-2]] * int.from_bytes(data[at : at + 4], "little"), at + 4
        else:
            item, _, count = kind.rpartition("*")
            kinds = [item] * int(count)
    values: list[Any] = []
    for part in kinds:
        value, at = _unpacked(part, data, at)
        values.append(value)
    return (getattr(_kernel, kind)(*values) if kind in _PARTS else tuple(values)), at


def browser_bundle(rules: Ruleset) -> bytes | None:
    """Return what `keep_player` takes in one piece; None where nothing was learned."""
    bundle = browser_bundle_parts(rules)
    return None if bundle is None else bundle.head + bundle.table


def u32(*numbers: int) -> bytes:
    """Return numbers as the kernel reads them."""
    return struct.pack(f"<{len(numbers)}I", *numbers)


def cards_of(cards: bytes) -> bytes:
    """Return a list of cards with its length before it."""
    return bytes([len(cards)]) + cards
