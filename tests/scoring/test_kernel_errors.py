"""What the kernel is not given by the library, but may be given by anybody: it refuses, and lives; issue 27.1.

Each of these read or wrote beside its memory, or could. `python -m scripts.fuzz_bindings` asks far more of them.
"""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from triptych import _kernel
from triptych.rulesets.compile import compile_rules, to_kernel_ints
from triptych.rulesets.load import resolve
from triptych.rulesets.model import streets

RULES = resolve("pineapple")
TABLE = compile_rules(RULES)
DEALT, PLACED = ([getattr(step, name) for step in streets(RULES)] for name in ("dealt", "placed"))
PACK = bytes(range(52))


def _field(name: str) -> int:
    return next(at for field, at, _ in _kernel.rules_fields() if field == name)


@pytest.mark.parametrize(
    ("field", "number"),
    [
        ("natural_kind", 99),
        ("natural_count", 25),
        ("scoring", 8),
        ("joker_value", 3),
        ("suit_height", 4),
        ("fantasyland_entry", -2),
        ("foul_points", 2_000_000),
        ("royalty_back", 2**31 - 1),
    ],
)
def test_rules_that_no_game_has_are_refused(field: str, number: int) -> None:
    numbers = to_kernel_ints(RULES)
    numbers[_field(field)] = number
    with pytest.raises(ValueError, match="no such rules"):
        _kernel.Rules(numbers)


@pytest.mark.parametrize("cards", [12, 18, 99, -5])
def test_fantasylands_of_other_sizes_are_refused(cards: int) -> None:
    """The kernel looks up what one is worth by its cards."""
    numbers = to_kernel_ints(RULES)
    numbers[_field("fantasyland_entry") + 4] = cards
    with pytest.raises(ValueError, match="no such rules"):
        _kernel.Rules(numbers)


@pytest.mark.parametrize(
    ("preset", "values"),
    [
        ("pineapple", (1 << 20, 0, 0)),  # a pair of nothing
        ("pineapple", (3 << 20 | 15 << 16, 0, 0)),
        ("pineapple", (0, 0, 99 << 20)),
        ("pineapple", (2**32 - 1, 0, 0)),
        ("pineapple_27", (0, 0xFFFFFF, 0)),  # a low of five deuces
    ],
)
def test_royalties_of_rows_that_cannot_be_are_refused(preset: str, values: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="no row has such a value"):
        _kernel.row_royalties(compile_rules(resolve(preset)), *values)


def _shape(**changed: object) -> _kernel.GameShape:
    named: dict[str, object] = {"hands": 2, "players": 2, "jokers": 0, "closed": False, "chain": False}
    named |= {"button_moves": True, "lone_hand_is_hidden": False, "dealt": DEALT, "placed": PLACED, **changed}
    return _kernel.make_shape(TABLE, **named)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changed",
    [{"placed": [5, 2, 2, 2, 3]}, {"placed": [5, 2, 2, 2, 1]}, {"closed": True}, {"dealt": [5], "placed": [5]}],
)
def test_streets_that_do_not_fill_the_board_are_refused(changed: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="fill the board"):
        _shape(**changed)


def test_a_learner_needs_streets_that_fill_the_board() -> None:
    with pytest.raises(ValueError, match="fill the board"):
        _kernel.Learner(
            TABLE,
            DEALT,
            [5, 2, 2, 3, 3],
            hands=2,
            jokers=0,
            weights=[0.0] * _kernel.OUTCOMES,
            strengths=[0] * 3 * _kernel.STRENGTH_BINS,
            seed=1,
        )


@pytest.mark.parametrize(("name", "value"), [("rate", 1e12), ("decay", float("-inf")), ("noise", float("nan"))])
def test_a_learner_that_would_learn_no_numbers_is_refused(name: str, value: float) -> None:
    """Found by the fuzz: it chose no placement at all, and a low of five deuces was looked up beside its table."""
    learner = _kernel.Learner(
        TABLE,
        DEALT,
        PLACED,
        hands=2,
        jokers=0,
        weights=[0.0] * _kernel.OUTCOMES,
        strengths=[0] * 3 * _kernel.STRENGTH_BINS,
        seed=1,
    )
    named: dict[str, Any] = {"rate": 0.5, "decay": 0.5, "noise": 0.0}
    learner.play(1, learning=True, **named)
    with pytest.raises(ValueError, match="a rate is a share"):
        learner.play(1, learning=True, **{**named, name: value})


def test_invalid_and_dealt_cards_are_refused() -> None:
    game = _kernel.make_game(TABLE, _shape())
    for cards in (bytes([52, 1, 2, 3, 4]), bytes([200, 1, 2, 3, 4]), bytes([1, 1, 2, 3, 4])):
        with pytest.raises(ValueError, match="not in the pack, or dealt already"):
            game.deal_cards(cards)
    game.deal_cards(PACK[:5])
    for action in (0, 1, 1, 2, 2):
        game.step(action)
    with pytest.raises(ValueError, match="dealt already"):
        game.deal_cards(PACK[4:9])


def test_saved_games_are_read_again_only_as_they_were_written() -> None:
    """Anything else would be taken for the games' memory itself."""
    games, others = (_kernel.make_batch(TABLE, _shape(), 2, seed) for seed in (1, 2))
    games.play_random(30)
    saved = games.save()
    others.load(saved)
    assert others.save() == saved
    chained = _kernel.make_batch(TABLE, _shape(chain=True), 2, 1)
    for batch, state in (
        (others, b"\xff" * len(saved)),
        (others, saved[:-1]),
        (others, saved[:50] + b"?" + saved[51:]),
    ):
        with pytest.raises(ValueError, match="not games of this batch"):
            batch.load(state)
    with pytest.raises(ValueError, match="not games of this batch"):
        chained.load(saved)  # of another shape
    game = _kernel.make_game(TABLE, _shape())
    written = bytearray(game.__getstate__())
    written[40] ^= 255
    with pytest.raises(ValueError, match="not a game of this build"):
        _kernel.Game.__new__(_kernel.Game).__setstate__(bytes(written))
    assert pickle.loads(pickle.dumps(game)).legal == game.legal  # noqa: S301 - made here


def test_too_many_jokers_and_cards_twice_are_refused() -> None:
    goal = _kernel.Objective(TABLE, 0, 0, [0.0] * 18)
    for pool in (bytes([52] * 13), bytes([53] * 14), PACK[:12] + PACK[:1]):
        with pytest.raises(ValueError, match="twice"):
            _kernel.complete(goal, (b"", b"", b""), pool)
    closed = compile_rules(resolve("closed_1_6"))
    with pytest.raises(ValueError, match="twice"):
        _kernel.OpponentSamples(closed, bytes([0, 7, 0, 0, 0]) + bytes([5] * 13), [1.0])
    for wrong in ([float("nan")] * 18, [float("inf")] * 18):
        with pytest.raises(ValueError, match="not finite"):
            _kernel.Objective(TABLE, 0, 0, wrong)


def test_incomplete_stacks_are_refused() -> None:
    for few in ((), ([1.0, 1.0],)):
        with pytest.raises(TypeError):
            _kernel.limited_fantasyland_values(few, 0, [0.0])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="less than nothing"):
        _kernel.limited_fantasyland_values(([1.0] * 2, [1.0], 1.0, 0, False, float("nan"), [], []), 0, [0.0])
