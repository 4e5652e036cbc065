"""Decide which appends of a batch are written: the part of a commit that is the same in every store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triptych.store.interface import Append, Damaged, Repeated, Unfit, VersionConflict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Outcome = int | Exception
CommandId = tuple[str, str, str]
_NAME: Final = 64
_ACCOUNT: Final = 160
_MOST: Final = 2**31  # what a column holds


def verify_append(append: Append) -> None:
    """Raise Unfit for what no projection could hold: in the journal it would stand in the way of all that follows."""
    names = (append.table,) if append.cmd is None else (append.table, append.cmd.player, append.cmd.cmd_id)
    if not all(_is_text(name, _NAME) for name in names):
        raise Unfit("a name")
    if (append.postings or append.summaries) and not append.events:
        raise Unfit("what no event has brought about")  # it is by its events that it is projected once
    for posting in append.postings:
        if not 0 < posting.points < _MOST:
            raise Unfit("points of a posting")
        if posting.debit == posting.credit:
            raise Unfit("a posting with one side")
        if not all(_is_text(text, _ACCOUNT) for text in (posting.debit, posting.credit, posting.reason)):
            raise Unfit("a text of a posting")


def _is_text(text: str, longest: int) -> bool:
    """Tell whether every database takes a text: no control characters, no half of a pair of surrogates."""
    whole = text.isprintable() or not any(ch < " " or "\ud800" <= ch < "\ue000" for ch in text)
    return whole and len(text) <= longest


def command_id(append: Append) -> CommandId | None:
    """Return (table, player, cmd_id) of the append's command."""
    return None if append.cmd is None else (append.table, append.cmd.player, append.cmd.cmd_id)


def judge(
    batch: Sequence[Append], heads: Mapping[str, int | Damaged], answers: Mapping[CommandId, bytes | Damaged]
) -> tuple[list[Outcome], list[Append]]:
    """Return each append's outcome, and the appends to write.

    `heads`: versions of the tables now (absent = 0), or that they are damaged; `answers`: commands of the batch that
    were done before, or that their answer is damaged.
    Appends see the earlier ones of the same batch. An outcome is the new version, or the error to raise.
    """
    # Of the tables in the batch alone: a house has too many to copy them all each time.
    now = {append.table: heads.get(append.table, 0) for append in batch}
    told = dict(answers)
    outcomes: list[Outcome] = []
    accepted: list[Append] = []
    for append in batch:
        key = command_id(append)
        head = now[append.table]
        if key is not None and key in told:
            first = told[key]
            outcomes.append(first if isinstance(first, Damaged) else Repeated(first))
        elif isinstance(head, Damaged):
            outcomes.append(head)
        elif append.expected != head:
            outcomes.append(VersionConflict(append.table, append.expected, head))
        else:
            now[append.table] = head + len(append.events)
            if key is not None:
                told[key] = append.answer
            outcomes.append(now[append.table])
            accepted.append(append)
    return outcomes, accepted
