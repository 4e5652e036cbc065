"""Replace the messages in a result with plain text in one language."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from triptych.i18n.languages import Language
from triptych.i18n.messages import Message, translate

T = TypeVar("T")

_PLAIN: Final = frozenset({str, int, float, bool, type(None)})


def plain_messages(value: T, language: Language = "en") -> T:
    """Return a value with its messages as plain text in a language, which any encoder takes."""
    plain: T = _plain(value, language)
    return plain


def _plain(value: Any, language: Language) -> Any:  # noqa: ANN401 - any result
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Message):
        return translate(value, language)
    if isinstance(value, Struct):
        return _struct(value, language)
    if isinstance(value, list | tuple):
        items = [_plain(item, language) for item in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, dict):
        return {key: _plain(item, language) for key, item in value.items()}
    return value


def _struct(struct: Struct, language: Language) -> Struct:
    changes: dict[str, Any] = {}
    for field in struct.__struct_fields__:
        value = getattr(struct, field)
        if type(value) not in _PLAIN and (new := _plain(value, language)) is not value:
            changes[field] = new
    return replace(struct, **changes) if changes else struct
