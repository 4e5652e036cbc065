"""The picture of a link to a table: its words on the client's own ground, as PNG of 1200 x 630."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

_LEFT: Final = 72
_GOLD: Final = (230, 184, 79)
_TEXT: Final = (234, 242, 238)
_DIM: Final = (163, 189, 181)
# Size, colour, upper edge and width of each line: the table's name above the cards; the game, the host, the seats.
_LINES: Final = ((54, _TEXT, 142, 1056), (40, _GOLD, 276, 560), (34, _DIM, 360, 560), (34, _DIM, 412, 560))
_COMPRESSION: Final = 6
# The first of these that this computer has and that can write the words; the last resort comes with Pillow.
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


def render(ground: bytes, lines: Sequence[str]) -> bytes:
    """Return the ground, a PNG, with lines of text; a line that is too long ends in `…`."""
    picture = Image.open(io.BytesIO(ground)).convert("RGB")
    pen = ImageDraw.Draw(picture)
    for text, (size, colour, top, width) in zip(lines, _LINES, strict=False):
        written, font = _fit_text(text, size, width)
        pen.text((_LEFT, top), written, font=font, fill=colour)
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=_COMPRESSION)
    return file.getvalue()


def _fit_text(text: str, size: int, width: int) -> tuple[str, Font]:
    """Return as much of a text as fits on its line, and a font that can write it."""
    fonts = [_font(name, size) for name in _FONTS]
    font = next((one for one in fonts if _covers(one, text)), fonts[0])
    written = "".join(letter for letter in text if _covers(font, letter)).strip()
    if font.getlength(written) <= width:
        return written, font
    while written and font.getlength(written + "…") > width:
        written = written[:-1]
    return f"{written.rstrip()}…", font


@lru_cache(maxsize=64)
def _font(name: str, size: int) -> Font:
    try:
        return ImageFont.truetype(name, size, layout_engine=ImageFont.Layout.BASIC)
    except OSError:
        return ImageFont.load_default(size)


def _covers(font: Font, text: str) -> bool:
    """Return whether a font has a glyph for every letter."""
    return all(_has_glyph(font, letter) for letter in set(text) if not letter.isspace())


@lru_cache(maxsize=4096)
def _has_glyph(font: Font, letter: str) -> bool:
    return bytes(font.getmask(letter)) != bytes(font.getmask(_NO_GLYPH))
