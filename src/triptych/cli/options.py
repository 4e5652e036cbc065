"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter, Token, validators

SetRules = Annotated[list[str] | None, Parameter(name="--set", negative=())]
"""Options of the rules to change, `key=value` each."""

Boards = Annotated[list[str] | None, Parameter(negative=())]
"""Boards as text, front/middle/back."""

STDIN = Path("-")

File = Annotated[Path, Parameter(allow_leading_hyphen=True)]
"""A file to read; `-` is standard input."""

Exactness = Annotated[float, Parameter(validator=validators.Number(gte=0.001, lte=1000))]
"""The standard error in points at which to stop thinking about a placement."""


def read_secret(_: object, tokens: Sequence[Token]) -> str:
    """Return an option's text, or for `@FILE` the file's stripped content. Raises ValueError if it is empty."""
    text = tokens[0].value
    if not text.startswith("@"):
        return text
    try:
        secret = Path(text[1:]).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot read {text[1:]}") from error
    if not secret:
        raise ValueError(f"{text[1:]} is empty")
    return secret


Secret = Annotated[str, Parameter(converter=read_secret)]
"""A text that may hold a password: `@FILE` reads it from a file, so that no list of processes shows it."""

Switch = Annotated[bool, Parameter(negative=())]
"""A flag without `--no-…`."""
