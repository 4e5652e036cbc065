"""The leases of a standalone server, which owns every table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from triptych.store.leases.interface import ServerId, ServerInfo


class StandaloneLeases:
    """See LeaseManager."""

    is_standalone = True
    somebody_silent = False
    this_server = leader = ServerId(0, "")

    def pop_takeover_downtime(self, stream: str) -> int:  # noqa: ARG002 - nobody else had it
        """See LeaseManager."""
        return 0

    def mark_compensated(self, stream: str) -> None:
        """See LeaseManager."""

    async def register(self, serving: ServerInfo) -> None:
        """See LeaseManager."""

    async def acquire(self, stream: str, *, new: bool = False) -> ServerId | None:
        """See LeaseManager."""

    def holds(self, stream: str) -> bool:  # noqa: ARG002 - all are this server's
        """See LeaseManager."""
        return True

    async def release(self, streams: Iterable[str]) -> None:
        """See LeaseManager."""

    async def renew(self, *, is_compensated: bool = True) -> Sequence[str]:  # noqa: ARG002 - no other server counts it
        """See LeaseManager."""
        return ()

    async def find_fenced(self, numbers: Sequence[int]) -> Sequence[int]:
        """See LeaseManager."""
        return numbers

    async def unregister(self, *, is_compensated: bool = True) -> None:
        """See LeaseManager."""

    async def verify_not_fenced(self) -> None:
        """See LeaseManager."""
