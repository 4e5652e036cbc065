"""Build the documentation as a site into build/site: `uv run --group docs python -m scripts.site`.

Warnings are errors, and the built pages fetch nothing from another host.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SITE = ROOT / "build" / "site"
# What a browser fetches by itself; a link that somebody follows is none of it.
_FETCHED = {
    ".html": re.compile(
        r"""<(?:script|img|iframe|source|embed|audio|video)\b[^>]*?\bsrc(?:set)?=["']?([^"'\s>]+)"""
        r"""|<link\b[^>]*?\bhref=["']?([^"'\s>]+)|url\(["']?([^"')]+)|@import\s+["']([^"']+)""",
        re.IGNORECASE,
    ),
    ".css": re.compile(r"""url\(["']?([^"')]+)|@import\s+["']([^"']+)""", re.IGNORECASE),
    ".js": re.compile(r"""(?:fetch|import|open)\(\s*["'](https?://[^"']+)|\.src\s*=\s*["']([^"']+)"""),
}


def foreign(site: Path) -> Iterator[str]:
    """Yield what the pages, styles and scripts of a site fetch from elsewhere, one line each."""
    for file in sorted(site.rglob("*")):
        pattern = _FETCHED.get(file.suffix)
        if pattern is None:
            continue
        for match in pattern.finditer(file.read_text("utf-8")):
            address = next(filter(None, match.groups()), "")
            if re.match(r"(?:[a-z][a-z0-9+.-]*:)?//", address, re.IGNORECASE):
                yield f"{file.relative_to(site)}: fetches {address}"


def main() -> int:
    """Build the site; 0 when there was no warning and it needs no other host."""
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-q", "-j", "2"]
    built = subprocess.run([*command, "-d", ROOT / "build" / "site-cache", ROOT / "docs", SITE], check=False)
    problems = list(foreign(SITE))
    print("\n".join(problems) or f"{SITE.relative_to(ROOT)}/index.html fetches nothing from elsewhere.")
    return built.returncode or int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
