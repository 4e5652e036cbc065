"""`triptych session`: score deals of real cards, keep the ledger, and print the payments that settle it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from triptych.cli.errors import report_error, report_message
from triptych.cli.session.corrections import correction_lines, default_author, with_correction
from triptych.cli.session.file import (
    Line,
    deals_of,
    read_hand,
    read_points,
    read_session,
    rules_spec,
    stakes_between,
    write_session,
)
from triptych.cli.session.output import print_corrections, print_ledger, print_sheet
from triptych.cli.session.prompts import ask_hands, seats_of
from triptych.errors import TriptychError
from triptych.rulesets.load import resolve
from triptych.scoring.errors import RequestError
from triptych.scoring.jsonl.request import KINDS, is_removed
from triptych.scoring.session import PointsDeal, SessionDeal, ledgers, session_entry
from triptych.scoring.settle import Amount

app = App(name="session", help="Score a session of real cards, keep its ledger, and say who pays whom.")

Rules = Annotated[str | None, Parameter(help="A preset, or your own TOML file.")]
Settings = Annotated[
    list[str] | None,
    Parameter(
        name="--set",
        negative="",
        help="Change one option: key=value, such as stake.point=0.5. May be given many times.",
    ),
]
Stakes = Annotated[
    list[str] | None,
    Parameter(name="--stake", negative="", help="What a pair's points count: Ann-Bob=10. May be given many times."),
]
Author = Annotated[
    str | None, Parameter(name="--by", help="Who corrects, for the note that stays; by default this computer's user.")
]


@app.command
def add(file: Path, /, *hands: str, rules: Rules = None, set_: Settings = None, stake: Stakes = None) -> int:
    """Add a deal to a session's file and print its sheet.

    Each hand is NAME=BOARD, in seat order, the button last: `Ann=QhQd7c/8c8dTsTh2c/AhAcAd9d9h`. Instead of a board:
    `Bob=surrender`, `Cem=natural:AsKhQd…`. After it `@14` says that the board was set in a fantasyland of 14 cards,
    `@14:2` that it was the second in a row, `!front,back` which royalties were announced. Criss-cross: `Ann:1=…
    Ann:2=…`. Rules and stakes stay those of the deal before until others are given.

    Where only points were written down, give those of all players, which sum to 0: `Ann=+12 Bob=-5 Cem=-7`. Or give
    those of all pairs: `Ann-Bob=6 Ann-Cem=6 Bob-Cem=1`. Stakes count for pairs, and not for points of players.

    Parameters
    ----------
    file
        The session: one deal a line, as `triptych score` reads them. It is made when it is not there.
    hands
        The players' hands.
    """
    try:
        lines = deals_of(file, missing_ok=True)
        document = _document(hands, lines, rules, set_ or (), stake or ())
        deal = session_entry(document, len(lines) + 1)
        write_session(file, [*(line.document for line in lines), document])
    except (TriptychError, OSError) as error:
        return _report(error)
    print_sheet(deal)
    return 0


@app.command
def play(file: Path, /, *players: str, rules: Rules = None, set_: Settings = None, stake: Stakes = None) -> int:
    """Ask for board after board, deal after deal, until an empty line ends the session; then say who pays whom.

    A board is typed as in `add`, without the name: `QhQd7c/8c8dTsTh2c/AhAcAd9d9h`, `surrender`, `natural:AsKhQd…`.
    What cannot be scored is asked again, and `back` takes the board before once more. Numbers instead of boards
    are the players' points; `Ann-Bob=6 Ann-Cem=6 Bob-Cem=1` gives the points of all pairs at once.

    Parameters
    ----------
    file
        The session; it goes on where it was.
    players
        Names in seat order, the button last; those of the deal before when none are given. Criss-cross: Ann:1 Ann:2.
    """
    try:
        lines = deals_of(file, missing_ok=True)
        names = players or seats_of(_last(lines, "players") or _last(lines))
        # Checked before the boards are typed.
        resolve(rules_spec(rules, set_ or (), _last(lines).get("rules")))
        while (hands := ask_hands(names, len(read_session(file, missing_ok=True)) + 1)) is not None:
            # `add` has printed why it rejected the deal; its boards are asked for again.
            if add(file, *hands, rules=rules, set_=set_, stake=stake) == 0:
                rules, set_, stake = None, None, None
    except (TriptychError, OSError) as error:
        return _report(error)
    return show(file) if file.exists() else 0


@app.command
def change(file: Path, number: int, /, *hands: str, by: Author = None) -> int:
    """Change hands or points of a deal that was added before, and print its sheet.

    What stood there before stays in the file, with the time and the name; `show` prints it.

    Parameters
    ----------
    file
        The session.
    number
        The deal, 1 for the first.
    hands
        The hands or points that were wrong, as in `add`; the others stay.
    """
    try:
        lines = deals_of(file)
        document = _changed(_deal(lines, number), hands)
        deal = session_entry(document, number)
        _correct(file, lines, number, document, by)
    except (TriptychError, OSError) as error:
        return _report(error)
    print_sheet(deal)
    return 0


@app.command
def undo(file: Path, number: int | None = None, /, *, by: Author = None) -> int:
    """Take the last deal out again, or another. It stays in the file, and `restore` brings it back.

    Parameters
    ----------
    file
        The session.
    number
        The deal, 1 for the first; the last that counts when none is given.
    """
    try:
        lines = deals_of(file)
        counting = (index for index, line in enumerate(lines, 1) if not is_removed(line.document))
        number = number or max(counting, default=0)
        if not number:
            return report_message("the session has no deal yet")
        _correct(file, lines, number, {**_deal(lines, number), "removed": True}, by)
    except (TriptychError, OSError) as error:
        return _report(error)
    sys.stdout.write(f"Deal {number} does not count any more.\n")
    return 0


@app.command
def restore(file: Path, number: int, /, *, by: Author = None) -> int:
    """Bring a deal back that was taken out.

    Parameters
    ----------
    file
        The session.
    number
        The deal, 1 for the first.
    """
    try:
        lines = deals_of(file)
        document = {key: value for key, value in _deal(lines, number).items() if key != "removed"}
        _correct(file, lines, number, document, by)
    except (TriptychError, OSError) as error:
        return _report(error)
    sys.stdout.write(f"Deal {number} counts again.\n")
    return 0


@app.command
def show(file: Path, /, *, sheets: Annotated[bool, Parameter(negative="")] = False) -> int:
    """Print the ledger of a session, the fewest payments that settle it, and what was corrected.

    Exit status 1 when a line cannot be scored; the others count.

    Parameters
    ----------
    file
        The session.
    sheets
        Print the sheet of every deal too.
    """
    try:
        lines = read_session(file)
    except OSError as error:
        return _report(error)
    deals, has_errors = _scored(lines)
    for deal in deals if sheets else ():
        print_sheet(deal)
    for tally in ledgers(deals):
        print_ledger(tally)
    print_corrections([correction_lines(line.document) for line in lines])
    if not deals:
        sys.stdout.write("no deal yet\n")
    return int(has_errors)


def _last(lines: Sequence[Line], *kinds: str) -> dict[str, Any]:
    """Return the last deal that is not removed and has one of the keys `kinds`, or an empty dict."""
    documents = (line.document for line in reversed(lines) if not is_removed(line.document))
    return next((document for document in documents if not kinds or any(kind in document for kind in kinds)), {})


def _deal(lines: Sequence[Line], number: int) -> dict[str, Any]:
    """Return a deal by its number. Raises RequestError `line.missing`."""
    if not 1 <= number <= len(lines):
        raise RequestError("line.missing", f"the session has {len(lines)} deals", "$")
    return lines[number - 1].document


def _correct(file: Path, lines: Sequence[Line], number: int, document: Mapping[str, Any], author: str | None) -> None:
    """Write a session with a changed deal, and a note of its old content. Raises OSError."""
    documents = [line.document for line in lines]
    documents[number - 1] = with_correction(
        documents[number - 1], document, default_author() if author is None else author
    )
    write_session(file, documents)


def _scored(lines: Sequence[Line]) -> tuple[list[SessionDeal | PointsDeal], bool]:
    """Return the deals that can be scored, and whether some cannot; those are reported on standard error."""
    deals: list[SessionDeal | PointsDeal] = []
    has_errors = False
    for number, line in enumerate(lines, 1):
        if is_removed(line.document):
            continue
        try:
            if line.error is not None:
                raise line.error
            deals.append(session_entry(line.document, number))
        except TriptychError as error:
            sys.stderr.write(f"line {line.number}: {error} ({error.code})\n")
            has_errors = True
    return deals, has_errors


def _document(
    hands: Sequence[str], lines: Sequence[Line], rules: str | None, settings: Sequence[str], stakes: Sequence[str]
) -> dict[str, Any]:
    """Return a deal as a line of the scoring contract; missing rules and stakes are taken from the deal before."""
    document, owners = _points_or_boards(hands)
    if "points" not in document:
        before = _last(lines, "players", "pairs")
        if agreed := stakes_between(owners, before.get("stakes", {}), stakes):
            document["stakes"] = agreed
    elif stakes:
        raise RequestError("line.unknown_key", "stakes count for pairs; give Ann-Bob=6 for each", "$.stakes")
    return {"rules": rules_spec(rules, settings, _last(lines).get("rules")), **document}


def _points_or_boards(hands: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments as keys of the scoring contract, and the players in seat order."""
    if (points := read_points(hands)) is not None:
        kind, amounts = points
        players = list(
            dict.fromkeys(name for key in amounts for name in (key.split("-") if kind == "pairs" else [key]))
        )
        return {kind: amounts, "order": players}, players
    parsed = [read_hand(hand) for hand in hands]
    names = [name for name, _, _ in parsed]
    duplicate = next((name for name in names if names.count(name) > 1), None)
    if duplicate is not None:
        raise RequestError("player.duplicate", f"{duplicate!r} is given twice", f"$.players.{duplicate}")
    owners = {name: owner for name, owner, _ in parsed}
    document: dict[str, Any] = {"players": {name: entry for name, _, entry in parsed}, "order": names}
    if owners != {name: name for name in names}:
        document["owners"] = owners
    return document, list(dict.fromkeys(owners.values()))


def _changed(document: Mapping[str, Any], hands: Sequence[str]) -> dict[str, Any]:
    """Return a deal with some hands or points replaced, or with points instead of hands and the reverse."""
    if is_removed(document):
        raise RequestError("line.missing", "the deal was taken out; restore it first", "$")
    points = read_points(hands)
    kind = "players" if points is None else points[0]
    if kind not in document:
        replacement, _ = _points_or_boards(hands)
        remaining = {key: value for key, value in document.items() if key not in (*KINDS, "order", "owners")}
        if kind == "points":
            remaining.pop("stakes", None)
        return {**remaining, **replacement}
    if points is not None:
        return {**document, kind: _changed_points(document[kind], points[1])}
    players = dict(document["players"])
    for name, _, entry in map(read_hand, hands):
        if name not in players:
            raise RequestError("player.unknown", f"{name!r} is not a player of this deal", f"$.players.{name}")
        players[name] = entry
    return {**document, "players": players}


def _changed_points(old: Mapping[str, Amount], changes: Mapping[str, Amount]) -> dict[str, Amount]:
    """Return points with some replaced; a pair may be named in either direction."""
    points = dict(old)
    for name, amount in changes.items():
        backwards = "-".join(reversed(name.split("-")))
        if name not in points and backwards not in points:
            raise RequestError("player.unknown", f"{name!r} is not a player or pair of this deal", f"$.points.{name}")
        if name in points:
            points[name] = amount
        else:
            points[backwards] = -amount
    return points


def _report(error: TriptychError | OSError) -> int:
    if isinstance(error, OSError):
        return report_message(f"cannot use {error.filename}: {error.strerror}")
    return report_error(error)
