"""A whole fantasyland analysed: exact where all is known, sampled beside boards that grow. Issue 14, part 4."""

from __future__ import annotations

from itertools import chain
from random import Random

import pytest

from tests.case_sample import sample_cases
from tests.web_kernel.positions import land_position, random_rows, shuffled
from triptych import _kernel
from triptych.board import ROW_SIZES, Layout
from triptych.cards import Card, card_text, cards_text
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import fantasyland_sizes, is_closed
from triptych.scoring.showdown import ScoredHand, score_deal
from triptych.solve.analysis.analyse import PlacementValue, SearchBudget, analyse, same_placement
from triptych.solve.errors import SolveError
from triptych.solve.exact.fantasyland import fantasyland
from triptych.solve.value.weights import packaged, packaged_file

GAMES = [
    name
    for name in preset_names()
    if not is_closed(resolve(name)) and fantasyland_sizes(resolve(name)) and packaged_file(resolve(name))
]
DEALS = 4
QUICK = SearchBudget(max_error=0.4, screening_rollouts=4_000)


def line(cards: bytes, *others: str) -> str:
    return " | ".join((f"*// +{cards_text(map(Card, cards))} ={len(cards)}", *others))


def board_text(rows: tuple[bytes, ...]) -> str:
    return "/".join(cards_text(map(Card, row)) for row in rows)


def cards_of(value: PlacementValue) -> tuple[tuple[str, ...], ...]:
    return value.front, value.middle, value.back


@pytest.mark.parametrize("preset", sample_cases(GAMES, ["pineapple", "pineapple_joker"]))
def test_alone_and_against_a_finished_board_it_is_what_solve_fantasyland_finds(preset: str) -> None:
    """Rules §3 to 5: `triptych solve fantasyland` goes another way.

    The other's own fantasyland is the same for all.
    """
    rules, chance = resolve(preset), Random(preset)
    learned = packaged(rules)
    assert learned is not None
    worth = learned[0].fantasyland_values
    repeat = {cards: worth[cards] for cards in range(13, 18)}
    for _ in range(DEALS):
        pack, size = shuffled(chance, rules), chance.choice(fantasyland_sizes(rules))
        mine, rest = pack[:size], pack[size:]
        alone = analyse(line(mine), rules)
        solution = fantasyland(list(map(Card, mine)), rules, repeat_value=repeat)
        assert alone.exact
        assert alone.street == 0
        assert alone.placements[0].value == pytest.approx(solution.value, abs=1e-4)
        assert alone.placements[0].royalties == solution.royalties
        other = random_rows(chance, rest[:13])
        rows = tuple(tuple(map(Card, row)) for row in other)
        against = fantasyland(
            list(map(Card, mine)), rules, repeat_value=repeat, against=[(rows[0], rows[1], rows[2])]
        )
        front, middle, back = (
            tuple(card_text(card) for card in row) for row in (against.front, against.middle, against.back)
        )
        layout = Layout(front, middle, back)
        beside = analyse(line(mine, board_text(other)), rules, also=layout)
        best = beside.placements[0]
        assert beside.exact
        assert best.value == pytest.approx(
            next(v.value for v in beside.placements if same_placement(v, layout)), abs=1e-6
        )
        scored = score_deal(rules, [_hand(best, size), ScoredHand(tuple(chain.from_iterable(rows)))])
        assert best.rows + best.royalties + best.fouls == scored.pairs[0].points


def _hand(value: PlacementValue, size: int) -> ScoredHand:
    cards = tuple(Card(number) for row in cards_of(value) for number in map(_number, row))
    return ScoredHand(cards, fantasyland=size)


def _number(text: str) -> int:
    return next(card for card in range(54) if card_text(Card(card)) == text)


def test_beside_a_growing_board_the_samples_say_what_one_gets_by_playing_it_out() -> None:
    """What is shown for a setting is the mean of deals in which the other's board grows by the learned choice."""
    position = "*// +AsAdAcKhKd9s8s7s6s5s4h4d2c3d =14 | Qh/8c8d/JcJd"
    loose, exact = analyse(position, budget=QUICK), analyse(position, budget=SearchBudget(max_error=0.05), seed=7)
    assert not loose.exact
    best = exact.placements[0]
    again = next(value for value in loose.placements if same_placement(value, Layout(*cards_of(best))))
    assert again.value == pytest.approx(best.value, abs=4 * (again.error + best.error))
    for value in exact.placements:
        parts = value.rows + value.royalties + value.fouls + value.fantasyland + value.stacks
        assert value.value == pytest.approx(parts, abs=1e-6)


def test_a_setting_that_is_named_is_measured_with_the_best() -> None:
    rules = resolve("pineapple")
    pack = shuffled(Random(9), rules)
    foul = random_rows(Random(3), pack[:13])
    named = Layout(*(tuple(card_text(Card(card)) for card in row) for row in foul))
    answer = analyse(line(pack[:14], "//"), rules, QUICK, also=named)
    mine = next(value for value in answer.placements if same_placement(value, named))
    assert mine.rollouts == answer.placements[0].rollouts
    assert mine.value < answer.placements[0].value
    with pytest.raises(SolveError) as error:
        analyse(line(pack[:14], "//"), rules, QUICK, also=Layout(named.front, named.middle, ("2c",)))
    assert error.value.code == "position.cards"


def test_only_a_fantasyland_is_set_alone() -> None:
    with pytest.raises(SolveError) as error:
        analyse("*// +AsKsQhJd2c")
    assert error.value.code == "position.street"


def test_the_answer_knows_no_card_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what others hold, the kernel is given only which cards are not seen; they may be in any place."""
    calls: list[tuple[bytes, int]] = []
    kind = _kernel.Analysis

    def spy(*args: object, **kwargs: object) -> _kernel.Analysis:
        cards, unseen = args[4], args[5]
        assert isinstance(cards, bytes)
        assert isinstance(unseen, int)
        calls.append((cards, unseen))
        return kind(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(_kernel, "Analysis", spy)
    hidden = "??????/??????????/?????????? -????????"
    answers = [analyse(line(bytes(range(0, 42, 3)), other), budget=QUICK) for other in ("//", hidden)]
    assert answers[0].placements == answers[1].placements
    assert all(unseen == (1 << 52) - 1 - sum(1 << card for card in cards) for cards, unseen in calls)


def test_random_positions_have_no_error() -> None:
    chance, rules = Random(2), resolve("pineapple_progressive")
    for _ in range(20):
        position = land_position(chance, rules)
        learned = packaged(rules)
        assert learned is not None
        search = position.analysis(learned[1], learned[0].fantasyland_values)
        search.run(99, 500, 1)
        assert all(tuple(map(len, row[:3])) == ROW_SIZES for row in search.table())
