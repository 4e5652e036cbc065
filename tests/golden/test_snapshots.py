"""A snapshot that an earlier version of the code has written is read only where this one would write the same."""

from __future__ import annotations

from tests.golden import snapshots


def test_the_form_of_snapshots_changes_only_with_their_version() -> None:
    """Else raise SNAPSHOT_VERSION, then `python -m tests.golden.snapshots`."""
    golden = snapshots.read()
    assert snapshots.now(golden.samples) == golden
