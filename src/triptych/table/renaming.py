"""Replaces names of players in tables and score sheets, such as those of deleted accounts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from triptych.i18n.messages import Message
from triptych.scoring.sheet.types import Cell, ScoreSheet, SheetHand, SheetPair, SheetStack, SheetTransfer
from triptych.table.state import Account, ChatLine, Place, Seat, TableState

# By a player's old name: the name to show instead.
Names: TypeAlias = Mapping[str, str]
Named = TypeVar("Named", Seat, Account, Place, ChatLine)
Reason = TypeVar("Reason", Cell, SheetTransfer)


def rename_table(state: TableState, names: Names) -> TableState:
    """Return a table with the names replaced in its players, talk and last sheet."""
    return replace(
        state,
        seats=_renamed(state.seats, names),
        accounts=_renamed(state.accounts, names),
        places=_renamed(state.places, names),
        cup_places=_renamed(state.cup_places, names),
        talk=tuple(
            replace(line, text=line.text if line.player else _text(line.text, names))
            for line in _renamed(state.talk, names)
        ),
        sheet=None if state.sheet is None else rename_sheet(state.sheet, names),
        verdict=_text(state.verdict, names),
    )


def rename_sheet(sheet: ScoreSheet, names: Names) -> ScoreSheet:
    """Return a sheet with the names replaced, also in its reasons."""
    if not names:
        return sheet
    return replace(
        sheet,
        hands=tuple(_hand(hand, names) for hand in sheet.hands),
        pairs=tuple(_pair(pair, names) for pair in sheet.pairs),
        stacks=tuple(_stack(stack, names) for stack in sheet.stacks),
    )


def _renamed(items: tuple[Named, ...], names: Names) -> tuple[Named, ...]:
    return tuple(replace(item, name=names.get(item.name, item.name)) for item in items)


def _hand(hand: SheetHand, names: Names) -> SheetHand:
    player = names.get(hand.player, hand.player)
    return replace(hand, player=player, fantasyland_why=_text(hand.fantasyland_why, names))


def _stack(stack: SheetStack, names: Names) -> SheetStack:
    return replace(stack, player=names.get(stack.player, stack.player))


def _pair(pair: SheetPair, names: Names) -> SheetPair:
    return replace(
        pair,
        front=_reason(pair.front, names),
        middle=_reason(pair.middle, names),
        back=_reason(pair.back, names),
        scoop=_reason(pair.scoop, names),
        royalties=_reason(pair.royalties, names),
        other=_reason(pair.other, names),
        moved=_reason(pair.moved, names),
    )


def _reason(reason: Reason, names: Names) -> Reason:
    return replace(reason, why=_text(reason.why, names))


def _text(text: str, names: Names) -> str:
    """Return a text of the table with the names replaced, in a message within its arguments (`Ann +8`)."""
    if isinstance(text, Message):
        arguments = {
            name: _text(value, names) if isinstance(value, str) else value for name, value in text.args.items()
        }
        return text.with_arguments(**arguments)
    if not names:
        return text
    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda match: names[match[0]], text)
