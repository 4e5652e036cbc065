"""How long a connection waits for a request."""

from __future__ import annotations

from typing import Final, NamedTuple

# After a stall (a suspended host) the loop runs its timers before it reads: a timeout waits this long for the bytes
# that are in the socket already.
TIMEOUT_SLACK_SECONDS: Final = 0.25


class RequestTimeouts(NamedTuple):
    """Seconds in which the head of a request has to arrive, then its body."""

    head: float = 10.0
    body: float = 30.0
