"""Draws the picture of a table's link preview: lines of text on the client's background, a PNG of 1200 x 630."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

_LEFT_EDGE: Final = 72
_GOLD: Final = (230, 184, 79)
_TEXT: Final = (234, 242, 238)
_DIM: Final = (163, 189, 181)
# Size, colour, upper edge and width of each line: the table's name above the cards; the game, the host, the seats.
_LINES: Final = ((54, _TEXT, 142, 1056), (40, _GOLD, 276, 560), (34, _DIM, 360, 560), (34, _DIM, 412, 560))
_COMPRESSION: Final = 6
# The first of these that is installed and has the text's glyphs is used; the last resort is Pillow's own font.
_FONTS: Final = (
    "DejaVuSerif-Bold.ttf",
    "NotoSerif-Bold.ttf",
    "LiberationSerif-Bold.ttf",
    "Georgia Bold.ttf",
    "georgiab.ttf",
    "NotoSansCJK-Bold.ttc",
    "NotoSansCJK-Regular.ttc",
    "wqy-microhei.ttc",
    "PingFang.ttc",
    "msyh.ttc",
)
_NO_GLYPH: Final = "\U0010fffe"

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def render(background: bytes, lines: Sequence[str]) -> bytes:
    """Return the background, a PNG, with lines of text; a line that is too long ends in `…`."""
    picture = Image.open(io.BytesIO(background)).convert("RGB")
    drawing = ImageDraw.Draw(picture)
    for text, (size, colour, top, width) in zip(lines, _LINES, strict=False):
        fitting_text, font = _fit_text(text, size, width)
        drawing.text((_LEFT_EDGE, top), fitting_text, font=font, fill=colour)
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=_COMPRESSION)
    return file.getvalue()


def _fit_text(text: str, size: int, width: int) -> tuple[str, Font]:
    """Return as much of a text as fits on its line, and a font that has its glyphs."""
    fonts = [_font(name, size) for name in _FONTS]
    font = next((font for font in fonts if _covers(font, text)), fonts[0])
    fitting_text = "".join(letter for letter in text if _covers(font, letter)).strip()
    if font.getlength(fitting_text) <= width:
        return fitting_text, font
    while fitting_text and font.getlength(fitting_text + "…") > width:
        fitting_text = fitting_text[:-1]
    return f"{fitting_text.rstrip()}…", font


@lru_cache(maxsize=64)
def _font(name: str, size: int) -> Font:
    try:
        return ImageFont.truetype(name, size, layout_engine=ImageFont.Layout.BASIC)
    except OSError:
        return ImageFont.load_default(size)


def _covers(font: Font, text: str) -> bool:
    """Return whether a font has a glyph for every character."""
    return all(_has_glyph(font, letter) for letter in set(text) if not letter.isspace())


@lru_cache(maxsize=4096)
def _has_glyph(font: Font, letter: str) -> bool:
    return bytes(font.getmask(letter)) != bytes(font.getmask(_NO_GLYPH))
