"""Read the `players` of a scoring line into hands."""

from __future__ import annotations

from typing import Final

from triptych.board import BOARD_CARDS, ROW_CAPACITY, ROWS
from triptych.cards import Card, CardError, card_text, parse_cards
from triptych.i18n.messages import Message
from triptych.json_input import Json, verify_keys, verify_list, verify_table
from triptych.rulesets.model import Ruleset
from triptych.scoring.errors import RequestError, verify_count
from triptych.scoring.showdown import ALL_ROWS_MASK, ScoredHand

_KEYS: Final = frozenset({*ROWS, "surrender", "natural", "fantasyland", "declared"})
_FANTASYLAND_KEYS: Final = frozenset({"cards", "in_row"})
_FANTASYLAND_CARDS: Final = range(13, 53)
_FANTASYLAND_IN_ROW: Final = range(1, 256)


def read_hands(rules: Ruleset, players: Json) -> dict[str, ScoredHand]:
    """Return each player's hand by name, every card in one place only. Raises JsonInputError."""
    known_cards: set[Card] = set()
    return {name: _hand(rules, player, f"$.players.{name}", known_cards) for name, player in players.items()}


def _hand(rules: Ruleset, player: object, path: str, known_cards: set[Card]) -> ScoredHand:
    player = verify_table(player, path, 'front, middle and back, such as {"front": "QhQd7c", …}')
    verify_keys(player, _KEYS, path)
    if "surrender" in player or "natural" in player:
        other = _without_rows(rules, player, path, known_cards)
        if other is not None:
            return other
    cards: list[Card] = []
    for row in ROWS:
        if row not in player:
            raise RequestError(
                "line.missing", Message("error.hand.row_missing", row=Message(f"row.{row}")), f"{path}.{row}"
            )
        cards += _cards(rules, player[row], ROW_CAPACITY[row], f"{path}.{row}", known_cards)
    fantasyland, in_row = (
        _fantasyland(player["fantasyland"], f"{path}.fantasyland") if "fantasyland" in player else (0, 0)
    )
    return ScoredHand(tuple(cards), "board", fantasyland, in_row, None, _declared(rules, player, path))


def _without_rows(rules: Ruleset, player: Json, path: str, known_cards: set[Card]) -> ScoredHand | None:
    """Return a surrender or a natural; None when `surrender` is false and no natural is claimed."""
    surrender = player.get("surrender", False)
    if not isinstance(surrender, bool):
        raise RequestError("line.type", "expected true or false", f"{path}.surrender")
    if not surrender and "natural" not in player:
        return None
    kind = "surrender" if surrender else "natural"
    for key in player:
        if key not in (kind, "surrender"):
            message = f"a hand is a {kind} or sets its rows; leave {key!r} or {kind!r} out"
            raise RequestError("player.fields", message, f"{path}.{key}")
    if not surrender:
        return ScoredHand(_cards(rules, player["natural"], BOARD_CARDS, f"{path}.natural", known_cards), "natural")
    if rules.surrender.points == 0:
        raise RequestError("player.surrender", "these rules do not allow to surrender", f"{path}.surrender")
    return ScoredHand(kind="surrender")


def _cards(rules: Ruleset, text: object, size: int, path: str, known_cards: set[Card]) -> tuple[Card, ...]:
    if not isinstance(text, str):
        raise RequestError("line.type", Message("input.cards"), path)
    try:
        cards = parse_cards(text, unique=False)
    except CardError as error:
        raise RequestError(error.code, error.message, f"{path}[{error.index}]") from error
    if len(cards) != size:
        raise RequestError("row.size", Message("error.hand.size", size=size, count=len(cards)), path)
    for index, card in enumerate(cards):
        if card in known_cards:
            raise RequestError(
                "card.duplicate", Message("error.hand.duplicate", card=card_text(card)), f"{path}[{index}]"
            )
        if card >= 52 + rules.deal.jokers:
            raise RequestError("card.joker", Message("error.hand.joker", card=card_text(card)), f"{path}[{index}]")
        known_cards.add(card)
    return cards


def _fantasyland(value: object, path: str) -> tuple[int, int]:
    value = verify_table(value, path, 'cards and how many in a row, such as {"cards": 14, "in_row": 1}')
    verify_keys(value, _FANTASYLAND_KEYS, path)
    if "cards" not in value:
        raise RequestError("line.missing", Message("error.hand.fantasyland"), f"{path}.cards")
    cards = verify_count(value["cards"], f"{path}.cards", _FANTASYLAND_CARDS)
    return cards, verify_count(value.get("in_row", 1), f"{path}.in_row", _FANTASYLAND_IN_ROW)


def _declared(rules: Ruleset, player: Json, path: str) -> int:
    """Return the rows whose royalties are declared: all where that is automatic, else those in `declared`."""
    if "declared" not in player:
        return ALL_ROWS_MASK if rules.royalties.declare == "auto" else 0
    path = f"{path}.declared"
    if rules.royalties.declare == "auto":
        raise RequestError("line.unknown_key", "under these rules royalties need no declaring", path)
    rows = verify_list(player["declared"], path, 'a list of rows, such as ["back"]')
    bits = 0
    for index, row in enumerate(rows):
        if row not in ROWS:
            raise RequestError("line.type", "expected front, middle or back", f"{path}[{index}]")
        bits |= 1 << ROWS.index(row)
    return bits
