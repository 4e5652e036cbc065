"""Run every check of the repository: `uv run python -m scripts.check [NAME ...]`; CI runs the same.

Exits with 1 when a check fails. NAME picks some of: format, lint, types, layers, generated, command_output, facts,
docs, prose, words, messages, client, tools. The last runs the tests of these scripts and the examples of the
documents (scripts/tests). The client's tests are no check: pytest runs them (tests/client_logic), and so does
`npm test` in client/.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from scripts import docs, facts, messages, prose, words
from scripts.node import npm, npm_install

ROOT = Path(__file__).parents[1]


def _run(tool: str, *arguments: str) -> bool:
    # Beside this Python, so that it works without an activated environment.
    return subprocess.run([Path(sys.executable).with_name(tool), *arguments], cwd=ROOT, check=False).returncode == 0


def _format() -> bool:
    npm_install(ROOT / "client")
    python = _run("ruff", "format", "--check", ".")
    native = _run("clang-format", "--dry-run", "--Werror", *map(str, sorted((ROOT / "native").rglob("*.[hc]pp"))))
    return npm("run", "--silent", "format:check", cwd=ROOT / "client") == 0 and python and native


def _client() -> bool:
    npm_install(ROOT / "client")
    return npm("run", "--silent", "check", cwd=ROOT / "client") == 0


def _facts() -> bool:
    problems = facts.problems(ROOT)
    print("\n".join(problems) or "No problems in the repository's own files.")
    return not problems


def _docs() -> bool:
    problems = docs.problems(ROOT)
    print("\n".join(problems) or "No problems in the pages.")
    return not problems


def _prose() -> bool:
    problems = prose.problems(ROOT)
    print("\n".join(problems) or "No problems in the prose.")
    return not problems


def _plain() -> bool:
    problems = list(words.problems(ROOT))
    print("\n".join(problems) or "No problems in the words.")
    return not problems


def _messages() -> bool:
    problems = list(messages.problems(ROOT))
    print("\n".join(problems) or "No problems in the messages.")
    return not problems


def _types() -> bool:
    checked = [_run("mypy"), _run("basedpyright", "--level", "error")]
    return all(checked)


CHECKS: dict[str, Callable[[], bool]] = {
    "format": _format,
    "lint": lambda: _run("ruff", "check", "."),
    "types": _types,
    "layers": lambda: _run("lint-imports", "--no-logo"),
    "generated": lambda: _run("python", "-m", "scripts.generate", "--check"),
    "command_output": lambda: _run("python", "-m", "scripts.command_output", "--check"),
    "facts": _facts,
    "docs": _docs,
    "prose": _prose,
    "words": _plain,
    "messages": _messages,
    "client": _client,
    "tools": lambda: _run("python", "-m", "pytest", "-q", "scripts/tests"),
}


def main(names: list[str]) -> int:
    """Run the named checks, or all of them, to the end; 0 when every one passed."""
    if "--help" in names:
        print(__doc__)
        return 0
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print(f"No check is called {unknown[0]!r}; there are: {', '.join(CHECKS)}.")
        return 2
    failed = []
    for name in names or CHECKS:
        print(f"── {name} ──", flush=True)
        began = time.monotonic()
        if not CHECKS[name]():
            failed.append(name)
        print(f"   {time.monotonic() - began:.1f} s", flush=True)
    print(f"Failed: {', '.join(failed)}." if failed else "Every check passed.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
