"""Migrate rules that earlier versions stored to the current format."""

from __future__ import annotations

from typing import Any, Final

_RANKS: Final = "23456789TJQKA"
_BEST_LOW: Final = {"row": "middle", "least": "75432"}
_REPEATS: Final = {
    "repeat_front": {"trips": {"row": "front", "least": "trips"}},
    "repeat_middle": {
        "full_house": {"row": "middle", "least": "full_house"},
        "above_full_house": {"row": "middle", "least": "quads"},
        "best_low": _BEST_LOW,
    },
    "repeat_back": {"quads": {"row": "back", "least": "quads"}},
}
_OLD_KEYS: Final = {"pair", "trips", "best_low", "front_and_low", "repeat_cards", *_REPEATS}


def migrate_rules(rules: dict[str, Any]) -> dict[str, Any]:
    """Return resolved rules (the JSON of a Ruleset) of any version, with fantasyland as lists of conditions.

    Until November 2026 fantasyland had numbers of cards by rank: `pair` and `trips` of the front, `best_low`,
    `front_and_low`, `repeat_front` and so on. Rules in the current format are returned as they are.
    """
    fantasyland = rules.get("fantasyland")
    if not isinstance(fantasyland, dict) or _OLD_KEYS.isdisjoint(fantasyland):
        return rules
    others = {name: value for name, value in fantasyland.items() if name not in _OLD_KEYS}
    return {**rules, "fantasyland": {**others, "entry": _entry(fantasyland), "repeat": _repeat(fantasyland)}}


def _entry(fantasyland: dict[str, Any]) -> list[dict[str, Any]]:
    front = [
        {"row": "front", "least": hand, "cards": cards}
        for hand, cards in (
            *_threshold_hands(fantasyland.get("pair"), 2),
            *_threshold_hands(fantasyland.get("trips"), 3),
        )
    ]
    entry = _drop_dominated(front)
    if best := fantasyland.get("best_low"):
        entry.append({**_BEST_LOW, "cards": best})
    if (both := fantasyland.get("front_and_low")) and front:
        entry.append({"all": [{"row": "front", "least": front[0]["least"]}, _BEST_LOW], "cards": both})
    return entry


def _threshold_hands(by_rank: list[int] | None, times: int) -> list[tuple[str, int]]:
    """Return the lowest hand for each number of cards, by rank from 2 to A."""
    result: list[tuple[str, int]] = []
    for rank, cards in zip(_RANKS, by_rank or (), strict=False):
        if cards > (result[-1][1] if result else 0):
            result.append((rank * times, cards))
    return result


def _drop_dominated(front: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the conditions without those that give no more cards than a lower hand; `222` becomes `trips`."""
    undominated: list[dict[str, Any]] = []
    for condition in front:
        if not undominated or condition["cards"] > undominated[-1]["cards"]:
            least = "trips" if condition["least"] == "222" else condition["least"]
            undominated.append({**condition, "least": least})
    return undominated


def _repeat(fantasyland: dict[str, Any]) -> list[dict[str, Any]]:
    cards = fantasyland.get("repeat_cards")
    conditions = (hands.get(fantasyland.get(row, "never")) for row, hands in _REPEATS.items())
    return [{**condition, "cards": cards} for condition in conditions if condition and cards]
