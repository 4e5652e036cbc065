"""What a check of the rules finds."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Diagnostic(Struct, frozen=True):
    """One contradiction: its code in check.CODES, what to do about it, and where."""

    severity: Literal["error", "warning"]
    code: str
    message: str
    path: str


def error(code: str, path: str, message: str) -> Diagnostic:
    """Return a finding for which a table refuses the rules."""
    return Diagnostic("error", f"check.{code}", message, f"$.{path}")


def warning(code: str, path: str, message: str) -> Diagnostic:
    """Return a finding that is shown to whoever edits the rules."""
    return Diagnostic("warning", f"check.{code}", message, f"$.{path}")
