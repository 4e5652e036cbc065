"""What others may have discarded, shown to people; issue 13, part 1."""

from __future__ import annotations

import pytest

from triptych.notation.position import parse_position
from triptych.solve.analysis.discards import discard_beliefs
from triptych.solve.errors import SolveError

POSITION = "Kd/7s7h4c/AhAd2c | *Qs/8s8h/2h2d +Qc4s9h"


def test_chances_are_of_unseen_cards_and_sum_to_one() -> None:
    (belief,) = discard_beliefs(POSITION)
    assert (belief.hand, belief.street) == (0, 2)
    assert sum(belief.chances.values()) == pytest.approx(1, abs=1e-4)
    assert list(belief.chances.values()) == sorted(belief.chances.values(), reverse=True)
    visible = {
        card
        for hand in parse_position(POSITION).hands
        for row in (hand.front, hand.middle, hand.back)
        for card in row
    }
    assert not {*belief.chances} & {*visible, "Qc", "4s", "9h"}
    assert repr(belief).startswith("<Discard of hand 0 on street 2: ")


def test_discards_do_not_give_up_fantasyland_or_a_legal_board() -> None:
    """Aces in the back, a king in front: another of them would have been kept; a third seven breaks the order."""
    (belief,) = discard_beliefs(POSITION)
    chances = [belief.chances[card] for card in ("As", "Ac", "Ks", "Kh", "Kc")]
    assert max(chances) < min(belief.chances[card] for card in ("3d", "5d", "6s", "7c", "9s", "Th")) / 4


def test_each_opponent_and_street_has_a_discard_of_its_own() -> None:
    three = "Kd/7s7h4c9d/AhAd2cTc | *Qs/8s8h/2h2dJsJd +Qc4s9h -3h | Qd/3c3d/5s6s7cTs"
    assert [(belief.hand, belief.street) for belief in discard_beliefs(three)] == [(0, 2), (0, 3), (2, 2)]
    assert discard_beliefs("Kd/7s7h/AhAd | *// +AsKh9c4h2d") == ()


def test_questions_without_an_answer_say_why() -> None:
    with pytest.raises(SolveError, match="mark the one hand"):
        discard_beliefs("Kd/7s7h/AhAd | // ")
