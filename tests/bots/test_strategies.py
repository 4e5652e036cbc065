"""Closed games with custom rules get a strategy of their own (issue 13, part 7), made once and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from triptych import api
from triptych.bots import strategy_cache
from triptych.bots.strategy_cache import (
    cache_dir,
    ensure_strategy,
    load_strategy,
    missing_strategies,
    train_missing_strategies,
    train_strategy,
)
from triptych.cards import parse_cards
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import is_closed
from triptych.solve.closed.settings import solve_closed
from triptych.solve.closed.strategy import (
    SUFFIX,
    is_exact_match,
    kernel_fields,
    nearest_strategy,
    relevant_opponent_counts,
)
from triptych.solve.closed.training import measure

if TYPE_CHECKING:
    from pathlib import Path

PLAIN: dict[str, object] = {"preset": "closed_2_4", "royalties.table": "none"}
CARDS = "AhKhQhJhTh9s9d9c5s5d2c2d2h"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cache of the test's own, and strategies so small that they are trained in a moment."""
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path))
    monkeypatch.setattr(strategy_cache, "DECKS", 40)
    monkeypatch.setattr(strategy_cache, "ROUNDS", 2)
    strategy_cache._name.cache_clear()


def all_made(rules: dict[str, object], opponents: int = 1) -> list[float]:
    return list(train_strategy(resolve(rules), opponents))


def test_custom_rules_lack_a_strategy_until_it_is_made() -> None:
    rules = resolve(PLAIN)
    assert missing_strategies(rules) == (1,)
    assert not is_exact_match(load_strategy(rules, 1).head, rules, 1)
    done = all_made(PLAIN)
    assert done == sorted(done)
    assert done[-1] == 1
    assert missing_strategies(rules) == ()
    own = load_strategy(rules, 1).head
    assert is_exact_match(own, rules, 1)
    assert own.rules == kernel_fields(rules)
    # A stake, a clock or a name changes no strategy.
    assert missing_strategies(resolve({**PLAIN, "clock.seconds": 20, "stake.point": 2})) == ()
    assert missing_strategies(resolve({**PLAIN, "scoring.rows": "per_row"})) == (1,)


def test_each_number_of_opponents_that_matters_has_its_own() -> None:
    """A home-run against three doubles (Rules §4): Mậu Binh against three is no Mậu Binh against one."""
    rules = resolve("mau_binh")
    assert (relevant_opponent_counts(rules), missing_strategies(rules)) == ((1, 3), (3,))
    all_made({"preset": "mau_binh"}, 3)
    assert missing_strategies(rules) == ()
    assert [load_strategy(rules, seats).head.opponents for seats in (1, 2, 3)] == [1, 1, 3]


def test_presets_play_what_was_made_for_them() -> None:
    """Pusoy once played another game's strategy: an option that one does not know counted for nothing."""
    for preset in ("closed_1_6", "closed_2_4", "pusoy", "taiwanese", "closed_low_middle"):
        rules = resolve(preset)
        for seats in relevant_opponent_counts(rules):
            assert nearest_strategy(rules, seats).head.name == preset


def test_open_games_lack_nothing() -> None:
    for preset in preset_names():
        if not is_closed(rules := resolve(preset)):
            assert (missing_strategies(rules), ensure_strategy(rules, 1)) == ((), None)


def test_the_same_rules_get_the_same_strategy() -> None:
    all_made(PLAIN)
    (file,) = cache_dir().iterdir()
    first = file.read_bytes()
    file.unlink()
    all_made(PLAIN)
    assert file.read_bytes() == first


@pytest.mark.parametrize("broken", [b"", b"{}\n", b"not JSON\nat all", None])
def test_a_broken_file_is_made_again(broken: bytes | None) -> None:
    rules = resolve(PLAIN)
    all_made(PLAIN)
    (file,) = cache_dir().iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if broken is None else broken)
    assert missing_strategies(rules) == (1,)
    assert load_strategy(rules, 1).head.name == nearest_strategy(rules, 1).head.name
    all_made(PLAIN)
    assert file.read_bytes() == whole


def test_interrupted_training_leaves_no_file() -> None:
    for _ in train_strategy(resolve(PLAIN), 1):
        break
    assert not cache_dir().exists()


def test_where_nothing_can_be_stored_the_nearest_strategy_serves(tmp_path: Path) -> None:
    (tmp_path / "strategies").write_text("in the way")
    rules = resolve(PLAIN)
    with pytest.raises(OSError, match="strategies"):
        list(train_strategy(rules, 1))
    strategy = ensure_strategy(rules, 1)
    assert strategy is not None
    assert strategy.head.name == nearest_strategy(rules, 1).head.name


def test_the_oldest_go_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy_cache, "MAX_CACHED_STRATEGIES", 2)
    for points in (3, 5, 7):
        all_made({**PLAIN, "foul.points": points})
    assert len(list(cache_dir().glob(f"*{SUFFIX}"))) == 2
    assert missing_strategies(resolve({**PLAIN, "foul.points": 7})) == ()
    assert missing_strategies(resolve({**PLAIN, "foul.points": 3})) == (1,)


def test_the_library_makes_it_on_first_use() -> None:
    nearest = api.solve_closed(CARDS, PLAIN, nearest=True)
    assert not list(cache_dir().glob("*"))
    own = api.solve_closed(CARDS, PLAIN)
    assert own.strategy is not None
    assert nearest.strategy is not None
    assert own.strategy.rules == kernel_fields(resolve(PLAIN))
    assert nearest.strategy.rules != own.strategy.rules
    files = set(cache_dir().iterdir())
    # Against given boards nobody's strategy is asked for.
    board = "QhQd7c/QsQc9d8d2c/8c9cTcJc4d"
    assert (
        api.solve_closed("AsKsTs7h7d7s6h6s5h5s3c3d3h", {**PLAIN, "foul.points": 9}, against=[board]).strategy is None
    )
    assert set(cache_dir().iterdir()) == files


def test_it_is_measured_when_asked() -> None:
    rules = resolve(PLAIN)
    done = list(train_strategy(rules, 1, deals=100))
    assert done == sorted(done)
    head = load_strategy(rules, 1).head
    assert head.deals >= 100
    assert head.interval > 0


def test_missing_strategies_of_rules_are_trained(tmp_path: Path) -> None:
    train_missing_strategies(resolve("closed_2_4"))
    assert list(tmp_path.iterdir()) == []
    rules = resolve(PLAIN)
    train_missing_strategies(rules)
    assert missing_strategies(rules) == ()


@pytest.mark.slow
@pytest.mark.timeout(1800)  # a minute, on a machine that is free
def test_a_trained_strategy_is_as_good_as_a_packaged_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A best response gains at most 0.02 points a deal. It takes 15 to 30 s of one core to make."""
    monkeypatch.undo()
    rules = resolve({"preset": "closed_1_6", "scoring.rows": "one_four", "foul.points": 8})
    *_, last = train_strategy(rules, 1, deals=4000)
    assert last == 1
    head = load_strategy(rules, 1).head
    assert is_exact_match(head, rules, 1)
    assert head.gain - 1.6 * head.interval < 0.02
    strategy = load_strategy(rules, 1)
    *_, again = measure(rules, strategy.kernel, strategy.size, 2, deals=2000, seed=77)
    assert again.mean - 1.6 * again.half_width < 0.02


def test_an_answer_says_whose_strategy_it_is() -> None:
    all_made(PLAIN)
    rules = resolve(PLAIN)
    solution = solve_closed(parse_cards(CARDS), rules, strategy=load_strategy(rules, 1))
    assert solution.strategy is not None
    assert is_exact_match(solution.strategy, rules, 1)
