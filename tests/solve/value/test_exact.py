"""The ends of a deal that the search counts instead of sampling, against every draw scored one by one."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, permutations
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

import pytest

from triptych.cards import Card, deck
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, streets
from triptych.scoring.showdown import DealScore, PairScore, ScoredHand, score_deal
from triptych.solve.analysis.decision import Decision, KernelHand
from triptych.solve.exact.fantasyland import fantasyland
from triptych.solve.value.points import FANTASYLAND_VALUE_COUNT, new_learner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triptych import _kernel

Rows = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
Parts = tuple[float, float, float, float]  # rows, royalties, fouls' points, fantasyland
SIZES = (3, 5, 5)
LAND = 14  # cards of the fantasyland from which a board lies there whole before the others'
FANTASYLAND_VALUES = tuple(float(max(0, size - 4)) for size in range(FANTASYLAND_VALUE_COUNT))
GAMES: tuple[tuple[str, dict[str, object]], ...] = (
    ("pineapple", {}),
    ("pineapple", {"royalties.rule": "row_winner", "foul.points": 6}),
    ("pineapple", {"foul.pays_royalties": False, "scoring.rows": "match_1_6"}),
    ("pineapple", {"scoring.rows": "custom", "scoring.points": [3, 1, 2], "scoring.bonus": 5}),
    ("pineapple_27", {}),
    ("pineapple_joker", {}),
    ("ofc_american", {}),
)


class Spot:
    """A random spot of the last streets: boards that were set well, some cards of them not yet there."""

    def __init__(self, rules: Ruleset, seed: int, free: tuple[int, int], dealt: int) -> None:
        """`free`: slots of my board and of the other's; `dealt`: cards of my street."""
        random = Random(seed)
        cards = random.sample(deck(rules.deal.jokers), 2 * 14 + dealt)
        self.boards = tuple(
            _without(random, fantasyland(cards[start : start + 14], rules), slots)
            for start, slots in ((0, free[0]), (14, free[1]))
        )
        self.cards = tuple(cards[28:])
        on_table = {*self.cards, *(card for board in self.boards for row in board for card in row)}
        unseen = [card for card in deck(rules.deal.jokers) if card not in on_table]
        random.shuffle(unseen)
        self.unseen = unseen[:18]  # the rest lies in discards

    def analysis(self, rules: Ruleset, street: int, me: int = 0) -> _kernel.Analysis:
        whole = sum(map(len, self.boards[1])) == 13
        other = (
            _hand(self.boards[1], len(streets(rules)))._replace(fantasyland=LAND, in_row=1)
            if whole
            else _hand(self.boards[1], street)
        )
        hands = [_hand(self.boards[0], street), other]
        return self.analysis_for(rules, street, me, hands[::-1] if me else hands)

    def analysis_for(self, rules: Ruleset, street: int, me: int, hands: Sequence[KernelHand]) -> _kernel.Analysis:
        unseen = sum(1 << card for card in self.unseen)
        decision = Decision(street, me, self.cards, streets(rules)[street].placed, unseen, tuple(hands))
        return decision.analysis(_learner(rules), FANTASYLAND_VALUES)


def _hand(board: Rows, done: int) -> KernelHand:
    front, middle, back = map(bytes, board)
    return KernelHand(front, middle, back, done, 0, 0)


@lru_cache
def _learner(rules: Ruleset) -> _kernel.Learner:
    return new_learner(rules, 2, fantasyland_values=FANTASYLAND_VALUES)


def _without(random: Random, setting: object, slots: int) -> Rows:
    rows = [list(getattr(setting, row)) for row in ("front", "middle", "back")]
    for _ in range(slots):
        row = random.choice([row for row in rows if row])
        row.pop(random.randrange(len(row)))
    front, middle, back = (tuple(row) for row in rows)
    return front, middle, back


def _ends(board: Rows, drawn: Sequence[Card]) -> Iterator[Rows]:
    """Yield every way to fill a board's free slots."""
    free = [row for row, size in enumerate(SIZES) for _ in range(size - len(board[row]))]
    for cards in permutations(drawn, len(free)):
        rows = [list(row) for row in board]
        for row, card in zip(free, cards, strict=True):
            rows[row].append(card)
        front, middle, back = (tuple(row) for row in rows)
        yield front, middle, back


def _worth(rules: Ruleset, mine: Rows, other: Rows, land_cards: int = 0) -> tuple[float, Parts]:
    """Return my points, and what my own side brings; `land_cards`: of the other hand's fantasyland."""
    own, against = (tuple(card for row in board for card in row) for board in (mine, other))
    boards = [ScoredHand(own), ScoredHand(against, fantasyland=land_cards, in_row=int(land_cards > 0))]
    score = score_deal(rules, boards)
    fantasyland = [FANTASYLAND_VALUES[hand.fantasyland] for hand in score.hands]
    return score.pairs[0].points + fantasyland[0] - fantasyland[1], _brought(rules, score, score.pairs[0], 0)


def _brought(rules: Ruleset, score: DealScore, pair: PairScore, hand: int) -> Parts:
    """Return what a hand of a pair brings itself: rows that it wins, royalties, its foul, its fantasyland."""
    sign = 1 if pair.a == hand else -1
    rival = pair.b if pair.a == hand else pair.a
    own = score.hands[hand]
    royalties = 0
    if score.hands[rival].violated_rows == 0:
        beats = [sign * result > 0 or rules.royalties.rule != "row_winner" for result in pair.results]
        royalties = sum(points for points, paid in zip(own.royalties, beats, strict=True) if paid)
    elif rules.foul.pays_royalties:
        royalties = sum(own.royalties)
    if rules.scoring.doubles == "all":
        royalties *= pair.factor
    rows, other = max(0, sign * pair.rows), min(0, sign * pair.other)
    return rows, royalties if own.violated_rows == 0 else 0, other, FANTASYLAND_VALUES[own.fantasyland]


def _verify_own(row: Sequence[float], ends: Sequence[Sequence[tuple[float, Parts]]]) -> None:
    """Verify a placement's own parts by draws of which one end is taken; ends of equal points may be any of them."""
    tied = [[own for points, own in draw if points == draw[0][0]] for draw in ends]
    for part, value in enumerate(row):
        least, most = (fmean(bound(own[part] for own in draw) for draw in tied) for bound in (min, max))
        assert least - 1e-3 <= value <= most + 1e-3


def _rows(added: Sequence[bytes], spot: Spot) -> Rows:
    """Return my board with a placement's cards."""
    front, middle, back = ((*row, *map(Card, cards)) for row, cards in zip(spot.boards[0], added, strict=True))
    return front, middle, back


@pytest.mark.parametrize(("game", "changes"), GAMES)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_the_last_street_counts_every_answer_of_the_other_hand(
    game: str, changes: dict[str, object], seed: int
) -> None:
    """First to act: the other hand draws each of its draws and takes what pays it most."""
    rules = resolve({"preset": game, **changes})
    last = streets(rules)[-1]
    spot = Spot(rules, seed, (last.placed, last.placed), last.dealt)
    search = spot.analysis(rules, len(streets(rules)) - 1)
    assert search.exact()
    search.run(1, 1, 1)
    table = search.table()
    assert [row[5] for row in table] == sorted((row[5] for row in table), reverse=True)
    for row in (table[0], table[-1]):
        mine = _rows(row[:3], spot)
        ends = [
            sorted(_worth(rules, mine, end) for end in _ends(spot.boards[1], draw))
            for draw in combinations(spot.unseen, last.dealt)
        ]
        wanted = fmean(draw[0][0] for draw in ends)
        assert row[5] == pytest.approx(wanted, abs=1e-4)
        _verify_own(row[14:], ends)
        assert row[6] == 0
        assert sum(row[7:11]) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize(("game", "changes"), GAMES)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_the_street_before_counts_every_own_draw(game: str, changes: dict[str, object], seed: int) -> None:
    """Against a fantasyland that is set nothing else is left to chance: each own draw, played in the best way."""
    rules = resolve({"preset": game, **changes})
    last, now = streets(rules)[-1], streets(rules)[-2]
    spot = Spot(rules, seed, (last.placed + now.placed, 0), now.dealt)
    search = spot.analysis(rules, len(streets(rules)) - 2, me=1)
    worst = len(search.table()) - 1
    points = search.sample_points([0, worst], 4, 1, 0)
    assert points.shape == (4, 2)
    assert points.std(axis=0).max() < 1e-3
    search.measure(worst + 1, 3, 1, 0)
    table = search.table()
    for row, sample in ((table[0], points[0, 0]), (table[worst], points[0, 1])):
        mine = _rows(row[:3], spot)
        ends = [
            sorted((_worth(rules, end, spot.boards[1], LAND) for end in _ends(mine, draw)), reverse=True)
            for draw in combinations(spot.unseen, last.dealt)
        ]
        expected = fmean(draw[0][0] for draw in ends)
        _verify_own(row[14:], ends)
        assert sample == pytest.approx(expected, abs=1e-3)
        assert row[5] == pytest.approx(expected, abs=1e-3)
        assert sum(row[7:11]) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("me", [0, 1])
def test_quick_totals_are_the_sums_of_the_parts(me: int) -> None:
    """Bots take the quick way, analysis the one that keeps the parts: the same samples, the same points.

    What is shown where the other hand still answers is less by what its answer is better than a slip, for all alike.
    """
    rules = resolve("pineapple")
    spot = Spot(rules, 7, (4, 4 if me == 0 else 2), 3)
    others = _hand(spot.boards[1], 3 + me)  # on the button: the other hand has played this street
    hands = [_hand(spot.boards[0], 3), others]
    search = spot.analysis_for(rules, 3, me, hands[::-1] if me else hands)
    quick = search.sample_points([0, 1, 2], 300, 5, 0)
    search.measure(3, 300, 5, 0)
    table = search.table()[:3]
    less = quick[:, 0].mean() - table[0][5]
    assert less > 0 if me == 0 else less == pytest.approx(0, abs=1e-3)
    for column, row in enumerate(table):
        assert row[5] == pytest.approx(quick[:, column].mean() - less, abs=1e-3)
        assert sum(row[7:11]) == pytest.approx(row[5], abs=1e-3)


COUNTS: tuple[dict[str, object], ...] = (
    {"scoring.pairs": "banker"},
    {"scoring.scoop_doubles": True, "scoring.doubles": "all"},
    {"scoring.rows": "custom", "scoring.points": [1, 0, 4], "scoring.bonus": 3},
)


@pytest.mark.parametrize("me", [0, 1, 2])
@pytest.mark.parametrize("changes", COUNTS, ids=str)
def test_the_last_placement_is_worth_what_the_scorer_says(changes: dict[str, object], me: int) -> None:
    """Rules §4: however points are counted; of three hands the last has the button, two boards are finished."""
    rules = resolve({"preset": "pineapple", **changes})
    last = streets(rules)[-1]
    random = Random(me)
    cards = random.sample(deck(), 3 * 14 + last.dealt)
    boards = [_without(random, fantasyland(cards[14 * at : 14 * at + 14], rules), 0) for at in range(3)]
    boards[me] = _without(random, fantasyland(cards[14 * me : 14 * me + 14], rules), last.placed)
    drawn = tuple(cards[42:])
    unseen = sum(1 << card for card in deck() if card not in cards)
    hands = tuple(_hand(board, len(streets(rules)) - (at == me)) for at, board in enumerate(boards))
    decision = Decision(len(streets(rules)) - 1, me, drawn, last.placed, unseen, hands)
    others = tuple(hand for hand in range(3) if hand != me)
    assert decision.opponents_in_play(rules) == ((2,) if rules.scoring.pairs == "banker" and me != 2 else others)
    assert len(decision.opponents(rules)) == len(decision.opponents_in_play(rules))
    search = decision.analysis(new_learner(rules, 3, fantasyland_values=FANTASYLAND_VALUES), FANTASYLAND_VALUES)
    search.run(1, 1, 1)
    for row in search.table():
        front, middle, back = ((*own, *map(Card, more)) for own, more in zip(boards[me], row[:3], strict=True))
        ends = [(front, middle, back) if at == me else board for at, board in enumerate(boards)]
        score = score_deal(rules, [ScoredHand(tuple(card for row in board for card in row)) for board in ends])
        values = [FANTASYLAND_VALUES[hand.fantasyland] for hand in score.hands]
        points = sum(pair.points * ((pair.a == me) - (pair.b == me)) for pair in score.pairs)
        expected = points + sum(values[me] - values[rival] for rival in decision.opponents_in_play(rules))
        assert row[5] == pytest.approx(expected, abs=1e-4)
        rivals = decision.opponents_in_play(rules)
        pairs = [pair for pair in score.pairs if me in (pair.a, pair.b) and pair.a + pair.b - me in rivals]
        own = [_brought(rules, score, pair, me) for pair in pairs]
        against = [_brought(rules, score, pair, pair.a + pair.b - me) for pair in pairs]
        for part, (net, gain) in enumerate(zip(row[7:11], row[14:], strict=True)):
            assert gain == pytest.approx(sum(gains[part] for gains in own), abs=1e-4)
            assert gain - net == pytest.approx(sum(losses[part] for losses in against), abs=1e-4)
