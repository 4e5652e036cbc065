"""The solver against a plain loop over every setting (native/tests/every_setting.hpp): only the scorer is shared.

Presets: those with a fantasyland, jokers, a deuce-to-seven middle, and best response to one and two finished boards
(issue 4, shown by 2).
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from msgspec.structs import replace

from tests.case_notes import case
from tests.case_sample import sample_cases
from tests.rulesets.conditions import random_repeats
from tests.rulesets.example_rules import EXAMPLES, example_ruleset
from tests.solve.native_programs import build_checks
from triptych import _kernel
from triptych.cards import Card, deck
from triptych.rulesets.compile import compile_rules, to_kernel_ints
from triptych.rulesets.load import resolve
from triptych.rulesets.model import FantasylandRepeat, Ruleset

SPECS = [
    "pineapple",
    "pineapple_progressive",
    "pineapple_russian",
    "pineapple_27",
    "ofc_american",
    {"preset": "pineapple", "rows.order": "gt", "rows.wheel": "second"},
    {"preset": "pineapple", "royalties.one_per_board": True, "royalties.rule": "row_winner"},
    {"preset": "pineapple", "royalties.deuce_of_spades": True},
    "closed_1_6",
    "taiwanese",
    "closed_low_middle",
    {"preset": "pineapple", "scoring.rows": "custom", "scoring.points": [3, 1, 2], "scoring.bonus": 5},
    {"preset": "pineapple", "scoring.scoop_doubles": True, "scoring.doubles": "all"},
    {"preset": "mau_binh", "foul.pays_royalties": True},
    *EXAMPLES,
]
JOKERS = [
    "pineapple_joker",
    {"preset": "pineapple_joker", "rows.joker_domain": "not_on_own_board"},
    {"preset": "pineapple_joker", "rows.joker_value": "best_total"},
    {"preset": "pineapple_joker", "rows.joker_value": "best_row", "rows.five_of_a_kind": True},
]
# Preset and finished boards to beat: the full counts of issue 4 for each.
PROVEN = [
    ("pineapple", 0),
    ("pineapple", 1),
    ("pineapple", 2),
    ("pineapple_progressive", 0),
    ("pineapple_27", 0),
    ("pineapple_27", 1),
    ("ofc_american", 0),
    ("ofc_american", 2),
    ("pineapple_joker", 0),
]
# Fantasylands of any conditions, whose parts cut what a class of rows holds (Rules §5).
LISTS = [("pineapple", 0), ("pineapple", 1), ("pineapple", 2), ("pineapple_27", 0), ("pineapple_27", 1)]
COUNTS = [(13, 1000), (14, 1000), (15, 100), (16, 20), (17, 20)]

# PLAIN scores every board again, CARDS looks up what its rows are worth: the same loop, some hundred times faster.
Loop = Literal["PLAIN", "CARDS"]


@pytest.fixture(scope="session")
def every_setting() -> Path:
    return build_checks()


def compare(
    program: Path, spec: object, cards: int, deals: int, opponents: int = 0, seed: int = 0, loop: Loop = "CARDS"
) -> None:
    """Ask both for the best value of random deals, and the rows that make it, and hold them equal."""
    rules = _rules(spec)
    random = Random(f"{seed} {cards} {opponents}")
    lines = ["RULES " + " ".join(map(str, to_kernel_ints(rules)))]
    ours: list[tuple[float, ...]] = []
    for _ in range(deals):
        drawn = _deal(random, rules, cards, opponents)
        in_row, repeats = random.randint(1, 3), [random.randint(0, 80) / 4 for _ in range(18)]
        lines.append(f"LAND {cards} {in_row} " + " ".join(map(str, repeats)))
        goal = _kernel.Objective(compile_rules(rules), cards, in_row, repeats, unknown=0 if opponents else 1)
        for index in range(opponents):
            board = _set_board(random, rules, drawn[cards + 13 * index :][:13])
            goal.add_opponent(board)
            lines.append("AGAINST " + " ".join(map(str, board)))
        lines.append(f"{loop} " + " ".join(map(str, drawn[:cards])))
        best = _kernel.complete(goal, (b"", b"", b""), bytes(drawn[:cards]))
        ours.append((best.legal, best.value if best.legal else 0, *reversed(best.row_values)))
    assert _ask(program, lines) == ours


def _rules(spec: object) -> Ruleset:
    """Return the rules of a spec, of an example file by its name, or the rules themselves."""
    if isinstance(spec, Ruleset):
        return spec
    return example_ruleset(spec) if spec in EXAMPLES else resolve(spec)  # type: ignore[arg-type]


def random_lists(preset: str, seed: int) -> Ruleset:
    """Return a preset's rules with random conditions of fantasyland."""
    rules = resolve(preset)
    repeat: tuple[FantasylandRepeat, ...] = ()
    random = Random(seed)
    while not repeat:
        repeat = random_repeats(random, low=rules.rows.middle == "deuce_to_seven")
    return replace(rules, fantasyland=replace(rules.fantasyland, repeat=repeat))


def compare_drawn(program: Path, rules: Ruleset, deals: list[list[list[Card]]]) -> None:
    """Compare hands of 13 cards against boards that are given: each deal a hand, then the boards as they are set."""
    lines = ["RULES " + " ".join(map(str, to_kernel_ints(rules))), "LAND 0 0 0"]
    ours: list[tuple[float, ...]] = []
    for hand, *boards in deals:
        goal = _kernel.Objective(compile_rules(rules), 0, 0, [0.0] * 18, unknown=0)
        for board in boards:
            goal.add_opponent(bytes(board))
            lines.append("AGAINST " + " ".join(map(str, board)))
        lines.append("PLAIN " + " ".join(map(str, hand)))
        best = _kernel.complete(goal, (b"", b"", b""), bytes(hand))
        ours.append((best.legal, best.value if best.legal else 0, *reversed(best.row_values)))
    assert _ask(program, lines) == ours


def flushes(random: Random) -> list[Card]:
    """Return thirteen cards set as three flushes, the front's cards of any suit."""
    front, middle, back = (random.choice(range(4)) for _ in range(3))
    ranks = iter(random.sample(range(13), 13))
    return [Card(4 * next(ranks) + suit) for suit, size in ((front, 3), (middle, 5), (back, 5)) for _ in range(size)]


def _ask(program: Path, lines: list[str]) -> list[tuple[float, ...]]:
    completed = subprocess.run(
        [program, "every_setting"], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    return [tuple(map(float, line.split())) for line in completed.stdout.splitlines()]


def _deal(random: Random, rules: Ruleset, cards: int, opponents: int) -> list[Card]:
    """Return a hand and, behind it, opponents' cards; jokers of the rules lie in the hand, as many as by chance."""
    drawn = random.sample(deck(), cards + 13 * opponents)
    for joker in range(52, 52 + random.randint(0, rules.deal.jokers)):
        drawn[random.randrange(cards // 2) * 2 + joker % 2] = Card(joker)
    return drawn


def _set_board(random: Random, rules: Ruleset, cards: list[Card]) -> bytes:
    """Return an opponent's board, mostly well set, now and then a foul."""
    plain = _kernel.Objective(compile_rules(rules), 13, 1, [0.0] * 18)
    best = _kernel.complete(plain, (b"", b"", b""), bytes(cards))
    return b"".join(best.rows) if best.legal and random.random() < 0.8 else bytes(cards)


def test_the_solver_finds_the_best_of_all_settings(every_setting: Path) -> None:
    for at, spec in enumerate(SPECS):
        with case(spec):
            compare(every_setting, spec, 13, 1, at % 3, loop="PLAIN")


@pytest.mark.parametrize(
    ("preset", "count"),
    # The scorer takes longest over the naturals of Taiwan.
    [
        ("closed_1_6", 4),
        ("taiwanese", 1),
        pytest.param("taiwanese", 4, marks=pytest.mark.slow),
        ("mau_binh", 4),
        ("closed_low_middle", 4),
    ],
)
def test_naturals_that_rows_show(every_setting: Path, preset: str, count: int) -> None:
    """Rules §4; source 003 L14: three flushes set as rows are paid as the natural, on either side."""
    random = Random(preset)
    deals: list[list[list[Card]]] = []
    while len(deals) < count:
        hand, other = flushes(random), flushes(random)
        if not set(hand) & set(other):
            left = [card for card in deck() if card not in {*hand, *other}]
            deals += [[hand, other], [hand, left[:13]], [left[:13], other], [hand, other, left[13:]]]
    compare_drawn(every_setting, resolve(preset), deals[:count])


def test_with_jokers_too(every_setting: Path) -> None:
    for spec in JOKERS:
        with case(spec):
            compare(every_setting, spec, 13, 2, seed=1, loop="PLAIN")


def test_more_cards(every_setting: Path) -> None:
    for at, (preset, opponents) in enumerate(PROVEN):
        for cards, deals in ((13, 5), (14, int(at % 2 == 0)), (15, int(at == 0))):
            with case(preset, opponents, cards):
                compare(every_setting, preset, cards, deals, opponents, seed=2)


@pytest.mark.parametrize("seed", sample_cases(range(4), range(2)))
@pytest.mark.parametrize(("preset", "opponents"), LISTS)
def test_random_conditions(every_setting: Path, preset: str, opponents: int, seed: int) -> None:
    rules = random_lists(preset, seed)
    for cards, deals in ((13, 8), (14, 2)):
        compare(every_setting, rules, cards, deals, opponents, seed)


@pytest.mark.parametrize("seed", range(4))
def test_random_conditions_with_jokers(every_setting: Path, seed: int) -> None:
    compare(every_setting, random_lists("pineapple_joker", seed), 13, 3, seed % 2, seed, loop="PLAIN")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 108))
@pytest.mark.parametrize(("preset", "opponents"), [*LISTS, ("pineapple_joker", 0)])
def test_many_conditions(every_setting: Path, preset: str, opponents: int, seed: int) -> None:
    rules = random_lists(preset, seed)
    for cards, deals in ((13, 50), (14, 50), (15, 4)):
        compare(every_setting, rules, cards, deals, opponents, seed)


@pytest.mark.parametrize("opponents", [0, 1, 2])
def test_any_low_is_legal(every_setting: Path, opponents: int) -> None:
    """Rules §3 (`rows.low_limit = none`): of one worth are then lows of every kind."""
    for cards, deals in ((13, 30), (15, 1)):
        spec = {"preset": "pineapple_27", "rows.low_limit": "none"}
        compare(every_setting, spec, cards, deals, opponents, seed=6)


@pytest.mark.slow
def test_seventeen_cards(every_setting: Path) -> None:
    compare(every_setting, "pineapple_progressive", 17, 1, seed=3)


@pytest.mark.slow
def test_the_two_loops_agree(every_setting: Path) -> None:
    """The quick loop says of every deal what scoring each board says."""
    for at, spec in enumerate([*SPECS, "pineapple_joker"]):
        with case(spec):
            hold_equal(every_setting, _rules(spec), [(at + 1) % 3])


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*SPECS, "pineapple_joker"], ids=str)
def test_the_two_loops_agree_against_any_number(every_setting: Path, spec: object) -> None:
    hold_equal(every_setting, _rules(spec), [0, 1, 2])


def hold_equal(program: Path, rules: Ruleset, against: list[int]) -> None:
    """Ask both loops for the best of a deal against each number of opponents, and hold their answers equal."""
    random = Random(4)
    both: list[list[tuple[float, ...]]] = []
    lines = ["RULES " + " ".join(map(str, to_kernel_ints(rules)))]
    deals = [(_deal(random, rules, 13, opponents), opponents) for opponents in against]
    for loop in ("PLAIN", "CARDS"):
        questions = [*lines, "LAND 13 1 7.5"]
        for drawn, opponents in deals:
            questions += ["AGAINST " + " ".join(map(str, drawn[13 * i + 13 :][:13])) for i in range(opponents)]
            questions.append(f"{loop} " + " ".join(map(str, drawn[:13])))
        both.append(_ask(program, questions))
    assert both[0] == both[1]
    assert len(both[0]) == len(deals)


@pytest.mark.slow
@pytest.mark.parametrize(("cards", "deals"), COUNTS)
@pytest.mark.parametrize(("preset", "opponents"), PROVEN)
def test_many_deals(every_setting: Path, preset: str, opponents: int, cards: int, deals: int) -> None:
    compare(every_setting, preset, cards, deals, opponents, seed=100)


@pytest.mark.slow
@pytest.mark.parametrize(("cards", "deals"), [(13, 200), (14, 200), (15, 20), (16, 4), (17, 4)])
def test_best_response_with_jokers(every_setting: Path, cards: int, deals: int) -> None:
    compare(every_setting, "pineapple_joker", cards, deals, 1, seed=200)


@pytest.mark.slow
@pytest.mark.parametrize("opponents", [0, 1, 2])
@pytest.mark.parametrize("spec", [*SPECS, *JOKERS], ids=str)
def test_every_board_scored(every_setting: Path, spec: object, opponents: int) -> None:
    compare(every_setting, spec, 13, 30, opponents, seed=300, loop="PLAIN")
    compare(every_setting, spec, 14, 4, opponents, seed=400, loop="PLAIN")
