"""Results with their messages in one language: each is formatted as plain text, all else stays as it is."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from triptych.i18n.languages import Language
from triptych.i18n.messages import Message, translate

T = TypeVar("T")

_PLAIN: Final = frozenset({str, int, float, bool, type(None)})


def plain_messages(thing: T, language: Language = "en") -> T:
    """Return something with its messages as plain text in a language, which any encoder takes."""
    plain: T = _plain(thing, language)
    return plain


def _plain(thing: Any, language: Language) -> Any:  # noqa: ANN401 - whatever goes out
    if type(thing) in _PLAIN:
        return thing
    if isinstance(thing, Message):
        return translate(thing, language)
    if isinstance(thing, Struct):
        return _struct(thing, language)
    if isinstance(thing, list | tuple):
        parts = [_plain(one, language) for one in thing]
        if all(new is old for new, old in zip(parts, thing, strict=True)):
            return thing
        return parts if isinstance(thing, list) else tuple(parts)
    if isinstance(thing, dict):
        return {key: _plain(value, language) for key, value in thing.items()}
    return thing


def _struct(thing: Struct, language: Language) -> Struct:
    changes: dict[str, Any] = {}
    for field in thing.__struct_fields__:
        value = getattr(thing, field)
        if type(value) not in _PLAIN and (new := _plain(value, language)) is not value:
            changes[field] = new
    return replace(thing, **changes) if changes else thing
