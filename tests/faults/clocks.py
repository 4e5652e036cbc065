"""Judges clocks: no time in which a server was down, or its owner stopped, is anybody's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.faults.judge import Stored, Verdict

# Of a standstill of a server that goes on, so much may be charged before it is one (ms): see server/clock.py.
UNNOTICED_MS: Final = 4_500
SLACK_MS: Final = 400


class Outage(NamedTuple):
    """From when on nobody could move (ms), and until when.

    `until` is None for one that ends with the first event that a later owner, or the next process, writes. `owned`:
    when the one that dies had the table for certain, where another one may have had it before `since`; None: then.
    """

    since: int
    until: int | None = None
    owned: int | None = None


class _Run(NamedTuple):
    """A clock since it started: when that was, and what it had."""

    started: int
    total: int


def charged(stored: Sequence[Stored], outages: Sequence[Outage], verdict: Verdict) -> None:
    """See that each clock is charged no more than the time in which its player could move."""
    stops = _stops(stored, outages)
    runs: dict[int, _Run] = {}
    for each in stored:
        body = each.event.body
        match body["e"]:
            case "clock_started" if body["seat"] not in runs:
                runs[body["seat"]] = _Run(body["started"], body["bank_ends"] - body["started"])
            case "time_added" if body["seat"] in runs:
                run = runs[body["seat"]]
                runs[body["seat"]] = run._replace(total=run.total + body["ms"])
            case "clock_stopped" if body["seat"] in runs:
                run = runs.pop(body["seat"])
                taken = run.total - body["bank_ms"] - body["deal_ms"]
                _judge(each, run.started, taken, stops, verdict)


def _judge(each: Stored, started: int, taken: int, stops: Sequence[tuple[int, int, int]], verdict: Verdict) -> None:
    now = each.event.body["at"]
    free = _free(started, now, stops)
    verdict.counts["clocks"] += 1
    verdict.counts["clocks over a stop"] += free > 0
    verdict.counts["ms of stops that ran over clocks"] += free
    if taken < 0:
        verdict.fail(f"a clock that stops at version {each.version} has more than it began with")
    if taken > now - started - free + SLACK_MS:
        verdict.fail(
            f"a clock that stops at version {each.version} is charged {taken} ms of {now - started}, "
            f"in {free} of which nobody could move"
        )


def _free(since: int, until: int, stops: Sequence[tuple[int, int, int]]) -> int:
    """Return how much of a time is nobody's: stops that overlap count once."""
    free = 0
    reached = since
    for begin, end, unnoticed in stops:
        first, last = max(begin, reached), min(end, until)
        if last > first:
            free += max(0, last - first - unnoticed)
            reached = last
    return free


def _stops(stored: Sequence[Stored], outages: Sequence[Outage]) -> list[tuple[int, int, int]]:
    """Return outages of a table as (since, until, what of it may go unnoticed), in order."""
    times = [(each.event.body["at"], each.epoch) for each in stored if "at" in each.event.body]
    intervals = []
    for since, until, had in outages:
        if until is not None:
            intervals.append((since, until, UNNOTICED_MS))
            continue
        owned = since if had is None else had
        epoch = max((epoch for at, epoch in times if at <= owned), default=0)
        first = next((at for at, later in times if later > epoch and at >= owned), None)
        if epoch and first is not None and first > since:
            intervals.append((since, first, 0))
    return sorted(intervals)
