"""The levels of bots that the lobby offers."""

from __future__ import annotations

import asyncio
from functools import cache

from triptych.i18n.messages import Message
from triptych.server.wire.bodies import LevelItem
from triptych.server.wire.errors import ApiError


@cache
def _levels() -> tuple[LevelItem, ...]:
    from triptych.bots.levels import LOBBY_LEVELS  # noqa: PLC0415 - heavy, so it is imported in a thread

    return tuple(LevelItem(level.name, level.title, level.note) for level in LOBBY_LEVELS)


async def level_options() -> tuple[LevelItem, ...]:
    """Return the levels that the lobby offers, in the order in which it offers them."""
    return await asyncio.to_thread(_levels)


async def verify_level(name: str, path: str = "$.level") -> None:
    """Raise ApiError when the lobby does not offer that level, as it does not offer the arena's baselines."""
    names = [item.level for item in await level_options()]
    if name not in names:
        raise ApiError(
            "level.unknown", Message("error.level.unknown", level=repr(name), levels=", ".join(names)), path
        )
