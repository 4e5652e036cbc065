"""Logging: one short line an event on standard error. Nothing that is logged holds a card (DESIGN 6)."""

from __future__ import annotations

import logging
import sys

import structlog


def configure(level: int = logging.WARNING) -> None:
    """Set up structlog for this process."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
