"""The field that a closed game is played with: the package's own, one that was made on this machine, or the nearest.

Rules of a house of one's own have no packaged field. One is made for them in less than a minute of processor time and
kept in the user's cache; until then, and where nothing can be kept, the packaged field of the nearest rules serves.
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
from triptych.solve.closed.field import (
    SUFFIX,
    ClosedStrategy,
    StrategyHeader,
    is_exact_match,
    kernel_fields,
    nearest_strategy,
    pack,
    relevant_opponent_counts,
    strategy_size,
    unpack,
)
from triptych.solve.closed.gain import measure
from triptych.solve.closed.training import DECKS, ROUNDS, train

SEED: Final = 1
MAX_CACHED_FIELDS: Final = 300
_TRAINING_SHARE: Final = 0.6  # of the time, where a field is measured too


def cache_dir() -> Path:
    """Return where fields that were made here are kept: below the folder TRIPTYCH_CACHE, else the user's cache."""
    return Path(os.environ.get("TRIPTYCH_CACHE") or _user_cache()) / "fields"


def _user_cache() -> Path:
    try:
        from platformdirs import user_cache_path  # noqa: PLC0415 - an extra
    except ModuleNotFoundError:
        return Path.home() / ".cache" / "triptych"
    return user_cache_path("triptych", appauthor=False)


def load_field(rules: Ruleset, opponents: int) -> ClosedStrategy:
    """Return the field of these rules for a hand with so many opponents, else the nearest; makes none."""
    packaged = nearest_strategy(rules, opponents)
    if is_exact_match(packaged.head, rules, opponents):
        return packaged
    return _cached_field(rules, opponents, _mtime(_file(rules, opponents))) or packaged


def ensure_field(rules: Ruleset, opponents: int) -> ClosedStrategy | None:
    """Return the field of a closed game, made now if it has none; None where there can be none.

    Where it cannot be kept, the nearest one. Raises nothing.
    """
    if not is_closed(rules) or opponents < 1:
        return None
    if strategy_size(rules, opponents) in missing_fields(rules):
        with suppress(OSError):
            for _ in train_field(rules, strategy_size(rules, opponents)):
                pass
    return load_field(rules, opponents)


def missing_fields(rules: Ruleset) -> tuple[int, ...]:
    """Return the numbers of opponents for which a closed game has no field of its own here; open games lack none.

    No field is made for a game with jokers: whole decks are dealt out to make one.
    """
    if not is_closed(rules) or rules.deal.jokers:
        return ()
    return tuple(
        [
            opponents
            for opponents in relevant_opponent_counts(rules)
            if not is_exact_match(load_field(rules, opponents).head, rules, opponents)
        ]
    )


def train_missing_fields(rules: Ruleset) -> None:
    """Make every field that these rules lack, and keep it. Raises OSError when it cannot be kept."""
    for opponents in missing_fields(rules):
        for _ in train_field(rules, opponents):
            pass


def train_field(rules: Ruleset, opponents: int, *, deals: int = 0) -> Iterator[float]:
    """Make the field of these rules for so many opponents and keep it; yields how much of it is done, from 0 to 1.

    `deals`: on so many it is measured afterwards what a best response gains against it, which its head then says.
    The same rules get the same field. Raises OSError when it cannot be kept: then nothing is.
    """
    hands = b""
    for number, (kinds, cards, _) in enumerate(train(rules, opponents, SEED, decks=DECKS, rounds=ROUNDS), 1):
        hands = np.column_stack((kinds, cards)).astype(np.uint8).tobytes()
        yield number / ROUNDS * (_TRAINING_SHARE if deals else 1)
    head = StrategyHeader(
        name=rules.title or rules.name,
        rules=kernel_fields(rules),
        opponents=opponents,
        seed=SEED,
        decks=DECKS,
        rounds=ROUNDS,
        command="triptych train",
    )
    _save(rules, head, hands)
    if not deals:
        return
    field = ClosedStrategy(rules, head, hands)
    for gain in measure(rules, field.kernel, field.size, opponents + 1, deals=deals, seed=SEED + 1):
        head = replace(head, gain=gain.mean, interval=gain.half_width, deals=gain.deals)
        yield min(1.0, _TRAINING_SHARE + (1 - _TRAINING_SHARE) * gain.deals / deals)
    _save(rules, head, hands)


def _save(rules: Ruleset, head: StrategyHeader, hands: bytes) -> None:
    """Write a field's file whole, and let the oldest ones go where there are too many."""
    file = _file(rules, head.opponents)
    file.parent.mkdir(parents=True, exist_ok=True)
    partly = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        partly.write_bytes(pack(head, hands))
        partly.replace(file)
    finally:
        partly.unlink(missing_ok=True)
    files = sorted(file.parent.glob(f"*{SUFFIX}"), key=_mtime)
    for old in files[:-MAX_CACHED_FIELDS]:
        old.unlink(missing_ok=True)


def _file(rules: Ruleset, opponents: int) -> Path:
    """Return where a field is kept: named by everything that it is made of."""
    return cache_dir() / f"{_name(rules)}-{strategy_size(rules, opponents)}{SUFFIX}"


@lru_cache(maxsize=64)
def _name(rules: Ruleset) -> str:
    made_of = msgspec.json.encode((kernel_fields(rules), rules.deal.game, DECKS, ROUNDS, SEED), order="sorted")
    return blake2b(made_of, digest_size=12).hexdigest()


def _mtime(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=64)
def _cached_field(rules: Ruleset, opponents: int, stamp: int) -> ClosedStrategy | None:
    """Return the field that is kept for these rules since then; one that cannot be read counts as none."""
    if not stamp:
        return None
    try:
        return ClosedStrategy(rules, *unpack(_file(rules, opponents).read_bytes()))
    except (OSError, ValueError, zlib.error, msgspec.MsgspecError):
        return None
