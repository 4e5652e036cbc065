"""Stored events of some tables, and what the states that they lead to look like as snapshots.

`python -m tests.golden.snapshots` writes the file again for another SNAPSHOT_VERSION, from the same events.
"""

from __future__ import annotations

import gzip
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, inspect

from tests.table.test_random_matches import RandomPlay
from triptych.i18n.stored import stored_text
from triptych.rulesets.load import resolve
from triptych.server.tables.snapshots import SNAPSHOT_VERSION
from triptych.table.aggregate import evolve
from triptych.table.codec import Visibility, decode, encode
from triptych.table.state import TableState

FILE: Final = Path(__file__).with_name("snapshots.json.gz")
_STEPS: Final = 120
_RULES: Final[tuple[dict[str, object], ...]] = (
    {"preset": "pineapple", "match.kind": "deals:2", "match.prize": 5, "timeout.after": "sit_out"},
    {"preset": "pineapple_progressive", "match.kind": "points:9", "clock.bank_reset": "deals:2"},
    {"preset": "closed_1_6", "settlement.credit": True},
    {"preset": "ofc_american", "deal.first_street": "on_confirm", "fantasyland.order": "at_start_hidden"},
)


class Sample(Struct):
    """A table's events as they are stored, and the digest of the snapshots of all states on the way."""

    events: list[tuple[Visibility, int | None, str]]
    digest: str


class Golden(Struct):
    """What the file holds."""

    version: str
    shape: str
    samples: list[Sample]


def digest(events: list[tuple[Visibility, int | None, str]]) -> str:
    """Return the digest of the snapshots of every state that events lead to."""
    digest = blake2b(digest_size=16)
    state: TableState | None = None
    for visibility, seat, payload in events:
        state = evolve(state, decode(visibility, seat, payload.encode()))
        digest.update(msgspec.msgpack.encode(state, enc_hook=stored_text))
    return digest.hexdigest()


def shape() -> str:
    """Return the digest of the fields of a state, and of all that it holds: their order, types and tags."""
    return blake2b(repr(_shape(inspect.type_info(TableState), ())).encode(), digest_size=16).hexdigest()


def _shape(info: Any, within: tuple[type, ...]) -> Any:
    if isinstance(info, inspect.StructType):
        if info.cls in within:
            return "itself"
        inner = (*within, info.cls)
        names = [None if info.array_like else field.encode_name for field in info.fields]
        return info.array_like, info.tag, names, [_shape(field.type, inner) for field in info.fields]
    parts = [getattr(info, name) for name in info.__struct_fields__]
    return type(info).__name__, [_part(part, within) for part in parts]


def _part(part: Any, within: tuple[type, ...]) -> Any:
    if isinstance(part, inspect.Type):
        return _shape(part, within)
    if isinstance(part, tuple):
        return sorted((repr(_part(each, within)) for each in part), key=str)
    return getattr(part, "__name__", repr(part))


def read() -> Golden:
    """Return what the file holds."""
    return msgspec.json.decode(gzip.decompress(FILE.read_bytes()), type=Golden)


def now(samples: list[Sample]) -> Golden:
    """Return what the same events come to now."""
    return Golden(SNAPSHOT_VERSION, shape(), [Sample(each.events, digest(each.events)) for each in samples])


def _play() -> list[Sample]:
    samples = []
    for seed, rules in enumerate(_RULES):
        chance = RandomPlay(resolve({**rules, "seats.buy_in_min": 10}), 2, seed)
        for _ in range(_STEPS):
            chance.step()
        stored = map(encode, chance.session.log)
        samples.append(Sample([(visibility, seat, payload.decode()) for visibility, seat, payload in stored], ""))
    return samples


def main() -> None:
    """Write the file for this SNAPSHOT_VERSION; exit with 1 when the form has changed without another version."""
    old = read() if FILE.exists() else None
    new = now(_play() if old is None else old.samples)
    if old is not None and old.version == new.version and old != new:
        sys.exit("Raise SNAPSHOT_VERSION in src/triptych/server/tables/snapshots.py first.")
    FILE.write_bytes(gzip.compress(msgspec.json.encode(new), mtime=0))


if __name__ == "__main__":
    main()
