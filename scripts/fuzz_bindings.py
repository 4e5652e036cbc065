"""Fuzz the kernel as Python calls it: `python -m scripts.fuzz_bindings [SECONDS] [SEED]`; by default 60, 1.

Builds native/bind and native/src with AddressSanitizer and UBSan and calls every binding, and the library's analyse,
review, solve, outs and score, with what is well formed but cannot be, or is merely odd (scripts/fuzz_calls.py,
fuzz_library.py). The calls run in a process of their own: one that crashes, hangs, or raises anything else is a
finding, and its question is printed. Prints executions and findings; exits with 1 when there are any, with 2 without
a compiler. One question is asked again by `python -m scripts.fuzz_bindings --case SEED NUMBER`.
"""

from __future__ import annotations

import importlib.machinery
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Final

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "fuzz_bindings"
MODULE = "triptych._kernel"
COMPILERS: Final = ("clang++", "clang++-14", "clang++-15", "clang++-16", "g++")
COMMON: Final = ("-std=c++20", "-fPIC", "-O1", "-fvisibility=hidden", "-ffp-contract=off")
CHECKED: Final = ("-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
SLOWEST: Final = 120  # seconds of one question, on a machine that has other work
MAX_FINDINGS: Final = 20


def _toolchain() -> tuple[str, tuple[str, ...], Path] | None:
    """Return the compiler, its options, and the sanitizer's library that Python has to load first."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        return None
    clang = "clang" in Path(compiler).name
    library = "libclang_rt.asan-x86_64.so" if clang else "libasan.so"
    completed = subprocess.run([compiler, f"-print-file-name={library}"], capture_output=True, text=True, check=True)
    return compiler, ("-shared-libasan",) if clang else (), Path(completed.stdout.strip())


def build(folder: Path) -> tuple[Path, dict[str, str]] | None:
    """Build the bindings under sanitizers; return the module and the environment that Python loads it in."""
    import nanobind  # noqa: PLC0415 - not there where nothing is built

    toolchain = _toolchain()
    if toolchain is None:
        return None
    compiler, options, library = toolchain
    folder.mkdir(parents=True, exist_ok=True)
    launcher = [tool] if (tool := shutil.which("ccache")) else []
    robin_map = Path(nanobind.source_dir()).parent / "ext" / "robin_map" / "include"
    include = [
        sysconfig.get_path("include"),
        nanobind.include_dir(),
        str(robin_map),
        str(ROOT / "native" / "include"),
    ]
    flags = [*COMMON, *options, *(f"-I{folder}" for folder in include)]
    version = f'-DTRIPTYCH_VERSION="{importlib.metadata.version("triptych")}"'
    sources = sorted(file for part in ("bind", "src") for file in (ROOT / "native" / part).glob("*.cpp"))
    jobs = [(path, [*CHECKED, version]) for path in sources]
    jobs.append((Path(nanobind.source_dir()) / "nb_combined.cpp", ["-fno-strict-aliasing"]))

    def compiled(job: tuple[Path, list[str]]) -> str:
        source, more = job
        target = folder / f"{source.stem}.o"
        subprocess.run([*launcher, compiler, *flags, *more, "-c", str(source), "-o", str(target)], check=True)
        return str(target)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, jobs))
    module = folder / f"_kernel{sysconfig.get_config_var('EXT_SUFFIX')}"
    subprocess.run([compiler, *options, *CHECKED, "-shared", *objects, "-o", str(module)], check=True)
    stdcpp = subprocess.run(
        [compiler, "-print-file-name=libstdc++.so.6"], capture_output=True, text=True, check=True
    ).stdout.strip()
    environment = {
        **os.environ,
        "LD_PRELOAD": f"{library} {stdcpp}",
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:exitcode=99",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",  # so that what lies behind a bytes object is not another one's
        "TRIPTYCH_FUZZ_KERNEL": str(module),
    }
    return module, environment


def load_kernel(module: Path) -> None:
    """Let `triptych` use a kernel that lies elsewhere."""
    loader = importlib.machinery.ExtensionFileLoader(MODULE, str(module))
    spec = importlib.util.spec_from_file_location(MODULE, module, loader=loader)
    if spec is None:
        raise ImportError(str(module))
    kernel = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = kernel
    loader.exec_module(kernel)


def ask(seed: int, number: int, note: Path | None = None) -> str | None:
    """Ask one question; return what was raised where that is not a refusal."""
    from scripts.fuzz_calls import QUESTIONS, REFUSALS, Call  # noqa: PLC0415 - after the kernel is in its place
    from scripts.fuzz_library import LIBRARY, LIBRARY_REFUSALS  # noqa: PLC0415

    random = Random(f"{seed} {number}")  # noqa: S311 - questions, no secrets
    library = random.random() < 0.4
    questions, refusals = (LIBRARY, LIBRARY_REFUSALS) if library else (QUESTIONS, REFUSALS)

    def call(function: Call, *arguments: object, **named: object) -> object:
        if note is not None:
            name = getattr(function, "__qualname__", function)
            note.write_text(f"{number}\n{name} {arguments!r} {named!r}\n")
        return function(*arguments, **named)

    name, question = random.choice(questions)
    try:
        question(random, call)
    except refusals:
        return None
    except Exception:  # noqa: BLE001 - what is raised here is what is looked for
        return f"{name}\n{traceback.format_exc()}"
    return None


def child(seed: int, first: int, seconds: float) -> int:
    """Ask from a question on until the time is over; what is not a refusal is printed, and ends it with 98."""
    load_kernel(Path(os.environ["TRIPTYCH_FUZZ_KERNEL"]))
    note, count = FOLDER / "question", FOLDER / "count"
    ends = time.monotonic() + seconds
    number = first
    while time.monotonic() < ends:
        count.write_text(str(number))
        problem = ask(seed, number, note)
        if problem is not None:
            print(problem, file=sys.stderr)
            return 98
        number += 1
    count.write_text(str(number))
    return 0


def _number() -> int:
    path = FOLDER / "count"
    return int(path.read_text() or 0) if path.exists() else 0


def fuzz(seconds: float, seed: int) -> int:
    """Build, ask for so long, and report; return the exit status."""
    built = build(FOLDER)
    if built is None:
        print("no compiler here; Debian: apt-get install clang-14 libclang-rt-14-dev", file=sys.stderr)
        return 2
    _, environment = built
    began, number, findings = time.monotonic(), 0, 0
    while (left := seconds - (time.monotonic() - began)) > 0 and findings < MAX_FINDINGS:
        command = [sys.executable, "-m", "scripts.fuzz_bindings", "--child", str(seed), str(number), str(left)]
        errors = FOLDER / "errors"
        with errors.open("w") as log:
            process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=log, stdout=log)
            status = _watched(process)
        index, number = _number(), _number() + (status != 0)
        if status == 0:
            continue
        findings += 1
        question = (FOLDER / "question").read_text() if (FOLDER / "question").exists() else ""
        text = f"seed {seed}, question {index}, status {status}\n{question[:4000]}\n{errors.read_text()[:8000]}"
        (FOLDER / f"finding-{seed}-{index}").write_text(text)
        print(f"FINDING {text}\n", flush=True)
    print(f"{number} executions in {time.monotonic() - began:.0f} s, {findings} findings (seed {seed})")
    return 1 if findings else 0


def _watched(process: subprocess.Popen[bytes]) -> int:
    """Return how a child ended; one that hangs over a question is ended."""
    last, since = -1, time.monotonic()
    while True:
        try:
            return process.wait(1)
        except subprocess.TimeoutExpired:
            now = _number()
            if now != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since > SLOWEST:
                process.kill()
                process.wait()
                return 97


def main(arguments: list[str]) -> int:
    """Run as the first lines say."""
    if arguments[:1] == ["--child"]:
        return child(int(arguments[1]), int(arguments[2]), float(arguments[3]))
    if arguments[:1] == ["--case"]:
        if "TRIPTYCH_FUZZ_KERNEL" not in os.environ:
            built = build(FOLDER)
            return (
                2
                if built is None
                else subprocess.run(
                    [sys.executable, "-m", "scripts.fuzz_bindings", *arguments], cwd=ROOT, env=built[1], check=False
                ).returncode
            )
        load_kernel(Path(os.environ["TRIPTYCH_FUZZ_KERNEL"]))
        problem = ask(int(arguments[1]), int(arguments[2]), FOLDER / "question")
        print(problem or "answered, or refused")
        return 1 if problem else 0
    return fuzz(float(arguments[0]) if arguments else 60, int(arguments[1]) if len(arguments) > 1 else 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
