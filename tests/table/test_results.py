"""What came of each person's deals, out of a table's events alone (issue 11, part 3)."""

from __future__ import annotations

import pytest

from tests.table.session import FOUL, LAND, LOW, PLAIN, QUADS, Session
from tests.table.test_matches import ELEVEN
from triptych.table import commands as c
from triptych.table.events import DealSettled
from triptych.table.evolve.core import evolve
from triptych.table.results import RulesetTotal, SessionResult, collect_results, is_result, totals


def test_a_deal_counts_for_everybody_who_played_it() -> None:
    """Pineapple: queens in front bring a fantasyland, a foul pays the scoop (Rules §3, 4)."""
    session = Session(boards=[{0: LAND, 1: PLAIN}, {0: QUADS, 1: LOW}, {0: FOUL, 1: LAND}])
    session.play()
    session.play()
    results = collect_results(session.log, {})
    settled = [event.event for event in session.log if isinstance(event.event, DealSettled)]
    stacks = [{stack.player: stack.change for stack in deal.sheet.stacks} for deal in settled]
    assert [(player, deal.deal, deal.points) for player, deal in results.deals] == [
        (player, number, stacks[number - 1][player.title()]) for number in (1, 2) for player in ("ann", "bob")
    ]
    first = dict(results.deals[:2])
    assert (first["ann"].fantasyland, first["bob"].fantasyland) == (14, 0)
    assert first["ann"].worth == 0
    ann = results.sessions["ann"]
    assert ann.company == ("Bob",)
    assert (ann.began, ann.ended, ann.closed) == (settled[0].at, settled[-1].at, False)
    (part,) = ann.parts
    assert (part.preset, part.deals, part.fantasylands) == ("pineapple", 2, 2)
    assert part.points == sum(stack["Ann"] for stack in stacks)
    assert part.points == -results.sessions["bob"].parts[0].points


def test_fouls_and_money() -> None:
    rules = {"preset": "pineapple", "stake.point": 0.5, "stake.unit": "EUR"}
    session = Session(rules, boards=[{0: FOUL, 1: LAND}])
    session.play()
    results = collect_results(session.log, {})
    ann = dict(results.deals)["ann"]
    assert (ann.fouls, ann.worth, ann.unit) == (1, 0.5, "EUR")
    assert ann.points < 0
    assert results.sessions["ann"].parts[0].fouls == 1


def test_bots_keep_no_results() -> None:
    session = Session(people=1)
    session.ask("ann", c.SeatBot(1, "fast", 100))
    session.play()
    assert [player for player, _ in collect_results(session.log, {}).deals] == ["ann"]


def test_other_rules_are_a_part_of_their_own_and_a_closed_table_is_over() -> None:
    session = Session(boards=[{0: PLAIN, 1: LOW}, {0: PLAIN, 1: LOW}])
    session.play()
    session.ask("ann", c.ChangeRules("pineapple_progressive"))
    session.play()
    session.ask("ann", c.CloseTable())
    results = collect_results(session.log, {})
    ann = results.sessions["ann"]
    assert [(part.preset, part.deals) for part in ann.parts] == [("pineapple", 1), ("pineapple_progressive", 1)]
    assert ann.closed
    assert [part.deals for part in totals([ann, ann])] == [2, 2]


def test_prizes_of_a_match_count() -> None:
    """First to 11: deals pay nothing, three of 4 points win the match and 11 of each other (test_matches)."""
    session = Session("first_to_11", people=4, boards=[ELEVEN] * 3)
    for _ in range(3):
        session.play()
    results = collect_results(session.log, {})
    assert {deal.points for _, deal in results.deals} == {0}
    assert [deal.scored for player, deal in results.deals if player == "ann"] == [4, 4, 4]
    sessions = results.sessions
    assert [sessions[player].parts[0].points for player in ("ann", "bob", "cid", "dan")] == [33, -11, -11, -11]


def test_counting_goes_on_from_any_version() -> None:
    """Read at once or in pieces, the same comes out: it can be made again, and goes on after a crash."""
    session = Session(boards=[{0: LAND, 1: PLAIN}, {0: QUADS, 1: LOW}])
    for _ in range(4):
        session.play()
    session.ask("ann", c.CloseTable())
    whole = collect_results(session.log, {})
    for cut in range(0, len(session.log), 7):
        first = collect_results(session.log[:cut], {})
        # From the first event again, as the server does it when it has just started.
        again = collect_results(session.log, first.sessions, after=cut)
        assert (first.deals + again.deals, again.sessions) == (whole.deals, whole.sessions)
        if cut:
            state = None
            for event in session.log[:cut]:
                state = evolve(state, event)
            on = collect_results(session.log[cut:], first.sessions, state=state, after=cut)
            assert (first.deals + on.deals, on.sessions) == (whole.deals, whole.sessions)
    assert sum(map(is_result, session.log)) >= 5


def test_totals_of_no_session() -> None:
    assert totals([]) == ()
    part = RulesetTotal("p", "P", 0.0, "point", 3, 5, 1, 0)
    assert totals([SessionResult("a", 1, 2, (), (part,)), SessionResult("b", 1, 2, (), (part,))]) == (
        RulesetTotal("p", "P", 0.0, "point", 6, 10, 2, 0),
    )


@pytest.mark.parametrize(
    ("point", "unit", "worth"), [(1, "point", 0), (5, "point", 5), (1, "EUR", 1), (0.5, "EUR", 0.5)]
)
def test_results_hold_the_price_of_a_point(point: float, unit: str, worth: float) -> None:
    """Rules §6 (stake): the price of a point; one point for a point is not a price."""
    session = Session({"preset": "pineapple", "stake.point": point, "stake.unit": unit}, boards=[{0: LOW, 1: PLAIN}])
    session.play()
    assert [deal.worth for _, deal in collect_results(session.log, {}).deals] == [worth, worth]


def test_the_most_played_game_comes_first() -> None:
    """Two deals of one game and one of another, in either order."""
    session = Session(boards=[{0: PLAIN, 1: LOW}])
    session.play()
    session.ask("ann", c.ChangeRules("pineapple_progressive"))
    session.play()
    while len(collect_results(session.log, {}).deals) < 6:
        session.play()
    ann = collect_results(session.log, {}).sessions["ann"]
    assert [(part.preset, part.deals) for part in ann.parts] == [("pineapple", 1), ("pineapple_progressive", 2)]
    assert [part.preset for part in totals([ann])] == ["pineapple_progressive", "pineapple"]
