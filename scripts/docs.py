"""Whether the pages say what is there: `problems` lists what is wrong (`python -m scripts.check docs`).

Links lead to files and to headings in them, commands name scripts, named files exist, labels are those that the
browser shows, citations of the rules name their sections, every name of the reference has an example, and no name is
taken from deeper than a package of triptych. That the examples run is tested by scripts/tests.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType

# `Rules §4` in the code is a section of docs/rules/law.md: the first word of each.
LAW: Final = ("Words", "Games", "Ranking", "Scoring", "Fantasyland", "The", "Presets", "The")
# Labels of browsers, and terms.
FOREIGN: Final = frozenset({"Add to home screen", "Install"})
_CITING: Final = (".py", ".pyi", ".hpp", ".cpp", ".toml", ".jsonl")
_DEEP: Final = re.compile(r"(?:from |import |:: |`)(triptych\.[a-z_]+\.[a-z]\w*(?= import|\.\w))")
_DIRECTIVE: Final = re.compile(r"^\.\. auto(module|class|function):: (\S+)\n((?:   .*\n)*)", re.MULTILINE)


def problems(root: Path) -> list[str]:
    """Return what is wrong with the pages of a repository, one line each; empty when all is well."""
    reference = [page.read_text("utf-8") for page in sorted((root / "docs" / "reference" / "python").glob("*.md"))]
    return [
        *links(root),
        *commands(root),
        *files(root),
        *labels(root),
        *law(root),
        *deep_names(root),
        *examples(documented(reference), reference),
    ]


def pages(root: Path) -> list[Path]:
    """Return the pages of the repository that people read, generated ones too."""
    beside = [root / folder / "README.md" for folder in ("bench", "client", "weights")]
    return [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md")), *filter(Path.is_file, beside)]


def links(root: Path) -> Iterator[str]:
    """Yield the links of the pages that lead to no file, or to no heading of a page."""
    for page in pages(root):
        name = page.relative_to(root)
        for link, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)", _prose(page)):
            target = page.parent / link if link else page
            if not target.exists():
                yield f"{name}: {link} is not a file"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                yield f"{name}: {link} has no heading #{anchor}"


def deep_names(root: Path) -> Iterator[str]:
    """Yield what the pages and examples for users take from a module inside a package, as `triptych.deal.actions`."""
    folders = [root / "docs" / folder for folder in ("tutorials", "how-to", "reference", "explanation", "examples")]
    for path in (root / "README.md", *sorted(path for folder in folders for path in folder.rglob("*.*"))):
        if path.suffix in {".md", ".py", ".ipynb"}:
            for deep in _DEEP.findall(path.read_text("utf-8")):
                yield f"{path.relative_to(root)}: {deep} is inside a package: take it from the package itself"


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    headings = re.findall(r"^#{1,4} (.+)$", _prose(page), re.MULTILINE)
    return {anchor(heading) for heading in headings}


def anchor(heading: str) -> str:
    """Return the anchor of a heading, as GitHub and the site make it."""
    return re.sub(r"[^\w -]", "", heading.lower().strip()).replace(" ", "-")


def _prose(page: Path) -> str:
    return without_blocks(page.read_text("utf-8"))


def without_blocks(text: str) -> str:
    """Return a page's text without what stands in fenced blocks."""
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)


def commands(root: Path) -> Iterator[str]:
    """Yield the commands of the pages that name no script."""
    for page in pages(root):
        for name in re.findall(r"python -m ((?:scripts|bench|tests)(?:\.\w+)+)", page.read_text("utf-8")):
            path = root / name.replace(".", "/")
            if not (path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()):
                yield f"{page.relative_to(root)}: there is no {name}"


def files(root: Path) -> Iterator[str]:
    """Yield the files and folders of the repository that pages name in code and that are not there."""
    folders = "bench|client|cmake|deploy|docs|native|scripts|src|tests|weights"
    for page in pages(root):
        # What is generated names what it was made from; `*` and capitals stand for names.
        for name in sorted(set(re.findall(rf"`((?:{folders})/[a-z0-9_./-]+)`", _prose(page)))):
            there = (root / name).exists() or (page.parent / name).exists()
            if not there and not name.startswith("deploy/secrets"):
                yield f"{page.relative_to(root)}: {name} is not a file"


def labels(root: Path) -> Iterator[str]:
    """Yield the labels, in italics, of tutorials, guides and questions that no page in the browser shows."""
    messages = root / "client" / "messages" / "en.json"
    if not messages.is_file():
        return
    texts = set(_texts(json.loads(messages.read_text("utf-8"))))
    for page in pages(root):
        kind = page.relative_to(root).parts[1:-1]
        if page.name != "faq.md" and kind[:1] not in (("tutorials",), ("how-to",)):
            continue
        for label in re.findall(r"(?<![\w*])\*{1,3}([A-Z][^*\n]{2,60})\*{1,3}(?!\w)", _prose(page)):
            name = label.rstrip(".").lower()
            emphasis = f"**{label}**" in _prose(page) and f"***{label}***" not in _prose(page)
            if not emphasis and label not in FOREIGN and not any(re.fullmatch(text, name) for text in texts):
                yield f"{page.relative_to(root)}: no page in the browser says {label!r}"


def _texts(message: object) -> Iterator[str]:
    """Yield the texts of messages as patterns: what is in braces stands for anything."""
    if isinstance(message, str):
        # A number in parentheses behind a label is no part of it; what says nothing itself would match everything.
        text = re.sub(r" \(\{\w+\}\)$", "", message).lower().rstrip(".")
        if len(re.sub(r"\{.*?\}|\W", "", text)) > 1:
            yield ".+".join(map(re.escape, re.split(r"\{.*?\}", text)))
    elif isinstance(message, dict | list):
        for part in message.values() if isinstance(message, dict) else message:
            yield from _texts(part)


def law(root: Path) -> Iterator[str]:
    """Yield what is wrong with the sections of the law and with what cites them."""
    text = (root / "docs" / "rules" / "law.md").read_text("utf-8")
    headings = re.findall(r"^## (\d)\. (\w+)", text, re.MULTILINE)
    if headings != [(str(number), word) for number, word in enumerate(LAW, 1)]:
        yield f"docs/rules/law.md: its sections are {headings}"
    names = {str(number) for number in range(1, len(LAW) + 1)}
    cited: set[str] = set()
    files = [file for folder in ("src", "native", "tests") for file in sorted((root / folder).rglob("*"))]
    for file in files:
        if file.suffix not in _CITING:
            continue
        written = file.read_text("utf-8")
        sections = set(re.findall(r"\bRules §(\d+)", written))
        cited |= sections
        for section in sorted(sections - names):
            yield f"{file.relative_to(root)}: the law has no section {section}"
        # Put together here so that no file is found by its own rule.
        if re.search("RULE" + r"BOOK|\b(?:LAW|DESIGN|MEASURES) \d", written):
            yield f"{file.relative_to(root)}: cites a text outside the project"
    for section in sorted(names - cited):
        yield f"docs/rules/law.md: nothing cites section {section}"


def documented(pages: list[str]) -> dict[str, object]:
    """Return every class and function of the reference's pages by its full name."""
    objects: dict[str, object] = {}
    for kind, name, options in (match for page in pages for match in _DIRECTIVE.findall(page)):
        if kind != "module":
            module, _, own = name.rpartition(".")
            objects[name] = getattr(importlib.import_module(module), own)
            continue
        module = importlib.import_module(name)
        chosen, left_out = (re.search(rf":{key}: (.+)", options) for key in ("members", "exclude-members"))
        names = chosen[1].split(", ") if chosen else _public(module)
        objects |= {f"{name}.{own}": getattr(module, own) for own in names if not left_out or own not in left_out[1]}
    return objects


def examples(names: Mapping[str, object], pages: list[str]) -> Iterator[str]:
    """Yield what the API offers and the reference lacks, and names without an example in docstring or pages."""
    api = importlib.import_module("triptych.api")
    for own in sorted({*api.__all__} - {name.rpartition(".")[2] for name in names}):
        yield f"docs/reference: triptych.{own} is missing"
    text = "\n".join(
        example.source + example.want for page in pages for example in doctest.DocTestParser().get_examples(page)
    )
    for name, value in names.items():
        if ">>> " not in (value.__doc__ or "") and not re.search(rf"\b{name.rpartition('.')[2]}\b", text):
            yield f"docs/reference: {name} has no example"


def _public(module: ModuleType) -> list[str]:
    """Return what Sphinx takes of a module: its `__all__`, or what is defined in it and has a docstring."""
    named = getattr(module, "__all__", None)
    if named is not None:
        return list(named)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module.__name__
    ]
