"""Messages to people: looked up by key, and formatted from one catalogue per language.

A catalogue is `<language>.toml`: tables of messages by key, `[table] closed = "The table is closed"` for
`table.closed`. A message has slots:

- `{who}` an argument as it is; a message among the arguments is formatted in the same language
- `{hand.lower}`, `{hand.upper}` the argument with its first letter in lower or upper case
- `{row.in}` the form `in` of a message, `row.front@in`, or the message itself if a language has no such form
- `{count:point~points}` a word chosen by the number in an argument, one for each plural form of the language
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from importlib import resources
from typing import Any, Final, NamedTuple, Self, TypeAlias

from triptych.i18n.languages import Language, decimal_sign, plural_rule

Argument: TypeAlias = str | int | float | Fraction

_SLOT: Final = re.compile(r"\{(\w+)(?:\.(\w+))?(?::([^}]*))?\}")
_MINUS: Final = "\N{MINUS SIGN}"


class Slot(NamedTuple):
    """A slot for an argument in a message: its name, its form, or its plural forms."""

    name: str
    form: str | None
    plurals: tuple[str, ...] | None


Template: TypeAlias = tuple[str | Slot, ...]


class Message(str):
    """A message as English text that keeps its key and arguments, so that it can be translated.

    It can be used wherever a text can. Strings derived from it (`f"{message}!"`, `message.lower()`) are text only.
    """

    __slots__ = ("args", "key")
    key: str
    args: Mapping[str, Argument]

    def __new__(cls, key: str, /, **args: Argument) -> Self:
        """Return the message of a key. Raises KeyError if the key or an argument is missing."""
        message = super().__new__(cls, _format("en", key, args))
        message.key = key
        message.args = args
        return message

    def with_arguments(self, /, **args: Argument) -> Message:
        """Return the message of the same key with other arguments."""
        return Message(self.key, **args)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Message, self.key, **self.args), ()


def translate(text: str, language: Language) -> str:
    """Return a message in a language; other texts are returned as they are."""
    return _format(language, text.key, text.args) if isinstance(text, Message) else text


def has_message(key: str) -> bool:
    """Return whether the catalogue has this key."""
    return key in catalogue("en")


def message_names(prefix: str) -> tuple[str, ...]:
    """Return the last names of the keys that consist of a prefix and one more name."""
    names = (key.removeprefix(prefix) for key in catalogue("en") if key.startswith(prefix))
    return tuple(name for name in names if "." not in name)


def plain_text(value: object) -> str:
    """Return a message as plain English text; the `enc_hook` of msgspec's encoders."""
    if isinstance(value, Message):
        return str(value)
    message = f"{type(value).__name__} cannot be encoded"
    raise TypeError(message)


def _join(last: str, items: Sequence[str]) -> str:
    """Return texts joined with commas, the last one with the sign or word `last`; empty for none."""
    if len(items) < 2:
        return items[0] if items else ""
    first = _join("dots" if last == "dots" else "comma", items[:-1])
    return Message(f"list.{last}", first=first, last=items[-1])


join_with_and = partial(_join, "and")
join_with_or = partial(_join, "or")
join_with_commas = partial(_join, "comma")
join_with_dots = partial(_join, "dots")


@cache
def catalogue(language: Language) -> Mapping[str, str]:
    """Return the message templates of a language by their keys."""
    text = (resources.files("triptych.i18n") / f"{language}.toml").read_text("utf-8")
    return dict(_flat(tomllib.loads(text), ""))


def _flat(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, str):
            yield prefix + name, value
        else:
            yield from _flat(value, f"{prefix}{name}.")


def parse_template(text: str) -> Template:
    """Split a message template into texts and slots."""
    parts: list[str | Slot] = []
    end = 0
    for match in _SLOT.finditer(text):
        if match.start() > end:
            parts.append(text[end : match.start()])
        name, form, plurals = match.groups()
        parts.append(Slot(name, form, None if plurals is None else tuple(plurals.split("~"))))
        end = match.end()
    if end < len(text):
        parts.append(text[end:])
    return tuple(parts)


@cache
def _template(language: Language, key: str) -> Template:
    return parse_template(catalogue(language)[key])


def _format(language: Language, key: str, args: Mapping[str, Argument]) -> str:
    parts = _template(language, key)
    if len(parts) == 1 and isinstance(parts[0], str):
        return parts[0]
    return "".join([part if isinstance(part, str) else _fill(part, args[part.name], language) for part in parts])


def _fill(slot: Slot, value: Argument, language: Language) -> str:
    if slot.plurals is not None:
        index = plural_rule(language)(_number(value))
        return slot.plurals[min(index, len(slot.plurals) - 1)]
    if slot.form is None:
        return _text(value, language)
    if isinstance(value, Message) and (form := f"{value.key}@{slot.form}") in catalogue(language):
        return _format(language, form, value.args)
    text = _text(value, language)
    if slot.form in ("lower", "upper"):
        return (text[:1].lower() if slot.form == "lower" else text[:1].upper()) + text[1:]
    return text


def _text(value: Argument, language: Language) -> str:
    if isinstance(value, Message):
        return str(value) if language == "en" else _format(language, value.key, value.args)
    if isinstance(value, str | int):
        return str(value)
    return f"{Decimal(repr(float(value))):f}".removesuffix(".0").replace(".", decimal_sign(language))


def _number(value: Argument) -> float | Fraction:
    number = float(value.replace(_MINUS, "-").replace(",", "")) if isinstance(value, str) else value
    return number if number >= 0 else -number
