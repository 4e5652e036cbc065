"""A phrase of the catalogue as a pattern: it reads an English sentence, and says the same in another language.

Written `{who} adds {n} point[s]`. What stands in brackets may be missing; what stands in braces is an argument, whose
name's letters say what it is:

- `n` a number, with its sign; a translation may choose a form by it: `{n} {n:очко~очка~очков}`
- `t` something that is itself a phrase; `l` several of them, with commas and `or`; `a` with commas and `and`
- `h` a hand, a phrase or by its ranks (`QQ`); `r` ranks (`66`); `i` rows of a table, with commas
- `k` a phrase, or a word of somebody's own, such as a title; `s` the rules in one line; `w` names, with `and`
- `p` a player, without commas and the like; `c` cards by their signs; anything else stays as it is: a name, a list
  of names and points
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

_PIECE: Final = re.compile(r"\{(\w+?)(\d*)\}|\[([^\]]*)\]")
_READS: Final = {
    "n": "[+\N{MINUS SIGN}-]?\\d+(?:[.,]\\d+)*",
    "r": "[2-9TJQKA]+",
    "p": "[^,;:()]+?",
    "s": "(?:[0-9]|best row).*",
    "c": "[^a-z]+",
}
TRANSLATED_KINDS: Final = frozenset("htlaiksw")
_SAYS: Final = re.compile(r"\{(\w+)(?::([^}]*))?\}")


class PhrasePattern(NamedTuple):
    """An English phrase: what reads it, how many of its letters are fixed, the kind of each argument."""

    english: str
    reads: re.Pattern[str]
    weight: int
    kinds: Mapping[str, str]


def compile_pattern(english: str) -> PhrasePattern:
    """Return a phrase of the catalogue as what reads it."""
    parts: list[str] = []
    kinds: dict[str, str] = {}
    at = weight = 0
    for piece in _PIECE.finditer(english):
        fixed = english[at : piece.start()]
        weight += len(fixed)
        parts.append(re.escape(fixed))
        kind, number, optional = piece.groups()
        if optional is not None:
            parts.append(f"(?:{re.escape(optional)})?")
        elif (name := kind + number) in kinds:
            parts.append(f"(?P={name})")
        else:
            kinds[name] = kind
            parts.append(f"(?P<{name}>{_READS.get(kind, '.+?')})")
        at = piece.end()
    parts.append(re.escape(english[at:]))
    return PhrasePattern(english, re.compile("".join(parts), re.DOTALL), weight + len(english[at:]), kinds)


def placeholder_names(text: str) -> set[str]:
    """Return the names of a phrase's arguments, in English or in another language."""
    return {piece[1] for piece in _SAYS.finditer(text)}


def render(text: str, values: Mapping[str, str], form: Callable[[float], int]) -> str:
    """Return a translation with its arguments; `form` gives the place of a number's plural form."""

    def one(piece: re.Match[str]) -> str:
        value = values[piece[1]]
        if piece[2] is None:
            return value
        forms = piece[2].split("~")
        return forms[min(form(abs(_number(value))), len(forms) - 1)]

    return _SAYS.sub(one, text)


@lru_cache(maxsize=1024)
def _number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-").replace(",", ""))
