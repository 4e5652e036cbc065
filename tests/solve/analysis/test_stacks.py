"""Outcomes after what can be paid (issue 13, part 4). Rule: Rules §4, 6; scoring/settle.py pays tables."""

from __future__ import annotations

import json
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.examples import examples
from triptych import _kernel
from triptych.bots.learned.bot import LearnedBot, SearchSettings
from triptych.cards import Card, card_text, deck
from triptych.cli.main import app
from triptych.deal.engine import acting_hands, decide, finished, start
from triptych.deal.project import view
from triptych.deal.state import HandStart
from triptych.deal.view_types import Stacks
from triptych.notation.position import Position, PositionHand, parse_position
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset, Settlement
from triptych.scoring.settle import Due, settle
from triptych.scoring.showdown import ScoredHand, score_deal
from triptych.solve.analysis.analyse import SearchBudget, analyse
from triptych.solve.analysis.decision import Decision
from triptych.solve.analysis.stacks import kernel_stacks, payable_points
from triptych.solve.errors import SolveError
from triptych.solve.exact.places import icm_value
from triptych.solve.value.weights import packaged

RULES = resolve("pineapple")
# No fantasyland: what a deal pays is all that it brings.
PLAIN = resolve("ofc_pokerstars")
MANY = 10**6


def _searched(
    rules: Ruleset, position: str | Position, stacks: Stacks | None, me: int = 0
) -> tuple[_kernel.Analysis, Decision]:
    model = packaged(replace(rules, settlement=Settlement()))  # the same weights, read once
    assert model is not None
    parsed = parse_position(position) if isinstance(position, str) else position
    decision = Decision.from_position(rules, parsed, me, stacks=stacks)
    return decision.analysis(model[1], model[0].fantasyland_values), decision


@pytest.mark.parametrize(
    "position",
    [
        "*Kd/7s7h/AhAd +Qc4s9h | As/8c8d/TcJc",
        "*Kd/7s7h/AhAd +Qc4s9h | As/8c8d/TcJc | Ks/6c6d/3c3d",
        "*Kd/7s7h5d/AhAd4d +Qc2s9h -2d | As3s/8c8d8s/TcJc",
        "*Kd/7s7h5d5c/AhAdAc4d +Qc2s9h -2d3h | As3s/8c8d8s/TcJc9c9s",
        "*// +KdQcQs4s9h | // =14",
        "*KdQh/7s7h5d5c/AhAdAc4d4s +Qc2s9h -2d3h8h | As3s2c/8c8d8s3d/TcJc9c9s",
    ],
)
def test_where_all_can_be_paid_a_search_is_the_same_to_the_last_bit(position: str) -> None:
    """Rollouts, counted draws, counted answers, the last street: every number of the table."""
    hands = position.count("|") + 1
    tables = []
    for stacks in (None, Stacks((MANY,) * hands), Stacks((MANY,) * hands, point=7)):
        search, _ = _searched(RULES, position, stacks)
        search.run(8, 2000, 3)
        search.measure(3, 100, 4, 0)
        tables.append(search.table())
    assert tables[0] == tables[1] == tables[2]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(
    "effort",
    [SearchSettings(lookahead=True), SearchSettings(width=8, rollouts=200), SearchSettings(width=16, rollouts=1000)],
)
def test_where_all_can_be_paid_every_level_chooses_the_same(effort: SearchSettings, players: int) -> None:
    """Issue 13, part 4: fast, medium and strong with fewer rollouts, whole deals."""
    bot = LearnedBot("bot", effort)
    for seed in range(3):
        cards = list(deck())
        Random(seed).shuffle(cards)
        state = start(RULES, 1, tuple(HandStart(seat) for seat in range(players)), tuple(cards)).state
        while not finished(state):
            deal_view = view(state, state.hands[acting_hands(state)[0]].seat)
            choice = bot.choose(RULES, deal_view, deal_view.tasks[0])
            assert (
                bot.choose(RULES, replace(deal_view, stacks=Stacks((MANY,) * players)), deal_view.tasks[0]) == choice
            )
            state = decide(state, choice).state


def test_fast_does_not_pay_for_a_fantasyland_that_brings_nothing() -> None:
    """Issue 13, part 4: with two points in front of both it chooses otherwise at times, not always."""
    bot, differ = LearnedBot("fast", SearchSettings(lookahead=True)), 0
    for seed in range(12):
        cards = list(deck())
        Random(seed).shuffle(cards)
        state = start(RULES, 1, (HandStart(0), HandStart(1)), tuple(cards)).state
        while not finished(state):
            deal_view = view(state, state.hands[acting_hands(state)[0]].seat)
            choice = bot.choose(RULES, deal_view, deal_view.tasks[0])
            differ += bot.choose(RULES, replace(deal_view, stacks=Stacks((2, 2))), deal_view.tasks[0]) != choice
            state = decide(state, choice).state
    assert 0 < differ < 120


def _last_street(rules: Ruleset, players: int, seed: int) -> Position:
    """Return a table at which one card is to be placed, by the last hand, and all other boards are finished."""
    cards = [card_text(card) for card in deck(rules.deal.jokers)]
    Random(seed).shuffle(cards)
    hands = []
    for hand in range(players):
        own, cards = tuple(cards[:13]), cards[13:]
        last = hand == players - 1
        # The free slot is of the row that the seed names, so that the other two are full.
        row = seed % 3 if last else 3
        sizes = [3 - (row == 0), 5 - (row == 1), 5 - (row == 2)]
        front, rest = own[: sizes[0]], own[sizes[0] :]
        middle, rest = rest[: sizes[1]], rest[sizes[1] :]
        back, drawn = rest[: sizes[2]], rest[sizes[2] :]
        hands.append(PositionHand(front, middle, back, drawn))
    return Position(tuple(hands), (players - 1,))


@given(
    seed=st.integers(0, 10_000),
    players=st.integers(2, 4),
    chips=st.lists(st.integers(0, 40), min_size=4, max_size=4),
    stakes=st.one_of(st.just(None), st.lists(st.integers(1, 5), min_size=6, max_size=6)),
    point=st.integers(1, 3),
    rule=st.builds(
        Settlement,
        cap=st.sampled_from(["none", "min_stack_at_start", "min_current"]),
        after_bust=st.sampled_from(["continue", "stop"]),
        loss_limit=st.sampled_from([0, 0, 3, 8]),
        credit=st.booleans(),
    ),
)
@settings(max_examples=examples(100))
def test_a_finished_deal_brings_what_the_table_pays(
    seed: int, players: int, chips: list[int], stakes: list[int] | None, point: int, rule: Settlement
) -> None:
    """Two scorers' settlements: the kernel's at the end of a rollout, and scoring/settle.py's."""
    rules = replace(PLAIN, settlement=rule)
    position = _last_street(rules, players, seed)
    pairs = list(combinations(range(players), 2))
    own = tuple(stakes[: len(pairs)]) if stakes else ()
    me = players - 1
    search, decision = _searched(rules, position, Stacks(tuple(chips[:players]), point, own), me)
    search.run(1, 1, 1)
    (row,) = search.table()
    assert search.exact()
    boards = [[*hand.front, *hand.middle, *hand.back] for hand in position.hands]
    front, middle, back = (
        [*there, *(card_text(decision.cards[0]) for _ in range(len(added)))]
        for there, added in zip(
            (position.hands[me].front, position.hands[me].middle, position.hands[me].back), row[:3], strict=True
        )
    )
    boards[me] = [*front, *middle, *back]
    order = {card_text(card): card for card in deck(2)}
    score = score_deal(rules, [ScoredHand(tuple(order[text] for text in board)) for board in boards])
    worth = dict(zip(pairs, own or (point,) * len(pairs), strict=True))
    dues = [Due(pair.a, pair.b, pair.points * worth[pair.a, pair.b]) for pair in score.pairs]
    paid = settle(dues, chips[:players], rule, point=point).stacks[me]
    assert paid is not None
    assert row[5] == pytest.approx((paid - chips[me]) / point)
    assert row[5] == pytest.approx(sum(row[7:11]) + row[13])


@pytest.mark.parametrize(("own", "other"), [(4, 100), (100, 4), (4, 4)])
def test_nobody_is_promised_more_than_can_be_paid(own: int, other: int) -> None:
    """Rules §6: a pair's transfer is at most the smaller stack, and so is what a placement is worth."""
    for position in (
        "*Kd/7s7h/AhAd +Qc4s9h | As/8c8d/TcJc",
        "*Kd/7s7h5d5c/AhAdAc4d +Qc2s9h -2d3h | As3s/8c8d8s/TcJc9c9s",
    ):
        search, _ = _searched(RULES, position, Stacks((own, other)))
        search.run(8, 500, 3)
        search.reset_samples()
        search.measure(8, 50, 4, 0)
        for row in search.table():
            # What is left after the deal may be lost or won once more in a fantasyland.
            assert abs(row[5]) <= 8
            assert row[5] == pytest.approx(sum(row[7:11]) + row[13], abs=1e-4)


def test_two_hands_paid_in_any_way_are_counted_as_they_are_sampled() -> None:
    """The last street but one, heads-up, is counted; three-handed with a third who has nothing it is sampled."""
    search, _ = _searched(RULES, "*Kd/7s7h5d5c/AhAdAc4d +Qc2s9h -2d3h | As3s/8c8d8s/TcJc9c9s", Stacks((9, 9)))
    search.run(3, 1000, 1)
    search.reset_samples()
    search.measure(3, 300, 2, 0)
    points = {row[:3]: row[5] for row in search.table()[:3]}
    # A prize that only the winner gets makes chips count as chips (below), and no draw is counted then.
    search, _ = _searched(
        RULES,
        "*Kd/7s7h5d5c/AhAdAc4d +Qc2s9h -2d3h | As3s/8c8d8s/TcJc9c9s",
        Stacks((9, 9), prizes=(1.0,)),
    )
    search.run(27, 1, 1)
    search.reset_samples()
    search.measure(27, 2000, 2, 0)
    for row in search.table():
        if row[:3] in points:
            assert row[5] == pytest.approx(points[row[:3]], abs=5 * row[6] + 0.6)


def test_a_short_stack_does_not_buy_what_nobody_can_pay() -> None:
    """Two points in front of both: fantasyland brings next to nothing, so the board that does not foul is better."""
    search, _ = _searched(RULES, "*Kd/7s7h/AhAd +QcQs9h | As/8c8d/TcJc", Stacks((2, 2)))
    search.run(16, 4000, 1)
    assert all(abs(row[5]) <= 4 for row in search.table())


def test_a_loss_limit_counts_without_stacks() -> None:
    """Rules §4: settlement.loss_limit = n, nobody loses more than n points in a deal; on the book too."""
    rules = replace(PLAIN, settlement=Settlement(loss_limit=2, credit=True))
    for seed in range(20):
        search, _ = _searched(rules, _last_street(rules, 2, seed), None, 1)
        search.run(1, 1, 1)
        assert all(abs(row[5]) <= 2 for row in search.table())


@pytest.mark.parametrize(
    ("stacks", "code"),
    [
        (Stacks((10,)), "stacks.count"),
        (Stacks((10, 10), stakes=(1, 1)), "stacks.count"),
        (Stacks((-1, 10)), "value.range"),
        (Stacks((10, 10), point=0), "value.range"),
        (Stacks((10, 10), prizes=(-1.0,)), "value.range"),
        (Stacks((10, 10), prizes=(float("nan"),)), "value.range"),
    ],
)
def test_stacks_that_fit_no_deal_are_refused(stacks: Stacks, code: str) -> None:
    with pytest.raises(SolveError) as refused:
        _searched(RULES, "*Kd/7s7h/AhAd +Qc4s9h | As/8c8d/TcJc", stacks)
    assert (refused.value.code, refused.value.path) == (code, "$.stacks")


BUBBLE = (
    "2c2h4s/5c5s6h7h8d/JhJcAcAsAh | 2s2d3s/6d7c8c8h9d/TsJdQdKsKd | *4d/4c4h5d6s7d/9hThQhKcKh +3c3hQs",
    (10, 3, 10),
    (50.0, 30.0),
)


def _every_placement(
    rules: Ruleset, position: str, stacks: Stacks
) -> dict[tuple[bytes, bytes, bytes], tuple[float, float, float]]:
    """Return for each placement of a last street: chips won, what the places promise, and the search's points."""
    search, decision = _searched(rules, position, stacks, 2)
    search.run(1, 1, 1)
    assert search.exact()
    chips = stacks.chips
    placements = {}
    for row in search.table():
        boards = [b"".join(hand[:3]) for hand in decision.hands]
        boards[2] = b"".join(own + more for own, more in zip(decision.rows, row[:3], strict=True))
        score = score_deal(rules, [ScoredHand(tuple(map(Card, board))) for board in boards])
        dues = [Due(pair.a, pair.b, pair.points) for pair in score.pairs]
        after = [stack or 0 for stack in settle(dues, chips, rules.settlement).stacks]
        promised = icm_value(after, stacks.prizes, chips)[2] - icm_value(chips, stacks.prizes)[2]
        placements[row[:3]] = (float(after[2] - chips[2]), promised, row[5])
    return placements


def test_on_a_bubble_the_places_choose_otherwise_than_the_chips() -> None:
    """Three players, two prizes; the last to act loses whatever is placed. Every placement is worked out.

    Keeping two chips costs least in chips, but leaves the one with three chips in: who is out in the same deal as one
    with fewer chips has the second place for sure (Rules §6, tournament).
    """
    rules = resolve({"preset": "pineapple", "fantasyland.kind": "none"})
    position, chips, prizes = BUBBLE
    by_chips = _every_placement(rules, position, Stacks(chips, prizes=(1.0,)))
    by_place = _every_placement(rules, position, Stacks(chips, prizes=prizes))
    assert len(by_place) > 2
    for won, promised, points in by_place.values():
        # A chip is worth on average the prizes by the chips: points = prize money · 23 / 80.
        assert points == pytest.approx(promised * sum(chips) / sum(prizes))
        assert -chips[2] <= won
    for won, _, points in by_chips.values():
        assert points == pytest.approx(won)  # the winner takes all: chips are worth their share
    best = max(by_place.values(), key=lambda row: row[2])
    thrifty = max(by_chips.values(), key=lambda row: row[2])
    assert (thrifty[0], best[0]) == (-8.0, -10.0)
    assert best[1] > next(row[1] for row in by_place.values() if row[0] == thrifty[0]) + 5


def test_a_level_plays_for_places() -> None:
    """The bots' own way in: the same table, told with its prizes and without."""
    rules = resolve({"preset": "pineapple", "fantasyland.kind": "none"})
    position, chips, prizes = BUBBLE
    best = []
    for stacks in (Stacks(chips), Stacks(chips, prizes=prizes)):
        search, _ = _searched(rules, position, stacks, 2)
        search.run(16, 1, 1)
        best.append(search.table()[0][:3])
    assert best[0] != best[1]


def test_places_are_counted_before_the_end_of_a_deal_too() -> None:
    """By prizes 50, 30, 20 of three players nobody can lose more than the distance to the last prize."""
    stacks = Stacks((40, 30, 30), prizes=(50.0, 30.0, 20.0))
    search, _ = _searched(RULES, "*Kd/7s7h/AhAd +Qc4s9h | As/8c8d/TcJc | Ks/6c6d/3c3d", stacks)
    search.run(8, 400, 1)
    search.reset_samples()
    search.measure(8, 100, 2, 0)
    now = icm_value((40, 30, 30), stacks.prizes)[0]
    for row in search.table()[:8]:
        assert (20 - now) - 1e-9 <= row[5] <= (50 - now) + 1e-9
        assert row[5] == pytest.approx(sum(row[7:11]) + row[13], abs=1e-4)


def test_the_points_of_a_finished_deal_are_those_that_were_paid() -> None:
    """Review: three points a point heads-up, 12 chips each; two fantasylands worth the same cancel out."""
    stacks = kernel_stacks(RULES, Stacks((12, 12), stakes=(3,)), 2)
    assert stacks is not None
    assert payable_points(RULES, stacks, [2], [0.0, 0.0]) == (6.0, -6.0)
    assert payable_points(RULES, stacks, [30], [0.0, 0.0]) == (12.0, -12.0)
    # With nothing left to lose a fantasyland brings nothing: no more than the smaller stack is won.
    assert payable_points(RULES, stacks, [30], [0.0, 10.0]) == pytest.approx((12.0, -12.0))
    assert payable_points(RULES, stacks, [2], [10.0, 10.0]) == (6.0, -6.0)
    large = kernel_stacks(RULES, Stacks((10**6, 10**6)), 2)
    assert large is not None
    assert payable_points(RULES, large, [5], [10.0, 0.0]) == (15.0, -15.0)


def test_analyse_and_its_command_know_the_stacks(capsys: pytest.CaptureFixture[str]) -> None:
    text = "*Kd/7s7h5d5c/AhAdAc4d +Qc2s9h -2d3h | As3s/8c8d8s/TcJc9c9s"
    quick = SearchBudget(max_error=1.0, max_slices=1)
    whole = analyse(text, budget=quick)
    assert analyse(text, budget=quick, stacks=Stacks((MANY, MANY))) == whole
    short = analyse(text, budget=quick, stacks=Stacks((3, 3)))
    assert short != whole
    for placement in short.placements:
        assert abs(placement.value) <= 6
        assert placement.value == pytest.approx(
            placement.rows + placement.royalties + placement.fouls + placement.fantasyland + placement.stacks,
            abs=1e-4,
        )
    app(["analyse", text, "--stacks", "3,3", "--error", "1", "--json"], result_action="return_value")
    printed = json.loads(capsys.readouterr().out)
    assert [placement["stacks"] for placement in printed["placements"]] == pytest.approx(
        [placement.stacks for placement in short.placements], abs=2
    )
    done = "9s7d5h/8c8d3s2h4h/TcTdThJc6s | *QcQd/KsKhAc3d2d/AsAhJs5c +Jd4c5d"
    app(["analyse", done, "--stacks", "3,3"], result_action="return_value")
    assert "stacks" in capsys.readouterr().out
    for wrong in (
        ["--stacks", "3"],
        ["--stacks", "three,3"],
        ["--prizes", "5"],
        ["--stacks", "3,3", "--prizes", "x"],
    ):
        assert app(["analyse", text, *wrong], result_action="return_value") == 1
        assert "$.stacks" in capsys.readouterr().err
