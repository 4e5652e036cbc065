"""Write client/src/api/generated/types.ts from the server's own message types; `--check` only compares.

    python scripts/wire_types.py [--check]

A struct becomes an interface, its tag a literal field, its docstring a comment. A field with a default is
optional only in what the client sends: the server always writes every field.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import NODEFAULT, inspect

from triptych.board import Layout, RowName
from triptych.deal.actions import Action
from triptych.rulesets.model import NaturalKind
from triptych.server.routes import practice
from triptych.server.schemas import guide, replay, review, rules, scorer
from triptych.server.schemas import identity as me
from triptych.server.schemas import results as sessions
from triptych.server.schemas import tournaments as cups
from triptych.server.schemas.analysis import AnalysisSetup
from triptych.server.wire import bodies, messages
from triptych.table.commands import PlayerRequest
from triptych.table.proofs import Proofs
from triptych.table.view_types import TableView
from triptych.tournament.commands import TournamentRequest
from triptych.tournament.view_types import TournamentView

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
INPUT: tuple[Any, ...] = (
    messages.ClientMessage,
    bodies.Rename,
    bodies.CheckRules,
    bodies.NewTable,
    bodies.TablePasswordBody,
    me.NameAndPassword,
    me.KeepName,
    me.DropKey,
    me.Passkey,
    me.KeepPasskey,
    me.RedeemDeviceLink,
    me.NewTokenRequest,
    rules.EditRules,
    rules.ReadRules,
    cups.NewTournament,
    TournamentRequest,
)
OUTPUT: tuple[Any, ...] = (
    messages.ServerMessage,
    TableView,
    TournamentView,
    cups.TournamentItem,
    cups.TournamentLink,
    Layout,
    bodies.ErrorBody,
    bodies.Me,
    guide.Guide,
    guide.BoardReach,
    bodies.PresetItem,
    bodies.PresetDetail,
    bodies.CheckedRules,
    bodies.LobbyTable,
    bodies.TableLink,
    bodies.Arranged,
    bodies.TableRules,
    bodies.DealRecord,
    bodies.LevelItem,
    bodies.StrategyInfo,
    rules.OptionInfo,
    rules.EditedRules,
    scorer.ScorerSetup,
    AnalysisSetup,
    practice.PuzzleCollection,
    review.ReviewSetup,
    review.SavedReview,
    scorer.ScoredSession,
    replay.Replay,
    Proofs,
    sessions.MyResults,
    sessions.Sessions,
    sessions.SessionDeals,
    me.SignInMethods,
    me.PasskeyOptions,
    me.DeviceLine,
    me.DeviceLink,
    me.TableLinkCode,
    bodies.ViewerItem,
    me.TokenItem,
    me.CreatedToken,
    me.DeviceLinkStatus,
)

Names = list[tuple[inspect.Type, str]]


def structs(info: inspect.Type, seen: dict[type, inspect.StructType]) -> None:
    """Collect every struct that a type reaches into `seen`, in order of first use."""
    if isinstance(info, inspect.StructType):
        if info.cls in seen:
            return
        seen[info.cls] = info
    for child in children(info):
        structs(child, seen)


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
    for known, name in names:
        if info == known:
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
    bodies = [interface(info, names, sent=cls not in received) for cls, info in every.items()]
    return "\n".join([HEADER, *aliases, *bodies])


def main() -> int:
    """Write the file, or with `--check` answer 1 when it is not what the types say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    wanted = document()
    if parser.parse_args().check:
        same = TARGET.is_file() and TARGET.read_text(encoding="utf-8") == wanted
        if not same:
            sys.stderr.write("client/src/api/generated/types.ts is stale: run python scripts/wire_types.py\n")
        return 0 if same else 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
