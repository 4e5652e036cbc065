"""Decide which appends of a batch are written; this step of a commit is the same in every store."""

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
    """Raise InvalidAppendError for an append that no projection can hold: in the journal it would stop all others."""
    names = (
        (append.table,)
        if append.idempotency_key is None
        else (append.table, append.idempotency_key.player, append.idempotency_key.cmd_id)
    )
    if not all(_is_text(name, _NAME) for name in names):
        raise InvalidAppendError("a name")
    if (append.postings or append.summaries) and not append.events:
        raise InvalidAppendError(
            "what no event has brought about"
        )  # the version of the events is what makes it projected only once
    for posting in append.postings:
        if not 0 < posting.points < _MAX:
            raise InvalidAppendError("points of a posting")
        if posting.debit == posting.credit:
            raise InvalidAppendError("a posting with one side")
        if not all(_is_text(text, _ACCOUNT) for text in (posting.debit, posting.credit, posting.reason)):
            raise InvalidAppendError("a text of a posting")


def _is_text(text: str, max_length: int) -> bool:
    """Return whether every database takes a text: no control characters, no lone surrogates."""
    is_valid = text.isprintable() or not any(ch < " " or "\ud800" <= ch < "\ue000" for ch in text)
    return is_valid and len(text) <= max_length


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
    earlier_replies: Mapping[CommandId, bytes | CorruptRecordError],
) -> tuple[list[Outcome], list[Append]]:
    """Return each append's outcome, and the appends to write.

    `heads`: the tables' current versions (absent = 0), or the error of a corrupt one. `earlier_replies`: the replies
    to commands of the batch that were done before, or the error of a corrupt one.
    Each append is checked against the earlier ones of the same batch. An outcome is the new version, or the error
    to raise.
    """
    # The tables of the batch alone: a server has too many to copy them all each time.
    now = {append.table: heads.get(append.table, 0) for append in batch}
    replies = dict(earlier_replies)
    outcomes: list[Outcome] = []
    accepted: list[Append] = []
    for append in batch:
        key = command_id_of(append)
        head = now[append.table]
        if key is not None and key in replies:
            reply = replies[key]
            outcomes.append(reply if isinstance(reply, CorruptRecordError) else DuplicateCommandError(reply))
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
