"""`triptych.Deal` says what the deal engine says, for every preset, and takes moves back (issue 33, part 1)."""

from __future__ import annotations

import json
from random import Random

import msgspec
import pytest

import triptych
from tests.case_notes import case
from tests.deal.play import random_action, shuffled
from triptych.deal.actions import Announce, Arrange, ClaimNatural, ClockAction, Declare, Place
from triptych.deal.engine import acting_hands, decide, finished, start
from triptych.deal.project import view
from triptych.deal.result import next_fantasyland, result
from triptych.deal.state import DealState, HandStart, hand_streets
from triptych.deal.view_types import DealView, Task
from triptych.notation.history.model import record
from triptych.notation.history.text import history_text
from triptych.notation.position import position_text
from triptych.rulesets.model import Ruleset, fantasyland_sizes

NAMES = ("Ann", "Bob", "Cem", "Dee")


def fantasylands(rules: Ruleset, players: int, rng: Random) -> dict[str, tuple[int, int]]:
    """Return fantasylands of some players, where the rules have any."""
    sizes = fantasyland_sizes(rules)
    if not sizes:
        return {}
    return {name: (rng.choice(sizes), rng.randint(1, 2)) for name in NAMES[:players] if rng.random() < 0.4}


def do(deal: triptych.Deal, action: ClockAction, rng: Random) -> None:
    """Do an action by the method for it, in one of the forms that it takes."""
    seat = rng.choice((action.hand, deal.hands[action.hand]))
    if isinstance(action, Place):
        rows = action.layout
        text = "/".join("".join(getattr(rows, row)) for row in ("front", "middle", "back"))
        left = tuple(card for card in deal.drawn(seat) if card not in text)
        placement = triptych.Placement(rows.front, rows.middle, rows.back, left)
        assert placement in deal.legal_placements(seat)
        deal.place(rng.choice((placement, str(placement), text, rows, triptych.Board.from_text(text))), seat)
    elif isinstance(action, Arrange):
        deal.arrange(action.layout, seat)
    elif isinstance(action, Announce):
        assert deal.can_announce(seat)
        if action.play:
            deal.announce(seat)
        else:
            deal.surrender(seat)
    elif isinstance(action, Declare):
        assert deal.can_declare(seat)
        deal.declare(action.rows, seat)
    elif isinstance(action, ClaimNatural):
        assert deal.can_claim_natural(seat)
        deal.claim_natural(seat)
    else:
        deal.time_out(seat)


def same(deal: triptych.Deal, state: DealState) -> None:
    """Check that a deal shows what the engine's own state shows."""
    assert (deal.acting, deal.is_over) == (acting_hands(state), finished(state))
    for seat in (None, *sorted({hand.seat for hand in state.hands})):
        assert deal.view(seat) == view(state, seat)
    assert list(deal.boards.values()) == [hand.board for hand in state.hands]


def play_and_compare(rules: Ruleset, players: int, seed: int) -> None:
    """Play at random by `Deal` and by the engine side by side; take back, and go on in a copy, now and then."""
    rng = Random(seed)
    cards = shuffled(rules, seed)
    starts = fantasylands(rules, players, rng)
    each = 2 if rules.deal.game == "criss_cross" else 1
    hands = tuple(HandStart(seat, *starts.get(NAMES[seat], (0, 0))) for seat in range(players)) * each
    if sum(street.dealt for hand in hands for street in hand_streets(rules, hand.fantasyland)) > len(cards):
        with pytest.raises(triptych.TriptychError, match="the deck has"):
            triptych.Deal(rules, NAMES[:players], deck=cards, fantasyland=starts)
        return
    course = start(rules, 7, hands, cards)
    deal = triptych.Deal(rules, NAMES[:players], deck=cards, number=7, fantasyland=starts)
    events, state = list(course.events), course.state
    while not finished(state):
        action = random_action(state, rng)
        before, key, text = deal.copy(), hash(deal), repr(deal)
        do(deal, action, rng)
        if rng.random() < 0.3:
            other = deal.copy()
            deal.undo()
            assert deal == before
            assert (hash(deal), repr(deal)) == (key, text)
            assert other != deal or isinstance(action, Arrange)
            if rng.random() < 0.5:
                do(deal, action, rng)
                assert deal == other
            else:
                deal = other
        course = decide(state, action)
        events += course.events
        state = course.state
        assert deal.events == tuple(events)
        same(deal, state)
    deal_result, scored = deal.result(), result(state)
    totals = dict.fromkeys(deal.players, 0)
    for hand, points in zip(state.hands, scored.totals(), strict=True):
        totals[deal.players[hand.seat]] += points
    assert deal_result.totals == totals
    assert {deal.players.index(name): cards for name, cards in deal_result.fantasyland.items() if cards} == {
        seat: cards for seat, (cards, _) in next_fantasyland(state).items()
    }
    names = tuple(deal.players[hand.seat] for hand in state.hands)
    history = history_text(record([(0, event) for event in events], "all", names))
    assert deal.history_text() == history
    again = triptych.Deal.from_history(triptych.read_history(history))
    assert (again.history_text(), again.result(), again.boards) == (history, deal_result, deal.boards)


@pytest.mark.parametrize("preset", triptych.presets())
def test_random_play_is_the_engines(preset: str) -> None:
    """One deal of every number of players."""
    rules = triptych.rules(preset)
    for players in range(rules.seats.min, rules.seats.max + 1):
        with case(preset, players):
            play_and_compare(rules, players, players)


@pytest.mark.slow
@pytest.mark.parametrize("preset", triptych.presets())
def test_much_random_play_is_the_engines(preset: str) -> None:
    rules = triptych.rules(preset)
    for seed in range(10, 60):
        for players in range(rules.seats.min, rules.seats.max + 1):
            with case(preset, players, seed):
                play_and_compare(rules, players, seed)


def test_a_deal_of_a_seed_is_the_same_everywhere() -> None:
    """The deck of the browser's own deals (docs/reference/links.md); without a seed it is another one each time."""
    assert triptych.Deal(seed=1).cards == ("7c", "3d", "Kc", "Jc", "3s")
    assert triptych.Deal(seed=1, number=2).cards != triptych.Deal(seed=1).cards
    assert len({triptych.Deal().cards for _ in range(4)}) > 1


def test_it_is_read_at_a_glance() -> None:
    deal = triptych.Deal("pineapple", ["Ann", "<b>Bob"], seed=1)
    deal.place("Kc/3d3s/7cJc")
    assert repr(deal) == "<Deal pineapple, street 1, <b>Bob to place: Kc/3d3s/7cJc | *// +7hTs7d2d5d>"
    assert str(deal) == (
        "Pineapple, street 1, <b>Bob to place\n"
        "Ann              Kc / 3d 3s / 7c Jc\n"
        "<b>Bob (button)  - / - / -  + 7h Ts 7d 2d 5d"
    )
    html = deal._repr_html_()
    assert html.count("K♣") == 1
    assert "<b>" not in html
    assert "7♥" in html


def test_a_player_sees_no_hidden_cards() -> None:
    """Rules §2: draws of later streets and discards are their owner's alone."""
    deal = triptych.Deal(players=["Ann", "Bob"], seed=1)
    deal.place("Kc/3d3s/7cJc")
    deal.place("7h/Ts7d/2d5d")
    own, other = deal.view("Ann").boards[0], deal.view("Bob").boards[0]
    assert own.draws == deal.cards
    assert other.draws == ("??",) * 3
    assert position_text(deal.to_position()) == f"*Kc/3d3s/7cJc +{''.join(deal.cards)} | 7h/Ts7d/2d5d"
    hidden = [("??",) * 3, deal.cards, ("??",) * 3]
    assert [deal.history(viewer).steps[-1].cards for viewer in ("Bob", "all", None)] == hidden
    assert deal.history(None).seen_by is None


def test_a_street_names_its_discards_or_not() -> None:
    deal = triptych.Deal(players=["Ann", "Bob"], seed=1)
    deal.place("Kc/3d3s/7cJc")
    deal.place("7h/Ts7d/2d5d")
    first, second, third = deal.cards
    assert deal.can_place(f"{first}/{second}/")
    assert deal.can_place(f"{first}/{second}/ -{third}")
    with pytest.raises(triptych.TriptychError) as error:
        deal.place(f"{first}/{second}/ -Ah")
    assert error.value.code == "placement.discards"
    deal.place(f"{first}/{second}/ -{third}")
    assert deal.discards("Ann") == (third,)


def test_a_placement_returned_by_a_solver_can_be_placed() -> None:
    deal = triptych.Deal(players=["Ann", "Bob"], seed=3, fantasyland={"Ann": 14, "Bob": (15, 2)})
    assert (deal.fantasyland("Ann"), deal.fantasyland("Bob"), deal.acting) == (14, 15, (0, 1))
    for name in deal.players:
        deal.place(triptych.solve_fantasyland(deal.drawn(name)), name)
    assert deal.is_over
    assert str(deal.board("Ann")).count("/") == 2


def test_a_natural_is_named_and_taken() -> None:
    """Source 003 L41: thirteen ranks are a dragon, of which every opponent pays thirteen units."""
    dragon, other = "AsKhQdJcTs9h8d7c6s5h4d3c2s", "AhKdQcJsTh9d8c7s6h5d4c3s3h"
    deal = triptych.Deal("closed_1_6", ["Ann", "Bob"], deck=dragon + other)
    assert (deal.natural(), deal.natural("Ann"), deal.natural("Bob")) == (
        "Dragon (all thirteen ranks)",
        "Dragon (all thirteen ranks)",
        "",
    )
    assert deal.can_claim_natural("Ann")
    assert not deal.can_claim_natural("Bob")
    deal.claim_natural("Ann")
    deal.time_out("Bob")
    assert deal.result().totals == {"Ann": 13, "Bob": -13}
    assert ", over, Ann +13, Bob -13\n" in str(deal)
    assert deal.natural("Ann") == "Dragon (all thirteen ranks)"


def test_a_bot_is_asked_as_at_a_table() -> None:
    """It gets rules, the view of its own seat, and its task; what it may not do is refused and changes nothing."""

    class CheckingBot:
        name = "asked"

        def choose(
            self, rules: triptych.Ruleset, view: DealView, task: Task, budget_ms: int = 1000
        ) -> Place | Announce:
            assert (rules, view, task) == (deal.rules, deal.view(deal.turn), deal.task)
            assert budget_ms == 70
            return answer or triptych.LegalPlacements.from_task(task)[0].action(task.hand)

    deal = triptych.Deal(players=["Ann", "Bob"], seed=1)
    answer: Announce | None = None
    first = deal.legal_placements()[0]
    deal.play_turn(CheckingBot(), 70)
    assert str(deal.board("Ann")) == str(first)
    answer, before = Announce(1, play=True), deal.copy()
    with pytest.raises(triptych.TriptychError, match="not announcing"):
        deal.play_turn(CheckingBot(), 70)
    assert deal == before
    while not deal.is_over:
        deal.time_out()
    with pytest.raises(triptych.TriptychError, match="the deal is over"):
        deal.play_turn(CheckingBot(), 70)
    assert (deal.turn, deal.player, deal.task, deal.cards, deal.acting) == (None, None, None, (), ())


def test_a_history_keeps_stacks_only_if_all_are_whole() -> None:
    for stacks, expected_stacks in (({"p1": 5, "p2": 7}, (5, 7)), ({"p1": 5}, ()), ({"p1": 5, "p2": 2.5}, ())):
        with case(stacks):
            assert triptych.Deal(stacks=stacks, seed=1).history().stacks == expected_stacks
    for stakes, expected_stakes in (
        ({"default": 2}, (2,)),
        ({"p1-p2": 1}, ()),
        ({"p2-p1": 0}, ()),
        ({"default": 1.5}, ()),
    ):
        with case(stakes):
            assert triptych.Deal(stakes=stakes, seed=1).history().stakes == expected_stakes


def test_two_hands_of_one_player_are_named() -> None:
    """Rules §2: in criss-cross each has two; a player's name means the hand that acts, or the first."""
    deal = triptych.Deal("criss_cross", ["Ann", "Bob"], seed=1)
    assert (deal.players, deal.hands, deal.owners) == (
        ("Ann", "Bob"),
        ("Ann 1", "Bob 1", "Ann 2", "Bob 2"),
        (0, 1, 0, 1),
    )
    assert deal.drawn("Ann") == deal.drawn("Ann 1") == deal.drawn(0)
    second = deal.drawn("Ann 2")
    deal.time_out("Ann")
    assert deal.drawn("Ann") == second
    assert deal.board("Ann 1") != triptych.Board()
    assert deal.view("Ann 2") == deal.view("Ann 1") == deal.view("Ann")
    while not deal.is_over:
        deal.time_out()
    assert {*deal.result().totals} == {"Ann", "Bob"}
    assert deal.board("Ann") == deal.board("Ann 1")


def test_can_place_answers_whether_a_placement_is_legal() -> None:
    deal = triptych.Deal(seed=1)
    assert deal.can_place("Kc/3d3s/7cJc")
    for wrong in ("Kc/3d3s/7c", "Ah/3d3s/7cJc", "nonsense", None):
        with case(wrong):
            assert not deal.can_place(wrong)
    with pytest.raises(triptych.TriptychError) as error:
        deal.arrange("Ah//")
    assert error.value.code == "deal.card_not_held"


def test_the_error_for_too_many_or_few_players_names_the_limits() -> None:
    for preset, players, message in (("pineapple", 4, "seats 2 to 3 players, not 4"), ("criss_cross", 3, "seats 2 ")):
        with case(preset), pytest.raises(triptych.TriptychError, match=message):
            triptych.Deal(preset, players)


def test_stakes_and_stacks_are_settled() -> None:
    """Rules §6 (table stakes): nobody loses more than was brought; a point of this pair is worth three."""
    money = {"stakes": {"Ann-Bob": 3}, "stacks": {"Ann": 50, "Bob": 8}}
    deal = triptych.Deal(players=["Ann", "Bob"], seed=1, **money)  # type: ignore[arg-type]
    rng = Random(1)
    while not deal.is_over:
        deal.place(rng.choice(deal.legal_placements()))
    deal_result = deal.result()
    assert deal_result.stacks is not None
    assert sum(deal_result.stacks.values()) == 58
    assert abs(deal_result.stacks["Ann"] - 50) <= 8
    assert deal_result.totals["Ann"] == 3 * deal_result.pairs["Ann-Bob"]
    history = triptych.read_history(deal.history_text())
    assert (history.stakes, history.stacks) == ((3,), (50, 8))
    assert triptych.Deal.from_history(history).result() == deal_result


@pytest.mark.parametrize(
    ("make", "code", "path"),
    [
        (lambda: triptych.Deal("no_such"), "rules.preset", "$.preset"),
        (lambda: triptych.Deal(players=4), "deal.players", "$.players"),
        (lambda: triptych.Deal(players=["Ann", "Ann"]), "deal.players", "$.players[1]"),
        (lambda: triptych.Deal(players=["Ann", ""]), "deal.players", "$.players[1]"),
        (lambda: triptych.Deal(players=["Ann", "all"]), "deal.players", "$.players[1]"),
        (lambda: triptych.Deal(players=["Ann", 3]), "value.type", "$.players[1]"),  # type: ignore[list-item]
        (lambda: triptych.Deal(seed=-1), "value.range", "$.seed"),
        (lambda: triptych.Deal(seed=1, deck="Ah"), "value.choice", "$.seed"),
        (lambda: triptych.Deal(deck="AhAh"), "deal.deck", "$.deck"),
        (lambda: triptych.Deal(fantasyland={"p3": 14}), "deal.seat", "$.seat"),
        (lambda: triptych.Deal(fantasyland={"p1": 18}), "deal.hands", "$.hands[0].fantasyland"),
        (lambda: triptych.Deal(fantasyland={"p1": (1, 2, 3)}), "value.type", "$.fantasyland.p1"),  # type: ignore[dict-item]
        (lambda: triptych.Deal(stakes={"p1-p3": 3}), "player.unknown", "$.stakes.p1-p3"),
        (lambda: triptych.Deal(stacks={"p3": 3}), "player.unknown", "$.stacks.p3"),
        (lambda: triptych.Deal(seed=1).undo(), "deal.start", "$"),
        (lambda: triptych.Deal(seed=1).result(), "deal.not_over", "$"),
        (lambda: triptych.Deal(seed=1).place("Kc"), "placement.text", "$.placement"),
        (lambda: triptych.Deal(seed=1).place("Kz//"), "card.unknown", "$.placement.front[0]"),
        (lambda: triptych.Deal(seed=1).place("Kc// -Zz"), "card.unknown", "$.placement.discards[0]"),
        (lambda: triptych.Deal(seed=1).place("Kc//"), "deal.wrong_count", "$.layout"),
        (lambda: triptych.Deal(seed=1).place("Kc/3d3s/7cJc", "p2"), "deal.not_your_turn", "$.hand"),
        (lambda: triptych.Deal(seed=1).place("Kc/3d3s/7cJc", 2), "deal.seat", "$.seat"),
        (lambda: triptych.Deal(seed=1).place(7), "value.type", "$.placement"),
        (lambda: triptych.Deal(seed=1).board("Ann"), "deal.seat", "$.seat"),
        (lambda: triptych.Deal(seed=1).declare(["top"]), "value.choice", "$.rows[0]"),  # type: ignore[list-item]
        (lambda: triptych.Deal(seed=1).declare(), "deal.wrong_phase", "$.do"),
    ],
)
def test_an_error_has_its_code_and_path(make: object, code: str, path: str) -> None:
    assert callable(make)
    with pytest.raises(triptych.TriptychError) as error:
        make()
    assert (error.value.code, error.value.path) == (code, path)


def test_a_deal_over_encodes_as_json() -> None:
    """Names of hands, warnings and reasons are plain texts, which every encoder takes."""
    deal = triptych.Deal(seed=1)
    while not deal.is_over:
        deal.place(deal.legal_placements()[0])
    done = deal.result()
    body = msgspec.to_builtins((deal.view(), deal.view("p1"), done, done.sheet))
    assert json.loads(json.dumps(body))[3]["pairs"][0]["scoop"]["why"] == done.sheet.pairs[0].scoop.why
