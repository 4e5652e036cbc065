"""Extensions of ASGI that this server's WebSockets offer: texts sent and received without waiting.

Under another ASGI server, without them, all messages go the standard's way.
"""

from __future__ import annotations

from typing import Final

# Names in `scope["extensions"]`. WRITE: a function that sends a text at once; it returns False when that has to wait.
WRITE: Final = "triptych.write"
# LISTEN: a function that is given what to call with each text as it arrives (after False the text is received as
# usual), and what to call with a code that closes the connection: too many frames, or an incomplete message.
LISTEN: Final = "triptych.listen"
# Close codes of the protocol itself: too many frames; a message that stays incomplete.
RATE_LIMITED: Final = 4429
UNFINISHED: Final = 4408
CLOSE_SECONDS: Final = 2.0  # for the closing handshake
