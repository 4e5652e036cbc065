"""The closer look of the greedy choice against counting every draw in Python (exact last streets)."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, combinations, permutations
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pytest

from tests.case_notes import case
from tests.case_sample import sample_cases
from tests.rulesets.example_rules import lists
from triptych import _kernel
from triptych.cards import Card, card_text, deck, parse_card, rank_of
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, streets
from triptych.scoring.showdown import ScoredHand, score_deal
from triptych.solve.exact.fantasyland import fantasyland
from triptych.solve.value.points import FANTASYLAND_SIZES, STRENGTH_BINS, weights
from triptych.solve.value.weights import packaged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Rows = tuple[bytes, bytes, bytes]
Texts = tuple[str, ...]
SIZES = (3, 5, 5)
MARGIN = 3  # of native/include/triptych/learn/refined_greedy.hpp
COUNTED = 10
LAND = 14  # cards of the fantasyland from which a board lies there whole before the others'
JOKERS = 52

GAMES: tuple[tuple[str, dict[str, object], int], ...] = (
    ("pineapple", {}, 4),
    ("pineapple", {"royalties.one_per_board": True}, 4),
    ("pineapple_progressive", {}, 4),
    ("pineapple_27", {}, 4),
    ("pineapple_joker", {}, 4),
    ("pineapple", lists("every_row"), 4),
    ("pineapple", lists("royalties"), 4),
    ("pineapple_27", lists("low_ladder"), 4),
    ("ofc_american", {}, 3),  # two cards to come, one by one
    ("ofc_american", {}, 2),
)


class Spot:
    """A board that was set well, some of its cards not yet there; the street's cards, and twelve that may come."""

    def __init__(self, rules: Ruleset, free: int, seed: int) -> None:
        random = Random(seed)
        cards = random.sample(deck(rules.deal.jokers), 14 + 12 + 3 + 13)
        setting = fantasyland(cards[:14], rules)
        rows = [list(setting.front), list(setting.middle), list(setting.back)]
        for _ in range(free):
            row = random.choice([row for row in rows if row])
            row.pop(random.randrange(len(row)))
        self.rows: Rows = (bytes(rows[0]), bytes(rows[1]), bytes(rows[2]))
        self.street = len(streets(rules)) - (2 if rules.deal.game == "pineapple" else free)
        self.cards = bytes(cards[14 : 14 + streets(rules)[self.street].dealt])
        self.unseen = cards[17:29]
        other = fantasyland(cards[29:], rules)
        self.other: Rows = (bytes(other.front), bytes(other.middle), bytes(other.back))


@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(1, 6), marks=pytest.mark.slow)])
@pytest.mark.parametrize(("game", "changes", "free"), GAMES)
def test_of_close_placements_the_one_with_the_best_exact_mean_is_chosen(
    game: str, changes: dict[str, object], free: int, seeds: range
) -> None:
    """A finished rival asks of each row what lies there, and one that has fouled asks nothing."""
    rules = resolve({"preset": game, **changes})
    for seed in seeds:
        spot = Spot(rules, free, seed)
        front, middle, back = spot.other
        for rival, against in (("none", None), ("legal", spot.other), ("fouled", (front, back, middle))):
            # What a joker stands for is not known before the end.
            if against is None or all(card < JOKERS for row in against for card in row):
                with case(seed, rival):
                    _verify_chosen(rules, spot, against)


def _verify_chosen(rules: Ruleset, spot: Spot, against: Rows | None) -> None:
    model = packaged(rules)
    assert model is not None
    learner = model[1]
    unseen = sum(1 << card for card in spot.unseen)
    hand = (*spot.rows, spot.street, 0, 0)
    other = (*spot.other, len(streets(rules)), LAND, 1)
    table = _kernel.Analysis(
        learner, spot.street, 0, [hand, other], spot.cards, unseen, model[0].fantasyland_values
    ).table()
    close = [row for row in table[:COUNTED] if row[3] >= table[0][3] - MARGIN]
    means = {row[:3]: _mean(rules, _joined(spot.rows, row[:3]), spot.unseen, against) for row in close}
    chosen = _chosen(learner, spot, [against] if against else [])
    assert means[chosen] == pytest.approx(max(means.values()), abs=1e-4)
    assert _chosen(learner, spot, [], looking=False) == table[0][:3]


@pytest.mark.parametrize("seed", sample_cases(range(20), range(4)))
def test_boards_on_which_nothing_lies_ask_nothing_and_two_ask_what_one_of_them_does(seed: int) -> None:
    rules = resolve("pineapple")
    spot = Spot(rules, 4, seed)
    spot.unseen = [card for card in deck() if card not in {*chain(*spot.rows, spot.cards)}]
    model = packaged(rules)
    assert model is not None
    assert _chosen(model[1], spot, [(b"", b"", b"")]) == _chosen(model[1], spot, [])
    whole = _twins(rules, spot.unseen, seed)
    for board, other in (whole, [(front[:2], middle[:4], back[:3]) for front, middle, back in whole]):
        alone = _chosen(model[1], spot, [board], hidden=_texts(chain(*other)))
        assert _chosen(model[1], spot, [board, other]) == alone


def _twins(rules: Ruleset, cards: Sequence[Card], seed: int) -> list[Rows]:
    """Return two boards of some cards whose rows are worth the same: of the same ranks in other suits."""
    random = Random(seed)
    ranks = [[card for card in cards if rank_of(card) == rank] for rank in range(13)]
    while True:
        mixed = [random.sample(same, len(same)) for same in ranks]
        pairs = [two for same in mixed for two in zip(same[::2], same[1::2], strict=False)]
        twin = dict(random.sample(pairs, 13))
        setting = fantasyland(tuple(twin), rules)
        rows = (setting.front, setting.middle, setting.back)
        original, copied = b"".join(map(bytes, rows)), bytes(twin[card] for row in rows for card in row)
        if _kernel.row_values(compile_rules(rules), original) == _kernel.row_values(compile_rules(rules), copied):
            return [(board[:3], board[3:8], board[8:]) for board in (original, copied)]


@pytest.mark.parametrize("seed", sample_cases(range(20), range(8)))
def test_cards_that_are_not_known_change_nothing(seed: int) -> None:
    rules = resolve("pineapple_joker")
    spot = Spot(rules, 4, seed)
    model = packaged(rules)
    assert model is not None
    assert _chosen(model[1], spot, [spot.other], hidden=("??", "??")) == _chosen(model[1], spot, [spot.other])


@pytest.mark.parametrize(
    ("boards", "me", "cards"),
    [
        ([((), (), (), (), ()), ((), (), (), ())], 0, ("As", "Ks", "Qs")),
        ([((), (), (), (), ()), (("As", "Ks", "Qs", "Js"), (), (), (), ())], 0, ("2s", "3s", "4s")),
        ([((), (), (), (), ()), (("as",), (), (), (), ())], 0, ("2s", "3s", "4s")),
        ([((), (), (), (), ()), (("A",), (), (), (), ())], 0, ("2s", "3s", "4s")),
        ([((), (), (), (), ()), (("é2",), (), (), (), ())], 0, ("2s", "3s", "4s")),
        ([((), (), (), (), ()), (["As"], (), (), (), ())], 0, ("2s", "3s", "4s")),
        ([((), (), (), (), ()), ((1,), (), (), (), ())], 0, ("2s", "3s", "4s")),
        ([((), (), (), (), ()), ((), (), (), (), ())], 0, ("2s", "3s", "??")),
        ([((), (), (), (), ()), ((), (), (), (), ())], 0, ("2s", "3s")),
        ([((), (), (), (), ()), ((), (), (), (), ())], 2, ("2s", "3s", "4s")),
        ([((), (), (), (), ())] * 5, 0, ("2s", "3s", "4s")),
    ],
)
def test_bad_views_are_refused(boards: list[Any], me: int, cards: tuple[str, ...]) -> None:
    model = packaged(resolve("pineapple"))
    assert model is not None
    with pytest.raises(ValueError, match=r"card|parts|hands"):
        _kernel.place(model[1], 1, boards, me, cards, looking=True)


def _board(rows: Rows, discarded: Texts) -> tuple[Texts, Texts, Texts, Texts, Texts]:
    front, middle, back = map(_texts, rows)
    return front, middle, back, (), discarded


def _chosen(
    learner: _kernel.Learner,
    spot: Spot,
    rivals: Iterable[Rows],
    *,
    looking: bool = True,
    hidden: tuple[str, ...] = (),
) -> Rows:
    """Return what a hand behind the others places; it threw away all that does not lie there and cannot come."""
    others = [_board(rival, hidden) for rival in rivals]
    discarded = {*deck(2)} - {*chain(*spot.rows, spot.cards, spot.unseen)}
    boards = [*others, _board(spot.rows, _texts(discarded))]
    placed = _kernel.place(learner, spot.street, boards, len(others), _texts(spot.cards), looking=looking)
    front, middle, back = (bytes(map(parse_card, row)) for row in placed)
    return front, middle, back


def _texts(cards: Iterable[int]) -> tuple[str, ...]:
    return tuple(card_text(Card(card)) for card in cards)


def _mean(rules: Ruleset, rows: Rows, unseen: Sequence[Card], against: Rows | None) -> float:
    """Return the mean points of a board over every draw, each played in the best way."""
    if rules.deal.game == "pineapple":
        return fmean(
            max(_points(rules, end, against) for end in _ends(rows, draw)) for draw in combinations(unseen, 3)
        )
    if sum(map(len, rows)) == 13:
        return _points(rules, rows, against)
    return fmean(
        max(_mean(rules, end, [card for card in unseen if card != come], against) for end in _with(rows, come))
        for come in unseen
    )


def _with(rows: Rows, card: Card) -> Iterator[Rows]:
    for row, size in enumerate(SIZES):
        if len(rows[row]) < size:
            front, middle, back = (cards + bytes([card]) if row == at else cards for at, cards in enumerate(rows))
            yield front, middle, back


def _ends(rows: Rows, draw: Sequence[Card]) -> Iterator[Rows]:
    for first, second in permutations(draw, 2):
        for half in _with(rows, first):
            yield from _with(half, second)


def _joined(rows: Rows, added: Sequence[bytes]) -> Rows:
    front, middle, back = (row + cards for row, cards in zip(rows, added, strict=True))
    return front, middle, back


@lru_cache(maxsize=1 << 16)
def _points(rules: Ruleset, rows: Rows, against: Rows | None) -> float:
    """Return what the learned weights make of a finished board; `against`: rows that its rows have to beat."""
    model = packaged(rules)
    assert model is not None
    head = model[0]
    worth = weights(rules, head.fantasyland_values)
    values = _kernel.row_values(compile_rules(rules), b"".join(rows))
    if _kernel.offending_rows(compile_rules(rules), *values):
        return worth[3]
    board = tuple(Card(card) for row in rows for card in row)
    other = tuple(card for card in deck(0) if card not in board)[:13]
    fantasyland = score_deal(rules, (ScoredHand(board), ScoredHand(other))).hands[0].fantasyland
    royalties = _kernel.row_royalties(compile_rules(rules), *values)
    total = float(max(royalties) if rules.royalties.one_per_board else sum(royalties))
    total += worth[4 + FANTASYLAND_SIZES.index(fantasyland)] if fantasyland else 0.0
    cuts = head.strengths
    whole = 1.0
    if against is not None:
        others = _kernel.row_values(compile_rules(rules), b"".join(against))
        if _kernel.offending_rows(compile_rules(rules), *others):
            others = (0, 0, 0)
        cuts = tuple(other for other in others for _ in range(STRENGTH_BINS))
        whole += 1 / STRENGTH_BINS
    strong = [
        value > cut
        for row, value in enumerate(values)
        for cut in cuts[row * STRENGTH_BINS : (row + 1) * STRENGTH_BINS]
    ]
    return total + whole * sum(map(float.__mul__, worth[4 + len(FANTASYLAND_SIZES) :], map(float, strong)))
