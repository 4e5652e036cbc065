"""A whole deal the slow way, straight from the sentences of Rules §3 to 5."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.oracle.board import Rows, broken_up, contest, counted_royalties, offenders, resolve
from tests.oracle.fantasyland import next_fantasyland
from tests.oracle.naturals import held, rows_are_natural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.rulesets.model import Ruleset
    from triptych.scoring.showdown import ScoredHand

ROWS = ("front", "middle", "back")
DEUCE_OF_SPADES = 3


@dataclass
class Player:
    """One hand as the oracle sees it."""

    kind: str
    owner: int
    cards: tuple[int, ...]
    rows: Rows | None = None
    bad: set[str] = field(default_factory=set)
    royalties: dict[str, int] = field(default_factory=dict)
    natural: tuple[int, int, tuple[object, ...]] | None = None
    fantasyland: int = 0
    table_points: int = 0

    @property
    def legal(self) -> bool:
        return self.kind == "board" and not self.bad


def score(rules: Ruleset, hands: Sequence[ScoredHand]) -> tuple[list[Player], dict[tuple[int, int], int]]:
    """Return the players and what each receives from each later one."""
    players = [_player(rules, index, hand) for index, hand in enumerate(hands)]
    pairs: dict[tuple[int, int], int] = {}
    for a, first in enumerate(players):
        for b, second in enumerate(players):
            if a < b:
                pairs[a, b] = _pair(rules, players, first, second) if _meet(rules, players, first, second) else 0
    if rules.scoring.rows == "first_to_11":
        _table_points(rules, players)
    return players, pairs


def _player(rules: Ruleset, index: int, hand: ScoredHand) -> Player:
    owner = index if hand.owner is None else hand.owner
    player = Player(hand.kind, owner, tuple(hand.cards))
    if hand.kind == "board" and rows_are_natural(rules, player.cards):
        player.kind = "natural"
    if player.kind == "natural":
        natural = held(rules, player.cards)
        if natural is not None:
            index, _, units, key = natural
            player.natural = (units, -index, key)
    if player.kind == "board":
        player.rows = resolve(rules, player.cards[:3], player.cards[3:8], player.cards[8:])
        player.bad = offenders(rules, player.rows)
        declared = {name for bit, name in enumerate(ROWS) if hand.declared >> bit & 1}
        laid = Rows(player.cards[:3], player.cards[3:8], player.cards[8:])
        player.royalties = counted_royalties(rules, player.rows, declared, broken_up(rules, laid), player.bad)
        if player.bad and rules.foul.scope == "board":
            player.royalties = dict.fromkeys(ROWS, 0)
        if not player.bad:
            player.fantasyland = next_fantasyland(rules, player.rows, player.royalties, hand.fantasyland, hand.in_row)
    return player


def _meet(rules: Ruleset, players: list[Player], first: Player, second: Player) -> bool:
    """Return whether two hands play each other: none of one player's, and only the button's where it is the bank."""
    if first.owner == second.owner:
        return False
    button = players[-1].owner
    return rules.scoring.pairs == "all" or button in (first.owner, second.owner)


def _pair(rules: Ruleset, players: list[Player], first: Player, second: Player) -> int:
    kinds = (first.kind, second.kind)
    if "natural" in kinds:
        return _naturals(rules, first, second)
    if "surrender" in kinds:
        return rules.surrender.points * (int(first.legal) - int(second.legal))
    if rules.foul.scope == "board" and (first.bad or second.bad):
        if first.bad and second.bad:
            return 0
        return _foul(rules, players, first, second) if second.bad else -_foul(rules, players, second, first)
    results = row_results(rules, first, second)
    royalties = sum(_royalty(rules, first, second, name, result) for name, result in zip(ROWS, results, strict=True))
    points = row_points(rules, results)
    if len(set(results)) == 1 and 0 not in results:
        winner = first if results[0] == 1 else second
        doubling = _doubling(rules, players, winner)
        points *= doubling
        if rules.scoring.doubles == "all":
            royalties *= doubling
    return points + royalties


def _naturals(rules: Ruleset, first: Player, second: Player) -> int:
    natural = first.natural or (0, 1, ())
    other = second.natural or (0, 1, ())
    if rules.naturals.table.rule == "difference":
        return natural[0] - other[0]
    if natural == other:
        return 0
    return natural[0] if natural > other else -other[0]


def _foul(rules: Ruleset, players: list[Player], winner: Player, loser: Player) -> int:
    """Return what a fouled board pays a legal one: a price of its own, or all that being scooped costs."""
    royalties = sum(royalty * _deuce(rules, winner, loser, name) for name, royalty in winner.royalties.items())
    if not rules.foul.pays_royalties:
        royalties = 0
    if rules.foul.points != "scoop":
        return rules.foul.points + royalties
    doubling = _doubling(rules, players, winner)
    return row_points(rules, [1, 1, 1]) * doubling + royalties * (doubling if rules.scoring.doubles == "all" else 1)


def row_results(rules: Ruleset, first: Player, second: Player) -> list[int]:
    """Return 1, 0, -1 for front, middle, back; under `foul.scope = rows` an offending row loses."""
    assert first.rows is not None
    assert second.rows is not None
    mine, theirs = contest(rules, first.rows), contest(rules, second.rows)
    results = []
    for name in ROWS:
        result = (mine[name] > theirs[name]) - (mine[name] < theirs[name])
        if rules.foul.scope == "rows" and (name in first.bad or name in second.bad):
            result = int(name in second.bad) - int(name in first.bad)
        results.append(result)
    return results


def row_points(rules: Ruleset, results: list[int]) -> int:
    """Return the row points of Rules §4 for rows won (1), lost (-1) and tied (0)."""
    if rules.scoring.rows == "custom":
        worth = sum(points for points, result in zip(rules.scoring.points, results, strict=True) if result == 1)
        worth -= sum(points for points, result in zip(rules.scoring.points, results, strict=True) if result == -1)
        if results == [1, 1, 1]:
            worth += rules.scoring.bonus
        if results == [-1, -1, -1]:
            worth -= rules.scoring.bonus
        return worth
    won, lost = results.count(1), results.count(-1)
    return _row_points(rules, won, lost) if won >= lost else -_row_points(rules, lost, won)


def _row_points(rules: Ruleset, won: int, lost: int) -> int:
    """Return what winning `won` rows and losing no more of them is worth."""
    method = rules.scoring.rows
    if method == "first_to_11":
        return 0
    if method in ("match_1_6", "match_2_6"):
        if won == 3:
            return 6
        enough = won >= 2 or (rules.scoring.match_tied == "more_rows" and won > lost)
        return int(method[6]) if enough else 0
    extra = {
        "per_row": 0,
        "per_row_scoop3": 3 if won == 3 else 0,
        "two_four": 1 if won >= 2 else 0,
        "one_four": 1 if won == 3 else 0,
    }[method]
    return won - lost + extra


def _doubling(rules: Ruleset, players: list[Player], winner: Player) -> int:
    factor = 2 if rules.scoring.scoop_doubles else 1
    return factor * 2 if rules.scoring.home_run_doubles and _home_run(rules, players, winner) else factor


def _home_run(rules: Ruleset, players: list[Player], winner: Player) -> bool:
    """Return whether all three opponents are scooped; a mis-set board is compared as shown while it still plays."""
    others = [player for player in players if player is not winner]
    if len(others) != 3:
        return False
    for other in others:
        if other.kind != "board" or not _meet(rules, players, winner, other):
            return False
        if other.bad and rules.foul.scope == "board" and not rules.foul.still_plays:
            return False
        if row_results(rules, winner, other) != [1, 1, 1]:
            return False
    return True


def _deuce(rules: Ruleset, first: Player, second: Player, name: str) -> int:
    if not rules.royalties.deuce_of_spades:
        return 1
    part = {"front": slice(0, 3), "middle": slice(3, 8), "back": slice(8, 13)}[name]
    return 2 if DEUCE_OF_SPADES in first.cards[part] + second.cards[part] else 1


def _royalty(rules: Ruleset, first: Player, second: Player, name: str, result: int) -> int:
    mine, other = first.royalties[name], second.royalties[name]
    if not rules.foul.pays_royalties:
        mine = 0 if name in second.bad else mine
        other = 0 if name in first.bad else other
    points = mine - other
    if rules.royalties.rule == "row_winner":
        points = {1: mine, 0: 0, -1: -other}[result]
    return points * _deuce(rules, first, second, name)


def _table_points(rules: Ruleset, players: list[Player]) -> None:
    for name in ROWS:
        rivals = [
            (contest(rules, player.rows)[name], index)
            for index, player in enumerate(players)
            if player.rows is not None and not (player.bad and rules.foul.scope == "board") and name not in player.bad
        ]
        best = max((key for key, _ in rivals), default=None)
        winners = [index for key, index in rivals if key == best]
        if len(winners) == 1:
            players[winners[0]].table_points += 1
    for player in players:
        if len(players) == 4 and player.table_points == 3:
            player.table_points = 4
