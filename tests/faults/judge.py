"""Judges a run with faults: what independent clients were told is held against what the database holds afterwards.

It shares no code with the server: it reads the JSON of histories and of the journal, and folds cards, points, clocks
by itself. Lost: acknowledged and not there. Doubled: there twice, or done twice. Stale: written by an owner that was
one no longer. Issue 12, Shown by 2.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.faults.clocks import charged
from tests.faults.fold import Fold
from tests.faults.history import HIDDEN, ROWS, History

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.faults.clocks import Outage
    from tests.faults.history import ViewDigest
    from tests.faults.record import Append, Event, Record, Row

MAX_PROBLEMS: Final = 20


@dataclass
class Verdict:
    """What did not hold, and how much was held against what."""

    found: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def fail(self, what: str) -> None:
        """Note what does not hold; the first ones say most."""
        if len(self.found) < MAX_PROBLEMS:
            self.found.append(what)

    def __str__(self) -> str:
        """Say it in a line."""
        counts = ", ".join(f"{number:,} {name}" for name, number in sorted(self.counts.items()))
        return f"{counts}; {len(self.found)} findings"


class Stored(NamedTuple):
    """An event with its place: version, the epoch and lane it was written in, and whose command led to it."""

    version: int
    epoch: int
    lane: int
    event: Event
    player: str


def judge(record: Record, histories: Sequence[History], outages: Sequence[Outage] = ()) -> Verdict:
    """Hold everything against everything."""
    verdict = Verdict()
    _lanes(record.rows, verdict)
    for table in sorted({append.table for row in record.rows for append in row.appends}):
        written = [(row, append) for row in record.rows for append in row.appends if append.table == table]
        stored = _in_order(table, written, verdict)
        _projected(table, [append for _, append in written], record, verdict)
        table_histories = [history for history in histories if history.table == table]
        if table_histories:
            _check_messages(stored, [append for _, append in written], table_histories, verdict)
            charged(stored, outages, verdict)
    missing = {history.table for history in histories} - set(record.events)
    for table in sorted(missing):
        verdict.fail(f"{table} is not there")
    return verdict


def _lanes(rows: Iterable[Row], verdict: Verdict) -> None:
    """Each lane is numbered without holes, and its epochs only grow."""
    last: dict[int, tuple[int, int]] = {}
    for row in sorted(rows, key=lambda row: row.number):
        number, epoch = last.get(row.lane, ((row.lane << 36), 0))
        if row.number != number + 1:
            verdict.fail(f"behind row {number} of the journal comes {row.number}")
        if row.epoch < epoch:
            verdict.fail(f"stale: row {row.number} is of epoch {row.epoch}, behind one of {epoch}")
        last[row.lane] = row.number, row.epoch
        verdict.counts["rows"] += 1


def _in_order(table: str, written: Iterable[tuple[Row, Append]], verdict: Verdict) -> list[Stored]:
    """Return a table's events; over all lanes each version is there once, later ones in no smaller epoch."""
    stored: list[Stored] = []
    commands: Counter[tuple[str, str]] = Counter()
    at = 0
    for row, append in written:
        if append.expected != len(stored):
            stale = "stale" if append.expected < len(stored) else "lost"
            verdict.fail(f"{stale}: {table} goes on at {append.expected} in epoch {row.epoch}, not at {len(stored)}")
            continue
        if stored and row.lane != stored[-1].lane and row.epoch <= stored[-1].epoch:
            verdict.fail(f"stale: {table} at {append.expected} is written in epoch {row.epoch} by two servers")
        if append.cmd is not None:
            commands[append.cmd] += 1
        player = "" if append.cmd is None else append.cmd[0]
        for event in append.events:
            stored.append(Stored(len(stored) + 1, row.epoch, row.lane, event, player))
            if event.body.get("at", at) < at:
                verdict.fail(f"{table} at {len(stored)} goes back in time")
            at = event.body.get("at", at)
    for command, number in commands.items():
        if number > 1:
            verdict.fail(f"doubled: {command} is {number} times in the journal of {table}")
    verdict.counts["events"] += len(stored)
    return stored


def _projected(table: str, appends: Iterable[Append], record: Record, verdict: Verdict) -> None:
    """Everything that is read is what the journal says, and nothing else."""
    appends = list(appends)
    events = [event for append in appends for event in append.events]
    wanted = [(at, event.visibility, event.seat, event.payload) for at, event in enumerate(events, 1)]
    if record.events.get(table, []) != wanted:
        verdict.fail(f"the events of {table} are not those of the journal")
    if record.postings.get(table, []) != [each for append in appends for each in append.postings]:
        verdict.fail(f"the ledger of {table} is not the journal's")
    if record.deals.get(table, []) != [each for append in appends for each in append.deals]:
        verdict.fail(f"the sheets of {table} are not the journal's")
    answers = {(table, *append.cmd): append.answer for append in appends if append.cmd is not None}
    if {key: answer for key, answer in record.answers.items() if key[0] == table} != answers:
        verdict.fail(f"the answers of {table} are not the journal's")


def _check_messages(
    stored: Sequence[Stored], appends: Sequence[Append], histories: Sequence[History], verdict: Verdict
) -> None:
    """Check that the messages which clients received about a table match what is stored."""
    done = {append.cmd: append for append in appends if append.cmd is not None}
    for history in histories:
        for what in history.found:
            verdict.fail(what)
        _answers(history, done, verdict)
        _events(history, stored, verdict)
    fold = Fold(verdict.fail)
    views: dict[int, list[tuple[str, ViewDigest]]] = {}
    for history in histories:
        for version, view in history.views.items():
            views.setdefault(version, []).append((history.player, view))
    points: dict[int, list[tuple[str, str, int, str]]] = {}
    for append in appends:
        points.setdefault(append.expected + 1, []).extend(append.postings)
    for each in stored:
        for debit, credit, paid, _ in points.get(each.version, ()):
            fold.pay(debit, credit, paid)
        fold.event(each.event, each.player)
        for player, view in views.pop(each.version, ()):
            _view(player, each.version, view, fold, verdict)
    for version, digest in views.items():
        verdict.fail(f"{digest[0][0]} was shown version {version} of a table that ends at {len(stored)}")
    verdict.counts["deals"] += fold.deals


def _answers(history: History, done: dict[tuple[str, str], Append], verdict: Verdict) -> None:
    for cmd_id, answer in history.answers.items():
        append = done.get((history.player, cmd_id))
        name = f"{cmd_id} of {history.player}"
        if answer["t"] == "ack":
            verdict.counts["acknowledged"] += 1
            if append is None:
                verdict.fail(f"lost: {name} was acknowledged as {answer['v']}, and is not there")
            elif json.loads(append.answer) != answer:
                verdict.fail(f"{name} was told {answer}; stored is {append.answer.decode()}")
            elif append.expected + len(append.events) != answer["v"]:
                verdict.fail(f"{name} was acknowledged as {answer['v']}, and leads to another version")
        elif append is not None and history.refused.get(cmd_id, 0) >= history.asked[cmd_id]:
            verdict.fail(f"{name} was refused as often as it was asked for, and is there")
    unknown = {key for key in done if key[0] == history.player} - {(history.player, cmd) for cmd in history.asked}
    verdict.counts["unanswered and done"] += sum(
        (history.player, cmd) in done for cmd in history.asked if cmd not in history.answers
    )
    for key in unknown & {key for key in done if not key[1].startswith("c")}:  # those that seat people are not kept
        verdict.fail(f"{key} was never asked")


def _events(history: History, stored: Sequence[Stored], verdict: Verdict) -> None:
    seats = {each.event.body["player"]: each.event.body["seat"] for each in stored if _is(each, "player_sat")}
    bodies = _whole(stored)
    for version, event in history.events.items():
        verdict.counts["events told"] += 1
        if not 0 < version <= len(stored):
            verdict.fail(f"{history.player} was told event {version} of a table that ends at {len(stored)}")
            continue
        stored_event = stored[version - 1].event
        mine = stored_event.visibility == "private" and stored_event.seat == seats.get(history.player)
        expected = bodies[version - 1] if stored_event.visibility == "public" or mine else None
        if event != expected and not (event is None and mine):
            verdict.fail(f"{history.player} was told another event {version} than is stored")


def _whole(stored: Sequence[Stored]) -> list[dict[str, Any]]:
    """Return what each event says; a deal's rules are stored once, until they change."""
    bodies: list[dict[str, Any]] = []
    rules: Any = None
    for each in stored:
        body = each.event.body
        if body["e"] == "deal_started":
            rules = body["rules"]
        elif body["e"] == "deal_started_again":
            body = {**body, "e": "deal_started", "rules": rules}
        bodies.append(body)
    return bodies


def _is(each: Stored, name: str) -> bool:
    return bool(each.event.body["e"] == name)


def _view(player: str, version: int, view: ViewDigest, fold: Fold, verdict: Verdict) -> None:
    """Cards and points that a viewer was shown are those that the events lead to."""
    verdict.counts["views"] += 1
    where = f"{player} at {version}"
    if view.deal != fold.number and view.boards:
        verdict.fail(f"{where} was shown deal {view.deal}, not {fold.number}")
        return
    _boards(player, where, view, fold, verdict)
    for hand, task in view.tasks.items():
        dealt_hand = fold.hands[hand]
        if fold.players.get(dealt_hand.seat) != player:
            verdict.fail(f"{where} is asked to place the cards of seat {dealt_hand.seat}")
        if list(task) != sorted(dealt_hand.inhand):
            verdict.fail(f"{where} was given {list(task)}, and {sorted(dealt_hand.inhand)} were dealt")
    if not view.playing:
        for seat, (who, stack) in view.stacks.items():
            if stack != fold.balance(who):
                verdict.fail(f"{where} was shown a stack of {stack} at seat {seat}, not {fold.balance(who)}")


def _boards(player: str, where: str, view: ViewDigest, fold: Fold, verdict: Verdict) -> None:
    for hand, board in view.boards.items():
        dealt_hand = fold.hands[hand]
        if board.seat != dealt_hand.seat:
            verdict.fail(f"{where} was shown hand {hand} at seat {board.seat}")
        for name, cards in zip(ROWS, board.rows, strict=True):
            visible = [card for card in cards if card != HIDDEN]
            expected = sorted(dealt_hand.rows[name])
            whole = dealt_hand.is_open or fold.players.get(dealt_hand.seat) == player
            if (visible != expected) if whole and HIDDEN not in cards else not set(visible) <= set(expected):
                verdict.fail(f"{where} was shown {visible} in the {name} of hand {hand}, not {expected}")
