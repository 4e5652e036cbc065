"""Closed games in the browser: a surrender, a natural, royalties to declare, two boards each, first to eleven.

Issue 3, shown by 3. The cards are stacked; everything else is the product itself. Rules §2, 4; sources 000, 003, 004.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person, begin
from tests.browser.servers import Server


@pytest.fixture
def server(dealing: Server) -> Server:
    """The server of this worker whose decks are stacked."""
    return dealing


@pytest.mark.slow
def test_a_closed_deal_with_a_surrender_and_a_natural(server: Server, ann: Person, bob: Person) -> None:
    """Surrender 3; a natural is paid before surrender and plays no rows. Sources 003 L41.1-2, 004 L91.1-2."""
    dragon = "AsKhQdJcTs9h8d7c6s5h4d3c2s"
    server.stack("AdAcKdQs9s8c6h5d3s2c4h7hJh" + dragon + "AhKsQhJsThTd9d9c8s7s6c5s3h" + "KcQcJdTc2h8h7d6d5c4s4c3d2d")
    begin(ann, bob, "closed_1_6", bots=2)
    bob.says("natural", "Dragon")
    bob.look("closed-natural")
    ann.look("closed-setting")
    bob.press("natural")
    ann.set("9s8c7h/KdQsJh6h5d/AdAc4h3s2c")
    bob.look("closed-waiting")
    # The natural lies open before anybody surrenders.
    assert len(ann.row("back", 1)) in (0, 5)
    ann.says("prompt", "Play this board, or surrender and pay each opponent 3 points")
    ann.look("closed-announce")
    ann.press("announce-surrender")
    for person in (ann, bob):
        person.sees("result")
        person.look("closed-result")
    assert ann.stack(1) - ann.stack(0) > 13
    bob.page.get_by_test_id("open-sheet").tap()
    bob.look("closed-sheet")
    assert sum(ann.stack(seat) for seat in range(4)) == 500
    expect(ann.page.get_by_test_id("seat-1")).to_contain_text("Dragon")


@pytest.mark.slow
def test_royalties_are_declared_row_by_row(server: Server, ann: Person, bob: Person) -> None:
    """Rules §4, `royalties.declare = must`: what is not named is not paid. Sources 003 L36, 004 L86."""
    server.stack("AsAhAdAcKs2c2d2h7s7dQcQd9h" + "KhKdKc3s3h4c5d6h8s9cTdJcQh")
    begin(
        ann,
        bob,
        "closed_1_6",
        royalties__declare="must",
        scoring__rows="match_1_6",
        stake__point=0.5,
        stake__unit="EUR",
    )
    ann.set("QcQd9h/2c2d2h7s7d/AsAhAdAcKs")
    bob.set("KhQhJc/3s3h9c8s6h/KdKcTd5d4c")
    ann.press("announce-play")
    bob.press("announce-play")
    ann.sees("declare")
    ann.look("declare")
    ann.page.get_by_role("checkbox", name="back").check()
    ann.press("declare")
    bob.sees("declare")
    bob.look("declare")
    bob.press("declare")
    ann.sees("result")
    ann.says("price", "0.50 EUR")
    ann.says("side-sheet", "match", "✓", "+6", "4 − 0")
    ann.look("declared")
    # All three rows are 6, the four aces 4: ten points are five euros.
    ann.press("open-history")
    ann.says("accounts", "+10", "5 EUR", "Bob pays you 5 EUR")
    ann.look("accounts")


@pytest.mark.slow
def test_criss_cross_two_hands_each(server: Server, ann: Person, bob: Person) -> None:
    """Rules §2: each plays both of the other's hands; no exchange between the two. Sources 003 L103.2, 004 L148.2."""
    first = "9s8c7hKdQsJh6h5dAdAc4h3s2c"
    server.stack(first + "KhKcQhQcJdJs9h9d8h8d7d7c6d" + "AsAh2d2h3d3h4d4s5s5h6s6cTc" + "TdThTs7s8sQd9cJcKs2s3c4c5c")
    begin(ann, bob, "criss_cross")
    ann.expect_turn()
    ann.look("criss-cross-setting")
    bob.look("criss-cross-setting")
    ann.set("9s8c7h/KdQsJh6h5d/AdAc4h3s2c")
    ann.look("criss-cross-second")
    ann.set("6s6c5h/3d3h4d4sTc/AsAh2d2h5s")
    bob.set("9h9d6d/JdJs8h8d7d/KhKcQhQc7c")
    ann.look("criss-cross-waiting")
    bob.set("5c4c3c/KsQdJc9c8s/TdThTs7s2s")
    for person in (ann, bob):
        person.sees("result")
        person.look("criss-cross-result")


@pytest.mark.slow
def test_first_to_eleven(server: Server, ann: Person, bob: Person) -> None:
    """Rules §4: the best row at the table is a point, first to 11 wins; the match text keeps the standings."""
    best, worst = "AsAhAdAcKsKhKdKcQsQhQdQcJs", "2s3h4d5c7s8h9dTc2h3d4c5s7h"
    server.stack(best + worst, worst + best)
    begin(ann, bob, "first_to_11", match__kind="points:4")
    for deal in (1, 2):
        ann.set("JsQhQs/KsKhKdKcQd/AsAhAdAcQc")
        bob.set("3h2s4d/5c5s2h9d8h/7s7hTc4c3d")
        ann.sees("result")
        ann.look(f"eleven-{deal}")
        bob.look(f"eleven-{deal}")
        if deal == 1:
            ann.says("match", "First to 4: Ann +3, Bob 0")
            for person in (ann, bob):
                person.press("next-deal")
    # Bob is four points short of four, and pays them.
    ann.says("prompt", "Ann wins the match, +6 to 0, and 4 points")
    assert [ann.stack(seat) for seat in (0, 1)] == [129, 121]


@pytest.mark.slow
def test_the_holder_of_the_bank_is_marked_beside_the_name(server: Server, ann: Person, bob: Person) -> None:
    """Rules §4, `scoring.pairs = banker`: the bank is with the button and moves on with it."""
    best, worst = "AsAhAdAcKsKhKdKcQsQhQdQcJs", "2s3h4d5c7s8h9dTc2h3d4c5s7h"
    server.stack(best + worst, worst + best)
    begin(ann, bob, "banker", naturals__table="none")
    banks: list[str] = []
    for deal in (1, 2):
        for person in (ann, bob):
            bank_marks = person.page.locator("[data-testid^=bank-]")
            expect(bank_marks).to_have_text(["bank"])
            if banks:  # it moves when the next deal begins
                expect(bank_marks).not_to_have_attribute("data-testid", banks[0])
            bank = str(bank_marks.get_attribute("data-testid"))
            expect(person.page.locator("[data-testid^=button-]")).to_have_attribute(
                "data-testid", bank.replace("bank", "button")
            )
            person.look(f"bank-{deal}")
        banks.append(bank)
        ann.set("JsQhQs/KsKhKdKcQd/AsAhAdAcQc")
        bob.set("3h2s4d/5c5s2h9d8h/7s7hTc4c3d")
        for person in (ann, bob):
            person.sees("result")
            if deal == 1:
                person.press("next-deal")
    assert sorted(banks) == ["bank-0", "bank-1"]
