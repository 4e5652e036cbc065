"""How the documentation becomes a site: `uv run --group docs python -m scripts.site`."""
# ruff: noqa: INP001, A001 - Sphinx reads this file by its path, and names its settings

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from triptych import __version__
from triptych.board import ROWS, parse_board
from triptych.board_svg import board_html
from triptych.cards import card_text

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Triptych"
release = __version__
copyright = "the Triptych authors"
language = "en"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["examples/*"]
# "…" stands for the rest of a JSON text on some pages, which is no JSON.
suppress_warnings = ["misc.highlighting_failure"]

myst_enable_extensions = ["attrs_inline", "deflist"]
myst_heading_anchors = 4
# Docstrings write names in single backticks, as Markdown does.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True

html_theme = "furo"
# A link to edit each page, where the environment names the repository: https://github.com/NAME/triptych/.
if "TRIPTYCH_REPOSITORY" in os.environ:
    html_theme_options = {
        "source_repository": os.environ["TRIPTYCH_REPOSITORY"],
        "source_branch": "main",
        "source_directory": "docs/",
    }
html_title = "Triptych"
templates_path = ["theme"]
html_static_path = ["theme/static"]
html_css_files = ["triptych.css"]
html_favicon = "../client/public/icon.svg"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "friendly"
pygments_dark_style = "native"


class Boards(SphinxDirective):
    """Boards as pictures: one a line, `QhQd7c/QsQc9d8c2c/8c9cTcJc2c | a caption`, drawn by triptych.board_svg.

    Where the file is read as plain Markdown the boards stand there as text. Any other line fails the build.
    """

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the pictures side by side."""
        pictures = []
        for line in self.content:
            text, _, caption = line.partition("|")
            board = parse_board(text.strip())
            rows = [[card_text(card) for card in board.row(name)] for name in ROWS]
            pictures.append(board_html(rows, caption.strip()))
        return [nodes.raw("", f'<div class="boards">{"".join(pictures)}</div>', format="html")]


ABOVE: Final = {"architecture": "ARCHITECTURE.md", "contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md"}


def _above(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the pages from the top of the repository into the site, and let links lead to them there."""
    if page in ABOVE:
        file = app.srcdir.parent / ABOVE[page]
        app.env.note_dependency(str(file))
        source[0] = file.read_text("utf-8").replace("](docs/", "](")
    source[0] = re.sub(r"\]\((?:\.\./)*([A-Z]+\.md)", lambda match: f"](/{match[1].lower()}", source[0])


def setup(app: Sphinx) -> None:
    """Teach Sphinx the pictures of boards, and what lies above this folder."""
    app.add_directive("boards", Boards)
    app.connect("source-read", _above)
