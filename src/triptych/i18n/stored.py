"""Messages in the store: the English text and, behind a mark, key and arguments, so that it is read in any language.

Text without the mark, stored by older versions, stays plain English; so does a message whose key is gone.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from triptych.i18n.messages import Argument, Message

_MARK: Final = "\x1f"


def stored_text(value: object) -> str:
    """Return a message as text that `restore_text` reads; the `enc_hook` of encoders whose result is stored."""
    if isinstance(value, Message):
        return f"{value!s}{_MARK}{msgspec.json.encode(_parts(value)).decode()}"
    message = f"{type(value).__name__} cannot be encoded"
    raise TypeError(message)


def restore_text(text: str) -> str:
    """Return stored text as the message that it was; as it is where it was none."""
    if _MARK not in text or isinstance(text, Message):
        return text
    english, _, parts = text.rpartition(_MARK)
    try:
        return _message(msgspec.json.decode(parts))
    except (msgspec.DecodeError, AttributeError, KeyError, TypeError, ValueError):
        return english


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
