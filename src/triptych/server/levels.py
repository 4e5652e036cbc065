"""The levels that the lobby offers. The bots' own imports are heavy, so they happen beside the event loop."""

from __future__ import annotations

import asyncio
from functools import cache

from triptych.server.wire.bodies import LevelLine
from triptych.server.wire.errors import Refusal


@cache
def _lines() -> tuple[LevelLine, ...]:
    from triptych.bots.levels import LADDER  # noqa: PLC0415 - see above

    return tuple(LevelLine(level.name, level.title, level.note) for level in LADDER)


async def level_lines() -> tuple[LevelLine, ...]:
    """Return the levels in the order in which they are offered."""
    return await asyncio.to_thread(_lines)


async def verify_level(name: str) -> None:
    """Raise Refusal when the lobby does not offer that level; a yardstick of the arena is none to be seated."""
    names = [line.level for line in await level_lines()]
    if name not in names:
        raise Refusal("level.unknown", f"there is no level {name!r}; one of: {', '.join(names)}", "$.level")
