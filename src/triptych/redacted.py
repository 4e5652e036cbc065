"""Structs whose repr never shows a card: what is logged by mistake must not help a player."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from triptych.cards import UNKNOWN_CARD


class RedactedStruct(Struct, frozen=True, gc=False):
    """Base of every struct that carries cards: the fields named in `secret` print as `??` a card.

    `gc=False` here, and on other structs that are made by the million: frozen plain data cannot refer to itself, and
    looking for such cycles among the events of thousands of tables would stop the server for half a second.

    Logs and reprs of hidden cards print `??`.
    """

    redacted_fields: ClassVar[frozenset[str]] = frozenset()

    def __repr__(self) -> str:
        """Return the usual repr with every card of a secret field replaced by `??`."""
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
