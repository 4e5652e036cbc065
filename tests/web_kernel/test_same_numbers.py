"""The kernel of the browsers answers what the server's does, to the last bit; issue 14, part 1.

2,080 positions, 80 of each preset, at night, and a few in every run: whatever a game can be asked is asked about each
of them.
"""

from __future__ import annotations

import struct
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.case_sample import sample_cases
from tests.web_kernel.host import WebKernel, browser_bundle, cards_of, packed, u32, unpacked
from tests.web_kernel.positions import OpenPosition, land_position, open_position, random_rows, shuffled
from triptych import _kernel
from triptych.cards import Card, is_joker
from triptych.rulesets.compile import compile_rules, to_kernel_ints
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import fantasyland_sizes, is_closed, streets
from triptych.solve.value.weights import packaged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triptych.rulesets.model import Ruleset

POSITIONS = 80  # of each preset
OFTEN = [("pineapple_joker", 9), ("closed_1_6", 9)]
DECLARED = 7


@pytest.fixture(scope="module")
def web() -> Iterator[WebKernel]:
    with WebKernel() as kernel:
        yield kernel


def test_the_presets_make_two_thousand_positions() -> None:
    assert POSITIONS * len(preset_names()) >= 2000


@pytest.mark.parametrize(
    ("preset", "positions"), sample_cases([*OFTEN, *((preset, POSITIONS) for preset in preset_names())], OFTEN)
)
def test_both_kernels_give_the_same_numbers(web: WebKernel, preset: str, positions: int) -> None:
    rules, chance = resolve(preset), Random(preset)
    number = web.keep("keep_rules", struct.pack(f"<{len(to_kernel_ints(rules))}i", *to_kernel_ints(rules)))
    for _ in range(positions):
        deal_is_scored_alike(web, rules, number, chance)
        growing_board_is_bounded_alike(web, rules, number, chance)
        if not is_closed(rules):
            board_is_finished_alike(web, rules, number, chance)
    if is_closed(rules):
        hands_are_set_alike(web, rules, number, chance, positions)
    else:
        outs_are_counted_alike(web, rules, number, chance, positions)
        streets_are_analysed_alike(web, rules, chance, positions)


def deal_is_scored_alike(web: WebKernel, rules: Ruleset, number: int, chance: Random) -> None:
    table, pack = compile_rules(rules), shuffled(chance, rules)
    players = chance.randint(2, 4)
    boards = [pack[13 * seat : 13 * seat + 13] for seat in range(players)]
    hands = []
    for seat, board in enumerate(boards):
        natural = is_closed(rules) and _kernel.best_natural(table, board).entry >= 0
        kind = 2 if natural else chance.choice((0, 0, 0, 0, 1, 3))
        hands.append(bytes((kind, chance.randrange(8), chance.choice((0, 0, 14)), 1, seat)) + board)
    answer = web.ask("score_deal", u32(number, players), *hands)
    assert answer == packed("ScoredDeal", _kernel.score_deal(table, b"".join(hands)))
    board = boards[0]
    rows = _kernel.row_values(table, board)
    reasons = (
        rows,
        _kernel.offending_rows(table, *rows),
        _kernel.row_royalties(table, *rows),
        _kernel.best_natural(table, board),
        _kernel.shows_natural(table, board),
        _kernel.broken_up(table, board),
    )
    assert web.ask("score_board", u32(number), board) == packed("BoardScore", reasons)


def growing_board_is_bounded_alike(web: WebKernel, rules: Ruleset, number: int, chance: Random) -> None:
    rows = random_rows(chance, shuffled(chance, rules)[: chance.randint(0, 13)])
    table = compile_rules(rules)
    jokers = rules.deal.jokers > sum(is_joker(Card(card)) for card in b"".join(rows))
    bounds = _kernel.row_bounds(table, *rows, jokers)
    least = (row.least for row in (bounds.front, bounds.middle, bounds.back))
    assert bounds.royalties == _kernel.row_royalties(table, *least)
    answer = web.ask("row_bounds", u32(number, jokers), *map(cards_of, rows))
    assert answer == packed("BoundedRows", bounds)


def board_is_finished_alike(web: WebKernel, rules: Ruleset, number: int, chance: Random) -> None:
    """A fantasyland, or a board with some cards on it, alone or against boards."""
    pack = shuffled(chance, rules)
    fantasyland = chance.choice((0, *fantasyland_sizes(rules)))
    fantasyland_values = tuple(chance.random() * 20 for _ in range(18))
    placed = 0 if fantasyland else chance.randint(5, 12)
    rows, pack = random_rows(chance, pack[:placed]), pack[placed:]
    size = fantasyland or chance.randint(13 - placed, 16 - placed)
    pool, pack = pack[:size], pack[size:]
    boards = [pack[13 * at : 13 * at + 13] for at in range(chance.randint(0, 2))]
    objective = _kernel.Objective(compile_rules(rules), fantasyland, 1, fantasyland_values, 0 if boards else 1)
    for board in boards:
        objective.add_opponent(board)
    best = _kernel.complete(objective, rows, pool)
    answer = web.ask(
        "complete",
        u32(number, fantasyland, 1),
        struct.pack("<18d", *fantasyland_values),
        *map(cards_of, rows),
        cards_of(pool),
        u32(len(boards)),
        *boards,
    )
    parts = list(best)
    if not best.legal:
        parts[1] = _kernel.foul_value(objective)
    assert answer == packed("FinishedBoard", parts)


def outs_are_counted_alike(web: WebKernel, rules: Ruleset, number: int, chance: Random, positions: int) -> None:
    if rules.rows.middle == "deuce_to_seven" and rules.rows.low_limit == "none":
        return
    steps = streets(rules)
    for _ in range(positions // 4):
        done = chance.randint(1, len(steps))
        placed, come = sum(step.placed for step in steps[:done]), sum(step.dealt for step in steps[done:])
        pack = shuffled(chance, rules)
        rows, unseen = random_rows(chance, pack[:placed]), pack[placed:]
        seed, effort = chance.getrandbits(40), chance.choice((1, 100_000))
        outs = _kernel.count_outs(compile_rules(rules), rows, unseen, come, 60, effort, seed)
        answer = web.ask(
            "outs",
            u32(number),
            *map(cards_of, rows),
            cards_of(unseen),
            u32(come, 60, effort),
            struct.pack("<Q", seed),
        )
        assert answer == packed("CountedOuts", outs)


def hands_are_set_alike(web: WebKernel, rules: Ruleset, number: int, chance: Random, positions: int) -> None:
    table = compile_rules(rules)
    hands = [_pool_hand(chance, rules) for _ in range(300)]
    pool_hands = b"".join(bytes((kind, DECLARED, 0, 0, 0)) + board for kind, board in hands)
    plain = [bytes((kind,)) + board for kind, board in hands]
    pool = _kernel.HandPool(table, pool_hands)
    pool_number = web.keep("keep_field", u32(number, len(hands)), *plain)
    for position in range(positions):
        pack = shuffled(chance, rules)
        cards, known_cards = pack[:13], pack[13 : 13 + chance.choice((0, 5, 13))]
        states = [chance.randrange(3) for _ in range(chance.randint(1, 3))]
        top = 5 if position % 16 == 0 else 0  # all 72,072 settings take long
        arguments = (cards, cards_of(known_cards), u32(len(states), *states, top))
        answer = web.ask("closed_choose", u32(pool_number), *arguments)
        assert answer == packed("ClosedChoice", pool.choose(cards, known_cards, states, top))
    samples = hands[:60]
    stakes = (1.0, 2.5)
    against = _kernel.OpponentSamples(table, pool_hands[: 18 * len(samples)], stakes)
    cards = shuffled(chance, rules)[:13]
    others = b"".join(plain[:60])
    answer = web.ask(
        "closed_against", u32(number), cards, u32(2), struct.pack("<2d", *stakes), u32(30), others, u32(4)
    )
    choice = (against.surrender(), against.natural(cards), against.rank(cards, 4))
    assert answer == packed("ClosedChoice", choice)
    web.ask("drop", u32(pool_number))


def _pool_hand(chance: Random, rules: Ruleset) -> tuple[int, bytes]:
    board = b"".join(random_rows(chance, shuffled(chance, rules)[:13]))
    return chance.choice((0, 0, 0, 1)), board


def streets_are_analysed_alike(web: WebKernel, rules: Ruleset, chance: Random, positions: int) -> None:
    """Candidates, the sorting search, rollouts taken apart and one by one: of every position the same bits."""
    bytes_of_player, learned = browser_bundle(rules), packaged(rules)
    if bytes_of_player is None or learned is None:
        assert (bytes_of_player or learned) is None, "one kernel has a table that the other has not"
        return
    head, learner = learned
    player = web.keep("keep_player", bytes_of_player)
    most = 3 if rules.seats.max > 2 and rules.deal.game != "turbo" else 2
    for at in range(positions):
        fantasyland = at % 8 == 0 and bool(fantasyland_sizes(rules))
        position = (
            land_position(chance, rules) if fantasyland else open_position(chance, rules, chance.randint(2, most))
        )
        try:
            search = position.analysis(learner, head.fantasyland_values)
        except ValueError:  # too few cards for such a fantasyland
            continue
        analysis_is_the_same(web, player, search, position, chance.getrandbits(32))
    web.ask("drop", u32(player))


def analysis_is_the_same(
    web: WebKernel, player: int, search: _kernel.Analysis, position: OpenPosition, seed: int
) -> None:
    listed = unpacked("ListedDecision", web.ask("analysis_begin", u32(player), position.question()))
    number, table = listed.number, search.table()
    count = len(table)
    assert listed.exact == search.exact()
    assert listed.placements == tuple(((row.front, row.middle, row.back), row.prior) for row in table)
    first = min(3, count)
    chosen = u32(first, *range(first))
    sampled = web.ask("analysis_sample", u32(number), chosen, u32(4), struct.pack("<2Q", seed, 9))
    assert sampled == search.sample_points(list(range(first)), 4, seed, 9).tobytes()
    search.measure(first, 5, seed, 2)
    web.ask("analysis_measure", u32(number), chosen, u32(5), struct.pack("<2Q", seed, 2))
    assert _read(web, number) == [row[4:] for row in search.table()]
    course = web.ask("analysis_course", u32(number, first - 1, 6), struct.pack("<2Q", seed, 3))
    assert course == packed("GameCourse", (search.street_progress(first - 1, 6, seed, 3),))
    search.reset_samples()
    web.ask("analysis_forget", u32(number))
    width = min(8, count)  # behind the eighth the search invites placements by what they hope for
    search.run(width, 40, seed)
    web.ask("analysis_race", u32(number, width, 40))
    while web.ask("analysis_step", u32(number, seed % 25), struct.pack("<Q", seed)) != u32(0):
        pass  # cut anywhere, it comes to the same
    assert _read(web, number) == [row[4:] for row in search.table()]
    web.ask("drop", u32(number))


def _read(web: WebKernel, number: int) -> list[tuple[float, ...]]:
    """Return what the sums come to, as `_kernel.Analysis.table` says it from its sums."""
    rows: list[tuple[float, ...]] = []
    for sums in unpacked("PlacementList", web.ask("analysis_read", u32(number))).placements:
        n = sums.rollouts or 1
        mean = sums.points / n
        error = 0.0 if sums.exact or n < 2 else sqrt(max(0.0, sums.squares / n - mean * mean) / (n - 1))
        parts = (*sums.parts, sums.fouls, sums.fantasylands, sums.stacks, *sums.own)
        rows.append((sums.rollouts, mean, error, *(part / n for part in parts)))
    return rows
