"""The visibility of an event, decided where the event is created.

`Public` goes to everyone, `Private` to one seat, `Sealed` to no one: it is only stored (the shuffled deck).
"""

from __future__ import annotations

from typing import Generic, TypeVar

from msgspec import Struct

E_co = TypeVar("E_co", covariant=True)


class Public(Struct, Generic[E_co], frozen=True, gc=False, tag="public"):
    """An event that every viewer may see."""

    event: E_co


class Private(Struct, Generic[E_co], frozen=True, gc=False, tag="private"):
    """An event that only the player in `seat` may see."""

    seat: int
    event: E_co


class Sealed(Struct, Generic[E_co], frozen=True, gc=False, tag="sealed"):
    """An event that no viewer may see; it is stored so that the same cards are loaded after a crash."""

    event: E_co
