"""The fewest payments: balances settle, never more than n - 1, and no fewer would do (brute force)."""

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from triptych.scoring.money import MAX_EXACT_PLAYERS, Payment, PaymentError, fewest_payments

Balances = dict[str, int]


@st.composite
def balances(draw: st.DrawFn, most: int) -> Balances:
    amounts = draw(st.lists(st.integers(-9, 9), min_size=1, max_size=most - 1))
    return {f"P{index}": amount for index, amount in enumerate((*amounts, -sum(amounts)))}


def settled(before: Mapping[str, int]) -> tuple[Counter[str], int]:
    left = Counter(before)
    payments = fewest_payments(before)
    for payment in payments:
        assert payment.amount > 0
        left[payment.payee] -= payment.amount
        left[payment.payer] += payment.amount
    return left, len(payments)


def fewest_by_force(amounts: Sequence[int]) -> int:
    """Settle the first open balance against each opposite one in every way; slow, and nothing like the other."""
    if not amounts:
        return 0
    first, rest = amounts[0], amounts[1:]
    if first == 0:
        return fewest_by_force(rest)
    return min(
        1 + fewest_by_force((*rest[:index], other + first, *rest[index + 1 :]))
        for index, other in enumerate(rest)
        if other * first < 0
    )


@given(balances(MAX_EXACT_PLAYERS + 6))
def test_payments_settle_every_balance_with_less_than_one_payment_a_player(before: Balances) -> None:
    left, count = settled(before)
    assert not any(left.values())
    assert count <= max(sum(amount != 0 for amount in before.values()) - 1, 0)


@settings(max_examples=examples(200))
@given(balances(7))
def test_no_fewer_payments_would_do(before: Balances) -> None:
    assert settled(before)[1] == fewest_by_force(list(before.values()))


def test_losers_pay_winners() -> None:
    """The largest debt meets the largest claim; nobody with nothing is named, also of more players than are tried."""
    assert fewest_payments({"A": 5, "B": 0, "C": -2, "D": -3}) == (Payment("D", "A", 3), Payment("C", "A", 2))
    assert fewest_payments({"A": -5, "B": 2, "C": 3}) == (Payment("A", "C", 3), Payment("A", "B", 2))
    assert fewest_payments({"A": 1, "B": -1}) == (Payment("B", "A", 1),)
    many = {f"P{index}": index + 1 for index in range(MAX_EXACT_PLAYERS)} | {
        "Bank": -sum(range(1, MAX_EXACT_PLAYERS + 1)),
        "Z": 0,
    }
    paid = fewest_payments(many)
    assert [payment.amount for payment in paid] == list(range(MAX_EXACT_PLAYERS, 0, -1))
    assert {payment.payer for payment in paid} == {"Bank"}


def test_two_groups_that_settle_by_themselves_save_a_payment() -> None:
    """Five players, greedily four payments: the largest debt would meet the largest claim first."""
    assert settled({"A": 6, "B": 4, "C": -5, "D": -3, "E": -2})[1] == 4
    assert settled({"A": 7, "B": 4, "C": -5, "D": -4, "E": -2})[1] == 3


def test_ten_players_in_five_pairs_need_five_payments() -> None:
    before = {f"P{index}": amount for index, amount in enumerate((9, 8, 7, 6, 5, -5, -6, -7, -8, -9))}
    assert settled(before)[1] == 5


def test_balances_that_do_not_sum_to_zero_are_refused() -> None:
    with pytest.raises(PaymentError, match="sum to 1"):
        fewest_payments({"A": 3, "B": -2})


def test_nobody_owes_nothing() -> None:
    assert fewest_payments({}) == ()
    assert fewest_payments({"A": 0, "B": 0}) == ()


def test_players_who_are_even_add_no_payments() -> None:
    """Two groups settle within themselves: five players in three payments, however many others are even."""
    open_ones = {"A": 5, "B": 4, "C": -3, "D": -2, "E": -4}
    even = {f"even {number}": 0 for number in range(MAX_EXACT_PLAYERS)}
    assert set(fewest_payments({**even, **open_ones})) == {
        Payment("C", "A", 3),
        Payment("D", "A", 2),
        Payment("E", "B", 4),
    }


def test_a_debtor_pays_on_until_the_debt_is_paid() -> None:
    """And who has begun to be paid, until the claim is."""
    assert fewest_payments({"A": 5, "B": 4, "C": -3, "D": -6}) == (
        Payment("D", "A", 5),
        Payment("D", "B", 1),
        Payment("C", "B", 3),
    )
    assert fewest_payments({"A": 6, "B": 3, "C": -5, "D": -4}) == (
        Payment("C", "A", 5),
        Payment("D", "A", 1),
        Payment("D", "B", 3),
    )


def test_as_many_as_are_tried_are_settled_in_the_fewest_payments() -> None:
    """Twelve players in groups of five, three, two and two, each settled in one payment less than it has players."""
    amounts = [5, 4, -3, -2, -4, 100, -60, -40, 50, -50, 70, -70]
    assert len(amounts) == MAX_EXACT_PLAYERS
    left, count = settled({f"P{index}": amount for index, amount in enumerate(amounts)})
    assert not any(left.values())
    assert count == 4 + 2 + 1 + 1 - 1
