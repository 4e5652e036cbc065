"""Corrections of a session: notes of each change of a deal, with its author, time and old content."""

from __future__ import annotations

import getpass
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from triptych.board import ROWS
from triptych.scoring.jsonl.request import is_removed

_NOTES: Final = ("id", "corrections")
_ABSENT: Final = "–"


def default_author() -> str:
    """Return the name of the operating system's user, empty when it has none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


def with_correction(old: Mapping[str, Any], new: Mapping[str, Any], author: str) -> dict[str, Any]:
    """Return the new content of a deal with a note: the author, the time, and the old values of changed keys."""
    before, after = _content(old), _content(new)
    old_values = {key: before.get(key) for key in {**before, **after} if before.get(key) != after.get(key)}
    notes = list(old.get("corrections", ()))
    if old_values:
        notes.append({"at": datetime.now(UTC).isoformat(timespec="seconds"), "by": author, "was": old_values})
    return {**after, "corrections": notes} if notes else after


def correction_lines(document: Mapping[str, Any]) -> list[str]:
    """Return each correction of a deal as a line, the oldest first: key, old and new value, author, time."""
    lines: list[str] = []
    after = _content(document)
    for note in reversed(document.get("corrections", ())):
        before = {key: value for key, value in {**after, **note["was"]}.items() if value is not None}
        lines.append(f"{', '.join(_changes(before, after))} ({_author_and_time(note)})")
        after = before
    return lines[::-1]


def _author_and_time(note: Mapping[str, Any]) -> str:
    time = datetime.fromisoformat(note["at"]).astimezone().strftime("%Y-%m-%d %H:%M")
    return f"{note['by']}, {time}" if note.get("by") else time


def _content(document: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key not in _NOTES}


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    if is_removed(before) != is_removed(after):
        yield "removed" if is_removed(after) else "restored"
        return
    old, new = dict(_values(before)), dict(_values(after))
    for name in {**old, **new}:
        if old.get(name) != new.get(name):
            yield f"{name}: {old.get(name, _ABSENT)} → {new.get(name, _ABSENT)}"


def _values(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Return the content of a deal as names and texts."""
    for name, hand in document.get("players", {}).items():
        yield name, hand_text(hand)
    for key in ("points", "pairs"):
        yield from ((name, f"{amount:+g}") for name, amount in document.get(key, {}).items())
    rules = document.get("rules", {})
    yield from ((key, str(value)) for key, value in (rules if isinstance(rules, dict) else {"preset": rules}).items())
    yield from ((f"stake of {pair}", str(stake)) for pair, stake in document.get("stakes", {}).items())


def hand_text(hand: Mapping[str, Any]) -> str:
    """Return a hand as people type it: `QhQd7c/8c8dTsTh2c/AhAcAd9d9h@14`."""
    if hand.get("surrender"):
        return "surrender"
    if "natural" in hand:
        return f"natural:{hand['natural']}"
    text = "/".join(str(hand.get(row, "")) for row in ROWS)
    if fantasyland := hand.get("fantasyland"):
        text += f"@{fantasyland['cards']}" + (f":{fantasyland['in_row']}" if fantasyland.get("in_row", 1) > 1 else "")
    return text + (f"!{','.join(hand['declared'])}" if "declared" in hand else "")
