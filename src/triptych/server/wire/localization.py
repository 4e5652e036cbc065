"""What goes out to a person, in the language that they read."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final, TypeVar

from triptych.i18n.languages import Language
from triptych.i18n.localization import plain_messages

T = TypeVar("T")

# The language of the request that is being answered.
REQUEST_LANGUAGE: Final[ContextVar[Language]] = ContextVar("SPOKEN", default="en")


def localize(thing: T, language: Language) -> T:
    """Return something that goes out with its messages in a language; the very same thing in English."""
    return thing if language == "en" else plain_messages(thing, language)
