"""The library where it is used, one call at a time, beside its peers in the same run. Issue 33, part 4.

uv run --group bench python -m bench library

Every row first checks that its answers are those of the peer, or of a second way to the same answer.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import triptych
from bench.kernel import PEERS
from bench.report import RUNS, Spread, at_least, at_most, seconds, write
from bench.score import score_file, write_deals
from triptych.cards import cards_text, deck
from triptych.envs import BatchEnv, features
from triptych.rulesets.model import streets

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

COMMAND = "uv run --group bench python -m bench library"
NOTE = (
    "Random cards and random play. `rank` is counted against pkrbot, `score` against the command; limits in seconds "
    "are those of a machine on which the plain loop takes 0.7 s, and are scaled by the loop of this run"
)
LOOP = "x = 0\nfor i in range(10**7): x += i * i"
USUAL_LOOP = 0.7
ROWS, DEALS, MANY, GAMES = 20_000, 5_000, 100_000, 200
OUTS_GAMES = ("pineapple", "pineapple_joker", "pineapple_27", "ofc_american", "turbo")
Table = list[tuple[str, ...]]


def main() -> None:
    """Measure everything in one run and write the page."""
    loop = _plain_loop()
    slow = loop / USUAL_LOOP
    table: Table = [("call", "measure", "min", "median", "max", "limit", "")]
    table.append(("a plain Python loop", "s", "", f"{loop:.2f}", "", "", ""))
    _rank(table)
    _deals(table, slow)
    _score(table)
    _score_many(table, slow)
    _outs(table, slow)
    _features(table, slow)
    table.append(("the plain loop again", "s", "", f"{_plain_loop():.2f}", "", "", ""))
    write("The library's calls", COMMAND, table, NOTE)


def _plain_loop() -> float:
    return seconds(lambda: exec(LOOP, {})).median  # noqa: S102 - our own loop, with global names as a script has them


def _rank(table: Table) -> None:
    """Compare one row's rank at a time; the peers take turns, so that all meet the same noise."""
    chance = random.Random(1)
    rows = [tuple(chance.sample(range(52), 5)) for _ in range(ROWS)]
    rank = triptych.rank
    calls: dict[str, Callable[[], Any]] = {"`rank`": lambda: [rank(row) for row in rows]}
    calls |= {name: peer(rows) for name, peer in PEERS.items()}
    ours = [strength.value for strength in calls["`rank`"]()]
    for name, call in calls.items():
        if name != "`rank`":
            _verify_same_order(name, ours, call())
    by_call: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(3 * RUNS):
        for name, call in calls.items():
            start = time.thread_time()
            call()
            by_call[name].append((time.thread_time() - start) / ROWS * 1e9)
    base = min(by_call["pkrbot"])
    for name, spread in ((name, Spread.of(times)) for name, times in by_call.items()):
        verdict = (
            ("≤ 1.5 × pkrbot", f"{spread.least / base:.2f} ×")
            if name == "`rank`"
            else ("", f"{spread.least / base:.1f} ×")
        )
        table.append((name, "ns a row", *spread.text(".0f"), *verdict))


def _verify_same_order(name: str, ours: Sequence[int], theirs: Sequence[Any]) -> None:
    """Stop unless a peer puts all rows into the same order, equal ones too."""
    peer = [getattr(value, "index", value) if name == "pokerkit" else value for value in theirs]
    pairs = sorted({*zip(ours, peer, strict=True)})
    values = [value for _, value in pairs]
    if len({*ours}) != len(pairs) or (values != sorted(values) and values != sorted(values, reverse=True)):
        raise SystemExit(f"{name} ranks rows in another order")


def _deals(table: Table, slow: float) -> None:
    """Play random heads-up deals through `Deal`; beside it a hold'em hand of pokerkit that is called down."""
    chance = random.Random(2)

    def play(seed: int) -> triptych.Deal:
        deal = triptych.Deal(seed=seed)
        while not deal.is_over:
            placements = deal.legal_placements()
            deal.place(placements[chance.randrange(len(placements))])
        return deal

    for seed in range(50):
        deal = play(seed)
        if deal.result().totals != triptych.score(deal.boards).totals:
            raise SystemExit("a deal's result is not that of its boards")
    rate = seconds(lambda: [play(seed) for seed in range(GAMES)]).rate(GAMES)
    table.append(
        ("`Deal`, a random deal", "deals a second", *rate.text(",.0f"), "≥ 2,000", _scaled(rate, 2_000, slow))
    )
    rate = seconds(_called_down).rate(1)
    table.append(("pokerkit, a hold'em hand called down", "hands a second", *rate.text(",.0f"), "", ""))


def _called_down() -> None:
    pokerkit: Any = import_module("pokerkit")
    automations = tuple(pokerkit.Automation)
    state = pokerkit.NoLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, (200, 200), 2)
    while state.status:
        while state.can_deal_hole():
            state.deal_hole()
        while state.can_deal_board():
            state.deal_board()
        if state.actor_index is not None:
            state.check_or_call()


def _scaled(rate: Spread, target: float, slow: float) -> str:
    return at_least(Spread(*(value * slow for value in rate)), target)


def _score(table: Table) -> None:
    """Score deals one call at a time, and the same deals by the command."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "deals.jsonl"
        write_deals(file, DEALS)
        deals = [json.loads(line)["players"] for line in file.read_text().splitlines()]
        boards = [{name: "/".join(rows.values()) for name, rows in deal.items()} for deal in deals]
        score = triptych.score
        command = [sys.executable, "-c", "from triptych.cli.main import main; main()", "score", str(file)]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 - our own command
        if [json.loads(line)["totals"] for line in output.splitlines()] != [score(board).totals for board in boards]:
            raise SystemExit("the command scores other totals")
        (Path(folder) / "none.jsonl").write_text("")
        paired = []
        for _ in range(RUNS):
            start = score_file(Path(folder) / "none.jsonl")[0]
            theirs = (score_file(file)[0] - start) / DEALS * 1e6
            begun = time.thread_time()
            for board in boards:
                score(board)
            paired.append(((time.thread_time() - begun) / DEALS * 1e6, theirs))
    ours, command_times = (Spread.of(times) for times in zip(*paired, strict=True))
    verdict = at_most(Spread.of([ours / other for ours, other in paired]), 1)
    table.append(("`score`", "µs a deal", *ours.text(".0f"), "≤ the command", verdict))
    table.append(("the command `score`, less its start", "µs a deal", *command_times.text(".0f"), "", ""))


def _score_many(table: Table, slow: float) -> None:
    chance = np.random.default_rng(3)
    cards = chance.random((MANY, 52)).argpartition(26, axis=1)[:, :26].reshape(MANY, 2, 13)
    texts = {name: [_board(row) for row in cards[:, at].tolist()] for at, name in enumerate(("Ann", "Bob"))}
    totals = triptych.score_many(cards).totals
    for deal in range(200):
        single = triptych.score({name: column[deal] for name, column in texts.items()})
        if [*single.totals.values()] != totals[deal].tolist() or triptych.score_many(texts).totals[
            deal
        ].tolist() != totals[deal].tolist():
            raise SystemExit("score_many scores other totals")
    forms: dict[str, NDArray[Any] | dict[str, list[str]]] = {"an array": cards, "columns of text": texts}
    for form, boards in forms.items():
        spread = seconds(partial(triptych.score_many, boards))
        verdict = at_most(Spread(*(value / slow for value in spread)), 1.5)
        table.append((f"`score_many`, 100,000 deals as {form}", "s", *spread.text(".3f"), "≤ 1.5", verdict))


def _board(cards: Sequence[Any]) -> str:
    return "/".join(cards_text(cards[begin:end]) for begin, end in ((0, 3), (3, 8), (8, 13)))


def _outs(table: Table, slow: float) -> None:
    """Ask for the outs of random boards on every street of some games; of the slowest street of each, its boards."""
    chance = random.Random(4)
    for game in OUTS_GAMES:
        rules = triptych.rules(game)
        slowest = Spread(0, 0, 0)
        on_board = 0
        for step in streets(rules)[:-1]:
            on_board += step.placed
            boards = [_some_board(chance, on_board, rules.deal.jokers) for _ in range(2 * RUNS)]
            some, many = triptych.outs(boards[0], rules), triptych.outs(boards[0], rules, draws=20_000)
            if abs(some.foul - many.foul) > 4 * (some.error + many.error):
                raise SystemExit("outs differ from those of more draws")
            times = [seconds(partial(triptych.outs, board, rules), 3).least for board in boards]
            slowest = max(slowest, Spread.of(times), key=lambda spread: spread.median)
        in_ms = Spread(*(value * 1e3 for value in slowest))
        verdict = at_most(Spread(*(value / slow for value in in_ms)), 10)
        table.append((f"`outs`, the slowest street of {game}", "ms", *in_ms.text(".1f"), "≤ 10", verdict))


def _some_board(chance: random.Random, count: int, jokers: int) -> str:
    slots = chance.sample([0] * 3 + [1] * 5 + [2] * 5, count)
    cards = chance.sample(deck(jokers), count)
    return "/".join(cards_text(card for card, at in zip(cards, slots, strict=True) if at == row) for row in range(3))


def _features(table: Table, slow: float) -> None:
    env = BatchEnv("pineapple", size=1_000, seed=5)
    env.play_random(7)
    observation = env.observe().copy()
    encoded = features(observation)
    if {*encoded[:, : -(observation.shape[1] - 54)].sum(axis=1).tolist()} != {54.0}:
        raise SystemExit("not every card has one place")
    rate = seconds(lambda: [features(observation).size for _ in range(100)]).rate(100 * len(observation))
    table.append(("`features`", "steps a second", *rate.text(",.0f"), "≥ 2 M", _scaled(rate, 2e6, slow)))


if __name__ == "__main__":
    main()
