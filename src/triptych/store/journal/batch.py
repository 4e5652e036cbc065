"""Decide which appends of a batch are written: the part of a commit that is the same in every store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from triptych.store.errors import CorruptRecordError, DuplicateCommandError, InvalidAppendError, VersionConflictError
from triptych.store.types import Append

Outcome = int | Exception
CommandId = tuple[str, str, str]
_NAME: Final = 64
_ACCOUNT: Final = 160
_MAX: Final = 2**31  # what a column holds


def validate_append(append: Append) -> None:
    """Raise Unfit for what no projection could hold: in the journal it would stand in the way of all that follows."""
    names = (
        (append.table,)
        if append.idempotency_key is None
        else (append.table, append.idempotency_key.player, append.idempotency_key.cmd_id)
    )
    if not all(_is_text(name, _NAME) for name in names):
        raise InvalidAppendError("a name")
    if (append.postings or append.summaries) and not append.events:
        raise InvalidAppendError("what no event has brought about")  # it is by its events that it is projected once
    for posting in append.postings:
        if not 0 < posting.points < _MAX:
            raise InvalidAppendError("points of a posting")
        if posting.debit == posting.credit:
            raise InvalidAppendError("a posting with one side")
        if not all(_is_text(text, _ACCOUNT) for text in (posting.debit, posting.credit, posting.reason)):
            raise InvalidAppendError("a text of a posting")


def _is_text(text: str, longest: int) -> bool:
    """Return whether every database takes a text: no control characters, no half of a pair of surrogates."""
    whole = text.isprintable() or not any(ch < " " or "\ud800" <= ch < "\ue000" for ch in text)
    return whole and len(text) <= longest


def command_id_of(append: Append) -> CommandId | None:
    """Return (table, player, cmd_id) of the append's command."""
    return (
        None
        if append.idempotency_key is None
        else (append.table, append.idempotency_key.player, append.idempotency_key.cmd_id)
    )


def resolve_batch(
    batch: Sequence[Append],
    heads: Mapping[str, int | CorruptRecordError],
    answers: Mapping[CommandId, bytes | CorruptRecordError],
) -> tuple[list[Outcome], list[Append]]:
    """Return each append's outcome, and the appends to write.

    `heads`: versions of the tables now (absent = 0), or that they are damaged; `answers`: commands of the batch that
    were done before, or that their answer is damaged.
    Appends see the earlier ones of the same batch. An outcome is the new version, or the error to raise.
    """
    # Of the tables in the batch alone: a house has too many to copy them all each time.
    now = {append.table: heads.get(append.table, 0) for append in batch}
    replies = dict(answers)
    outcomes: list[Outcome] = []
    accepted: list[Append] = []
    for append in batch:
        key = command_id_of(append)
        head = now[append.table]
        if key is not None and key in replies:
            first = replies[key]
            outcomes.append(first if isinstance(first, CorruptRecordError) else DuplicateCommandError(first))
        elif isinstance(head, CorruptRecordError):
            outcomes.append(head)
        elif append.expected_version != head:
            outcomes.append(VersionConflictError(append.table, append.expected_version, head))
        else:
            now[append.table] = head + len(append.events)
            if key is not None:
                replies[key] = append.reply
            outcomes.append(now[append.table])
            accepted.append(append)
    return outcomes, accepted
