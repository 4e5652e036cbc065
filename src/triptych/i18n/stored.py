"""Messages in the store: the English text and, after a mark, key and arguments, so that it can be translated.

Text without the mark, stored by older versions, stays plain English; so does a message whose key was removed.
"""

from __future__ import annotations

from typing import Any, Final, Self

import msgspec

from triptych.i18n.messages import Argument, Message

_MARK: Final = "\x1f"


class StoredMessage(Message):
    """A message from the store; its key and arguments are decoded on first use."""

    __slots__ = ("_parts",)
    _parts: str

    def __new__(cls, english: str, parts: str) -> Self:
        """Return the message of an English text and the JSON after its mark."""
        message = str.__new__(cls, english)
        message._parts = parts  # noqa: SLF001 - its own
        return message

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - key or arguments
        """Decode key and arguments; a message whose key is unknown keeps its English text."""
        if name not in ("key", "args"):
            raise AttributeError(name)
        try:
            message = _message(msgspec.json.decode(self._parts))
        except (msgspec.DecodeError, AttributeError, KeyError, TypeError, ValueError):
            message = Message("list.item", item=str(self))
        self.key, self.args = message.key, message.args
        return getattr(message, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return StoredMessage, (str(self), self._parts)


def stored_text(value: object) -> str:
    """Return a message as text that `restore_text` reads; the `enc_hook` of encoders whose result is stored."""
    if isinstance(value, StoredMessage):
        return f"{value!s}{_MARK}{value._parts}"  # noqa: SLF001 - as it was read
    if isinstance(value, Message):
        return f"{value!s}{_MARK}{msgspec.json.encode(_parts(value)).decode()}"
    message = f"{type(value).__name__} cannot be encoded"
    raise TypeError(message)


def restore_text(text: str) -> str:
    """Return stored text as a message, or as it is if it was plain text."""
    if _MARK not in text or isinstance(text, Message):
        return text
    english, _, parts = text.rpartition(_MARK)
    return StoredMessage(english, parts)


def _parts(message: Message) -> list[Any]:
    return [message.key, {name: _argument(value) for name, value in message.args.items()}]


def _argument(value: Argument) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, Message):
        return _parts(value)
    return value if isinstance(value, str | int) else float(value)


def _message(parts: Any) -> Message:  # noqa: ANN401 - JSON
    key, args = parts
    restored = {name: _message(value) if isinstance(value, list) else value for name, value in args.items()}
    return Message(key, **restored)
