"""The server's web application, built once: to build it takes a sixth of a second of the processor."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from litestar import Litestar
from msgspec import Raw

from triptych.server import bootstrap
from triptych.server.app import web_app
from triptych.server.bots.driver import BotDriver
from triptych.server.services import Services

Lifespan = Callable[[Litestar], AbstractAsyncContextManager[None]]


class Application:
    """Litestar's application, over the services of one server after another."""

    services: Callable[[], Services]
    lifespan: Lifespan

    def __init__(self) -> None:
        self._app = web_app(self._services, self._lifespan)

    def _services(self) -> Services:
        return self.services()

    def _lifespan(self, app: Litestar) -> AbstractAsyncContextManager[None]:
        return self.lifespan(app)

    def serve(self, services: Callable[[], Services], lifespan: Lifespan) -> Litestar:
        """Serve this server from now on."""
        self.services, self.lifespan = services, lifespan
        return self._app


def spare_the_start() -> None:
    """Let the server of this process use the application that was built in the process that it was forked from.

    Its bots' processes start when a bot is asked, not before: most servers seat none, and each costs half a second.
    """
    vars(bootstrap)["web_app"] = _BUILT.serve
    setattr(BotDriver, "prepare", _prepare_nothing)  # noqa: B010 - a method of its class


def _prepare_nothing(_bots: BotDriver, _rules: Raw) -> None:
    pass


_BUILT = Application()
