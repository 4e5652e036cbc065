"""Decodes and verifies input from clients, with errors that say where it is wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeVar

import msgspec

from triptych.i18n.messages import Message
from triptych.json_input import JsonInputError, decode_as
from triptych.server.wire.errors import ApiError
from triptych.table.names import readable_name

T = TypeVar("T")

MAX_MESSAGE: Final = 64 * 1024
# The maximum memory of a connection: of received data that is not read yet, and of data that it has not received yet.
MAX_HELD: Final = 8 * MAX_MESSAGE
MAX_NAME: Final = 24
MAX_LABEL: Final = 60


def decode_request(text: str | bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """Return the message as the decoder's type. Raises ApiError with the path of the error."""
    try:
        return decode_as(text, decoder)
    except JsonInputError as error:
        if error.code == "line.json":
            raise ApiError("request.json", "this is not JSON") from None
        raise ApiError("request.invalid", error.message, error.path) from None


_decoder_of: Final[Callable[[Any], msgspec.json.Decoder[Any]]] = cache(msgspec.json.Decoder)


def decode_input(text: str | bytes, kind: type[T]) -> T:
    """Return the message as a type. Raises ApiError with the path of the error."""
    decoder: msgspec.json.Decoder[T] = _decoder_of(kind)
    return decode_request(text, decoder)


def verify_name(text: str, path: str, longest: int = MAX_NAME) -> str:
    """Return a name in its normal form. Raises ApiError when it is unreadable or too long."""
    name = readable_name(text)
    if name is None:
        raise ApiError("name.bad", Message("error.name.invisible"), path)
    if len(name) > longest:
        raise ApiError("name.bad", Message("error.name.length", longest=longest), path)
    return name
