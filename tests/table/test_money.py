"""Money is counted deal by deal at the price that held; what is announced is what was paid (issue 27.7, 27.8)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.table.session import FOUL, LAND, LOW, PLAIN, THIRD, Session
from tests.table.test_matches import ELEVEN
from triptych.i18n.messages import translate
from triptych.table import commands as c
from triptych.table.events import DealSettled, MatchEnded
from triptych.table.results import collect_results
from triptych.table.view_types import AccountView, DebtView, MoneyView

THREE = {0: LOW, 1: PLAIN, 2: THIRD}
EUROS = {"preset": "pineapple", "stake.point": 0.25, "stake.unit": "EUR"}
MINUS = "\N{MINUS SIGN}"


def amounts(session: Session) -> dict[str, list[tuple[float, str]]]:
    return {
        account.player: [(money.amount, money.unit) for money in account.money]
        for account in session.see("nobody").accounts
    }


def paid(session: Session) -> dict[str, int]:
    """Return what the deal just settled paid each player."""
    sheet = session.state().sheet
    assert sheet is not None
    return {session.state().seats[stack.seat].player: int(stack.change) for stack in sheet.stacks}


def test_another_price_between_matches_leaves_what_was_played_at_its_own() -> None:
    """Issue 27.7: the standings at the end counted 0.25 EUR a point again at the 0.50 EUR agreed afterwards."""
    session = Session(EUROS, people=3, boards=[THREE] * 2)
    session.play()
    first = paid(session)
    assert any(first.values())
    quarter = {player: [(points * 0.25, "EUR")] for player, points in first.items()}
    assert amounts(session) == quarter
    before = session.see("nobody").debts
    assert {money.unit for money in before} == {"EUR"}
    session.ask("ann", c.ChangeRules({"stake.point": 0.5}))
    assert amounts(session) == quarter
    assert session.see("nobody").debts == before
    session.play()
    second = paid(session)
    both = {player: points * 0.25 + second[player] * 0.5 for player, points in first.items()}
    assert amounts(session) == {player: [(amount, "EUR")] for player, amount in both.items()}
    settled = dict.fromkeys(both, 0.0)
    for debt in session.see("nobody").debts:
        settled[debt.payee] += debt.amount
        settled[debt.payer] -= debt.amount
    assert settled == both
    # The same as everybody's own results say.
    for player, session_result in collect_results(session.log, {}).sessions.items():
        assert sum(part.points * part.worth for part in session_result.parts) == both[player]


def test_each_sheet_says_the_price_that_its_deal_was_played_for() -> None:
    session = Session(EUROS, boards=[{0: LOW, 1: PLAIN}] * 3)
    session.play()
    session.ask("ann", c.ChangeRules({"stake.point": 0.5, "stake.unit": "CHF"}))
    session.play()
    session.ask("ann", c.ChangeRules({"stake.point": 1, "stake.unit": "point"}))
    session.play()
    sheets = [event.event.sheet for event in session.log if isinstance(event.event, DealSettled)]
    prices = [None if sheet.price is None else (sheet.price.point, sheet.price.unit) for sheet in sheets]
    assert prices == [(0.25, "EUR"), (0.5, "CHF"), None]
    # Amounts of three units are not added up.
    points = [{stack.player: stack.change for stack in sheet.stacks}["Ann"] for sheet in sheets]
    assert amounts(session)["ann"] == [(points[1] * 0.5, "CHF"), (points[0] * 0.25, "EUR"), (points[2], "point")]
    assert [debt.unit for debt in session.see("ann").debts] == ["CHF", "EUR", "point"]


def test_thirds_of_a_cent_are_settled_to_the_last_part() -> None:
    """Amounts of many digits are no sums of floating point numbers: they would not come to zero."""
    session = Session(EUROS | {"stake.point": 0.1234567890123}, people=3, boards=[THREE])
    session.play()
    exact = {player: points * Decimal("0.1234567890123") for player, points in paid(session).items()}
    assert amounts(session) == {player: [(float(amount), "EUR")] for player, amount in exact.items()}
    assert sum(debt.amount for debt in session.see("ann").debts) == pytest.approx(
        float(sum(amount for amount in exact.values() if amount > 0))
    )


def test_a_prize_is_paid_at_the_price_of_its_match() -> None:
    """The rules for the next match are chosen before this one ends; its prize is still of its own price."""
    session = Session({"preset": "first_to_11", "stake.point": 2, "stake.unit": "EUR"}, people=4, boards=[ELEVEN] * 3)
    session.play()
    session.ask("ann", c.ChangeRules({"stake.point": 7}))
    session.play()
    session.play()
    assert "MatchEnded" in session.kinds()
    assert session.state().config.rules.stake.point == 7
    assert amounts(session) == {
        "ann": [(66, "EUR")],
        "bob": [(-22, "EUR")],
        "cid": [(-22, "EUR")],
        "dan": [(-22, "EUR")],
    }
    # The last deal's line has the prize, so that the deals of an export add up.
    deals = collect_results(session.log, {}).deals
    assert [(deal.points, deal.prize) for player, deal in deals if player == "ann"] == [(0, 0), (0, 0), (0, 33)]
    assert [deal.prize for player, deal in deals if player == "bob"] == [0, 0, -11]


def test_without_a_price_points_are_only_points() -> None:
    session = Session(boards=[{0: LOW, 1: PLAIN}])
    session.play()
    won = paid(session)["ann"]
    ranked = sorted((("ann", won), ("bob", -won)), key=lambda item: -item[1])
    assert session.see("ann").accounts == tuple(
        AccountView(player, player.title(), 100, points) for player, points in ranked
    )
    (debt,) = session.see("ann").debts
    assert debt == DebtView(ranked[1][0], ranked[0][0], abs(won))


def test_money_is_there_before_the_first_deal() -> None:
    session = Session(EUROS)
    assert [account.money for account in session.see("ann").accounts] == [(MoneyView(0, "EUR"),)] * 2


SHORT = {"preset": "pineapple", "seats.buy_in_min": 1, "settlement.cap": "none", "fantasyland.kind": "none"}


def short_match(kind: str, stake: int = 1) -> Session:
    """Return a table after a match in which Bob's five points did not pay what his foul cost."""
    session = Session({**SHORT, "match.kind": kind}, people=0, boards=[{0: LAND, 1: FOUL}])
    session.ask("ann", c.Sit(0, 100))
    session.ask("bob", c.Sit(1, 5))
    if stake > 1:
        session.ask("ann", c.OfferStake(1, stake))
        session.ask("bob", c.OfferStake(0, stake))
    session.play()
    return session


@pytest.mark.parametrize("kind", ["deals:1", "orbit", "endless"])
def test_the_result_of_a_match_is_what_was_paid(kind: str) -> None:
    """Issue 27.8: '+123 to −43 and −80' was announced where +79, −19 and −60 had been paid."""
    session = short_match(kind)
    assert session.state().sheet is not None
    assert session.stacks()[:2] == (105, 0)
    assert session.state().verdict == f"Ann wins the match, +5 to {MINUS}5"
    assert f"Match 1 is over: Ann +5, Bob {MINUS}5" in [line.text for line in session.state().talk]


def test_a_match_stands_as_it_was_paid() -> None:
    """The side line, in a match of two deals at a stake of the pair's own."""
    session = Session({**SHORT, "match.kind": "deals:2"}, boards=[{0: LOW, 1: PLAIN}] * 2)
    session.ask("ann", c.OfferStake(1, 3))
    session.ask("bob", c.OfferStake(0, 3))
    session.play()
    sheet = session.state().sheet
    assert sheet is not None
    won = paid(session)
    assert abs(won["ann"]) == 3 * abs(sheet.pairs[0].points) > 0
    best, last = sorted(won, key=lambda player: -won[player])
    match_view = session.see("ann").match
    assert match_view is not None
    assert match_view.text.endswith(f": {best.title()} +{won[best]}, {last.title()} {MINUS}{won[best]}")


def test_a_race_counts_its_points_and_says_what_was_paid() -> None:
    """Rules §6: points before stakes and caps win a match of `points:n`.

    Issue 27.8: what was paid is said as well.
    """
    session = short_match("points:10")
    assert session.state().verdict == f"Ann wins the match, +13 to {MINUS}13 (paid: Ann +5, Bob {MINUS}5)"
    line = f"Match 1 is over: Ann +13, Bob {MINUS}13 (paid: Ann +5, Bob {MINUS}5)"
    assert line in [entry.text for entry in session.state().talk]
    session = short_match("points:40")
    assert any(isinstance(event.event, MatchEnded) for event in session.log)  # Bob has nothing left
    staked = Session({**SHORT, "match.kind": "points:40"}, boards=[{0: LAND, 1: FOUL}])
    staked.ask("ann", c.OfferStake(1, 2))
    staked.ask("bob", c.OfferStake(0, 2))
    staked.play()
    match_view = staked.see("ann").match
    assert match_view is not None
    assert match_view.text == f"first to 40: Ann +13, Bob {MINUS}13 (paid: Ann +26, Bob {MINUS}26)"


def test_a_deal_in_which_nobody_could_pay_is_announced_as_paid() -> None:
    """The log told points that nobody had paid, as if the table only counted them (issue 27.8)."""
    rules = {**SHORT, "fantasyland.kind": "progressive"}
    session = Session(rules, people=0, boards=[{0: LAND, 1: FOUL}, {0: LAND, 1: FOUL}])
    session.ask("ann", c.Sit(0, 100))
    session.ask("bob", c.Sit(1, 5))
    session.play()
    session.play()  # the fantasyland of that deal: Bob has nothing left
    lines = [entry.text for entry in session.state().talk if entry.text.startswith("Deal ")]
    assert lines == [f"Deal 1: Ann +5, Bob {MINUS}5", "Deal 2: Bob 0, Ann 0"]
    sheet = session.state().sheet
    assert sheet is not None
    assert [pair.moved.why.partition("; ")[2] for pair in sheet.pairs] == ["Bob had nothing left"]


@pytest.mark.parametrize("language", ["es", "fi", "ru", "vi", "zh"])
def test_payments_are_described_in_every_language(language: str) -> None:
    session = short_match("points:10")
    sheet = session.state().sheet
    assert sheet is not None
    for text in (session.state().verdict, session.state().talk[-1].text, *(pair.moved.why for pair in sheet.pairs)):
        translation = translate(text, language)  # type: ignore[arg-type]
        assert translation != text
        assert "paid" not in translation
        assert "were due" not in translation
        assert " and " not in translation
