"""Write what describes the kernel's calls: the stub of the Python module, and the client's readers of its answers.

    uv run python -m scripts.kernel_types

Signatures come from nanobind's stubgen; results from `_kernel.RESULTS`, which lists what the structs of C++ list.
tests/test_kernel_types.py fails where a file is not current.
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Final

from nanobind.stubgen import StubGen

from scripts.generated import run
from triptych import _kernel

ROOT: Final = Path(__file__).parents[1]
STUB: Final = ROOT / "src/triptych/_kernel.pyi"
CLIENT: Final = ROOT / "client/src/engine/results.ts"
_STUB_HEAD: Final = '''"""Stub of the compiled kernel (native/bind), written by scripts/kernel_types.py.

Cards are ints (see triptych.cards). A rank value is `category << 20 | n1 << 16 | … | n5` with category 0 high card
to 8 straight flush (9 five of a kind) and nibbles 1..13 for 2..A, groups first; the higher value is the better row.
"""

'''
_CLIENT_HEAD: Final = """// What the kernel answers with, and how it is read. Written by scripts/kernel_types.py.

import type { AnswerReader } from './bytes';
"""
# What the browser is answered with; the results that they consist of come with them.
_CLIENT_RESULTS: Final = (
    "ScoredDeal",
    "BoardScore",
    "BoundedRows",
    "FinishedBoard",
    "CountedOuts",
    "ClosedChoice",
    "ListedDecision",
    "PlacementList",
    "GameCourse",
    "SoloStep",
    "SoloView",
)
_SHORT: Final = 3  # items that a tuple type writes out
# Types that bindings take from Python as they are, and so know less of.
_TYPES: Final = (
    (r"Annotated\[(NDArray\[[\w.]+\]), dict\([^][]*\)\]", r"\1"),
    (r"\bnumpy\.(?!typing)", "np."),
    (r"^import numpy\n", "import numpy as np\n"),
    (r"^import (?:_collections|types)\n", ""),
    (r"^from typing import Annotated.*\n", ""),
    (r"\btriptych\._kernel\.(?=[A-Z])", ""),
    (r"RESULTS: tuple = .*", "RESULTS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]"),
    (r"def rules_fields\(\) -> tuple:", "def rules_fields() -> tuple[tuple[str, int, int], ...]:"),
    (r"(def row_(?:values|royalties)\(.*\)) -> tuple:", r"\1 -> tuple[int, int, int]:"),
    (
        r"(def score_batch\(.*\)) -> tuple:",
        r"\1 -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_], NDArray[np.uint8]]:",
    ),
    (
        r"(def play\(.* seats: int\)) -> tuple:",
        r"\1 -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.float64]]:",
    ),
    (r"(def place\(.*\)) -> tuple:", r"\1 -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:"),
    (r"\bboards: list\b", f"boards: list[tuple[{', '.join(['tuple[str, ...]'] * 5)}]]"),
    (r"\bcards: tuple\b", "cards: tuple[str, ...]"),
    (r"(def memory\(self\)) -> list:", r"\1 -> list[NDArray[np.float32]]:"),
    (r"(: int) = \d+$", r"\1"),
)


def python_type(kind: str) -> str:
    """Return the Python type of a part."""
    if kind.endswith("[]"):
        return f"tuple[{python_type(kind[:-2])}, ...]"
    item, star, count = kind.rpartition("*")
    if star:
        items = [python_type(item)] * int(count) if int(count) <= _SHORT else [python_type(item), "..."]
        return f"tuple[{', '.join(items)}]"
    if re.fullmatch(r"[fiu]\d+", kind):
        return "float" if kind[0] == "f" else "int"
    return {"cards": "bytes"}.get(kind, kind)


def ruff_formatted(text: str) -> str:
    """Return a stub as `ruff format` writes it."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(STUB), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def _docstring(match: re.Match[str]) -> str:
    """Return a docstring of stubgen with its paragraphs wrapped."""
    indent, text = match.groups()
    first, *rest = (" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))
    if not rest:
        return f'{indent}"""{first}"""'
    wrap = textwrap.TextWrapper(118, initial_indent=indent, subsequent_indent=indent, break_long_words=False)
    paragraphs = [f'{indent}"""{first}', *map(wrap.fill, rest)]
    return "\n\n".join(paragraphs) + f'\n{indent}"""'


def stub() -> str:
    """Return the text of the stub."""
    generator = StubGen(_kernel)
    generator.put(_kernel)
    text = generator.get()
    for name, parts in _kernel.RESULTS:
        lines = "".join(f"    {part}: {python_type(kind)}\n" for part, kind in parts)
        definition = f"class {name}(NamedTuple):\n{lines}\n"
        text, count = re.subn(rf"^class {name}\b.*\n(?:(?: .*)?\n)*", definition, text, flags=re.MULTILINE)
        if count != 1:
            raise SystemExit(f"stubgen did not write the class {name} once")
    for pattern, better in _TYPES:
        text = re.sub(pattern, better, text, flags=re.MULTILINE)
    text = text.replace("import Sequence\n", "import Callable, Sequence\nfrom typing import NamedTuple, TypeVar\n", 1)
    text = text.replace("def version()", '_T = TypeVar("_T")\n\n\ndef version()', 1)
    text = re.sub(r'^( *)"""(.*?)"""', _docstring, text, flags=re.MULTILINE | re.DOTALL)
    return ruff_formatted(_STUB_HEAD + text)


def camel(name: str) -> str:
    """Return a name as the client writes it."""
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def client_type(kind: str) -> str:
    """Return the client's type of a part."""
    item = re.sub(r"(\[\]|\*\d+)$", "", kind)
    if item != kind:
        return f"readonly {inner}[]" if " " not in (inner := client_type(item)) else f"readonly ({inner})[]"
    if re.fullmatch(r"[fiu]\d+", kind):
        return "number"
    return {"bool": "boolean", "cards": "readonly number[]"}.get(kind, kind)


def client_read(kind: str) -> str:
    """Return the expression that reads a part."""
    if kind.endswith("[]"):
        return f"answer.list(() => {client_read(kind[:-2])})"
    item, star, count = kind.rpartition("*")
    if star:
        return f"answer.times({count}, () => {client_read(item)})"
    if kind in {"bool", "cards"} or re.fullmatch(r"[fiu]\d+", kind):
        return f"answer.{kind}()"
    return f"read{kind}(answer)"


def client() -> str:
    """Return the text of the client's readers."""
    parts_of = dict(_kernel.RESULTS)
    wanted: dict[str, None] = {}

    def add(name: str) -> None:
        for _, kind in parts_of[name]:
            if (item := re.sub(r"(\[\]|\*\d+)+$", "", kind)) in parts_of:
                add(item)
        wanted[name] = None

    for name in _CLIENT_RESULTS:
        add(name)
    text = _CLIENT_HEAD
    for name in wanted:
        text += f"\nexport interface {name} {{\n"
        text += "".join(f"  readonly {camel(part)}: {client_type(kind)};\n" for part, kind in parts_of[name])
        text += f"}}\n\nexport const read{name} = (answer: AnswerReader): {name} => ({{\n"
        text += "".join(f"  {camel(part)}: {client_read(kind)},\n" for part, kind in parts_of[name])
        text += "});\n"
    return text


def main() -> int:
    """Write both files, or with `--check` answer 1 when one is stale."""
    texts = {str(STUB.relative_to(ROOT)): stub(), str(CLIENT.relative_to(ROOT)): client()}
    return run(ROOT, lambda: texts, "scripts.kernel_types", __doc__)


if __name__ == "__main__":
    sys.exit(main())
