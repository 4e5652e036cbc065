"""Where the other hands may be while one acts; issue 27.1 (one that was a street behind crashed the process)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.case_sample import sample_cases
from triptych import _kernel
from triptych.cards import card_text, deck
from triptych.cli.main import app
from triptych.rulesets.load import resolve
from triptych.rulesets.model import streets
from triptych.solve.analysis.analyse import SearchBudget, analyse
from triptych.solve.analysis.discards import discard_beliefs
from triptych.solve.errors import SolveError
from triptych.solve.value.weights import packaged

if TYPE_CHECKING:
    from collections.abc import Sequence

QUICK = SearchBudget(max_error=5, max_slices=0, screening_rollouts=50, width=2, top=2, two_threads=False)
CRASHED = "*QdJs8s/Qh5s9dKc/JhQc +2d5c2c | 6d4h/4sAcKs/6s9c"
RULES = resolve("pineapple")


def _rows(random: Random, cards: Sequence[str]) -> str:
    slots = [0] * 3 + [1] * 5 + [2] * 5
    random.shuffle(slots)
    rows: list[list[str]] = [[], [], []]
    for card, row in zip(cards, slots, strict=False):
        rows[row].append(card)
    return "/".join(map("".join, rows))


def _position(seed: int, street: int, done: int) -> str:
    """Return a heads-up position: the first hand acts on a street, from 0, the other has done so many."""
    random, steps = Random(seed), streets(RULES)
    cards = [card_text(card) for card in random.sample(deck(), 52)]
    own, other = (sum(step.placed for step in steps[:count]) for count in (street, done))
    drawn = "".join(cards[own : own + steps[street].dealt])
    return f"*{_rows(random, cards[:own])} +{drawn} | {_rows(random, cards[30 : 30 + other])}"


@pytest.mark.parametrize("seed", sample_cases(range(20), range(0, 20, 2)))
def test_hands_behind_or_ahead_are_refused_and_those_in_turn_are_not(seed: int) -> None:
    """On the last street 17 of 20 such positions ended the process before."""
    street = 4 if seed < 10 else seed % 5
    for done in range(6):
        text = _position(seed, street, done)
        if done in {street, street + 1}:
            if seed % 5 == done % 5:
                assert analyse(text, RULES, QUICK).placements
            continue
        with pytest.raises(SolveError) as caught:
            analyse(text, RULES, QUICK)
        assert (caught.value.code, caught.value.path) == ("position.street", "$.hands[1]")
    with pytest.raises(SolveError):
        discard_beliefs(_position(seed, 4, 3), RULES)


def test_the_command_says_which_streets_the_other_hand_can_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert app(["analyse", CRASHED], result_action="return_value") == 1
    error = capsys.readouterr().err
    assert "$.hands[1]: 7 cards lie on this board; while hand 0 places street 4 it has 9 or 11" in " ".join(
        error.split()
    )


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("*QdJs8s/Qh5s9dKc/JhQc +2d5c2c | ??4h/4sAcKs/6s9c3c3h", "$.hands[1]"),  # what is not known does not count
        ("*Qd/Js8s/Qh5s +9dKcJh | 2c/3c4c/5c6c | //", "$.hands[2]"),
        ("*// +2d5c2cKd8d9h4s6dJcQcAc3h8c8h =14 | 2h/4h/", "$.hands[1]"),
        ("*Qd/Js8s/Qh5s +9dKcJh | 2c/3c4c/5c6c =14", "$.hands[1]"),
    ],
)
def test_other_hands_that_cannot_be_so_are_refused(text: str, path: str) -> None:
    with pytest.raises(SolveError) as caught:
        analyse(text, RULES, QUICK)
    assert (caught.value.code, caught.value.path) == ("position.street", path)


def test_a_fantasyland_that_lies_there_whole_is_played_against_as_it_lies() -> None:
    """Its cards are not dealt again: the same board outside fantasyland is worth the same but for what it repeats."""
    own = "*// +2d5c2cKd8d9h4s6dJcQcAc3h8c8h =14"
    board = "QhQd7c/KsKc9d8s2s/AhAdTcJs2h"
    fantasyland, plain = (analyse(f"{own} | {board}{more} | //", RULES, QUICK) for more in (" =14", ""))
    assert [placement.text for placement in fantasyland.placements] != []
    assert {placement.text for placement in fantasyland.placements} == {
        placement.text for placement in plain.placements
    }


@pytest.mark.parametrize(
    ("number", "value"),
    [("seed", -1), ("in_row", 256), ("in_row", -1)],
)
def test_numbers_out_of_bounds_are_refused(number: str, value: int) -> None:
    with pytest.raises(SolveError) as caught:
        analyse(_position(1, 2, 2), RULES, QUICK, **{number: value})  # type: ignore[arg-type]
    assert caught.value.code == "value.range"


@pytest.mark.parametrize(
    "budget",
    [
        SearchBudget(max_error=float("nan")),
        SearchBudget(max_error=-1),
        SearchBudget(top=0),
        SearchBudget(width=0),
        SearchBudget(screening_rollouts=2**64),
    ],
)
def test_unlimited_budgets_are_refused(budget: SearchBudget) -> None:
    with pytest.raises(SolveError) as caught:
        analyse(_position(1, 2, 2), RULES, budget)
    assert caught.value.code == "value.range"


def test_the_kernel_itself_refuses_what_no_table_can_be() -> None:
    """Whoever asks it: it crashed, or read what lies beside its tables."""
    model = packaged(RULES)
    assert model is not None
    head, learner = model
    pack = bytes(range(52))
    rows = (pack[:1], pack[1:3], pack[3:5])
    other = (pack[5:6], pack[6:8], pack[8:10])
    unseen = sum(1 << card for card in pack[13:])

    def ask(
        hands: list[tuple[bytes, bytes, bytes, int, int, int]], cards: bytes, left: int, fantasyland: float = 9.0
    ) -> None:
        _kernel.Analysis(learner, 1, 0, hands, cards, left, [fantasyland] * 18)

    right = (*rows, 1, 0, 0)
    ask([right, (*other, 1, 0, 0)], pack[10:13], unseen)
    wrong: list[tuple[str, list[tuple[bytes, bytes, bytes, int, int, int]], bytes, int]] = [
        ("between two streets", [right, (*other, 3, 0, 0)], pack[10:13], unseen),
        ("between two streets", [right, (*other, 2, 0, 0)], pack[10:13], unseen),
        ("behind", [right, (b"", b"", b"", 0, 0, 0)], pack[10:13], unseen),
        ("13 to 17 cards", [right, (b"", b"", b"", 0, 12, 0)], pack[10:13], unseen),
        ("twice", [right, (*rows, 1, 0, 0)], pack[10:13], unseen),
        ("unseen", [right, (*other, 1, 0, 0)], pack[10:13], unseen | 1),
        ("not in the pack", [right, (*other, 1, 0, 0)], bytes([10, 11, 53]), unseen),
        ("too few", [right, (*other, 1, 0, 0)], pack[10:13], 1 << 20),
    ]
    for why, hands, cards, left in wrong:
        with pytest.raises(ValueError, match=why):
            ask(hands, cards, left)
    fantasyland = [(b"", b"", b"", 0, 14, 1), (*other, 1, 0, 0)]
    _kernel.Analysis(learner, 0, 0, fantasyland, pack[10:24], sum(1 << card for card in pack[24:]), [9.0] * 18)
    with pytest.raises(ValueError, match="behind"):  # a street that the other hand never reached
        _kernel.Analysis(learner, 3, 0, fantasyland, pack[10:24], sum(1 << card for card in pack[24:]), [9.0] * 18)
    with pytest.raises(ValueError, match="not a number"):
        ask([right, (*other, 1, 0, 0)], pack[10:13], unseen, float("nan"))
    assert head.fantasyland_values
