"""Whether the pages are short and plain: `problems` lists what is not (`python -m scripts.check prose`).

All hand-written pages together have at most MAX_WORDS words; `python -m scripts.prose` prints them by kind. Generated
pages, the benches' results, examples and other blocks of code do not count, and are not looked at.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scripts import docs

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_WORDS: Final = 29_000
MAX_README: Final = 350
MAX_SENTENCE: Final = 35
MAX_LINE: Final = 140
GENERATED: Final = "<!-- Written by "
# Words and phrases that the project gave up; what to say instead.
PHRASES: Final = {
    r"anew": "again",
    r"dearest": "costliest",
    r"for ever": "permanently",
    r"heard of": "received",
    r"is told|are told|was told": "gets, sees",
    r"lest": "so that … not",
    r"no more": "no longer",
    r"one's": "your",
    r"the house(?! rules)": "the server",
    r"the room": "the server",
    r"threw away|thrown away|throws? away": "discard",
    r"whoever": "the player who",
    r"(?-i:Who) (?:does|has|is|was|reads|wants|brings|moves|writes) [^?|]*$": "Players who …",
}
# The rulebook speaks of *the room* in a heading that the code cites, and quotes others.
_EXEMPT: Final = ("docs/rules/law.md",)
# Pages of these folders begin with a sentence about their readers.
_FOR_READERS: Final = frozenset({"explanation", "how-to", "tutorials"})
_ABBREVIATIONS: Final = re.compile(r"\b(?:e\.g|i\.e|vs|cf)\.")


def problems(root: Path) -> list[str]:
    """Return what is wrong with the prose of a repository, one line each; empty when all is well."""
    return [*_too_long(root), *(line for page in hand_written(root) for line in _lint(root, page))]


def hand_written(root: Path) -> list[Path]:
    """Return the pages that people write."""
    return [page for page in docs.pages(root) if not page.read_text("utf-8").startswith(GENERATED)]


def words(page: Path) -> int:
    """Return the number of words of a page, blocks of code left out."""
    return sum(len(line.split()) for _, line in _lines(page.read_text("utf-8")))


def counts(root: Path) -> dict[str, int]:
    """Return the words of the hand-written pages by kind: the folder of docs, or the page at the top."""
    totals: dict[str, int] = {}
    for page in hand_written(root):
        parts = page.relative_to(root).parts
        kind = "/".join(parts[: 2 if parts[0] == "docs" and len(parts) > 2 else 1])
        totals[kind] = totals.get(kind, 0) + words(page)
    return totals


def _too_long(root: Path) -> Iterator[str]:
    total = sum(counts(root).values())
    if total > MAX_WORDS:
        yield f"docs: {total:,} hand-written words, at most {MAX_WORDS:,}"
    readme = root / "README.md"
    if readme.is_file() and words(readme) > MAX_README:
        yield f"README.md: {words(readme)} words, at most {MAX_README}"


def _lint(root: Path, page: Path) -> Iterator[str]:
    name = page.relative_to(root).as_posix()
    if name in _EXEMPT:
        return
    for number, line in _lines(page.read_text("utf-8")):
        for phrase, better in PHRASES.items():
            match = re.search(rf"\b(?:{phrase})(?!\w)", line, re.IGNORECASE)
            if match:
                yield f"{name}:{number}: {match[0]!r}: say {better}"
        if line.startswith(">>>"):
            yield f"{name}:{number}: an example stands in a block of code: ```python"
        if len(line) > MAX_LINE and not line.startswith("|") and "](" not in line:
            yield f"{name}:{number}: a line of {len(line)} characters, at most {MAX_LINE}"
    parts = page.relative_to(root).parts
    if parts[0] == "docs" and parts[1] in _FOR_READERS and not re.search(r"\A# .+\n\nFor ", page.read_text("utf-8")):
        yield f"{name}: the first sentence says for whom the page is: For …"
    for sentence in _sentences(page.read_text("utf-8")):
        length = len(sentence.split())
        if length > MAX_SENTENCE:
            yield f"{name}: a sentence of {length} words, at most {MAX_SENTENCE}: {sentence[:60]}…"


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of prose with their numbers: no blocks of code, and pieces of code and addresses cut short."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside:
            yield number, re.sub(r"`[^`]*`|\]\([^)]*\)|\*[^*]+\*", "`x`", line)


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of the paragraphs and list items."""
    paragraph = ""
    for _, line in (*_lines(text), (0, "")):
        starts = re.match(r"\s*(?:[-*] |\d+\. |#|\||$)", line)
        if starts:
            yield from re.split(r"(?<=[.!?:]) +", _ABBREVIATIONS.sub("", paragraph).strip())
            paragraph = ""
        if not line.startswith(("|", "#")):
            paragraph += " " + line.strip()


def main() -> int:
    """Print the words by kind."""
    totals = counts(Path(__file__).parents[1])
    for kind, count in sorted(totals.items()):
        print(f"{count:7,}  {kind}")
    print(f"{sum(totals.values()):7,}  in all, at most {MAX_WORDS:,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
