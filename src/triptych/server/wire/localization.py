"""Localizes data that is sent to a person."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final, TypeVar

import msgspec

from triptych.i18n.languages import Language
from triptych.i18n.localization import plain_messages
from triptych.i18n.messages import plain_text

T = TypeVar("T")

# The language of the request that is being answered.
REQUEST_LANGUAGE: Final[ContextVar[Language]] = ContextVar("SPOKEN", default="en")
_JSON: Final = msgspec.json.Encoder(enc_hook=plain_text)


def localize(value: T, language: Language) -> T:
    """Return a value with its messages in a language; in English the same object."""
    return value if language == "en" else plain_messages(value, language)


def encode_json(value: object, language: Language = "en") -> bytes:
    """Return a value as JSON, with its messages in a language."""
    return _JSON.encode(localize(value, language))
