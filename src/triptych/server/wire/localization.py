"""What goes out to a person, in the language that they read: each message is formatted, all else stays as it is."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from triptych.i18n.languages import Language
from triptych.i18n.messages import Message, translate

T = TypeVar("T")

_PLAIN: Final = frozenset({str, int, float, bool, type(None)})
# The language of the request that is being answered.
REQUEST_LANGUAGE: Final[ContextVar[Language]] = ContextVar("SPOKEN", default="en")


def localize(thing: T, language: Language) -> T:
    """Return something that goes out with its messages in a language; the very same thing in English."""
    if language == "en":
        return thing
    localized: T = _localize(thing, language)
    return localized


def _localize(thing: Any, language: Language) -> Any:  # noqa: ANN401 - whatever goes out
    if type(thing) in _PLAIN:
        return thing
    if isinstance(thing, Message):
        return translate(thing, language)
    if isinstance(thing, Struct):
        return _struct(thing, language)
    if isinstance(thing, list | tuple):
        parts = [_localize(one, language) for one in thing]
        if all(new is old for new, old in zip(parts, thing, strict=True)):
            return thing
        return parts if isinstance(thing, list) else tuple(parts)
    if isinstance(thing, dict):
        return {key: _localize(value, language) for key, value in thing.items()}
    return thing


def _struct(thing: Struct, language: Language) -> Struct:
    changes: dict[str, Any] = {}
    for field in thing.__struct_fields__:
        value = getattr(thing, field)
        if (new := _localize(value, language)) is not value:
            changes[field] = new
    return replace(thing, **changes) if changes else thing
