"""TOML that strangers send: checked in one pass before it is parsed.

The parser of the standard library takes time and memory that grow with the square of a key's parts, recurs into each
bracket, and stops at Python's limit of digits with an error of its own.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

from triptych.i18n.messages import Message

_PLACE: Final = re.compile(r" \(at line (\d+), column (\d+)\)$")
# How the parser's messages begin, and the last part of the key of ours.
_CAUSES: Final = (
    (r"Cannot|Duplicate", "twice"),
    (r"Unclosed|Expected '\]", "unclosed"),
    (r"Unterminated|Unescaped|Illegal|Invalid hex|Escaped", "string"),
    (r"Invalid value|Invalid date", "value"),
)
MAX_PARTS: Final = 16
MAX_DEPTH: Final = 32
MAX_KEY_LENGTH: Final = 256

# Strings and comments are stepped over whole; possessive quantifiers keep the walk linear. A string that never ends
# goes to the end of its line or of the text, as for the parser, which stops there.
_TOKEN: Final = re.compile(
    r'''
      (?P<skip> \#[^\n]*+
              | """(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}+|\\?\Z)
              | \'\'\'(?:[^']|'(?!\'\'))*+(?:'{3,5}+|\Z)
              | "(?:[^"\\\n]|\\[^\n])*+"?
              | '[^'\n]*+'? )
    | (?P<word> [^\s"'\#.=,\[\]{}]++ )
    | (?P<space> [ \t\r]++ )
    | (?P<sign> . )
    ''',
    re.VERBOSE | re.DOTALL,
)


class TomlError(ValueError):
    """A text that is no TOML, or none that is parsed here; `problem` says what is wrong, and on which line."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


def parse_toml(text: str) -> dict[str, Any]:
    """Return the document; a byte-order mark before it is overlooked. Raises TomlError.

    A key has at most 16 parts, lists and tables stand at most 32 deep, and a bare word or number has at most 256
    letters: several times what any file of this game needs.
    """
    text = text.removeprefix("\ufeff")
    _verify(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(_problem(text, str(error))) from None
    except (ValueError, RecursionError) as error:  # such as a surrogate; every failure is a refusal
        raise TomlError(Message("rules_error.unreadable_value", kind=type(error).__name__)) from None


def _verify(text: str) -> None:
    parts, depth = 1, 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "word":
            if token.end() - token.start() > MAX_KEY_LENGTH:
                raise _refusal(text, token, Message("rules_error.word_length", most=MAX_KEY_LENGTH))
        elif kind == "sign":
            sign = token[0]
            if sign == ".":
                parts += 1
                if parts > MAX_PARTS:
                    raise _refusal(text, token, Message("rules_error.key_parts", most=MAX_PARTS))
                continue
            parts = 1
            if sign in "[{":
                depth += 1
                if depth > MAX_DEPTH:
                    raise _refusal(text, token, Message("rules_error.depth", most=MAX_DEPTH))
            elif sign in "]}":
                depth = max(0, depth - 1)


def _refusal(text: str, token: re.Match[str], message: str) -> TomlError:
    line = text.count("\n", 0, token.start()) + 1
    column = token.start() - text.rfind("\n", 0, token.start())
    return TomlError(Message("rules_error.at", problem=message, line=line, column=column))


def _problem(text: str, refusal: str) -> str:
    """Return what the parser refuses, and where."""
    if place := _PLACE.search(refusal):
        return Message("rules_error.at", problem=_cause(refusal), line=int(place[1]), column=int(place[2]))
    return Message("rules_error.at_end", problem=_cause(refusal), line=len(text.splitlines()) or 1)


def _cause(refusal: str) -> str:
    """Return a message for the parser's English words."""
    cause = next((cause for words, cause in _CAUSES if re.match(words, refusal)), "statement")
    return Message(f"toml.{cause}")
