"""The pictures of links to tables (server/static/preview_drawing.py)."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

_KEPT: Final = 64


class PreviewImages:
    """Pictures by the words on them: one is drawn at a time, beside the loop, and the last ones are kept."""

    def __init__(self, ground: bytes | None) -> None:
        self._ground = ground
        self._drawn: OrderedDict[tuple[str, ...], bytes] = OrderedDict()
        self._drawing = asyncio.Lock()

    async def get(self, lines: tuple[str, ...]) -> bytes | None:
        """Return the picture with these lines, at most four; None on a server without the client."""
        if self._ground is None:
            return None
        async with self._drawing:
            picture = self._drawn.pop(lines, None)
            if picture is None:
                from triptych.server.static.preview_drawing import render  # noqa: PLC0415 - many houses show no picture

                picture = await asyncio.to_thread(render, self._ground, lines)
            self._drawn[lines] = picture
            if len(self._drawn) > _KEPT:
                self._drawn.popitem(last=False)
        return picture
