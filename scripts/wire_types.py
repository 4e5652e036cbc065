"""Write client/src/api/generated/types.ts from the server's own message types; `--check` only compares.

    python scripts/wire_types.py [--check]

A struct becomes an interface, its tag a literal field, its docstring a comment. A field with a default is
optional only in what the client sends: the server always writes every field.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import NODEFAULT, inspect

from scripts.generated import run
from triptych.board import Layout, RowName
from triptych.deal.actions import Action
from triptych.rulesets.model import NaturalKind
from triptych.server.app import ROUTES
from triptych.server.endpoint import endpoint_of
from triptych.server.wire import bodies, messages
from triptych.table.commands import PlayerRequest
from triptych.tournament.commands import TournamentRequest

if TYPE_CHECKING:
    from collections.abc import Iterator

TARGET = Path(__file__).parents[1] / "client" / "src" / "api" / "generated" / "types.ts"
HEADER = "// Generated from the server's types by scripts/wire_types.py. Do not edit.\n"

# Named types that are not structs; the first match wins, so smaller unions come first.
NAMED: dict[str, Any] = {
    "RowName": RowName,
    "NaturalKind": NaturalKind,
    "Action": Action,
    "PlayerRequest": PlayerRequest,
    "TournamentRequest": TournamentRequest,
    "ClientMessage": messages.ClientMessage,
    "ServerMessage": messages.ServerMessage,
}
# What addresses take and answer, as their handlers say (server/endpoint.py).
CONTRACTS = [contract for handler in ROUTES if (contract := endpoint_of(handler.opt)) is not None]
INPUT: tuple[Any, ...] = (
    messages.ClientMessage,
    TournamentRequest,
    *(contract.request for contract in CONTRACTS if contract.request is not None),
)
OUTPUT: tuple[Any, ...] = (
    messages.ServerMessage,
    Layout,
    bodies.ErrorBody,
    *(contract.response for contract in CONTRACTS if not isinstance(contract.response, str)),
)

Names = list[tuple[inspect.Type, str]]


def structs(info: inspect.Type, structs_by_type: dict[type, inspect.StructType]) -> None:
    """Collect every struct that a type reaches into `seen`, in order of first use."""
    if isinstance(info, inspect.StructType):
        if info.cls in structs_by_type:
            return
        structs_by_type[info.cls] = info
    for child in children(info):
        structs(child, structs_by_type)


def children(info: inspect.Type) -> Iterator[inspect.Type]:
    """Yield the types directly inside a type."""
    match info:
        case inspect.StructType():
            yield from (field.type for field in info.fields)
        case inspect.UnionType():
            yield from info.types
        case inspect.VarTupleType() | inspect.ListType():
            yield info.item_type
        case inspect.TupleType():
            yield from info.item_types
        case inspect.DictType():
            yield info.value_type
        case inspect.Metadata():
            yield info.type


def text(info: inspect.Type, names: Names) -> str:  # noqa: C901, PLR0912 - one line a kind of type
    """Write a type as TypeScript."""
    for candidate, name in names:
        if info == candidate:
            return name
    match info:
        case inspect.Metadata():
            return (info.extra or {}).get("typescript") or text(info.type, names)
        case inspect.StructType():
            return info.cls.__name__
        case inspect.StrType():
            return "string"
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
        case inspect.AnyType():
            return "unknown"
        case inspect.LiteralType():
            return " | ".join(quoted(value) for value in info.values)
        case inspect.UnionType():
            return " | ".join(dict.fromkeys(text(part, names) for part in info.types))
        case inspect.VarTupleType() | inspect.ListType():
            item = text(info.item_type, names)
            return f"readonly ({item})[]" if " | " in item or item.startswith("readonly ") else f"readonly {item}[]"
        case inspect.TupleType():
            return f"readonly [{', '.join(text(part, names) for part in info.item_types)}]"
        case inspect.DictType():
            return f"{{ readonly [key: string]: {text(info.value_type, names)} }}"
        case _:
            message = f"no TypeScript for {info}"
            raise TypeError(message)


def quoted(value: object) -> str:
    """Write a literal the way the client's formatter likes it."""
    return f"'{value}'" if isinstance(value, str) else json.dumps(value)


def comment(doc: str, indent: str = "") -> str:
    """Write a docstring as a block comment."""
    lines = [line.strip() for line in doc.strip().splitlines()]
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    body = "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines)
    return f"{indent}/**\n{body}{indent} */\n"


def interface(info: inspect.StructType, names: Names, *, sent: bool) -> str:
    """Write one struct; `sent`: only clients send it, so defaults may be left out."""
    if not info.fields and info.tag is None:
        return comment(info.cls.__doc__ or "") + f"export type {info.cls.__name__} = Record<string, never>;\n"
    lines = [comment(info.cls.__doc__ or ""), f"export interface {info.cls.__name__} {{\n"]
    if info.tag is not None:
        lines.append(f"  readonly {info.tag_field}: {quoted(info.tag)};\n")
    omits = info.cls.__struct_config__.omit_defaults
    for field in info.fields:
        unset = field.default is NODEFAULT and field.default_factory is NODEFAULT  # left out where it is not known
        mark = "?" if not field.required and (sent or omits or unset) else ""
        lines.append(f"  readonly {field.encode_name}{mark}: {text(field.type, names)};\n")
    return "".join([*lines, "}\n"])


def document() -> str:
    """Return the whole file."""
    received: dict[type, inspect.StructType] = {}
    every: dict[type, inspect.StructType] = {}
    for root in OUTPUT:
        structs(inspect.type_info(root), received)
    for root in (*INPUT, *OUTPUT):
        structs(inspect.type_info(root), every)
    names: Names = []
    aliases = []
    for name, named in NAMED.items():
        info = inspect.type_info(named)
        aliases.append(f"export type {name} =\n  | " + text(info, names).replace(" | ", "\n  | ") + ";\n")
        names.append((info, name))
    by_name = sorted(every.items(), key=lambda entry: entry[0].__name__)
    bodies = [interface(info, names, sent=cls not in received) for cls, info in by_name]
    return "\n".join([HEADER, *aliases, *bodies])


def main() -> int:
    """Write the file, or with `--check` answer 1 when it is not what the types say."""
    return run(TARGET.parent, lambda: {TARGET.name: document()}, "scripts.wire_types", __doc__)


if __name__ == "__main__":
    sys.exit(main())
