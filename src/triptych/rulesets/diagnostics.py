"""Diagnostics of a check of the rules."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Diagnostic(Struct, frozen=True):
    """One contradiction: its code in validate.CODES, a message with a remedy, and its path."""

    severity: Literal["error", "warning"]
    code: str
    message: str
    path: str


def error(code: str, path: str, message: str) -> Diagnostic:
    """Return a diagnostic that makes a table reject the rules."""
    return Diagnostic("error", f"check.{code}", message, f"$.{path}")


def warning(code: str, path: str, message: str) -> Diagnostic:
    """Return a diagnostic that is shown to the editor of the rules."""
    return Diagnostic("warning", f"check.{code}", message, f"$.{path}")
