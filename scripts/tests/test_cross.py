"""scripts/cross.py finds what other platforms refuse and this one takes (issue 15, part 3)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import cross

pytest.importorskip("ziglang", reason="a platform without that compiler")

HEAD = "#include <algorithm>\n#include <cstddef>\n#include <cstdint>\n#include <nanobind/nanobind.h>\n"
CODE = {
    # The line that once stopped macOS: there std::uint64_t is `unsigned long long`, std::size_t `unsigned long`.
    "macos": "std::uint64_t least(std::uint64_t a, std::size_t b) { return std::min(a, b); }",
    # `long` has 32 bits on Windows.
    "windows": "static_assert(sizeof(long) == sizeof(void *));",
    "musl|macos|windows": "#include <gnu/libc-version.h>\nconst char *libc() { return gnu_get_libc_version(); }",
    ".": "int unused(int a) { int b = 1; return a; }",
    "nowhere": "PyObject *none() { return Py_None; }",
}


@pytest.mark.slow
@pytest.mark.parametrize("refusing", CODE)
def test_a_platform_refusal_is_reported(refusing: str, tmp_path: Path) -> None:
    source = tmp_path / "code.cpp"
    source.write_text(f"{HEAD}{CODE[refusing]}\n")
    faults = cross.faults([source], cross.TARGETS, tmp_path)
    assert [fault.target for fault in faults] == [name for name in cross.TARGETS if re.search(refusing, name)]
    assert all("code.cpp:" in fault.output for fault in faults)


def test_every_header_and_binding_is_compiled(tmp_path: Path) -> None:
    *sources, every = cross.everything(tmp_path)
    assert {*sources} == {*cross.NATIVE.glob("bind/*.cpp"), *cross.NATIVE.glob("src/*.cpp")}
    included = re.findall(r"#include <(.+)>", every.read_text())
    assert {cross.NATIVE / "include" / name for name in included} == {*cross.NATIVE.glob("include/**/*.hpp")}
