"""What this server's WebSockets offer beyond ASGI: texts written and heard without waiting.

A server without it serves as well: then all messages go the standard's way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

# The names of both in `scope["extensions"]`.
WRITE: Final = "triptych.write"
LISTEN: Final = "triptych.listen"
# Why the protocol closes a connection: too many frames, or a message that does not come to its end.
RATE_LIMITED: Final = 4429
UNFINISHED: Final = 4408
CLOSE_SECONDS: Final = 2.0  # that a closing handshake may take


def direct_writer(scope: Any) -> Callable[[str], bool]:  # noqa: ANN401 - ASGI
    """Return what sends a message at once where the server can; else what says that it has to wait."""
    write: Callable[[str], bool] | None = scope.get("extensions", {}).get(WRITE)
    return _waits if write is None else write


def _waits(_text: str) -> bool:
    return False


def set_direct_listener(scope: Any, on_text: Callable[[str], bool], part: Callable[[int], None]) -> None:  # noqa: ANN401 - ASGI
    """Let `on_text` have each message as it comes where the server can; what it answers False to is received as ever.

    `part` closes the connection with a code when its frames are too many or come to no end.
    """
    listen: Callable[[Callable[[str], bool], Callable[[int], None]], None] | None
    listen = scope.get("extensions", {}).get(LISTEN)
    if listen is not None:
        listen(on_text, part)
