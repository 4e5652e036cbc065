"""Parse untrusted TOML: its size is checked in one pass before it is parsed.

The parser of the standard library takes time and memory that grow with the square of a key's parts, recurses into
each bracket, and fails with its own error at Python's limit of digits.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

from triptych.i18n.messages import Message

_LINE_AND_COLUMN: Final = re.compile(r" \(at line (\d+), column (\d+)\)$")
# Beginnings of the parser's messages, and the last part of the keys of our messages.
_CAUSES: Final = (
    (r"Cannot|Duplicate", "twice"),
    (r"Unclosed|Expected '\]", "unclosed"),
    (r"Unterminated|Unescaped|Illegal|Invalid hex|Escaped", "string"),
    (r"Invalid value|Invalid date", "value"),
)
MAX_PARTS: Final = 16
MAX_DEPTH: Final = 32
MAX_KEY_LENGTH: Final = 256

# Strings and comments are single tokens; possessive quantifiers keep the pass linear. An unterminated string ends at
# the end of its line or of the text, where the parser fails too.
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
    """The text is not TOML, or exceeds the limits; `problem` describes the error and its line."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


def parse_toml(text: str) -> dict[str, Any]:
    """Return the document of a TOML text; a byte-order mark is ignored. Raises TomlError.

    Limits, several times higher than any rules or history needs: 16 parts of a key, 32 levels of lists and tables,
    256 characters of a bare key or number.
    """
    text = text.removeprefix("\ufeff")
    _verify(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(_problem(text, str(error))) from None
    except (ValueError, RecursionError) as error:  # such as a surrogate; every failure becomes a TomlError
        raise TomlError(Message("rules_error.unreadable_value", kind=type(error).__name__)) from None


def _verify(text: str) -> None:
    parts, depth = 1, 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "word":
            if token.end() - token.start() > MAX_KEY_LENGTH:
                raise _token_error(text, token, Message("rules_error.word_length", most=MAX_KEY_LENGTH))
        elif kind == "sign":
            sign = token[0]
            if sign == ".":
                parts += 1
                if parts > MAX_PARTS:
                    raise _token_error(text, token, Message("rules_error.key_parts", most=MAX_PARTS))
                continue
            parts = 1
            if sign in "[{":
                depth += 1
                if depth > MAX_DEPTH:
                    raise _token_error(text, token, Message("rules_error.depth", most=MAX_DEPTH))
            elif sign in "]}":
                depth = max(0, depth - 1)


def _token_error(text: str, token: re.Match[str], message: str) -> TomlError:
    line = text.count("\n", 0, token.start()) + 1
    column = token.start() - text.rfind("\n", 0, token.start())
    return TomlError(Message("rules_error.at", problem=message, line=line, column=column))


def _problem(text: str, parser_error: str) -> str:
    if place := _LINE_AND_COLUMN.search(parser_error):
        return Message("rules_error.at", problem=_cause(parser_error), line=int(place[1]), column=int(place[2]))
    return Message("rules_error.at_end", problem=_cause(parser_error), line=len(text.splitlines()) or 1)


def _cause(parser_error: str) -> str:
    cause = next((cause for pattern, cause in _CAUSES if re.match(pattern, parser_error)), "statement")
    return Message(f"toml.{cause}")
