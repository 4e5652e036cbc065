"""Check the arguments of public functions: numbers (numpy's too), choices, and plain data from mappings."""

from __future__ import annotations

import operator
from collections.abc import Collection, Mapping, Sequence
from typing import Final, SupportsIndex, TypeVar, cast

from triptych.errors import TriptychError

T = TypeVar("T", bound=str)

CODES: Final = {
    "value.type": "An argument is of the wrong type.",
    "value.range": "A number is out of its bounds.",
    "value.choice": "An argument is not one of the allowed values.",
}
MAX_SEED: Final = (1 << 63) - 1
_MAX_SHOWN_CHARS: Final = 60  # characters of a value in a message


class ArgumentError(TriptychError):
    """An invalid argument; `code` is one of CODES, `path` names the parameter: `$.seat`."""


def whole_number(value: object, path: str, minimum: int, maximum: int) -> int:
    """Return a whole number of any integer type, within bounds. Raises ArgumentError."""
    integer = _as_int(value)
    if integer is None:
        raise ArgumentError("value.type", f"expected a whole number, not {describe_value(value)}", path)
    if not minimum <= integer <= maximum:
        raise ArgumentError("value.range", f"expected {minimum} to {maximum}, not {describe_value(integer)}", path)
    return integer


def number(value: object, path: str, minimum: float, maximum: float) -> float:
    """Return a number of any numeric type, within bounds; not NaN. Raises ArgumentError."""
    amount = plain(value)
    if isinstance(amount, bool) or not isinstance(amount, int | float):
        raise ArgumentError("value.type", f"expected a number, not {describe_value(value)}", path)
    if not minimum <= amount <= maximum:
        raise ArgumentError(
            "value.range", f"expected a number from {minimum:g} to {maximum:g}, not {describe_value(amount)}", path
        )
    return float(amount)


def switch(value: object, path: str) -> bool:
    """Return True or False. Raises ArgumentError."""
    flag = plain(value)
    if not isinstance(flag, bool):
        raise ArgumentError("value.type", f"expected True or False, not {describe_value(value)}", path)
    return flag


def choice(value: object, path: str, choices: Collection[T]) -> T:
    """Return a text that is one of the choices. Raises ArgumentError."""
    if not isinstance(value, str) or value not in choices:
        raise ArgumentError(
            "value.choice", f"expected one of {', '.join(choices)}, not {describe_value(value)}", path
        )
    return cast("T", value)


def mapping(value: object, path: str, expected: str) -> dict[object, object]:
    """Return a mapping as plain data; `expected` describes it for the message. Raises ArgumentError."""
    if not isinstance(value, Mapping):
        raise ArgumentError("value.type", f"expected {expected}, not {describe_value(value)}", path)
    return {key: plain(item) for key, item in value.items()}


def plain(value: object) -> object:
    """Return a value with dicts for mappings, lists for other sequences and arrays, Python's numbers for numpy's."""
    if isinstance(value, Mapping):
        return {key if (integer := _as_int(key)) is None else integer: plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray | memoryview):
        return [plain(item) for item in value]
    return value


def describe_value(value: object) -> str:
    """Return a value for a message: its type and the beginning of its repr."""
    if value is None:
        return "None"
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a foreign class, or a number of too many digits
        return type(value).__name__
    text = text if len(text) <= _MAX_SHOWN_CHARS else f"{text[:_MAX_SHOWN_CHARS]}…"
    return text if isinstance(value, str | int | float) else f"{type(value).__name__} {text}"


def _as_int(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    try:
        return operator.index(cast("SupportsIndex", value))
    except TypeError:
        return None
