"""Write the client's help pages from the documentation; `--check` only compares.

    python -m scripts.help_pages [--check]

Each page of TOPICS becomes client/src/features/help/pages/<topic>.json: its blocks in order, HTML or boards to draw.
A link to another of these pages, or to what the client has a page for, stays in the client; any other becomes its
text, or nothing where it stands alone in parentheses.
"""

import json
import posixpath
import re
import sys
from collections.abc import Iterator
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from scripts import generated
from scripts.docs import anchor
from scripts.generated import ROOT

FOLDER: Final = ROOT / "client" / "src" / "features" / "help" / "pages"
TOPICS: Final = {
    "game": "tutorials/learn-the-game.md",
    "strategy": "tutorials/first-strategy.md",
    "rules": "rules/law.md",
    "tables": "rules/tables.md",
    "glossary": "reference/glossary.md",
    "faq": "faq.md",
}
# Where the client has a page of its own for what a page of the documentation explains.
ROUTES: Final = {
    "how-to/analyse.md": "/analyse",
    "how-to/custom-rules.md": "/rules",
    "how-to/score-real-cards.md": "/score",
    "rules/presets.md": "/rules",
    "tutorials/first-deal.md": "/",
}
Block = dict[str, object]


def boards(text: str) -> list[dict[str, object]]:
    """Return the boards of a block ```` ```{boards} ````: the cards of each row, and what is said of them."""
    pictures: list[dict[str, object]] = []
    for line in text.splitlines():
        board, _, says = line.partition(" | ")
        pictures.append({"rows": board.strip().split("/"), "says": says})
    return pictures


def target(link: str, page: str) -> str | None:
    """Return where a link of a page leads in the client, None where the client has no such page."""
    if re.match(r"https?:|/", link):
        return link
    path, _, place = link.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    topic = next((topic for topic, file in TOPICS.items() if file == path), None)
    if topic is None:
        return ROUTES.get(path)
    return f"/help/{topic}" + (f"#{place}" if place else "")


def without_asides(text: str, page: str) -> str:
    """Return a page's text without links in parentheses of their own to pages that the client does not have."""

    def aside(match: re.Match[str]) -> str:
        return match[0] if target(match[1], page) else ""

    return re.sub(r"\s\(\[[^\]]+\]\(([^)\s]+)\)\)", aside, text)


def with_client_links(children: list[Token], page: str) -> Iterator[Token]:
    """Yield the tokens of a line with the links that the client has; of the others, their text."""
    open_links: list[bool] = []
    for token in children:
        if token.type == "link_open":
            link = target(str(token.attrGet("href")), page)
            open_links.append(link is not None)
            if link is not None:
                token.attrSet("href", link)
                yield token
        elif token.type == "link_close":
            if open_links.pop():
                yield token
        else:
            yield token


def blocks(text: str, page: str) -> Iterator[Block]:
    """Yield the blocks of a page in Markdown, without its title, its comments."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens: list[Token] = []

    def flush() -> Iterator[Block]:
        if tokens:
            yield {"html": markdown.renderer.render(tokens, markdown.options, {})}
            tokens.clear()

    skipped = False
    parsed = markdown.parse(without_asides(text, page))
    for at, token in enumerate(parsed):
        if token.tag == "h1" or skipped:  # the page's name is said in the reader's language
            skipped = token.type != "heading_close"
        elif token.type == "fence" and token.info == "{boards}":
            yield from flush()
            yield {"boards": boards(token.content)}
        elif token.type == "html_block":
            continue
        else:
            if token.type == "heading_open":
                token.attrSet("id", anchor(parsed[at + 1].content))
            if token.children:
                token.children = list(with_client_links(token.children, page))
            tokens.append(token)
    yield from flush()


def pages() -> dict[str, str]:
    """Return the generated files by their paths below FOLDER."""
    files = {}
    for topic, page in TOPICS.items():
        text = list(blocks((ROOT / "docs" / page).read_text("utf-8"), page))
        files[f"{topic}.json"] = json.dumps(text, ensure_ascii=False, indent=1) + "\n"
    return files


if __name__ == "__main__":
    sys.exit(generated.run(FOLDER, pages, "scripts.help_pages", __doc__))
