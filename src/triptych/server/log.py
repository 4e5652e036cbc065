"""Logging: one short line for each event on standard error. No line contains a card."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import structlog

from triptych.errors import error_location

_INTERVAL_SECONDS: Final = 1.0  # between two lines of a RateLimitedLogger


def configure(level: int = logging.WARNING) -> None:
    """Set up structlog for this process: readable lines in a terminal, else JSON for log collectors."""
    # uvicorn's tracebacks show the texts of errors, which may contain cards.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


class RateLimitedLogger:
    """Logs frequent events: at most one line a second, with the number left out since the last one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next = clock()
        self._left_out = 0

    def error(self, event: str, **values: object) -> None:
        """Log an error, or count it."""
        self._log(logging.ERROR, event, values)

    def warning(self, event: str, **values: object) -> None:
        """Log a warning, or count it."""
        self._log(logging.WARNING, event, values)

    def _log(self, level: int, event: str, values: dict[str, object]) -> None:
        now = self._clock()
        if now < self._next:
            if not self._left_out:
                self._log_rest_later(level, event)
            self._left_out += 1
            return
        if self._left_out:
            values["left_out"] = self._left_out
        self._next, self._left_out = now + _INTERVAL_SECONDS, 0
        structlog.get_logger().log(level, event, **values)

    def _log_rest_later(self, level: int, event: str) -> None:
        """Log later how many were left out, even when no more come; only where an event loop runs."""
        with suppress(RuntimeError):
            asyncio.get_running_loop().call_later(2 * _INTERVAL_SECONDS, self._log_rest, level, event)

    def _log_rest(self, level: int, event: str) -> None:
        if self._left_out and self._clock() >= self._next:
            left_out, self._left_out = self._left_out, 0
            self._next = self._clock() + _INTERVAL_SECONDS
            structlog.get_logger().log(level, event, left_out=left_out)


def log_unhandled(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error of a task that nothing awaits; an event loop's exception handler."""
    error = context.get("exception")
    structlog.get_logger().error("unhandled error", error=error_location(error) if error else context.get("message"))
