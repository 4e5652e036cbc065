"""Compile the kernel for the platforms that CI does not run on: `python -m scripts.cross [TARGET …]`, all by default.

Every file of native/bind and native/src, and one that includes all of native/include, by ziglang's clang, which
carries the C and C++ libraries of each target. Nothing is linked or run: this finds what another platform's types,
headers and warnings refuse, such as `std::min` of a `std::uint64_t` and a `std::size_t`, which are one type on Linux
and two on macOS. Unoptimised, since only what the compiler says counts. Exits with 1 when it says something, with 2
without ziglang.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
NATIVE: Final = ROOT / "native"
FOLDER: Final = ROOT / "build" / "cross"
TARGETS: Final = (
    "x86_64-linux-musl",
    "aarch64-linux-gnu",
    "x86_64-macos",
    "aarch64-macos",
    "x86_64-windows-gnu",
)
# CMakeLists.txt's, with warnings as errors. `-fsyntax-only` would do, but zig 0.17 waits for an object file.
FLAGS: Final = (
    *("-std=c++20", "-O0", "-fno-sanitize=undefined", "-ffp-contract=off"),
    *("-Wall", "-Wextra", "-Wpedantic", "-Werror"),
    '-DTRIPTYCH_VERSION="0"',
)
# Python's own pyconfig.h states what the machine is like that built it, and Debian's refuses all others.
# This one asks the compiler, so that it is right for every target, and has what the headers of Python ask for.
# Of Windows it says, and includes, what Python's own for Windows does.
PYCONFIG: Final = """\
#define HAVE_STDDEF_H 1
#define HAVE_ERRNO_H 1
#define SIZEOF_SHORT __SIZEOF_SHORT__
#define SIZEOF_INT __SIZEOF_INT__
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_LONG_LONG __SIZEOF_LONG_LONG__
#define SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#define SIZEOF_VOID_P __SIZEOF_POINTER__
#define SIZEOF_WCHAR_T __SIZEOF_WCHAR_T__
#define WITH_THREAD 1
#ifdef _WIN32
#define MS_WINDOWS
#define MS_WIN64
#define NT_THREADS
#define HAVE_DECLSPEC_DLL
#include <basetsd.h>
#include <stdio.h>
typedef SSIZE_T Py_ssize_t;
#define HAVE_PY_SSIZE_T 1
#define PY_SSIZE_T_MAX LLONG_MAX
#else
#define HAVE_UNISTD_H 1
#define HAVE_PTHREAD_H 1
#define HAVE_SSIZE_T 1
#endif
"""


class Fault(NamedTuple):
    """What the compiler says of one file for one target."""

    target: str
    source: Path
    output: str


def headers(folder: Path) -> tuple[str, ...]:
    """Return the flags that find the headers of nanobind, of the kernel, and of Python as any target needs them."""
    nanobind = importlib.util.find_spec("nanobind")
    if nanobind is None or nanobind.origin is None:
        raise ModuleNotFoundError("nanobind")
    python = folder / "python"
    shutil.copytree(sysconfig.get_path("include"), python, dirs_exist_ok=True)
    (python / "pyconfig.h").write_text(PYCONFIG)
    # The wheel for 3.12 and later has the stable ABI alone; the headers of 3.11 know nothing of it.
    stable = ("-DPy_LIMITED_API=0x030C0000",) if sys.version_info >= (3, 12) else ()
    others = (python, Path(nanobind.origin).parent / "include")
    return (f"-I{NATIVE / 'include'}", *(part for folder in others for part in ("-isystem", str(folder))), *stable)


def everything(folder: Path) -> list[Path]:
    """Return what is to be compiled: the sources, and a file made in the folder that includes every header."""
    include = NATIVE / "include"
    names = sorted(file.relative_to(include).as_posix() for file in include.rglob("*.hpp"))
    every = folder / "every_header.cpp"
    every.write_text("".join(f"#include <{name}>\n" for name in names))
    return [*sorted((NATIVE / "bind").glob("*.cpp")), *sorted((NATIVE / "src").glob("*.cpp")), every]


def faults(sources: list[Path], targets: tuple[str, ...], folder: Path) -> list[Fault]:
    """Compile the files for the targets on every core; return what the compiler refuses."""
    options = headers(folder)
    cache = str(folder / "cache")
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache}

    def one(target: str, source: Path) -> Fault:
        output = folder / f"{source.stem}-{target}.o"
        compiler = (sys.executable, "-m", "ziglang", "c++", "-target", target)
        done = subprocess.run(
            [*compiler, *FLAGS, *options, "-c", str(source), "-o", str(output)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        output.unlink(missing_ok=True)
        return Fault(target, source, (done.stderr or "the compiler failed") if done.returncode else "")

    pairs = [(target, source) for target in targets for source in sources]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [fault for fault in pool.map(lambda pair: one(*pair), pairs) if fault.output]


def main(targets: tuple[str, ...]) -> int:
    """Compile everything for the targets; 0 when no compiler said anything."""
    if importlib.util.find_spec("ziglang") is None:
        print("no ziglang here; it comes with `uv sync --group dev` where there is one", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    failures = faults(everything(FOLDER), targets, FOLDER)
    for target, source, output in failures:
        print(f"── {target}: {os.path.relpath(source, ROOT)} ──\n{output}")
    print(
        "\n".join(
            f"{target}: {sum(fault.target == target for fault in failures) or 'no'} faults" for target in targets
        )
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:]) or TARGETS))
