"""Score one deal: fouls, royalties, the payments of every pair, the next fantasylands.

A typed interface to the kernel's scorer; `settle.py` moves the points, `sheet/build.py` gives the reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final, Literal

from msgspec import Struct

from triptych import _kernel
from triptych.board import BOARD_CARDS
from triptych.cards import Card, is_joker
from triptych.errors import TriptychError
from triptych.i18n.messages import Message
from triptych.rulesets.compile import compile_rules, natural_entries
from triptych.rulesets.model import Natural, Ruleset

Kind = Literal["board", "surrender", "natural", "dead"]
Status = Literal["legal", "foul", "surrendered", "natural"]
Triple = tuple[int, int, int]

ALL_ROWS_MASK: Final = 7
_KINDS: Final = {"board": 0, "surrender": 1, "natural": 2, "dead": 3}
_NO_CARDS: Final = (0,) * 13
_HANDS: Final = range(2, 5)
_PAIRS: Final = {count: tuple(combinations(range(count), 2)) for count in _HANDS}


class ScoreError(TriptychError):
    """A hand that cannot be scored under these rules. `hand` counts from 0."""

    def __init__(self, code: str, message: str, hand: int) -> None:
        super().__init__(code, message)
        self.hand = hand


class ScoredHand(Struct, frozen=True):
    """One hand at the showdown.

    `cards`: front 3, middle 5, back 5; for a natural the 13 cards in any order; none for a surrender. A `dead` board
    counts as a foul whatever its cards (Rules §6, `timeout.layout = foul`).
    `fantasyland`: how many cards this deal gave in fantasyland, 0 = not in it; `in_row`: how many in a row, this one
    included.
    `owner`: hands of one owner do not play each other (criss-cross); None = its own owner.
    `declared`: bits 1 front, 2 middle, 4 back of the royalties declared; matters only where they must be.
    """

    cards: tuple[Card, ...] = ()
    kind: Kind = "board"
    fantasyland: int = 0
    in_row: int = 0
    owner: int | None = None
    declared: int = ALL_ROWS_MASK


class HandScore(Struct, frozen=True):
    """One hand's own result. Values and royalties go front, middle, back and are meaningful only for boards.

    `values`: the higher wins the row; the middle is a low order in a deuce-to-seven game. `violated_rows`: bits
    1 front, 2 middle, 4 back of the rows that break the order. `table_points`: points of `first_to_11`.
    """

    status: Status
    values: Triple
    violated_rows: int
    royalties: Triple
    natural: Natural | None
    fantasyland: int
    table_points: int


class PairScore(Struct, frozen=True):
    """The points that hand `a` receives from hand `b` (negative: pays), before stakes and caps.

    `results`: +1, 0, -1 for front, middle, back as `a` sees them. `rows`: row points with scoop and doubling;
    `factor`: that doubling, also of a foul's scoop value; `royalties` include it where it applies to them.
    `other`: foul, surrender or natural. All are 0 between two hands that do not play each other.
    """

    a: int
    b: int
    results: Triple
    rows: int
    factor: int
    royalties: int
    other: int

    @property
    def points(self) -> int:
        """The sum of all points that `a` receives from `b`."""
        return self.rows + self.royalties + self.other


class DealScore(Struct, frozen=True):
    """A scored deal; pairs in the order 0-1, 0-2, …, 1-2, … of the hands."""

    hands: tuple[HandScore, ...]
    pairs: tuple[PairScore, ...]

    def is_natural_payment(self, pair: PairScore) -> bool:
        """Return whether a pair pays for a natural, before the others. Rule: Rules §4; source 003 L41."""
        return bool(self.hands[pair.a].natural or self.hands[pair.b].natural)

    def totals(self) -> tuple[int, ...]:
        """Return each hand's points over all pairs, with the points of the whole table, before stakes and caps."""
        totals = [hand.table_points for hand in self.hands]
        for pair in self.pairs:
            totals[pair.a] += pair.points
            totals[pair.b] -= pair.points
        return tuple(totals)


def score_deal(rules: Ruleset, hands: Sequence[ScoredHand]) -> DealScore:
    """Return the score of two to four hands in deal order (left of the button first, the button last).

    A natural must be held, and a surrender allowed. Under `naturals.claim = auto` a board whose rows are three
    flushes or three straights is the natural of its cards, when the rules list that natural. Raises ScoreError
    `score.hands`, `score.cards`, `score.surrender`, `score.natural`. Rule: Rules §3 to 5; source 003 L14.
    """
    verify_hands(rules, hands)
    entries = natural_entries(rules.naturals)
    packed = b"".join([_pack_hand(index, hand) for index, hand in enumerate(hands)])
    scored = _kernel.score_deal(compile_rules(rules), packed)
    scores = tuple([_hand_score(hand, score, entries) for hand, score in zip(hands, scored.hands, strict=False)])
    for index, score in enumerate(scores):
        if score.status == "natural" and score.natural is None:
            raise ScoreError("score.natural", Message("error.hand.no_natural"), index)
    pairs = [
        PairScore(a, b, pair.results, pair.rows, pair.factor, pair.royalties, pair.other)
        for (a, b), pair in zip(_PAIRS[len(hands)], scored.pairs, strict=False)
    ]
    return DealScore(scores, tuple(pairs))


def verify_hands(rules: Ruleset, hands: Sequence[ScoredHand]) -> None:
    """Raise ScoreError unless the hands may be scored together under these rules."""
    if len(hands) not in _HANDS:
        raise ScoreError("score.hands", f"two to four hands can be scored, not {len(hands)}", 0)
    jokers = 52 + rules.deal.jokers
    cards: set[Card] = set()
    count = 0
    for index, hand in enumerate(hands):
        if hand.kind == "surrender":
            if rules.surrender.points == 0:
                raise ScoreError("score.surrender", "these rules do not allow to surrender", index)
            continue
        if len(hand.cards) != BOARD_CARDS:
            raise ScoreError("score.cards", f"a hand has 13 cards, not {len(hand.cards)}", index)
        if min(hand.cards) < 0 or max(hand.cards) >= jokers:
            raise ScoreError("score.cards", "these rules are played without this joker", index)
        cards.update(hand.cards)
        count += BOARD_CARDS
    if len(cards) != count:
        raise ScoreError("score.cards", "a card is in two places", 0)


def play_each_other(rules: Ruleset, a: int, b: int, banker: int) -> bool:
    """Return whether two players play each other; `banker` has the button (Rules §4, `scoring.pairs`)."""
    return a != b and (rules.scoring.pairs == "all" or banker in (a, b))


def rows_form_natural(rules: Ruleset, board: Sequence[Card]) -> bool:
    """Return whether the rows of a board, front first, claim a natural by themselves. Rule: Rules §4."""
    return _kernel.shows_natural(compile_rules(rules), bytes(board))


def best_natural(rules: Ruleset, cards: Sequence[Card]) -> Natural | None:
    """Return the best natural of 13 cards under these rules, or None."""
    if any(is_joker(card) for card in cards):
        return None
    entry = _kernel.best_natural(compile_rules(rules), bytes(cards)).entry
    return natural_entries(rules.naturals)[entry] if entry >= 0 else None


def _pack_hand(index: int, hand: ScoredHand) -> bytes:
    owner = index if hand.owner is None else hand.owner
    return bytes((_KINDS[hand.kind], hand.declared, hand.fantasyland, hand.in_row, owner, *(hand.cards or _NO_CARDS)))


def _hand_score(hand: ScoredHand, score: _kernel.HandScore, entries: tuple[Natural, ...]) -> HandScore:
    natural = score.natural.entry
    status: Status = "foul" if score.offending else "legal"
    if hand.kind == "natural" or natural >= 0:
        status = "natural"
    elif hand.kind == "surrender":
        status = "surrendered"
    claimed = entries[natural] if natural >= 0 else None
    return HandScore(
        status, score.values, score.offending, score.royalties, claimed, score.fantasyland, score.table_points
    )
