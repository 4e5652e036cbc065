"""Decide which appends of a batch are written: the part of a commit that is the same in every store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.store.protocol import Append, Damaged, Repeated, VersionConflict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Outcome = int | Exception
CommandId = tuple[str, str, str]


def command_id(append: Append) -> CommandId | None:
    """Return (table, player, cmd_id) of the append's command."""
    return None if append.cmd is None else (append.table, append.cmd.player, append.cmd.cmd_id)


def judge(
    batch: Sequence[Append], heads: Mapping[str, int], answers: Mapping[CommandId, bytes | Damaged]
) -> tuple[list[Outcome], list[Append]]:
    """Return each append's outcome, and the appends to write.

    `heads`: versions of the tables now (absent = 0); `answers`: commands of the batch that were done before,
    or that their answer is damaged.
    Appends see the earlier ones of the same batch. An outcome is the new version, or the error to raise.
    """
    now = dict(heads)
    told = dict(answers)
    outcomes: list[Outcome] = []
    accepted: list[Append] = []
    for append in batch:
        key = command_id(append)
        head = now.get(append.table, 0)
        if key is not None and key in told:
            first = told[key]
            outcomes.append(first if isinstance(first, Damaged) else Repeated(first))
        elif append.expected != head:
            outcomes.append(VersionConflict(append.table, append.expected, head))
        else:
            now[append.table] = head + len(append.events)
            if key is not None:
                told[key] = append.answer
            outcomes.append(now[append.table])
            accepted.append(append)
    return outcomes, accepted
