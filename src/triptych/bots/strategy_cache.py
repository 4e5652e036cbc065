"""The strategy of a closed game: a packaged one, one trained on this machine, or the nearest packaged one.

Custom rules have no packaged strategy. One is trained for them in less than a minute of processor time and saved in
the user's cache; until then, and where nothing can be saved, the packaged strategy of the nearest rules is used.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from msgspec.structs import replace

from triptych.rulesets.model import Ruleset, is_closed
from triptych.solve.closed.strategy import (
    SUFFIX,
    ClosedStrategy,
    StrategyHeader,
    is_exact_match,
    kernel_fields,
    nearest_strategy,
    pack,
    relevant_opponent_counts,
    strategy_opponents,
    unpack,
)
from triptych.solve.closed.training import DECKS, ROUNDS, measure, train

SEED: Final = 1
MAX_CACHED_STRATEGIES: Final = 300
_TRAINING_SHARE: Final = 0.6  # of the time, when the strategy is measured too


def cache_dir() -> Path:
    """Return the folder of strategies trained here: below the folder TRIPTYCH_CACHE, else in the user's cache."""
    return Path(os.environ.get("TRIPTYCH_CACHE") or _user_cache()) / "strategies"


def _user_cache() -> Path:
    try:
        from platformdirs import user_cache_path  # noqa: PLC0415 - an extra
    except ModuleNotFoundError:
        return Path.home() / ".cache" / "triptych"
    return user_cache_path("triptych", appauthor=False)


def load_strategy(rules: Ruleset, opponents: int) -> ClosedStrategy:
    """Return the strategy of these rules for this number of opponents, else the nearest one; trains none."""
    packaged = nearest_strategy(rules, opponents)
    if is_exact_match(packaged.head, rules, opponents):
        return packaged
    return _cached_strategy(rules, opponents, _mtime(_file(rules, opponents))) or packaged


def ensure_strategy(rules: Ruleset, opponents: int) -> ClosedStrategy | None:
    """Return the strategy of a closed game, trained now if missing; None where there can be none.

    Where it cannot be saved, the nearest one. Raises nothing.
    """
    if not is_closed(rules) or opponents < 1:
        return None
    if strategy_opponents(rules, opponents) in missing_strategies(rules):
        with suppress(OSError):
            for _ in train_strategy(rules, strategy_opponents(rules, opponents)):
                pass
    return load_strategy(rules, opponents)


def missing_strategies(rules: Ruleset) -> tuple[int, ...]:
    """Return the numbers of opponents for which a closed game has no strategy of its own here.

    Empty for open games. No strategy is trained for a game with jokers, since training deals out whole decks.
    """
    if not is_closed(rules) or rules.deal.jokers:
        return ()
    return tuple(
        [
            opponents
            for opponents in relevant_opponent_counts(rules)
            if not is_exact_match(load_strategy(rules, opponents).head, rules, opponents)
        ]
    )


def train_missing_strategies(rules: Ruleset) -> None:
    """Train and save every missing strategy of these rules. Raises OSError when one cannot be saved."""
    for opponents in missing_strategies(rules):
        for _ in train_strategy(rules, opponents):
            pass


def train_strategy(rules: Ruleset, opponents: int, *, deals: int = 0) -> Iterator[float]:
    """Train and save the strategy of these rules for this number of opponents; yields the progress from 0 to 1.

    `deals`: afterwards measure its exploitability on so many deals and store that in its header. The same rules get
    the same strategy. Raises OSError when it cannot be saved.
    """
    hands = b""
    for number, (kinds, cards, _) in enumerate(train(rules, opponents, SEED, decks=DECKS, rounds=ROUNDS), 1):
        hands = np.column_stack((kinds, cards)).astype(np.uint8).tobytes()
        yield number / ROUNDS * (_TRAINING_SHARE if deals else 1)
    header = StrategyHeader(
        name=rules.title or rules.name,
        rules=kernel_fields(rules),
        opponents=opponents,
        seed=SEED,
        decks=DECKS,
        rounds=ROUNDS,
        command="triptych train",
    )
    _save(rules, header, hands)
    if not deals:
        return
    strategy = ClosedStrategy(rules, header, hands)
    for gain in measure(rules, strategy.kernel, strategy.size, opponents + 1, deals=deals, seed=SEED + 1):
        header = replace(header, gain=gain.mean, interval=gain.half_width, deals=gain.deals)
        yield min(1.0, _TRAINING_SHARE + (1 - _TRAINING_SHARE) * gain.deals / deals)
    _save(rules, header, hands)


def _save(rules: Ruleset, header: StrategyHeader, hands: bytes) -> None:
    """Write a strategy's file atomically, and delete the oldest files beyond the limit."""
    file = _file(rules, header.opponents)
    file.parent.mkdir(parents=True, exist_ok=True)
    partial_file = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        partial_file.write_bytes(pack(header, hands))
        partial_file.replace(file)
    finally:
        partial_file.unlink(missing_ok=True)
    files = sorted(file.parent.glob(f"*{SUFFIX}"), key=_mtime)
    for oldest_file in files[:-MAX_CACHED_STRATEGIES]:
        oldest_file.unlink(missing_ok=True)


def _file(rules: Ruleset, opponents: int) -> Path:
    """Return the file of a strategy, named by all its parameters."""
    return cache_dir() / f"{_name(rules)}-{strategy_opponents(rules, opponents)}{SUFFIX}"


@lru_cache(maxsize=64)
def _name(rules: Ruleset) -> str:
    parameters = msgspec.json.encode((kernel_fields(rules), rules.deal.game, DECKS, ROUNDS, SEED), order="sorted")
    return blake2b(parameters, digest_size=12).hexdigest()


def _mtime(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=64)
def _cached_strategy(rules: Ruleset, opponents: int, modified_at: int) -> ClosedStrategy | None:
    """Return the saved strategy of these rules, or None if it is missing or cannot be read."""
    if not modified_at:
        return None
    try:
        return ClosedStrategy(rules, *unpack(_file(rules, opponents).read_bytes()))
    except (OSError, ValueError, zlib.error, msgspec.MsgspecError):
        return None
