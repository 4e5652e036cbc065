"""Compile the kernel for browsers again and compare it with the committed one: `python -m scripts.web_kernel`.

Exits with 1 when they differ in a single byte.
"""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
COMMITTED: Final = ROOT / "native" / "web" / "kernel.wasm.gz"


def main() -> int:
    """Compile in a folder of its own; 0 when the module is the committed one, bit for bit."""
    with tempfile.TemporaryDirectory() as folder:
        native = Path(folder) / "native"
        shutil.copytree(ROOT / "native", native, ignore=shutil.ignore_patterns("kernel.inputs", "dist"))
        script = ROOT / "cmake" / "build_web_kernel.cmake"
        cmake = Path(sys.executable).with_name("cmake")
        subprocess.run([cmake, f"-DNATIVE={native}", f"-DPYTHON={sys.executable}", "-P", script], check=True)
        module = gzip.decompress((native / "web" / COMMITTED.name).read_bytes())
    same = module == gzip.decompress(COMMITTED.read_bytes())
    print("The committed kernel is that of the sources." if same else f"{COMMITTED} is not what the sources give.")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
