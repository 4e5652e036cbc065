"""The pictures of tables' link previews, drawn by server/static/preview_drawing.py and cached."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

_MAX_CACHED: Final = 64


class PreviewImages:
    """A cache of pictures by their texts; one picture is drawn at a time, in a thread."""

    def __init__(self, background: bytes | None) -> None:
        self._background = background
        self._cached: OrderedDict[tuple[str, ...], bytes] = OrderedDict()
        self._drawing = asyncio.Lock()

    async def get(self, lines: tuple[str, ...]) -> bytes | None:
        """Return the picture with these lines, at most four; None for a server without the client."""
        if self._background is None:
            return None
        async with self._drawing:
            picture = self._cached.pop(lines, None)
            if picture is None:
                from triptych.server.static.preview_drawing import render  # noqa: PLC0415 - many servers draw no picture

                picture = await asyncio.to_thread(render, self._background, lines)
            self._cached[lines] = picture
            if len(self._cached) > _MAX_CACHED:
                self._cached.popitem(last=False)
        return picture
