"""A language's phrase book: what the server says in English, said in that language.

The other rooms say plain English sentences, and so do stored events, history files and JSON lines. Only on its way to
a person who reads another language is a sentence read, by the pattern that it was made by, and said anew. So a
sentence stored years ago is understood, no other room knows of languages, and what is said in English costs nothing.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from triptych.i18n import messages
from triptych.i18n.languages import Language, plural_rule
from triptych.i18n.pattern import TRANSLATED_KINDS, PhrasePattern, compile_pattern, render

MAX_SENTENCE: Final = 2_000
_LIST: Final = re.compile(r", | or (?!better|lower|more|higher)")
_BOTH: Final = re.compile(r", | and ")
_ITEMS: Final = re.compile(", ")
_LISTS: Final = {"l": _LIST, "a": _BOTH, "i": _ITEMS}


def catalogue(language: Language) -> dict[str, str]:
    """Return a language's phrases by their English ones, as they are written."""
    text = (resources.files("triptych.i18n") / f"patterns_{language}.toml").read_text("utf-8")
    found: dict[str, str] = tomllib.loads(text)
    return found


class Translator:
    """The phrases of one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        phrases = catalogue(language)
        self._whole: dict[str, str] = {}
        self._patterns: list[tuple[PhrasePattern, str]] = []
        for english, own in phrases.items():
            read = compile_pattern(english)
            if read.kinds or "[" in english:
                self._patterns.append((read, own))
            else:
                self._whole[english] = own
        # The one that says most itself is tried first.
        self._patterns.sort(key=lambda entry: -entry[0].weight)
        self._form = plural_rule(language)
        self._comma, self._and, self._or = (phrases[joint] for joint in (", ", " and ", " or "))
        self.translate = lru_cache(maxsize=16_384)(self._say)

    def _say(self, english: str) -> str:
        """Return a sentence in this language; as it is where no phrase reads it."""
        found = self.find_translation(english) if len(english) <= MAX_SENTENCE else None
        return english if found is None else found

    def find_translation(self, english: str) -> str | None:
        """Return a sentence in this language, None where no phrase reads it."""
        return self._read(english, 0)

    def _read(self, english: str, depth: int) -> str | None:
        if depth > 6 or not english:
            return None
        if (found := self._known(english, depth)) is not None:
            return found
        if " · " in english:
            return " · ".join([self._read(part, depth + 1) or part for part in english.split(" · ")])
        # A phrase may stand inside a sentence, or begin one, or lack its full stop.
        first = english[0]
        turned = first.upper() if first.islower() else first.lower()
        if turned != first and (found := self._known(turned + english[1:], depth)) is not None:
            return (found[0].lower() if first.islower() else found[0].upper()) + found[1:]
        if not english.endswith(".") and (found := self._known(f"{english}.", depth)) is not None:
            return found.removesuffix(".").removesuffix("\N{IDEOGRAPHIC FULL STOP}")
        return None

    def _known(self, english: str, depth: int) -> str | None:
        if (found := self._whole.get(english)) is not None:
            return found
        # What the rules come to in one line is read part by part, unless a sentence is about it.
        whole = " · " in english
        for read, own in self._patterns:
            if (whole and "s" not in read.kinds) or (match := read.reads.fullmatch(english)) is None:
                continue
            values = match.groupdict()
            for name, kind in read.kinds.items():
                if kind in TRANSLATED_KINDS and (value := self._argument(kind, values[name], depth)) is not None:
                    values[name] = value
                elif kind in TRANSLATED_KINDS:
                    break
            else:
                return self._cased(read, own, english, values)
        return None

    def _cased(self, read: PhrasePattern, own: str, english: str, values: dict[str, str]) -> str:
        """Return a phrase said; one that begins with a phrase is large or small as that one is."""
        first = next(iter(values), "")
        if not read.english.startswith(f"{{{first}}}") or read.kinds.get(first) != "t" or self.language == "zh":
            return render(own, values, self._form)
        if not own.startswith("{") and english[0].isupper():
            values[first] = values[first][0].lower() + values[first][1:]
        text = render(own, values, self._form)
        return text[0].lower() + text[1:] if english[0].islower() else text

    def _argument(self, kind: str, english: str, depth: int) -> str | None:
        if kind == "h" and re.fullmatch("[2-9TJQKA]+", english):
            return english
        if kind == "w":
            return self._joined(_BOTH.split(english), self._and, english)
        if kind in _LISTS:
            said_parts = [self._read(part, depth + 1) for part in _LISTS[kind].split(english)]
            parts = [part for part in said_parts if part is not None]
            if len(parts) == len(said_parts):
                return self._joined(parts, self._or if kind == "l" else self._and, english)
        found = self._read(english, depth + 1)
        return english if found is None and kind == "k" else found

    def _joined(self, parts: list[str], joint: str, english: str) -> str:
        *most, last = parts
        if not most:
            return last
        text = most[0]
        for part in most[1:]:
            text = render(self._comma, {"a": text, "b": part}, self._form)
        closing = joint if " and " in english or " or " in english else self._comma
        return render(closing, {"a": text, "b": last}, self._form)


@cache
def translator(language: Language) -> Translator:
    """Return the phrase book of a language other than English."""
    return Translator(language)


def translate(english: str, language: Language) -> str:
    """Return what the server says in a language; in English, and where no phrase reads it, as it is."""
    if isinstance(english, messages.Message):
        return messages.translate(english, language)
    return english if language == "en" else translator(language).translate(english)
