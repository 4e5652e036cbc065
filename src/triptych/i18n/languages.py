"""The languages of the program, with their plural forms and decimal signs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final, Literal, get_args

Language = Literal["en", "zh", "ru", "es", "fi", "vi"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


def negotiate_language(accept_language: str) -> Language:
    """Return the first supported language of an Accept-Language header, or English."""
    for item in accept_language.split(","):
        tag = item.partition(";")[0].strip().lower().partition("-")[0]
        for language in LANGUAGES:
            if tag == language:
                return language
    return "en"


def plural_rule(language: Language) -> Callable[[float | Fraction], int]:
    """Return the index of a number's plural form in a language (CLDR): Russian one, few, many; English one, other."""
    if language in ("zh", "vi"):
        return lambda _: 0
    if language == "ru":
        return _slavic
    return lambda number: 0 if number == 1 else 1


def _slavic(number: float | Fraction) -> int:
    if number != int(number):
        return 1
    last, tens = int(number) % 10, int(number) % 100
    if last == 1 and tens != 11:
        return 0
    return 1 if last in (2, 3, 4) and tens not in (12, 13, 14) else 2


def decimal_sign(language: Language) -> str:
    """Return the decimal sign of a language."""
    return "." if language in ("en", "zh") else ","
