"""Structs whose repr never shows a card, so that logs cannot help a player."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from triptych.cards import UNKNOWN_CARD


class RedactedStruct(Struct, frozen=True, gc=False):
    """Base of structs with cards: the repr shows `??` for each card in `redacted_fields`.

    `gc=False` here and on other structs with millions of instances: frozen plain data has no reference cycles, and
    searching for them among the events of thousands of tables would stop the server for half a second.
    """

    redacted_fields: ClassVar[frozenset[str]] = frozenset()

    def __repr__(self) -> str:
        """Return the usual repr with every card of a redacted field replaced by `??`."""
        fields = (
            f"{name}={_masked(getattr(self, name)) if name in self.redacted_fields else repr(getattr(self, name))}"
            for name in self.__struct_fields__
        )
        return f"{type(self).__name__}({', '.join(fields)})"


def _masked(value: object) -> str:
    """Return one `??` a card, keeping how the cards are grouped."""
    if isinstance(value, tuple):
        return "(" + " ".join(_masked(item) for item in value) + ")"
    return UNKNOWN_CARD
