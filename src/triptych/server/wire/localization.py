"""Localizes data that is sent to a person."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final, TypeVar

from triptych.i18n.languages import Language
from triptych.i18n.localization import plain_messages

T = TypeVar("T")

# The language of the request that is being answered.
REQUEST_LANGUAGE: Final[ContextVar[Language]] = ContextVar("SPOKEN", default="en")


def localize(value: T, language: Language) -> T:
    """Return a value with its messages in a language; in English the same object."""
    return value if language == "en" else plain_messages(value, language)
