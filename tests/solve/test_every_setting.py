"""The solver against a plain loop over every setting (native/tests/every_setting.cpp): only the scorer is shared.

Presets: those with a fantasyland, jokers, a deuce-to-seven middle, and best response to one and two finished boards
(issue 4, shown by 2; MEASURES 1).
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from triptych import _kernel
from triptych.cards import Card, deck
from triptych.rules.compile import compile_rules, flat
from triptych.rules.load import resolve

ROOT = Path(__file__).parents[2]
REPEAT = 11.25
CLOSED = {"preset": "closed_1_6", "fantasyland.kind": "none"}
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
]
JOKERS = [
    "pineapple_joker",
    {"preset": "pineapple_joker", "rows.joker_domain": "not_on_own_board"},
    {"preset": "pineapple_joker", "rows.joker_value": "best_total"},
    {"preset": "pineapple_joker", "rows.joker_value": "best_row", "rows.five_of_a_kind": True},
]


@pytest.fixture(scope="session")
def every_setting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    assert compiler, "a C++ compiler is needed to build the kernel too"
    program = tmp_path_factory.mktemp("native") / "every_setting"
    source = ROOT / "native" / "tests" / "every_setting.cpp"
    options = ["-std=c++20", "-O2", f"-I{ROOT / 'native' / 'include'}"]
    subprocess.run([compiler, *options, str(source), "-o", str(program)], check=True)
    return program


def compare(program: Path, spec: object, cards: int, deals: int, opponents: int, seed: int) -> None:
    """Ask both for the best value of random deals, and the rows that make it, and hold them equal."""
    rules = resolve(spec)  # type: ignore[arg-type]
    random = Random(seed)
    lines = ["RULES " + " ".join(map(str, flat(rules))), f"LAND {cards} 1 {REPEAT}"]
    ours: list[tuple[float, ...]] = []
    for _ in range(deals):
        drawn = random.sample(deck(), cards + 13 * opponents)
        for joker in range(52, 52 + random.randint(0, rules.deal.jokers)):
            drawn[random.randrange(cards // 2) * 2 + joker % 2] = Card(joker)
        goal = _kernel.Goal(compile_rules(rules), cards, 1, [REPEAT] * 18, unknown=0 if opponents else 1)
        for index in range(opponents):
            board = drawn[cards + 13 * index :][:13]
            plain = _kernel.Goal(compile_rules(rules), 13, 1, [0.0] * 18)
            legal, _, laid, *_ = _kernel.complete(plain, (b"", b"", b""), bytes(board))
            set_board = b"".join(laid) if legal and random.random() < 0.8 else bytes(board)
            goal.add_opponent(set_board)
            lines.append("AGAINST " + " ".join(map(str, set_board)))
        lines.append("CARDS " + " ".join(map(str, drawn[:cards])))
        legal, value, _, _, rows, *_ = _kernel.complete(goal, (b"", b"", b""), bytes(drawn[:cards]))
        ours.append((legal, value if legal else 0, *reversed(rows)))
    said = subprocess.run([program], input="\n".join(lines), capture_output=True, text=True, check=True)
    theirs = [tuple(map(float, line.split())) for line in said.stdout.splitlines()]
    assert ours == theirs


@pytest.mark.parametrize("opponents", [0, 1, 2])
@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_the_solver_finds_the_best_of_all_settings(every_setting: Path, spec: object, opponents: int) -> None:
    compare(every_setting, spec, cards=13, deals=8, opponents=opponents, seed=opponents)


@pytest.mark.parametrize("spec", JOKERS, ids=str)
def test_with_jokers_too(every_setting: Path, spec: object) -> None:
    compare(every_setting, spec, cards=13, deals=4, opponents=0, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["pineapple", "pineapple_27", "ofc_american"], ids=str)
@pytest.mark.parametrize(("cards", "deals"), [(13, 300), (14, 60), (15, 6), (16, 3)])
def test_many_deals(every_setting: Path, spec: object, cards: int, deals: int) -> None:
    for opponents in (0, 1, 2):
        compare(every_setting, spec, cards, deals // 3, opponents, seed=100 + opponents)


@pytest.mark.slow
@pytest.mark.parametrize("spec", JOKERS, ids=str)
def test_many_deals_with_jokers(every_setting: Path, spec: object) -> None:
    for opponents in (0, 1):
        compare(every_setting, spec, 13, 30, opponents, seed=200 + opponents)
        compare(every_setting, spec, 14, 4, opponents, seed=300 + opponents)
