"""Rate players over many reviewed deals: all together, or by street, deal, table, week or game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct

from triptych.notation.history.model import History
from triptych.solve.analysis.rating import ErrorRate, error_rate, level_error_rates_for, nearest_level
from triptych.solve.analysis.review import Review, ReviewedDecision

GroupBy = Literal["all", "street", "deal", "table", "week", "game"]


class PlayerRate(Struct, frozen=True):
    """A player's rate over a group of decisions, and the bot level with the nearest rate, if any.

    `result` = `luck` + `skill`, points of the group's deals; not by street, and null where not all cards are known.
    """

    player: str
    group: str
    rate: ErrorRate
    like: str | None
    result: float | None
    luck: float | None
    skill: float | None


def player_rates(reviews: Sequence[tuple[History, Review]], by: GroupBy = "all") -> list[PlayerRate]:
    """Return the rates of all players in the reviews, by name and group; fantasylands are not rated."""
    decisions: dict[tuple[str, str], list[list[ReviewedDecision]]] = defaultdict(list)
    shares: dict[tuple[str, str], list[tuple[float, float, float] | None]] = defaultdict(list)
    games: dict[tuple[str, str], list[Mapping[str, float]]] = defaultdict(list)
    for history, result in reviews:
        for share in result.shares:
            own_decisions = [
                decision for decision in result.decisions if decision.hand == share.hand and decision.street
            ]
            if not own_decisions:
                continue
            for group in sorted({_group_name(history, decision, by) for decision in own_decisions}):
                key = (share.player, group)
                decisions[key].append(
                    [decision for decision in own_decisions if _group_name(history, decision, by) == group]
                )
                shares[key].append((share.result, share.luck, share.skill) if result.whole else None)
                games[key].append(level_error_rates_for(history.rules, len(history.hands)))
    return [
        _rate(key, decisions[key], shares[key] if by != "street" else [None], games[key]) for key in sorted(decisions)
    ]


def _rate(
    key: tuple[str, str],
    decisions: list[list[ReviewedDecision]],
    shares: list[tuple[float, float, float] | None],
    games: list[Mapping[str, float]],
) -> PlayerRate:
    rate = error_rate(decisions)
    level = nearest_level(games[0], rate) if all(game == games[0] for game in games) else None
    breakdowns = [share for share in shares if share is not None]
    if len(breakdowns) < len(shares):
        return PlayerRate(*key, rate, level, None, None, None)
    result, luck, skill = (sum(values) for values in zip(*breakdowns, strict=True))
    return PlayerRate(*key, rate, level, result, luck, skill)


def _group_name(history: History, decision: ReviewedDecision, by: GroupBy) -> str:
    match by:
        case "street":
            return f"street {decision.street}"
        case "deal":
            return f"{history.table or '–'} deal {history.number}"
        case "table":
            return history.table or "–"
        case "week":
            if not history.started:
                return "–"
            year, week, _ = datetime.fromisoformat(history.started).isocalendar()
            return f"{year}-W{week:02}"
        case "game":
            return history.rules.title or history.rules.name
        case "all":
            return ""
