"""How long a connection waits for what is to come."""

from __future__ import annotations

from typing import Final, NamedTuple

# A loop that stood still (a suspended host) runs its timers before it reads: what waits in the socket is read first.
TIMEOUT_SLACK_SECONDS: Final = 0.25


class RequestTimeouts(NamedTuple):
    """For how many seconds the head of a request may take to come, then its body."""

    head: float = 10.0
    body: float = 30.0
