"""Extensions of ASGI that this server's WebSockets offer: texts sent and received without waiting.

Under another ASGI server, without them, all messages go the standard's way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

# Names in `scope["extensions"]`.
WRITE: Final = "triptych.write"
LISTEN: Final = "triptych.listen"
# Close codes of the protocol itself: too many frames; a message that stays incomplete.
RATE_LIMITED: Final = 4429
UNFINISHED: Final = 4408
CLOSE_SECONDS: Final = 2.0  # for the closing handshake


def direct_writer(scope: Any) -> Callable[[str], bool]:  # noqa: ANN401 - ASGI
    """Return the function that sends a message at once; without the extension it always returns False."""
    write: Callable[[str], bool] | None = scope.get("extensions", {}).get(WRITE)
    return _never_sends if write is None else write


def _never_sends(_text: str) -> bool:
    return False


def set_direct_listener(scope: Any, on_text: Callable[[str], bool], close_with: Callable[[int], None]) -> None:  # noqa: ANN401 - ASGI
    """Call `on_text` with each message as it arrives, where the server can; after False it is received as usual.

    `close_with` is called with a code to close the connection: too many frames, or an incomplete message.
    """
    listen: Callable[[Callable[[str], bool], Callable[[int], None]], None] | None
    listen = scope.get("extensions", {}).get(LISTEN)
    if listen is not None:
        listen(on_text, close_with)
