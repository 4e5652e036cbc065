"""The reasons of one pair's numbers, in words for people who are new to the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from triptych import _kernel
from triptych.board import ROWS, RowName
from triptych.cards import parse_card
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.model import Ruleset
from triptych.scoring.sheet.hand_names import NATURAL_NAMES, rank_name, value_name
from triptych.scoring.sheet.types import Cell
from triptych.scoring.showdown import DealScore, HandScore, PairScore, ScoredHand

_MATCHES: Final = frozenset({"match_1_6", "match_2_6"})
_ALL_ROWS: Final = 3
_BACK: Final = 2
_DEUCE: Final = parse_card("2s")


def foul_reason(rules: Ruleset, hand: HandScore) -> str:
    """Return why a board is not legal: `the front beats the middle`."""
    front, middle, back = hand.values
    result: list[str] = []
    if rules.rows.middle == "deuce_to_seven":
        if hand.violated_rows & 2:
            result.append("the middle isn’t a ten-low")
        if hand.violated_rows & 1:
            result.append(_above("front", front, "back", back))
        return " and ".join(result)
    if hand.violated_rows & 4:
        result.append(_above("middle", middle, "back", back))
    if hand.violated_rows & 1:
        result.append(_above("front", front, "middle", middle))
    return " and ".join(result)


def _above(upper: RowName, value: int, lower: RowName, other: int) -> str:
    return f"the {upper} {'equals' if value == other else 'beats'} the {lower}"


class PairReasons:
    """Words for the pairs of one scored deal; `names` by hand."""

    def __init__(self, rules: Ruleset, hands: Sequence[ScoredHand], score: DealScore, names: Sequence[str]) -> None:
        self._rules = rules
        self._hands = hands
        self._score = score
        self._names = names

    def rows(self, pair: PairScore) -> tuple[Cell, Cell, Cell]:
        """Return the points of front, middle and back; 0 where rows count together or were not compared."""
        if not self._is_compared(pair):
            blank = Cell(0, "Not compared")
            return blank, blank, blank
        front, middle, back = (self._row(pair, index) for index in range(_ALL_ROWS))
        return front, middle, back

    def row_winners(self, pair: PairScore) -> tuple[int, int, int]:
        """Return who won each row: +1 the first of the pair, -1 the second, 0 nobody or not compared."""
        return pair.results if self._is_compared(pair) else (0, 0, 0)

    def scoop(self, pair: PairScore) -> Cell:
        """Return what the rows bring beyond a point each: the match, the scoop, the doubling."""
        if not self._is_compared(pair):
            return Cell(0, "")
        won, lost = (sum(result == side for result in pair.results) for side in (1, -1))
        winner = self._names[pair.a if won > lost else pair.b]
        most, least = max(won, lost), min(won, lost)
        method = self._rules.scoring.rows
        points = pair.rows - sum(map(self._row_points, range(_ALL_ROWS), pair.results))
        if method == "first_to_11":
            return Cell(0, "The best row at the table wins its point")
        why = f"{winner} won all three rows" if most == _ALL_ROWS else ""
        if method in _MATCHES and most != _ALL_ROWS:
            why = f"{winner} won the match, {most} rows to {least}" if points else "No one won the match"
        elif points and not why:
            why = f"{winner} won more rows"
        return Cell(points, why + self._doubling_text(pair))

    def royalties(self, pair: PairScore) -> Cell:
        """Return the royalties that change hands."""
        if self._score.hands[pair.a].natural or self._score.hands[pair.b].natural:
            return Cell(0, "")
        sides = (pair.a, pair.b)
        dead = [self._is_fouled(hand) for hand in sides]
        parts: list[str] = []
        if any(dead):
            if all(dead) or not self._rules.foul.pays_royalties:
                return Cell(0, "")
            payer, winner = (pair.a, pair.b) if dead[0] else (pair.b, pair.a)
            parts = self._royalty_list(winner)
            why = f"{self._names[payer]} fouled and pays {', '.join(parts)}" if parts else ""
        elif self._rules.royalties.rule == "row_winner":
            for row, result in enumerate(pair.results):
                winner = pair.a if result > 0 else pair.b
                if result:
                    parts += self._royalty_texts(winner, row)
            why = "Only the winner of a row is paid: " + ", ".join(parts) if parts else ""
        else:
            parts = [part for hand in sides for part in self._royalty_list(hand)]
            why = ", ".join(parts)
        doubled = self._doubling_text(pair) if self._rules.scoring.doubles == "all" else ""
        return Cell(pair.royalties, why + self._deuce_text(pair) + doubled if why else "")

    def other(self, pair: PairScore) -> Cell:
        """Return what a foul, a surrender or a natural costs."""
        return Cell(pair.other, self._other_reason(pair))

    def _other_reason(self, pair: PairScore) -> str:
        first, second = self._score.hands[pair.a], self._score.hands[pair.b]
        if "natural" in (first.status, second.status):
            return self._natural_reason(pair)
        if "surrendered" in (first.status, second.status):
            if pair.other == 0:
                return "A surrender pays only players whose board is played and legal"
            loser = pair.a if first.status == "surrendered" else pair.b
            return f"{self._names[loser]} surrendered and pays {abs(pair.other)}"
        dead = [hand for hand in (pair.a, pair.b) if self._is_fouled(hand)]
        if len(dead) == 1:
            reason = foul_reason(self._rules, self._score.hands[dead[0]])
            scale = "the value of a scoop" if self._rules.foul.points == "scoop" else "the agreed points"
            return f"{self._names[dead[0]]} fouled ({reason}) and pays {scale}{self._doubling_text(pair)}"
        return "Both foul: no points" if dead else ""

    def _natural_reason(self, pair: PairScore) -> str:
        held = [
            f"{self._names[hand]} holds {NATURAL_NAMES[natural.kind].lower()} ({natural.units})"
            for hand in (pair.a, pair.b)
            if (natural := self._score.hands[hand].natural)
        ]
        why = "; ".join(held)
        if len(held) > 1 and pair.other == 0:
            return f"{why}: equal, nothing is paid"
        return why

    def _row(self, pair: PairScore, row: int) -> Cell:
        result = pair.results[row]
        winner, loser = (pair.a, pair.b) if result > 0 else (pair.b, pair.a)
        points = self._row_points(row, result)
        name = self._row_name(winner, row)
        if result == 0:
            return Cell(0, f"Both have {name}: no points" if self._is_row_in_order(pair.a, row) else "Both rows foul")
        if not self._is_row_in_order(loser, row):
            return Cell(points, f"{self._names[loser]}'s row breaks the order and loses")
        other = self._row_name(loser, row)
        if name == other:
            return Cell(points, f"Both have {name}; {self._names[winner]}'s {self._tie_break_text(pair, row)}")
        return Cell(points, f"{self._names[winner]}'s {name} beats {other}")

    def _tie_break_text(self, pair: PairScore, row: int) -> str:
        """Return what decides two rows of one name."""
        low = row == 1 and self._rules.rows.middle == "deuce_to_seven"
        if self._score.hands[pair.a].values[row] == self._score.hands[pair.b].values[row]:
            return "lower suit wins" if low else "higher suit wins"
        return "side cards are lower" if low else "side cards are higher"

    def _row_name(self, hand: int, row: int) -> str:
        name = value_name(self._rules, ROWS[row], self._score.hands[hand].values[row])
        return name[0].lower() + name[1:]

    def _royalty_list(self, hand: int) -> list[str]:
        return [text for row in range(_ALL_ROWS) for text in self._royalty_texts(hand, row)]

    def _royalty_texts(self, hand: int, row: int) -> list[str]:
        """Return what a row's royalty is for: what lies in it, and in the back what was broken up."""
        points = self._score.hands[hand].royalties[row]
        broken, value = self._broken_up(hand) if row == _BACK else (0, 0)
        name = self._names[hand]
        texts = (
            [f"{name} {points - broken} for {self._row_name(hand, row)} in the {ROWS[row]}"]
            if points > broken
            else []
        )
        if broken:
            what = rank_name(value)
            texts.append(f"{name} {broken} for {what[0].lower()}{what[1:]}, broken up")
        return texts

    def _broken_up(self, hand: int) -> tuple[int, int]:
        """Return what a hand is paid for what it broke up, and its rank (Rules §4, `royalties.broken_up`)."""
        rules = self._rules
        own = self._score.hands[hand]
        if rules.royalties.broken_up == "lost" or not own.royalties[_BACK]:
            return 0, 0
        table = compile_rules(rules)
        broken = _kernel.broken_up(table, bytes(self._hands[hand].cards))
        lies = _kernel.row_royalties(table, *own.values)[_BACK]
        counts = own.royalties[_BACK] != lies  # where one royalty counts it may be that of the row
        return (broken.points, broken.value) if counts else (0, 0)

    def _deuce_text(self, pair: PairScore) -> str:
        if not self._rules.royalties.deuce_of_spades:
            return ""
        for hand in (pair.a, pair.b):
            if _DEUCE in self._hands[hand].cards:
                place = self._hands[hand].cards.index(_DEUCE)
                row = ROWS[0 if place < 3 else 1 if place < 8 else 2]
                return f"; the deuce of spades doubles the {row}"
        return ""

    def _doubling_text(self, pair: PairScore) -> str:
        """Return the words for the doubling of a pair."""
        home_run = pair.factor > (2 if self._rules.scoring.scoop_doubles else 1)
        if pair.factor == 1:
            return ""
        if not home_run:
            return ", doubled for the scoop"
        return ", doubled for the home-run" if pair.factor == 2 else ", doubled twice for the home-run"

    def _row_points(self, row: int, result: int) -> int:
        """Return the points of a row by itself, before any scoop; 0 where rows count together."""
        scoring = self._rules.scoring
        if scoring.rows in _MATCHES or scoring.rows == "first_to_11":
            return 0
        return result * (scoring.points[row] if scoring.rows == "custom" else 1)

    def _is_compared(self, pair: PairScore) -> bool:
        boards = all(self._hands[hand].kind == "board" for hand in (pair.a, pair.b))
        return (
            boards
            and not self._score.is_natural_payment(pair)
            and not (self._is_fouled(pair.a) or self._is_fouled(pair.b))
        )

    def _is_fouled(self, hand: int) -> bool:
        return self._score.hands[hand].status == "foul" and self._rules.foul.scope == "board"

    def _is_row_in_order(self, hand: int, row: int) -> bool:
        return not self._score.hands[hand].violated_rows >> row & 1
