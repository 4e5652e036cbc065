"""Fuzz every part of the kernel: `python -m scripts.fuzz [SECONDS]`, 600 by default.

Builds native/fuzz/kernel_fuzz.cpp with clang's libFuzzer, AddressSanitizer and UBSan and runs it on one core. What it
has learned stays in build/fuzz/corpus, an input that fails in build/fuzz. Exits with 1 when something is found, with
2 without clang. Debian: apt-get install clang-14 libclang-rt-14-dev.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "fuzz"
COMPILERS = ("clang++", "clang++-14", "clang++-15", "clang++-16")
BUILD = ("-std=c++20", "-O2", "-g", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=undefined")
# Longer inputs soon; slow questions seldom.
LIMITS = ("-max_len=400", "-len_control=20", "-entropic_scale_per_exec_time=1", "-rss_limit_mb=6000", "-timeout=120")


def compiler() -> str | None:
    """Return the clang that builds the fuzzer."""
    return next(filter(None, map(shutil.which, COMPILERS)), None)


def fuzz(seconds: int, folder: Path) -> int:
    """Build the fuzzer in a folder and run it; return its exit status, 0 when it found nothing."""
    clang = compiler()
    if clang is None:
        print("no clang++ here; Debian: apt-get install clang-14 libclang-rt-14-dev", file=sys.stderr)
        return 2
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    program = folder / "kernel_fuzz"
    include = (f"-I{ROOT / 'native' / 'include'}", f"-I{ROOT / 'native' / 'tests'}")
    sources = (ROOT / "native" / "fuzz" / "kernel_fuzz.cpp", *(ROOT / "native" / "src").glob("*.cpp"))
    subprocess.run([clang, *BUILD, *include, *map(str, sources), "-o", str(program)], check=True)
    limits = (*LIMITS, f"-max_total_time={seconds}", f"-artifact_prefix={folder}/", "-print_final_stats=1")
    return 1 if subprocess.run([str(program), *limits, str(corpus)], check=False).returncode else 0


if __name__ == "__main__":
    sys.exit(fuzz(int(sys.argv[1]) if len(sys.argv) > 1 else 600, FOLDER))
