"""What each seat may know at each version of a table, worked out from the rules and the stored cards alone.

It does not look at the visibility that the server gave an event. Rule: Rules §2 (turn order, cards seen).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from triptych.store.types import StoredEvent

CARD = re.compile(r"(?<![A-Za-z0-9])((?:[2-9TJQKA][cdhs]|X[12])+)(?![A-Za-z0-9])")
EVERYBODY = -1


def cards_in(text: str) -> Iterator[str]:
    """Return every card that a text names, also several in one word."""
    for word in CARD.findall(text):
        yield from (word[i : i + 2] for i in range(0, len(word), 2))


class Knowledge:
    """For each deal and card: from which version on a seat, or everybody, may know it."""

    def __init__(self, stored: Sequence[StoredEvent]) -> None:
        self.deal_at: list[int] = [0]
        self._known: dict[tuple[int, str, int], int] = {}
        self._number = 0
        for event in stored:
            body = msgspec.json.decode(event.payload)
            getattr(self, f"_{body['e']}", self._nothing)(event.version, body)
            self.deal_at.append(self._number)

    def may_know(self, seat: int | None, deal: int, card: str, version: int) -> bool:
        """Return whether a seat (None = a spectator) may know a card of a deal at a version."""
        who = {EVERYBODY, EVERYBODY if seat is None else seat}
        return any(self._known.get((deal, card, viewer), version + 1) <= version for viewer in who)

    def _learn(self, version: int, cards: Sequence[str], who: int) -> None:
        for card in cards:
            self._known.setdefault((self._number, card, who), version)

    def _nothing(self, version: int, body: dict[str, Any]) -> None:
        """Pass by an event that tells of no card."""

    def _deal_started_again(self, version: int, body: dict[str, Any]) -> None:
        self._deal_started(version, body)

    def _deal_started(self, _version: int, body: dict[str, Any]) -> None:
        self._number = body["number"]
        self._rules: dict[str, Any] = body.get("rules") or self._rules  # else those of the deal before
        self._seats = [hand["seat"] for hand in body["hands"]]
        fantasylands = [hand["fantasyland"] > 0 for hand in body["hands"]]
        # The one hand outside fantasyland, when all others are in it and set after it, sets face down.
        alone = fantasylands.count(False) == 1 and self._rules["fantasyland"]["order"] == "after_others"
        closed = self._rules["deal"]["game"] in ("closed", "criss_cross")
        self._open = [not (fantasyland or alone or closed) for fantasyland in fantasylands]
        self._boards: list[list[str]] = [[] for _ in fantasylands]
        self._naturals: set[int] = set()

    def _dealt(self, version: int, body: dict[str, Any]) -> None:
        hand = body["hand"]
        self._learn(version, body["cards"], self._seats[hand])
        if body["street"] == 1:
            deal = self._rules["deal"]
            open_street = deal["first_street"] == "live" and deal["first_cards"] == "at_turn"
        else:
            open_street = self._rules["deal"]["game"] in ("classic", "turbo")
        if open_street and self._open[hand]:
            self._learn(version, body["cards"], EVERYBODY)

    def _arranged(self, version: int, body: dict[str, Any]) -> None:
        # The first cards that are laid before all, one by one; later streets are arranged unseen.
        hand = body["hand"]
        if self._rules["deal"]["first_street"] == "live" and self._open[hand] and not self._boards[hand]:
            self._learn(version, [card for row in body["layout"].values() for card in row], EVERYBODY)

    def _placed(self, version: int, body: dict[str, Any]) -> None:
        hand = body["hand"]
        cards = [card for row in body["layout"].values() for card in row]
        self._boards[hand] += cards
        if self._open[hand]:
            self._learn(version, cards, EVERYBODY)

    def _natural_claimed(self, _version: int, body: dict[str, Any]) -> None:
        self._naturals.add(body["hand"])

    def _natural_shown(self, version: int, body: dict[str, Any]) -> None:
        # Declared when all have set (Rules §2, closed), before the boards.
        assert all(len(board) == 13 or i in self._naturals for i, board in enumerate(self._boards))
        self._learn(version, body["cards"], EVERYBODY)

    def _board_shown(self, version: int, body: dict[str, Any]) -> None:
        # The showdown: every board is set, and only now.
        assert all(len(board) == 13 or i in self._naturals for i, board in enumerate(self._boards))
        self._learn(version, self._boards[body["hand"]], EVERYBODY)


def strings(value: object) -> Iterator[str]:
    """Return every text anywhere in a message, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inside in value.items():
            yield key
            yield from strings(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from strings(inside)


def leaks(knowledge: Knowledge, message: dict[str, Any], seat: int | None) -> Iterator[str]:
    """Return every card in a message to a viewer that it may not know yet, and where."""
    version = message.get("v", 0)
    rest = dict(message)
    parts: list[tuple[str, Any, int, int]] = [
        (f"event {entry['v']}", entry.get("e"), knowledge.deal_at[entry["v"]], entry["v"])
        for entry in rest.pop("events", ())
    ]
    view = dict(rest.pop("view", None) or {})
    for path, value in rest.pop("parts", {}).items():
        if path.startswith("deal."):
            # A part of the deal that is on, whatever its number.
            at = min(version, len(knowledge.deal_at) - 1)
            parts.append((path, value, knowledge.deal_at[at], version))
        else:
            view[path] = value
    for name, number in (("deal", "number"), ("sheet", "deal")):
        inside = view.pop(name, None)
        if inside:
            parts.append((name, inside, inside[number], version))
    parts.append(("view", [rest, view], knowledge.deal_at[min(version, len(knowledge.deal_at) - 1)], version))
    for name, inside, deal, at in parts:
        for text in strings(inside):
            for card in cards_in(text):
                if not knowledge.may_know(seat, deal, card, at):
                    yield f"{card} of deal {deal} in {name} at version {at}: {text!r}"
