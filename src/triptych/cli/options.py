"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter, validators

SetRules = Annotated[list[str] | None, Parameter(name="--set", negative=())]
"""Options of the rules to change, `key=value` each."""

Boards = Annotated[list[str] | None, Parameter(negative=())]
"""Boards as text, front/middle/back."""

STDIN = Path("-")

File = Annotated[Path, Parameter(allow_leading_hyphen=True)]
"""A file to read; `-` is standard input."""

Exactness = Annotated[float, Parameter(validator=validators.Number(gte=0.001, lte=1000))]
"""The standard error in points at which to stop thinking about a placement."""

Switch = Annotated[bool, Parameter(negative=())]
"""On when given; there is no `--no-…`."""
