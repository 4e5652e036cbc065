"""The reasons for the numbers of one pair, in words for beginners."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from triptych import _kernel
from triptych.board import ROWS
from triptych.cards import parse_card
from triptych.i18n.messages import Message
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.model import Ruleset
from triptych.scoring.sheet.hand_names import beats, natural_name, rank_name, value_name
from triptych.scoring.sheet.types import Cell
from triptych.scoring.showdown import DealScore, HandScore, PairScore, ScoredHand

_MATCHES: Final = frozenset({"match_1_6", "match_2_6"})
_ALL_ROWS: Final = 3
_BACK: Final = 2
_DEUCE: Final = parse_card("2s")


def foul_reason(rules: Ruleset, hand: HandScore) -> str:
    """Return why a board is not legal: `the front beats the middle`."""
    front, middle, back = hand.values
    reasons: list[str] = []
    if rules.rows.middle == "deuce_to_seven":
        if hand.violated_rows & 2:
            reasons.append(Message("sheet.foul.not_ten_low"))
        if hand.violated_rows & 1:
            reasons.append(beats("front", "back", equal=front == back))
        return _both(reasons)
    if hand.violated_rows & 4:
        reasons.append(beats("middle", "back", equal=middle == back))
    if hand.violated_rows & 1:
        reasons.append(beats("front", "middle", equal=front == middle))
    return _both(reasons)


def _both(reasons: Sequence[str]) -> str:
    return Message("sheet.foul.both", first=reasons[0], second=reasons[1]) if len(reasons) > 1 else reasons[0]


def _royalties(parts: Sequence[str]) -> str:
    if not parts:
        return ""
    return reduce(lambda first, following: Message("sheet.more_royalties", first=first, next=following), parts)


class PairReasons:
    """Texts for the pairs of one scored deal; `names` by hand."""

    def __init__(self, rules: Ruleset, hands: Sequence[ScoredHand], score: DealScore, names: Sequence[str]) -> None:
        self._rules = rules
        self._hands = hands
        self._score = score
        self._names = names

    def rows(self, pair: PairScore) -> tuple[Cell, Cell, Cell]:
        """Return the points of front, middle and back; 0 where rows count together or were not compared."""
        if not self._is_compared(pair):
            blank = Cell(0, Message("sheet.not_compared"))
            return blank, blank, blank
        front, middle, back = (self._row(pair, index) for index in range(_ALL_ROWS))
        return front, middle, back

    def row_winners(self, pair: PairScore) -> tuple[int, int, int]:
        """Return the winner of each row: +1 the first of the pair, -1 the second, 0 a tie or not compared."""
        return pair.results if self._is_compared(pair) else (0, 0, 0)

    def scoop(self, pair: PairScore) -> Cell:
        """Return the points of the rows beyond one each: the match, the scoop, the doubling."""
        if not self._is_compared(pair):
            return Cell(0, "")
        wins, losses = (sum(result == side for result in pair.results) for side in (1, -1))
        winner = self._names[pair.a if wins > losses else pair.b]
        max_wins, min_wins = max(wins, losses), min(wins, losses)
        method = self._rules.scoring.rows
        points = pair.rows - sum(map(self._row_points, range(_ALL_ROWS), pair.results))
        if method == "first_to_11":
            return Cell(0, Message("sheet.best_row"))
        if max_wins == _ALL_ROWS:
            reason: str = Message("sheet.won_all", name=winner)
        elif method in _MATCHES:
            reason = Message("sheet.no_match")
            if points:
                reason = Message("sheet.won_match", name=winner, won=max_wins, lost=min_wins)
        else:
            reason = Message("sheet.won_more", name=winner) if points else ""
        return Cell(points, self._doubled(reason, pair))

    def royalties(self, pair: PairScore) -> Cell:
        """Return the royalties that change hands."""
        if self._score.hands[pair.a].natural or self._score.hands[pair.b].natural:
            return Cell(0, "")
        sides = (pair.a, pair.b)
        fouled = [self._is_fouled(hand) for hand in sides]
        parts: list[str] = []
        reason: str
        if any(fouled):
            if all(fouled) or not self._rules.foul.pays_royalties:
                return Cell(0, "")
            payer, winner = (pair.a, pair.b) if fouled[0] else (pair.b, pair.a)
            parts = self._royalty_list(winner)
            reason = Message("sheet.fouled_pays", name=self._names[payer], royalties=_royalties(parts))
        elif self._rules.royalties.rule == "row_winner":
            for row, result in enumerate(pair.results):
                winner = pair.a if result > 0 else pair.b
                if result:
                    parts += self._royalty_texts(winner, row)
            reason = Message("sheet.row_winner", royalties=_royalties(parts))
        else:
            parts = [part for hand in sides for part in self._royalty_list(hand)]
            reason = _royalties(parts)
        if not parts:
            return Cell(pair.royalties, "")
        reason = self._with_deuce(reason, pair)
        return Cell(pair.royalties, self._doubled(reason, pair) if self._rules.scoring.doubles == "all" else reason)

    def other(self, pair: PairScore) -> Cell:
        """Return the points of a foul, a surrender or a natural."""
        return Cell(pair.other, self._other_reason(pair))

    def _other_reason(self, pair: PairScore) -> str:
        first, second = self._score.hands[pair.a], self._score.hands[pair.b]
        if "natural" in (first.status, second.status):
            return self._natural_reason(pair)
        if "surrendered" in (first.status, second.status):
            if pair.other == 0:
                return Message("sheet.surrender_unpaid")
            loser = pair.a if first.status == "surrendered" else pair.b
            return Message("sheet.surrendered", name=self._names[loser], points=abs(pair.other))
        fouled = [hand for hand in (pair.a, pair.b) if self._is_fouled(hand)]
        if len(fouled) == 1:
            foul = foul_reason(self._rules, self._score.hands[fouled[0]])
            scoop = self._rules.foul.points == "scoop"
            reason = Message(
                "sheet.foul.scoop" if scoop else "sheet.foul.points", name=self._names[fouled[0]], reason=foul
            )
            return self._doubled(reason, pair)
        return Message("sheet.both_foul") if fouled else ""

    def _natural_reason(self, pair: PairScore) -> str:
        reasons = [
            Message("sheet.holds", name=self._names[hand], natural=natural_name(natural.kind), units=natural.units)
            for hand in (pair.a, pair.b)
            if (natural := self._score.hands[hand].natural)
        ]
        if len(reasons) == 1:
            return reasons[0]
        both = Message("sheet.both_hold", first=reasons[0], second=reasons[1])
        return both if pair.other else Message("sheet.hold_equal", held=both)

    def _row(self, pair: PairScore, row: int) -> Cell:
        result = pair.results[row]
        winner, loser = (pair.a, pair.b) if result > 0 else (pair.b, pair.a)
        points = self._row_points(row, result)
        name = self._row_name(winner, row)
        if result == 0:
            in_order = self._is_row_in_order(pair.a, row)
            return Cell(0, Message("sheet.row.tied", hand=name) if in_order else Message("sheet.row.both_foul"))
        if not self._is_row_in_order(loser, row):
            return Cell(points, Message("sheet.row.breaks_order", name=self._names[loser]))
        other = self._row_name(loser, row)
        if name == other:
            decides = self._tie_break(pair, row)
            return Cell(points, Message(f"sheet.row.{decides}", hand=name, name=self._names[winner]))
        return Cell(points, Message("sheet.row.beats", name=self._names[winner], hand=name, other=other))

    def _tie_break(self, pair: PairScore, row: int) -> str:
        """Return the key of the reason that decides two rows of the same name."""
        low = row == 1 and self._rules.rows.middle == "deuce_to_seven"
        if self._score.hands[pair.a].values[row] == self._score.hands[pair.b].values[row]:
            return "lower_suit" if low else "higher_suit"
        return "lower_cards" if low else "higher_cards"

    def _row_name(self, hand: int, row: int) -> str:
        return value_name(self._rules, ROWS[row], self._score.hands[hand].values[row])

    def _royalty_list(self, hand: int) -> list[str]:
        return [text for row in range(_ALL_ROWS) for text in self._royalty_texts(hand, row)]

    def _royalty_texts(self, hand: int, row: int) -> list[str]:
        """Return the reasons of a row's royalty: the row itself, and in the back a hand that was broken up."""
        points = self._score.hands[hand].royalties[row]
        broken_up, value = self._broken_up(hand) if row == _BACK else (0, 0)
        name = self._names[hand]
        texts: list[str] = []
        if points > broken_up:
            hand_name, row_name = self._row_name(hand, row), Message(f"row.{ROWS[row]}")
            texts.append(Message("sheet.royalty", name=name, points=points - broken_up, hand=hand_name, row=row_name))
        if broken_up:
            texts.append(Message("sheet.broken_up", name=name, points=broken_up, hand=rank_name(value)))
        return texts

    def _broken_up(self, hand: int) -> tuple[int, int]:
        """Return the royalty for a hand that was broken up, and its rank value (Rules §4, `royalties.broken_up`)."""
        rules = self._rules
        score = self._score.hands[hand]
        if rules.royalties.broken_up == "lost" or not score.royalties[_BACK]:
            return 0, 0
        table = compile_rules(rules)
        broken = _kernel.broken_up(table, bytes(self._hands[hand].cards))
        row_royalty = _kernel.row_royalties(table, *score.values)[_BACK]
        is_separate = score.royalties[_BACK] != row_royalty  # where only one royalty counts it may be the row's
        return (broken.points, broken.value) if is_separate else (0, 0)

    def _with_deuce(self, reason: str, pair: PairScore) -> str:
        if not self._rules.royalties.deuce_of_spades:
            return reason
        for hand in (pair.a, pair.b):
            if _DEUCE in self._hands[hand].cards:
                index = self._hands[hand].cards.index(_DEUCE)
                row = ROWS[0 if index < 3 else 1 if index < 8 else 2]
                return Message("sheet.deuce", reason=reason, row=Message(f"row.{row}"))
        return reason

    def _doubled(self, reason: str, pair: PairScore) -> str:
        """Return a reason with the doubling of the pair, if any."""
        if pair.factor == 1:
            return reason
        if pair.factor <= (2 if self._rules.scoring.scoop_doubles else 1):
            return Message("sheet.doubled.scoop", reason=reason)
        return Message(f"sheet.doubled.{'home_run' if pair.factor == 2 else 'home_run_twice'}", reason=reason)

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
