"""What is asked of a server that does not own the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.server.wire.errors import Refusal

if TYPE_CHECKING:
    from triptych.store.leases import Owner


class Elsewhere(Refusal):
    """Another server owns what is asked for; the way there is `owner`'s address. A player hears of it seldom."""

    def __init__(self, owner: Owner) -> None:
        super().__init__("server.elsewhere", "this is played at another server; ask again in a moment", status=503)
        self.owner = owner
