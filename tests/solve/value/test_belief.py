"""What others threw away: believed from what lies open, by Bayes' rule over learned choices; issue 13, part 1."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import combinations, product
from math import exp, log
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import numpy as np
import pytest
from msgspec.structs import replace

from tests.deal.moves import begun, played
from triptych import _kernel
from triptych.bots.levels import get_level
from triptych.cards import Card, deck
from triptych.deal.actions import Place
from triptych.deal.engine import acting_hands, decide
from triptych.deal.project import view
from triptych.deal.state import DealState, HandStart
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import resolve
from triptych.rulesets.model import streets
from triptych.solve.analysis.analyse import SearchBudget, analyse, prepare_decision
from triptych.solve.analysis.decision import Decision, KernelHand
from triptych.solve.value.points import weights
from triptych.solve.value.weights import load, packaged, temperatures, unpack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.solve.value.weights import Weights

RULES = resolve("pineapple")
SLIP = 0.0005  # of native/include/triptych/learn/belief.hpp
NEAR = 1.5


def _learned() -> tuple[Weights, _kernel.Learner]:
    model = packaged(RULES)
    assert model is not None
    return model


def _shuffled(seed: int) -> tuple[Card, ...]:
    cards = list(deck())
    Random(seed).shuffle(cards)
    return tuple(cards)


def _dealt(cards: tuple[Card, ...], players: int, stop: int) -> tuple[DealState, list[Place]]:
    """Return a deal after so many placements by `fast`, and these."""
    bot = get_level("fast").factory(1)
    state = begun(RULES, tuple(map(HandStart, range(players))), cards)
    done: list[Place] = []
    for _ in range(stop):
        deal_view = view(state, acting_hands(state)[0])
        action = bot.choose(RULES, deal_view, deal_view.tasks[0])
        assert isinstance(action, Place)
        done.append(action)
        state = decide(state, action).state
    return state, done


def _decision(state: DealState) -> Decision:
    deal_view = view(state, acting_hands(state)[0])
    return Decision.from_view(RULES, deal_view, deal_view.tasks[0])


def _search(decision: Decision) -> _kernel.Analysis:
    head, learner = _learned()
    return decision.analysis(learner, head.fantasyland_values)


@pytest.mark.parametrize(("players", "stop"), [(2, 5), (2, 8), (3, 8)])
@pytest.mark.parametrize("seed", range(4))
def test_other_discards_behind_the_same_view_change_no_number(players: int, stop: int, seed: int) -> None:
    """Rules §2: discards are secret. The same cards are placed from a deck whose other third cards differ."""
    cards = _shuffled(seed)
    state, done = _dealt(cards, players, stop)
    me = acting_hands(state)[0]
    hidden = [card for hand, own in enumerate(state.hands) if hand != me for card in own.discards]
    dealt = {card for own in state.hands for card in (*own.board.cards, *own.discards, *own.drawn)}
    rest = [card for card in cards if card not in dealt]
    swapped = dict(zip(hidden, rest, strict=False)) | dict(zip(rest, hidden, strict=False))
    other = played(
        begun(RULES, tuple(map(HandStart, range(players))), tuple(swapped.get(card, card) for card in cards)), *done
    )
    for known_hand, again in zip(state.hands, other.hands, strict=True):
        assert not known_hand.discards or known_hand is state.hands[me] or known_hand.discards != again.discards
    assert view(other, me) == view(state, me)
    searches = _search(_decision(state)), _search(_decision(other))
    quick, thorough = ([search.discard_belief(thorough=care) for search in searches] for care in (False, True))
    assert quick[0] == quick[1] != []
    assert thorough[0] == thorough[1] != quick[0]
    for search in searches:
        search.run(4, 200, 3)
    assert searches[0].table() == searches[1].table()


@pytest.mark.parametrize("seed", range(6))
def test_one_discard_by_bayes_rule_over_every_history(seed: int) -> None:
    """Worked out in Python for one hidden discard: each way to share a board's cards among its two streets."""
    decision = replace(_decision(_dealt(_shuffled(seed), 2, 3)[0]), street_orders=())
    wanted = np.zeros(54)
    rows = decision.hands[0][:3]
    for later in product(range(3), repeat=3):
        before = [len(row) - count for row, count in zip(rows, later, strict=True)]
        if sum(later) == 2 and min(before) >= 0:
            wanted += _history(decision, before)
    assert _apart(decision, wanted) < 0.05


@pytest.mark.parametrize("seed", range(6))
def test_at_a_table_one_history_is_left(seed: int) -> None:
    """Everyone saw which cards came on which street: what else could have led to the board says nothing."""
    state, done = _dealt(_shuffled(seed), 2, 3)
    decision = _decision(state)
    first = done[0].layout
    assert _apart(decision, _history(decision, [len(first.front), len(first.middle), len(first.back)])) < 0.0005


def _apart(decision: Decision, expected: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """Return how far (0 to 1) what the first hand is believed to have discarded lies from what is expected."""
    (hand, street, chances), *more = _search(decision).discard_belief()
    assert (hand, street, more) == (0, 1, [])
    assert sum(chances) == pytest.approx(1, abs=1e-4)
    return float(np.abs(expected / expected.sum() - np.array(chances)).sum() / 2)


def _history(decision: Decision, before: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return by card how likely it was discarded and so many cards of each row lay there before."""
    rows = decision.hands[0][:3]
    first = tuple(row[:count] for row, count in zip(rows, before, strict=True))
    then = tuple(row[count:] for row, count in zip(rows, before, strict=True))
    opened = {*b"".join(rows), *b"".join(decision.hands[1][:3])}
    left = sum(1 << card for card in deck() if card not in opened)
    later = sum(1 << card for card in b"".join(then))
    begins = _likely(0, (b"", b"", b""), first, b"".join(first), left | later)
    likelihood = np.zeros(54)
    for card in decision.unseen_cards:
        likelihood[card] = begins * _likely(1, first, then, b"".join(then) + bytes([card]), left & ~(1 << card))
    return likelihood


@cache
def _fearless() -> _kernel.Learner:
    """Return a learner that takes a foul for nothing, as players who search do more nearly than the learned value."""
    entries, values = unpack((files("triptych_weights") / "pineapple.tw").read_bytes())[1:]
    head, steps = _learned()[0], streets(RULES)
    points = weights(RULES, head.fantasyland_values)
    points[3] = 0
    learner = _kernel.Learner(
        compile_rules(RULES),
        [step.dealt for step in steps],
        [step.placed for step in steps],
        hands=head.players,
        jokers=0,
        weights=points,
        strengths=list(head.strengths),
        seed=0,
    )
    learner.table()[entries, : _kernel.OUTCOMES] = values
    learner.refresh_weights()
    return learner


def _likely(street: int, rows: Sequence[bytes], placed: Sequence[bytes], cards: bytes, live: int) -> float:
    """Return how likely the softmax over learned values makes a placement."""
    hands = (
        KernelHand(rows[0], rows[1], rows[2], street, 0, 0),
        KernelHand(b"", b"", b"", 0, 14, 1),
    )  # who is in fantasyland tells nothing
    decision = Decision(street, 0, tuple(map(Card, cards)), 2 if street else 5, live, hands)
    table = decision.analysis(_fearless(), _learned()[0].fantasyland_values).table()
    heat = temperatures()["pineapple"][street]
    value = {tuple(map(frozenset, row[:3])): row[3] for row in table}
    mine = value[tuple(map(frozenset, placed))]
    return SLIP + 1 / sum(exp((points - mine) / heat) for points in value.values())


def test_true_discards_are_likelier_than_chance() -> None:
    """Deals of other players than those that the temperatures were fitted to; bench.belief has the figures."""
    gains: list[float] = []
    for seed in range(120):
        state, _ = _dealt(_shuffled(1000 + seed), 2, 8)
        decision = _decision(state)
        slots = _search(decision).discard_belief()
        assert [(hand, street) for hand, street, _ in slots] == [(1, street) for street in (1, 2, 3)]
        for card, (_, _, chance) in zip(state.hands[1].discards, slots, strict=True):
            gains.append(log(chance[card] * decision.unseen.bit_count()))
    assert fmean(gains) - 3 * stdev(gains) / len(gains) ** 0.5 > 0.05


@pytest.mark.parametrize("stop", [pytest.param(7, marks=pytest.mark.slow), 8])
def test_a_uniform_belief_gives_what_no_belief_gives(stop: int) -> None:
    """A temperature without end: discards are any unseen cards, and those that come are any of the rest."""
    decision = _decision(_dealt(_shuffled(7), 2, stop)[0])
    head, _ = _learned()
    learner = _uniform()
    unbelieving = decision.analysis(learner, head.fantasyland_values, believing=False)
    uniform = decision.analysis(learner, head.fantasyland_values)
    assert unbelieving.discard_belief() == []
    assert not uniform.exact()
    assert unbelieving.exact() == (stop == 8)
    for search in (unbelieving, uniform):
        search.measure(3, 20_000, 5, 0)
    rows = {row[:3]: row for row in unbelieving.table()}
    for row in uniform.table():
        if row[4]:
            other = rows[row[:3]]
            assert row[5] == pytest.approx(other[5], abs=4 * (row[6] ** 2 + other[6] ** 2) ** 0.5 + 1e-3)


def _uniform() -> _kernel.Learner:
    """Return a learner of its own: the package's is shared by all tests."""
    _, learner = load(RULES, (files("triptych_weights") / "pineapple.tw").read_bytes())
    learner.set_temperature([1e5] * 5)
    return learner


@pytest.mark.parametrize("game", ["turbo", "ofc_american"])
def test_where_nothing_is_discarded_nothing_is_believed(game: str) -> None:
    _, search, _ = prepare_decision("8s/7s7h/AhAd | *// +AcKd9c4h2d", game, None)
    assert search.discard_belief() == []


def test_a_hand_in_fantasyland_and_a_finished_deal_leave_nothing_to_believe() -> None:
    """What a fantasyland holds says nothing before it is shown; who acts last of all sees what counts."""
    assert prepare_decision("*Kd/7s7h9c/AhAdTc +Qc4s9h -2c | // =14", "pineapple", None)[1].discard_belief() == []
    last = "QsQhJd/8s8hTd9s5s/2h2dJs3d3h | *Kd/7s7h9c6c8d/AhAdTcTsTh +Qc4s9h -2c5h5d"
    assert prepare_decision(last, "pineapple", None)[1].discard_belief() == []
    assert analyse(last).exact


def test_the_first_on_the_last_street_is_shown_an_error() -> None:
    """Which cards the other hand can still draw is believed, not known; the same seed gives the same answer."""
    position = "*Qs/8s8hTd9sJc/2h2dJs3d3h +Qc4s9h -2c5h6c | Kd/7s7h9c6d8d/AhAdTcTsKh"
    first, second = (analyse(position, budget=SearchBudget(max_error=0.05), seed=3) for _ in range(2))
    assert first == second
    assert not first.exact
    assert 0 < first.placements[0].error <= 0.05


@pytest.mark.parametrize("seed", [3, 5])
def test_before_the_last_draw_a_choice_is_judged_by_all_of_it_as_well(seed: int) -> None:
    """Issue 13, part 1: worked out in Python, by the learned value and by the best of every draw of three, half each.

    Hand 0 has laid its fourth street; it saw what then lay before hand 1, which does not see its third card.
    """
    decision = _decision(_dealt(_shuffled(seed), 2, 7)[0])
    hand, street, chances = _search(decision).discard_belief()[-1]
    assert (hand, street) == (0, 3)
    sizes = decision.street_orders[0][6:9]
    rows = tuple(row[:size] for row, size in zip(decision.hands[0][:3], sizes, strict=True))
    placed = tuple(row[len(was) :] for row, was in zip(decision.hands[0][:3], rows, strict=True))
    opened = {*b"".join(decision.hands[0][:3]), *b"".join(decision.hands[1][:3])}
    thirds = [int(card) for card in decision.unseen_cards][::14]
    likely = []
    for third in thirds:
        live = sum(1 << card for card in deck() if card not in opened and card != third)
        cards = b"".join(placed) + bytes([third])
        calm = {tuple(map(frozenset, row[:3])): row[3] for row in _alone(_fearless(), 3, rows, cards, live)}
        mine = tuple(map(frozenset, placed))
        close = {mine, *(layout for layout, worth in calm.items() if worth >= max(calm.values()) - NEAR)}
        averaged = {layout: (calm[layout] + _drawn(rows, layout, live)) / 2 for layout in close}
        heat = temperatures()["pineapple"][3]
        behind = [
            averaged[layout] - averaged[mine] if layout in close else calm[layout] - calm[mine] for layout in calm
        ]
        likely.append(SLIP + 1 / sum(exp(loss / heat) for loss in behind))
    assert [chances[third] for third in thirds] == pytest.approx(
        [chances[thirds[0]] * weight / likely[0] for weight in likely], rel=2e-3
    )
    assert max(likely) > 3 * min(likely)


@pytest.mark.parametrize("seed", [3, 5])
def test_with_care_a_choice_before_the_last_draw_has_seen_what_the_rows_of_the_others_are(seed: int) -> None:
    """Issue 13, part 1: the same cards lay open, but the middle of hand 1 was its back."""
    decision = _decision(_dealt(_shuffled(seed), 2, 7)[0])
    front, middle, back, *rest = decision.hands[1]
    order = decision.street_orders[1]
    turned = bytes(size for at in range(0, len(order), 3) for size in (order[at], order[at + 2], order[at + 1]))
    other = replace(
        decision,
        hands=(decision.hands[0], (front, back, middle, *rest)),
        street_orders=(decision.street_orders[0], turned),
    )
    assert _search(decision).discard_belief() == _search(other).discard_belief()
    (_, street, chances), (_, _, other_chances) = (
        _search(some).discard_belief(thorough=True)[-1] for some in (decision, other)
    )
    assert street == 3
    assert chances != other_chances


def _alone(
    learner: _kernel.Learner, street: int, rows: Sequence[bytes], cards: bytes, live: int
) -> list[tuple[bytes, bytes, bytes, float, int, float]]:
    """Return all placements of a hand that sees no other board, with the learned value of each."""
    hands = (
        KernelHand(rows[0], rows[1], rows[2], street, 0, 0),
        KernelHand(b"", b"", b"", 0, 14, 1),
    )  # who is in fantasyland tells nothing
    decision = Decision(street, 0, tuple(map(Card, cards)), 2, live, hands)
    table = decision.analysis(learner, _learned()[0].fantasyland_values, believing=False).table()
    return [(*row[:3], *row[3:6]) for row in table]


def _drawn(rows: Sequence[bytes], placed: Sequence[frozenset[int]], live: int) -> float:
    """Return what a board is worth on average over all last draws, each placed in the best way."""
    board = [was + bytes(sorted(more)) for was, more in zip(rows, placed, strict=True)]
    draws = combinations([card for card in range(52) if live >> card & 1], 3)
    _, learner = _learned()
    return fmean(_alone(learner, 4, board, bytes(draw), live & ~sum(1 << c for c in draw))[0][3] for draw in draws)
