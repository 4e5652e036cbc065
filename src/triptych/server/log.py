"""Logging: one short line an event on standard error. Nothing that is logged holds a card (DESIGN 6)."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import structlog


def configure(level: int = logging.WARNING) -> None:
    """Set up structlog for this process."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def where(error: BaseException) -> str:
    """Return the kind of an error and the line that raised it; never its text, which may hold cards."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    line = "" if trace is None else f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
    return type(error).__name__ + line
