"""The numbered paths in a table's view, and the compact forms of the values at them.

`PATHS` is sent with the whole view to viewers who get parts after it: a path's number is its index there. So a page
of an older version can read the parts of a newer server.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from operator import attrgetter
from typing import Any, Final, NamedTuple

from msgspec import UNSET, Struct, inspect

from triptych.deal.board_projection import FACE_PATHS
from triptych.deal.view_types import BoardView
from triptych.scoring.sheet.types import SheetRow
from triptych.table.view_types import TIMESTAMP, SeatView, TableView

# How a value is to be read: one of the numbered forms, `[form]` for a list, and an object for a list of the values of
# its fields in this order; trailing fields with their default are absent. `null` is null in every form.
Form = int | list[Any] | dict[str, Any]
AS_IT_IS: Final = 0
AFTER_NOW: Final = 1  # a time, in ms after the message's `now`
BOOLEAN: Final = 2  # 1 for true, 0 for false
CARDS: Final = 3  # a list of texts of two characters, as one text, or how many unknown cards
# Writes a value in its form; the time is the message's.
Packer = Callable[[Any, int], Any]
_CARD_TEXTS: Final = {"values": "cards"}
# Lists of a board that only grow: the appended elements have a path of their own, such as `laid.+`.
GROWING: Final = tuple([path for path in FACE_PATHS if path.endswith(("cards", "pending", "discards", "laid"))])
# Players at a table, and boards of a deal: each of three players may have two.
MAX_BOARDS: Final = 8
_MAX_SEATS: Final = 4


def numbered(path: str) -> int | str:
    """Return a path's number, or the path itself when it has none."""
    return _NUMBERS.get(path, (path, None))[0]


def packed(path: str, value: Any, now: int) -> tuple[int | str, Any]:  # noqa: ANN401 - any value of a view
    """Return a path's number, and a value in the form of that path."""
    number, packer = _NUMBERS.get(path, (path, None))
    return number, value if packer is None else packer(value, now)


class _Codec(NamedTuple):
    """The form of a type's values, and the function that packs them; no `pack`: they are sent as they are."""

    form: Form = AS_IT_IS
    pack: Packer | None = None


def _codec(kind: inspect.Type) -> _Codec:
    """Return the codec of the values of a type."""
    match kind:
        case inspect.Metadata(extra=extra) if extra == TIMESTAMP:
            return _Codec(AFTER_NOW, _pack_time)
        case inspect.Metadata(extra=extra) if extra == _CARD_TEXTS:
            return _Codec(CARDS, _pack_cards)
        case inspect.Metadata(type=plain):
            return _codec(plain)
        case inspect.BoolType():
            return _Codec(BOOLEAN, _pack_boolean)
        case inspect.StructType():
            return _struct_codec(kind)
        case inspect.VarTupleType(item_type=item):
            form, pack_item = _codec(item)
            pack_list = None if pack_item is None else lambda values, now: [pack_item(value, now) for value in values]
            return _Codec([form] if form else AS_IT_IS, pack_list)
        case inspect.UnionType(types=types):
            form, pack = next((codec for member in types if (codec := _codec(member)).form), _Codec())
            return _Codec(
                form, None if pack is None else lambda value, now: None if value is None else pack(value, now)
            )
    return _Codec()


def _pack_time(value: int, now: int) -> int:
    return value - now


def _pack_boolean(value: bool, _now: int) -> int:  # noqa: FBT001 - what is packed
    return int(value)


def _pack_cards(value: tuple[str, ...], _now: int) -> str:
    return "".join(value)


def _struct_codec(kind: inspect.StructType) -> _Codec:
    codecs = {name: _codec(field_type) for name, field_type in _fields(kind).items()}
    form: Form = {name: codec.form for name, codec in codecs.items()}
    values_of = attrgetter(*[field.name for field in kind.fields])
    packs = [(index, codec.pack) for index, codec in enumerate(codecs.values()) if codec.pack is not None]
    # The default of the last field, which is then not written.
    last = kind.fields[-1]
    absent = last.default if kind.cls.__struct_config__.omit_defaults and not last.required else UNSET

    if not packs and absent is UNSET:
        return _Codec(form, lambda struct, _now: values_of(struct))

    def pack_struct(struct: Struct, now: int) -> list[Any]:
        values = list(values_of(struct))
        for index, pack in packs:
            if values[index] is not UNSET:
                values[index] = pack(values[index], now)
        if values[-1] is absent or values[-1] == absent:
            del values[-1]
        return values

    return _Codec(form, pack_struct)


def _fields(kind: inspect.StructType) -> dict[str, inspect.Type]:
    """Return the types of a struct's fields; those of fields with cards are marked."""
    cards = {"cards"} if kind.cls is SheetRow else getattr(kind.cls, "redacted_fields", ())
    return {
        field.encode_name: inspect.Metadata(field.type, extra=_CARD_TEXTS) if field.name in cards else field.type
        for field in kind.fields
    }


def _type_at(path: str) -> inspect.Type:
    """Return the type of the values at a path of a view, of a board or of a seat."""
    for root in (TableView, BoardView, SeatView):
        with suppress(KeyError):
            return reduce(_type_inside, path.split("."), inspect.type_info(root))
    raise KeyError(path)


def _type_inside(kind: inspect.Type, name: str) -> inspect.Type:
    match kind:
        case inspect.Metadata(type=plain):
            return kind if name == "+" else _type_inside(plain, name)
        case inspect.UnionType(types=types):
            return _type_inside(next(member for member in types if not isinstance(member, inspect.NoneType)), name)
        case inspect.StructType():
            return _fields(kind)[name]
        case inspect.VarTupleType() if name == "+":
            return kind
    raise KeyError(name)


def _path_codecs() -> dict[str, _Codec]:
    boards = [f"deal.boards.{hand}." for hand in range(MAX_BOARDS)]
    seats = [f"seats.{seat}." for seat in range(_MAX_SEATS)]
    grown = [f"{path}.+" for path in GROWING]
    # The most frequent paths have numbers of one digit.
    first = ("clocks", "prompt", "yours", *boards[:3], "draws", "acting", "laid.+", "discards.+")
    names = dict.fromkeys((*first, *_FREQUENT, *grown, *FACE_PATHS, *boards, *seats))
    return {path: _Codec() if path[-1] in ".~" else _codec(_type_at(path)) for path in names}


# Any other path is written as text, and its value as in the whole view.
_FREQUENT: Final = (
    *("deal.tasks", "deal.street", "deal.phase", "deal", "bank_ms", "stack", "in_match", "ready", "connected"),
    *("fantasyland", "may", "may.~", "ahead", "dropped", "phase", "turns", "next_at", "button", "match"),
    *("match.deal", "match.number", "fair", "talk.~", "talk.+", "sheet", "accounts", "debts"),
)
_CODECS: Final = _path_codecs()
PATHS: Final = tuple([(path, codec.form) for path, codec in _CODECS.items()])
_NUMBERS: Final = {path: (number, codec.pack) for number, (path, codec) in enumerate(_CODECS.items())}
