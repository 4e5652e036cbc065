"""A session's ledger: per-pair stakes, the price of a point, and what the scoring contract leaves open."""

from typing import Any

import msgspec
import pytest

from triptych.json_input import JsonInputError
from triptych.scoring.errors import RequestError
from triptych.scoring.jsonl.answer import process_line
from triptych.scoring.session import Ledger, ledgers, session_deal, session_entry

BOARDS = {
    "Ann": {"front": "QhQd7c", "middle": "8c8dTsTh2c", "back": "AhAcAd9d9h"},
    "Bob": {"front": "KsJs5d", "middle": "2d3c4c6c7d", "back": "2h6h9cTd3h"},
    "Cem": {"front": "5h5s4d", "middle": "7h7s6d6s3d", "back": "JdJhJc4h4s"},
    "Dee": {"front": "As5c2s", "middle": "8h8s9sTc3s", "back": "KcKdKhQcQs"},
}
# Ann wins every row of everybody; Bob beats Cem 3-0 and Dee 2-1; Dee beats Cem 3-0.
COUNTED = {
    "Ann": {"front": "2c2d2h", "middle": "5c5d5h9s9c", "back": "8s8c8d8hKd"},
    "Bob": {"front": "AhKs3d", "middle": "QcQdJcJd4h", "back": "7c7d7h6s6d"},
    "Cem": {"front": "AsQh4d", "middle": "ThTs5s4c3c", "back": "JsJhTcTd4s"},
    "Dee": {"front": "3h3s2s", "middle": "9d9h6c6h7s", "back": "AcAdKcKhQs"},
}


def line(
    players: int = 4, stakes: dict[str, Any] | None = None, rules: dict[str, Any] | None = None
) -> dict[str, Any]:
    chosen = dict(list(BOARDS.items())[:players])
    return {
        "rules": {"preset": "closed_1_6", **(rules or {})},
        "players": chosen,
        **({} if stakes is None else {"stakes": stakes}),
    }


def money(tally: Ledger) -> dict[str, float]:
    return {player.player: player.money for player in tally.players}


def test_the_ledger_agrees_with_the_scoring_contract() -> None:
    """Rules §8: `totals` are after stakes; a point is worth 1 here."""
    document = line(stakes={"default": 1, "Ann-Bob": 10})
    body, good = process_line(msgspec.json.encode(document))
    assert good
    (tally,) = ledgers([session_deal(document)])
    assert money(tally) == body["totals"]
    assert {f"{pair.a}-{pair.b}": pair.points for pair in tally.pairs} == body["pairs"]


def test_a_tenth_stays_a_tenth() -> None:
    """Sources 000 L300, 001 L10.4: written down deal by deal, and settled in money at the end."""
    deals = [session_deal(line(2, rules={"stake.point": 0.1, "stake.unit": "EUR"}), number) for number in range(1, 4)]
    points = deals[0].sheet.pairs[0].points
    (tally,) = ledgers(deals)
    assert tally.unit == "EUR"
    assert money(tally) == {"Ann": round(points * 0.3, 1), "Bob": -round(points * 0.3, 1)}
    assert [(payment.payer, payment.payee, payment.money) for payment in tally.payments] == [
        ("Bob", "Ann", round(points * 0.3, 1))
    ]


def test_stakes_and_stacks_can_be_fractions() -> None:
    """Issue 28.10, as the scoring contract takes them: three tenths a point, Bob brings seven and a half points."""
    rules = {"settlement.cap": "min_stack_at_start"}
    document = {**line(2, {"Ann-Bob": 0.3}, rules), "stacks": {"Ann": 50.25, "Bob": 1.5}}
    body, good = process_line(msgspec.json.encode(document))
    assert good
    deal = session_deal(document)
    (pair,) = deal.sheet.pairs
    assert pair.points * 0.3 > 1.5
    assert (pair.stake, pair.moved.points) == (0.3, 1.5)
    assert {stack.player: stack.after for stack in deal.sheet.stacks} == body["stacks"] == {"Ann": 51.75, "Bob": 0}
    (tally,) = ledgers([deal])
    assert money(tally) == {"Ann": 1.5, "Bob": -1.5}


def test_fractions_of_a_stake_add_up_without_noise() -> None:
    deals = [session_deal(line(2, {"default": 0.1}), number) for number in range(1, 4)]
    won = deals[0].sheet.pairs[0].points
    assert money(ledgers(deals)[0])["Ann"] == round(won * 0.3, 1)
    assert deals[0].sheet.pairs[0].moved.why == f"{won} points at a stake of 0.1"


def test_a_player_without_a_stack_has_no_limit() -> None:
    """Issue 28.10: a stack of one player alone, as the scoring contract takes it."""
    document = {**line(2), "stacks": {"Ann": 50}}
    body, _ = process_line(msgspec.json.encode(document))
    deal = session_deal(document)
    assert {stack.player: stack.after for stack in deal.sheet.stacks} == body["stacks"]


@pytest.mark.parametrize("stake", range(1, 8))
def test_money_has_no_noise_of_binary_fractions(stake: int) -> None:
    deal = session_deal(line(2, {"Ann-Bob": stake}, {"stake.point": 0.1}))
    (tally,) = ledgers([deal])
    won = deal.sheet.pairs[0].points * stake
    assert str(money(tally)["Ann"]) == f"{won // 10}.{won % 10}"
    assert str(tally.payments[0].money) == f"{won // 10}.{won % 10}"


def test_each_unit_has_its_own_ledger() -> None:
    tallies = ledgers([session_deal(line(2)), session_deal(line(2, rules={"stake.unit": "EUR"}))])
    assert [tally.unit for tally in tallies] == ["point", "EUR"]


def test_the_two_boards_of_criss_cross_count_for_their_owner() -> None:
    document: dict[str, Any] = {
        "rules": "criss_cross",
        "players": BOARDS,
        "owners": {"Ann": "X", "Cem": "X", "Bob": "Y", "Dee": "Y"},
        "order": ["Ann", "Cem", "Bob", "Dee"],
        "stakes": {"X-Y": 2},
    }
    body, good = process_line(msgspec.json.encode(document))
    assert good
    (tally,) = ledgers([session_deal(document)])
    assert money(tally) == body["totals"]
    assert [(pair.a, pair.b) for pair in tally.pairs] == [("X", "Y")]
    assert all(player.deals == 1 for player in tally.players)


def test_table_stakes_bound_what_the_ledger_moves() -> None:
    """Rules §6: nobody pays more than they brought."""
    document = {**line(2, rules={"settlement.cap": "min_stack_at_start"}), "stacks": {"Ann": 50, "Bob": 2}}
    (tally,) = ledgers([session_deal(document)])
    assert money(tally) == {"Ann": 2, "Bob": -2}


def criss_crossed(stacks: dict[str, int]) -> dict[str, Any]:
    """Two-four counting: X loses both boards to Ann whole, 4 and 4; Bob beats Dee 2-1 (2), Dee scoops Cem (4)."""
    return {
        "rules": "criss_cross",
        "players": COUNTED,
        "owners": {"Ann": "Y", "Bob": "X", "Cem": "X", "Dee": "Y"},
        "stacks": stacks,
    }


def test_table_stakes_hold_between_two_players_over_a_session() -> None:
    """Rules §4; source 002 L7.3, by hand: X owes 4 + 4 - 2 + 4 = 10 a deal and brings 16, so 10 and then 6."""
    first = session_deal(criss_crossed({"X": 16, "Y": 100}))
    assert {stack.player: stack.after for stack in first.sheet.stacks} == {"Ann": 110, "Bob": 6}
    assert [pair.moved.points for pair in first.sheet.pairs] == [4, 4, 2, -4]
    second = session_deal(criss_crossed({"X": 6, "Y": 110}), 2)
    assert {stack.player: stack.after for stack in second.sheet.stacks} == {"Ann": 116, "Bob": 0}
    # What cannot be paid is missing from the last of X's losses.
    assert [pair.moved.points for pair in second.sheet.pairs] == [4, 4, 2, 0]
    (tally,) = ledgers([first, second])
    assert money(tally) == {"X": -16, "Y": 16}
    assert {player.player: player.points for player in tally.players} == {"X": -20, "Y": 20}


def test_a_session_against_the_bank() -> None:
    """Rules §4, `scoring.pairs = banker`, by hand: the bank is with Dee, then with Ann, who wins every row."""
    document = {"rules": {"preset": "closed_basic", "scoring.pairs": "banker"}, "players": COUNTED}
    (tally,) = ledgers([session_deal(document), session_deal({**document, "order": ["Bob", "Cem", "Dee", "Ann"]}, 2)])
    assert money(tally) == {"Ann": 3 + 9, "Bob": 1 - 3, "Cem": -3 - 3, "Dee": -1 - 3}
    assert {(pair.a, pair.b) for pair in tally.pairs} == {
        ("Ann", "Dee"),
        ("Bob", "Dee"),
        ("Cem", "Dee"),
        ("Bob", "Ann"),
        ("Cem", "Ann"),
    }


def test_a_loss_limit_bounds_what_the_ledger_moves_without_stacks() -> None:
    """Rules §4, `settlement.loss_limit`, by hand: Cem owes Ann 3, Bob 3 and Dee 3, and may lose 5."""
    rules = {"preset": "closed_basic", "settlement.loss_limit": 5}
    deal = session_deal({"rules": rules, "players": COUNTED})
    moved = {(pair.a, pair.b): pair.moved.points for pair in deal.sheet.pairs}
    assert moved == {(0, 1): 3, (0, 2): 3, (0, 3): 3, (1, 2): 2, (1, 3): 1, (2, 3): 0}
    why = next(pair.moved.why for pair in deal.sheet.pairs if (pair.a, pair.b) == (2, 3))
    assert why == "3 were due; that nobody loses more than 5 points in a deal lets nothing be paid"


def test_a_player_can_join_later_and_sit_elsewhere() -> None:
    turned = {**line(2), "order": ["Bob", "Ann"]}
    (tally,) = ledgers([session_deal(line(3)), session_deal(turned)])
    assert {player.player: player.deals for player in tally.players} == {"Ann": 2, "Bob": 2, "Cem": 1}
    assert {(pair.a, pair.b) for pair in tally.pairs} == {("Ann", "Bob"), ("Ann", "Cem"), ("Bob", "Cem")}
    assert sum(player.money for player in tally.players) == 0


def test_a_pair_that_changes_places_keeps_one_account() -> None:
    """What Ann wins from Bob is added up, whoever of them acts first."""
    first, turned = session_deal(line(2)), session_deal({**line(2), "order": ["Bob", "Ann"]}, 2)
    points = first.sheet.pairs[0].points
    assert turned.sheet.pairs[0].points == -points < 0
    for deals in ([first, turned, turned], [turned, first, turned]):
        (tally,) = ledgers(deals)
        (pair,) = tally.pairs
        sign = 1 if pair.a == "Ann" else -1
        assert {pair.a, pair.b} == {"Ann", "Bob"}
        assert (pair.points, pair.money) == (sign * 3 * points, sign * 3 * points)
        assert money(tally) == {"Ann": 3 * points, "Bob": -3 * points}


def test_two_players_have_one_stake_between_all_their_boards() -> None:
    document = criss_crossed({"X": 16, "Y": 100})
    every = {f"{a}-{b}": 2 for a in ("Ann", "Dee") for b in ("Bob", "Cem")}
    assert {pair.stake for pair in session_deal({**document, "stakes": every}).sheet.pairs} == {2}
    with pytest.raises(RequestError) as caught:
        session_deal({**document, "stakes": {**every, "Dee-Cem": 3}})
    assert (caught.value.code, caught.value.path) == ("value.range", "$.stakes.Cem-Dee")


def test_points_of_the_whole_table_are_shown_but_nobody_owes_them() -> None:
    """Rules §4: `first_to_11` is not scored pair by pair."""
    document = {**line(4), "rules": "first_to_11"}
    (tally,) = ledgers([session_deal(document)])
    assert sum(player.points for player in tally.players) > 0
    assert tally.payments == ()


# Ann has the best front, middle and back at the table: 4 points a deal with four players.
ELEVEN = {
    "Ann": {"front": "KsKhKd", "middle": "AsAdAcQsQd", "back": "JsJhJdJcTs"},
    "Bob": {"front": "2c3c4c", "middle": "5c6c7c8c9d", "back": "2d3d4d5d7d"},
    "Cem": {"front": "2h3h5h", "middle": "4h6h7h8h9h", "back": "2s3s4s5s7s"},
    "Dee": {"front": "6s6d8d", "middle": "9s9cThTd8s", "back": "TcQhQcKcAh"},
}
DEES = ELEVEN | {"Ann": ELEVEN["Dee"], "Dee": ELEVEN["Ann"]}


@pytest.mark.parametrize(
    ("prize", "dees", "bobs"), [("short", 7, 110), (5, 5, 50), (0, 0, 0)], ids=["short", "number", "none"]
)
def test_the_winner_of_a_match_gets_the_prize(prize: object, dees: int, bobs: int) -> None:
    """Rules §6 (match.prize): after four deals Ann has 12 points and Dee 4; Ann and Bob count ten times.

    The fifth deal belongs to the next match.
    """
    document = {"rules": {"preset": "first_to_11", "match.prize": prize}, "stakes": {"default": 1, "Ann-Bob": 10}}
    deals = [session_deal({**document, "players": boards}) for boards in (DEES, ELEVEN, ELEVEN, ELEVEN, ELEVEN)]
    (tally,) = ledgers(deals)
    cems = bobs // 10
    assert money(tally) == {"Ann": bobs + cems + dees, "Bob": -bobs, "Cem": -cems, "Dee": -dees}
    assert {player.player: player.points for player in tally.players} == {"Ann": 16, "Bob": 0, "Cem": 0, "Dee": 4}


def test_a_second_match_of_the_same_players_takes_as_long_as_the_first() -> None:
    """Ann has 4 points a deal; the prize of 5 from each of the three others is paid after every third deal."""
    rules = {"preset": "first_to_11", "match.kind": "points:9", "match.prize": 5}
    deals = [session_deal({"rules": rules, "players": ELEVEN}, number) for number in range(1, 7)]
    won = [money(ledgers(deals[:count])[0])["Ann"] for count in range(1, 7)]
    assert won == [0, 0, 15, 15, 15, 30]


def test_a_match_at_the_scorer_restarts_with_other_players() -> None:
    """Cem is not there for the third deal: the points of the two before it win nothing."""
    three = {name: board for name, board in ELEVEN.items() if name != "Cem"}
    deals = [session_deal({"rules": "first_to_11", "players": boards}) for boards in (ELEVEN, ELEVEN, three)]
    (tally,) = ledgers(deals)
    assert tally.payments == ()


def test_a_match_at_the_scorer_restarts_under_another_goal() -> None:
    """Rules §6: 8 points towards nine and 4 towards eleven are no match won."""
    nine = {"preset": "first_to_11", "match.kind": "points:9"}
    deals = [session_deal({"rules": rules, "players": ELEVEN}) for rules in (nine, nine, "first_to_11")]
    assert ledgers(deals)[0].payments == ()
    assert ledgers([*deals[:2], deals[0]])[0].payments != ()


def test_a_session_is_settled_to_the_finest_part_that_was_played_for() -> None:
    """Ann wins a few points from Bob at an eighth and from Cem at one each: her debtors pay what they owe."""
    eighth = session_deal(line(2, rules={"stake.point": 0.125}))
    cem = {"rules": {"preset": "closed_1_6"}, "players": {name: BOARDS[name] for name in ("Ann", "Cem")}}
    (tally,) = ledgers([eighth, session_deal(cem, 2)])
    won = eighth.sheet.pairs[0].points
    assert won % 4  # more than a tenth's digits
    assert {payment.payer: payment.money for payment in tally.payments} == {
        "Bob": won / 8,
        "Cem": session_deal(cem).sheet.pairs[0].points,
    }


def test_a_default_that_nobody_plays_for_counts_for_nobody() -> None:
    """Criss-cross: the stake between X and Y is agreed, so the default counts for nobody."""
    document = {**criss_crossed({"X": 16, "Y": 100}), "stakes": {"default": 0.5, "X-Y": 2}}
    assert {pair.stake for pair in session_deal(document).sheet.pairs} == {2}


def test_a_player_without_points_pays_and_wins_nothing() -> None:
    """Rules §6 (`min_stack_at_start`)."""
    document = {**line(2, rules={"settlement.cap": "min_stack_at_start"}), "stacks": {"Ann": 50, "Bob": 0}}
    deal = session_deal(document)
    assert [(stack.before, stack.after) for stack in deal.sheet.stacks] == [(50, 50), (0, 0)]


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"stakes": {"default": -0.5}}, "value.range", "$.stakes.default"),
        ({"stakes": {"Ann-Bob": float("nan")}}, "value.range", "$.stakes.Ann-Bob"),
        ({"stacks": {"Ann": 5, "Bob": -1.5}}, "value.range", "$.stacks.Bob"),
        ({"players": {"Ann": BOARDS["Ann"], "Bob": {"natural": "AsKsQsJs9s8s7s6s5s4s3d2d2s"}}}, "player.natural", ""),
    ],
)
def test_fields_that_a_session_does_not_count_are_refused(change: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(RequestError) as caught:
        session_deal({**line(2), **change})
    assert caught.value.code == code
    assert caught.value.path == (path or "$.players.Bob.natural")


def points(**more: Any) -> dict[str, Any]:
    return {"rules": "closed_1_6", "order": ["Ann", "Bob", "Cem"], **more}


def test_points_of_pairs_are_staked_and_capped_as_boards_are() -> None:
    """Rules §8, by hand: Cem brings 4 and owes Ann 5; Ann and Bob count twice; Bob gets nothing of Cem."""
    pairs = {"Ann-Bob": 3, "Cem-Ann": -5, "Bob-Cem": 2}
    document = points(pairs=pairs, stakes={"Bob-Ann": 2}, stacks={"Ann": 50, "Bob": 50, "Cem": 4})
    body, good = process_line(msgspec.json.encode(document))
    assert good
    (tally,) = ledgers([session_entry(document)])
    assert money(tally) == {"Ann": 10, "Bob": -6, "Cem": -4}
    assert body["stacks"] == {
        name: {"Ann": 50, "Bob": 50, "Cem": 4}[name] + won for name, won in money(tally).items()
    }
    assert {player.player: player.points for player in tally.players} == {"Ann": 8, "Bob": -1, "Cem": -7}


def test_points_of_players_are_paid_as_they_are() -> None:
    (tally,) = ledgers([session_entry(points(points={"Cem": -7, "Ann": 9.5, "Bob": -2.5})), session_deal(line(2))])
    won = session_deal(line(2)).sheet.pairs[0].points
    assert money(tally) == {"Ann": 9.5 + won, "Bob": -2.5 - won, "Cem": -7}
    assert [(pair.a, pair.b) for pair in tally.pairs] == [("Ann", "Bob")]
    # Of two players each has won what the other lost: that is a pair.
    (two,) = ledgers([session_entry({"rules": "closed_1_6", "points": {"Ann": 3, "Bob": -3}})])
    assert [(pair.a, pair.b, pair.money) for pair in two.pairs] == [("Ann", "Bob", 3)]


def test_against_the_bank_only_its_pairs_are_given() -> None:
    rules = {"preset": "closed_basic", "scoring.pairs": "banker"}
    document = points(rules=rules, pairs={"Ann-Cem": 2, "Bob-Cem": -1})
    assert money(ledgers([session_entry(document)])[0]) == {"Ann": 2, "Bob": -1, "Cem": -1}


def test_points_alone_go_on_with_a_match_to_eleven() -> None:
    """Rules §6 (match.prize): Ann has 12 after three deals, one of them without boards; points sum to no 0 there."""
    rules: dict[str, Any] = {"rules": "first_to_11", "order": list(ELEVEN)}
    alone = {**rules, "points": {"Ann": 4, "Bob": 0, "Cem": 0, "Dee": 0}}
    boards: dict[str, Any] = {"rules": "first_to_11", "players": ELEVEN}
    by_points = ledgers([session_entry(boards), session_entry(alone), session_entry(boards)])
    assert by_points == ledgers([session_deal(boards)] * 3)


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"points": {"Ann": 3, "Bob": -2, "Cem": 0}}, "points.sum", "$.points"),
        ({"points": {"Ann": 3, "Bob": -3}}, "player.unknown", "$.order[2]"),
        ({"points": {"Ann": 3, "Bob": "x", "Cem": 0}}, "line.type", "$.points.Bob"),
        ({"points": {"Ann": 0, "Bob": 0, "Cem": 0}, "stakes": {}}, "line.unknown_key", "$.stakes"),
        ({"points": {"Ann": 0, "Bob": 0, "Cem": 0}, "pairs": {}}, "line.unknown_key", "$.points"),
        ({"pairs": {"Ann-Bob": 3, "Ann-Cem": 1}}, "line.missing", "$.pairs.Bob-Cem"),
    ],
)
def test_points_that_do_not_add_up_are_refused(change: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(JsonInputError) as caught:
        session_entry(points(**change))
    assert (caught.value.code, caught.value.path) == (code, path)


def test_pairs_without_boards_are_no_deal() -> None:
    with pytest.raises(RequestError) as caught:
        session_deal({"rules": "pineapple", "order": ["A", "B"], "pairs": {"A-B": 3}})
    assert (caught.value.code, caught.value.path) == ("line.missing", "$.players")
